"""The bot's side of the protocol: runs one bot class over one connection, one match after another.

The bot is plain synchronous code. The harness passes it questions, measures its planning time and sends its answers.
Between two answers of an `improve` generator it reads the network.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from time import perf_counter, process_time
from typing import TYPE_CHECKING, TypeVar, assert_never

import msgspec
from msgspec import UNSET

from gridjoust.bots.answers import (
    NoAnswerError,
    act_text,
    answer_text,
    failure_text,
    first_legal,
    no_iterator_error,
    nothing_yielded_error,
    options_problem,
    own_traceback,
    run_method,
)
from gridjoust.bots.api import AnytimeBot, Bot, Budget, Deadline, Observation, SearchStats
from gridjoust.bots.planners.budget import OutOfWork
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import BotBus
from gridjoust.runner.wire.inbox import Inbox

if TYPE_CHECKING:
    from gridjoust.bots.lens import Lens, Showcase

B = TypeVar("B", bound=Bot)

TURN_BASED = ("sequential", "simultaneous")
_MISSED = (FileNotFoundError, ModuleNotFoundError, PermissionError)  # raised if the sandbox lacks a file
LOOK_EVERY_MS = 1.0  # how often an anytime search pauses to read the network


def now_ms() -> float:
    """Return this process's monotonic time in milliseconds."""
    return perf_counter() * 1000


def cpu_now_ms() -> float:
    """Return the CPU time of this process so far in milliseconds; it is the time that counts under `clock: cpu`."""
    return process_time() * 1000


class Harness:
    """Runs the bots of one process until `stop`."""

    def __init__(
        self, bot_class: type[Bot], *, bus: BotBus, prefix: str, file_hint: str = "", shows: bool = False
    ) -> None:
        """Prepare to serve; call `run` next.

        `file_hint` is added to the bot's error if a file is missing; `shows` publishes the bot's search for spectators.
        """
        self._shown = _showcase(bus, prefix) if shows else None
        self._bot_class = bot_class
        self._file_hint = file_hint
        self._bus = bus
        self._topic_in, self._topic_out = f"{prefix}/in", f"{prefix}/out"
        self._topic_status = f"{prefix}/status"
        self._inbox = Inbox(lambda fault: _note(f"ignored: {fault}"))
        self._bot: Bot | None = None
        self._setup: protocol.Start | None = None
        self._code = 0  # exit code of the process

    async def run(self) -> int:
        """Subscribe, announce the bot and serve until a stop message; return the process's exit code."""
        await self._bus.subscribe(self._topic_in, self._inbox.on_message)
        await self._bus.publish(self._topic_status, protocol.encode(protocol.Status(online=True)))
        while True:
            message = await self._inbox.get(self._bus.wait)
            if isinstance(message, protocol.Stop):
                return self._code
            try:
                await self._serve(message)
            except (Exception, SystemExit) as error:  # the bot failed: report it to the referee and print it in the log
                import traceback  # noqa: PLC0415 - only a failed bot pays for this import

                traceback.print_exception(error.with_traceback(own_traceback(error)))
                match = self._setup.match if self._setup is not None else None
                hint = self._file_hint if isinstance(error, _MISSED) else ""
                await self._send(protocol.BotError(match=match, message=failure_text(error) + hint))
                return 1

    def on_lost(self, reason: str) -> None:
        """Make `run` return after the connection broke; the runner starts a new process."""
        _note(f"connection lost: {reason}")
        self._code = protocol.CONNECTION_LOST
        self._inbox.put(protocol.Stop())

    async def _serve(self, message: protocol.ToBot) -> None:
        match message:
            case protocol.Hello():
                await self._send(ready_of(self._bot_class, None))
            case protocol.Start():
                self._setup = message
                self._bot = make_bot(self._bot_class, message, lens=None if self._shown is None else self._shown.lens)
                await self._send(ready_of(self._bot_class, message.match))
            case protocol.TurnMessage():
                await self._answer(message)
            case protocol.Event():
                self._hear(message)
            case protocol.End():
                bot, self._bot = self._bot_of(message.match), None
                if bot is not None:
                    run_method(bot.finish, message)
            case protocol.Stop():
                pass  # `run` ends the loop
            case _:
                assert_never(message)

    def _bot_of(self, match: str) -> Bot | None:
        """Return the bot if it is playing this match, else None."""
        return self._bot if self._setup is not None and self._setup.match == match else None

    def _hear(self, event: protocol.Event) -> None:
        if bot := self._bot_of(event.match):
            run_method(bot.hear, event)

    async def _answer(self, question: protocol.TurnMessage) -> None:
        bot = self._bot_of(question.match)
        if bot is None or self._setup is None:
            return
        if self._shown is not None:
            bot.lens = self._shown.lens_for(question.seat)
        try:
            await self._answer_with(bot, self._setup, question)
            if self._shown is not None:
                await self._shown.show(question)
        except NoAnswerError as error:  # an invalid answer is a fault; the match goes on
            _note(str(error))
            await self._send(protocol.BotError(match=question.match, ask=question.ask, message=str(error)))

    async def _answer_with(self, bot: Bot, setup: protocol.Start, question: protocol.TurnMessage) -> None:
        if not isinstance(bot, AnytimeBot):
            await self._send(act(bot, question, now_ms))
            return
        looked_ms = now_ms()
        clock_ms = cpu_now_ms if setup.limits.clock == "cpu" else now_ms
        found = improve(bot, question, setup, now_ms=now_ms, clock_ms=clock_ms)
        with contextlib.suppress(StopIteration), contextlib.closing(found):
            action = next(found)
            while True:
                if action is not None:
                    await self._send(action)
                if now_ms() - looked_ms >= LOOK_EVERY_MS:
                    await self._bus.look()
                    looked_ms = now_ms()
                action = found.send(not self._hear_waiting())

    def _hear_waiting(self) -> bool:
        """Pass waiting events on to the bot; return False if another message waits, which stays in the inbox."""
        while (message := self._inbox.peek()) is not None:
            if not isinstance(message, protocol.Event):
                return False
            self._hear(message)
            self._inbox.take()
        return True

    async def _send(self, message: protocol.FromBot) -> None:
        await self._bus.publish(self._topic_out, protocol.encode(message))


