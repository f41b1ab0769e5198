"""Resample what one seat of placement cannot see."""

from __future__ import annotations

import random
from dataclasses import replace

from gridjoust.games.chance import SEED_LIMIT
from gridjoust.games.placement.params import Rules
from gridjoust.games.placement.state import Player, Seat, State


def redeal(rules: Rules, kinds: int, state: State, seat: Seat, rng: random.Random) -> State:
    """Draw another seed for all later draws; with hidden hands also draw the other seats' hands and bags.

    Hands and bags keep their sizes; a seat holds no piece twice if that is possible.
    """
    fresh = replace(state, seed=rng.randrange(SEED_LIMIT))
    if not rules.hidden_hands:
        return fresh
    players = [player if other == seat else _redealt(player, kinds, rng) for other, player in enumerate(state.players)]
    return replace(fresh, players=tuple(players))


def _redealt(player: Player, kinds: int, rng: random.Random) -> Player:
    order = rng.sample(range(kinds), kinds)
    bag = tuple(sorted(order[: len(player.bag)]))
    outside = order[len(player.bag) :] or order
    return player._replace(hand=tuple(outside[n % len(outside)] for n in range(len(player.hand))), bag=bag)
