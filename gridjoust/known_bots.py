"""The bots that a tournament file can name, with what a configuration must know of them. Starts none."""

from __future__ import annotations

from bots import bot_names, load_bot
from runner.config.values import BotInfo


def known_bots() -> dict[str, BotInfo]:
    """Name -> games and planner of every built-in and installed bot."""
    return {name: BotInfo(plays=(bot := load_bot(name)).plays, planner=bot.planner) for name in bot_names()}