def _note(text: str) -> None:
    print(f"{protocol.HARNESS_MARK}{text}", file=sys.stderr)  # noqa: T201 - the bot's log


def _showcase(bus: BotBus, prefix: str) -> Showcase:
    from gridjoust.bots.lens import Showcase  # noqa: PLC0415 - few bots are watched

    return Showcase(bus, prefix)


def make_bot(make: Callable[..., Bot], start: protocol.Start, *, lens: Lens | None = None) -> Bot:
    """Make a fresh bot for one match and start it; `make` is its class.

    Raise ValueError if the class does not accept the options of the tournament file.
    """
    if isinstance(make, type) and (problem := options_problem(make, start.options)):
        raise ValueError(problem)
    bot = make(**start.options)
    if lens is not None:
        bot.lens = lens
    return start_bot(bot, start)


def start_bot(bot: B, setup: protocol.Start) -> B:
    """Seed the bot's `rng`, give it unlimited work, call its `start` and return it."""
    bot.rng = random.Random(setup.bot_seed)
    bot.work = Budget()
    run_method(bot.start, setup)
    return bot


def ready_of(bot: Bot | type[Bot], match: str | None) -> protocol.Ready:
    """Return the message in which a bot declares its planner, games and version."""
    return protocol.Ready(
        protocol=protocol.PROTOCOL,
        match=match,
        planner=declared_planner(bot),
        plays=[bot.plays] if isinstance(bot.plays, str) else list(bot.plays),  # ("bomber") is a text, not a tuple
        version=str(bot.version),
        language="python",
    )


def act(bot: Bot, question: protocol.TurnMessage, now_ms: Callable[[], float]) -> protocol.Action:
    """Ask a bot that is not an anytime bot for its one answer and return the message with it."""
    bot.stats = None
    bot.work.refill(None if question.limit_work is UNSET else question.limit_work)
    began_ms = now_ms()
    text = act_text(bot, question)
    return _action(question, text, bot, planning_ms=now_ms() - began_ms)


def improve(
    bot: AnytimeBot,
    question: protocol.TurnMessage,
    setup: protocol.Start,
    *,
    now_ms: Callable[[], float],
    clock_ms: Callable[[], float] | None = None,
) -> Generator[protocol.Action | None, bool | None, None]:
    """Yield an anytime bot's answers as it finds them; None = it is still searching.

    The time limit is `turn_ms`, the work limit `turn_work`: when it is over, the last answer counts. Only a bot without
    an answer uses the time bank. If its work is spent before it has one, it plays the first legal action named.
    `clock_ms` is the clock of that limit; the default is `now_ms`.

    Send True when another message waits for the bot: the search ends. In turn-based games the last answer is then
    repeated as final.
    """
    bot.stats = None
    began_ms = now_ms()
    seq, best = 0, None
    deadline = _deadline(bot, question, setup, clock_ms or now_ms)
    with contextlib.closing(_as_generator(bot, bot.improve(question, deadline))) as generator:
        for answer in generator:
            action = None
            _count_work(bot)
            if answer is not None:
                best = answer_text(answer, bot, question, method="improve")
                action = _action(question, best, bot, planning_ms=now_ms() - began_ms, seq=seq, final=False)
                seq += 1
            if (yield action):
                break
        else:
            if best is None and setup.dynamics in TURN_BASED:
                if not deadline.is_over():
                    raise nothing_yielded_error(bot, question)
                best = first_legal(question) if bot.work.is_spent else None
    if best is not None and setup.dynamics in TURN_BASED:
        yield _action(question, best, bot, planning_ms=now_ms() - began_ms, seq=seq)


