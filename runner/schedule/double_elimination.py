"""Double elimination: a bot that loses once goes on in the lower bracket, one that loses twice is out.

The upper bracket is a knockout with the same seeds and byes. The losers of its first round play each other in the lower
bracket. After that, every lower round between survivors is followed by one against the bots that have just lost in the
upper one; these come in reverse order, so that rematches are late. The last bots of both brackets play the final. If
the one from the lower bracket wins, both have lost once, and a second final decides, unless the format has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from gridjoust.runner.config.formats import DoubleElimination
from gridjoust.runner.results.tables.schedule_file import Decision, Place, Round
from gridjoust.runner.schedule.duels import (
    LAST_ROUNDS,
    Tie,
    bracket_order,
    encounter_of,
    format_ranking,
    make_tie,
    play_off,
)
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Verdict

Slots = Sequence[int | None]  # bots of a round in bracket order; neighbours play each other, None is nobody
NAME = "double elimination"


def double_elimination(lineup: Lineup, form: DoubleElimination, first_round: int = 1) -> Decisions:
    """Decide the rounds of both brackets: yield duels, receive their results, and return the verdict.

    A draw is replayed, and after the last replay the better seed wins. `first_round`: number of the first round, on
    which seeds depend.
    """
    course = _Course(lineup)
    numbers = count(first_round)
    upper: Slots = bracket_order(lineup)
    lower: Slots = []
    for lower_round in count(1, 2):
        size = len(upper) // 2
        above = course.pair(f"upper {LAST_ROUNDS.get(size, f'round of {2 * size}')}", upper)
        below = course.pair(f"lower round {lower_round - 2}", lower)
        yield from play_off([*above.ties, *below.ties], form, next(numbers))
        upper, beaten = course.enter(above, is_out=False)
        lower = course.enter(below)[0] if lower else beaten
        if lower_round > 1:
            name = "lower final" if size == 1 else f"lower round {lower_round - 1}"
            against = [bot for two in zip(lower, reversed(beaten), strict=True) for bot in two]
            below = course.pair(name, against)
            yield from play_off(below.ties, form, next(numbers))
            lower = course.enter(below)[0]
        if size == 1:
            break
    final = course.pair("final", [*upper, *lower])
    yield from play_off(final.ties, form, next(numbers))
    is_over = final.ties[0].winner == upper[0] or not form.second_final
    winner, beaten = course.enter(final, is_out=is_over)
    if not is_over:
        final = course.pair("second final", [*winner, *beaten])
        yield from play_off(final.ties, form, next(numbers))
        winner, _ = course.enter(final)
    decision = course.decision(winner[0])
    ranked = [one.bot for one in decision.places]
    drawn = ", drawn: the better seed won the final" if final.ties[0].is_drawn else ""
    return Verdict(f"{NAME}: {format_ranking(ranked, [one.place for one in decision.places])}{drawn}", decision)


class _Paired:
    """One round of a bracket: its name, its duels, and its slots; a bot beside an empty slot has a bye."""

    def __init__(self, name: str, ties: list[Tie | None], slots: Slots) -> None:
        self.name = name
        self.by_slot = ties  # one for each two slots; None if at most one of them has a bot
        self.slots = slots

    @property
    def ties(self) -> list[Tie]:
        """The duels that are played."""
        return [tie for tie in self.by_slot if tie is not None]


class _Course:
    """The rounds of both brackets so far, and the bots that are out, in the order of their last rounds."""

    def __init__(self, lineup: Lineup) -> None:
        self._lineup = lineup
        self._rounds: list[Round] = []
        self._out: list[tuple[str, list[int]]] = []

    def pair(self, name: str, slots: Slots) -> _Paired:
        """Return the duels of a round; `slots`: its bots in bracket order."""
        twos = zip(slots[::2], slots[1::2], strict=True)
        ties = [
            None if one is None or other is None else make_tie(self._lineup, name, (one, other), form=NAME)
            for one, other in twos
        ]
        return _Paired(name, ties, slots)

    def enter(self, paired: _Paired, *, is_out: bool = True) -> tuple[Slots, Slots]:
        """Enter a finished round; return the bots that go on and its losers, in bracket order.

        `is_out`: the losers are eliminated.
        """
        twos = zip(paired.slots[::2], paired.slots[1::2], strict=True)
        alone = [one if one is not None else other for one, other in twos]
        on = [bot if tie is None else tie.winner for tie, bot in zip(paired.by_slot, alone, strict=True)]
        beaten = [None if tie is None else tie.loser for tie in paired.by_slot]
        resting = [bot for tie, bot in zip(paired.by_slot, alone, strict=True) if tie is None and bot is not None]
        if paired.ties:
            names = self._lineup.names
            met = tuple(encounter_of(self._lineup, tie.duo, tie.share, tie=tie) for tie in paired.ties)
            self._rounds.append(Round(paired.name, met, tuple(names[bot] for bot in resting)))
            if is_out:
                self._out.append((paired.name, [tie.loser for tie in paired.ties]))
        return on, beaten

    def decision(self, winner: int | None) -> Decision:
        """Return the final order; bots that lost for the second time in the same round share a place."""
        names, groups = self._lineup.names, [*self._out[::-1]]
        assert winner is not None, "the final has two bots"
        places = [Place(1, names[winner], "winner")]
        for name, own in groups:
            at = len(places) + 1
            places += [Place(at, names[bot], name) for bot in sorted(own, key=self._lineup.seed)]
        return Decision("double_elimination", "reached", tuple(places), tuple(self._rounds))
