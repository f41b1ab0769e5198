"""What was not chosen, beside what was: the queries that are drawn, and whether both ways find the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridjoust.planners import SearchGrid
from study import unchosen


def test_queries_have_a_path_of_five_steps_or_more() -> None:
    grid = SearchGrid(9, 9, blocked=[40])
    queries = unchosen.solvable(grid, random.Random(1), 4)
    assert len(queries) == 4
    for start, goal, length in queries:
        assert length >= max(5, abs(start % 9 - goal % 9) + abs(start // 9 - goal // 9))


@pytest.mark.parametrize(("is_right", "wrong"), [(True, 0), (False, 2)])
def test_maps_that_differ_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_right: bool, wrong: int
) -> None:
    monkeypatch.setattr(unchosen, "BOARDS", ((6, 5, 1),))
    if not is_right:
        monkeypatch.setattr(unchosen, "scan_board", lambda board, goals, maximum: np.zeros(board.shape))
    assert unchosen.print_dijkstra_maps() == wrong
    rows = [line.split(" | ")[0].strip("| ") for line in capsys.readouterr().out.splitlines()[5:]]
    assert rows == ["6 x 5, random 0%", "6 x 5, random 20%"]
