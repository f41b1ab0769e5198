"""Step 1 of a tick: what each action does, what keeps it from doing so, and who goes first."""

from __future__ import annotations

import pytest

from tests.games.bomber.scenes import Scene, scene

SEEDS = range(400)
HALF = range(150, 251)  # of the seeds, 5 standard deviations either way

WALKS: dict[str, tuple[Scene, list[str], tuple[int, int]]] = {
    "up is up on the screen": (scene("....", ".0..", "...1"), ["up wait"], (1, 0)),
    "down": (scene("....", ".0..", "...1"), ["down wait"], (1, 2)),
    "left": (scene("....", ".0..", "...1"), ["left wait"], (0, 1)),
    "right": (scene("....", ".0..", "...1"), ["right wait"], (2, 1)),
    "not off the top": (scene("0.1", "..."), ["up wait"], (0, 0)),
    "not off the left": (scene("0.1", "..."), ["left wait"], (0, 0)),
    "not off the bottom": (scene("...", "1.0"), ["down wait"], (2, 1)),
    "not off the right": (scene("...", "1.0"), ["right wait"], (2, 1)),
    **{f"not into {row[1]}": (scene(row), ["right wait"], (0, 0)) for row in ("0#1", "0s1", "0o1", "01.")},
    "not onto a bomb": (scene("0.1", bombs=[(1, 0, 1, 20)]), ["right wait"], (0, 0)),
    "not onto a body": (scene("012..", fires=[(1, 0, 2)], hp=[3, 1, 3]).wait(), ["right wait"], (0, 0)),
    "onto ammo": (scene("0a1"), ["right wait"], (1, 0)),
    "onto treasure": (scene("0t1"), ["right wait"], (1, 0)),
    "off the own bomb": (scene("0..1"), ["bomb wait", "right wait"], (1, 0)),
    "but not back": (scene("0..1"), ["bomb wait", "right wait", "left wait"], (1, 0)),
}


@pytest.mark.parametrize(("before", "turns", "place"), WALKS.values(), ids=WALKS)
def test_player_walks(before: Scene, turns: list[str], place: tuple[int, int]) -> None:
    assert before.play(*turns).position(0) == place


def test_what_cannot_be_done_and_waiting_change_nothing_about_the_players() -> None:
    for before, turn in ((scene("0.1"), "wait wait"), (scene("0.1", "..."), "up wait"), (scene("0#1"), "right wait")):
        assert before.play(turn).state.players == before.state.players


BOMBS: dict[str, tuple[Scene, list[str], list[tuple[int, int]], int]] = {
    "a bomb lies on the cell of who lays it and costs one ammo": (scene("..0.1"), ["bomb wait"], [(2, 0)], 2),
    "the last ammo makes a bomb": (scene("0.1", ammo=[1, 3]), ["bomb wait"], [(0, 0)], 0),
    "none without ammo": (scene("0.1", ammo=[0, 3]), ["bomb wait"], [], 0),
    "none on a bomb": (scene("0.1"), ["bomb wait"] * 2, [(0, 0)], 2),
    "three ammo make three bombs and no fourth": (
        scene("0.....1"), [*["bomb wait", "right wait"] * 3, "bomb wait"], [(0, 0), (1, 0), (2, 0)], 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "turns", "bombs", "ammo_left"), BOMBS.values(), ids=BOMBS)
def test_bomb_is_laid(before: Scene, turns: list[str], bombs: list[tuple[int, int]], ammo_left: int) -> None:
    after = before.play(*turns)
    assert (after.bombs(), after.player(0).ammo) == (bombs, ammo_left)


SHUFFLED: dict[str, tuple[str, str, list[list[tuple[int, int]]]]] = {  # all that may come of it, first seat 0's luck
    "a swap never works": (".01.", "right left", [[(1, 0), (2, 0)]]),
    "following works in about half of the seeds and never stops who goes ahead": (
        "01.", "right right", [[(1, 0), (2, 0)], [(0, 0), (2, 0)]],
    ),
    "a contested cell goes to exactly one, to each in about half of the seeds": (
        "0.1", "right left", [[(1, 0), (2, 0)], [(0, 0), (1, 0)]],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("row", "turn", "places"), SHUFFLED.values(), ids=SHUFFLED)
def test_shuffled_moves(row: str, turn: str, places: list[list[tuple[int, int]]]) -> None:
    after = [scene(row, seed=seed).play(turn).positions() for seed in SEEDS]
    assert {tuple(found) for found in after} == {tuple(expected) for expected in places}
    assert len(places) == 1 or after.count(places[0]) in HALF


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


@pytest.mark.parametrize("move_order", ["shuffled", "simultaneous"])
def test_bombs_of_one_tick_are_laid_in_a_drawn_order(move_order: str) -> None:
    scenes = [scene("0.1", seed=seed, move_order=move_order).play("bomb bomb") for seed in SEEDS]
    assert sum(now.state.bombs[0].owner for now in scenes) in HALF
