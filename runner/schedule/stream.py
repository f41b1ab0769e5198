"""Meetings -> a stream of numbered pairings, known in advance or decided by results. Starts and stores nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Protocol

from runner.schedule.meeting import Decisions, Meeting, Result
from runner.schedule.pairing import Pairing
from runner.schedule.planned import PlannedVariant
from runner.tables.columns import Row


class Schedule(Protocol):
    """Pairings in order. While `is_waiting` the next one depends on results: enter those of all pairings so far."""

    def __iter__(self) -> Iterator[Pairing]: ...

    def __next__(self) -> Pairing:
        """The next pairing; a RuntimeError while it is waiting."""

    @property
    def is_waiting(self) -> bool:
        """Whether results must be entered first."""

    @property
    def verdict(self) -> str:
        """What has been decided, as a sentence, once the pairings are at their end; "" if nothing is."""

    def enter(self, rows: Sequence[Row]) -> None:
        """The result rows of one match, in the order of the pairings."""


class FixedSchedule:
    """Pairings that depend on nothing."""

    is_waiting = False
    verdict = ""

    def __init__(self, pairings: Iterator[Pairing]) -> None:
        self._pairings = pairings

    def __iter__(self) -> Iterator[Pairing]:
        return self

    def __next__(self) -> Pairing:
        return next(self._pairings)

    def enter(self, rows: Sequence[Row]) -> None:
        """Nothing depends on it."""


class DecidedSchedule:
    """Pairings of a format that decides by results, batch by batch: the same however many matches run at once."""

    def __init__(self, decisions: Decisions, planned: Sequence[PlannedVariant]) -> None:
        self._decisions = decisions
        self._planned = planned
        self._numbers = count()
        self._batch = _Batch((), planned)
        self._is_over = False
        self._verdict = ""
        self._began = False

    def __iter__(self) -> Iterator[Pairing]:
        return self

    def __next__(self) -> Pairing:
        while not self._batch.unplayed:
            if self._batch.missing:
                raise RuntimeError(f"expected the results of {len(self._batch.missing)} matches before the next one")
            if self._is_over:
                raise StopIteration
            self._decide()
        return replace(self._batch.unplayed.popleft(), index=next(self._numbers))

    @property
    def is_waiting(self) -> bool:
        """Whether the batch has been handed out but not all of it has come back."""
        return not self._batch.unplayed and bool(self._batch.missing)

    @property
    def verdict(self) -> str:
        """The format's verdict once it is over."""
        return self._verdict

    def enter(self, rows: Sequence[Row]) -> None:
        """Note the points of one match; matches of other schedules are ignored."""
        self._batch.enter(rows)

    def _decide(self) -> None:
        try:
            if self._began:
                meetings = self._decisions.send(self._batch.results())
            else:
                self._began = True
                meetings = next(self._decisions)
        except StopIteration as end:
            self._is_over = True
            self._verdict = str(end.value)
        else:
            self._batch = _Batch(meetings, self._planned)


class _Batch:
    """Meetings that are played without a decision between them. Order: variants, then meetings, then seatings."""

    def __init__(self, meetings: Sequence[Meeting], planned: Sequence[PlannedVariant]) -> None:
        self.unplayed: deque[Pairing] = deque()
        self.missing: dict[str, tuple[str, list[float]]] = {}  # match id -> first bot, where its points go
        self._points: list[list[list[float]]] = [[[] for _ in planned] for _ in meetings]
        for at, variant in enumerate(planned):
            for meeting, points in zip(meetings, self._points, strict=True):
                first = variant.contenders[meeting.bots[0]].name
                for pairing in variant.matches(meeting):
                    self.unplayed.append(pairing)
                    self.missing[pairing.match_id] = (first, points[at])

    def enter(self, rows: Sequence[Row]) -> None:
        """Note the first bot's points, if the match counts."""
        place = self.missing.pop(str(rows[0]["match_id"]), None)
        if place is None or not rows[0]["counted"]:
            return
        first, points = place
        points.append(_points_of(first, rows))

    def results(self) -> list[Result]:
        """One per meeting, in order."""
        return [Result(tuple(map(tuple, points))) for points in self._points]


def _points_of(bot: str, rows: Sequence[Mapping[str, object]]) -> float:
    points = next(row["points"] for row in rows if row["bot"] == bot)
    assert isinstance(points, float | int)  # every match here has two sides
    return float(points)
