"""What the page says of bots that met: scores, Elo by pairs, circles, bots on the same seeds."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from gridjoust.leaderboard.report.blocks import Cell, Figure, Note, ReportTable
from gridjoust.leaderboard.report.charts.ranks import BotRank, groups_within, rank_chart
from gridjoust.leaderboard.report.sections.duels import (
    MOST_PAIRINGS,
    circles_section,
    head_to_head_section,
    pairs_section,
    seeds_section,
    share_of_cycles,
)
from gridjoust.leaderboard.report.source import Scope, duels_of
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.statistics import elo_from_pairs, friedman, wilcoxon_holm
from tests.leaderboard.report.scopes import blocks_of, rows_of, scope_of, scopes_of
from tests.leaderboard.seats_builder import met
from tests.runner.results.records.records_builder import duel, duels, make_record, solo

LADDER = {"a": [9, 8, 9, 8, 9, 8, 9, 9], "b": [1, 2, 3, 4, 5, 6, 7, 8], "c": [2, 1, 4, 3, 6, 5, 8, 7]}
ROUND = met(ab=[1] * 24, bc=[1] * 24, ca=[1] * 24)
ORDERED = met(**dict.fromkeys(("ab", "ac", "bc"), [1, 1, 1, 0.5] * 6))


def _on_seeds(scores: dict[str, list[int]]) -> list[MatchRecord]:
    return [record for bot, own in scores.items() for record in solo(bot, own)]


def _pairings(scope: Scope) -> list[list[str]]:
    return rows_of(blocks_of(pairs_section(scope), ReportTable)[0])


DUELS = {
    "a duel is seen from both sides": (
        duels("a", "b", [1, 1, 0.5, 0]),
        {("a", "b"): (2, 1, 1, 0.625), ("b", "a"): (1, 1, 2, 0.375)},
    ),
    "a bot with two seats meets its opponents once": (
        [make_record(bots=("a", "a", "b", "b"), teams=(0, 0, 1, 1), returns=(1, 1, -1, -1))],
        {("a", "b"): (1, 0, 0, 1), ("b", "a"): (0, 0, 1, 0)},
    ),
    "a bot does not meet itself": (
        [make_record(bots=("a", "a"), returns=(1, -1)), duel("a", "b", 1, "m2")],
        {("a", "b"): (1, 0, 0, 1), ("b", "a"): (0, 0, 1, 0)},
    ),
}


@pytest.mark.parametrize(("records", "expected"), DUELS.values(), ids=DUELS)
def test_duels(tmp_path: Path, records: list[MatchRecord], expected: dict[tuple[str, str], tuple[float, ...]]) -> None:
    found = duels_of(scope_of(tmp_path, records))
    assert {bots: (one.wins, one.draws, one.losses, one.score) for bots, one in found.items()} == expected


@pytest.mark.gate
def test_superiority_is_a_likelihood_over_pairs_not_matches(tmp_path: Path) -> None:
    equal, better = scopes_of(tmp_path, duels("a", "b", [1, 0] * 5), duels("a", "b", [1, 1, 1, 1, 1, 0, 1, 0]))
    # every pair is one win each: no doubt that they are equal, whatever the single matches say
    assert duels_of(equal)["a", "b"].superiority is None
    # pairs 1, 1, .5, .5: mean .75, deviation .25, error .125, z 2
    assert duels_of(better)["a", "b"].superiority == pytest.approx(0.9772, abs=1e-4)


@pytest.mark.gate
def test_the_heat_map_shows_per_cent_points_and_counts_in_the_order_of_the_standings(tmp_path: Path) -> None:
    records = [*duels("weak", "strong", [0, 0, 0, 0.5]), *duels("weak", "third", [0, 0])]
    scope, apart = scopes_of(tmp_path, records, met(ab=[1, 0], cd=[1, 0]))
    [table] = blocks_of(head_to_head_section(scope), ReportTable)
    assert [column.hint for column in table.columns[2:]] == [row[1] for row in rows_of(table)] == scope.bots
    cells = dict(zip(scope.bots, table.lines[scope.bots.index("strong")].cells[2:], strict=True))
    assert cells == {
        "strong": Cell("", css="self"),
        "weak": Cell("88", css="h9", hint="3.5 of 4 · 3–1–0 · P(better) 99.9 %"),
        "third": Cell("·", css="unmet", hint="never met"),
    }
    [table] = blocks_of(head_to_head_section(apart), ReportTable)
    assert sum(cell.css == "unmet" for line in table.lines for cell in line.cells) == 8


def test_the_words_name_the_worst_upset(tmp_path: Path) -> None:
    records = [*duels("top", "mid", [0, 0]), *duels("top", "low", [1] * 12), *duels("mid", "low", [0.5] * 12)]
    section = head_to_head_section(scope_of(tmp_path, records))
    assert section is not None
    assert "most of all mid, with 100\u202f% against top" in section.lead


def test_a_pairing_has_the_elo_of_its_pairs(tmp_path: Path) -> None:
    scores = [1, 1, 1, 1, 1, 0, 1, 0.5, 0.5, 0.5, 1, 1, 0, 0]  # pairs: 2, 2, 1, 1.5, 1, 2, 0 points
    [row] = _pairings(scope_of(tmp_path, duels("a", "b", scores)))
    found = elo_from_pairs(1, 0, 2, 1, 3)
    assert None not in (found.elo, found.elo_error, found.nelo, found.nelo_error, found.los)
    assert row == [
        *("a", "b", "7", "1–0–2–1–3", "67.9"),
        f"+{found.elo:.0f} ± {found.elo_error:.0f}",
        f"+{found.nelo:.0f} ± {found.nelo_error:.0f}",
        f"{100 * (found.los or 0):.1f}",
        "0.375",  # 4 pairs won, 1 lost: 2 * (1 + 5) / 32
    ]


@pytest.mark.gate
def test_a_pairing_that_went_one_way_has_no_number_and_single_matches_are_no_pairs(tmp_path: Path) -> None:
    single = [make_record(f"m{at}", bots=("a", "b"), returns=(1, -1), pair_id=f"p{at}") for at in range(6)]
    won, apart = scopes_of(tmp_path, duels("a", "b", [1] * 12), single)
    assert [row[2:] for row in _pairings(won)] == [["6", "0–0–0–0–6", "100.0", "–", "–", "–", "0.031"]]
    assert pairs_section(apart) is None


def test_after_a_sequential_test_the_estimate_allows_for_stopping(tmp_path: Path) -> None:
    (tmp_path / "tournament.yaml").write_text("stop: {when: sprt, elo0: 0.0, elo1: 40.0}")
    scope = scope_of(tmp_path, duels("a", "b", [1, 1, 1, 0.5, 1, 0, 1, 1] * 8))
    [note] = blocks_of(pairs_section(scope), Note)
    found = re.search(r"a against b is at \+(\d+) Elo \(\+?(−?\d+) to \+(\d+)\)", note.lines[0])
    assert found
    assert 0 < int(found[1]) < int(_pairings(scope)[0][5].split()[0].lstrip("+"))


def test_of_many_bots_neighbours_are_compared(tmp_path: Path) -> None:
    bots = "abcdefghijk"
    records = [match for bot, other in combinations(bots, 2) for match in duels(bot, other, [1, 0.5])]
    assert len(bots) * (len(bots) - 1) / 2 > MOST_PAIRINGS
    assert [(row[0], row[1]) for row in _pairings(scope_of(tmp_path, records))] == list(pairwise(bots))


def test_bots_on_the_same_seeds_are_tested_two_by_two_and_drawn_by_their_ranks(tmp_path: Path) -> None:
    section = seeds_section(scope_of(tmp_path, _on_seeds(LADDER)))
    [table], [figure] = blocks_of(section, ReportTable), blocks_of(section, Figure)
    tests = {(one.first, one.second): one.adjusted for one in wilcoxon_holm(LADDER)}
    rows = {row[1]: row[2:] for row in rows_of(table)}
    assert next(iter(rows)) == "a"
    assert rows["a"][list(rows).index("b")] == f"{tests['a', 'b']:.3f}".lstrip("0") == ".023"
    assert [[cell.css for cell in line.cells[2:]] for line in table.lines] == [  # who is surely better
        ["self", "h10", "h10"],
        ["h0", "self", "h5"],
        ["h0", "h5", "self"],
    ]
    assert section is not None
    assert "By ranks on 8 common seeds, 2 of 3 pairs of bots have an adjusted p below 0.05" in section.lead
    for bot, rank in zip(LADDER, friedman(LADDER).average_ranks, strict=True):
        assert f"{bot}: average rank {rank:.2f}" in figure.drawing
    assert "CD 1.17" in figure.drawing  # 2.343 sqrt(3 * 4 / (6 * 8))


SAID: dict[str, dict[str, list[int]]] = {
    "2 of 3 pairs of bots have an adjusted p below 0.05 (all together: Friedman's p < 0.001)": LADDER,
    # of five seeds no two bots have a p below 2 * (1 / 2) ** 5 = 0.0625
    "the bots differ as a group (Friedman's p < 0.001), but not yet clearly in any pair: none of 3 pairs of "
    "bots has an adjusted p below 0.05": {"a": [1, 2, 3, 4, 5], "b": [2, 3, 4, 5, 6], "c": [3, 4, 5, 6, 7]},
    "none of 3 pairs of bots has an adjusted p below 0.05 (all together: Friedman's p = 1.000)": {
        "a": [1, 2, 3, 1, 2, 3],
        "b": [2, 3, 1, 2, 3, 1],
        "c": [3, 1, 2, 3, 1, 2],
    },
    "1 of 3 pairs of bots has an adjusted p below 0.05": {
        "a": [9, 9, 9, 9, 9, 9, 9],
        "b": [1, 2, 3, 4, 5, 6, 7],
        "c": [10, 10, 10, 10, 1, 1, 1],
    },
}


@pytest.mark.parametrize("said", SAID)
def test_a_pair_is_said_to_differ_only_if_it_does_alone(tmp_path: Path, said: str) -> None:
    section = seeds_section(scope_of(tmp_path, _on_seeds(SAID[said])))
    assert section is not None
    seeds = len(next(iter(SAID[said].values())))
    assert section.lead.startswith(f"By ranks on {seeds} common seeds, {said}")


@pytest.mark.gate
def test_the_picture_is_of_three_bots_and_five_seeds_at_least(tmp_path: Path) -> None:
    few = {bot: own[:4] for bot, own in LADDER.items()}
    two = {bot: LADDER[bot] for bot in "ab"}
    five = {bot: own[:5] for bot, own in LADDER.items()}
    found = map(seeds_section, scopes_of(tmp_path, *map(_on_seeds, (few, two, five))))
    assert [section is not None for section in found] == [False, False, True]


def test_bars_join_what_is_closer_than_the_critical_difference() -> None:
    assert groups_within([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert groups_within([1.0, 1.5, 1.9, 4.0], 1.0) == [(0, 2)]
    assert groups_within([1.0, 2.0], 1.0) == []


def test_bots_of_equal_rank_have_lines_side_by_side() -> None:
    drawing = rank_chart([BotRank(bot, 1.5, "p0") for bot in "ab"] + [BotRank("c", 3, "p0")], 0.5, slug="s", title="t")
    lines = re.findall(r'<line x1="([^"]*)" x2="([^"]*)" y1="46"', drawing.partition("average rank 1.50")[2])
    assert lines == [("47.2%", "47.2%"), ("46.8%", "46.8%"), ("3%", "3%")]


def test_the_picture_of_thirty_bots_is_no_higher_than_a_screen_and_names_in_it_are_escaped() -> None:
    charts = [
        rank_chart([BotRank("<b>&", at + 1, "p0") for at in range(count)], 0.5, slug="s", title="<i>")
        for count in (10, 30)
    ]
    assert [int(height) for chart in charts for height in re.findall(r'<svg[^>]* height="(\d+)"', chart)] == [258, 448]
    assert not re.search("<b>|<i>", charts[0])
    assert "&lt;b&gt;&amp;" in charts[0]


def test_a_circle_is_all_that_is_left_and_every_bot_is_in_the_mixture(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, ROUND)
    section = circles_section(scope)
    assert share_of_cycles(scope) == pytest.approx(1, abs=0.01)
    assert [row[1] for row in rows_of(blocks_of(section, ReportTable)[0])] == ["33.3"] * 3
    assert section is not None
    assert section.lead.startswith("One rating per bot leaves 100\u202f% of the differences between bots unexplained: ")
    assert "a beats b beats c beats a" in section.lead


def test_where_one_bot_beats_all_it_is_the_mixture(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, ORDERED)
    rows = rows_of(blocks_of(circles_section(scope), ReportTable)[0])
    assert [(bot, weight, against) for bot, weight, _, against in rows] == [
        ("a", "100.0", "50.0"),
        ("b", "–", "12.5"),
        ("c", "–", "12.5"),
    ]
    assert (share_of_cycles(scope) or 0) < 0.2


@pytest.mark.gate
def test_of_equal_upsets_the_one_most_places_apart_is_named(tmp_path: Path) -> None:
    records = met(ab=[1] * 12, bc=[1] * 12, ac=[1] * 12, da=[1, 1], db=[1, 1], cd=[1] * 24)
    section = head_to_head_section(scope_of(tmp_path, records))
    assert section is not None
    assert section.lead.startswith("In 2 pairings the bot placed lower")
    assert section.lead.endswith("most of all d, with 100\u202f% against a.")


@pytest.mark.gate
def test_circles_need_three_bots_that_have_all_met(tmp_path: Path) -> None:
    records = [
        [match for one, other in met for match in duels(one, other, [1, 0])]
        for met in ([("a", "b")], [("a", "b"), ("b", "c")], [("a", "b"), ("b", "c"), ("a", "c")])
    ]
    found = map(circles_section, scopes_of(tmp_path, *records))
    assert [section is not None for section in found] == [False, False, True]
