"""One match without bus and processes: referee and bots exchange messages directly.

Match time is simulated. An answer comes `think_ms` after its question or after the bot's previous answer; with
`think_ms=None` it comes after the bot's real thinking time. Bots think in parallel: the planning of one seat takes no
time from another. Timers of the rules use the simulated time. Answers that come at the same instant are taken in a
random order that depends on the match's seed.
"""

from __future__ import annotations

import math
import random
import traceback
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from heapq import heappop, heappush
from time import perf_counter, process_time
from typing import TypeVar, assert_never

from gridjoust.bots.answers import NoAnswerError, failure_text, run_method
from gridjoust.bots.api import AnytimeBot, Bot
from gridjoust.bots.harness import TURN_BASED, act, improve, make_bot, now_ms
from gridjoust.games.api import AnyGame, MatchStuckError
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.play.heading import make_header, make_usage, start_for
from gridjoust.runner.processes.process import Usage
from gridjoust.runner.referee import Command, Drop, Finish, LagMs, Referee, Send, no_lag
from gridjoust.runner.referee.messages import RulesError
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Fault, FaultLine, MatchRecord, TurnLine
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ProtocolFault

SHORT_ANSWER = 1000  # letters: longer ones, and those of other alphabets, are checked as bytes like on the wire

V = TypeVar("V", bound=protocol.ToBot)
Heard = protocol.TurnMessage | protocol.Event
Found = protocol.Action | protocol.BotError | bytes | Exception | None  # an answer, what the bot raised, or nothing yet
MakeBot = Callable[..., Bot]  # a bot's class, called with its options
OnTurn = Callable[[TurnLine], None]


@dataclass(slots=True)
class SeatedBot:
    """One bot of a match, with the messages that wait for it and the work that it is doing."""

    bot: Bot
    setup: protocol.Start
    needs_copy: bool  # messages are copied, as the bot might change shared data
    inbox: deque[Heard] = field(default_factory=deque)
    work: Generator[protocol.Action | None, bool | None, None] | None = None
    ask: int = 0  # number of the current question
    is_busy: bool = False  # an answer is on its way
    is_gone: bool = False
    base_ms: float = 0.0  # match time when it last began to work
    began_s: float = 0.0  # the same instant by the clock of this machine
    clock_s: Callable[[], float] = field(init=False)  # wall time, or CPU time of this process with `clock: cpu`

    def __post_init__(self) -> None:
        self.clock_s = process_time if self.setup.limits.clock == "cpu" else perf_counter

    def now_ms(self) -> float:
        """Return the match time in ms on the bot's own clock, which runs while it thinks."""
        return self.base_ms + (self.clock_s() - self.began_s) * 1000

    def hear_waiting(self) -> bool:
        """Pass waiting news on to the bot, up to the next question; return True if a question waits."""
        while self.inbox:
            message = self.inbox[0]
            if isinstance(message, protocol.TurnMessage):
                return True
            self.inbox.popleft()
            run_method(self.bot.hear, own_copy(message) if self.needs_copy else message)
        return False

    def next_answer(self) -> tuple[bool, protocol.Action | None]:
        """Let the bot work until its next answer; return (True, answer), or (False, None) without a question."""
        while True:
            is_settled: bool | None = self.hear_waiting()
            if self.work is None:
                if not is_settled:
                    return False, None
                question = own_copy(self.inbox.popleft()) if self.needs_copy else self.inbox.popleft()
                assert isinstance(question, protocol.TurnMessage)  # news has been passed on
                self.ask = question.ask
                if not isinstance(self.bot, AnytimeBot):
                    return True, act(self.bot, question, self.now_ms)
                self.work = improve(self.bot, question, self.setup, now_ms=self.now_ms)
                is_settled = None
            try:
                return True, self.work.send(is_settled)
            except StopIteration:
                self.work = None


