"""Standings as people read them, in a file, in a terminal and while the tournament runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from leaderboard.live import LiveStanding, LiveStandings
from leaderboard.standings import Leaderboard, write_standings
from leaderboard.table import DISPENSABLE, format_leaderboard, leaderboard_table
from leaderboard.wording import NARROW, aligned, decimal, listed, milliseconds, plural, probability, signed, significant
from runner.record.lines import MatchRecord
from runner.tables.columns import STANDINGS, Standing
from runner.tables.text import read_rows
from tests.leaderboard.seats_builder import alone, board_of, in_game, met
from tests.runner.record.records_builder import duel, duels, make_record, rows_of, solo


def _print(board: Leaderboard) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(leaderboard_table(board, title="cup"))
    return capture.get()


def _live(*records: MatchRecord) -> LiveStandings:
    live = LiveStandings()
    for record in records:
        live.add(rows_of(record))
    return live


def test_written_standings_read_back(tmp_path: Path) -> None:
    table = board_of(*duels("a", "b", [1, 1, 0.5, 0])).standings
    write_standings(tmp_path / "standings.csv", table)
    [a, b] = read_rows(tmp_path / "standings.csv")
    assert tuple(a) == STANDINGS.names
    assert (a["rank"], a["bot"], a["points"], a["wins"], a["rating_low"]) == ("1", "a", "2.5", "2", "")
    assert float(b["rating"]) == pytest.approx(table[1].rating, abs=5e-4)
    assert len(b["rating"].partition(".")[2]) <= 3
    assert [path.name for path in tmp_path.iterdir()] == ["standings.csv"]


TABLES = {
    "duels": (
        duels("a", "b", [1, 1, 0.5, 0]),
        [
            ("#", "bot", "planner", "matches", "W-D-L", "points", "score %", "rating", "faults"),
            ("1", "a", "astar", "4", "2-1-1", "2.5", "62.5", "+41", "0"),
            ("2", "b", "astar", "4", "1-1-2", "1.5", "37.5", "-41", "0"),
        ],
    ),
    "returns in place of a rating": (
        solo("a", [1, 2, 3, 4, 5]),
        [
            ("#", "bot", "planner", "seeds", "returns", "median", "IQM", "faults"),
            ("1", "a", "astar", "5", "3 ± 2", "3", "3", "0"),
        ],
    ),
    "unlike games": (
        [*in_game("one", alone(a=[1], b=[2])), *in_game("two", solo("a", [1], prefix="t"))],
        [
            ("#", "bot", "planner", "games", "matches", "beaten %", "behind", "mean place", "one %", "faults"),
            ("1", "b", "astar", "1", "1", "100.0", "", "1.00", "100", "0"),
            ("2", "a", "astar", "2", "2", "0.0", "100.0", "1.50", "0", "0"),
        ],
    ),
    "nobody": ([], []),
}


@pytest.mark.parametrize(("records", "lines"), TABLES.values(), ids=TABLES)
def test_a_table_reads_as_people_expect(records: list[MatchRecord], lines: list[tuple[str, ...]]) -> None:
    board = board_of(*records)
    assert format_leaderboard(board) == lines
    printed = [
        [cell.strip() for cell in line.strip("│┃ ").replace("┃", "│").split("│")] for line in _print(board).splitlines()
    ]
    assert all(list(line) in printed for line in lines)


def test_rating_is_shown_with_half_its_interval_and_likelihoods_are_whole() -> None:
    board = board_of(*duels("a", "b", [1, 1, 1, 0] * 5))
    [heading, a, _] = format_leaderboard(board, without=["W-D-L"])
    one = board.standings[0]
    assert None not in (one.rating, one.rating_low, one.rating_high, one.los_pct)
    half = ((one.rating_high or 0) - (one.rating_low or 0)) / 2
    assert a[heading.index("rating")] == f"+{one.rating:.0f} ± {half:.0f}"
    assert (heading[-2], a[-2]) == ("LOS %", f"{one.los_pct:.0f}")
    assert "W-D-L" not in heading


def test_what_a_narrow_terminal_does_without_comes_in_order() -> None:
    assert (
        *("IQM", "median", "CPU ms/turn", "LOS %", "nodes/turn", "points", "best %", "forfeits", "seeds", "planner"),
        *("behind", "mean rank", "mean place", "W-D-L"),
    ) == DISPENSABLE


def test_live_table_agrees_with_the_final_one_on_points() -> None:
    def counts(one: LiveStanding | Standing) -> tuple[object, ...]:
        return one.bot, one.matches, one.points, one.wins, one.draws, one.losses

    records = met(ab=[1, 0.5, 0, 1], bc=[1, 1])
    live, final = [counts(one) for _, one in _live(*records).top()], map(counts, board_of(*records).standings)
    assert len(live) == 3
    assert set(live) == set(final)


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
        milliseconds,
        {0.994: "0.994 ms", 0.995: "0.99 ms", 9.994: "9.99 ms", 9.995: "10.0 ms", 99.94: "99.9 ms", 99.95: "100 ms"}
        | {9999.0: "9,999 ms", 10_000: "10 s", 12_340.0: "12.3 s"},
    ),
    "decimal": (decimal, {1234.56: "1,234.6", -0.25: "−0.2", -0.04: "0", 3.0: "3", 10.0: "10"}),
    "signed": (signed, {112.4: "+112", -7.5: "−8", 0.2: "0", -1234.0: "−1,234"}),
    "significant": (significant, {0.01234: "0.0123", 123.4: "123", 12345.6: "12,346", 1.0: "1", 0.1: "0.1", 0: "0"}),
    "probability": (probability, {0.0009: "< 0.001", 0.001: "= 0.001", 0.0324: "= 0.032"}),
    "aligned": (
        aligned,
        {
            (): [],
            (4.47, 3.5, 10): ["4.5", "3.5", "10.0"],
            (0.25, -0.001): ["0.25", "0.00"],
            (3.0, -12.0): ["3", "−12"],
            (1.9412, 1.943): ["1.9412", "1.9430"],
            (0.0995,): ["0.10"],
            (0.0994,): ["0.0994"],
        },
    ),
    "listed": (
        lambda names: listed(names.split()),
        {
            "": "nobody",
            "a": "a",
            "a b": "a and b",
            "a b c d e": "a, b, c, d and e",
            "a b c d e f": "a, b, c, d and 2 others",
        },
    ),
    "counted": (lambda count: plural(count, "match"), {0: "0 matches", 1: "1 match", 1000: "1,000 matches"}),
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
        "import sys, runner.tables.writer, leaderboard.standings, leaderboard.live;"
        "print(sorted({'pandas', 'rich', 'numpy', 'runner.statistics.ratings'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
