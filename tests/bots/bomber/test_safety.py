"""The blast schedule, the look-ahead and the choice of the safest move, against the rules and on drawn boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gridjoust.bots.bomber.safety import LookAhead, Safety, roaming_rivals, still_rivals
from gridjoust.bots.bomber.schedule import NEVER, Schedule, blast_schedule, merged
from gridjoust.bots.bomber.situation import Situation
from gridjoust.games.api import ParamValue, Turn
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import ACTIONS, Action
from gridjoust.games.bomber.state import FREE, Bomb, State
from tests.bots.bomber.seats import situation
from tests.games.bomber.scenes import Scene, scene

Board = tuple[str, ...]
Bombs = list[tuple[int, int, int, int]]  # x, y, owner, timer


def look(now: Situation, *extra: Bomb) -> LookAhead:
    return LookAhead(now.rules.board, blast_schedule(now, extra), still_rivals(now))


def own_bomb(shown: Scene) -> Bomb:
    return Bomb(shown.player(0).cell, 0, shown.state.tick + shown.game.rules.bomb_ticks - 1)


def busy_states(count: int, *, chain: str, **params: ParamValue) -> Iterator[tuple[Bomber, State]]:
    """States with several bombs whose timers lie close together."""
    game = Bomber(
        {
            "preset": "coderone",
            "chain": chain,
            "player_hp": 1000,
            "width": 8,
            "height": 7,
            "metal": 6,
            "soft": 12,
            **params,
        }
    )
    for seed in range(count):
        rng = random.Random(seed)
        state = game.initial_state(seed)
        free = [cell for cell, block in enumerate(state.blocks) if block == FREE]
        laid = [Bomb(cell, rng.randrange(2), rng.randint(0, 6)) for cell in rng.sample(free, rng.randint(1, 8))]
        yield game, Scene(game, state._replace(bombs=tuple(laid))).wait(rng.randint(0, 3)).state


@pytest.mark.gate
@pytest.mark.parametrize("chain", ["delayed", "instant"])
def test_schedule_burns_as_the_rules_do_and_opens_what_they_clear(chain: str) -> None:
    for game, state in busy_states(150, chain=chain):
        schedule = blast_schedule(Situation(game.rules, state, 0))
        shown = Scene(game, state)
        for offset in range(12):
            assert schedule.burning.get(offset, {}) == Counter(fire.cell for fire in shown.state.fires)
            bombs = {bomb.cell for bomb in shown.state.bombs}
            closed = {cell for cell, block in enumerate(shown.state.blocks) if block != FREE or cell in bombs}
            assert {cell for cell, opening in schedule.opens.items() if opening > offset} == closed
            shown = shown.wait()


def test_board_without_bombs_never_burns_and_a_bomb_laid_now_burns_35_ticks_later() -> None:
    quiet = blast_schedule(situation(scene("0.#.1")))
    assert (quiet.last_offset, quiet.opens) == (-1, {2: NEVER})
    shown = scene("0....", ".....", "....1")
    burning = blast_schedule(situation(shown), [own_bomb(shown)]).burning
    assert burning == {35: dict.fromkeys((0, 1, 2, 5, 10), 1)}


def test_bomb_in_a_window_burns_all_through_it() -> None:
    now = situation(scene("0....", ".....", "....1", bombs=[(4, 0, 1, 5)]))
    assert sorted(blast_schedule(replace(now, windows={4: (4, 6)})).burning) == [5, 6, 7]


def test_merged_schedules_burn_wherever_one_does_and_open_when_both_have_opened() -> None:
    def schedule(x: int, timer: int) -> Schedule:
        return blast_schedule(situation(scene("0...1", bombs=[(x, 0, 1, timer)])))

    assert sorted(merged(schedule(4, 3), schedule(0, 9)).burning) == [3, 9]
    assert merged(schedule(4, 3), schedule(4, 9)).opens[4] == 9


WAYS_OUT: dict[str, tuple[Board, Bombs, bool, bool]] = {  # without and with an own bomb
    "dead end of two cells": (("0..#", "####", "...1"), [], True, False),
    "corner out of the blast": (("0..#", "##.#", "...1"), [], True, True),
    "the way leads through a rival": (("0..1", "####"), [], True, False),
    "a chain sets it off early": (("0.....", ".#####", "#.1..."), [(2, 0, 1, 2)], True, False),
}


@pytest.mark.parametrize(("board", "bombs", "without", "with_bomb"), WAYS_OUT.values(), ids=WAYS_OUT)
def test_way_out_without_and_with_an_own_bomb(board: Board, bombs: Bombs, without: bool, with_bomb: bool) -> None:
    shown = scene(*board, bombs=bombs)
    now = situation(shown)
    assert [look(now).survives(0), look(now, own_bomb(shown)).survives(0)] == [without, with_bomb]


def test_block_that_falls_in_time_opens_the_way_and_waiting_out_a_fire_is_one() -> None:
    assert look(situation(scene("0.s...", "#####.", "1.....", bombs=[(4, 0, 0, 3), (0, 0, 0, 9)]))).survives(0)
    assert look(situation(scene("0...1", "#####", bombs=[(4, 0, 1, 1)]))).survives(1)


def test_roaming_rival_arrives_a_tick_a_cell_and_a_body_stays() -> None:
    shown = scene("0..1", ".#..")
    assert roaming_rivals(situation(shown), reach=2) == {3: 0, 2: 0, 7: 0, 1: 1, 6: 1}
    dead = shown.change(players=(shown.player(0), shown.player(1)._replace(died_tick=1, hp=0)))
    assert roaming_rivals(situation(dead), reach=5) == {3: 0}


def test_cell_is_open_as_long_as_no_rival_can_be_in_it() -> None:
    now = situation(scene("0....1"))
    looks = [LookAhead(now.rules.board, blast_schedule(now), {3: arrival}) for arrival in (2, 3)]
    assert [ahead.is_open(3, offset=2) for ahead in looks] == [False, True]


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


@pytest.mark.gate
def test_look_ahead_agrees_with_playing_every_way() -> None:
    answers = Counter[bool]()
    for game, state in busy_states(80, chain="delayed", width=6, height=5, soft=6, ore=4, free_ammo=0):
        now = Situation(game.rules, state, 0)
        ahead = look(now)
        survives = any(ahead.survives(cell) for cell in ahead.moves(now.here))
        assert survives == can_survive(game, state, ticks=8)
        assert survives == (min(map(ahead.least_damage, ahead.moves(now.here))) == 0)
        answers[survives] += 1
    assert min(answers[True], answers[False]) >= 5


@pytest.mark.parametrize(("timer", "damage"), [(2, 2), (5, 2)])
def test_least_damage_counts_every_fire_that_the_rules_would_deal(timer: int, damage: int) -> None:
    shown = scene("0.#", "###", "..1", bombs=[(1, 0, 1, 2), (0, 0, 1, timer)], hp=(9, 9))
    assert (look(situation(shown)).least_damage(0), 9 - shown.wait(8).player(0).hp) == (damage, damage)


CORRIDOR = ("..0..", "##.##", "1....")
OPEN_END, CLOSED_END = ("0.1", ".##", "..#"), ("#.01", "##.#", "##..")
BURNING_HERE = [(0, 0, 1)]
PICKS: dict[str, tuple[Board, list[tuple[int, int, int]], int, list[int], int]] = {
    "a way that survives, whatever is preferred": (CORRIDOR, [(2, 0, 1), (3, 0, 1)], 0, [2, 3, 7], 7),
    "the first choice where all survive": (CORRIDOR, [], 0, [3, 2, 7], 3),
    "the least damage without a way out": (("0.#1",), [(0, 0, 1), (0, 0, 1), (1, 0, 1)], 0, [0, 1], 1),
    "off a burning cell, rivals standing still": (OPEN_END, BURNING_HERE, 0, [1, 3], 1),
    "no cell that a rival may take first": (OPEN_END, BURNING_HERE, 1, [1, 3], 3),
    "a dead end, rivals standing still": (CLOSED_END, [], 0, [1, 6], 1),
    "no dead end that a rival could close": (CLOSED_END, [], 2, [1, 6], 6),
}


@pytest.mark.parametrize(("board", "fires", "rival_reach", "choices", "picked"), PICKS.values(), ids=PICKS)
def test_safest_move_is_picked(
    board: Board, fires: list[tuple[int, int, int]], rival_reach: int, choices: list[int], picked: int
) -> None:
    assert Safety(situation(scene(*board, fires=fires)), rival_reach=rival_reach).pick(choices) == picked


LONG_WAY, SHORT_WAY = ("s0.1", "##.#", "##.#", "##.#"), ("s0.....", "##.####", "##.1...")
FAR_RIVAL = ("s0......1", *["##.######"] * 3)
BOMBS: dict[str, tuple[Board, Bombs, int, bool]] = {
    "rivals far away": (FAR_RIVAL, [], 0, True),
    "a rival near by may stand in the way out": (LONG_WAY, [], 0, False),
    "a rival may walk into the way out": (LONG_WAY, [], 3, False),
    "no other bomb": (SHORT_WAY, [], 0, True),
    "a rival's chain would set it off at once": (SHORT_WAY, [(3, 0, 1, 1)], 0, False),
}


@pytest.mark.parametrize(("board", "bombs", "rival_reach", "may"), BOMBS.values(), ids=BOMBS)
def test_bomb_is_laid_only_with_a_way_out(board: Board, bombs: Bombs, rival_reach: int, may: bool) -> None:
    assert Safety(situation(scene(*board, bombs=bombs)), rival_reach=rival_reach).may_bomb() == may


@pytest.mark.parametrize(
    ("corner", "elsewhere", "picked"), [("1", ".", 5), ("#", "1", 2)], ids=["near by", "walled off"]
)
def test_no_step_towards_the_own_fire_where_a_rival_may_take_the_cell_that_is_left(
    corner: str, elsewhere: str, picked: int
) -> None:
    shown = scene(f"{corner}0..", "#.##", "#...", "####", f"{elsewhere}...", bombs=[(3, 0, 0, 6)])
    assert Safety(situation(shown)).pick([2, 5]) == picked


@pytest.mark.parametrize(("board", "picked"), [(OPEN_END, 3), (("0..", ".##", "..1"), 1)], ids=["beside it", "far off"])
def test_off_the_own_fire_not_into_a_cell_that_a_rival_may_take_first(board: Board, picked: int) -> None:
    assert Safety(situation(scene(*board, fires=[(0, 0, 0)]))).pick([1, 3]) == picked
