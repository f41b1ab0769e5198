"""Standings as people read them, in a file, in a terminal and while the tournament runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from gridjoust.leaderboard import wording
from gridjoust.leaderboard.columns import COSTS, RESULTS, SPARE_GAMES, ShownStrength, format_strength
from gridjoust.leaderboard.live import LiveStanding, LiveStandings
from gridjoust.leaderboard.report.sections.ranking import ranking_table
from gridjoust.leaderboard.standings import Leaderboard, shifted, with_titles, write_tables
from gridjoust.leaderboard.table import dispensable, format_leaderboard, latex_table, leaderboard_table
from gridjoust.leaderboard.wording import NARROW
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.columns import STANDINGS, Standing
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.results.tables.writer import TableWriter
from tests.leaderboard.report.scopes import rows_of as rows_of_table
from tests.leaderboard.seats_builder import alone, board_of, in_game, met
from tests.runner.results.records.records_builder import duel, duels, make_record, rows_of, solo


def _print(board: Leaderboard) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(leaderboard_table(board, title="cup"))
    return capture.get()


def _live(*records: MatchRecord) -> LiveStandings:
    live = LiveStandings()
    live.add(rows_of(*records))
    return live


def test_written_standings_read_back(tmp_path: Path) -> None:
    board = board_of(*duels("a", "b", [1, 1, 0.5, 0]))
    table = board.standings
    assert write_tables(tmp_path, board) == {"standings": 2, "pairings": 0}
    [a, b] = read_rows(tmp_path / "standings.csv")
    assert tuple(a) == STANDINGS.names
    assert (a["rank"], a["bot"], a["points"], a["wins"], a["rating_low"]) == ("1", "a", "2.5", "2", "")
    assert float(b["rating"]) == pytest.approx(table[1].rating, abs=5e-4)
    assert len(b["rating"].partition(".")[2]) <= 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairings.csv", "standings.csv"]


def _costing(bot: str, returns: Sequence[float], ms: float, *, won: float) -> list[MatchRecord]:
    answer = AnswerLine(turn=1, seat=0, planning_ms=ms, expanded=int(100 * ms))
    more: dict[str, Any] = {"answers": [answer], "turns": [{0: "N"}], "usage": {"cpu_ms": [2 * ms]}}
    return solo(bot, returns, metrics=[{"won": won}], **more)


TABLES = {
    "ratings": (
        [*duels("a", "b", [1, 1, 0.5, 0] * 3), make_record("out", bots="ab", forfeited=(1,), faults=(0, 2))],
        """
    #|bot|rating|group|matches|W-D-L|score %|points|planner|P(better) %|faults|forfeits
    1|a|+53 ± 151|a|13|7-3-3|65.4|8.5|astar|79.7|0|
    2|b|-53 ± 151|a|13|3-3-7|34.6|4.5|astar||2|1
    """,
        """
    #|bot|rating|95 % interval|group|P(better) %|score %|W–D–L|matches|failed %|planner
    1|a|+53 ± 151||a|79.7|65.4|7–3–3|13||astar
    2|b|−53 ± 151||a||34.6|3–3–7|13|7.7|astar
    """,
    ),
    "returns in their place": (
        [
            *_costing("a", [1, 2, 3, 4, 5, 9], 1.5, won=1.0),
            *_costing("b", [1, 1, 2, 3, 4, 4.25], 20.25, won=0.0),
            make_record("out", bots="b", returns=(1,), forfeited=(0,), header={"seed": 0}),
        ],
        """
    #|bot|returns|group|matches|planner|seeds|gap above|median|IQM|mean rank|seeds won %|won %|faults|forfeits|ms/turn|\
nodes/turn|CPU ms/turn
    1|a|4 (1.03 to 15)|a|6|astar|6||3.5|3.5|1.08|100|100|0||1.50|150|3.00
    2|b|2.54 ± 1.5|a|7|astar|6|1.46 ± 1.7|2.5|2.5|1.92|17|0|0|1|20.25|2025|40.50
    """,
        """
    #|bot|returns|95 % interval|group|P(better) %|won %|IQM|seeds won %|mean rank|matches|failed %|ms/turn|\
