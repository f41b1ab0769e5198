"""What a rating fit reads: which bots met, and with what result. Needs no numpy; computes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

FIRST_SEAT = "first seat"  # the setting of plain rows whose first bot had the seat that moves first


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of one bot against another: `first` scored `score` (0 to 1) against `second`.

    Comparisons with the same `pair_id` are not independent. `setting` names the setting in which `first` had the seat
    that moves first; it is "" if seats do not matter.
    """

    first: str
    second: str
    score: float
    pair_id: str
    setting: str = ""
    weight: float = 1.0


PlainRow = tuple[str, str, float]  # first, second, score of the first: a unit of its own


def as_comparisons(rows: Iterable[Comparison | PlainRow], *, seat_advantage: bool | None = None) -> list[Comparison]:
    """Return every row as a `Comparison`, in an order that does not depend on the order of the rows.

    Plain rows are independent of each other. `seat_advantage`: None keeps the settings (plain rows have none), True
    also gives plain rows one in which the first bot had the first seat, False drops all.
    """
    given = list(rows)
    own = [row for row in given if isinstance(row, Comparison)]
    plain = sorted(row for row in given if not isinstance(row, Comparison))
    setting = FIRST_SEAT if seat_advantage else ""
    own += [Comparison(first, second, score, f"\n{at}", setting) for at, (first, second, score) in enumerate(plain)]
    if seat_advantage is False:
        own = [replace(one, setting="") for one in own]
    for one in own:
        if one.first == one.second or not 0 <= one.score <= 1:
            raise ValueError(f"expected a score of 0 to 1 of one bot against another, got {one}")
    return sorted(own, key=lambda one: (one.pair_id, one.setting, one.first, one.second, one.score, one.weight))
