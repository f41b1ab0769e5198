"""The bot side of the wire: one bot class, one connection, one match after another. Knows no rules and no search.

The bot stays plain synchronous code. The harness feeds it questions, measures its planning time, sends its answers and,
between two answers of an `improve` generator, looks at the network.
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
    answer_text,
    failure_text,
    no_iterator_error,
    nothing_yielded_error,
    options_problem,
    run_method,
)
from gridjoust.bots.api import AnytimeBot, Bot, Budget, Deadline, Observation, SearchStats
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import BotBus
from gridjoust.runner.wire.inbox import Inbox

if TYPE_CHECKING:
    from gridjoust.bots.lens import Lens
    from gridjoust.bots.showcase import Showcase

B = TypeVar("B", bound=Bot)

TURN_BASED = ("sequential", "simultaneous")
_MISSED = (FileNotFoundError, ModuleNotFoundError, PermissionError)  # how a sandbox shows what it does not hold
LOOK_EVERY_MS = 1.0  # how often an anytime search lets the network in


def now_ms() -> float:
    """The harness's clock."""
    return perf_counter() * 1000


def cpu_now_ms() -> float:
    """CPU time of this process so far: what runs down where that is the limit."""
    return process_time() * 1000


class Harness:
    """Runs the bots of one process until `stop`."""

    def __init__(
        self, bot_class: type[Bot], *, bus: BotBus, prefix: str, file_hint: str = "", shows: bool = False
    ) -> None:
        """`file_hint`: what the referee hears besides if the bot misses a file; `shows`: somebody looks at searches."""
        self._shown = _showcase(bus, prefix) if shows else None
        self._bot_class = bot_class
        self._file_hint = file_hint
        self._bus = bus
        self._topic_in, self._topic_out = f"{prefix}/in", f"{prefix}/out"
        self._topic_status = f"{prefix}/status"
        self._inbox = Inbox(lambda fault: _note(f"ignored: {fault}"))
        self._bot: Bot | None = None
        self._setup: protocol.Start | None = None
        self._code = 0  # of the process, at its end

    async def run(self) -> int:
        """Subscribe, report for duty, serve until told to stop; the process's exit code."""
        await self._bus.subscribe(self._topic_in, self._inbox.on_message)
        await self._bus.publish(self._topic_status, protocol.encode(protocol.Status(online=True)))
        while True:
            message = await self._inbox.get(self._bus.wait)
            if isinstance(message, protocol.Stop):
                return self._code
            try:
                await self._serve(message)
            except Exception as error:  # the bot's own failure: told to the referee, seen in the log
                import traceback  # noqa: PLC0415 - a bot that works need not wait for it

                traceback.print_exc()
                match = self._setup.match if self._setup is not None else None
                hint = self._file_hint if isinstance(error, _MISSED) else ""
                await self._send(protocol.BotError(match=match, message=failure_text(error) + hint))
                return 1

    def on_lost(self, reason: str) -> None:
        """The connection broke: leave, the runner will start a new process."""
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
                pass  # `run` leaves
            case _:
                assert_never(message)

    def _bot_of(self, match: str) -> Bot | None:
        """The bot that plays this match, if it is the present one."""
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
        except NoAnswerError as error:  # counted, and the match goes on
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
        """Pass on waiting events; False as soon as something else waits (it stays in the inbox)."""
        while (message := self._inbox.peek()) is not None:
            if not isinstance(message, protocol.Event):
                return False
            self._hear(message)
            self._inbox.take()
        return True

    async def _send(self, message: protocol.FromBot) -> None:
        await self._bus.publish(self._topic_out, protocol.encode(message))


def _note(text: str) -> None:
    print(f"joust: {text}", file=sys.stderr)  # noqa: T201 - the bot's log


def _showcase(bus: BotBus, prefix: str) -> Showcase:
    from gridjoust.bots.showcase import Showcase  # noqa: PLC0415 - most bots are never looked at

    return Showcase(bus, prefix)


def make_bot(make: Callable[..., Bot], start: protocol.Start, *, lens: Lens | None = None) -> Bot:
    """A fresh bot for one match, its chance seeded, its `start` done; `make` is its class."""
    if isinstance(make, type) and (problem := options_problem(make, start.options)):
        raise ValueError(problem)
    bot = make(**start.options)
    if lens is not None:
        bot.lens = lens
    return start_bot(bot, start)


