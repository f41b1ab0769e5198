"""What the public and the omniscient see, redealt states, and codes."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from games.navigation import Navigation
from games.navigation.board import MOVES
from games.navigation.search import is_reachable
from tests.games.navigation.scenes import scene


def test_the_public_sees_a_known_board_and_all_robots() -> None:
    shown = scene("0#", ".a").play("S")
    assert shown.game.public_view(shown.state) == {
        "step": 1,
        "size": [2, 2],
        "rows": [".@", ".."],
        "robots": [{"seat": 0, "status": "walking", "cost": 1, "steps": 1, "position": [0, 1], "goal": [1, 1]}],
    }


def test_of_an_unknown_one_it_sees_what_a_single_seat_has_seen() -> None:
    shown = scene("0#.", "..a", knowledge="unknown")
    assert shown.game.public_view(shown.state)["rows"] == [".@?", "..?"]


def test_of_several_seats_on_an_unknown_map_it_learns_no_place() -> None:
    shown = scene("0#.", "..a", knowledge="unknown", seats=2)
    assert shown.game.public_view(shown.state) == {
        "step": 0,
        "size": [3, 2],
        "robots": [{"seat": seat, "status": "walking", "cost": 0, "steps": 0} for seat in (0, 1)],
    }


def test_large_boards_are_left_out_of_the_public_view() -> None:
    large, small = (Navigation({"width": width, "height": 64}) for width in (65, 64))
    assert large.public_view(large.initial_state(1))["rows"] is None
    assert len(small.public_view(small.initial_state(1))["rows"]) == 64


def test_the_omniscient_see_the_true_board() -> None:
    shown = scene("0#.", "..a", knowledge="unknown")
    assert shown.game.render(shown.state) == "step 0\n0@.\n..a\nseat 0: walking at (0, 0), cost 0"


def test_what_a_seat_is_told_of_itself() -> None:
    view = scene("0.a").play("E").view()
    assert {key: view[key] for key in ("step", "seat", "position", "goal", "status", "cost", "steps")} == {
        "step": 1,
        "seat": 0,
        "position": [1, 0],
        "goal": [2, 0],
        "status": "walking",
        "cost": 1,
        "steps": 1,
    }


def test_a_redeal_draws_the_unseen_cells_anew() -> None:
    game = Navigation({"knowledge": "unknown", "density": 0.4})
    state = game.initial_state(1)
    drawn = {game.redeal(state, 0, random.Random(seed)).board for seed in range(5)}
    assert len(drawn) == 5


def test_a_redeal_keeps_a_promised_way() -> None:
    game = Navigation({"knowledge": "unknown", "density": 0.4, "width": 10, "height": 10})
    for seed in range(20):
        state = game.initial_state(seed)
        twin = game.redeal(state, 0, random.Random(seed))
        assert is_reachable(twin.board, MOVES["8"], twin.robots[0].cell, twin.robots[0].goal)


@pytest.mark.parametrize("change", [{"step": 5}, {"mover": 1}, {"seed": 2}])
def test_every_field_is_in_the_code(change: dict[str, int]) -> None:
    shown = scene("0.", ".a")
    other = replace(shown.state, **change)  # type: ignore[arg-type]
    assert shown.game.encode(other) != shown.game.encode(shown.state)


@pytest.mark.parametrize(
    "change", [{"cell": 1}, {"waits": 1}, {"turns": 1}, {"memory": b"\2\1\1\1"}, {"news": ((1, True),)}, {"goal": 2}]
)
def test_every_field_of_a_robot_is_in_the_code(change: dict[str, object]) -> None:
    shown = scene("0.", ".a", knowledge="unknown")
    robot = shown.robot()._replace(**change)  # type: ignore[arg-type]
    other = replace(shown.state, robots=(robot,))
    assert shown.game.encode(other) != shown.game.encode(shown.state)


def test_what_is_left_of_a_path_is_in_the_code() -> None:
    one = scene("0....a", batch=True, seats=2).play("path E E")
    other = scene("0....a", batch=True, seats=2).play("path E E E")
    assert one.game.encode(one.state) != other.game.encode(other.state)


def test_the_game_loads_without_numpy() -> None:
    code = "import sys, games.navigation; sys.exit('numpy' in sys.modules)"
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=root).returncode == 0
