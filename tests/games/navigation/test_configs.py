"""The tournaments that come with navigation."""

from __future__ import annotations

from pathlib import Path

import pytest

import bots
import games
from games.navigation.board import MOVES
from games.navigation.movingai import check_fits, parse_map, parse_scen
from games.navigation.search import shortest
from runner.config.load import load_tournament
from runner.schedule import count_matches

CONFIGS = Path(__file__).parents[3] / "configs"
CLASSES = {"astar": "AStar", "dstar_lite": "DStarLite", "dijkstra_map": "DijkstraMapBot", "beam": "Beam"}


@pytest.mark.parametrize(("name", "expected"), [("navigation", 120), ("navigation-traffic", 24)])
def test_configs_load(name: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, "navigation", "games.navigation:Navigation")
    for planner, class_name in CLASSES.items():
        monkeypatch.setitem(bots.BOTS, f"navigation/{planner}", f"bots.navigation.{planner}:{class_name}")
    assert count_matches(load_tournament(CONFIGS / f"{name}.yaml")) == expected


@pytest.mark.parametrize("name", ["random-32", "rooms-32", "maze-32"])
def test_the_queries_of_their_maps_have_the_lengths_they_say(name: str) -> None:
    head, _, tail = (CONFIGS / "navigation-maps" / f"{name}.map").read_text().partition("version")
    board, rows = parse_map(head), parse_scen("version" + tail)
    assert len(rows) == 10
    for row in rows:
        check_fits(row, board)
        length = shortest(board, MOVES["8"], board.number(*row.start), board.number(*row.goal))
        assert length is not None
        assert MOVES["8"].cost(*length) == pytest.approx(row.length)
