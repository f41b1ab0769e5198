"""Bots whose work is limited and unknown are named, and nobody else."""

from __future__ import annotations

from msgspec import structs

from gridjoust.commands.uncounted import UncountedTally
from gridjoust.runner.results.records.lines import AnswerLine
from tests.runner.results.records.records_builder import make_record


def tally(*seats: tuple[str, int | None], clock: str = "work") -> UncountedTally:
    """A match of these bots, each with two answers of which the second declares so many nodes."""
    answers = [
        AnswerLine(turn=turn, seat=seat, action="N", expanded=expanded if turn == 2 else None)
        for turn in (1, 2)
        for seat, (_, expanded) in enumerate(seats)
    ]
    record = make_record("m", bots=[bot for bot, _ in seats], returns=[0.0] * len(seats), answers=answers)
    time = {str(seat): {"clock": clock} for seat, _ in enumerate(seats)}
    made = UncountedTally()
    made.add(structs.replace(record, header=structs.replace(record.header, time=time)))
    return made


def test_who_never_declares_work_is_named_where_work_is_the_limit() -> None:
    unknown = "work not counted (no answer declares its expanded nodes): only time limits"
    assert tally(("a", None), ("b", 0), ("c", 9)).line() == f"a: {unknown} it"
    assert tally(("b", None), ("a", None)).line() == f"a and b: {unknown} them"


def test_nobody_is_named_where_all_declare_work_or_time_is_the_limit() -> None:
    assert tally(("a", 0), ("b", 3)).line() == ""
    assert tally(("a", None), clock="cpu").line() == ""
    assert UncountedTally().line() == ""
