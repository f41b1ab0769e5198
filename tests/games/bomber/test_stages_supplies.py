"""Ammo and treasure: taking, perishing, coming back, and where they may come."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from gridjoust.games.bomber.state import Token
from tests.games.bomber.scenes import Scene, scene


def with_perishing_token(now: Scene) -> Scene:
    return now.change(ammo=tuple(Token(token.cell, 0) for token in now.state.ammo))


TAKEN: dict[str, tuple[Scene, int, list[tuple[int, int]]]] = {  # ammo of seat 0, and what still lies there
    "a token gives one ammo": (scene("0a1", ammo=[0, 3]).play("right wait"), 1, []),
    "who dies in this tick takes nothing": (
        scene("0a12", fires=[(1, 0, 1)], hp=[1, 3, 3]).play("right wait wait"), 3, [(1, 0)],
    ),
    "who survives this tick takes the token on fire": (
        scene("0a12", fires=[(1, 0, 1)], hp=[2, 3, 3]).play("right wait wait"), 4, [],
    ),
    "a taken token schedules nothing": (scene("0a1").play("right wait"), 4, []),
    "nor in the tick it perishes": (with_perishing_token(scene("0a1")).play("right wait"), 4, []),
}  # fmt: skip


@pytest.mark.parametrize(("after", "ammo", "lying"), TAKEN.values(), ids=TAKEN)
def test_ammo_is_taken(after: Scene, ammo: int, lying: list[tuple[int, int]]) -> None:
    assert (after.player(0).ammo, after.ammo(), after.state.ammo_due) == (ammo, lying, ())


def test_treasure_gives_its_points_but_not_to_a_body() -> None:
    taken = [now.play("right wait") for now in (scene("0t1"), scene("0t1", treasure_points=5))]
    assert [(after.scores(), after.treasure()) for after in taken] == [([1, 0], []), ([5, 0], [])]
    dead = scene("0.12", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait()
    assert dead.change(treasure=(0,)).wait().treasure() == [(0, 0)]


TIMES: dict[str, tuple[Scene, dict[int, int]]] = {  # ticks waited -> tokens that lie
    "the first vanishes at the end of tick 174, its successor comes at the end of tick 244": (
        scene("0....a..1"), {174: 1, 175: 0, 244: 0, 245: 1},
    ),
    "that of a bomb laid in tick 0 comes at the end of tick 69": (
        scene("0......1").play("bomb wait", "right wait", "right wait", "right wait"), {65: 0, 66: 1},
    ),
    "one that came lasts its whole lifetime": (scene("0......1").change(ammo_due=(0,)).wait(), {174: 1, 175: 0}),
    "times are parameters": (
        scene("0a..1", ammo_lifetime_ticks=3, ammo_return_ticks=2), dict(enumerate([1, 1, 1, 0, 0, 1, 1])),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("now", "lying"), TIMES.values(), ids=TIMES)
def test_ammo_comes_and_goes(now: Scene, lying: dict[int, int]) -> None:
    assert {ticks: len(now.wait(ticks).ammo()) for ticks in lying} == lying


def test_ammo_comes_again_after_seventy_ticks_when_nothing_is_free_and_two_never_to_one_cell() -> None:
    assert scene("0#1").change(ammo_due=(0,)).wait().state.ammo_due == (70,)
    assert sorted(scene("0..1").change(ammo_due=(0, 0)).wait().ammo()) == [(1, 0), (2, 0)]


def test_first_treasure_is_uniform_over_the_ends_of_ticks_49_to_249_by_default() -> None:
    game = scene("0....1").game
    first = [game.initial_state(seed).treasure_due for seed in range(3000)]
    assert (min(first), max(first)) == (49, 249)
    soon = scene("0....1", treasure_min_ticks=1, treasure_max_ticks=4).game
    counts = Counter(soon.initial_state(seed).treasure_due for seed in range(2000))
    assert sorted(counts) == [0, 1, 2, 3]
    assert all(400 <= count <= 600 for count in counts.values())  # 5 standard deviations


@pytest.mark.default("1 to 50 ticks later without a free cell")
@pytest.mark.parametrize(
    ("row", "seeds", "soonest", "latest"),
    [("0....1", 1500, 50, 250), ("0#1", 600, 1, 50)],
    ids=["50 to 250 ticks after the last", "1 to 50 ticks later without a free cell"],
)
def test_next_treasure_is_due(row: str, seeds: int, soonest: int, latest: int) -> None:
    nexts = [scene(row, seed=seed).change(treasure_due=0).wait().state.treasure_due for seed in range(seeds)]
    assert (min(nexts), max(nexts)) == (soonest, latest)


def test_treasure_comes_when_it_is_due_and_never_perishes() -> None:
    due = scene("0....1").change(treasure_due=7)
    assert (due.wait(7).treasure(), len(due.wait(8).treasure())) == ([], 1)
    assert scene("0.t..1", max_ticks=5000).wait(1500).treasure() == [(2, 0)]


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


def test_burning_cell_and_one_left_in_this_tick_are_free() -> None:
    assert spawned(scene("0.1", bombs=[(0, 0, 0, 1)])) == [(1, 0)]
    assert scene("0.#1").change(treasure_due=0).play("right wait").treasure() == [(0, 0)]


@pytest.mark.gate
def test_spawns_are_uniform_over_the_free_cells() -> None:
    places = Counter(spawned(scene("0.#.", "s..1", seed=seed))[0] for seed in range(2000))
    assert sorted(places) == [(1, 0), (1, 1), (2, 1), (3, 0)]
    assert all(400 <= count <= 600 for count in places.values())


def test_state_keeps_no_cell_of_things_to_come() -> None:
    """Where a thing comes is drawn when it comes: another seed from now on gives another cell."""
    due = scene(*["....." for _ in range(4)], "0...1").change(treasure_due=3)
    places = {tuple(replace(due, state=due.state._replace(seed=seed)).wait(4).treasure()) for seed in range(40)}
    assert len(places) > 10
