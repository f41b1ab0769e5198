"""Translates a bot's lines into messages of the protocol: fills in the keys that a line leaves out.

A bot may answer `{"action": "up"}`: the match, question and seat follow from the questions that it was asked.

- In turn-based games a bot reads its lines in order, so an answer without `ask` belongs to its oldest unanswered
  question. So a late answer belongs to a question that is closed already.
- In games with a clock a bot may skip questions, so the answer belongs to the newest one. In real time, where the first
  answer wins, an answer that was written before the question does not count.
- A line without an object that has `action` is debug output: it is skipped and goes to the bot's log. If the question
  is not answered in time, the referee names the first such line.
- A line that was meant as an answer but is none (a broken or incomplete object with `action`, or a line above the
  limit) is a fault of the oldest open question, and closes it. If none is open, it is a fault of the next question. So
  it does not matter if the line or the question was faster.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from msgspec import Raw

from gridjoust.games.api import Dynamics
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.protocol import ANSWER_LIMIT_BYTES, PROTOCOL, BotError, Ready, encode
from gridjoust.runner.wire.text import UNREADABLE

_OPEN_LIMIT = 1000  # the most questions of a match that are remembered
_MATCHES_KEPT = 64  # earlier matches whose late answers are ignored
_SHOWN = 60  # characters of a line in a message
_DIGITS = 16  # the most digits of a question's number
_TICKED = Dynamics.TICKED.value
_TIMED = (Dynamics.REAL_TIME.value, _TICKED)
_BLANK = b" \t\r\n\v\f\0\xef\xbb\xbf\xff\xfe"  # blanks, NUL, and the byte order marks of UTF-8 and UTF-16
_BEFORE_OBJECT = _BLANK + b"[(\"'`"  # a list, a quoted object
_CONTINUES = b" \t}]\"'"  # first characters of the later lines of a pretty-printed object
_ACTION = re.compile(rb"(?:^|\W)action[\"'\\]*\s*:")  # the key of an answer, also in broken JSON


class _ToBot(msgspec.Struct):
    """The keys of the referee's messages that the translation needs."""

    type: str
    match: str | None = None
    ask: int = 0
    seat: int = 0
    dynamics: str = ""
    seats: tuple[int, ...] = ()


class _Line(msgspec.Struct):
    """The keys of a line that a bot writes; empty if left out."""

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
    after: int  # bytes that the bot had written when the question came
    answers: int = 0
    is_refused: bool = False  # a bad line was reported as its fault


