"""Asks one of a match's bots the recorded questions again and collects its debug layers.

A Python bot is asked in this process, so that what it prints stands beside each answer. Any other bot runs as in a
tournament, in a session; its `start` message says that layers are wanted, and they come with its answers (`shown`).
The record stays unchanged; answers that differ from it are listed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import partial
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from gridjoust.bots import load_bot_spec
from gridjoust.bots.answers import NoAnswerError, failure_text
from gridjoust.bots.api import AnytimeBot, Bot
from gridjoust.bots.harness import TURN_BASED, act, improve, make_bot, now_ms
from gridjoust.bots.lens import Lens, ShownLayer
from gridjoust.games.api import AnyGame, Seat
from gridjoust.recorded.session import (
    SETTLE_MS,
    ChangedAnswer,
    Reply,
    changed_answer,
    entrant_alone,
    open_session,
    patience_ms,
    plan_alone,
)
from gridjoust.recorded.source import Source, entrants_of
from gridjoust.recorded.transcript import Exchange, exchanges_with, start_of
from gridjoust.runner.plan import Plan
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.tournament import open_backend
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import Layer, Start, TurnMessage
from gridjoust.runner.wire.text import UNREADABLE, plain_text
from gridjoust.tournament import run_loop

WRITTEN = "what it wrote"  # name of the layer with a bot's output
_MOST_LETTERS = 200
_MOST_LINES = 40
_LAYERS = msgspec.json.Decoder(list[Layer])


@dataclass(slots=True)
class SearchTrace:
    """A bot's debug layers by seat and turn, and its answers that differ from the recorded ones."""

    bot: str
    layers: dict[Seat, dict[int, list[Any]]] = field(default_factory=dict)
    answered: int = 0
    differences: list[ChangedAnswer] = field(default_factory=list)
    left_out: int = 0
    crash: str = ""  # `turn 3: KeyError: 'ammo'`; after it the bot was asked nothing more

    def as_json(self) -> dict[str, Any]:
        """Return the trace as JSON data for the page."""
        return asdict(self)

    def layers_of(self, seat: Seat) -> dict[int, list[ShownLayer]]:
        """Return a seat's layers, by turn."""
        return {turn: [ShownLayer(**one) for one in shown] for turn, shown in self.layers.get(seat, {}).items()}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A bot's recorded messages, and the turns whose debug layers are kept in the trace."""

    source: Source
    entrant: Entrant
    game: AnyGame
    start: Start
    turns: range
    trace: SearchTrace

    @property
    def is_timed(self) -> bool:
        """True if questions stay open, so that any of the bot's answers may be the recorded one."""
        return self.start.dynamics not in TURN_BASED

    def messages(self) -> takewhile[Exchange]:
        """Return the recorded messages to the bot, up to the last wanted turn."""
        told = exchanges_with(self.source.record, self.entrant.seats)
        return takewhile(lambda one: one.message.turn < self.turns.stop, told)

    def keep(self, told: Exchange, answers: Sequence[str], shown: list[Any]) -> None:
        """Keep the debug layers of a question, and the bot's answer if it differs from the recorded one."""
        message, trace = told.message, self.trace
        trace.answered += 1
        if message.turn in self.turns:
            trace.layers.setdefault(message.seat, {})[message.turn] = shown
        if told.recorded is None or not told.recorded.action:
            return
        if (found := changed_answer(self.game, told, answers, is_timed=self.is_timed)) is not None:
            before, after = (plain_text(text, limit=_MOST_LETTERS) for text in (found.recorded, found.now))
            trace.differences.append(ChangedAnswer(found.turn, found.seat, before, after))

    def end(self, told: Exchange, problem: str) -> None:
        """Note that the bot crashed at this message."""
        self.trace.crash = f"turn {told.message.turn}: {plain_text(problem, limit=_MOST_LETTERS)}"


def entrants_named(source: Source, bot: str) -> list[Entrant]:
    """Return the entrants of this name in a match; ConfigError if there is none, or if the bot is remote."""
    others = {seat.bot for seat in source.record.header.seats} - {bot}
    found = [one for one in entrants_of(source, unread=others) if one.bot == bot]
    if not found:
        names = ", ".join(dict.fromkeys(seat.bot for seat in source.record.header.seats))
        raise ConfigError(f"--bot: expected one of {plain_text(names, limit=_MOST_LETTERS)}, got {bot!r}")
    if any(one.program.remote for one in found):
        raise ConfigError(f"--bot: {bot} is a remote bot, which cannot be started here")
    return found


def trace_searches(source: Source, entrants: Sequence[Entrant], *, first: int, last: int) -> SearchTrace:
    """Ask the entrants all recorded questions up to turn `last`; keep the debug layers from turn `first` on."""
    trace, game = SearchTrace(entrants[0].bot), game_of(source.record)
    for entrant in entrants:
        start = start_of(source.record, entrant, run_key=source.config.run_key)
        wanted = _Wanted(source, entrant, game, start, range(first, last + 1), trace)
        if entrant.program.command is None:
            _trace_here(wanted)
        else:
            _trace_process(wanted)
    return trace


