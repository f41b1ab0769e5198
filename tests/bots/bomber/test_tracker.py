"""What the tracker works out, against the true state of seeded games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from bots.bomber.tracker import Tracker
from games.api import ParamValue
from games.bomber import Bomber
from games.bomber.actions import ACTIONS, Action
from games.bomber.state import Bomb, Fire, State
from games.play import moments
from tests.games.bomber.scenes import Scene, scene

FEARLESS = (6, 6, 6, 6, 2, 2)  # how often up, down, left, right, bomb, wait


def seeded_game(seed: int, *, seats: int = 2, ticks: int = 400, **params: ParamValue) -> Iterator[tuple[Bomber, State]]:
    """Every state of a game of players that walk at random and lay bombs anywhere but on fire."""
    game = Bomber({"max_ticks": ticks, **params}, seats=seats)
    rng = random.Random(seed)

    def choose(state: State, seat: int) -> Action:
        (action,) = rng.choices(ACTIONS, FEARLESS)
        is_burning = any(fire.cell == state.players[seat].cell for fire in state.fires)
        return Action.WAIT if action == Action.BOMB and is_burning else action

    for state, _ in moments(game, choose, seed=seed):
        yield game, state


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


def told_all(shown: Scene, *ticks: str, seat: int = 0) -> tuple[Tracker, Scene]:
    """A tracker that has seen the scene and every tick played from it."""
    tracker = tracker_of(shown.game, seat)
    told(tracker, shown)
    for actions in ticks:
        shown = shown.play(actions)
        told(tracker, shown)
    return tracker, shown


def truth(state: State, field: str) -> Any:
    """A field of the state without what no observation tells: the order of bombs laid in one tick."""
    value = getattr(state, field)
    return sorted(value) if field in ("bombs", "fires", "ammo", "treasure") else value


@pytest.mark.parametrize("field", ["tick", "blocks", "bombs", "fires", "ammo", "treasure", "ammo_due"])
@pytest.mark.parametrize("seats", [2, 4])
def test_every_hidden_thing_is_worked_out_exactly(field: str, seats: int) -> None:
    for seed in range(10):
        for state, beliefs in followed(seed, seats):
            for believed in beliefs:
                assert truth(believed, field) == truth(state, field), f"seed {seed}, tick {state.tick}"


@pytest.mark.parametrize("field", ["cell", "hp", "ammo", "score", "died_tick"])
@pytest.mark.parametrize("seats", [2, 4])
def test_what_every_player_holds_is_worked_out_exactly(field: str, seats: int) -> None:
    for seed in range(10):
        for state, beliefs in followed(seed, seats):
            expected = [getattr(player, field) for player in state.players]
            for believed in beliefs:
                assert [getattr(player, field) for player in believed.players] == expected, f"{seed}, {state.tick}"


def test_no_bomb_has_a_window_when_every_tick_is_seen() -> None:
    for seed in range(3):
        tracker = None
        for game, state in seeded_game(seed):
            tracker = tracker or tracker_of(game)
            tracker.update(game.observation(state, 0))
            assert tracker.windows == {}


def test_bomb_fires_35_ticks_after_it_was_laid() -> None:
    tracker, _ = told_all(scene("0....", ".....", "....1"), "wait bomb", "wait up")
    assert tracker.state.bombs == (Bomb(14, owner=1, fires_tick=34),)


def test_bomb_belongs_to_who_stands_on_it() -> None:
    tracker, _ = told_all(scene("01"), "wait bomb")
    assert tracker.state.bombs[0].owner == 1


def test_fire_that_is_not_shown_is_known() -> None:
    tracker, _ = told_all(scene("0....", ".....", "....1"), "bomb wait", *["down wait"] * 34)
    assert {fire.cell for fire in tracker.state.fires} == {0, 1, 2, 5, 10}


def test_ore_loses_hp_that_is_not_shown() -> None:
    board = scene("0o..1")
    tracker, after = told_all(board, "bomb wait", *["wait wait"] * 35)
    assert tracker.state.blocks == after.state.blocks != board.state.blocks


def test_own_bomb_laid_on_fire_is_noticed_though_never_seen() -> None:
    start = scene("0.....", "......", ".....1", bombs=[(1, 0, 1, 1)], hp=(9, 9))
    tracker = Tracker(start.game.rules, seat=0, seat_count=2)
    told(tracker, start)
    tracker.state = start.state  # it has seen how that bomb was laid
    tracker.windows.clear()
    for actions in ("wait wait", "bomb wait"):
        start = start.play(actions)
        told(tracker, start)
    assert start.state.bombs == ()
    assert tracker.state.fires == start.state.fires != ()


def test_bomb_that_another_lays_on_fire_stays_unknown() -> None:
    start = scene("0.....", "......", ".....1", bombs=[(4, 2, 0, 1)], hp=(9, 9))
    tracker = Tracker(start.game.rules, seat=0, seat_count=2)
    told(tracker, start)
    tracker.state = start.state
    tracker.windows.clear()
    for actions in ("wait wait", "wait bomb"):
        start = start.play(actions)
        told(tracker, start)
    assert tracker.state.fires == () != start.state.fires


def test_bombs_laid_in_one_tick_are_taken_in_seat_order() -> None:
    tracker, _ = told_all(scene("0...1"), "bomb bomb")
    assert [bomb.owner for bomb in tracker.state.bombs] == [0, 1]


def test_same_observation_twice_changes_nothing() -> None:
    tracker, shown = told_all(scene("0...1"), "bomb wait", "right wait")
    before = tracker.state
    assert told(tracker, shown) is before


def test_open_view_is_read_as_it_is() -> None:
    for seed in range(4):
        tracker = None
        for game, state in seeded_game(seed, hidden=False):
            tracker = tracker or tracker_of(game)
            believed = tracker.update(game.observation(state, 0))
            for field in ("blocks", "bombs", "fires", "ammo_due"):
                assert getattr(believed, field) == getattr(state, field)


def test_open_view_dates_bombs_even_when_ticks_were_missed() -> None:
    shown = scene("0...1", hidden=False)
    tracker = tracker_of(shown.game)
    told(tracker, shown)
    shown = shown.play("bomb wait", "right wait", "right wait", "wait wait")
    assert told(tracker, shown).bombs == (Bomb(0, owner=0, fires_tick=34),)
    assert tracker.windows == {}


def seen_with_gaps(seed: int, rng: random.Random) -> Iterator[tuple[Tracker, State]]:
    tracker = None
    for game, state in seeded_game(seed):
        tracker = tracker or tracker_of(game)
        if rng.random() < 0.6 or state.tick == 0:
            tracker.update(game.observation(state, 0))
            yield tracker, state


def test_missed_ticks_leave_the_true_timer_in_the_window() -> None:
    windows = 0
    for seed in range(12):
        for tracker, state in seen_with_gaps(seed, random.Random(seed)):
            chained = {fire.cell for fire in state.fires}
            believed = {bomb.cell: bomb.fires_tick for bomb in tracker.state.bombs}
            assert believed.keys() == {bomb.cell for bomb in state.bombs}
            for bomb in state.bombs:
                fires_tick = believed[bomb.cell]
                first, last = tracker.windows.get(bomb.cell, (fires_tick, fires_tick))
                windows += first < last
                assert first <= bomb.fires_tick <= last or bomb.cell in chained
    assert windows > 100


def test_missed_ticks_leave_the_blocks_right() -> None:
    for seed in range(12):
        for tracker, state in seen_with_gaps(seed, random.Random(seed)):
            assert [block == 0 for block in tracker.state.blocks] == [block == 0 for block in state.blocks]


def test_missed_tick_gives_the_bomb_to_who_can_have_been_there() -> None:
    shown = scene("0.......1")
    tracker = tracker_of(shown.game)
    told(tracker, shown)
    told(tracker, shown.play("right bomb", "right left"))
    assert tracker.state.bombs == (Bomb(8, owner=1, fires_tick=34),)
    assert tracker.windows == {}


def test_missed_ticks_leave_a_window_of_the_ticks_in_which_it_can_have_been_laid() -> None:
    shown = scene("0.......1")
    tracker = tracker_of(shown.game)
    told(tracker, shown)
    told(tracker, shown.play("wait wait", "wait bomb", "wait wait"))
    assert tracker.windows == {8: (34, 36)}


def test_bombs_seen_first_may_fire_any_time() -> None:
    tracker, _ = told_all(scene("0...1", bombs=[(2, 0, 1, 20)]))
    assert tracker.windows == {2: (0, 33)}


def test_bomb_still_there_can_only_fire_from_now_on() -> None:
    tracker, _ = told_all(scene("0...1", bombs=[(2, 0, 1, 20)]), *["wait wait"] * 5)
    assert tracker.windows == {2: (5, 33)}


def test_bomb_gone_early_has_made_fire() -> None:
    shown = scene("0....", ".....", "....1", bombs=[(2, 1, 1, 1)])
    tracker = tracker_of(shown.game)
    told(tracker, shown)
    tracker.state = State(
        **{name: getattr(tracker.state, name) for name in State.__slots__} | {"bombs": (Bomb(7, 1, 30),)}
    )
    told(tracker, shown.play("wait wait"))
    assert Fire(7, 1) in tracker.state.fires
