"""Planners against the floors: scores with intervals, who is in the ranking, and the section of the page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gridjoust.bots import BOTS
from study.decisive_matches import Row, all_rows, floor_of, play_floor_pair
from study.decisiveness import FOLDERS, write_page
from study.floor_table import (
    HEADING,
    NOBODY,
    PLANNERS,
    figure_of,
    floor_rows,
    format_section,
    has_floor,
    measure_floor,
    ranked_planners,
)

ALONE = Row("navigation", ((("width", 24), ("height", 24), ("density", 0.35), ("knowledge", "unknown")),), 1)
PAIR = Row("placement", ((("max_game_rounds", 4),),), 2)
CUP = replace(ALONE, names=("default", "planners-cup: small"))
LINE = {
    "game": "navigation", "variant": "default, planners-cup: small", "pairs": "2",
    **dict.fromkeys(PLANNERS, "50.0"), "in the ranking": NOBODY,
}  # fmt: skip


@pytest.mark.parametrize(
    ("shares", "text", "is_above"),
    [
        ([1.0] * 60, "100.0 (94.0–100.0)", True),
        ([1.0, 0.5] * 60, "75.0 (70.5–79.5)", True),
        ([1.0, 0.5, 0.5, 0.5] * 20, "62.5 (57.7–67.9)", True),
        ([1.0, 0.0, 1.0, 0.0, 1.0, 0.5] * 20, "58.3 (50.0–66.5)", False),
        ([0.5] * 60, "50.0", False),
        ([1.0] * 4, "100.0", False),
    ],
)
def test_a_planner_is_above_the_floor_if_its_whole_interval_is(shares: list[float], text: str, is_above: bool) -> None:
    assert figure_of(shares) == (text, is_above)


def test_a_pair_repeats_and_a_search_crosses_unknown_maps_better_than_its_floor() -> None:
    for row in (ALONE, PAIR):
        shares = [play_floor_pair(row, "astar", seed) for seed in range(3)]
        assert shares == [play_floor_pair(row, "astar", seed) for seed in range(3)]
        assert set(shares) <= {0, 0.25, 0.5, 0.75, 1}
    assert sum(play_floor_pair(ALONE, "astar", seed) for seed in range(6)) > 4


def test_a_row_has_the_score_of_every_planner() -> None:
    with ThreadPoolExecutor(1) as pool:
        line = measure_floor(CUP, pairs=2, first=7, pool=pool)
    assert tuple(line) == HEADING
    assert (line["pairs"], line["in the ranking"]) == ("2 from 7", NOBODY)  # two seeds tell nothing


def test_every_variant_of_the_cup_has_a_row_as_soon_as_its_game_has_a_floor() -> None:
    rows = floor_rows(all_rows(*FOLDERS))
    assert {"bomber", "navigation", "placement", "ricochet"} <= {row.game for row in rows if has_floor(row)}
    assert all(has_floor(row) == (floor_of(row.game) in BOTS) for row in rows)
    assert floor_rows([ALONE, CUP]) == [CUP]


def test_the_section_shows_the_rows_and_what_is_missing() -> None:
    other = replace(CUP, game="no such game")
    text = format_section([LINE], shipped=[CUP, other, ALONE])
    assert "\n| game | variant | pairs | A\\* | D\\* Lite | map | beam | in the ranking |\n" in text
    assert f"| navigation | default, planners-cup: small | 2 | 50.0 | 50.0 | 50.0 | 50.0 | {NOBODY} |\n" in text
    assert "Not played yet: `no such game`." in text
    assert "Not played yet" not in format_section([LINE], shipped=[CUP])
    assert format_section([], shipped=[CUP]) == ""


def test_the_ranking_of_a_variant_of_the_cup_is_read_from_its_row() -> None:
    some = {**LINE, "variant": "planners-cup: other", "in the ranking": r"A\*, beam"}
    every = {**LINE, "variant": "planners-cup: third", "in the ranking": "all"}
    expected = {"small": [], "other": ["astar", "beam"], "third": [*PLANNERS]}
    assert ranked_planners([LINE, some, every]) == expected


def test_rows_of_the_floors_are_kept_beside_the_other_table(tmp_path: Path) -> None:
    page = tmp_path / "decisiveness.md"
    for line in ({**LINE, "pairs": "9"}, LINE):
        write_page([line], page=page, shipped=[CUP], is_floors=True)
    assert (tmp_path / "floors.csv").read_text().splitlines()[1:] == [
        f'navigation,"default, planners-cup: small",2,50.0,50.0,50.0,50.0,{NOBODY}'
    ]
    assert page.read_text().count("| default, planners-cup: small |") == 1
