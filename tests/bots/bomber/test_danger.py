"""The blast schedule and the look-ahead, against the rules themselves and on drawn boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bots.bomber.danger import NEVER, LookAhead, Schedule, blast_schedule, merged, roaming_rivals, still_rivals
from games.api import ParamValue, Turn
from games.bomber import Bomber
from games.bomber.actions import ACTIONS, Action
from games.bomber.state import FREE, Bomb, Player, State
from tests.games.bomber.scenes import Scene, scene


def schedule_of(shown: Scene, *extra: Bomb) -> Schedule:
    return blast_schedule(shown.game.rules, shown.state, extra=extra)


def look(shown: Scene, *extra: Bomb) -> LookAhead:
    return LookAhead(shown.game.rules, schedule_of(shown, *extra), still_rivals(shown.state, 0))


def own_bomb(shown: Scene) -> Bomb:
    return Bomb(shown.player(0).cell, 0, shown.state.tick + shown.game.rules.bomb_ticks - 1)


def busy_states(count: int, *, chain: str, **params: ParamValue) -> Iterator[tuple[Bomber, State]]:
    """States with several bombs whose timers lie close together."""
    game = Bomber({"chain": chain, "player_hp": 1000, "width": 8, "height": 7, "metal": 6, "soft": 12, **params})
    for seed in range(count):
        rng = random.Random(seed)
        state = game.initial_state(seed)
        free = [cell for cell, block in enumerate(state.blocks) if block == FREE]
        laid = [Bomb(cell, rng.randrange(2), rng.randint(0, 6)) for cell in rng.sample(free, rng.randint(1, 8))]
        state = State(**{name: getattr(state, name) for name in State.__slots__} | {"bombs": tuple(laid)})
        for _ in range(rng.randint(0, 3)):
            state = wait(game, state)
        yield game, state


def wait(game: Bomber, state: State) -> State:
    return game.apply(state, Turn(dict.fromkeys(game.seats_to_act(state), Action.WAIT), state.tick))


@pytest.mark.parametrize("chain", ["delayed", "instant"])
def test_schedule_burns_as_the_rules_do_and_opens_what_they_clear(chain: str) -> None:
    for game, state in busy_states(150, chain=chain):
        schedule = blast_schedule(game.rules, state)
        for offset in range(12):
            assert schedule.burning.get(offset, {}) == Counter(fire.cell for fire in state.fires)
            bombs = {bomb.cell for bomb in state.bombs}
            closed = {cell for cell, block in enumerate(state.blocks) if block != FREE or cell in bombs}
            assert {cell for cell, opening in schedule.opens.items() if opening > offset} == closed
            state = wait(game, state)


def test_board_without_bombs_never_burns() -> None:
    schedule = schedule_of(scene("0.#.1"))
    assert (schedule.last_offset, schedule.opens) == (-1, {2: NEVER})


def test_bomb_laid_now_burns_35_ticks_later() -> None:
    shown = scene("0....", ".....", "....1")
    assert dict(schedule_of(shown, own_bomb(shown)).burning) == {35: dict.fromkeys((0, 1, 2, 5, 10), 1)}


def test_bomb_in_a_window_burns_all_through_it() -> None:
    shown = scene("0....", ".....", "....1", bombs=[(4, 0, 1, 5)])
    schedule = blast_schedule(shown.game.rules, shown.state, windows={4: (4, 6)})
    assert sorted(schedule.burning) == [5, 6, 7]


def test_merged_schedules_burn_wherever_one_does() -> None:
    first, second = schedule_of(scene("0...1", bombs=[(4, 0, 1, 3)])), schedule_of(scene("0...1", bombs=[(0, 0, 1, 9)]))
    assert sorted(merged(first, second).burning) == [3, 9]


def test_merged_schedules_open_when_both_have_opened() -> None:
    first, second = schedule_of(scene("0...1", bombs=[(4, 0, 1, 3)])), schedule_of(scene("0...1", bombs=[(4, 0, 1, 9)]))
    assert merged(first, second).opens[4] == 9


@pytest.mark.parametrize(
    ("board", "bombs", "without", "with_bomb"),
    [
        pytest.param(("0..#", "####", "...1"), [], True, False, id="dead end of two cells"),
        pytest.param(("0..#", "##.#", "...1"), [], True, True, id="corner out of the blast"),
        pytest.param(("0..1", "####"), [], True, False, id="the way leads through a rival"),
        pytest.param(("0.....", ".#####", "#.1..."), [(2, 0, 1, 2)], True, False, id="a chain sets it off early"),
    ],
)
def test_way_out_without_and_with_an_own_bomb(
    board: tuple[str, ...], bombs: list[tuple[int, int, int, int]], without: bool, with_bomb: bool
) -> None:
    shown = scene(*board, bombs=bombs)
    assert [look(shown).survives(0), look(shown, own_bomb(shown)).survives(0)] == [without, with_bomb]


def test_block_that_falls_in_time_opens_the_way() -> None:
    shown = scene("0.s...", "#####.", "1.....", bombs=[(4, 0, 0, 3), (0, 0, 0, 9)])
    assert look(shown).survives(0)


def test_waiting_out_a_fire_is_a_way() -> None:
    shown = scene("0...1", "#####", bombs=[(4, 0, 1, 1)])
    assert look(shown).survives(1)


def test_least_damage_counts_every_fire() -> None:
    shown = scene("0.#", "###", "..1", bombs=[(1, 0, 1, 2), (0, 0, 1, 2)])
    assert look(shown).least_damage(0) == 2


def test_roaming_rival_arrives_a_tick_a_cell() -> None:
    shown = scene("0..1", ".#..")
    arrivals = roaming_rivals(shown.game.rules, shown.state, 0, reach=2)
    assert arrivals == {3: 0, 2: 0, 7: 0, 1: 1, 6: 1}


@pytest.mark.parametrize(("arrival", "is_open"), [(2, False), (3, True)])
def test_cell_is_open_as_long_as_no_rival_can_be_in_it(arrival: int, is_open: bool) -> None:
    shown = scene("0....1")
    assert LookAhead(shown.game.rules, schedule_of(shown), {3: arrival}).is_open(3, offset=2) == is_open


def test_bodies_do_not_roam() -> None:
    shown = scene("0..1")
    dead = tuple(
        player._replace(died_tick=1, hp=0) if seat else player for seat, player in enumerate(shown.state.players)
    )
    assert roaming_rivals(shown.game.rules, shown.change(players=dead).state, 0, reach=5) == {3: 0}


def can_survive(game: Bomber, state: State, ticks: int) -> bool:
    """By playing every way with the rules themselves, the rival waiting."""
    places: dict[int, State] = {state.players[0].cell: state}
    for _ in range(ticks):
        reached: dict[int, State] = {}
        for before in places.values():
            for action in ACTIONS:
                after = game.apply(before, Turn({0: action, 1: Action.WAIT}, before.tick))
                if action != Action.BOMB and after.players[0].hp == before.players[0].hp:
                    reached.setdefault(after.players[0].cell, after)
        places = reached
    return bool(places)


def test_look_ahead_agrees_with_playing_every_way() -> None:
    answers = Counter[bool]()
    for game, state in busy_states(80, chain="delayed", width=6, height=5, soft=6, ore=4, free_ammo=0):
        seat = state.players[0]
        ahead = LookAhead(game.rules, blast_schedule(game.rules, state), still_rivals(state, 0))
        survives = any(ahead.survives(cell) for cell in ahead.moves(seat.cell))
        assert survives == can_survive(game, state, ticks=8)
        assert survives == (min(map(ahead.least_damage, ahead.moves(seat.cell))) == 0)
        answers[survives] += 1
    assert min(answers[True], answers[False]) >= 5


def test_least_damage_is_what_the_rules_take_on_the_best_way() -> None:
    shown = scene("0.#", "###", "..1", bombs=[(1, 0, 1, 2), (0, 0, 1, 5)], hp=(9, 9))
    assert isinstance(shown.player(0), Player)
    expected = look(shown).least_damage(0)
    assert shown.wait(8).player(0).hp == 9 - expected
