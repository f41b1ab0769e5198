"""What tactics alone do without a path: they go as the crow flies, and stay safe."""

from __future__ import annotations

import pytest

from gridjoust.bots.bomber.astar import AStarBomber
from gridjoust.bots.bomber.floor import FloorBomber
from gridjoust.bots.bomber.wanderer import Wanderer
from tests.bots.bomber.seats import MakeBot, answer, followed, played
from tests.games.bomber.scenes import scene

BOTH = pytest.mark.parametrize("make", [FloorBomber, AStarBomber])


@BOTH
def test_it_takes_the_step_towards_ammo_and_bombs_beside_a_block(make: MakeBot) -> None:
    assert answer(scene("a..0..", "######", "1.....", ammo=(0, 3)), make()) == "left"
    assert answer(scene("s0...", "##.##", ".....", "...1.", "....."), make()) == "bomb"


@pytest.mark.parametrize(("make", "ammo"), [(FloorBomber, 0), (AStarBomber, 1)])
def test_a_wall_between_it_and_its_target_holds_up_only_the_bot_without_a_search(make: MakeBot, ammo: int) -> None:
    shown = scene("a.#0.", "..#..", ".....", "#####", "1....", ammo=(0, 0))
    assert followed(make(), shown, ticks=9).player(0).ammo == ammo


@pytest.mark.gate
def test_it_survives_its_own_bombs() -> None:
    own = [played(FloorBomber(), Wanderer(), seed=seed, max_ticks=120).metrics[0] for seed in range(2)]
    assert [(metrics["own_hits"], metrics["ammo_used"] > 0) for metrics in own] == [(0, True)] * 2
