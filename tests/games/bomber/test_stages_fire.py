"""Bombs, fire and what it does: timing to the tick, rays, chains, hits and pay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.bomber.scenes import Scene, rows, scene

BAND = ["............"] * 3
LAID = scene(*BAND, *BAND[:2], ".....0......", *BAND, "...........1").play("bomb wait")  # on (5, 5), in tick 0
BESIDE = LAID.play("down wait", "down wait").wait(32)  # after tick 34, at the tip of the fire, on (5, 7)
OUTSIDE = LAID.play("down wait", "down wait", "right wait").wait(31)  # the same, next to the tip, on (6, 7)


def test_bomb_lies_until_the_end_of_tick_34_and_its_fire_a_tick_longer_and_hp_falls_once() -> None:
    after = {ticks: LAID.wait(ticks) for ticks in (33, 34, 35, 40)}
    found = {ticks: (shown.bombs(), len(shown.state.fires), shown.hp()) for ticks, shown in after.items()}
    assert found == {33: ([(5, 5)], 0, [3, 3]), 34: ([], 9, [3, 3]), 35: ([], 0, [2, 3]), 40: ([], 0, [2, 3])}
    cross = [".....*......"] * 2
    assert after[34].fire_board() == rows(*BAND, *cross, "...*****....", *cross, *BAND[:2])


@pytest.mark.parametrize(
    ("now", "turns", "hp"),
    [
        pytest.param(BESIDE, ["right wait"], 3, id="stepping out in tick 35 is safe"),
        pytest.param(BESIDE, ["wait wait", "right wait"], 2, id="in tick 36 too late"),
        pytest.param(OUTSIDE, ["left wait"], 2, id="stepping in in tick 35 is hit"),
        pytest.param(OUTSIDE, ["wait wait", "left wait"], 3, id="in tick 36 safe"),
        pytest.param(scene("0..1", fires=[(1, 0, 1)]), ["right wait"], 2, id="damage is dealt after the moves"),
    ],
)
def test_step_out_of_and_into_fire(now: Scene, turns: list[str], hp: int) -> None:
    assert now.play(*turns).hp() == [hp, 3]


def test_ray_is_stopped_by_metal_and_by_the_block_that_it_destroys() -> None:
    board = (".......0", ".......1", "..#.....", "...ss...", "........", "........")
    burning = scene(*board, bombs=[(2, 3, 0, 1)]).wait()
    assert burning.fire_board() == rows("........", "........", "..*.....", "****....", "..*.....", "..*.....")
    assert burning.wait().block_board() == rows("........", "........", "..#.....", "....s...", "........", "........")


FIRES: dict[str, tuple[Scene, str]] = {
    "passes players, ammo and treasure": (scene("at.01..", bombs=[(2, 0, 0, 1)]).wait(), "*****.."),
    "reaches as far as the radius": (scene("0.......1", bombs=[(4, 0, 0, 1)], blast_radius=3).wait(), ".*******."),
    "two bombs shield each other": (scene("0.......1", bombs=[(3, 0, 0, 1), (4, 0, 1, 1)]).wait(), ".******.."),
    "a block that died in this tick still stops it": (
        scene("01", ".s", "..", bombs=[(1, 2, 0, 1)], fires=[(1, 1, 0)]).wait(), rows("..", ".*", "**"),
    ),
    "in the tick the bomb is laid, with a timer of one": (scene("0..1", bomb_ticks=1).play("bomb wait"), "***."),
    "in the tick the bomb is laid, on fire": (scene("0...1", fires=[(0, 0, 1)]).play("bomb wait"), "***.."),
}  # fmt: skip


@pytest.mark.parametrize(("after", "fire"), FIRES.values(), ids=FIRES)
def test_fire(after: Scene, fire: str) -> None:
    assert after.fire_board() == fire


def test_shielded_cell_is_reached_by_no_ray_and_fire_acts_in_the_order_its_bombs_were_laid() -> None:
    shielded = scene("0.......1", bombs=[(3, 0, 0, 1), (4, 0, 1, 1)]).wait()
    assert sum(fire.cell == 5 for fire in shielded.state.fires) == 1
    burning = scene("0.........1", bombs=[(8, 0, 1, 1), (3, 0, 0, 1)]).wait()
    assert list(dict.fromkeys(fire.owner for fire in burning.state.fires)) == [1, 0]


def chain_scene(chain: str) -> Scene:
    bombs = [(2, 0, 0, 1), (4, 0, 0, 30), (6, 0, 0, 30)]
    return scene("..........", "..........", "0........1", bombs=bombs, chain=chain)


CHAINS: dict[str, tuple[Scene, str, list[tuple[int, int]]]] = {  # the row's fire, and the bombs left
    "delayed, first link": (chain_scene("delayed").wait(1), "*****.....", [(4, 0), (6, 0)]),
    "delayed, a tick a link": (chain_scene("delayed").wait(2), "..*****...", [(6, 0)]),
    "delayed, last link": (chain_scene("delayed").wait(3), "....*****.", []),
    "instant, all in one tick": (chain_scene("instant").wait(1), "*********.", []),
    "instant, bombs laid earlier too": (
        scene("........", "0......1", bombs=[(4, 0, 0, 30), (2, 0, 0, 1)], chain="instant").wait(), "*******.", [],
    ),
    "instant, not what is out of reach": (
        scene("........", "0......1", bombs=[(2, 0, 0, 1), (5, 0, 0, 30)], chain="instant").wait(),
        "*****...",
        [(5, 0)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("after", "fire", "bombs"), CHAINS.values(), ids=CHAINS)
def test_chain(after: Scene, fire: str, bombs: list[tuple[int, int]]) -> None:
    assert (after.fire_board().split("\n")[0], after.bombs()) == (fire, bombs)


def test_block_behind_a_neighbour_bomb_dies_a_tick_later_and_pays_its_owner() -> None:
    start = scene("....s..", ".......", "0.....1", bombs=[(2, 0, 0, 1), (3, 0, 1, 30)])
    after = [start.wait(ticks) for ticks in (1, 2, 3)]
    assert after[0].fire_board().split("\n")[0] == "****..."
    assert [shown.block_board().split("\n")[0] for shown in after] == ["....s..", "....s..", "......."]
    assert after[2].scores() == [0, 2]


BODY = scene("0.12", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
HITS: dict[str, tuple[Scene, list[int], list[int]]] = {
    "a player between two bombs": (
        scene("0......", "...1...", bombs=[(2, 1, 0, 1), (4, 1, 0, 1)]).wait(2), [3, 1], [50, 0],
    ),
    "the own bomb pays for others only": (
        scene("......", "......", "......", "...01.", bombs=[(2, 3, 0, 1)]).wait(2), [2, 2], [25, 0],
    ),
    "every fire costs one HP": (scene("0.1", fires=[(0, 0, 1)] * 3, hp=[4, 3]).wait(), [1, 3], [0, 75]),
    "past zero too": (scene("0.1", fires=[(0, 0, 1)] * 3, hp=[1, 3]).wait(), [-2, 3], [0, 75]),
    "own fire pays nothing": (scene("0.1", fires=[(0, 0, 0)]).wait(), [2, 3], [0, 0]),
    "hit points are a parameter": (scene("0.1", fires=[(0, 0, 1)], hit_points=4).wait(), [2, 3], [0, 4]),
    "a body is hit no more": (
        BODY.change(fires=scene("0.12", fires=[(0, 0, 1)]).state.fires).wait(), [0, 3, 3], [0, 25, 0],
    ),
    "a bomb of the dead still pays": (
        scene("0.12", bombs=[(1, 0, 0, 2)], fires=[(0, 0, 1)], hp=[1, 3, 3]).wait(3), [0, 2, 2], [50, 25, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("after", "hp", "scores"), HITS.values(), ids=HITS)
def test_fire_hits_players(after: Scene, hp: list[int], scores: list[int]) -> None:
    assert (after.hp(), after.scores()) == (hp, scores)


@pytest.mark.parametrize(
    ("block", "owners", "params", "scores"),
    [
        pytest.param("s", [1], {}, [0, 2], id="soft block"),
        pytest.param("s", [0, 1], {}, [2, 2], id="soft block, two owners"),
        pytest.param("s", [0, 0, 0], {}, [6, 0], id="soft block, three own fires"),
        pytest.param("s", [1, 0, 0], {"double_pay": False}, [0, 2], id="soft block pays the first only"),
        pytest.param("o", [0, 1], {}, [0, 0], id="ore still stands"),
        pytest.param("o", [0, 0, 1], {}, [0, 10], id="ore pays the last hit"),
        pytest.param("o", [0, 1, 0, 1], {}, [10, 10], id="ore in the order abab"),
        pytest.param("o", [0, 0, 1, 1], {}, [0, 20], id="ore in the order aabb"),
        pytest.param("o", [0, 0, 1, 1], {"double_pay": False}, [0, 10], id="ore pays once"),
        pytest.param("s", [1], {"soft_points": 7}, [0, 7], id="soft points"),
        pytest.param("o", [1, 1, 1], {"ore_points": 9}, [0, 9], id="ore points"),
        pytest.param("s", [1], {"soft_hp": 2}, [0, 0], id="soft HP"),
        pytest.param("o", [1], {"ore_hp": 1}, [0, 10], id="ore HP"),
        pytest.param("#", [1] * 9, {}, [0, 0], id="metal stands whatever hits it"),
    ],
)
def test_block_pays_and_is_gone(block: str, owners: list[int], params: dict[str, Any], scores: list[int]) -> None:
    after = scene(f"0.{block}.1", fires=[(2, 0, owner) for owner in owners], **params).wait()
    assert (after.scores(), after.block_board()) == (scores, "....." if any(scores) else f"..{block}..")


def test_ore_hp_last_from_tick_to_tick() -> None:
    worn = scene("0.o.1", fires=[(2, 0, 0), (2, 0, 1)], hidden=False).wait()
    assert worn.view()["ore_hp"] == [1]
    assert worn.change(fires=scene("0.o.1", fires=[(2, 0, 1)]).state.fires).wait().scores() == [0, 10]
