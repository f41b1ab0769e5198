"""What a page that somebody plays on is told."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from gridjoust import games
from gridjoust.person.screen import make_screen
from gridjoust.playing.page import PagePlayer, keys_of
from gridjoust.simulation import play

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


async def test_the_page_waits_for_the_last_line_of_a_match_which_may_come_after_its_run_has_ended() -> None:
    record = play("navigation", ["navigation/astar"], seed=3).record
    player = PagePlayer(record.header.seats[0].bot)
    player.on_lines("", msgspec.json.encode(record.header))
    waiting = asyncio.create_task(player.heard_the_end())
    await asyncio.sleep(0)
    assert not waiting.done()
    player.on_lines("", b"\n".join(msgspec.json.encode(line) for line in (*record.lines, record.end)))
    await waiting