class DirectMatch:
    """A running match: call `step` for each answer or timer until `end` is set."""

    def __init__(
        self,
        pairing: Pairing,
        game: AnyGame,
        make: Sequence[MakeBot],
        failed: Mapping[int, str] | None = None,
        *,
        faults: FaultPolicy,
        run_key: bytes,
        think_ms: float | None = None,
        lag_ms: LagMs = no_lag,
        on_turn: OnTurn | None = None,
        is_hashed: bool = True,
    ) -> None:
        """Start the bots and ask the first questions.

        `make` gives the bot of every entrant; `failed` entrants have none (entrant -> why). Without `is_hashed` the
        record has no hashes.
        """
        self.lines: list[TurnLine | FaultLine] = []
        self.answers: list[AnswerLine] = []
        self.end: EndLine | None = None
        self.now_ms = 0.0
        self.failed = dict(failed or {})
        self.lost: list[tuple[int, Fault, str]] = []  # entrants that forfeited: number, fault, detail
        self._pairing, self._game = pairing, game
        self._started, self._began_s = datetime.now(UTC), perf_counter()
        self._dynamics = game.spec.dynamics.value
        self._think_ms = think_ms
        self._on_turn = on_turn
        self._chance = None if self._dynamics in TURN_BASED else random.Random(f"answers/{pairing.seed}")
        self._coming: list[tuple[float, float, int, int, Found]] = []  # when, drawn order, number, entrant, what
        self._count = 0
        self._endings: list[tuple[int, protocol.End]] = []
        self._referee = Referee(
            game,
            match_id=pairing.match_id,
            seed=pairing.seed,
            entrants=pairing.entrants,
            faults=faults,
            lag_ms=lag_ms,
            is_hashed=is_hashed,
        )
        starts = [start_for(entrant, pairing, game, self._referee.state, run_key) for entrant in pairing.entrants]
        self._seated = [self._seat(number, make[number], start) for number, start in enumerate(starts)]
        self._entrant_of = {seat: number for number, one in enumerate(pairing.entrants) for seat in one.seats}
        if self._answers_at_once():
            self._referee.hold_turns()
        self._obey(self._referee.start(0.0, self.failed))

    def _answers_at_once(self) -> bool:
        """Return True if no bot can answer late or more than once, so that `_play_turn` can play whole turns."""
        times = [one.time for one in self._pairing.entrants]
        return (
            self._think_ms is not None
            and all(one.clock == "wall" and (one.turn_ms or math.inf) > self._think_ms for one in times)
            and not any(seated is not None and isinstance(seated.bot, AnytimeBot) for seated in self._seated)
        )

    def _seat(self, entrant: int, make: MakeBot, start: protocol.Start) -> SeatedBot | None:
        if entrant in self.failed:
            return None
        try:
            return SeatedBot(make_bot(make, own_copy(start)), start, needs_copy=not self._game.views_are_fresh)
        except Exception as error:  # the bot's own failure
            traceback.print_exception(error)
            self.failed[entrant] = failure_text(error)[: protocol.MAX_ERROR]
            return None

    def step(self) -> None:
        """Handle the next answer of a bot or timer of the rules, whichever comes first."""
        if self._referee.is_between_turns:
            self._play_turn()
            return
        coming, due_ms = self._coming, self._referee.next_ms
        if coming and (due_ms is None or coming[0][0] < due_ms):
            self.now_ms, _, _, entrant, found = heappop(coming)
            self._take(entrant, found)
        elif due_ms is not None:
            self.now_ms = due_ms
            self._obey(self._referee.on_time(due_ms))
        else:
            self._give_up()

    def _play_turn(self) -> None:
        """Ask all bots of a turn and apply their answers at once; take them one by one if a bot gave none."""
        questions = self._referee.draw_questions(self.now_ms)
        found = [self._answer(question) for question in questions]
        assert self._think_ms is not None
        then_ms = self.now_ms + self._think_ms
        answers = [one for one in found if isinstance(one, protocol.Action)]
        if answers and len(answers) == len(found):
            latency_ms = round(then_ms - self.now_ms, 3)
            commands = self._referee.play_turn(answers, then_ms, latency_ms=latency_ms)
            if commands is not None:
                self.now_ms = then_ms
                self._obey(commands)
                return
        opened = self._referee.open_turn(self.now_ms)
        self._obey([one for one in opened if not isinstance(one, Send)] if found else opened)
        for question, one in zip(questions, found, strict=True):
            self._await(self._entrant_of[question.seat], one, then_ms)

    def _answer(self, question: protocol.TurnMessage) -> Found:
        """Ask a bot that answers at once; return its answer, or what it raised."""
        seated = self._seated[self._entrant_of[question.seat]]
        assert seated is not None
        found: Found = None
        try:
            found = _checked(act(seated.bot, question, now_ms))
            decoded = protocol.decode_from_bot(found) if isinstance(found, bytes) else found
            return decoded if isinstance(decoded, protocol.Action) else found
        except ProtocolFault:
            return found
        except NoAnswerError as error:
            return protocol.BotError(match=question.match, ask=question.ask, message=str(error))
        except RulesError as error:
            raise error.__cause__ or error from None
        except Exception as error:  # the bot's own failure
            return error

    def _give_up(self) -> None:
        """Count the first bot still playing as crashed, as no answer can come; MatchStuckError if none is left."""
        for entrant, seated in enumerate(self._seated):
            if seated is not None and not seated.is_gone:
                self._crash(entrant, seated, ValueError("improve gave no answer, and there is no time limit"))
                return
        raise MatchStuckError(self._game.spec)

    # what comes from the bots

    def _take(self, entrant: int, found: Found) -> None:
        seated = self._seated[entrant]
        assert seated is not None
        seated.is_busy = False
        if isinstance(found, Exception):
            self._crash(entrant, seated, found)
            return
        if found is not None:
            now_ms = self.now_ms
            self._obey(
                self._referee.on_message(entrant, found, now_ms)
                if isinstance(found, bytes)
                else self._referee.on_sent(entrant, found, now_ms)
            )
        if not seated.is_busy and (seated.inbox or seated.work is not None):  # the next question may have come already
            self._go_on(entrant, seated)

    def _crash(self, entrant: int, seated: SeatedBot, error: Exception) -> None:
        """Report a bot's exception to the referee and print its traceback."""
        traceback.print_exception(error)
        seated.is_gone = True
        seated.inbox.clear()
        self._obey(self._referee.on_sent(entrant, protocol.BotError(message=failure_text(error)), self.now_ms))

    # what goes to the bots

    def _obey(self, commands: list[Command]) -> None:
        asked = []
        for command in commands:
            match command:
                case AnswerLine():
                    self.answers.append(command)
                case Send():
                    if self._pass_on(command):
                        asked.append(command.entrant)
                case TurnLine() | FaultLine():
                    self.lines.append(command)
                    if self._on_turn is not None and isinstance(command, TurnLine):
                        self._on_turn(command)
                case Drop():
                    self.lost.append((command.entrant, command.fault, command.detail))
                case Finish():
                    self.end = command.end
                case _:
                    assert_never(command)
        for entrant in asked:
            seated = self._seated[entrant]
            if seated is not None and not seated.is_busy:
                self._go_on(entrant, seated)

    def _pass_on(self, sent: Send) -> bool:
        """Put a message into the inbox of the bot it is for; return True if that bot should work on it at once."""
        message, seated = sent.message, self._seated[sent.entrant]
        if seated is None or seated.is_gone:
            return False
        if isinstance(message, protocol.End):
            self._endings.append((sent.entrant, message))
            return False
        assert isinstance(message, Heard)
        seated.inbox.append(message)
        return True

    def _go_on(self, entrant: int, seated: SeatedBot) -> None:
        """Let the bot work and schedule the time of its next answer."""
        seated.base_ms, seated.began_s = self.now_ms, seated.clock_s()
        found: Found
        try:
            is_at_work, action = seated.next_answer()
            found = None if action is None else _checked(action)
        except NoAnswerError as error:
            seated.work = None
            is_at_work, found = True, protocol.BotError(match=seated.setup.match, ask=seated.ask, message=str(error))
        except Exception as error:  # the bot's own failure
            is_at_work, found = True, error
        if is_at_work:
            self._await(entrant, found, self._arrival_ms(seated))

    def _await(self, entrant: int, found: Found, arrival_ms: float) -> None:
        """Queue what a bot returned or raised (`found`), to reach the referee at `arrival_ms` in match time."""
        seated = self._seated[entrant]
        assert seated is not None
        seated.is_busy = True
        self._count += 1
        order = 0.0 if self._chance is None else self._chance.random()
        heappush(self._coming, (arrival_ms, order, self._count, entrant, found))

    def _arrival_ms(self, seated: SeatedBot) -> float:
        return seated.now_ms() if self._think_ms is None else self.now_ms + self._think_ms

    def record(self, *, tournament: str, ready: Sequence[protocol.Ready | None], attempt: int = 1) -> MatchRecord:
        """Tell the remaining bots the result and return the record of the finished match."""
        assert self.end is not None
        self._say_goodbye()
        unknown = [Usage(None, None)] * len(self._pairing.entrants)  # bots share this process
        duration_ms = (perf_counter() - self._began_s) * 1000
        usage = make_usage(
            self._pairing, self._started, duration_ms=duration_ms, attempt=attempt, before=unknown, after=unknown
        )
        header = make_header(self._pairing, self._game, tournament=tournament, ready=ready)
        return MatchRecord(header=header, lines=self.lines, answers=self.answers, usage=usage, end=self.end)

    def _say_goodbye(self) -> None:
        for entrant, message in self._endings:
            seated = self._seated[entrant]
            if seated is None or seated.is_gone:
                continue
            try:
                if seated.work is not None:
                    seated.work.close()
                run_method(seated.bot.finish, own_copy(message))
            except Exception as error:  # the bot's own failure, too late to count
                traceback.print_exception(error)
                self.lost.append((entrant, Fault.CRASHED, failure_text(error)[: protocol.MAX_ERROR]))


def _checked(action: protocol.Action) -> protocol.Action | bytes:
    """Return an answer as it is if the referee need not check its form, else encoded as on the wire."""
    text = action.action
    if action.stats is None and type(text) is str and len(text) <= SHORT_ANSWER and text.isascii():
        return action
    return protocol.encode(action)


def own_copy(message: V) -> V:
    """Return a copy of a message made of JSON types, as it would come over the wire; a bot may then change it."""
    copy = protocol.decode_to_bot(protocol.encode(message))
    assert isinstance(copy, type(message))
    return copy
