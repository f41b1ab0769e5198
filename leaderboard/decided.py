"""Texts about what a format decided: the final order in a sentence, the bracket of a knockout, the rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from gridjoust.leaderboard.wording import listed
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Round

FORMATS = {
    "knockout": "the knockout",
    "double_elimination": "the double elimination",
    "stages": "the groups and the final",
    "swiss": "the Swiss system",
    "ladder": "the ladder",
}


def how_decided(decision: Decision) -> str:
    """Return a sentence above other results: which format decided the places, and how."""
    return f"{places_text(decision)}; what follows is about strength"


def places_text(decision: Decision) -> str:
    """Return `places are those of the ladder`, with what counts in them."""
    bye = (
        ", where a bye counts as a point"
        if any(one.resting for one in decision.rounds) and decision.title == "score"
        else ""
    )
    equal = f", equal scores ordered by {decision.tie_break}" if decision.tie_break else ""
    return f"places are those of {FORMATS[decision.format]}{bye}{equal}"


def called(bot: str, titles: Mapping[str, str]) -> str:
    """Return the name of a bot: `ada`, or `ada (Ada Lovelace)` if it has a title."""
    return f"{bot} ({titles[bot]})" if titles.get(bot) else bot


def outcome_of(decision: Decision, titles: Mapping[str, str]) -> str:
    """Return `a wins the Swiss system with a score of 2.5, ahead of b with 2`; "" if no bot has a place."""
    first = [one for one in decision.places if one.place == 1]
    if not first:
        return ""
    names, form = listed([called(one.bot, titles) for one in first]), FORMATS[decision.format]
    if len(first) > 1:
        level = f"{names} are level in {form} with {_result(decision, first[0], is_close=True)}"
        return f"{level}; {first[0].bot} is listed first"
    runners_up = [one for one in decision.places if one.place == 2]
    is_close = any(one.result == first[0].result for one in runners_up)
    has_scores = decision.title == "score"
    text = f"{names} wins {form}"
    if has_scores:
        text += f" with a score of {_result(decision, first[0], is_close=is_close)}"
    second = [
        called(one.bot, titles) + (f" with {_result(decision, one, is_close=is_close)}" if has_scores else "")
        for one in runners_up
    ]
    return f"{text}, ahead of {listed(second)}" if second else text


def _result(decision: Decision, place: Place, *, is_close: bool) -> str:
    """Return the result of a place: `2.5`, or `2.5 (Buchholz 6)` if another bot has as much (`is_close`)."""
    if not is_close or not decision.tie_break:
        return place.result
    return f"{place.result} ({decision.tie_break} {place.tie_break})"


def format_rounds(decision: Decision) -> list[str]:
    """Return lines of text: the bracket of a knockout, or else a line per round."""
    if decision.format == "knockout" and decision.rounds:
        return bracket(decision.rounds)
    return [f"{name}: {met}" for name, met in round_texts(decision)]


def round_texts(decision: Decision) -> list[tuple[str, str]]:
    """Return (name, pairings as text) of each round."""
    return [(one.name, ", ".join(_met(one))) for one in in_bracket_order(decision)]


def in_bracket_order(decision: Decision) -> tuple[Round, ...]:
    """Return the rounds in reading order: duels of a knockout from the top of its tree down, other matches last."""
    if decision.format != "knockout" or not decision.rounds:
        return decision.rounds
    played, aside = _parted(decision.rounds)
    tree = _tree_of(played)
    return (*(_from_the_top(one, tree) for one in played), *aside)


def share_text(share: float) -> str:
    """Format the share of a pairing's points, `0.75`; the same in terminal, report and viewer."""
    return f"{share:.2f}"


def bracket(rounds: Sequence[Round]) -> list[str]:
    """Draw a knockout as a tree, the first round at the left, the winner at the right; return its lines.

    Below the tree come the reasons why a bot advanced, if its score does not show it, and the matches outside the tree.
    """
    played, aside = _parted(rounds)
    lines, _ = _tree_of(played).draw(played[-1].encounters[0].winner, len(played))
    noted = [(one.name, _met_text(met)) for one in played for met in one.encounters if met.note]
    below = [f"{name}: {text}" for name, text in (*noted, *((one.name, ", ".join(_met(one))) for one in aside))]
    return [line.rstrip() for line in (*lines, *[""][: len(below)], *below)]


def _parted(rounds: Sequence[Round]) -> tuple[list[Round], list[Round]]:
    """Return the rounds of the tree, and those of eliminated bots outside it, such as the match for third place."""
    played: list[Round] = []
    aside: list[Round] = []
    out: set[str] = set()
    for one in rounds:
        is_aside = any(bot in out for met in one.encounters for bot in met.bots)
        (aside if is_aside else played).append(one)
        out |= {bot for met in one.encounters for bot in met.bots if bot != met.winner}
    return played, aside


def _tree_of(played: Sequence[Round]) -> _Tree:
    names = {bot for one in played for met in one.encounters for bot in met.bots}
    return _Tree(played, width=max(map(len, names)) + 5)


def _from_the_top(one: Round, tree: _Tree) -> Round:
    place = tree.places()
    return msgspec.structs.replace(
        one, encounters=tuple(sorted(one.encounters, key=lambda met: place.get(met.bots[0], 0)))
    )


class _Tree:
    """Draws the tree of a knockout as text, each round a column of the same width."""

    def __init__(self, rounds: Sequence[Round], *, width: int) -> None:
        self._rounds = rounds
        self._width = width

    def places(self) -> dict[str, int]:
        """Return, by bot, its line at the left end of the tree, counted from the top."""
        lines, _ = self.draw(self._rounds[-1].encounters[0].winner, len(self._rounds))
        starts = [line.partition(" ")[0] for line in lines]
        return {bot: at for at, bot in enumerate(starts) if bot}

    def draw(self, bot: str, stage: int) -> tuple[list[str], int]:
        """Return the lines that lead to the bot's place after `stage` rounds, and the index of its own line."""
        if stage == 0:
            return [f"{bot} "], 0
        met = next((one for one in self._rounds[stage - 1].encounters if one.winner == bot), None)
        if met is None:  # it had a bye
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
            own = f"{line}{share_text(shares[at])} " if at in shares else line
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
        """Return the text column in which round number `stage` of the tree ends."""
        return stage * (self._width + 3) - 2


def _met_text(met: Encounter) -> str:
    """Return a duel as text: `a 0.50–0.50 b (drawn: the better seed goes on)`."""
    note = f" ({met.note})" if met.note else ""
    return f"{met.bots[0]} {share_text(met.shares[0])}–{share_text(met.shares[1])} {met.bots[1]}{note}"


def _met(one: Round) -> Iterator[str]:
    yield from map(_met_text, one.encounters)
    for bot in one.resting:
        yield f"{bot} has a bye"
