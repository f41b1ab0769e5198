"""Asks a bot in any language the questions of a match again, and collects its debug layers.

The bot is started as in a tournament; its `start` message says that layers are wanted. They come with its answers
(`shown`).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from gridjoust.recorded.session import Reply, Session, bot_entry, bot_name, open_session, patience_ms
from gridjoust.recorded.source import Source
from gridjoust.recorded.transcript import exchanges_with, start_of
from gridjoust.runner.config.values import Execution, GameEntry, Tournament
from gridjoust.runner.plan import Plan, plan_pairings
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.tournament import open_backend
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import Start, TurnMessage
from gridjoust.runner.wire.shown import Layer
from gridjoust.runner.wire.text import UNREADABLE, plain_text
from gridjoust.tournament import run_loop
from gridjoust.viewer.search.trace import Looked

SETTLE_MS = 200.0  # wait in real-time games, where silence is a valid answer
_TIMED = ("real_time", "ticked")
_MOST_LETTERS = 200


_LAYERS = msgspec.json.Decoder(list[Layer])


def look_at_process(looked: Looked, source: Source, entrant: Entrant, *, turns: range) -> None:
    """Ask one entrant all questions before turn `turns.stop`, or until it crashes; ConfigError if it does not start."""
    entry = bot_entry(bot_name(entrant.program), entrant.program)
    game = GameEntry(game=source.record.header.game)
    config = Tournament(tournament="look", games=(game,), bots=(entry,), execution=Execution(parallel=1))
    start = msgspec.structs.replace(start_of(source.record, entrant, run_key=source.config.run_key), lens=True)
    with tempfile.TemporaryDirectory(prefix="joust-look-") as scratch:
        plan = plan_pairings(config, Path(scratch), folder=source.path.absolute().parent.parent)
        run_loop(_look(looked, source, entrant, plan, start, turns=turns))


async def _look(looked: Looked, source: Source, entrant: Entrant, plan: Plan, start: Start, *, turns: range) -> None:
    bot = plan.loaded.config.bots[0]
    seated = Entrant(bot.name, entrant.program, "", entrant.seats, entrant.time, bot.limits)
    async with open_backend(plan) as backend, open_session(plan, backend, seated) as session:
        problem = session.problem
        if not problem:
            problem, _ = await session.begin(start, patience_ms=float(start.limits.start_ms))
        if problem:
            raise ConfigError(f"--bot: {entrant.bot}: {plain_text(problem, limit=_MOST_LETTERS)}")
        await _put_all(looked, source, entrant, session, start, turns=turns)


async def _put_all(
    looked: Looked, source: Source, entrant: Entrant, session: Session, start: Start, *, turns: range
) -> None:
    is_timed = start.dynamics in _TIMED
    for told in exchanges_with(source.record, entrant.seats):
        message = told.message
        if message.turn >= turns.stop:
            return
        if not isinstance(message, TurnMessage):
            await session.tell(message)
            continue
        limit_ms = SETTLE_MS if is_timed else patience_ms(message)
        reply = await session.ask(message, patience_ms=limit_ms, until_final=not is_timed)
        if session.has_ended:
            looked.crash = f"turn {message.turn}: {plain_text(reply.problem, limit=_MOST_LETTERS)}"
        shown, is_readable = _shown(reply)
        looked.left_out += not is_readable
        answers = [answer.action for answer in reply.answers]
        looked.keep(told, answers, shown, is_wanted=message.turn in turns, is_timed=is_timed)
        if looked.crash:
            return


def _shown(reply: Reply) -> tuple[list[dict[str, Any]], bool]:
    """Return the layers of the last answer that has some, and True if all messages were valid."""
    raw = next((answer.shown for answer in reversed(reply.answers) if answer.shown is not UNSET), None)
    if raw is None:
        return [], not reply.problem or reply.is_silent
    try:
        return [msgspec.to_builtins(layer) for layer in _LAYERS.decode(raw)], True
    except UNREADABLE:
        return [], False
