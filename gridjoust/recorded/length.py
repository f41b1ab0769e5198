"""Chooses the number of matches for `joust doctor`, from the length of one random match."""

from __future__ import annotations

import random

from gridjoust.games.api import AnyGame
from gridjoust.games.play import moments

MOST_MATCHES = 4
TURNS = 1200  # wanted in all matches together, roughly
TURN_BASED = ("sequential", "simultaneous")


def default_matches(game: AnyGame, *, places: int) -> int:
    """Return 1 for a game in real time, else up to `MOST_MATCHES`: about `TURNS` turns, or one match per place."""
    if game.spec.dynamics.value not in TURN_BASED:
        return 1
    chance, turns = random.Random("doctor/length"), 0
    try:
        for _ in moments(game, lambda state, seat: chance.choice(game.legal_actions(state, seat)), max_turns=TURNS):
            turns += 1
    except Exception:  # a bug of the rules: the first match reports it
        return 1
    return max(min(places, MOST_MATCHES), min(MOST_MATCHES, TURNS // max(turns, 1)))
