"""Standings: what counts, who ranks where, and how the table reads."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from leaderboard.live import LiveStandings
from leaderboard.ranking import make_leaderboard
from leaderboard.seats import read_seats
from leaderboard.standings import Leaderboard, write_standings
from leaderboard.table import format_leaderboard, leaderboard_table
from runner.record.lines import AnswerLine
from runner.tables.columns import STANDINGS, Row, Standing
from runner.tables.text import read_rows
from runner.tables.writer import TableWriter
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.record.records_builder import duel, duels, make_record, rows_of, solo


def _by_bot(rows: Sequence[Row]) -> dict[str, Standing]:
    return {standing.bot: standing for standing in _board(rows).standings}


def _board(rows: Sequence[Row], *, resamples: int = 50) -> Leaderboard:
    return make_leaderboard(seats_of_rows(rows), resamples=resamples)


def _standings(rows: Sequence[Row]) -> tuple[Standing, ...]:
    return _board(rows).standings


def _print(rows: Sequence[Row]) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(leaderboard_table(_board(rows), title="cup"))
    return capture.get()


def test_win_draw_and_loss_are_worth_1_half_and_0() -> None:
    table = _by_bot(rows_of(*duels("a", "b", [1, 1, 0.5, 0])))
    a, b = table["a"], table["b"]
    assert (a.wins, a.draws, a.losses, a.points, a.score_pct) == (2, 1, 1, 2.5, 62.5)
    assert (b.wins, b.draws, b.losses, b.points, b.score_pct) == (1, 1, 2, 1.5, 37.5)


def test_a_match_that_does_not_count_leaves_no_trace() -> None:
    rows = rows_of(duel("a", "b", 1, "m1"), make_record("m2", bots=("a", "c"), counted=False))
    table = _by_bot(rows)
    assert set(table) == {"a", "b"}
    assert table["a"].matches == 1


def test_a_bot_with_two_seats_of_a_side_counts_once() -> None:
    record = make_record(bots=("a", "b", "a", "b"), teams=(0, 1, 0, 1), returns=(1, -1, 1, -1), faults=(1, 0, 2, 0))
    a = _by_bot(rows_of(record))["a"]
    assert (a.matches, a.points, a.wins, a.faults) == (1, 1.0, 1, 3)


def test_partners_of_mixed_seating_share_the_points_of_their_side() -> None:
    record = make_record(bots=("a", "b", "c", "d"), teams=(0, 0, 1, 1), returns=(1, 1, -1, -1))
    table = _by_bot(rows_of(record))
    assert [table[bot].points for bot in "abcd"] == [1, 1, 0, 0]
    assert table["a"].rating == pytest.approx(table["b"].rating)


def test_a_row_that_comes_twice_counts_once() -> None:
    rows = rows_of(make_record(bots=("a", "b"), returns=(1, -1), faults=(0, 3)))
    assert _standings([*rows, *rows]) == _standings(rows)


def test_in_a_free_for_all_only_the_sole_first_wins() -> None:
    table = _by_bot(rows_of(make_record(bots=("a", "b", "c"), returns=(5, 2, 1))))
    assert [(table[bot].wins, table[bot].losses, table[bot].points) for bot in "abc"] == [
        (1, 0, 1.0),
        (0, 1, 0.5),
        (0, 1, 0.0),
    ]


def test_sharing_the_first_rank_of_a_free_for_all_is_a_draw() -> None:
    table = _by_bot(rows_of(make_record(bots=("a", "b", "c"), returns=(5, 5, 1))))
    assert [(table[bot].wins, table[bot].draws, table[bot].losses) for bot in "abc"] == [
        (0, 1, 0),
        (0, 1, 0),
        (0, 0, 1),
    ]


def test_forfeit_is_counted_for_the_bot_that_forfeited() -> None:
    record = make_record(bots=("a", "b", "a", "b"), teams=(0, 1, 0, 1), forfeited=(1, 3), faults=(0, 1, 0, 1))
    table = _by_bot(rows_of(record))
    assert [(table[bot].forfeits, table[bot].faults) for bot in "ab"] == [(0, 0), (1, 2)]


def test_search_cost_is_per_turn_acted_where_it_is_reported() -> None:
    silent = make_record("m1", bots=("a", "b"), turns=[{0: "N"}, {1: "N"}])
    answers = [AnswerLine(turn=turn, seat=0, planning_ms=3.0, expanded=10) for turn in (1, 2)]
    talking = make_record("m2", bots=("a", "b"), turns=[{0: "N"}, {0: "N"}, {1: "N"}, {0: "N"}], answers=answers)
    table = _by_bot(rows_of(silent, talking))
    assert (table["a"].planning_ms_per_turn, table["a"].nodes_per_turn) == (2.0, 20 / 3)
    assert (table["b"].planning_ms_per_turn, table["b"].nodes_per_turn) == (None, None)


def test_a_bot_with_a_planner_per_role_shows_both() -> None:
    one = make_record("m1", bots=("a", "b"))
    seats = [*one.header.seats]
    seats[0] = type(seats[0])(bot="a", planner="beam", bot_version="", bot_hash="", team=0, role="heroes")
    two = make_record("m2", bots=("a", "b"), header={"seats": seats})
    assert _by_bot(rows_of(one, two))["a"].planner == "astar+beam"


def test_bots_are_ranked_by_rating_not_by_points() -> None:
    # busy beats only a beginner, and often; strong beats busy once in fewer matches
    rows = rows_of(*duels("busy", "beginner", [1] * 12), *duels("strong", "busy", [1] * 6))
    table = _standings(rows)
    assert [standing.bot for standing in table] == ["strong", "busy", "beginner"]
    assert [standing.points for standing in table] == [6, 12, 0]


def test_equal_ratings_share_a_rank() -> None:
    rows = rows_of(*duels("a", "b", [1, 0]), *duels("a", "c", [1, 1]), *duels("b", "c", [1, 1]))
    assert [(standing.rank, standing.bot) for standing in _standings(rows)] == [(1, "a"), (1, "b"), (3, "c")]


def test_solo_scores_are_ranked_by_mean_returns_without_rating() -> None:
    table = _standings(rows_of(*solo("a", [1, 2, 3, 4, 5]), *solo("b", [11, 12, 13, 14, 15])))
    assert [(one.bot, one.returns_mean, one.points, one.score_pct, one.rating) for one in table] == [
        ("b", 13, None, None, None),
        ("a", 3, None, None, None),
    ]
    assert table[1].returns_low == pytest.approx(1.0367, abs=1e-4)  # 3 - 2.776 * sqrt(2.5 / 5)


def test_solo_interval_needs_five_seeds() -> None:
    table = _by_bot(rows_of(*solo("a", [1, 2, 3, 4])))
    assert (table["a"].returns_low, table["a"].returns_high, table["a"].group) == (None, None, None)


def test_returns_on_one_seed_are_one_value_of_the_interval() -> None:
    records = [make_record(f"m{at}", bots=("a",), returns=(at,), header={"seed": at // 2}) for at in range(8)]
    assert _by_bot(rows_of(*records))["a"].returns_low is None  # eight matches, but four seeds


def test_bots_without_rivals_follow_the_others() -> None:
    table = _standings(rows_of(*duels("a", "b", [1, 1]), *solo("c", [100])))
    assert [(one.rank, one.bot) for one in table] == [(1, "a"), (2, "b"), (3, "c")]


def test_bots_that_no_test_separates_from_the_first_of_a_group_share_it() -> None:
    close = [1, 0] * 5 + [1, 1]
    rows = rows_of(*duels("a", "b", close), *duels("a", "c", [1] * 40), *duels("b", "c", [1] * 40))
    assert [(one.bot, one.group) for one in _standings(rows)] == [("a", 1), ("b", 1), ("c", 3)]


def test_bots_with_few_pairs_are_in_no_group() -> None:
    assert {one.group for one in _standings(rows_of(*duels("a", "b", [1, 1])))} == {None}


def test_order_of_the_rows_does_not_matter() -> None:
    thirds = [
        make_record(
            f"m{at}", bots=("a", "b", "c", "e"), returns=(at % 3, at % 2, 1.5, 0.5 * (at % 5)), answers=[answer]
        )
        for at in range(12)
        for answer in [AnswerLine(turn=1, seat=0, planning_ms=1 / (at + 1))]
    ]
    rows = rows_of(*duels("a", "b", [1, 1, 0, 0.5] * 3), *thirds, *solo("d", [0.1, 0.2, 0.3]))
    expected = _standings(rows)
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert _standings(rows) == expected


def test_standings_from_the_file_are_those_from_memory(tmp_path: Path) -> None:
    records = [*duels("a", "b", [1, 0.5, 0, 1]), *solo("c", [1.25]), make_record("void", counted=False)]
    with TableWriter(tmp_path) as tables:
        rows = [row for record in records for row in tables.add(record)]
    assert make_leaderboard(read_seats(tmp_path), resamples=50).standings == _standings(rows)


def test_no_rows_are_no_standings() -> None:
    assert _standings([]) == ()
    assert _board([]).sentences == ()


def test_a_row_without_returns_is_refused() -> None:
    [first, _] = rows_of(make_record("m1"))
    with pytest.raises(ValueError, match="returns: expected a number in match m1, got nothing"):
        _standings([{**first, "returns": None}])


def test_written_standings_read_back(tmp_path: Path) -> None:
    table = _standings(rows_of(*duels("a", "b", [1, 1, 0.5, 0])))
    write_standings(tmp_path / "standings.csv", table)
    [a, b] = read_rows(tmp_path / "standings.csv")
    assert tuple(a) == STANDINGS.names
    assert (a["rank"], a["bot"], a["points"], a["wins"], a["rating_low"]) == ("1", "a", "2.5", "2", "")
    assert float(b["rating"]) == pytest.approx(table[1].rating, abs=5e-4)
    assert len(b["rating"].partition(".")[2]) <= 3
    assert [path.name for path in tmp_path.iterdir()] == ["standings.csv"]


def test_a_duel_reads_as_people_expect() -> None:
    assert format_leaderboard(_board(rows_of(*duels("a", "b", [1, 1, 0.5, 0])))) == [
        ("#", "bot", "planner", "matches", "W-D-L", "points", "score %", "rating", "faults"),
        ("1", "a", "astar", "4", "2-1-1", "2.5", "62.5", "+41", "0"),
        ("2", "b", "astar", "4", "1-1-2", "1.5", "37.5", "-41", "0"),
    ]


def test_solo_table_shows_returns_in_place_of_a_rating() -> None:
    assert format_leaderboard(_board(rows_of(*solo("a", [1, 2, 3, 4, 5])))) == [
        ("#", "bot", "planner", "seeds", "returns", "median", "IQM", "faults"),
        ("1", "a", "astar", "5", "3 ± 2", "3", "3", "0"),
    ]


def test_rating_is_shown_with_half_its_interval() -> None:
    rows = rows_of(*duels("a", "b", [1, 1, 1, 0] * 5))
    board = _board(rows)
    [heading, a, _] = format_leaderboard(board)
    [one, _] = board.standings
    assert one.rating is not None
    assert one.rating_low is not None
    assert one.rating_high is not None
    half = (one.rating_high - one.rating_low) / 2
    assert a[heading.index("rating")] == f"+{one.rating:.0f} ± {half:.0f}"


def test_printed_table_holds_every_bot_and_its_numbers() -> None:
    printed = _print(rows_of(*duels("gambit", "faithful", [1, 1, 0.5, 0])))
    assert "cup" in printed
    [line] = [line for line in printed.splitlines() if "gambit" in line]
    assert [cell.strip() for cell in line.strip("│ ").split("│")][:5] == ["1", "gambit", "astar", "4", "2-1-1"]


def test_an_empty_tournament_prints() -> None:
    assert isinstance(_print([]), str)


def test_live_table_agrees_with_the_final_one_on_points() -> None:
    records = [*duels("a", "b", [1, 0.5, 0, 1]), *duels("b", "c", [1, 1])]
    live = LiveStandings()
    for record in records:
        live.add(rows_of(record))
    final = _by_bot(rows_of(*records))
    assert len(live.top()) == 3
    for _, one in live.top():
        end = final[one.bot]
        assert (one.matches, one.points, one.wins, one.draws, one.losses) == (
            end.matches,
            end.points,
            end.wins,
            end.draws,
            end.losses,
        )


def test_live_table_ranks_by_points_per_match() -> None:
    live = LiveStandings()
    live.add(rows_of(*duels("a", "b", [1, 1, 1, 0]), duel("c", "d", 1, "m")))
    assert [(rank, one.bot, one.points) for rank, one in live.top()] == [
        (1, "c", 1),
        (2, "a", 3),
        (3, "b", 1),
        (4, "d", 0),
    ]
    assert [one.bot for _, one in live.top(1)] == ["c"]


def test_live_table_of_solo_scores_ranks_by_returns() -> None:
    live = LiveStandings()
    assert live.top() == []
    live.add(rows_of(*solo("a", [1, 2]), *solo("b", [5]), *solo("c", [1.5])))
    assert [(rank, one.bot, one.points, one.returns_mean) for rank, one in live.top()] == [
        (1, "b", None, 5),
        (2, "a", None, 1.5),
        (2, "c", None, 1.5),
    ]


def test_writing_tables_and_counting_live_loads_neither_pandas_nor_rich() -> None:
    code = (
        "import sys, runner.tables.writer, leaderboard.standings, leaderboard.live;"
        "print(sorted({'pandas', 'rich', 'numpy', 'runner.statistics.ratings'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
