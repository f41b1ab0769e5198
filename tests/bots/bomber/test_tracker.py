"""What the tracker works out, against the true state of seeded games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from gridjoust.bots.bomber.tracker import Tracker
from gridjoust.games.api import ParamValue
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import ACTIONS, Action
from gridjoust.games.bomber.state import Bomb, Fire, State
from gridjoust.games.play import moments
from tests.games.bomber.scenes import Scene, scene

FEARLESS = (6, 6, 6, 6, 2, 2)  # how often up, down, left, right, bomb, wait
WAIT = "wait wait"


def seeded_game(seed: int, *, seats: int = 2, **params: ParamValue) -> Iterator[tuple[Bomber, State]]:
    """Every state of a game of players that walk at random and lay bombs anywhere but on fire."""
    game = Bomber({"preset": "coderone", "max_ticks": 400, **params}, seats=seats)
    rng = random.Random(seed)

    def choose(state: State, seat: int) -> Action:
        (action,) = rng.choices(ACTIONS, FEARLESS)
        is_burning = any(fire.cell == state.players[seat].cell for fire in state.fires)
        return Action.WAIT if action == Action.BOMB and is_burning else action

    for state, _ in moments(game, choose, seed=seed):
        yield game, state


def tracked(seed: int, *, seen: float = 1.0, hidden: bool = True) -> Iterator[tuple[Tracker, State]]:
    """Seat 0's tracker after each observation, of which it misses some, and the true state."""
    tracker = None
    rng = random.Random(seed)
    for game, state in seeded_game(seed, hidden=hidden):
        tracker = tracker or tracker_of(game)
        if rng.random() < seen or state.tick == 0:
            tracker.update(game.observation(state, 0))
            yield tracker, state


@cache
def followed(seed: int, seats: int) -> list[tuple[State, list[State]]]:
    """Every state of a game and what each seat's tracker made of it."""
    trackers: list[Tracker] = []
    history = []
    for game, state in seeded_game(seed, seats=seats):
        trackers = trackers or [tracker_of(game, seat) for seat in range(seats)]
        history.append((state, [tracker.update(game.observation(state, tracker.seat)) for tracker in trackers]))
    return history


def tracker_of(game: Bomber, seat: int = 0) -> Tracker:
    return Tracker(game.rules, seat=seat, seat_count=game.seats)


def told(tracker: Tracker, shown: Scene) -> State:
    return tracker.update(shown.game.observation(shown.state, tracker.seat))


def told_all(shown: Scene, *ticks: str, seat: int = 0, knows_start: bool = False) -> tuple[Tracker, Scene]:
    """A tracker that has seen the scene and every tick played from it; `knows_start`: also what led to the scene."""
    tracker = tracker_of(shown.game, seat)
    told(tracker, shown)
    if knows_start:
        tracker.state = shown.state
        tracker.windows.clear()
    for actions in ticks:
        shown = shown.play(actions)
        told(tracker, shown)
    return tracker, shown


def told_after(shown: Scene, *missed: str) -> Tracker:
    """A tracker that has seen the scene and what has become of it after ticks that it missed."""
    tracker = tracker_of(shown.game)
    told(tracker, shown)
    told(tracker, shown.play(*missed))
    return tracker


def truth(state: State, field: str) -> Any:
    """A field of the state, or of its players, without what no observation tells: the order of bombs of one tick."""
    if field.startswith("player's "):
        return [getattr(player, field.removeprefix("player's ")) for player in state.players]
    value = getattr(state, field)
    return sorted(value) if field in ("bombs", "fires", "ammo", "treasure") else value


HIDDEN = ["tick", "blocks", "bombs", "fires", "ammo", "treasure", "ammo_due"]
HELD = ["player's cell", "player's hp", "player's ammo", "player's score", "player's died_tick"]


@pytest.mark.default("2-ammo", "2-player's ammo")
@pytest.mark.parametrize("field", [*HIDDEN, *HELD])
@pytest.mark.parametrize("seats", [2, 4])
def test_every_hidden_thing_is_worked_out_exactly(field: str, seats: int) -> None:
    for seed in range(10):
        for state, beliefs in followed(seed, seats):
            for believed in beliefs:
                assert truth(believed, field) == truth(state, field), f"seed {seed}, tick {state.tick}"


@pytest.mark.gate
def test_no_bomb_has_a_window_when_every_tick_is_seen() -> None:
    assert all(tracker.windows == {} for seed in range(3) for tracker, _ in tracked(seed))


