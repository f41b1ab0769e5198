"""How many matches an examination needs: few of long ones. Plays one of random answers in this process to see."""

from __future__ import annotations

import random

from gridjoust.games.api import AnyGame
from gridjoust.games.play import moments

MOST_MATCHES = 4
TURNS = 1200  # of all matches together, about
TURN_BASED = ("sequential", "simultaneous")


def default_matches(game: AnyGame, *, places: int) -> int:
    """One of a game against the clock, which takes its time; else as many as are played quickly, or one a place."""
    if game.spec.dynamics.value not in TURN_BASED:
        return 1
    chance, turns = random.Random("doctor/length"), 0
    try:
        for _ in moments(game, lambda state, seat: chance.choice(game.legal_actions(state, seat)), max_turns=TURNS):
            turns += 1
    except Exception:  # a bug of the rules: the first match meets it too, and says where it is
        return 1
    return max(min(places, MOST_MATCHES), min(MOST_MATCHES, TURNS // max(turns, 1)))
