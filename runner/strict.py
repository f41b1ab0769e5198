"""`--strict`: every bot is started once before the first match; one that does not start ends the run. Plays nothing."""

from __future__ import annotations

import asyncio
import os

from gridjoust.runner.config.programs import programs_of, resolve_program
from gridjoust.runner.config.values import BotEntry, with_override
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.play.link import refusal_of
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire.errors import ConfigError


async def refuse_what_does_not_start(plan: Plan, backend: Backend) -> None:
    """ConfigError with a line for each bot that is not ready, or not for these games; remote ones may come later."""
    bots = [bot for bot in plan.loaded.config.bots if not bot.remote]
    names = {bot.name for bot in bots}
    accounts = {slot: account for slot, account in plan.accounts.items() if slot.rpartition(".")[0] in names}
    pool = BotPool(run=plan.run, bus=backend.bus, launcher=backend.launcher, accounts=accounts)
    limit = asyncio.Semaphore(os.cpu_count() or 1)
    async with pool.open():
        problems = await asyncio.gather(*(_problem(bot, plan, pool, limit) for bot in bots))
    if found := [problem for problem in problems if problem]:
        raise ConfigError("\n".join(found))


async def _problem(bot: BotEntry, plan: Plan, pool: BotPool, limit: asyncio.Semaphore) -> str:
    """Why it does not start, "" if it does."""
    loaded = plan.loaded
    games = dict.fromkeys(variant.entry.game for variant in loaded.variants)
    time = with_override(loaded.config.time, bot.time)
    for game in games:
        for program in programs_of(bot).values():
            resolved = resolve_program(program, game=game, folder=loaded.folder)
            entrant = Entrant(bot.name, resolved, "", (0,), time, bot.limits)
            async with limit, pool.seated([entrant]) as (link,):
                why = link.fault[1] if link.fault is not None else refusal_of(link.ready, game)
            if why:
                return f"--strict: {bot.name} does not start: {why}"
    return ""