nodes/turn|planner
    1|a|4.000 (1.032 to 14.980)||a|95.8|100.0|3.5|100.0|1.08|6||1.5|150|astar
    2|b|2.542 ± 1.531||a||0.0|2.5|16.7|1.92|7|14.3|20.2|2,025|astar
    """,
    ),
    "unlike games": (
        [*in_game("one", alone(a=[1], b=[2])), *in_game("two", solo("a", [1], prefix="t"))],
        """
    #|bot|rivals beaten %|group|matches|planner|games|gap above|mean place|faults|one %
    1|b|100.0|a|1|astar|1||1.00|0|100
    2|a|0.0|a|2|astar|2|100.0|1.50|0|0
    """,
        """
    #|bot|rivals beaten %|95 % interval|group|mean place|games|matches|planner
    1|b|100.0||a|1|1|1|astar
    2|a|0.0||a|1.5|2|2|astar
    """,
    ),
    "nobody": ([], "", "#|bot"),
}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("records", "terminal", "page"), TABLES.values(), ids=TABLES)
def test_a_table_reads_as_people_expect(records: list[MatchRecord], terminal: str, page: str) -> None:
    board = board_of(*records)
    assert ["|".join(line) for line in format_leaderboard(board)] == _lines(terminal)
    shown = ranking_table(board, title="")
    assert ["|".join(row) for row in ([column.title for column in shown.columns], *rows_of_table(shown))] == _lines(
        page
    )
    texts = [column.title for column in shown.columns if column.kind == "text"]
    assert texts == [title for title in ("group", "W–D–L", "planner") if title in page]
    printed = ["|".join(cell.strip() for cell in re.split("[│┃]", line)[1:-1]) for line in _print(board).splitlines()]
    assert set(_lines(terminal)) <= set(printed)


def test_every_column_has_a_place_of_its_own_and_its_turn_to_go() -> None:
    columns = (*RESULTS, *COSTS)
    assert sorted(one.place for one in columns if one.place) == [
        *range(1, 4),
        *range(3, 18),
    ]  # P(better) % stands twice
    assert sorted([SPARE_GAMES, *(one.spare for one in columns if one.spare)]) == [
        *range(1, 11),
        *range(10, 21),
    ]  # `gap above` does
    assert [one.title for one in columns if one.terminal and not one.spare] == [
        *("#", "bot", "rating", "returns", "rivals beaten %", "group", "pool", "matches")
    ]


def test_a_narrow_terminal_does_without_columns_in_order_and_the_games_go_from_the_last() -> None:
    two = [*solo("a", [2], prefix="t"), *solo("b", [1], prefix="u")]
    unlike = board_of(*in_game("one", alone(a=[1, 1], b=[2, 2])), *in_game("two", two))
    assert dispensable(unlike) == ["planner", "gap above", "two %", "one %", "games", "mean place", "faults"]
    assert dispensable(board_of(*duels("a", "b", [1, 0]))) == ["points", "planner", "W-D-L", "score %", "faults"]
    assert "W-D-L" not in format_leaderboard(board_of(*duels("a", "b", [1, 0])), without=["W-D-L"])[0]


RATED, UNLIKE = met(ab=[1, 0]), in_game("one", alone(a=[1])) + in_game("two", alone(b=[1]))
STRENGTHS = [
    *((RATED, (0.4, None, None), "0"), (RATED, (0.6, None, None), "+1"), (RATED, (-0.6, None, None), "−1")),
    (RATED, (1112.4, 1072.4, 1142.4), "+1,112 ± 35"),
    (RATED, (-0.4, None, None), "0"),  # no minus before a zero
    (alone(a=[4.5], b=[2.5421]), (2.5421, 1.0, 4.0), "2.542 ± 1.500"),  # decimals that tell the bots apart
    (alone(a=[4], b=[2]), (-2.0, -2.75, -1.5), "−2.0 ± 0.6"),  # one at least
    (UNLIKE, (62.5, 50.0, 75.0), "62.5 ± 12.5"),
]


@pytest.mark.parametrize(("records", "strength", "text"), STRENGTHS, ids=[text for _, _, text in STRENGTHS])
def test_a_strength_is_written_with_half_its_interval(records: list[MatchRecord], strength: Any, text: str) -> None:
    assert format_strength(ShownStrength(*strength), board_of(*records)) == text


def test_a_line_is_drawn_between_separated_neighbours_numbers_stand_on_the_right_and_only_names_are_folded() -> None:
    table = leaderboard_table(board_of(*met(ab=[1, 0] * 6, ac=[1] * 40, bc=[1] * 40)))
    assert [row.end_section for row in table.rows] == [False, True, False]
    assert [str(column.header) for column in table.columns if column.justify == "left"] == ["bot", "group", "planner"]
    assert [str(column.header) for column in table.columns if not column.no_wrap] == ["bot"]


def test_planners_are_named_unless_every_bot_is_called_as_its_planner() -> None:
    headings = [format_leaderboard(board_of(*solo("astar", [1]), *more))[0] for more in ([], solo("b", [1]))]
    assert ["planner" in heading for heading in headings] == [False, True]


def test_ratings_that_an_anchor_has_moved_are_points_without_a_sign() -> None:
    board = board_of(*duels("a", "b", [1, 1, 0.5, 0] * 3))
    moved = shifted(board, 1500)
    assert [one.rating for one in moved.standings] == pytest.approx(
        [1500 + (one.rating or 0) for one in board.standings]
    )
    assert "+" in _print(board)
    assert "+" not in _print(moved)


def test_live_table_agrees_with_the_final_one_on_points() -> None:
    def counts(one: LiveStanding | Standing) -> tuple[object, ...]:
        return one.bot, one.matches, one.points, one.wins, one.draws, one.losses

    records = met(ab=[1, 0.5, 0, 1], bc=[1, 1])
    live, final = [counts(one) for _, one in _live(*records).top()], map(counts, board_of(*records).standings)
    assert len(live) == 3
    assert set(live) == set(final)


def test_live_table_keeps_the_last_five_results_of_each_bot() -> None:
    top = _live(*duels("a", "b", [1, 0.5, 0, 1, 1, 0.5])).top()
    assert [(place, one.bot, " ".join(one.last)) for place, one in top] == [
        (1, "a", "D L W W D"),
        (2, "b", "D W L L D"),
    ]
    assert [one.score_pct for _, one in top] == pytest.approx([100 * 4 / 6, 100 * 2 / 6])


def test_live_table_ranks_bots_without_opponents_by_returns_and_equal_ones_share_a_place() -> None:
    left_out = make_record("left out", bots=("d",), missing=(0,), forfeited=(0,))
    top = _live(*solo("a", [2, 3]), *solo("b", [1, 4]), *solo("c", [1.23456]), left_out).top()
    assert [(place, one.bot, list(one.last)) for place, one in top] == [
        (1, "a", ["2", "3"]),
        (1, "b", ["1", "4"]),
        (3, "c", ["1.235"]),
        (4, "d", ["–"]),
    ]
    assert [one.bot for _, one in _live(*solo("a", [2]), *solo("b", [1])).top(1)] == ["a"]


def test_live_table_counts_rows_of_a_file_as_those_in_memory(tmp_path: Path) -> None:
    records = [*met(ab=[1, 0.5, 0, 1]), *solo("c", [0, 9, 100]), make_record("void", counted=False)]
    with TableWriter(tmp_path) as tables:
        for record in records:
            tables.add(record)
    live = LiveStandings()
    live.add(read_rows(tmp_path / "results.csv"))
    assert live.top() == _live(*records).top()
    assert [one.bot for _, one in live.top()] == ["a", "b", "c"]  # who met opponents stands above who did not
    assert live.top()[2][1].returns_mean == pytest.approx(109 / 3)


def test_live_table_ranks_by_points_per_match_and_solo_scores_by_returns() -> None:
    live = _live(*duels("a", "b", [1, 1, 1, 0]), duel("c", "d", 1, "m"))
    assert [(rank, one.bot, one.points) for rank, one in live.top()] == [
        (1, "c", 1),
        (2, "a", 3),
        (3, "b", 1),
        (4, "d", 0),
    ]
    assert [one.bot for _, one in live.top(1)] == ["c"]
    assert _live().top() == []
    alone = _live(*solo("a", [1, 2]), *solo("b", [5]), *solo("c", [1.5]), make_record("void", counted=False))
    assert [(rank, one.bot, one.points, one.returns_mean) for rank, one in alone.top()] == [
        (1, "b", None, 5),
        (2, "a", None, 1.5),
        (2, "c", None, 1.5),
    ]


WORDS = {
    "milliseconds": (
        wording.milliseconds,
        {0.994: "0.994 ms", 0.995: "0.99 ms", 9.994: "9.99 ms", 9.995: "10.0 ms", 99.94: "99.9 ms", 99.95: "100 ms"}
        | {9999.0: "9,999 ms", 10_000: "10 s", 12_340.0: "12.3 s"},
    ),
    "decimal": (wording.decimal, {1234.56: "1,234.6", -0.25: "−0.2", -0.04: "0", 3.0: "3", 10.0: "10"}),
    "signed": (wording.signed, {112.4: "+112", -7.5: "−8", 0.2: "0", -1234.0: "−1,234"}),
    "significant": (
        wording.significant,
        {0.01234: "0.0123", 123.4: "123", 12345.6: "12,346", 1.0: "1", 0.1: "0.1", 0: "0"},
    ),
    "per cent": (wording.per_cent, {0.625: "62.5 %", 1 / 3: "33.3 %", 1.0: "100 %", 0.0: "0 %"}),
    "probability": (wording.probability, {0.0009: "< 0.001", 0.001: "= 0.001", 0.0324: "= 0.032"}),
    "likelihood": (wording.likelihood, {72.04: "72.0", 99.97: "99.9", 0.01: "0.1"}),
    "likelihood in tables": (wording.likelihood_pct, {0.72046: 72.046, 1 - 1e-9: 99.999, 0.0: 0.001}),
    "aligned": (
        wording.aligned,
        {
            (): [],
            (4.47, 3.5, 10): ["4.5", "3.5", "10.0"],
            (0.25, -0.001): ["0.25", "0.00"],
            (3.0, -12.0): ["3", "−12"],
            (1.9412, 1.943): ["1.9412", "1.9430"],
            (0.0995,): ["0.10"],
            (0.0994,): ["0.0994"],
            (0.5,): ["0.50"],
            (123.4,): ["123"],
            (1234.6,): ["1,235"],
            (0.1, 0.10000001): ["0.100000", "0.100000"],
        },
    ),
    "aligned to two places": (lambda values: wording.aligned(values, places=2), {(3.0, -12.345): ["3.00", "−12.35"]}),
    "listed": (
        lambda names: wording.listed(names.split()),
        {
            "": "nobody",
            "a": "a",
            "a b": "a and b",
            "a b c d e": "a, b, c, d and e",
            "a b c d e f": "a, b, c, d and 2 others",
        },
    ),
    "counted": (
        lambda counted: wording.plural(*counted),
        {(0, "match"): "0 matches", (1, "match"): "1 match", (1000, "loss"): "1,000 losses", (2, "pair"): "2 pairs"}
        | {(1, "family", "families"): "1 family", (2, "family", "families"): "2 families"},
    ),
}


@pytest.mark.parametrize(("write", "texts"), WORDS.values(), ids=WORDS)
def test_numbers_and_names_are_written_the_same_everywhere(
    write: Callable[[Any], object], texts: dict[Any, object]
) -> None:
    written = {value: write(value) for value in texts}
    shown = {value: text.replace(NARROW, " ") if isinstance(text, str) else text for value, text in written.items()}
    assert shown == texts


def test_writing_tables_and_counting_live_loads_neither_pandas_nor_rich() -> None:
    code = (
        "import sys, gridjoust.runner.results.tables.writer;"
        "import gridjoust.leaderboard.standings, gridjoust.leaderboard.live;"
        "print(sorted({'pandas', 'rich', 'numpy', 'gridjoust.runner.statistics.ratings'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_a_table_for_latex_needs_no_package_and_escapes_what_latex_reads() -> None:
    board = with_titles(board_of(*duels("a_b", "c", [1, 0, 0.5, 0.5] * 19 + [1, 0.5] * 2)), {"c": r"100 % \{#} & ~^"})
    begin, _, heading, _, first, second, _, end, *comments = latex_table(board).splitlines()
    assert begin.startswith(r"\begin{tabular}{rllr")
    assert end == r"\end{tabular}"
    assert heading.startswith(r"\# & bot & title & rating & ")
    assert first.startswith(r"1 & a\_b &  & +")
    assert r" $\pm$ " in first
    title = r"100 \% \textbackslash{}\{\#\} \& \textasciitilde{}\textasciicircum{}"
    assert second.startswith(rf"2 & c & {title} & $-$")
    assert all(row.endswith(r" \\") for row in (heading, first, second))
    assert {row.count(" & ") for row in (heading, first, second.replace(title, ""))} == {heading.count(" & ")}
    assert comments == [f"% {sentence}" for sentence in board.sentences]
