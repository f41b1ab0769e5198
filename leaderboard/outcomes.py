"""Result rows -> the sides of each match, one match at a time as a running tournament needs it. Keeps no totals.

Rows may come from memory (typed) or from CSV (text); a row seen twice, as after merging folders, counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from runner.tables.columns import Row, Value


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a live table needs of one row."""

    match_id: str
    seat: int
    team: int
    bot: str
    returns: float
    rank: int
    points: float | None


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


def counted_matches(rows: Iterable[Row]) -> Iterator[tuple[Side, ...]]:
    """The sides, by team, of every match that counts; matches in the order in which they first appear."""
    found: dict[str, dict[int, SeatResult]] = {}
    for row in rows:
        if _is_true(row["counted"]):
            result = _parse_row(row)
            found.setdefault(result.match_id, {}).setdefault(result.seat, result)
    for seats in found.values():
        yield _sides([seats[seat] for seat in sorted(seats)])


def _sides(seats: Sequence[SeatResult]) -> tuple[Side, ...]:
    teams: dict[int, list[SeatResult]] = {}
    for seat in seats:
        teams.setdefault(seat.team, []).append(seat)
    return tuple(Side(team, own[0].rank, own[0].points, tuple(own)) for team, own in sorted(teams.items()))


def _parse_row(row: Row) -> SeatResult:
    return SeatResult(
        match_id=str(row["match_id"]),
        seat=int(_known(row, "seat")),
        team=int(_known(row, "team")),
        bot=str(row["bot"]),
        returns=_known(row, "returns"),
        rank=int(_known(row, "rank")),
        points=_number(row["points"]),
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
