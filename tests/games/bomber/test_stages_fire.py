"""Bombs, fire and what it does: timing to the tick, rays, chains, hits and pay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.bomber.scenes import Scene, rows, scene


def lay_and_leave() -> Scene:
    """The state after tick 0, in which seat 0 laid a bomb on (5, 5) of an open board."""
    board = ["............" for _ in range(10)]
    board[5], board[9] = ".....0......", "...........1"
    return scene(*board).play("bomb wait")


def test_bomb_lies_until_the_end_of_tick_34_and_its_fire_until_the_end_of_tick_35() -> None:
    after = {ticks: lay_and_leave().wait(ticks) for ticks in (33, 34, 35)}
    assert {ticks: shown.bombs() for ticks, shown in after.items()} == {33: [(5, 5)], 34: [], 35: []}
    assert {ticks: len(shown.state.fires) for ticks, shown in after.items()} == {33: 0, 34: 9, 35: 0}


def test_fire_of_an_open_board_is_a_cross_at_the_end_of_tick_34() -> None:
    assert lay_and_leave().wait(34).fire_board() == rows(
        "............",
        "............",
        "............",
        ".....*......",
        ".....*......",
        "...*****....",
        ".....*......",
        ".....*......",
        "............",
        "............",
    )


def test_hp_falls_in_tick_35_and_only_then() -> None:
    assert [lay_and_leave().wait(ticks).hp() for ticks in (34, 35, 40)] == [[3, 3], [2, 3], [2, 3]]


def beside_the_fire() -> Scene:
    """The state after tick 34: the bomb of tick 0 has just made fire, seat 0 stands at the tip of it, on (5, 7)."""
    return lay_and_leave().play("down wait", "down wait").wait(32)


def test_stepping_out_in_tick_35_is_safe_and_in_tick_36_too_late() -> None:
    assert beside_the_fire().play("right wait").hp() == [3, 3]
    assert beside_the_fire().wait().play("right wait").hp() == [2, 3]


def outside_the_fire() -> Scene:
    """The state after tick 34 with seat 0 next to the tip of the fire, on (6, 7)."""
    return lay_and_leave().play("down wait", "down wait", "right wait").wait(31)


def test_stepping_in_in_tick_35_is_hit_and_in_tick_36_safe() -> None:
    assert outside_the_fire().play("left wait").hp() == [2, 3]
    assert outside_the_fire().wait().play("left wait").hp() == [3, 3]


def test_bomb_with_a_timer_of_one_tick_makes_fire_in_the_tick_it_is_laid() -> None:
    assert scene("0..1", bomb_ticks=1).play("bomb wait").fire_board() == "***."


def test_block_that_dies_stops_the_ray_and_so_does_metal() -> None:
    burning = scene(
        ".......0",
        ".......1",
        "..#.....",
        "...ss...",
        "........",
        "........",
        bombs=[(2, 3, 0, 1)],
    ).wait()
    assert burning.fire_board() == rows(
        "........",
        "........",
        "..*.....",
        "****....",
        "..*.....",
        "..*.....",
    )


def test_ray_destroys_one_block_at_most() -> None:
    burnt = scene(".....01", "..#....", "...ss..", ".......", bombs=[(2, 2, 0, 1)]).wait(2)
    assert burnt.block_board() == rows(".......", "..#....", "....s..", ".......")


def test_metal_stands_whatever_hits_it() -> None:
    assert scene("0.#.1", fires=[(2, 0, 0)] * 9).wait().block_board() == "..#.."


@pytest.mark.parametrize(
    ("row", "bombs", "radius", "fire"),
    [
        pytest.param("at.01..", [(2, 0, 0, 1)], 2, "*****..", id="passes players, ammo and treasure"),
        pytest.param("0.......1", [(4, 0, 0, 1)], 3, ".*******.", id="reaches as far as the radius"),
        pytest.param("0.......1", [(3, 0, 0, 1), (4, 0, 1, 1)], 2, ".******..", id="two bombs shield each other"),
    ],
)
def test_fire_of_bombs_in_a_row(row: str, bombs: list[tuple[int, int, int, int]], radius: int, fire: str) -> None:
    assert scene(row, bombs=bombs, blast_radius=radius).wait().fire_board() == fire


def test_shielded_cell_is_reached_by_no_ray_of_the_bomb_behind() -> None:
    burning = scene("0.......1", bombs=[(3, 0, 0, 1), (4, 0, 1, 1)]).wait()
    assert sum(fire.cell == 5 for fire in burning.state.fires) == 1


def test_block_that_died_in_this_tick_still_stops_fire() -> None:
    burning = scene("01", ".s", "..", bombs=[(1, 2, 0, 1)], fires=[(1, 1, 0)]).wait()
    assert burning.fire_board() == rows("..", ".*", "**")


def test_block_that_died_is_gone_at_the_end_of_the_tick() -> None:
    assert scene("0.s.1", fires=[(2, 0, 0)]).wait().block_board() == "....."


def test_fire_acts_in_the_order_its_bombs_were_laid() -> None:
    burning = scene("0.........1", bombs=[(8, 0, 1, 1), (3, 0, 0, 1)]).wait()
    assert list(dict.fromkeys(fire.owner for fire in burning.state.fires)) == [1, 0]


def chain_scene(chain: str) -> Scene:
    bombs = [(2, 2, 0, 1), (4, 2, 0, 30), (6, 2, 0, 30)]
    return scene("..........", "..........", "..........", "..........", "0........1", bombs=bombs, chain=chain)


@pytest.mark.parametrize(("ticks", "fire"), [(1, "*****....."), (2, "..*****..."), (3, "....*****.")])
def test_delayed_chain_runs_one_tick_a_link(ticks: int, fire: str) -> None:
    assert chain_scene("delayed").wait(ticks).fire_board().split("\n")[2] == fire


def test_delayed_chain_keeps_the_bombs_not_yet_reached() -> None:
    assert chain_scene("delayed").wait(1).bombs() == [(4, 2), (6, 2)]


def test_instant_chain_makes_all_fire_in_one_tick_and_leaves_no_bomb() -> None:
    burning = chain_scene("instant").wait(1)
    assert (burning.fire_board().split("\n")[2], burning.bombs()) == ("*********.", [])


def test_instant_chain_reaches_bombs_laid_earlier_too() -> None:
    bombs = [(4, 0, 0, 30), (2, 0, 0, 1)]
    shown = scene("........", "0......1", bombs=bombs, chain="instant")
    assert (len(shown.bombs()), shown.wait().bombs()) == (2, [])


def test_bomb_out_of_reach_of_the_chain_stays() -> None:
    bombs = [(2, 0, 0, 1), (5, 0, 0, 30)]
    assert scene("........", "0......1", bombs=bombs, chain="instant").wait().bombs() == [(5, 0)]


def neighbour_bombs() -> Scene:
    """A bomb about to fire, a bomb of seat 1 beside it, and a soft block behind that one."""
    return scene(".......", ".......", "....s..", "0.....1", bombs=[(2, 2, 0, 1), (3, 2, 1, 30)])


def test_block_behind_a_neighbour_bomb_dies_a_tick_later_and_pays_its_owner() -> None:
    after = [neighbour_bombs().wait(ticks) for ticks in (1, 2, 3)]
    assert after[0].fire_board().split("\n")[2] == "****..."
    assert [shown.block_board().split("\n")[2] for shown in after] == ["....s..", "....s..", "......."]
    assert after[2].scores() == [0, 2]


def test_bomb_laid_on_a_burning_cell_makes_fire_in_the_same_tick() -> None:
    assert scene("0...1", fires=[(0, 0, 1)]).play("bomb wait").fire_board() == "***.."


@pytest.mark.parametrize(
    ("board", "bombs", "hp", "scores"),
    [
        pytest.param(("0......", "...1..."), [(2, 1, 0, 1), (4, 1, 0, 1)], [3, 1], [50, 0], id="between two bombs"),
        pytest.param(("......", "......", "......", "...01."), [(2, 3, 0, 1)], [2, 2], [25, 0], id="own bomb"),
    ],
)
def test_bombs_hit_whom_they_reach_and_pay_for_others_only(
    board: tuple[str, ...], bombs: list[tuple[int, int, int, int]], hp: list[int], scores: list[int]
) -> None:
    hit = scene(*board, bombs=bombs).wait(2)
    assert (hit.hp(), hit.scores()) == (hp, scores)


@pytest.mark.parametrize(
    ("owners", "hp", "hp_left", "scores"),
    [
        pytest.param([1, 1, 1], 4, 1, [0, 75], id="every fire costs one HP"),
        pytest.param([1, 1, 1], 1, -2, [0, 75], id="past zero too"),
        pytest.param([0], 3, 2, [0, 0], id="own fire pays nothing"),
    ],
)
def test_fires_on_a_player(owners: list[int], hp: int, hp_left: int, scores: list[int]) -> None:
    hit = scene("0.1", fires=[(0, 0, owner) for owner in owners], hp=[hp, 3]).wait()
    assert (hit.hp(), hit.scores()) == ([hp_left, 3], scores)


def test_body_is_hit_no_more() -> None:
    dead = scene("0.12", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    again = dead.change(fires=dead.state.fires + scene("0.12", fires=[(0, 0, 1)]).state.fires).wait()
    assert (again.hp(), again.scores()) == ([0, 3, 3], [0, 25, 0])


def test_bomb_of_a_dead_player_still_pays_it() -> None:
    dead = scene("0.12", bombs=[(1, 0, 0, 2)], fires=[(0, 0, 1)], hp=[1, 3, 3]).wait(3)
    assert dead.scores() == [50, 25, 0]


def test_damage_is_dealt_after_the_moves_of_its_tick() -> None:
    assert scene("0..1", fires=[(1, 0, 1)]).play("right wait").hp() == [2, 3]


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
    ],
)
def test_block_pays(block: str, owners: list[int], params: dict[str, Any], scores: list[int]) -> None:
    assert scene(f"0.{block}.1", fires=[(2, 0, owner) for owner in owners], **params).wait().scores() == scores


def test_hit_points_are_a_parameter() -> None:
    assert scene("0.1", fires=[(0, 0, 1)], hit_points=4).wait().scores() == [0, 4]


def test_ore_hp_last_from_tick_to_tick() -> None:
    worn = scene("0.o.1", fires=[(2, 0, 0), (2, 0, 1)], hidden=False).wait()
    assert worn.view()["ore_hp"] == [1]
    last_hit = scene("0.o.1", fires=[(2, 0, 1)]).state.fires
    assert worn.change(fires=last_hit).wait().scores() == [0, 10]
