"""Plays a format without matches: who scores how much in a meeting is a function of the two bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gridjoust.runner.results.tables.schedule_file import Decision
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Meeting, Result

Outcome = Callable[[Meeting], tuple[float, ...]]  # the first bot's points in the matches that count


@dataclass(frozen=True)
class Course:
    """What was asked for, batch by batch, and what was decided."""

    batches: list[list[Meeting]]
    verdict: str
    decision: Decision | None = None
    holds: bool | None = None

    @property
    def meetings(self) -> list[Meeting]:
        return [meeting for batch in self.batches for meeting in batch]


def make_lineup(count: int, order: Sequence[int] | None = None, *, matches_each: int = 1) -> Lineup:
    """Bots b0, b1, ...; best seed first as in `order`."""
    return Lineup(tuple(f"b{place}" for place in range(count)), tuple(order or range(count)), matches_each)


def better_wins(meeting: Meeting) -> tuple[float, ...]:
    """The bot listed first wins both matches."""
    return (1.0, 1.0) if meeting.bots[0] < meeting.bots[1] else (0.0, 0.0)


def worse_wins(meeting: Meeting) -> tuple[float, ...]:
    """The bot listed last wins both matches."""
    return (0.0, 0.0) if meeting.bots[0] < meeting.bots[1] else (1.0, 1.0)


def all_draw(meeting: Meeting) -> tuple[float, ...]:
    """One match each."""
    return (1.0, 0.0)


def all_void(meeting: Meeting) -> tuple[float, ...]:
    """Nothing counts."""
    return ()


def play_format(decisions: Decisions, outcome: Outcome) -> Course:
    """The whole course in one variant."""
    batches: list[list[Meeting]] = []
    try:
        batch = next(decisions)
        while True:
            batches.append(list(batch))
            batch = decisions.send([Result((outcome(meeting),)) for meeting in batch])
    except StopIteration as end:
        return Course(batches, end.value.sentence, end.value.decision, end.value.holds)
