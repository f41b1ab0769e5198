"""Step 1 of a tick: what each action does, what keeps it from doing so, and who goes first."""

from __future__ import annotations

import pytest

from tests.games.bomber.scenes import Scene, scene

SEEDS = range(400)


@pytest.mark.parametrize(("action", "place"), [("up", (1, 0)), ("down", (1, 2)), ("left", (0, 1)), ("right", (2, 1))])
def test_move_goes_one_cell_and_up_is_up_on_the_screen(action: str, place: tuple[int, int]) -> None:
    after = scene("....", ".0..", "...1").play(f"{action} wait")
    assert after.position(0) == place


@pytest.mark.parametrize("action", ["up", "down", "left", "right"])
def test_move_off_the_board_is_without_effect(action: str) -> None:
    start = {"up": ("0.1", "..."), "left": ("0.1", "..."), "down": ("...", "1.0"), "right": ("...", "1.0")}[action]
    before = scene(*start)
    assert before.play(f"{action} wait").state.players == before.state.players


@pytest.mark.parametrize("row", ["0#1", "0s1", "0o1", "01."])
def test_blocks_and_opponents_keep_players_out(row: str) -> None:
    assert scene(row).play("right wait").position(0) == (0, 0)


def test_bomb_and_body_keep_players_out() -> None:
    assert scene("0.1", bombs=[(1, 0, 1, 20)]).play("right wait").position(0) == (0, 0)
    dying = scene("012..", fires=[(1, 0, 2)], hp=[3, 1, 3]).wait()
    assert dying.play("right wait").position(0) == (0, 0)


@pytest.mark.parametrize("thing", "at")
def test_ammo_and_treasure_let_players_in(thing: str) -> None:
    assert scene(f"0{thing}1").play("right wait").position(0) == (1, 0)


def test_wait_changes_nothing_about_the_players() -> None:
    before = scene("0.1")
    assert before.play("wait wait").state.players == before.state.players


def test_bomb_lies_on_the_cell_of_who_lays_it_and_costs_one_ammo() -> None:
    laid = scene("..0.1", ammo=[3, 3]).play("bomb wait")
    assert (laid.bombs(), laid.player(0).ammo) == ([(2, 0)], 2)


def test_bomb_without_ammo_is_without_effect() -> None:
    assert [scene("0.1", ammo=[ammo, 3]).play("bomb wait").bombs() for ammo in (0, 1)] == [[], [(0, 0)]]


def test_bomb_on_a_bomb_is_without_effect() -> None:
    after = scene("0.1").play("bomb wait", "bomb wait")
    assert (after.bombs(), after.player(0).ammo) == ([(0, 0)], 2)


def test_player_leaves_the_bomb_it_stands_on_and_cannot_come_back() -> None:
    left = scene("0..1").play("bomb wait", "right wait")
    assert (left.position(0), left.play("left wait").position(0)) == ((1, 0), (1, 0))


def test_three_ammo_make_three_bombs_and_no_fourth() -> None:
    after = scene("0.....1").play(*["bomb wait", "right wait"] * 3, "bomb wait")
    assert (after.bombs(), after.player(0).ammo) == ([(0, 0), (1, 0), (2, 0)], 0)


def _shares(*lines: str, actions: str, counted: tuple[int, int]) -> int:
    """In how many seeds seat 0 ends up on the counted cell."""
    return sum(scene(*lines, seed=seed).play(actions).position(0) == counted for seed in SEEDS)


def test_shuffled_swap_never_works() -> None:
    moved = {tuple(scene(".01.", seed=seed).play("right left").positions()) for seed in SEEDS}
    assert moved == {((1, 0), (2, 0))}


def test_shuffled_following_works_in_about_half_of_the_seeds() -> None:
    assert 150 <= _shares("01.", actions="right right", counted=(1, 0)) <= 250  # 5 standard deviations


def test_shuffled_follower_never_stops_who_goes_ahead() -> None:
    assert all(scene("01.", seed=seed).play("right right").position(1) == (2, 0) for seed in SEEDS)


def test_shuffled_contested_cell_goes_to_exactly_one_and_to_each_in_about_half_of_the_seeds() -> None:
    assert 150 <= _shares("0.1", actions="right left", counted=(1, 0)) <= 250
    moved = {tuple(scene("0.1", seed=seed).play("right left").positions()) for seed in SEEDS}
    assert moved == {((1, 0), (2, 0)), ((0, 0), (1, 0))}


def test_bombs_of_one_tick_are_laid_in_the_drawn_order() -> None:
    owners = [scene("0.1", seed=seed).play("bomb bomb").state.bombs[0].owner for seed in SEEDS]
    assert 150 <= sum(owners) <= 250


def test_order_is_drawn_anew_every_tick() -> None:
    def winners(seed: int) -> list[bool]:
        now: Scene = scene("0.1", seed=seed)
        wins = []
        for _ in range(12):
            now = now.play("right left")
            wins.append(now.position(0) == (1, 0))
            now = now.play("left wait" if wins[-1] else "wait right")
        return wins

    assert all(len(set(winners(seed))) == 2 for seed in range(5))


@pytest.mark.parametrize(
    ("board", "actions", "places"),
    [
        pytest.param(("0.1",), "right left", [(0, 0), (2, 0)], id="a contest bounces both"),
        pytest.param((".01.",), "right left", [(1, 0), (2, 0)], id="a swap bounces both"),
        pytest.param(("01.",), "right right", [(1, 0), (2, 0)], id="following works"),
        pytest.param(("01.2",), "right right left", [(0, 0), (1, 0), (3, 0)], id="behind a bounced player"),
        pytest.param(("01#",), "right right", [(0, 0), (1, 0)], id="behind a blocked player"),
        pytest.param(("01", "32"), "right down left up", [(1, 0), (1, 1), (0, 1), (0, 0)], id="a round of four turns"),
        pytest.param(("01.",), "right bomb", [(0, 0), (1, 0)], id="who lays a bomb keeps its cell"),
    ],
)
def test_simultaneous_moves(board: tuple[str, ...], actions: str, places: list[tuple[int, int]]) -> None:
    assert scene(*board, move_order="simultaneous").play(actions).positions() == places


def test_simultaneous_bombs_are_laid_in_a_drawn_order() -> None:
    scenes = (scene("0.1", seed=seed, move_order="simultaneous") for seed in SEEDS)
    assert 150 <= sum(now.play("bomb bomb").state.bombs[0].owner for now in scenes) <= 250
