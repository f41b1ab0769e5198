"""One question to one bot, with the messages before it: assembled from a record or file, asked, and judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from gridjoust.games.api import AnyGame
from gridjoust.recorded.session import (
    EXTRA_MS,
    LATE,
    SETTLE_MS,
    ChangedAnswer,
    Reply,
    Session,
    changed_answer,
    patience_ms,
)
from gridjoust.recorded.transcript import Exchange, exchanges_with, start_of
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import Event, Start, TurnMessage
from gridjoust.runner.wire.text import UNREADABLE

LISTEN_MS = 2000.0  # wait for the answer in games in which silence is no fault
NOTHING = Reply((), None)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a bot in a match; `earlier` are the messages to it before the question, in order."""

    game: AnyGame
    start: Start
    earlier: tuple[Exchange, ...]
    message: TurnMessage | Event
    state: Any = None  # None: unknown, so that only the list of legal actions can be checked
    recorded: AnswerLine | None = None

    @property
    def is_timed(self) -> bool:
        """True in games with a clock, where the next message comes without waiting for an answer."""
        return self.start.dynamics in ("real_time", "ticked")

    @property
    def limit_ms(self) -> int | None:
        """Time limit for the answer in ms, None if there is none."""
        return self.message.limit_ms if isinstance(self.message, TurnMessage) else None

    @property
    def limit_work(self) -> int | None:
        """Limit of successors for the answer, None if time is the limit."""
        limit = self.message.limit_work if isinstance(self.message, TurnMessage) else msgspec.UNSET
        return None if limit is msgspec.UNSET else limit


@dataclass(frozen=True, slots=True)
class Answered:
    """The bot's reply. `problem`: why the question could not be asked, "" if it was."""

    reply: Reply
    differences: tuple[ChangedAnswer, ...]
    problem: str = ""


def question_of_record(
    record: MatchRecord, entrant: Entrant, game: AnyGame, *, run_key: bytes, turn: int, seat: int
) -> Question:
    """Return a seat's last question up to a turn, with all earlier messages to its bot; ConfigError if none."""
    earlier: list[Exchange] = []
    position = None
    for told in exchanges_with(record, entrant.seats):
        if told.message.turn > turn:
            break
        if told.message.seat == seat:
            position = len(earlier)
        earlier.append(told)
    if position is None:
        raise ConfigError(f"--turn: seat {seat} had no question up to turn {turn}")
    last = earlier[position]
    return Question(
        game=game,
        start=start_of(record, entrant, run_key=run_key),
        earlier=tuple(earlier[:position]),
        message=last.message,
        state=last.state,
        recorded=last.recorded,
    )


async def put(question: Question, session: Session, *, is_patient: bool = False) -> Answered:
    """Send the bot all messages in order and wait for its answer; `is_patient`: without limit."""
    start, is_timed = question.start, question.is_timed
    problem, _ = await session.begin(start, patience_ms=None if is_patient else float(start.limits.start_ms))
    if problem:
        return Answered(NOTHING, (), problem)
    differences: list[ChangedAnswer] = []

    def wait_ms(told: Exchange) -> float | None:
        if is_timed:
            return SETTLE_MS
        was_late = told.recorded is not None and told.recorded.fault == LATE  # then it is awaited to its limit only
        return None if is_patient else patience_ms(told.message) - (EXTRA_MS if was_late else 0.0)

    def compare(told: Exchange, reply: Reply) -> None:
        if not is_timed and (found := changed_answer(question.game, told, reply.texts)) is not None:
            differences.append(found)

    ended = await session.replay(question.earlier, compare, wait_ms=wait_ms, until_final=not is_timed)
    if ended is not None:
        told, reply = ended
        where = f"turn {told.message.turn}, seat {told.message.seat}"
        problem = f"the bot ended at an earlier question ({where}): {reply.problem}"
        return Answered(NOTHING, tuple(differences), problem)
    limit_ms = None if is_patient else LISTEN_MS if is_timed else patience_ms(question.message)
    reply = await session.ask(question.message, patience_ms=limit_ms, until_final=not is_timed)
    return Answered(reply, tuple(differences))


def judge(question: Question, text: str) -> str:
    """Return why an answer would be refused; "" if it would be accepted."""
    try:
        action = question.game.parse_action(text)
    except ValueError as error:
        return f"malformed: {error}"
    asked = question.message
    is_legal = not asked.legal_complete or str(action) in asked.legal
    if question.state is not None:
        is_legal = question.game.is_legal(question.state, asked.seat, action)
    return "" if is_legal else "illegal: not one of the legal actions"


class QuestionFile(msgspec.Struct, frozen=True, kw_only=True):
    """A question in a JSON file, to be stored, changed and asked again, in the form in which a bot receives it.

    It is a `turn` message in which only `observation` is required. The optional key `start` is the message at the
    start of the match. An object without the key `observation` is taken for the observation itself.
    """

    view: dict[str, Any] = msgspec.field(name="observation")
    seat: int | None = None  # None: the seat of `start`, else 0
    turn: int = 1
    legal: list[str] = []
    legal_complete: bool = False
    limit_ms: int | None = None
    limit_work: int | msgspec.UnsetType = msgspec.UNSET
    start: Start | None = None


def load_question(path: Path) -> QuestionFile:
    """Read a question from a file; ConfigError if it cannot be read or does not fit."""
    try:
        data = msgspec.json.decode(path.read_bytes())
        if isinstance(data, dict) and "observation" not in data:
            data = {"observation": data}
        return msgspec.convert(data, QuestionFile)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(f"{path}: expected a question (JSON), got: {reason}") from None
    except UNREADABLE as error:
        raise ConfigError(f"{path}: expected a question (JSON), got: {error}") from None


def save_question(path: Path, start: Start, asked: TurnMessage | Event) -> None:
    """Write a question with its start; `load_question` reads it back."""
    asked_of = {name: value for name, value in structs.asdict(asked).items() if name not in ("match", "ask")}
    held = QuestionFile(start=start, **asked_of)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(held), indent=1) + b"\n")


def message_of(held: QuestionFile, *, match: str, seat: int) -> TurnMessage:
    """Return the question from a file as a `turn` message."""
    asked = structs.asdict(held) | {"match": match, "ask": 0, "seat": seat}
    del asked["start"]
    return TurnMessage(**asked)
