"""The forward model against the rules, and what it thinks of lines."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.bomber.forward_model import HP_VALUE, ForwardModel, Line
from gridjoust.bots.bomber.safety import Safety
from gridjoust.bots.bomber.target_bot import Decision
from gridjoust.bots.bomber.tracker import make_memories
from gridjoust.bots.match import make_setup
from gridjoust.bots.planners.budget import Budget
from gridjoust.games.api import Turn
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import ACTIONS, Action
from gridjoust.games.bomber.state import State
from tests.bots.bomber.seats import situation
from tests.games.bomber.scenes import Scene, scene

LATER = 10**9


def model_of(shown: Scene) -> ForwardModel:
    """A model for seat 0, which knows all."""
    memory = make_memories(make_setup(shown.game, shown.state, seats=[0]))[0]
    now = situation(shown)
    return ForwardModel(Decision(memory, now, Safety(now), Budget()))


def best(shown: Scene, *, ticks: int) -> float:
    """The worth of the best line of that length."""
    model = model_of(shown)
    lines = [model.start]
    for _ in range(ticks):
        lines = [longer for line in lines for longer in model.successors(line)]
    return max(map(model.worth, lines))


def action_of(shown: Scene, line: Line, longer: Line) -> Action:
    if len(longer.laid) > len(line.laid):
        return Action.BOMB
    return shown.game.rules.board.action_to(line.cell, longer.cell)


def without_spawns(state: State) -> State:
    return state._replace(ammo_due=(), treasure_due=LATER)


@pytest.mark.gate
def test_lines_go_as_the_rules_do_but_for_what_is_drawn() -> None:
    params = {"preset": "coderone", "width": 8, "height": 7, "metal": 6, "soft": 12, "player_hp": 50, "bomb_ticks": 6}
    game = Bomber(params)  # type: ignore[arg-type]
    hurt = bombs = 0
    for seed in range(12):
        rng = random.Random(seed)
        state = without_spawns(game.initial_state(seed))
        for _ in range(12):
            shown = Scene(game, state)
            model = model_of(shown)
            line = model.start
            for _ in range(10):
                heads = [head for head in model.successors(line) if not line.ticks or head.laid == line.laid]
                longer = rng.choice(heads)
                turn = Turn({0: action_of(shown, line, longer), 1: Action.WAIT}, shown.state.tick)
                shown = Scene(game, without_spawns(game.apply(shown.state, turn)))
                own, line = shown.player(0), longer
                assert (line.cell, line.ammo, line.hp) == (own.cell, own.ammo, own.hp)
            hurt, bombs = hurt + (line.hp < model.start.hp), bombs + len(line.laid)
            for _ in range(5):
                state = without_spawns(game.apply(state, Turn({0: rng.choice(ACTIONS), 1: Action.WAIT}, state.tick)))
    assert min(hurt, bombs) > 3


OFFERED = {
    "free moves and waiting": (scene(".s.", ".01", ".#.", ammo=(0, 3)), {"left", "wait"}),
    "a bomb where it pays and leaves a way out": (scene("s0...", "##.##", "1....", "#...#"), {"bomb", "right", "wait"}),
    "no bomb without a way out": (scene("s0.##", "#####", "1....", "#...#"), {"right", "wait"}),
    "no bomb that does not pay": (scene(".0...", "##.##", "1....", "#...#"), {"left", "right", "wait"}),
}


@pytest.mark.parametrize(("shown", "expected"), OFFERED.values(), ids=OFFERED)
def test_actions_that_are_offered_now_and_a_tick_later(shown: Scene, expected: set[str]) -> None:
    model = model_of(shown)
    first = model.successors(model.start)
    assert {action_of(shown, model.start, head).value for head in first} == expected
    waited = next(head for head in first if head.cell == model.start.cell and not head.laid)
    assert {action_of(shown, waited, head).value for head in model.successors(waited)} == expected


def test_a_line_ends_with_the_life_of_the_seat() -> None:
    shown = scene("#0#", "1##", fires=[(1, 0, 1)], hp=(1, 3), ammo=(0, 0))
    model = model_of(shown)
    [burnt] = model.successors(model.start)
    assert (burnt.hp, model.successors(burnt)) == (0, [])
    assert model.worth(burnt) < model.worth(model.start)


def test_target_is_better_the_nearer_it_is_and_best_when_it_is_reached() -> None:
    near, far = scene("a.0..", "#####", "1...."), scene("a..0.", "#####", "1....")
    assert best(near, ticks=0) > best(far, ticks=0)
    for ammo in (0, 1, 2, 5):
        shown = scene("a0...", "#####", "1....", ammo=(ammo, 3))
        assert best(shown, ticks=1) > best(shown, ticks=0)


def test_a_bomb_pays_a_block_once_and_is_better_than_a_bomb_to_lay() -> None:
    shown = scene("s0...", "##.##", ".....", ".....", "#...#", "#####", "ssss1", ammo=(2, 3))
    model = model_of(shown)
    bombed, *others = model.successors(model.start)
    assert bombed.laid == ((1, 0),)
    assert model.worth(bombed) > max(map(model.worth, others))
    assert model._pay(bombed) == 0 < model._pay(model.start)


def test_hp_lost_weighs_more_than_any_target() -> None:
    shown = scene("#a0", "###", "1..", fires=[(1, 0, 1)], ammo=(0, 3))
    model = model_of(shown)
    into_fire = Line(1, 1, hp=2, ammo=1, worth=model._moved(model.start, 1).worth)
    assert into_fire.worth < 5 - HP_VALUE


def test_a_bomb_that_reaches_a_rival_on_the_last_cell_pays_like_a_hit() -> None:
    board = ("#####", "#.0.#", "#.1.#", "#...#", "#####")
    shown = scene(*board, close_from=1, close_every=1, hp=(3, 3)).change(tick=1)
    model = model_of(shown)
    now = situation(shown)
    assert now.keeper == 1
    assert model._pay(model.start) == HP_VALUE


def test_the_last_cell_is_worth_more_the_nearer_it_is_and_the_sooner_the_board_closes() -> None:
    near, far = (
        scene(*rows, close_from=60, close_every=2) for rows in (("1...", "..0.", "...."), ("1..0", "....", "...."))
    )
    assert best(near, ticks=0) > best(far, ticks=0)
    assert best(near.change(tick=50), ticks=0) > best(near, ticks=0)
    open_board = scene("1...", "..0.", "....", ammo=(0, 0))
    assert best(open_board, ticks=0) < best(near, ticks=0)
