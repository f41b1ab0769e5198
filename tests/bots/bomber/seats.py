"""Bots of bomber at a drawn board: seated and asked as a harness would. Holds no expectations."""

from __future__ import annotations

import random
from typing import TypeVar

from bots.api import Bot, MatchSetup, Observation
from tests.games.bomber.scenes import Scene

B = TypeVar("B", bound=Bot)


def seated(bot: B, shown: Scene, *, seed: int = 0, seats: tuple[int, ...] = (0,)) -> B:
    """The bot, started."""
    game = shown.game
    bot.rng = random.Random(seed)
    bot.start(
        MatchSetup(
            match="m",
            game="bomber",
            game_version=game.spec.version,
            variant="bomber",
            params=dict(game.params),
            seats=list(seats),
            seat_count=game.seats,
            teams=list(game.teams),
            roles=list(game.roles),
            briefing={str(seat): game.briefing(shown.state, seat) for seat in seats},
            bot_seed=seed,
            dynamics="simultaneous",
            turn_ms=100,
        )
    )
    return bot


def question(shown: Scene, *, seat: int = 0) -> Observation:
    """What the seat sees."""
    return Observation(seat=seat, turn=shown.state.tick, view=shown.game.observation(shown.state, seat), legal=[])


def asked(bot: Bot, shown: Scene, *, seat: int = 0) -> str:
    """One answer."""
    return bot.act(question(shown, seat=seat))


def answer(shown: Scene, bot: Bot, *, seed: int = 0) -> str:
    """The first answer of a bot that has just sat down."""
    return asked(seated(bot, shown, seed=seed), shown)


def followed(bot: Bot, shown: Scene, ticks: int) -> Scene:
    """The scene after the bot has played seat 0 while the other seat waits."""
    seated(bot, shown)
    for _ in range(ticks):
        shown = shown.play(f"{asked(bot, shown)} wait")
    return shown
