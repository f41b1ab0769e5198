"""What the benchmark of ricochet's planners takes down of a run."""

from __future__ import annotations

import pytest

from gridjoust.games.ricochet.tiles import PLAIN_FACES
from study.ricochet import draw_positions, main, run_planner


def test_the_first_solution_comes_before_the_planner_is_done() -> None:
    runs = [run_planner("beam", each, max_states=None) for each in draw_positions(5, seed=1, faces=PLAIN_FACES)]
    assert all(run.first_ms is not None and 0 < run.first_ms <= run.cpu_ms for run in runs)


def test_there_is_no_first_solution_where_none_is_found() -> None:
    [position] = draw_positions(1, seed=1, faces=PLAIN_FACES)
    run = run_planner("bfs", position, max_states=1)
    assert (run.moves, run.first_ms) == (None, None)


def test_the_table_has_a_column_for_the_first_bid(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--boards", "5", "--baseline", "2"])
    head, row, *_ = capsys.readouterr().out.splitlines()
    assert (head.split()[7:11], row.split()[0]) == (["first", "its", "p95", "expanded"], "astar")
