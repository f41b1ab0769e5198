"""Asks one of a match's bots the recorded questions again and collects its debug layers.

A Python bot is asked in this process. Any other bot runs as a program; its `start` message says that layers are wanted.
The record stays unchanged; answers that differ from it are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from functools import partial
from io import StringIO
from typing import Any

from gridjoust.bots import load_bot_spec
from gridjoust.bots.answers import NoAnswerError, failure_text
from gridjoust.bots.api import AnytimeBot, Bot
from gridjoust.bots.harness import TURN_BASED, act, improve, make_bot, now_ms
from gridjoust.bots.lens import Lens, ShownLayer
from gridjoust.recorded.source import Source, entrants_of
from gridjoust.recorded.transcript import exchanges_with, start_of
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import Start, TurnMessage
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.search.look_process import look_at_process
from gridjoust.viewer.search.trace import Looked

WRITTEN = "what it wrote"  # name of the layer with a bot's output
_MOST_LETTERS = 200
_MOST_LINES = 40


def entrants_named(source: Source, bot: str) -> list[Entrant]:
    """Return the entrants of a match with this name; ConfigError if there is none, or if the bot is remote."""
    others = {seat.bot for seat in source.record.header.seats} - {bot}
    found = [one for one in entrants_of(source, unread=others) if one.bot == bot]
    if not found:
        names = ", ".join(dict.fromkeys(seat.bot for seat in source.record.header.seats))
        raise ConfigError(f"--bot: expected one of {plain_text(names, limit=_MOST_LETTERS)}, got {bot!r}")
    if any(one.program.remote for one in found):
        raise ConfigError(f"--bot: {bot} is a remote bot, which cannot be started here")
    return found


def look(source: Source, entrants: Sequence[Entrant], *, first: int, last: int) -> Looked:
    """Ask the entrants all questions up to turn `last`, and keep the layers from turn `first` on."""
    looked = Looked(entrants[0].bot)
    for entrant in entrants:
        if entrant.program.command is not None:
            look_at_process(looked, source, entrant, turns=range(first, last + 1))
            continue
        start = start_of(source.record, entrant, run_key=source.config.run_key)
        spec = entrant.program.bot or entrant.program.path or ""
        try:
            bot = make_bot(partial(_watched, load_bot_spec(spec)), start)
        except ValueError as error:
            raise ConfigError(f"--bot: {error}") from None
        except Exception as error:  # the bot's own failure
            raise ConfigError(f"--bot: {entrant.bot}: {plain_text(failure_text(error), limit=_MOST_LETTERS)}") from None
        assert bot.lens is not None
        _look_at(looked, source, entrant, bot, start, turns=range(first, last + 1))
        looked.left_out += bot.lens.left_out
    return looked


def _watched(bot_class: type[Bot], **options: Any) -> Bot:
    """Make a bot that collects debug layers from its start on."""
    bot = bot_class(**options)
    bot.lens = Lens()
    return bot


def _look_at(looked: Looked, source: Source, entrant: Entrant, bot: Bot, start: Start, *, turns: range) -> None:
    """Ask one bot its questions up to the end of `turns`, or until it crashes."""
    assert bot.lens is not None
    for told in exchanges_with(source.record, entrant.seats):
        message = told.message
        if message.turn >= turns.stop:
            return
        answers: list[str] = []
        written = StringIO()
        try:
            with redirect_stdout(written), redirect_stderr(written):
                if isinstance(message, TurnMessage):
                    answers = _answers(bot, message, start)
                else:
                    bot.hear(message)
        except Exception as error:  # the bot's own failure
            problem = plain_text(failure_text(error), limit=_MOST_LETTERS)
            looked.crash = f"turn {message.turn}: {problem}"
            written.write(("\n" if written.getvalue() else "") + problem)
        if not isinstance(message, TurnMessage):
            if looked.crash:
                return
            continue
        shown = [asdict(layer) for layer in bot.lens.take()]
        if told_text := plain_lines(written.getvalue()):
            shown.append(asdict(ShownLayer(WRITTEN, "text", told_text)))
        looked.keep(told, answers, shown, is_wanted=message.turn in turns, is_timed=start.dynamics not in TURN_BASED)
        if looked.crash:
            return


def plain_lines(text: str) -> str:
    """Return the first lines of a bot's output without control characters."""
    return "\n".join(plain_text(line, limit=_MOST_LETTERS) for line in text.splitlines()[:_MOST_LINES])


def _answers(bot: Bot, question: TurnMessage, start: Start) -> list[str]:
    """Return the bot's answers in order; an anytime bot may give several."""
    try:
        if not isinstance(bot, AnytimeBot):
            return [act(bot, question, now_ms).action]
        return [one.action for one in improve(bot, question, start, now_ms=now_ms) if one is not None]
    except NoAnswerError:
        return []