def ask_bot(bot: Bot, observation: Observation, *, limit_ms: float) -> str | None:
    """Ask for one answer outside a match: an anytime bot's best within the limit, or None if it has none."""
    if not isinstance(bot, AnytimeBot):
        return act_text(bot, observation)
    deadline = Deadline(limit_ms, now_ms)
    best: str | None = None
    with contextlib.closing(_as_generator(bot, bot.improve(observation, deadline))) as generator:
        for answer in generator:
            best = best if answer is None else answer_text(answer, bot, observation, method="improve")
            if deadline.is_over():
                break
    return best


def _deadline(
    bot: AnytimeBot, question: protocol.TurnMessage, setup: protocol.Start, clock_ms: Callable[[], float]
) -> Deadline:
    """Return the deadline of an answer; under `clock: work` only the bot's work limits it."""
    if setup.limits.clock == "work":
        bot.work.refill(min(limit for limit in (question.limit_work, setup.limits.turn_work) if limit is not UNSET))
        return Deadline(None, clock_ms, bot.work)
    bot.work.refill(None)
    limits_ms = [limit for limit in (question.limit_ms, setup.turn_ms) if limit is not None]
    return Deadline(None if question.limit_ms is None else min(limits_ms), clock_ms)


def _count_work(bot: Bot) -> None:
    """Make the work spent and the successors reported agree: both become the larger of the two."""
    work, stats = bot.work, _stats_of(bot)
    if not work.is_limited:
        return
    stats = stats or protocol.Stats()
    work.generated = max(work.generated, stats.generated or 0)
    work.tactics = max(work.tactics, stats.tactics or 0)
    if work.spent > (stats.work or 0):
        stats = msgspec.structs.replace(stats, generated=work.generated, tactics=work.tactics or None)
        bot.stats = stats


def _add_tactics(bot: Bot) -> None:
    """Add to the bot's statistics what its work has counted as tactics."""
    stats = _stats_of(bot) or protocol.Stats()
    bot.stats = msgspec.structs.replace(stats, tactics=max(stats.tactics or 0, bot.work.tactics))


def _action(
    question: protocol.TurnMessage, text: str, bot: Bot, *, planning_ms: float, seq: int = 0, final: bool = True
) -> protocol.Action:
    if bot.stats is not None:
        bot.stats = _stats_of(bot)
    if bot.work.tactics:
        _add_tactics(bot)
    if bot.work.is_limited:
        _count_work(bot)
    return protocol.Action(
        match=question.match,
        ask=question.ask,
        seat=question.seat,
        action=text,
        seq=seq,
        final=final,
        planning_ms=round(planning_ms, 3),
        stats=bot.stats,
    )


def _stats_of(bot: Bot) -> SearchStats | None:
    """Return the search statistics that the bot set; a dict with the same keys is accepted.

    Raise NoAnswerError if they are not statistics.
    """
    stats: object = bot.stats
    if stats is None or isinstance(stats, SearchStats):
        return stats
    try:
        return msgspec.convert(stats, SearchStats)
    except msgspec.ValidationError as error:
        raise NoAnswerError(f"stats: expected a SearchStats, got {stats!r:.60}: {error}") from None


def declared_planner(bot: Bot | type[Bot]) -> str:
    """Return the name of the bot's planner; ValueError if it is not 1 to 30 letters, digits or _."""
    if not protocol.is_planner(bot.planner):
        name = bot.__name__ if isinstance(bot, type) else type(bot).__name__
        raise ValueError(f"{name}.planner: expected 1 to 30 letters, digits or _, got {bot.planner!r}")
    return bot.planner


def _as_generator(bot: Bot, answers: Iterator[str | None]) -> Generator[str | None, None, None]:
    """Wrap any iterator that `improve` returned in a generator, which can be closed; without work left it ends."""
    if isinstance(answers, str) or not isinstance(answers, Iterable):
        raise no_iterator_error(answers, bot)
    with contextlib.suppress(OutOfWork):
        yield from answers
