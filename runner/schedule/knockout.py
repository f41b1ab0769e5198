"""Knockout: the winner of a meeting goes on. Decides by shares of points; knows no matches.

Seeds are placed so that the two best can meet in the final only, the four best in the semi-finals only, and so on; the
best ones rest in the first round where the field does not fill the bracket.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction

from runner.config.formats import Knockout
from runner.schedule.meeting import Decisions, Lineup, Meeting, Result, format_ranking, half_if_void

_LAST_ROUNDS = {1: "final", 2: "semi-final", 4: "quarter-final"}


def knockout(lineup: Lineup, form: Knockout) -> Decisions:
    """Rounds until one bot is left; a meeting's bots are the better seed, then the other.

    A drawn meeting is replayed on a seed each; then the better seed goes on.
    """
    alive: list[int | None] = _bracket(lineup)
    losers: list[int] = []
    last = max(1, (len(alive) - 1).bit_length())
    ties: list[_Tie] = []
    for round_number in range(1, last + 1):
        size = len(alive) // 2
        duos = [_seeded(lineup, *duo) for duo in zip(alive[::2], alive[1::2], strict=True) if None not in duo]
        ties = [_Tie(f"knockout {_round_name(size)}", duo) for duo in duos]
        if size == 1 and form.third_place and len(losers) == 2:
            ties.append(_Tie("knockout match for third place", _seeded(lineup, *losers)))
        yield from _play(lineup, ties, form, round_number)
        losers = [tie.loser for tie in ties]
        winner_of = {place: tie.winner for tie in ties for place in tie.duo}
        alive = [_next(duo, winner_of) for duo in zip(alive[::2], alive[1::2], strict=True)]
    return _verdict(lineup, ties)


class _Tie:
    """Two bots of which one goes on: the better seed first."""

    def __init__(self, name: str, duo: tuple[int, int]) -> None:
        self.name = name
        self.duo = duo
        self.share = Fraction(1, 2)  # the better seed's, of the points so far

    @property
    def is_drawn(self) -> bool:
        """Whether nobody has won."""
        return self.share == Fraction(1, 2)

    @property
    def winner(self) -> int:
        """Who goes on; of a draw the better seed."""
        return self.duo[0] if self.share >= Fraction(1, 2) else self.duo[1]

    @property
    def loser(self) -> int:
        """Who does not."""
        return self.duo[1] if self.winner == self.duo[0] else self.duo[0]

    def enter(self, results: Sequence[Result]) -> None:
        """Shares of meetings that count as much as each other."""
        self.share = sum(map(half_if_void, results), Fraction(0)) / len(results)


def _play(
    lineup: Lineup, ties: list[_Tie], form: Knockout, round_number: int
) -> Generator[Sequence[Meeting], Sequence[Result], None]:
    """All ties of a round, then what is drawn once more, and again."""
    numbers = range(1, form.pairs + 1)
    for replay in range(form.replays + 1):
        if replay:
            ties = [tie for tie in ties if tie.is_drawn]
            numbers = range(form.pairs + replay, form.pairs + replay + 1)
        if not ties:
            return
        results = yield [
            Meeting(tie.duo, round_number, reason=_reason(lineup, tie, replay, form), number=number)
            for tie in ties
            for number in numbers
        ]
        for at, tie in enumerate(ties):
            tie.enter(results[at * len(numbers) : (at + 1) * len(numbers)])


def _reason(lineup: Lineup, tie: _Tie, replay: int, form: Knockout) -> str:
    better, worse = (lineup.seed(place) for place in tie.duo)
    again = f", replay {replay} of at most {form.replays} after a draw" if replay else ""
    return f"{tie.name}: seed {better} against seed {worse}{again}"


def _bracket(lineup: Lineup) -> list[int | None]:
    """The field in bracket order, neighbours meet; None = nobody: the neighbour rests.

    Built from the final outwards: whoever meets seed s in a round of n bots is seed n + 1 - s.
    """
    seeds = [1]
    while len(seeds) < len(lineup.order):
        size = 2 * len(seeds)
        seeds = [seed for better in seeds for seed in (better, size + 1 - better)]
    return [lineup.order[seed - 1] if seed <= len(lineup.order) else None for seed in seeds]


def _seeded(lineup: Lineup, one: int | None, other: int | None) -> tuple[int, int]:
    assert one is not None
    assert other is not None
    return (one, other) if lineup.seed(one) < lineup.seed(other) else (other, one)


def _next(duo: tuple[int | None, int | None], winner_of: dict[int, int]) -> int | None:
    """Who goes on from two neighbours: the winner, or the one that had nobody to meet."""
    present = next(place for place in duo if place is not None)
    return winner_of.get(present, present)


def _round_name(size: int) -> str:
    return _LAST_ROUNDS.get(size, f"round of {2 * size}")


def _verdict(lineup: Lineup, ties: Sequence[_Tie]) -> str:
    """Winner, second, and third and fourth where they have met."""
    ranked = [place for tie in ties for place in (tie.winner, tie.loser)]
    drawn = ", drawn: the better seed advanced" if ties[0].is_drawn else ""
    return f"knockout: {format_ranking([lineup.names[place] for place in ranked])}{drawn}"
