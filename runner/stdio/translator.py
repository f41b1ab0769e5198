"""Between a bot's lines and the messages of the protocol: fills in what a line leaves out. Moves nothing.

A bot may answer `{"action": "up"}`: which match, question and seat are meant follows from what it was asked.

- In turn-based games a bot reads its lines in order, so an answer without `ask` belongs to the oldest question that it
  has not answered. What comes late then belongs to a question that is closed, as it should.
- In games with a clock it may pass over a question, so it belongs to the newest one. In real time, where the first
  answer wins, one that was on its way before the question is none: nobody answers ahead.
- A line that is no message is a fault of the oldest open question, or of the next one where none is open: it must not
  depend on who is faster, the line or the question. It counts as no answer: debug output comes beside answers.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass

import msgspec
from msgspec import Raw

from games.api import Dynamics
from runner.wire.errors import ProtocolFault
from runner.wire.protocol import ANSWER_LIMIT_BYTES, PROTOCOL, BotError, Ready, encode
from runner.wire.text import UNREADABLE

_OPEN_LIMIT = 1000  # questions of one match that a bot has passed over
_SHOWN = 60  # characters of a line
_REAL_TIME = Dynamics.REAL_TIME.value
_TIMED = (_REAL_TIME, Dynamics.TICKED.value)


class _ToBot(msgspec.Struct):
    """What matters here of a message from the referee."""

    type: str
    match: str | None = None
    ask: int = 0
    seat: int = 0
    dynamics: str = ""


class _Line(msgspec.Struct):
    """What matters here of a bot's line; empty where it is left out."""

    type: str = ""
    match: Raw = Raw()
    ask: Raw = Raw()
    seat: Raw = Raw()
    seq: Raw = Raw()
    final: Raw = Raw()
    action: Raw = Raw()
    protocol: Raw = Raw()


_TO_BOT = msgspec.json.Decoder(_ToBot)
_LINE = msgspec.json.Decoder(_Line)


@dataclass(slots=True, eq=False)
class _Question:
    ask: int
    seat: int
    after: int  # bytes that the bot had written when it was asked
    answers: int = 0
    is_refused: bool = False  # a line that was no message was its fault


