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


def test_bomb_is_seen_up_to_the_state_after_tick_33() -> None:
    assert lay_and_leave().wait(33).bombs() == [(5, 5)]


def test_bomb_is_gone_after_tick_34() -> None:
    assert [len(lay_and_leave().wait(ticks).bombs()) for ticks in (33, 34)] == [1, 0]


def test_no_fire_before_the_end_of_tick_34() -> None:
    assert [bool(lay_and_leave().wait(ticks).state.fires) for ticks in (33, 34)] == [False, True]


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


def test_fire_is_gone_at_the_end_of_tick_35() -> None:
    assert [bool(lay_and_leave().wait(ticks).state.fires) for ticks in (34, 35)] == [True, False]


def test_hp_has_not_fallen_at_the_end_of_tick_34() -> None:
    assert lay_and_leave().wait(34).hp() == [3, 3]


def test_hp_falls_in_tick_35() -> None:
    assert lay_and_leave().wait(35).hp() == [2, 3]


def test_hp_falls_only_once() -> None:
    assert lay_and_leave().wait(40).hp() == [2, 3]


def beside_the_fire() -> Scene:
    """The state after tick 34: the bomb of tick 0 has just made fire, seat 0 stands at the tip of it, on (5, 7)."""
    return lay_and_leave().play("down wait", "down wait").wait(32)


def test_stepping_out_in_tick_35_is_safe() -> None:
    assert beside_the_fire().play("right wait").hp() == [3, 3]


def test_stepping_out_in_tick_36_is_too_late() -> None:
    assert beside_the_fire().wait().play("right wait").hp() == [2, 3]


def outside_the_fire() -> Scene:
    """The state after tick 34 with seat 0 next to the tip of the fire, on (6, 7)."""
    return lay_and_leave().play("down wait", "down wait", "right wait").wait(31)


def test_stepping_in_in_tick_35_is_hit() -> None:
    assert outside_the_fire().play("left wait").hp() == [2, 3]


def test_stepping_in_in_tick_36_is_safe() -> None:
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


def test_fire_passes_players_ammo_and_treasure() -> None:
    assert scene("at.01..", bombs=[(2, 0, 0, 1)]).wait().fire_board() == "*****.."


def test_blast_radius_is_a_parameter() -> None:
    assert scene("0.......1", bombs=[(4, 0, 0, 1)], blast_radius=3).wait().fire_board() == ".*******."


def test_two_bombs_running_out_together_shield_each_other() -> None:
    assert scene("0.......1", bombs=[(3, 0, 0, 1), (4, 0, 1, 1)]).wait().fire_board() == ".******.."


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


def test_instant_chain_makes_all_fire_in_one_tick() -> None:
    assert chain_scene("instant").wait(1).fire_board().split("\n")[2] == "*********."


def test_instant_chain_leaves_no_bomb() -> None:
    left = [chain_scene(chain).wait(1).bombs() for chain in ("instant", "delayed")]
    assert [bool(bombs) for bombs in left] == [False, True]


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


def test_bomb_stops_the_fire_of_its_neighbour() -> None:
    assert neighbour_bombs().wait(1).fire_board().split("\n")[2] == "****..."


def test_block_behind_a_neighbour_bomb_still_stands_after_tick_1() -> None:
    assert neighbour_bombs().wait(2).block_board().split("\n")[2] == "....s.."


def test_block_behind_a_neighbour_bomb_dies_in_tick_2_and_pays_its_owner() -> None:
    burnt = neighbour_bombs().wait(3)
    assert (burnt.block_board().split("\n")[2], burnt.scores()) == (".......", [0, 2])


def test_bomb_laid_on_a_burning_cell_makes_fire_in_the_same_tick() -> None:
    assert scene("0...1", fires=[(0, 0, 1)]).play("bomb wait").fire_board() == "***.."


def test_victim_between_two_enemy_bombs_loses_two_hp_and_pays_fifty() -> None:
    hit = scene("0......", "...1...", bombs=[(2, 1, 0, 1), (4, 1, 0, 1)]).wait(2)
    assert (hit.hp(), hit.scores()) == ([3, 1], [50, 0])


