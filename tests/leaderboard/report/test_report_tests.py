"""Tests of difference on the page: Elo by pairs, bots on the same seeds, circles."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from leaderboard.report.blocks import Figure, Note, Section, Table
from leaderboard.report.charts.ranks import Ranked, groups_within, rank_chart
from leaderboard.report.sections.circles import circles_section, share_of_cycles
from leaderboard.report.sections.pairs import MOST_PAIRINGS, pairs_section
from leaderboard.report.sections.seeds import seeds_section
from runner.record.lines import MatchRecord
from runner.statistics import elo_from_pairs, friedman, wilcoxon_holm
from tests.leaderboard.report.test_report_sections import scope_of
from tests.runner.record.records_builder import duels, make_record, solo

NARROW = "\u202f"
LADDER = {"a": [9, 8, 9, 8, 9, 8, 9, 9], "b": [1, 2, 3, 4, 5, 6, 7, 8], "c": [2, 1, 4, 3, 6, 5, 8, 7]}


def _round(times: int) -> list[MatchRecord]:
    return [match for first, second in ("ab", "bc", "ca") for match in duels(first, second, [1] * times)]


def _on_seeds(scores: dict[str, list[int]]) -> list[MatchRecord]:
    return [record for bot, own in scores.items() for record in solo(bot, own)]


def _rows(section: Section | None) -> list[list[str]]:
    assert section is not None
    [table] = [block for block in section.blocks if isinstance(block, Table)]
    return [[cell.text for cell in line.cells] for line in table.lines]


def test_a_pairing_has_the_elo_of_its_pairs(tmp_path: Path) -> None:
    scores = [1, 1, 1, 1, 1, 0, 1, 0.5, 0.5, 0.5, 1, 1, 0, 0]  # pairs: 2, 2, 1, 1.5, 1, 2, 0 points
    [row] = _rows(pairs_section(scope_of(tmp_path, duels("a", "b", scores)), stop={}))
    found = elo_from_pairs(1, 0, 2, 1, 3)
    assert None not in (found.elo, found.elo_error, found.nelo, found.nelo_error, found.los)
    assert row[:5] == ["a", "b", "7", "1–0–2–1–3", "67.9"]
    assert row[5] == f"+{found.elo:.0f} ± {found.elo_error:.0f}"
    assert row[6] == f"+{found.nelo:.0f} ± {found.nelo_error:.0f}"
    assert row[7] == f"{100 * (found.los or 0):.1f}"


def test_a_pairing_that_went_one_way_has_no_number(tmp_path: Path) -> None:
    [row] = _rows(pairs_section(scope_of(tmp_path, duels("a", "b", [1] * 12)), stop={}))
    assert row[2:] == ["6", "0–0–0–0–6", "100.0", "–", "–", "–"]


def test_single_matches_are_no_pairs(tmp_path: Path) -> None:
    records = [make_record(f"m{at}", bots=("a", "b"), returns=(1, -1), pair_id=f"p{at}") for at in range(6)]
    assert pairs_section(scope_of(tmp_path, records), stop={}) is None


def test_after_a_sequential_test_the_estimate_allows_for_stopping(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, duels("a", "b", [1, 1, 1, 0.5, 1, 0, 1, 1] * 8))
    section = pairs_section(scope, stop={"when": "sprt", "elo0": 0.0, "elo1": 40.0})
    assert section is not None
    [note] = [block for block in section.blocks if isinstance(block, Note)]
    found = re.search(r"a against b is at \+(\d+) Elo \(\+?(−?\d+) to \+(\d+)\)", note.lines[0])
    assert found
    assert 0 < int(found[1]) < elo_of(section)


def elo_of(section: Section) -> int:
    return int(_rows(section)[0][5].split()[0].lstrip("+"))


def test_of_many_bots_neighbours_are_compared(tmp_path: Path) -> None:
    bots = "abcdefghijk"
    records = [
        match for at, bot in enumerate(bots) for other in bots[at + 1 :] for match in duels(bot, other, [1, 0.5])
    ]
    assert len(bots) * (len(bots) - 1) / 2 > MOST_PAIRINGS
    rows = _rows(pairs_section(scope_of(tmp_path, records), stop={}))
    assert [row[0] + row[1] for row in rows] == [one + other for one, other in itertools.pairwise(bots)]


def test_bots_on_the_same_seeds_are_tested_two_by_two(tmp_path: Path) -> None:
    section = seeds_section(scope_of(tmp_path, _on_seeds(LADDER)))
    assert section is not None
    tests = {(one.first, one.second): one.adjusted for one in wilcoxon_holm(LADDER)}
    rows = {row[1]: row[2:] for row in _rows(section)}
    assert next(iter(rows)) == "a"
    column = list(rows).index("b")
    assert rows["a"][column] == f"{tests['a', 'b']:.3f}".lstrip("0") == ".023"
    assert "2 of 3 pairs of bots surely differ over 8 common seeds" in section.lead


def test_who_is_surely_better_is_marked(tmp_path: Path) -> None:
    section = seeds_section(scope_of(tmp_path, _on_seeds(LADDER)))
    assert section is not None
    [table] = [block for block in section.blocks if isinstance(block, Table)]
    assert [[cell.css for cell in line.cells[2:]] for line in table.lines] == [
        ["self", "h10", "h10"],
        ["h0", "self", "h5"],
        ["h0", "h5", "self"],
    ]


def test_the_picture_has_every_rank_and_the_critical_difference(tmp_path: Path) -> None:
    section = seeds_section(scope_of(tmp_path, _on_seeds(LADDER)))
    assert section is not None
    [figure] = [block for block in section.blocks if isinstance(block, Figure)]
    for bot, rank in zip(LADDER, friedman(LADDER).average_ranks, strict=True):
        assert f"{bot}: average rank {rank:.2f}" in figure.drawing
    assert "CD 1.17" in figure.drawing  # 2.343 sqrt(3 * 4 / (6 * 8))


def test_the_picture_is_of_three_bots_and_five_seeds_at_least(tmp_path: Path) -> None:
    few = {bot: own[:4] for bot, own in LADDER.items()}
    two = {bot: LADDER[bot] for bot in "ab"}
    five = {bot: own[:5] for bot, own in LADDER.items()}
    found = [
        seeds_section(scope_of(tmp_path / name, _on_seeds(one)))
        for name, one in zip("123", (few, two, five), strict=True)
    ]
    assert [section is not None for section in found] == [False, False, True]


def test_bars_join_what_is_closer_than_the_critical_difference() -> None:
    assert groups_within([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert groups_within([1.0, 1.5, 1.9, 4.0], 1.0) == [(0, 2)]
    assert groups_within([1.0, 2.0], 1.0) == []


def test_bots_of_equal_rank_have_lines_side_by_side() -> None:
    drawing = rank_chart([Ranked(bot, 1.5, "p0") for bot in "ab"] + [Ranked("c", 3, "p0")], 0.5, slug="s", title="t")
    lines = re.findall(r'<line x1="([^"]*)" x2="([^"]*)" y1="46"', drawing.partition("average rank 1.50")[2])
    assert lines == [("47.2%", "47.2%"), ("46.8%", "46.8%"), ("3%", "3%")]


def test_the_picture_of_thirty_bots_is_no_higher_than_a_screen() -> None:
    heights: list[int] = []
    for count in (10, 30):
        ranked = [Ranked(f"bot{at}", at + 1, "p0") for at in range(count)]
        heights += map(int, re.findall(r'<svg[^>]* height="(\d+)"', rank_chart(ranked, 0.5, slug="s", title="t")))
    assert heights == [258, 448]


def test_names_in_the_picture_are_escaped() -> None:
    drawing = rank_chart([Ranked("<b>&", 1, "p0"), Ranked("x", 2, "p1")], 0.5, slug="s", title="<i>")
    assert "<b>" not in drawing
    assert "<i>" not in drawing
    assert "&lt;b&gt;&amp;" in drawing


def test_a_circle_is_all_that_is_left_and_every_bot_is_in_the_mixture(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, _round(24))
    section = circles_section(scope)
    assert share_of_cycles(scope) == pytest.approx(1, abs=0.01)
    assert [row[1] for row in _rows(section)] == ["33.3"] * 3
    assert section is not None
    assert section.lead.startswith(f"100{NARROW}% of the differences between bots are in circles")
    assert "a beats b beats c beats a" in section.lead


def test_where_one_bot_beats_all_it_is_the_mixture(tmp_path: Path) -> None:
    records = [match for one, other in ("ab", "ac", "bc") for match in duels(one, other, [1, 1, 1, 0.5] * 6)]
    scope = scope_of(tmp_path, records)
    rows = _rows(circles_section(scope))
    assert [row[:2] for row in rows] == [["a", "100.0"], ["b", "–"], ["c", "–"]]
    assert [row[3] for row in rows] == ["50.0", "12.5", "12.5"]
    assert (share_of_cycles(scope) or 0) < 0.2


def test_circles_need_three_bots_that_have_all_met(tmp_path: Path) -> None:
    assert circles_section(scope_of(tmp_path / "1", duels("a", "b", [1, 0]))) is None
    unmet = [*duels("a", "b", [1, 0]), *duels("b", "c", [1, 0])]
    assert circles_section(scope_of(tmp_path / "2", unmet)) is None
    assert circles_section(scope_of(tmp_path / "3", [*unmet, *duels("a", "c", [1, 0])])) is not None