class Translator:
    """One process's conversation. What is returned is to be published, None: nothing."""

    def __init__(self) -> None:
        self._match: str | None = None
        self._dynamics = ""
        self._is_timed = False
        self._open: deque[_Question] = deque(maxlen=_OPEN_LIMIT)  # turn-based: not answered, the oldest first
        self._newest: dict[int, _Question] = {}  # by seat, the one asked last at the end
        self._is_ready_awaited = False
        self._says_ready = False
        self._debt = ""  # a fault of the next question

    @property
    def is_silent(self) -> bool:
        """Whether a `ready` is awaited that the bot has never been heard to say."""
        return self._is_ready_awaited and not self._says_ready

    def on_message(self, payload: bytes, *, written: int = 0) -> tuple[str, bytes | None]:
        """The type of a message that the bot gets, and what is published at once; ProtocolFault if it is none.

        `written`: how many bytes the bot has written so far, read or not.
        """
        try:
            message = _TO_BOT.decode(payload)
        except UNREADABLE as error:
            raise ProtocolFault(str(error)) from None
        published = None
        match message.type:
            case "turn":
                published = self._on_turn(message, written)
            case "start" | "hello":
                self._begin(message)
                self._is_ready_awaited = True
            case "end":
                self._begin(None)
            case _:
                pass
        return message.type, published

    def ready(self) -> bytes | None:
        """For a bot that has read the message which asks for it, and has not said it itself."""
        if not self.is_silent:
            return None
        self._is_ready_awaited = False
        return encode(Ready(protocol=PROTOCOL, match=self._match))

    def on_line(self, line: bytes, *, end: int = sys.maxsize) -> bytes | None:
        """A line of the bot's, which ends at byte `end` of all that it has written."""
        try:
            said = _LINE.decode(line)
        except UNREADABLE:
            return None if not line.strip() else self._refuse(_mistaken(line))
        match said.type:
            case "ready":
                return self._on_ready(line, said)
            case "action":
                return self._on_action(line, said, end)
            case "" if said.action:
                return self._on_action(line, said, end)
            case "error":
                return _completed(line, [] if said.match or self._match is None else [("match", self._match)])
            case _:
                published = self._refuse(_mistaken(line))
                if self._open:
                    self._open.popleft()  # it was meant as an answer
                return published

    def on_long_line(self) -> bytes | None:
        """A line above the limit, which nobody has read."""
        return self._refuse(f"standard output: expected a line of at most {ANSWER_LIMIT_BYTES} bytes, got a longer one")

    def _begin(self, start: _ToBot | None) -> None:
        self._match, self._dynamics = (None, "") if start is None else (start.match, start.dynamics)
        self._is_timed = self._dynamics in _TIMED
        self._open.clear()
        self._newest.clear()

    def _on_turn(self, message: _ToBot, written: int) -> bytes | None:
        question = _Question(message.ask, message.seat, written)
        before = self._newest.pop(message.seat, None)
        self._newest[message.seat] = question
        if not self._is_timed:
            if before is not None and before.answers and before in self._open:
                self._open.remove(before)  # the best of its answers has counted
            self._open.append(question)
        debt, self._debt = self._debt, ""
        return self._refuse(debt) if debt else None

    def _on_ready(self, line: bytes, said: _Line) -> bytes | None:
        self._says_ready = True
        if not self._is_ready_awaited:
            return None  # it has been said for the bot
        own = msgspec.json.encode(self._match)
        self._is_ready_awaited = bool(said.match) and bytes(said.match) != own
        missing = [("match", self._match)] if not said.match else []
        return _completed(line, [*missing, *([("protocol", PROTOCOL)] if not said.protocol else [])])

    def _on_action(self, line: bytes, said: _Line, end: int) -> bytes | None:
        question = self._asked(said)
        if question is not None and not said.ask and self._dynamics == _REAL_TIME and end <= question.after:
            return None
        missing: list[tuple[str, object]] = [] if said.type else [("type", "action")]
        if not said.match:
            missing.append(("match", self._match or ""))
        if question is None:
            return _completed(line, missing) if said.ask else None  # else nothing has been asked
        if bytes(said.final) != b"false" and question in self._open:
            self._answered(question)
        if question.is_refused and not self._is_timed:
            return None
        if not said.ask:
            missing.append(("ask", question.ask))
        if not said.seat:
            missing.append(("seat", question.seat))
        if not said.seq:
            missing.append(("seq", question.answers))
        question.answers += 1
        return _completed(line, missing)

    def _asked(self, said: _Line) -> _Question | None:
        """The question that a line answers; None where there is none, or none of that number."""
        if said.ask:
            named = bytes(said.ask)
            known = (*self._open, *self._newest.values())
            return next((question for question in known if b"%d" % question.ask == named), None)
        questions = reversed(self._newest.values()) if self._is_timed else iter(self._open)
        return next((one for one in questions if not said.seat or b"%d" % one.seat == bytes(said.seat)), None)

    def _answered(self, question: _Question) -> None:
        """It, and older ones of its seat, are waited for no more."""
        place = self._open.index(question)
        kept = (one for number, one in enumerate(self._open) if number > place or one.seat != question.seat)
        self._open = deque(kept, maxlen=_OPEN_LIMIT)

    def _refuse(self, detail: str) -> bytes | None:
        """A fault, once a question."""
        question = next(reversed(self._newest.values()) if self._is_timed else iter(self._open), None)
        if question is None:
            self._debt = self._debt or detail
            return None
        if question.is_refused:
            return None
        question.is_refused = True
        return encode(BotError(message=detail, match=self._match, ask=question.ask))


def _mistaken(line: bytes) -> str:
    shown = line.strip()
    excerpt = repr(shown[:_SHOWN].decode("utf-8", "replace")) + ("..." if len(shown) > _SHOWN else "")
    expected = 'a line such as {"action": "..."}'
    return f"standard output: expected {expected}, got {excerpt}: print what is no answer to standard error"


def _completed(line: bytes, missing: list[tuple[str, object]]) -> bytes:
    """The line, a JSON object, with more keys; what the bot has written stays as it is."""
    if not missing:
        return line
    added = msgspec.json.encode(dict(missing))[:-1]
    rest = line.lstrip()[1:].lstrip()
    return added + (b"" if rest.startswith(b"}") else b",") + rest