def start_bot(bot: B, setup: protocol.Start) -> B:
    """The bot, its chance seeded, its work without a limit, its `start` done."""
    bot.rng = random.Random(setup.bot_seed)
    bot.work = Budget()
    run_method(bot.start, setup)
    return bot


def ready_of(bot: Bot | type[Bot], match: str | None) -> protocol.Ready:
    """What a bot declares about itself."""
    return protocol.Ready(
        protocol=protocol.PROTOCOL,
        match=match,
        planner=declared_planner(bot),
        plays=[bot.plays] if isinstance(bot.plays, str) else list(bot.plays),  # ("bomber") is a text
        version=str(bot.version),
        language="python",
    )


def act(bot: Bot, question: protocol.TurnMessage, now_ms: Callable[[], float]) -> protocol.Action:
    """The one answer of a bot that is not an anytime bot."""
    bot.stats = None
    bot.work.refill(None if question.limit_work is UNSET else question.limit_work)
    began_ms = now_ms()
    text = answer_text(bot.act(question), bot, question)
    return _action(question, text, bot, planning_ms=now_ms() - began_ms)


def improve(
    bot: AnytimeBot,
    question: protocol.TurnMessage,
    setup: protocol.Start,
    *,
    now_ms: Callable[[], float],
    clock_ms: Callable[[], float] | None = None,
) -> Generator[protocol.Action | None, bool | None, None]:
    """An anytime bot's answers as it finds them; None = it is still at work.

    Its time is `turn_ms`, or its work `turn_work`: an answer counts when that is over, and the bank is for bots that
    have none yet. `clock_ms` is the clock of that limit, where it is not `now_ms`.
    Send True when something else waits for the bot: the search ends. In turn-based games the last answer comes again
    then, as final.
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
            if best is None and setup.dynamics in TURN_BASED and not deadline.is_over():
                raise nothing_yielded_error(bot, question)
    if best is not None and setup.dynamics in TURN_BASED:
        yield _action(question, best, bot, planning_ms=now_ms() - began_ms, seq=seq)


def ask_bot(bot: Bot, observation: Observation, *, limit_ms: float) -> str | None:
    """One answer outside a match: the best that an anytime bot has within the limit, None if it has none."""
    if not isinstance(bot, AnytimeBot):
        return answer_text(bot.act(observation), bot, observation)
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
    """The end of an answer's time, or of the bot's work where that is the limit: the wall is far then."""
    if setup.limits.clock == "work":
        bot.work.refill(min(limit for limit in (question.limit_work, setup.limits.turn_work) if limit is not UNSET))
        return Deadline(None, clock_ms, bot.work)
    limits_ms = [limit for limit in (question.limit_ms, setup.turn_ms) if limit is not None]
    return Deadline(None if question.limit_ms is None else min(limits_ms), clock_ms)


def _count_work(bot: Bot) -> None:
    """What a bot reports and has not spent is spent too; what it has spent and not reported is reported."""
    work, stats = bot.work, _stats_of(bot)
    if not work.is_limited:
        return
    reported = (stats and stats.expanded) or 0
    if work.spent > reported:
        bot.stats = msgspec.structs.replace(stats or protocol.Stats(), expanded=work.spent)
    work.spent = max(work.spent, reported)


def _action(
    question: protocol.TurnMessage, text: str, bot: Bot, *, planning_ms: float, seq: int = 0, final: bool = True
) -> protocol.Action:
    if bot.stats is not None:
        bot.stats = _stats_of(bot)
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
    """What the bot says of its search; a dict of the same keys will do."""
    stats: object = bot.stats
    if stats is None or isinstance(stats, SearchStats):
        return stats
    try:
        return msgspec.convert(stats, SearchStats)
    except msgspec.ValidationError as error:
        raise NoAnswerError(f"stats: expected a SearchStats, got {stats!r:.60}: {error}") from None


def declared_planner(bot: Bot | type[Bot]) -> str:
    """Return the family of a bot's search; ValueError if it is no name of one."""
    if not protocol.is_planner(bot.planner):
        name = bot.__name__ if isinstance(bot, type) else type(bot).__name__
        raise ValueError(f"{name}.planner: expected 1 to 30 letters, digits or _, got {bot.planner!r}")
    return bot.planner


def _as_generator(bot: Bot, answers: Iterator[str | None]) -> Generator[str | None, None, None]:
    """A generator that can be closed, whatever iterator `improve` returned."""
    if isinstance(answers, str) or not isinstance(answers, Iterable):
        raise no_iterator_error(answers, bot)
    yield from answers