def _trace_here(wanted: _Wanted) -> None:
    """Ask a Python bot in this process, until it crashes; ConfigError if it cannot be made."""
    program, name = wanted.entrant.program, wanted.entrant.bot
    try:
        bot = make_bot(partial(_watched, load_bot_spec(program.bot or program.path or "")), wanted.start)
    except ValueError as error:
        raise ConfigError(f"--bot: {error}") from None
    except Exception as error:  # the bot's own failure
        raise ConfigError(f"--bot: {name}: {plain_text(failure_text(error), limit=_MOST_LETTERS)}") from None
    assert bot.lens is not None
    for told in wanted.messages():
        written = StringIO()
        answers = _answers_here(wanted, bot, told, written)
        if isinstance(told.message, TurnMessage):
            shown = [asdict(layer) for layer in bot.lens.take()]
            if text := plain_lines(written.getvalue()):
                shown.append(asdict(ShownLayer(WRITTEN, "text", text)))
            wanted.keep(told, answers, shown)
        if wanted.trace.crash:
            break
    wanted.trace.left_out += bot.lens.left_out


def _watched(bot_class: type[Bot], **options: Any) -> Bot:
    """Make a bot whose debug layers are collected from its start on."""
    bot = bot_class(**options)
    bot.lens = Lens()
    return bot


def _answers_here(wanted: _Wanted, bot: Bot, told: Exchange, written: StringIO) -> list[str]:
    """Give the bot one message and return its answers; note a crash. `written` gets all output."""
    try:
        with redirect_stdout(written), redirect_stderr(written):
            if isinstance(told.message, TurnMessage):
                return _answers(bot, told.message, wanted.start)
            bot.hear(told.message)
    except Exception as error:  # the bot's own failure
        problem = failure_text(error)
        wanted.end(told, problem)
        written.write(("\n" if written.getvalue() else "") + plain_text(problem, limit=_MOST_LETTERS))
    return []


def _answers(bot: Bot, question: TurnMessage, start: Start) -> list[str]:
    """Return the bot's answers to a question, in order; an anytime bot may give several, [] if it has none."""
    try:
        if not isinstance(bot, AnytimeBot):
            return [act(bot, question, now_ms).action]
        return [one.action for one in improve(bot, question, start, now_ms=now_ms) if one is not None]
    except NoAnswerError:
        return []


def plain_lines(text: str) -> str:
    """Return the first lines of a bot's output, each shortened and without control characters."""
    return "\n".join(plain_text(line, limit=_MOST_LETTERS) for line in text.splitlines()[:_MOST_LINES])


def _trace_process(wanted: _Wanted) -> None:
    """Ask a bot in a process of its own, until it crashes; ConfigError if it does not start."""
    folder, game = wanted.source.path.absolute().parent.parent, wanted.game.spec.name
    with tempfile.TemporaryDirectory(prefix="joust-look-") as scratch:
        plan = plan_alone(wanted.entrant.program, game=game, out=Path(scratch), folder=folder)
        run_loop(_trace_session(wanted, plan))


async def _trace_session(wanted: _Wanted, plan: Plan) -> None:
    entrant, start = wanted.entrant, msgspec.structs.replace(wanted.start, lens=True)
    alone = entrant_alone(plan, entrant.program, seats=entrant.seats, time=entrant.time)

    def keep(told: Exchange, reply: Reply) -> None:
        shown, is_readable = _shown(reply)
        wanted.trace.left_out += not is_readable
        wanted.keep(told, reply.texts, shown)

    def wait_ms(told: Exchange) -> float:
        return SETTLE_MS if wanted.is_timed else patience_ms(told.message)

    async with open_backend(plan) as backend, open_session(plan, backend, alone) as session:
        problem, _ = await session.begin(start, patience_ms=float(start.limits.start_ms))
        if problem:
            raise ConfigError(f"--bot: {entrant.bot}: {plain_text(problem, limit=_MOST_LETTERS)}")
        ended = await session.replay(wanted.messages(), keep, wait_ms=wait_ms, until_final=not wanted.is_timed)
    if ended is not None:
        told, reply = ended
        wanted.end(told, reply.problem)
        keep(told, reply)


def _shown(reply: Reply) -> tuple[list[dict[str, Any]], bool]:
    """Return the debug layers of the last answer that has some, and False if they or a message were invalid."""
    raw = next((answer.shown for answer in reversed(reply.answers) if answer.shown is not UNSET), None)
    if raw is None:
        return [], not reply.problem or reply.is_silent
    try:
        return [msgspec.to_builtins(layer) for layer in _LAYERS.decode(raw)], True
    except UNREADABLE:
        return [], False
