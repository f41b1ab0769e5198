"""What holds in every tick of every match, over drawn matches in several variants."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.games.api import Turn
from gridjoust.games.bomber import Bomber, stages
from gridjoust.games.bomber.actions import ACTIONS, Action
from gridjoust.games.bomber.stages import settle_moves
from gridjoust.games.bomber.state import METAL, State

TICKS = 250
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "long lives": {"player_hp": 200},
    "crowded": {"width": 6, "height": 6, "metal": 3, "soft": 3, "ore": 3, "player_hp": 200, "bomb_ticks": 6},
    "quick": {"player_hp": 200, "bomb_ticks": 3, "ammo_return_ticks": 2, "ammo_lifetime_ticks": 5, "player_ammo": 6},
    "at once": {"player_hp": 200, "move_order": "simultaneous", "chain": "instant", "double_pay": False},
    "closing": {"preset": "arena", "close_from": 20},
}
drawn_matches = given(
    variant=st.sampled_from(sorted(VARIANTS)), seats=st.integers(2, 4), seed=st.integers(0, 2**53 - 1)
)
some_matches = settings(max_examples=25, deadline=None)


def make_game(variant: str, seats: int) -> Bomber:
    params = {"preset": "coderone", **VARIANTS[variant]}
    if variant == "crowded" and seats > 2:
        params |= {"width": 8}
    return Bomber(params, seats=seats)


def states(game: Bomber, seed: int) -> Iterator[State]:
    """The states of a match of random actions, the first `TICKS` of them."""
    rng = random.Random(seed)
    state = game.initial_state(seed)
    yield state
    for _ in range(TICKS):
        if game.is_terminal(state):
            return
        state = game.apply(state, Turn({seat: rng.choice(ACTIONS) for seat in state.living()}, state.tick))
        yield state


def check_things(game: Bomber, state: State) -> None:
    """Ammo is neither made nor lost, no two things share a cell but players on bombs, no timer has run out."""
    in_hands = sum(player.ammo for player in state.players)
    assert in_hands + len(state.ammo) + len(state.ammo_due) == game.rules.player_ammo * game.seats + 1
    lying = [cell for cell, block in enumerate(state.blocks) if block]
    lying += [token.cell for token in state.ammo] + list(state.treasure)
    for cells in (lying, [player.cell for player in state.players], [bomb.cell for bomb in state.bombs]):
        assert len(set(cells)) == len(cells)
    assert not {player.cell for player in state.players if player.died_tick is None}.intersection(lying)
    ticks = [bomb.fires_tick for bomb in state.bombs] + [token.last_tick for token in state.ammo]
    assert min([*ticks, *state.ammo_due, state.treasure_due]) >= state.tick
    assert list(state.ammo_due) == sorted(state.ammo_due)


def check_players(game: Bomber, state: State) -> None:
    """Who has HP lives, scores are the sum of what was paid, hits scored are hits taken, returns are zero-sum."""
    assert sum(game.returns(state)) == 0
    for player in state.players:
        assert (player.died_tick is None) == (player.hp > 0)
        assert player.score == 25 * player.hits + 2 * player.soft_blocks + 10 * player.ore_blocks + player.treasure
    if game.rules.close_from:  # who was crushed has lost more HP than were hit
        return
    taken = sum(game.rules.player_hp - player.hp - player.own_hits for player in state.players)
    assert taken == sum(player.hits for player in state.players)


def check_step(game: Bomber, before: State, after: State) -> None:
    """HP never rises, scores never fall, metal stays and comes where it closes, only the living move."""
    width = game.rules.width
    for old, new in zip(before.players, after.players, strict=True):
        assert (new.hp <= old.hp, new.score >= old.score) == (True, True)
        far = abs(old.cell % width - new.cell % width) + abs(old.cell // width - new.cell // width)
        assert far <= (old.died_tick is None)
    new_metal = [cell for cell, block in enumerate(after.blocks) if block == METAL != before.blocks[cell]]
    assert all(before.blocks[cell] != METAL for cell in new_metal)
    assert set(new_metal) <= {game.rules.closes.get(before.tick)}
    assert all(block == METAL for cell, block in enumerate(after.blocks) if before.blocks[cell] == METAL)


@pytest.mark.gate
@drawn_matches
@settings(max_examples=60, deadline=None)
def test_every_tick_of_every_match_keeps_what_must_hold(variant: str, seats: int, seed: int) -> None:
    game = make_game(variant, seats)
    played = list(states(game, seed))
    for state in played:
        check_things(game, state)
        check_players(game, state)
    for before, after in pairwise(played):
        check_step(game, before, after)


@pytest.mark.gate
@drawn_matches
@some_matches
def test_order_of_answers_in_a_turn_makes_no_difference(variant: str, seats: int, seed: int) -> None:
    game = make_game(variant, seats)
    rng = random.Random(seed)
    for state in states(game, seed):
        if not game.is_terminal(state):
            actions = {seat: rng.choice(ACTIONS) for seat in state.living()}
            turned = dict(reversed(actions.items()))
            assert game.apply(state, Turn(actions, 0)) == game.apply(state, Turn(turned, 0))


@pytest.mark.gate
@drawn_matches
@some_matches
def test_order_is_left_undrawn_only_where_it_makes_no_difference(variant: str, seats: int, seed: int) -> None:
    game = make_game(variant, seats)
    with pytest.MonkeyPatch.context() as patch:
        usual = list(states(game, seed))
        patch.setattr(stages, "_is_order_felt", lambda tick, seats: True)
        assert list(states(game, seed)) == usual


@pytest.mark.gate
@drawn_matches
@some_matches
def test_seed_decides_nothing_but_order_and_spawns(variant: str, seats: int, seed: int) -> None:
    """In a tick in which nothing is due and all wait, chance has no part."""
    game = make_game(variant, seats)
    for state in states(game, seed):
        if not game.is_terminal(state) and min([*state.ammo_due, state.treasure_due]) > state.tick:
            turn = Turn(dict.fromkeys(state.living(), Action.WAIT), 0)
            other = game.apply(state._replace(seed=seed + 1), turn)
            assert other._replace(seed=seed) == game.apply(state, turn)


cells = st.integers(0, 5)


@given(cells=st.lists(cells, min_size=2, max_size=4, unique=True), targets=st.lists(cells, min_size=4, max_size=4))
def test_moves_made_at_once_never_end_on_one_cell_nor_swap(cells: list[int], targets: list[int]) -> None:
    wanted = {seat: targets[seat] for seat, cell in enumerate(cells) if targets[seat] != cell}
    moves = settle_moves(cells, wanted)
    after = [moves.get(seat, cell) for seat, cell in enumerate(cells)]
    assert len(set(after)) == len(after)
    assert not any(moves.get(one) == cells[two] and moves.get(two) == cells[one] for one in moves for two in moves)
