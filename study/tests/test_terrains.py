"""Replanning in unknown terrain: who crosses what, which plans are checked, and what a row shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gridjoust.planners import Plan, PlanStats, SearchGrid
from study import terrains
from study.terrains import COLUMNS, ROUTES, Terrain, cross_all, line_of, main

SMALL = Terrain("small", 12, 0.2, (0, 0), (11, 11), 4)
PUBLISHED = replace(SMALL, is_published=True)


def test_every_method_crosses_every_map_with_and_without_kernels() -> None:
    found = cross_all(SMALL, 2)
    assert {name: len(own) for name, own in found.installed.items()} == dict.fromkeys(ROUTES, 2)
    assert {name: len(own) for name, own in found.listed.items()} == dict.fromkeys(ROUTES, 2)
    assert all(crossing.path[-1] == 143 for own in found.installed.values() for crossing in own)
    assert (found.checked, found.wrong) == (0, 0)


def test_in_the_published_terrain_every_plan_of_dstar_lite_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    found = cross_all(PUBLISHED, 1)
    assert found.checked >= 1
    assert found.wrong == 0

    def one_too_long(grid: SearchGrid, start: int, goals: set[int]) -> Plan[int]:
        return Plan((), 0.5, PlanStats())

    monkeypatch.setattr(terrains, "breadth_first", one_too_long)
    refuted = cross_all(PUBLISHED, 1)
    assert refuted.wrong == refuted.checked == found.checked


def test_a_row_of_the_published_terrain_has_the_papers_figures_beside_ours() -> None:
    found = cross_all(PUBLISHED, 1)
    line = line_of("D* Lite", found, is_published=True)
    assert len(line) == len(COLUMNS) + 2
    assert (line[0], line[2], line[-2:]) == ("D* Lite", "1.00", ["2,856", "1"])
    assert line_of("forward A*, if blocked", found, is_published=True)[-2:] == ["-", "-"]


def test_no_maps_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--maps", "0"])
    assert capsys.readouterr().err.endswith("--maps: expected at least 1, got 0\n")
