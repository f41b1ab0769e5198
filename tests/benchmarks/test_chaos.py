"""A few kills and a little damage: `python -m benchmarks.chaos` does a thousand of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from benchmarks.corruptions import Corrupter
from benchmarks.disturbances import Disturber
from benchmarks.figures import Figures
from benchmarks.outcomes import Outcome, compare, read_outcome

SAMPLE = Path(__file__).parents[2] / "results" / "sample"


@pytest.mark.e2e
@pytest.mark.gate
def test_kills_and_stops_lose_nothing_and_blame_nobody_else(tmp_path: Path) -> None:
    disturber = Disturber(rounds=1, seed=5, scratch=tmp_path)
    figures = disturber.disturb(2, [("auto", 2)])
    assert figures.details == []
    assert figures.done.total() == 2
    assert disturber.rows >= 12


@pytest.mark.gate
def test_no_damage_is_believed(tmp_path: Path) -> None:
    figures = Corrupter(seed=4, scratch=tmp_path).corrupt(8)
    assert figures.details == []
    assert figures.done.total() == 8


@pytest.fixture(scope="module")
def quiet() -> Outcome:
    return read_outcome(SAMPLE)


def problems(quiet: Outcome, got: Outcome, *, victim: str = "nobody") -> dict[str, int]:
    figures = Figures()
    compare(quiet, got, figures, victim=victim)
    return dict(figures.problems)


def test_rows_that_are_lost_doubled_or_differ_are_found(quiet: Outcome) -> None:
    first, *others = quiet.rows
    assert problems(quiet, quiet) == {}
    assert problems(quiet, replace(quiet, rows={key: quiet.rows[key] for key in others})) == {"lost rows": 1}
    assert problems(quiet, replace(quiet, doubled=1)) == {"doubled rows": 1}
    changed = quiet.rows[first] | {"rank": "7"}
    assert problems(quiet, replace(quiet, rows=quiet.rows | {first: changed})) == {"differing rows": 1}


def test_a_fault_is_the_victims_alone(quiet: Outcome) -> None:
    first = next(iter(quiet.rows))
    bot, match = quiet.rows[first]["bot"], first[0]
    got = replace(quiet, rows=quiet.rows | {first: quiet.rows[first] | {"faults": "1"}})
    assert problems(quiet, got) == {"differing rows": 1, "innocent bots blamed": 1}
    record = quiet.records[match]
    faults = [int(seat.bot == bot) for seat in record.header.seats]
    blamed = msgspec.structs.replace(record, end=msgspec.structs.replace(record.end, faults=faults))
    got = replace(got, records=quiet.records | {match: blamed})
    assert problems(quiet, got, victim=bot) == {}
