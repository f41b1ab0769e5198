"""The calibration benchmark: it plays what it says, and sees an interval that is too short."""

from __future__ import annotations

import re

import numpy as np
import pytest

from benchmarks import calibration
from benchmarks.calibration import Cell, Measured, cells, measure, table
from benchmarks.calibration_tables import crowd_plan, duel_plan, play_alone, play_by_strength, solo_plan
from gridjoust.leaderboard.frame.gathering import seats_of
from gridjoust.leaderboard.strengths.analysis import analyse
from gridjoust.runner.statistics import Interval, wilson
from gridjoust.runner.statistics.profiles import Profile
from tests.tiers import gate_but


def _number(text: str) -> int:
    [found] = [at for at, cell in enumerate(cells()) if text in f"{cell.printed}, {cell.field}"]
    return found


@pytest.mark.gate
@pytest.mark.parametrize(
    "text",
    gate_but(
        ["2 equal bots, 20 pairs", "800 Elo apart", "4 seats, 4 bots, 5 seeds", "separated, 4 bots, 15 pairs"],
        {"2 equal bots, 20 pairs"},
    ),
)
def test_a_few_tournaments_keep_what_is_printed(text: str) -> None:
    number = _number(text)
    found = measure(number, share=40 / cells()[number].repeats)
    assert found.printed == found.repeats == 40
    assert found.passes


@pytest.mark.gate
def test_intervals_of_half_the_width_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Profile.rating_interval

    def half(self: Profile, bot: int) -> Interval:
        low, high = whole(self, bot)
        return Interval((3 * low + high) / 4, (low + 3 * high) / 4)

    monkeypatch.setattr(Profile, "rating_interval", half)
    assert not measure(_number("2 equal bots, 20 pairs"), share=0.1).passes


@pytest.mark.gate
def test_a_decision_that_looks_at_every_pair_alone_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Profile, "largest_root", lambda *_: 1.96)
    assert not measure(_number("separated, 4 bots, 15 pairs"), share=0.03).passes


@pytest.mark.gate
def test_a_cell_passes_if_what_is_wanted_lies_in_the_measured_interval_or_is_beaten() -> None:
    right, wrong = _number("2 equal bots, 20 pairs"), _number("separated, 4 bots, 15 pairs")
    verdicts = {
        (number, held): Measured(number, 100, held / 100, wilson(held, 100) or Interval(0, 1), 100).passes
        for number, held in ((right, 99), (right, 90), (right, 80), (wrong, 1), (wrong, 8), (wrong, 20))
    }
    assert list(verdicts.values()) == [True, True, False, True, True, False]


@pytest.mark.gate
def test_the_table_is_markdown() -> None:
    one = Measured(_number("2 equal bots, 20 pairs"), 500, 0.95, Interval(0.93, 0.97), 500)
    assert table([one]).splitlines()[2] == (
        "| rating interval 95 % | 2 equal bots, 20 pairs | ≥ 93 % | 95.0 % (93.0–97.0) | 500 of 500 | yes |"
    )


def test_made_up_tables_are_those_of_the_plan() -> None:
    rng = np.random.default_rng(0)
    strong = np.array([5000.0, 0.0, -5000.0])
    for plan, matches in ((duel_plan(3, 4), 24), (crowd_plan(3, 4), 12)):
        found = analyse(seats_of(play_by_strength(plan, strong, rng)))
        values = [found.strengths.value(bot) or 0.0 for bot in range(3)]
        assert values == sorted(values, reverse=True)
        assert len(set(found.entries.match.tolist())) == matches
    alone = analyse(seats_of(play_alone(solo_plan(2, 5), np.arange(10.0))))
    assert [alone.strengths.value(bot) for bot in range(2)] == [2.0, 7.0]


def test_every_cell_of_at_most_five_per_cent_is_played_two_thousand_times_and_all_others_five_hundred() -> None:
    def least(cell: Cell) -> int:
        return calibration.REPEATS if cell.at_least else calibration.MANY

    assert all(cell.repeats >= least(cell) for cell in cells())
    assert (calibration.REPEATS, calibration.MANY) == (500, 2000)
    assert len({re.sub(r"\s+", " ", f"{cell.printed} {cell.field}") for cell in cells()}) == len(cells())
