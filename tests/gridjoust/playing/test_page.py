"""What a page that somebody plays on is told."""

from __future__ import annotations

import pytest

from gridjoust import games
from gridjoust.person.screen import make_screen

pytest.importorskip("starlette")
from gridjoust.playing.page import keys_of

KEYS = {
    "bomber": {"w": "up", "a": "left", "s": "down", "d": "right", "b": "bomb", ".": "wait"},
    "navigation": {"w": "N", "d": "E", "s": "S", "a": "W"},
    "ricochet": {"1": "bid 1", "9": "bid 9", "p": "pass"},
    "placement": {"-": "pass"},
    "heroquest": {".": "end"},
}


@pytest.mark.parametrize("name", KEYS)
def test_a_games_own_keys_are_those_of_the_page(name: str) -> None:
    game = games.make(name, {"map": "...\n.0a\n..."} if name == "navigation" else {})
    state = game.initial_state(1)
    [seat, *_] = game.seats_to_act(state)
    legal = [str(action) for action in game.legal_actions(state, seat)]
    found = keys_of(make_screen(name, game.briefing(state, seat)), game.observation(state, seat), legal)
    assert KEYS[name].items() <= found.items()
    assert set(found.values()) <= set(legal)