def test_one_bomb_hits_two_players_and_pays_for_the_other_only() -> None:
    hit = scene("......", "......", "......", "...01.", bombs=[(2, 3, 0, 1)]).wait(2)
    assert (hit.hp(), hit.scores()) == ([2, 2], [25, 0])


def test_three_fires_on_a_player_cost_three_hp() -> None:
    assert scene("0.1", fires=[(0, 0, 1)] * 3, hp=[4, 3]).wait().hp() == [1, 3]


def test_all_fires_count_past_zero_hp() -> None:
    hit = scene("0.1", fires=[(0, 0, 1)] * 3, hp=[1, 3]).wait()
    assert (hit.hp(), hit.scores()) == ([-2, 3], [0, 75])


def test_own_fire_pays_nothing() -> None:
    assert scene("0.1", fires=[(0, 0, 0)]).wait().scores() == [0, 0]


def test_body_is_hit_no_more() -> None:
    dead = scene("0.12", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    again = dead.change(fires=dead.state.fires + scene("0.12", fires=[(0, 0, 1)]).state.fires).wait()
    assert (again.hp(), again.scores()) == ([0, 3, 3], [0, 25, 0])


def test_bomb_of_a_dead_player_still_pays_it() -> None:
    dead = scene("0.12", bombs=[(1, 0, 0, 2)], fires=[(0, 0, 1)], hp=[1, 3, 3]).wait(3)
    assert dead.scores() == [50, 25, 0]


def test_damage_is_dealt_after_the_moves_of_its_tick() -> None:
    assert scene("0..1", fires=[(1, 0, 1)]).play("right wait").hp() == [2, 3]


def pay(block: str, owners: list[int], **params: Any) -> list[int]:
    return scene(f"0.{block}.1", fires=[(2, 0, owner) for owner in owners], **params).wait().scores()


def test_soft_block_pays_two() -> None:
    assert pay("s", [1]) == [0, 2]


def test_soft_block_hit_by_two_owners_pays_both() -> None:
    assert pay("s", [0, 1]) == [2, 2]


def test_soft_block_hit_by_three_own_fires_pays_six() -> None:
    assert pay("s", [0, 0, 0]) == [6, 0]


def test_soft_block_pays_the_first_fire_only_without_double_pay() -> None:
    assert pay("s", [1, 0, 0], double_pay=False) == [0, 2]


def test_ore_hit_by_two_fires_pays_nothing() -> None:
    assert pay("o", [0, 1]) == [0, 0]


def test_ore_hit_by_two_fires_has_one_hp_left() -> None:
    after = scene("0.o.1", fires=[(2, 0, 0), (2, 0, 1)], hidden=False).wait()
    assert after.game.observation(after.state, 0)["ore_hp"] == [1]


def test_ore_pays_ten_to_the_owner_of_the_last_hit() -> None:
    assert pay("o", [0, 0, 1]) == [0, 10]


def test_ore_hp_last_from_tick_to_tick() -> None:
    worn = scene("0.o.1", fires=[(2, 0, 0)] * 2).wait()
    assert worn.change(fires=worn.state.fires + scene("0.o.1", fires=[(2, 0, 1)]).state.fires).wait().scores() == [
        0,
        10,
    ]


def test_ore_hit_in_the_order_abab_pays_ten_to_each() -> None:
    assert pay("o", [0, 1, 0, 1]) == [10, 10]


def test_ore_hit_in_the_order_aabb_pays_twenty_to_the_second() -> None:
    assert pay("o", [0, 0, 1, 1]) == [0, 20]


def test_ore_pays_once_without_double_pay() -> None:
    assert pay("o", [0, 0, 1, 1], double_pay=False) == [0, 10]


def test_points_are_parameters() -> None:
    assert pay("s", [1], soft_points=7) == [0, 7]
    assert pay("o", [1, 1, 1], ore_points=9) == [0, 9]
    assert scene("0.1", fires=[(0, 0, 1)], hit_points=4).wait().scores() == [0, 4]


def test_soft_hp_and_ore_hp_are_parameters() -> None:
    assert pay("s", [1], soft_hp=2) == [0, 0]
    assert pay("o", [1], ore_hp=1) == [0, 10]
