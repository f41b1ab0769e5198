"""Hands and bags: every seat draws from a bag that holds each piece once and is filled again when empty."""

from __future__ import annotations

import random
from dataclasses import replace

from games.chance import rng_for
from games.placement.params import Rules
from games.placement.pieces import Shape
from games.placement.state import Player, Seat, State


def deal(rules: Rules, pieces: tuple[Shape, ...], state: State) -> State:
    """The seat in turn draws until its hand is full. With `deal: equal` all seats draw alike in a game round."""
    purpose = "hand" if rules.deal == "equal" else f"hand of seat {state.seat}"
    player = draw(
        state.players[state.seat],
        rules.hand,
        kinds=len(pieces),
        rng=rng_for(state.seed, state.game_round, purpose),
    )
    return replace(state, players=(*state.players[: state.seat], player, *state.players[state.seat + 1 :]))


def draw(player: Player, size: int, *, kinds: int, rng: random.Random) -> Player:
    """The player with a hand of `size` pieces: what it holds, then pieces from its bag in drawn order."""
    bag = list(player.bag)
    drawn: list[int] = []
    for _ in range(size - len(player.hand)):
        if not bag:
            bag = list(range(kinds))
        drawn.append(bag.pop(rng.randrange(len(bag))))
    return player._replace(hand=player.hand + tuple(drawn), bag=tuple(bag))


def redeal_hidden(pieces: tuple[Shape, ...], state: State, seat: Seat, rng: random.Random) -> State:
    """Hands and bags of all other seats drawn anew, of the same sizes: what they hold together has no piece twice
    where that is possible.
    """
    players = tuple(
        player if other == seat else _redealt(player, len(pieces), rng) for other, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _redealt(player: Player, kinds: int, rng: random.Random) -> Player:
    order = rng.sample(range(kinds), kinds)
    bag = tuple(sorted(order[: len(player.bag)]))
    outside = order[len(player.bag) :] or order
    return player._replace(hand=tuple(outside[n % len(outside)] for n in range(len(player.hand))), bag=bag)
