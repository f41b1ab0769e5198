"""What a format decided, as people read it: the order in a sentence, a bracket of lines, rounds. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leaderboard.wording import listed
from runner.tables.schedule_file import Decision, Encounter, Round

FORMATS = {"knockout": "the knockout", "swiss": "the Swiss system", "ladder": "the ladder"}


def how_decided(decision: Decision) -> str:
    """Why the places are what they are."""
    bye = (
        ", where who rests has a point"
        if any(one.resting for one in decision.rounds) and decision.title == "score"
        else ""
    )
    return f"places are those of {FORMATS[decision.format]}{bye}; what follows is about strength"


def called(bot: str, titles: Mapping[str, str]) -> str:
    """`ada`, or `ada (Ada Lovelace)` where it has a title."""
    return f"{bot} ({titles[bot]})" if titles.get(bot) else bot


def outcome_of(decision: Decision, titles: Mapping[str, str]) -> str:
    """`a wins the Swiss system with a score of 2.5, ahead of b with 2`."""
    first, *others = decision.places
    has_scores = decision.title == "score"
    text = f"{called(first.bot, titles)} wins {FORMATS[decision.format]}"
    if has_scores:
        text += f" with a score of {first.result}"
    runners_up = [(called(one.bot, titles), one.result) for one in others if one.place == 2]
    second = [f"{name} with {result}" if has_scores else name for name, result in runners_up]
    return f"{text}, ahead of {listed(second)}" if second else text


def course_lines(decision: Decision) -> list[str]:
    """The bracket of a knockout, or a line per round."""
    if decision.format == "knockout" and decision.rounds:
        return bracket(decision.rounds)
    return [f"{name}: {met}" for name, met in round_texts(decision)]


def round_texts(decision: Decision) -> list[tuple[str, str]]:
    """Name and meetings of each round."""
    return [(one.name, ", ".join(_met(one))) for one in decision.rounds]


def bracket(rounds: Sequence[Round]) -> list[str]:
    """A knockout as a tree: the first round at the left, the winner at the right; below it what is no part of it."""
    aside = [one for one in rounds if one.name.startswith("match for ")]
    played = [one for one in rounds if one not in aside]
    names = {bot for one in played for met in one.encounters for bot in met.bots}
    tree = _Tree(played, width=max(map(len, names)) + 5)
    lines, _ = tree.draw(played[-1].encounters[0].winner, len(played))
    return [
        line.rstrip()
        for line in (*lines, *[""][: len(aside)], *(f"{one.name}: {', '.join(_met(one))}" for one in aside))
    ]


class _Tree:
    """Draws who beat whom, each round a column of the same width."""

    def __init__(self, rounds: Sequence[Round], *, width: int) -> None:
        self._rounds = rounds
        self._width = width

    def draw(self, bot: str, stage: int) -> tuple[list[str], int]:
        """The lines up to the bot's place after so many rounds, and which of them it is on."""
        if stage == 0:
            return [f"{bot} "], 0
        met = next((one for one in self._rounds[stage - 1].encounters if one.winner == bot), None)
        if met is None:  # it rested
            lines, at = self.draw(bot, stage - 1)
            return self._widened(lines, at, stage), at
        return self._joined(met, stage)

    def _joined(self, met: Encounter, stage: int) -> tuple[list[str], int]:
        halves = [self.draw(bot, stage - 1) for bot in met.bots]
        (above, top), (below, bottom) = halves
        bottom += len(above) + 1
        lines = [*above, "", *below]
        shares = dict(zip((top, bottom), met.shares, strict=True))
        middle = (top + bottom) // 2
        joined = []
        for at, line in enumerate(lines):
            own = f"{line}{shares[at]:.2f} " if at in shares else line
            padded = own.ljust(self._column(stage), "─" if at in shares else " ")
            ends = {top: "┐", bottom: "┘", middle: "├"}
            mark = ends.get(at, "│" if top < at < bottom else " ")
            joined.append(padded + mark + (f" {met.winner} " if at == middle else ""))
        return joined, middle

    def _widened(self, lines: Sequence[str], at: int, stage: int) -> list[str]:
        width = self._column(stage) + 1
        return [
            line.ljust(width, "─" if number == at else " ") + " " * (number == at) for number, line in enumerate(lines)
        ]

    def _column(self, stage: int) -> int:
        """Where the column of that round ends."""
        return stage * (self._width + 3) - 2


def _met(one: Round) -> Iterator[str]:
    for met in one.encounters:
        note = f" ({met.note})" if met.note else ""
        yield f"{met.bots[0]} {met.shares[0]:.3g}–{met.shares[1]:.3g} {met.bots[1]}{note}"
    for bot in one.resting:
        yield f"{bot} rests"
