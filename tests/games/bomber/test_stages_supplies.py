"""Ammo and treasure: taking, perishing, coming back, and where they may come."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.bomber.state import Token
from tests.games.bomber.scenes import Scene, scene


def with_perishing_token(now: Scene, *, tick: int = 0) -> Scene:
    return now.change(ammo=tuple(Token(token.cell, tick) for token in now.state.ammo))


def test_ammo_token_gives_one_ammo() -> None:
    after = scene("0a1", ammo=[0, 3]).play("right wait")
    assert (after.player(0).ammo, after.ammo()) == (1, [])


def test_treasure_gives_its_points() -> None:
    taken = [now.play("right wait") for now in (scene("0t1"), scene("0t1", treasure_points=5))]
    assert [(after.scores(), after.treasure()) for after in taken] == [([1, 0], []), ([5, 0], [])]


def test_player_dying_in_this_tick_takes_nothing() -> None:
    dying = scene("0a12", fires=[(1, 0, 1)], hp=[1, 3, 3]).play("right wait wait")
    assert (dying.player(0).ammo, dying.ammo()) == (3, [(1, 0)])


def test_body_takes_nothing() -> None:
    dead = scene("0.12", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    lying = dead.change(treasure=(0,)).wait()
    assert lying.treasure() == [(0, 0)]


def test_player_that_survives_this_tick_takes_the_token_on_fire() -> None:
    assert scene("0a12", fires=[(1, 0, 1)], hp=[2, 3, 3]).play("right wait wait").player(0).ammo == 4


def test_first_token_vanishes_at_the_end_of_tick_174_and_its_successor_comes_at_the_end_of_tick_244() -> None:
    shown = {ticks: scene("0....a..1").wait(ticks).ammo() for ticks in (174, 175, 244, 245)}
    assert (shown[174], shown[175], shown[244], len(shown[245])) == ([(5, 0)], [], [], 1)


def test_token_of_a_bomb_laid_in_tick_0_comes_at_the_end_of_tick_69() -> None:
    laid = scene("0......1").play("bomb wait", "right wait", "right wait", "right wait")
    assert (laid.wait(65).ammo(), len(laid.wait(66).ammo())) == ([], 1)


def test_token_that_came_lasts_its_whole_lifetime() -> None:
    came = scene("0......1").change(ammo_due=(0,)).wait()
    assert (len(came.wait(174).ammo()), came.wait(175).ammo()) == (1, [])


def test_taken_token_schedules_nothing() -> None:
    taken = scene("0a1").play("right wait")
    assert (taken.player(0).ammo, taken.state.ammo_due) == (4, ())


def test_token_taken_in_the_tick_it_perishes_schedules_nothing() -> None:
    taken = with_perishing_token(scene("0a1")).play("right wait")
    assert (taken.player(0).ammo, taken.state.ammo_due) == (4, ())


def test_ammo_comes_again_after_seventy_ticks_when_nothing_is_free() -> None:
    assert scene("0#1").change(ammo_due=(0,)).wait().state.ammo_due == (70,)


def test_ammo_times_are_parameters() -> None:
    came = scene("0a..1", ammo_lifetime_ticks=3, ammo_return_ticks=2)
    assert [len(came.wait(ticks).ammo()) for ticks in range(7)] == [1, 1, 1, 0, 0, 1, 1]


def test_two_tokens_due_together_come_to_different_cells() -> None:
    came = scene("0..1").change(ammo_due=(0, 0)).wait()
    assert sorted(came.ammo()) == [(1, 0), (2, 0)]


def test_first_treasure_comes_between_the_ends_of_ticks_49_and_249() -> None:
    game = scene("0....1").game
    first = [game.initial_state(seed).treasure_due for seed in range(3000)]
    assert (min(first), max(first)) == (49, 249)


def test_first_treasure_is_uniform() -> None:
    game = scene("0....1", treasure_min_ticks=1, treasure_max_ticks=4).game
    counts = Counter(game.initial_state(seed).treasure_due for seed in range(2000))
    assert sorted(counts) == [0, 1, 2, 3]
    assert all(400 <= count <= 600 for count in counts.values())  # 5 standard deviations


def test_treasure_comes_when_it_is_due() -> None:
    due = scene("0....1").change(treasure_due=7)
    assert (due.wait(7).treasure(), len(due.wait(8).treasure())) == ([], 1)


def test_treasure_schedules_the_next_50_to_250_ticks_later() -> None:
    nexts = [scene("0....1", seed=seed).change(treasure_due=0).wait().state.treasure_due for seed in range(1500)]
    assert (min(nexts), max(nexts)) == (50, 250)


def test_treasure_without_a_free_cell_is_due_1_to_50_ticks_later() -> None:
    nexts = [scene("0#1", seed=seed).change(treasure_due=0).wait().state.treasure_due for seed in range(600)]
    assert (min(nexts), max(nexts)) == (1, 50)


def test_treasure_never_perishes() -> None:
    lying = scene("0.t..1", max_ticks=5000).wait(1500)
    assert lying.treasure() == [(2, 0)]


def spawned(now: Scene) -> list[tuple[int, int]]:
    return now.change(treasure_due=now.state.tick).wait().treasure()


@pytest.mark.parametrize(
    ("taken", "places"),
    [
        *[pytest.param(scene(row), [], id=row) for row in ("0#1", "0s1", "0o1", "0a1")],
        pytest.param(scene("0t1"), [(1, 0)], id="treasure, which stays alone"),
        pytest.param(scene("0.1", bombs=[(1, 0, 0, 9)]), [], id="bomb"),
        pytest.param(scene("0s1", fires=[(1, 0, 0)]), [], id="block that dies in this tick"),
        pytest.param(scene("0.1", bombs=[(1, 0, 0, 1)]), [], id="bomb that makes fire in this tick"),
        pytest.param(with_perishing_token(scene("0a1")), [], id="token that perishes in this tick"),
        pytest.param(scene("0.12", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait(), [(1, 0)], id="body"),
    ],
)
def test_nothing_comes_onto_a_cell_that_is_taken(taken: Scene, places: list[tuple[int, int]]) -> None:
    assert spawned(taken) == places
    assert taken.change(treasure_due=taken.state.tick).wait().state.treasure_due > taken.state.tick  # put off, not lost


def test_burning_cell_is_free() -> None:
    assert spawned(scene("0.1", bombs=[(0, 0, 0, 1)])) == [(1, 0)]


def test_cell_left_in_this_tick_is_free() -> None:
    moved = scene("0.#1").change(treasure_due=0).play("right wait")
    assert moved.treasure() == [(0, 0)]


def test_spawns_are_uniform_over_the_free_cells() -> None:
    places = Counter(spawned(scene("0.#.", "s..1", seed=seed))[0] for seed in range(2000))
    assert sorted(places) == [(1, 0), (1, 1), (2, 1), (3, 0)]
    assert all(400 <= count <= 600 for count in places.values())


def test_state_keeps_no_cell_of_things_to_come() -> None:
    """Where a thing comes is drawn when it comes: another seed from now on gives another cell."""
    due = scene(*["....." for _ in range(4)], "0...1").change(treasure_due=3)
    places = {tuple(replace(due, state=replace(due.state, seed=seed)).wait(4).treasure()) for seed in range(40)}
    assert len(places) > 10