@pytest.mark.parametrize(
    ("shown", "ticks", "bombs"),
    [
        (scene("0....", ".....", "....1"), ["wait bomb", "wait up"], [Bomb(14, owner=1, fires_tick=34)]),
        (scene("01"), ["wait bomb"], [Bomb(1, owner=1, fires_tick=34)]),
        (scene("0...1"), ["bomb bomb"], [Bomb(0, 0, 34), Bomb(4, 1, 34)]),
    ],
    ids=["it fires 35 ticks after it was laid", "it is of who stands on it", "two of one tick are in seat order"],
)
def test_bomb_is_dated_and_given_to_its_owner(shown: Scene, ticks: list[str], bombs: list[Bomb]) -> None:
    tracker, _ = told_all(shown, *ticks)
    assert tracker.state.bombs == tuple(bombs)


def test_fire_and_the_hp_of_ore_are_known_though_they_are_not_shown() -> None:
    tracker, _ = told_all(scene("0....", ".....", "....1"), "bomb wait", *["down wait"] * 34)
    assert {fire.cell for fire in tracker.state.fires} == {0, 1, 2, 5, 10}
    board = scene("0o..1")
    tracker, after = told_all(board, "bomb wait", *[WAIT] * 35)
    assert tracker.state.blocks == after.state.blocks != board.state.blocks


def test_own_bomb_laid_on_fire_is_noticed_though_never_seen_and_one_that_another_lays_stays_unknown() -> None:
    start = scene("0.....", "......", ".....1", bombs=[(1, 0, 1, 1)], hp=(9, 9))
    tracker, after = told_all(start, WAIT, "bomb wait", knows_start=True)
    assert after.state.bombs == ()
    assert tracker.state.fires == after.state.fires != ()
    start = scene("0.....", "......", ".....1", bombs=[(4, 2, 0, 1)], hp=(9, 9))
    tracker, after = told_all(start, WAIT, "wait bomb", knows_start=True)
    assert tracker.state.fires == () != after.state.fires


def test_same_observation_twice_changes_nothing() -> None:
    tracker, shown = told_all(scene("0...1"), "bomb wait", "right wait")
    before = tracker.state
    assert told(tracker, shown) is before


@pytest.mark.gate
def test_open_view_is_read_as_it_is() -> None:
    for seed in range(4):
        for tracker, state in tracked(seed, hidden=False):
            for field in ("blocks", "bombs", "fires", "ammo_due"):
                assert getattr(tracker.state, field) == getattr(state, field)


@pytest.mark.gate
def test_missed_ticks_leave_the_true_timer_in_the_window_and_the_blocks_right() -> None:
    windows = 0
    for seed in range(12):
        for tracker, state in tracked(seed, seen=0.6):
            assert [block == 0 for block in tracker.state.blocks] == [block == 0 for block in state.blocks]
            chained = {fire.cell for fire in state.fires}
            believed = {bomb.cell: bomb.fires_tick for bomb in tracker.state.bombs}
            assert believed.keys() == {bomb.cell for bomb in state.bombs}
            for bomb in state.bombs:
                fires_tick = believed[bomb.cell]
                first, last = tracker.windows.get(bomb.cell, (fires_tick, fires_tick))
                windows += first < last
                assert first <= bomb.fires_tick <= last or bomb.cell in chained
    assert windows > 100


def test_missed_ticks_give_the_bomb_to_who_can_have_been_there_and_an_open_view_dates_it() -> None:
    tracker = told_after(scene("0.......1"), "right bomb", "right left")
    assert (tracker.state.bombs, tracker.windows) == ((Bomb(8, owner=1, fires_tick=34),), {})
    tracker = told_after(scene("0...1", hidden=False), "bomb wait", "right wait", "right wait", WAIT)
    assert (tracker.state.bombs, tracker.windows) == ((Bomb(0, owner=0, fires_tick=34),), {})


def test_window_is_when_the_bomb_can_have_been_laid_and_shrinks_while_it_lies() -> None:
    assert told_after(scene("0.......1"), WAIT, "wait bomb", WAIT).windows == {8: (34, 36)}
    seen_first = scene("0...1", bombs=[(2, 0, 1, 20)])
    found = [told_all(seen_first, *[WAIT] * ticks)[0].windows for ticks in (0, 5)]
    assert found == [{2: (0, 33)}, {2: (5, 33)}]


def test_bomb_gone_early_has_made_fire() -> None:
    shown = scene("0....", ".....", "....1", bombs=[(2, 1, 1, 1)])
    tracker, _ = told_all(shown)
    tracker.state = tracker.state._replace(bombs=(Bomb(7, 1, 30),))
    assert Fire(7, 1) in told(tracker, shown.play(WAIT)).fires
