"""Turns pairings of bots into a stream of numbered matches, known in advance or decided by results."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import msgspec

from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.results.tables.schedule_file import Planned
from gridjoust.runner.schedule.pairing import Decisions, Meeting, Pairing, Result
from gridjoust.runner.schedule.planned import PlannedVariant


class Schedule:
    """Pairings in order, known in advance. While `is_waiting`, the next one depends on results yet to be entered."""

    verdict: str = ""  # the verdict as a sentence, once all pairings have been handed out; "" if there is none

    def __init__(self, pairings: Iterator[Pairing]) -> None:
        self._pairings = pairings
        self._given_back: Pairing | None = None
        self.planned: Planned | None = None  # None: pairings outside a tournament

    def __iter__(self) -> Iterator[Pairing]:
        return self

    def __next__(self) -> Pairing:
        """Return the next pairing; RuntimeError while the schedule waits for results."""
        if (first := self._given_back) is not None:
            self._given_back = None
            return first
        return next(self._pairings)

    def give_back(self, pairing: Pairing) -> None:
        """Take back the newest pairing; it comes next again."""
        self._given_back = pairing

    @property
    def is_waiting(self) -> bool:
        """True if results must be entered before the next pairing."""
        return False

    def enter(self, rows: Sequence[Row]) -> None:
        """Enter the result rows of one match; matches come in the order of their pairings."""


class DecidedSchedule(Schedule):
    """Pairings of a format that depends on results, batch by batch, independent of how many matches run at once."""

    def __init__(self, decisions: Decisions, planned: Sequence[PlannedVariant]) -> None:
        super().__init__(self._decide(decisions, planned))
        self._batch = _Batch((), planned)

    def _decide(self, decisions: Decisions, planned: Sequence[PlannedVariant]) -> Iterator[Pairing]:
        numbers = count()
        try:
            meetings = next(decisions)
            while True:
                self._batch = _Batch(meetings, planned)
                while self._batch.unplayed:
                    yield replace(self._batch.unplayed.popleft(), index=next(numbers))
                meetings = decisions.send(self._batch.results())
        except StopIteration as end:
            self.verdict = end.value.sentence
            if self.planned is not None:
                self.planned = msgspec.structs.replace(self.planned, decision=end.value.decision)

    def __next__(self) -> Pairing:
        if self.is_waiting:
            raise RuntimeError(f"expected the results of {len(self._batch.missing)} matches before the next one")
        return super().__next__()

    @property
    def is_waiting(self) -> bool:
        """True if the whole batch has been handed out and some of its results are missing."""
        return self._given_back is None and not self._batch.unplayed and bool(self._batch.missing)

    def enter(self, rows: Sequence[Row]) -> None:
        """Note the points of one match; ignore matches of other schedules."""
        self._batch.enter(rows)


class _Batch:
    """Pairings that are played without a decision in between, ordered by variant, then group, then seating."""

    def __init__(self, meetings: Sequence[Meeting], planned: Sequence[PlannedVariant]) -> None:
        self.unplayed: deque[Pairing] = deque()
        self.missing: dict[str, tuple[str, list[float]]] = {}  # match id -> first bot, and the list for its points
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
        if place is None:
            return
        first, points = place
        own = next(row for row in rows if row["bot"] == first)
        if own["counted"]:
            assert isinstance(own["points"], float | int)  # every match here has two sides
            points.append(float(own["points"]))

    def results(self) -> list[Result]:
        """Return one result per pairing, in order."""
        return [Result(tuple(map(tuple, points))) for points in self._points]
