"""What placement's benchmark says of the worth of tactics, and which tables it prints."""

from __future__ import annotations

import pytest

from gridjoust.bots.placement.slopes import RepairBuilder
from gridjoust.bots.placement.task import Found, IsOver, Task
from study import placement, placement_cases


def test_a_duel_is_played_from_both_seats_of_every_seed_and_equal_bots_share_it() -> None:
    tally = placement.duel(RepairBuilder, RepairBuilder, range(1))
    assert sum(tally) == 2
    assert tally.share == 0.5
    assert tally.row() == [*map(str, (2, *tally)), "50.0% (9.5% to 90.5%)"]


def test_a_bot_may_plan_towards_the_nearest_goal_alone() -> None:
    asked: list[int] = []

    class Counted(RepairBuilder):
        def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:
            asked.append(seat)
            return super().plan_to_goal(task, seat, is_over)

    placement.duel(placement.towards_the_nearest(Counted), RepairBuilder, range(1))
    assert not asked
    placement.duel(Counted, RepairBuilder, range(1))
    assert set(asked) == {0, 1}


@pytest.mark.parametrize(("tally", "code"), [((12, 0, 8), 0), ((11, 2, 7), 0), ((11, 1, 8), 1)])
def test_who_hinders_has_60_percent_of_the_points(
    monkeypatch: pytest.MonkeyPatch, tally: tuple[int, int, int], code: int
) -> None:
    monkeypatch.setattr(placement, "duel", lambda own, other, seeds: placement.Tally(*tally))
    assert placement.main(["hinder"]) == code


def test_unknown_tables_are_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        placement.main(["hinders"])
    assert capsys.readouterr().err.endswith("aims, hinder, goals, pairs, got hinders\n")


def test_the_file_of_hard_cases_is_compared_and_written_only_if_told_to(capsys: pytest.CaptureFixture[str]) -> None:
    before = placement_cases.DATA.stat().st_mtime_ns
    assert placement_cases.main(["--cases", "1"]) == 0
    assert capsys.readouterr().out == "The first 1 cases of each kind are as in hard_cases.json\n"
    assert placement_cases.DATA.stat().st_mtime_ns == before