class Translator:
    """Translates between the lines of one bot process and messages; methods return the message to publish, or None.

    `on_printed` gets each line that is skipped, without its line end.
    """

    def __init__(self, on_printed: Callable[[str], object] = str) -> None:
        self._on_printed = on_printed
        self._printed = b""  # the first line that was skipped since the newest question
        self._match: str | None = None
        self._dynamics = ""
        self._is_timed = False
        self._open: deque[_Question] = deque(maxlen=_OPEN_LIMIT)  # turn-based: unanswered, the oldest first
        self._newest: dict[int, _Question] = {}  # by seat, the newest last
        self._is_ready_awaited = False
        self._says_ready = False
        self._debt = ""  # a bad line that will be the fault of the next question
        self._seats: tuple[int, ...] = ()  # the bot's seats in this match
        self._asked: dict[int, tuple[str | None, int]] = {}  # number of a question -> match and seat, newest last
        self._earlier: deque[bytes] = deque(maxlen=_MATCHES_KEPT)  # matches, as JSON
        self._is_within = False  # True: the object continues in the next line
        self._is_charged = False  # True: that object was refused as an answer

    @property
    def is_silent(self) -> bool:
        """True if a `ready` is expected of a bot that has never sent one."""
        return self._is_ready_awaited and not self._says_ready

    def silence(self) -> str:
        """Return what came instead of an answer to the newest question; "" if nothing came."""
        return _mistaken(self._printed) if self._printed else ""

    def on_message(self, payload: bytes, *, written: int = 0) -> tuple[str, bytes | None]:
        """Handle a message to the bot; return its type, and a message to publish at once. ProtocolFault if invalid.

        `written`: number of bytes that the bot has written so far, read or not.
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
        """Return a `ready` for a bot that has read the request for it and never sends one itself; else None."""
        if not self.is_silent:
            return None
        self._is_ready_awaited = False
        return encode(Ready(protocol=PROTOCOL, match=self._match))

    def on_line(self, line: bytes, *, end: int = sys.maxsize) -> bytes | None:
        """Translate a bot's line, which ends at byte `end` of its output; return the message to publish, or None."""
        try:
            said = _LINE.decode(line)
        except UNREADABLE:
            return self._on_unreadable(line)
        self._is_within = False
        match said.type:
            case "ready":
                return self._on_ready(line, said)
            case "action":
                return self._on_action(line, said, end)
            case "" if said.action:
                return self._on_action(line, said, end)
            case "error":
                return _completed(line, [] if said.match or self._match is None else [("match", self._match)])
            case _ if said.action:
                return self._refuse_answer(_mistaken(line))
            case _:
                self._skip(line)
                return None

    def on_long_line(self) -> bytes | None:
        """Refuse a line above the limit, whose text was not kept; return the message to publish, or None."""
        limit = f"expected a line of at most {ANSWER_LIMIT_BYTES} bytes"
        return self._refuse_answer(f"standard output: {limit}, got a longer one")

    def _on_unreadable(self, line: bytes) -> bytes | None:
        if not line.strip():
            return None
        if goes_on := self._is_within and line[:1] in _CONTINUES:
            self._is_within = line[:1] not in b"}]"
        else:
            goes_on = line.lstrip(_BEFORE_OBJECT).startswith(b"{")
            self._is_within, self._is_charged = goes_on and line.strip(_BLANK)[-1:] not in b"}])", False
        if goes_on and self._is_charged:
            return None
        self._is_charged = goes_on and _ACTION.search(line.replace(b"\0", b"")) is not None
        if self._is_charged:
            return self._refuse_answer(_mistaken(line))
        self._skip(line)
        return None

    def _skip(self, line: bytes) -> None:
        """Pass on a line that is no message and was not meant as an answer."""
        self._printed = self._printed or line
        self._on_printed(line.rstrip(b"\r\n").decode("utf-8", "replace"))

    def _begin(self, start: _ToBot | None) -> None:
        if self._match is not None:
            self._earlier.append(msgspec.json.encode(self._match))
        self._match, self._dynamics = (None, "") if start is None else (start.match, start.dynamics)
        self._seats = () if start is None else start.seats
        self._is_timed = self._dynamics in _TIMED
        self._is_within = False
        self._open.clear()
        self._newest.clear()

    def _on_turn(self, message: _ToBot, written: int) -> bytes | None:
        question = _Question(message.ask, message.seat, written)
        self._printed = b""
        before = self._newest.pop(message.seat, None)
        self._newest[message.seat] = question
        self._asked[message.ask] = self._match, message.seat
        if len(self._asked) > _OPEN_LIMIT:
            del self._asked[next(iter(self._asked))]
        if not self._is_timed:
            if before is not None and before.answers and before in self._open:
                self._open.remove(before)  # one of its answers has counted
            self._open.append(question)
        debt, self._debt = self._debt, ""
        return self._refuse(debt, self._first()) if debt else None

    def _on_ready(self, line: bytes, said: _Line) -> bytes | None:
        self._says_ready = True
        if not self._is_ready_awaited:
            return None  # the bridge has sent one for the bot
        own = msgspec.json.encode(self._match)
        self._is_ready_awaited = bool(said.match) and bytes(said.match) != own
        missing = [("match", self._match)] if not said.match else []
        return _completed(line, [*missing, *([("protocol", PROTOCOL)] if not said.protocol else [])])

    def _on_action(self, line: bytes, said: _Line, end: int) -> bytes | None:
        if not self._newest or (said.match and bytes(said.match) in self._earlier):
            return None  # no question was asked, or its match has ended
        if mistake := self._mistake(said):
            detail = f"standard output: {mistake}"
            return self._refuse_answer(detail, seat=_number(said.seat))
        question = self._answered_by(said)
        if question is None:
            return _completed(line, self._missing(said, None)) if said.ask else None  # None: no question was asked
        if not said.ask and self._dynamics != _TICKED and end <= question.after:
            return None  # written before the question was asked
        if bytes(said.final) != b"false":
            self._answered(question)
        if question.is_refused and not self._is_timed:
            return None
        completed = _completed(line, self._missing(said, question))
        question.answers += 1
        return completed

    def _mistake(self, said: _Line) -> str:
        """Return what is wrong with the match, seat or question that a line names; "" if nothing is."""
        if said.match and bytes(said.match) != (own := msgspec.json.encode(self._match)):
            return f"match: expected {own.decode()}, got {_excerpt(bytes(said.match))}"
        seats = self._seats or tuple(self._newest)
        if said.seat and _number(said.seat) not in seats:
            return f"seat: expected a number in {list(seats)}, got {_excerpt(bytes(said.seat))}"
        if said.ask and _number(said.ask) not in self._asked:
            return f"ask: expected the number of a question, got {_excerpt(bytes(said.ask))}"
        return ""

    def _missing(self, said: _Line, question: _Question | None) -> list[tuple[str, object]]:
        """Return (key, value) of each key that a line leaves out; `question` None: the line names its question."""
        ask = _number(said.ask) if question is None else question.ask
        match, seat = self._asked[ask]
        keys: list[tuple[Raw | str, str, object]] = [
            (said.type, "type", "action"),
            (said.match, "match", match or ""),
            (said.ask, "ask", ask),
            (said.seat, "seat", seat),
            (said.seq, "seq", 0 if question is None else question.answers),
        ]
        return [(name, value) for present, name, value in keys if not present]

    def _first(self) -> _Question | None:
        """Return the question for a line that names none: the oldest, or in games with a clock the newest."""
        return next(reversed(self._newest.values()) if self._is_timed else iter(self._open), None)

    def _answered_by(self, said: _Line) -> _Question | None:
        """Return the question that a line answers; None if there is none, or it is closed."""
        if said.ask:
            named = _number(said.ask)
            return next((one for one in (*self._open, *self._newest.values()) if one.ask == named), None)
        questions = reversed(self._newest.values()) if self._is_timed else iter(self._open)
        return next((one for one in questions if not said.seat or one.seat == _number(said.seat)), None)

    def _answered(self, question: _Question) -> None:
        """Close a question and the older ones of its seat."""
        if question not in self._open:
            return
        place = self._open.index(question)
        kept = (one for number, one in enumerate(self._open) if number > place or one.seat != question.seat)
        self._open = deque(kept, maxlen=_OPEN_LIMIT)

    def _refuse_answer(self, detail: str, *, seat: int | None = None) -> bytes | None:
        """Refuse a line that was meant as an answer (of `seat`, if it names one), and close its question.

        Return the message to publish, or None if no fault is to be reported now.
        """
        question = next((one for one in self._open if one.seat == seat), self._first())
        published = self._refuse(detail, question)
        if question is not None:
            self._answered(question)
        return published

    def _refuse(self, detail: str, question: _Question | None) -> bytes | None:
        """Report a fault once per question; return the message to publish, or None if none is to be reported now."""
        if question is None:
            self._debt = self._debt or detail
            return None
        if question.is_refused:
            return None
        question.is_refused = True
        return encode(BotError(message=detail, match=self._match, ask=question.ask))


def _mistaken(line: bytes) -> str:
    expected = 'a line such as {"action": "..."}'
    return f"standard output: expected {expected}, got {_excerpt(line)}: print what is no answer to standard error"


def _excerpt(line: bytes) -> str:
    shown = line.strip()
    return repr(shown[:_SHOWN].decode("utf-8", "replace")) + ("..." if len(shown) > _SHOWN else "")


def _number(value: Raw) -> int:
    """Return a value that is a whole number of at least 0; -1 for anything else."""
    digits = bytes(value)
    return int(digits) if digits.isdigit() and len(digits) <= _DIGITS else -1


def _completed(line: bytes, missing: list[tuple[str, object]]) -> bytes:
    """Return the line, a JSON object, with the `missing` keys added; the bot's own text is unchanged."""
    if not missing:
        return line
    added = msgspec.json.encode(dict(missing))[:-1]
    rest = line.lstrip()[1:].lstrip()
    return added + (b"" if rest.startswith(b"}") else b",") + rest
