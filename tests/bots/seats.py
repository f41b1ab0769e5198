"""Bots before a drawn situation: seated and asked as a harness would. Holds no expectations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gridjoust.bots.api import Bot
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.games.api import AnyGame

B = TypeVar("B", bound=Bot)


def seated(bot: B, game: AnyGame, state: object, *, seats: Sequence[int] = (0,), seed: int = 1) -> B:
    """The bot, started on these seats."""
    return start_bot(bot, make_setup(game, state, seats=seats, bot_seed=seed))


def asked(bot: Bot, game: AnyGame, state: object, *, seat: int = 0) -> str:
    """One answer."""
    return bot.act(observe(game, state, seat))
