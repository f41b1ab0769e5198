"""Result rows -> who met whom, and how it came out. Keeps no totals and rates nobody.

Rows may come from memory (typed) or from CSV (text); a row seen twice, as after merging folders, counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from runner.results.columns import Row, Value


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What the standings need of one row."""

    match_id: str
    pair_id: str
    setting: str  # game and variant: what a seat is worth is the same within it
    seat: int
    team: int
    bot: str
    planner: str
    returns: float
    rank: int
    points: float | None
    faults: int
    forfeited: bool
    turns_acted: int
    planning_ms: float | None
    nodes_expanded: float | None


@dataclass(frozen=True, slots=True)
class Side:
    """One team of one match."""

    team: int
    rank: int
    points: float | None
    seats: tuple[SeatResult, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """Its bots by name, each once."""
        return tuple(sorted({seat.bot for seat in self.seats}))


@dataclass(frozen=True, slots=True)
class Comparison:
    """`first` scored `score` (0 to 1) against `second`; `pair_id` says which comparisons are not independent.

    `setting` names the setting in which `first` had the seat that moves first; "" where seats do not matter.
    """

    first: str
    second: str
    score: float
    pair_id: str
    setting: str = ""
    weight: float = 1.0


def counted_matches(rows: Iterable[Row]) -> Iterator[tuple[Side, ...]]:
    """The sides, by team, of every match that counts; matches in the order in which they first appear."""
    found: dict[str, dict[int, SeatResult]] = {}
    for row in rows:
        if _is_true(row["counted"]):
            result = _parse_row(row)
            found.setdefault(result.match_id, {}).setdefault(result.seat, result)
    for seats in found.values():
        yield _sides([seats[seat] for seat in sorted(seats)])


def comparisons(sides: Sequence[Side]) -> list[Comparison]:
    """Every side of a match against every other, by rank; a bot is not compared with itself.

    Weighted so that a match counts once per side however many sides or partners there are.
    """
    compared = []
    for first, second in combinations(sides, 2):
        score = 1.0 if first.rank < second.rank else 0.5 if first.rank == second.rank else 0.0
        weight = 1 / ((len(sides) - 1) * max(len(first.bots), len(second.bots)))
        # with more sides each is first against some and second against others: seats rotate instead
        setting = first.seats[0].setting if len(sides) == 2 else ""
        pair_id = first.seats[0].pair_id
        compared += [
            Comparison(bot, other, score, pair_id, setting, weight)
            for bot in first.bots
            for other in second.bots
            if bot != other
        ]
    return compared


def _sides(seats: Sequence[SeatResult]) -> tuple[Side, ...]:
    teams: dict[int, list[SeatResult]] = {}
    for seat in seats:
        teams.setdefault(seat.team, []).append(seat)
    return tuple(Side(team, own[0].rank, own[0].points, tuple(own)) for team, own in sorted(teams.items()))


def _parse_row(row: Row) -> SeatResult:
    return SeatResult(
        match_id=str(row["match_id"]),
        pair_id=str(row["pair_id"]),
        setting=f"{row['game']}:{row['variant']}",
        seat=int(_known(row, "seat")),
        team=int(_known(row, "team")),
        bot=str(row["bot"]),
        planner=str(row["planner"]),
        returns=_known(row, "returns"),
        rank=int(_known(row, "rank")),
        points=_number(row["points"]),
        faults=int(_known(row, "faults")),
        forfeited=_is_true(row["forfeited"]),
        turns_acted=int(_known(row, "turns_acted")),
        planning_ms=_number(row["planning_ms_total"]),
        nodes_expanded=_number(row["nodes_expanded"]),
    )


def _known(row: Row, name: str) -> float:
    number = _number(row[name])
    if number is None:
        raise ValueError(f"{name}: expected a number in match {row['match_id']}, got nothing")
    return number


def _number(value: Value) -> float | None:
    return None if value is None or value == "" else float(value)


def _is_true(value: Value) -> bool:
    return value in (True, "1")
