"""Messages and topics between referee and bots: typed, versioned, encoded. Knows no sockets and no rules.

Version 1. Payloads are JSON objects with a `type`; keys a reader does not know are ignored, so that later versions can
add some. Everything a bot sends is decoded here once, into a typed value or a ProtocolFault.
"""

import re
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import UNSET, UnsetType

from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.refused import mistake_in_ready
from gridjoust.runner.wire.text import UNREADABLE, plain_text

PROTOCOL = 1
CONNECTION_LOST = 69  # exit code of our harness when the broker has ended the bot's connection
ANSWER_LIMIT_BYTES = 64 * 1024  # checked by the referee
PACKET_LIMIT_BYTES = 2 * 1024 * 1024  # briefings of large maps; checked by the broker

MAX_COUNT = 2**53 - 1  # whole numbers up to here are exact in every language and table
MAX_NUMBER = 1e15
MAX_NAME = 100  # characters of a version, a language, a game's name
MAX_ERROR = 500  # characters of an error that reach the record

_NO_VERSION = re.compile(r"[^\w.+-]")

M = TypeVar("M")


def about(text: str) -> msgspec.Meta:
    """What a field says beyond its name and type: part of the schemas that other languages read."""
    return msgspec.Meta(description=text)


Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]
Number = Annotated[float, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME)]
_PLANNER = r"^[A-Za-z0-9_]{1,30}(?!\n)$"  # `$` alone allows a line end in Python
Planner = Annotated[str, msgspec.Meta(pattern=_PLANNER)]


_SHOWN = (
    "layers of the search over the board, where start.lens is true; part of the message, so of answer_bytes, "
    "unless the bot is on standard input and output: then 64 KB of their own, and what is more is dropped"
)
_SHOWN_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "kind", "data"],
        "properties": {
            "name": {"type": "string", "description": "of the layer; several kinds may share one"},
            "kind": {"enum": ["heat", "path", "nodes", "frontier", "arrows", "text"]},
            "data": {
                "anyOf": [{"type": "array", "items": {"type": "number"}}, {"type": "string"}],
                "description": "heat: x, y, value of each cell, one after another; arrows: x, y of tail and head of "
                "each; path, nodes (in the order of their expansion), frontier: x, y of each cell; text: text",
            },
        },
    },
}


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of everything on the wire."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Time and message limits of a match, as a bot is told them."""

    turn_ms: Annotated[int | None, about("for one answer; null = no limit")]
    bank_ms: Annotated[int, about("for the whole match, used up by first answers that take longer than turn_ms")]
    increment_ms: Annotated[int, about("added to the bank after every answer")]
    start_ms: Annotated[int, about("from start to ready")]
    answer_bytes: Annotated[int, about("of one message to the referee, at most")] = ANSWER_LIMIT_BYTES
    clock: Annotated[
        Literal["wall", "cpu", "work"], about("what counts: wall time, CPU time, or the nodes that a bot expands")
    ] = "wall"
    turn_work: Annotated[int | UnsetType, about("with clock work: nodes expanded for one answer")] = UNSET
    bank_work: Annotated[int | UnsetType, about("the same for the whole match, as bank_ms")] = UNSET
    increment_work: Annotated[int | UnsetType, about("added to bank_work after every answer")] = UNSET


class Hello(_Message, frozen=True, kw_only=True, tag="hello"):
    """First message to a new process; answered by `ready` without a match."""

    protocol: Annotated[int, about("version")]
    run: Annotated[str, about("id of this run of the tournament")]
    bot: Annotated[str, about("its name in the tournament")]


class Start(_Message, frozen=True, kw_only=True, tag="start"):
    """A match begins; answered by `ready` with its id within `start_ms`."""

    match: Annotated[str, about("id; every message of this match has it")]
    game: str
    game_version: Annotated[str, about("of the rules")]
    variant: Annotated[str, about("name of the game's entry in the tournament file")]
    params: Annotated[dict[str, Any], about("the game's parameters, all of them")]
    seats: Annotated[list[int], about("held by this bot")]
    seat_count: Annotated[int, about("of the whole match")]
    teams: Annotated[list[int], about("team of every seat")]
    roles: Annotated[list[str], about("role of every seat, empty text where the game has none")]
    dynamics: Annotated[str, about("sequential, simultaneous, real_time or ticked")]
    briefing: Annotated[dict[str, Any], about("by seat (as text): what stays true all match")]
    bot_seed: Annotated[int, about("below 2^53: the only chance to be used, the same on a rerun")]
    limits: Limits
    options: Annotated[dict[str, Any], about("the bot's own, from the tournament file")]
    lens: Annotated[
        bool | UnsetType,
        about("true: somebody looks on (joust look, joust run --watch --lens), and answers may carry `shown`"),
    ] = UNSET

    @property
    def seat(self) -> int:
        """The first (usually the only) seat held."""
        return self.seats[0]

    @property
    def turn_ms(self) -> int | None:
        """Thinking time per turn; None = no limit."""
        return self.limits.turn_ms


class Observation(_Message, frozen=True, kw_only=True):
    """What one seat may know in a turn, as its bot sees it; on the wire a `turn` or an `event`."""

    match: str = ""
    ask: int = 0
    seat: int
    turn: Annotated[int, about("of the match, from 1")]
    view: Annotated[dict[str, Any], about("what this seat may know now beyond its briefing")] = msgspec.field(
        name="observation"
    )
    legal: Annotated[list[str], about("legal actions in a stable order")]
    legal_complete: bool = True


class TurnMessage(Observation, frozen=True, kw_only=True, tag="turn"):
    """A question: answer with an `action` that names `ask` before `limit_ms` have passed."""

    match: str
    ask: Annotated[int, about("names the question: below 2^53, in no order")]
    seat: Annotated[int, about("who is asked")]
    legal_complete: Annotated[bool, about("false: `legal` is a sample, the rules allow more")]
    limit_ms: Annotated[int | None, about("for a first answer: turn_ms and what is left of the bank; null = no limit")]
    limit_work: Annotated[
        int | UnsetType,
        about("with clock work: nodes that may be expanded for a first answer, declared as stats.expanded"),
    ] = UNSET


class Event(Observation, frozen=True, kw_only=True, tag="event"):
    """The situation changed while question `ask` stays open (real-time games)."""

    match: str
    ask: Annotated[int, about("the open question, which may still be answered")]
    seat: Annotated[int, about("whose question")]
    legal_complete: Annotated[bool, about("false: `legal` is a sample, the rules allow more")]


class End(_Message, frozen=True, kw_only=True, tag="end"):
    """The match is over; no answer."""

    match: str
    termination: Annotated[str, about("completed, or the fault that ended it")]
    reason: Annotated[str, about("the same as a sentence")]
    returns: Annotated[list[float | None], about("by seat, higher is better; null: a forfeit has left no value")]
    ranks: Annotated[list[int], about("by seat, 1 is best, ties share")]


class Stop(_Message, frozen=True, kw_only=True, tag="stop"):
    """Leave: the process is killed when it has not gone after a short while."""


ToBot = Hello | Start | TurnMessage | Event | End | Stop


class Stats(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a decision cost; all optional."""

    expanded: Annotated[Count | None, about("nodes")] = None
    generated: Annotated[Count | None, about("nodes")] = None
    frontier: Annotated[Count | None, about("nodes, at its largest")] = None
    repaired: Annotated[Count | None, about("of the nodes expanded, those that mended an earlier search")] = None
    reused: Annotated[Count | None, about("results that were kept and looked up in place of made anew")] = None
    plan_cost: Annotated[Number | None, about("of the plan that was chosen")] = None


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    """Answer to `hello` (match None) and to `start` (its match)."""

    protocol: Annotated[int, about("version that the bot speaks")]
    match: Annotated[str | None, about("null after hello")] = None
    planner: Annotated[
        Planner, about("family of its search: astar, dstar_lite, beam, dijkstra_map, or any name of your own")
    ] = "other"
    plays: Annotated[list[Name], about("games by name; empty = every game")] = []
    version: Annotated[Name, about("of the bot, for the tables: letters, digits and . _ + -; others become _")] = ""
    language: Name = ""

    def __post_init__(self) -> None:
        """Make the version fit to be shown anywhere, in a spreadsheet too."""
        msgspec.structs.force_setattr(self, "version", _NO_VERSION.sub("_", self.version).lstrip("._+-"))


class Action(_Message, frozen=True, kw_only=True, tag="action"):
    """Answer number `seq` (0, 1, 2, ...) to question `ask`; a pair already seen is dropped."""

    match: str
    ask: Annotated[Count, about("the question")]
    seat: Annotated[Count, about("who was asked")]
    action: Annotated[str, about("text of a legal action")]
    seq: Annotated[Count, about("of several answers to one question: 0, 1, 2, ...")] = 0
    final: Annotated[bool, about("false: a better answer may follow until turn_ms is over")] = True
    planning_ms: Annotated[Number | None, about("time it took, as the bot measured it")] = None
    stats: Stats | None = None
    shown: Annotated[msgspec.Raw | UnsetType, msgspec.Meta(description=_SHOWN, extra_json_schema=_SHOWN_SCHEMA)] = (
        UNSET  # raw: in a match nobody reads it
    )


class BotError(_Message, frozen=True, kw_only=True, tag="error"):
    """The bot cannot go on (its own exception), or has no answer; the text reaches the result's reason."""

    message: Annotated[str, about(f"cut after {MAX_ERROR} characters")]
    match: Annotated[str | None, about("null outside a match")] = None
    ask: Annotated[
        Count | None,
        about("the question that stays unanswered, which counts as malformed; null = the bot cannot go on"),
    ] = None

    def __post_init__(self) -> None:
        """The text as it may be shown anywhere; the one place where it is cut."""
        msgspec.structs.force_setattr(self, "message", plain_text(self.message, limit=MAX_ERROR))


FromBot = Ready | Action | BotError

MESSAGES_TO_BOT: tuple[type[ToBot], ...] = get_args(ToBot)
MESSAGES_FROM_BOT: tuple[type[FromBot], ...] = get_args(FromBot)


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Birth (online true, published by the bot) and last will (online false, by the broker)."""

    online: bool


def _plain_number(value: Any) -> Any:
    """A scalar of numpy, as bots put some into their `stats`."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return value.item()
    raise TypeError(f"expected numbers and text in a message, got {type(value).__name__} {value!r:.40}")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain_number)
_FROM_BOT: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_TO_BOT: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)
_STATUS = msgspec.json.Decoder(Status)


def is_planner(name: object) -> bool:
    """Return whether a bot may name the family of its search so."""
    return isinstance(name, str) and re.fullmatch(_PLANNER, name) is not None


def encode(message: ToBot | FromBot | Status) -> bytes:
    """One message as JSON bytes."""
    return _ENCODER.encode(message)


def decode_from_bot(payload: bytes) -> FromBot:
    """What a bot sent, checked; ProtocolFault says what was wrong with it."""
    if len(payload) > ANSWER_LIMIT_BYTES:
        raise ProtocolFault(f"expected at most {ANSWER_LIMIT_BYTES} bytes, got {len(payload)}")
    try:
        return _decode(_FROM_BOT, payload, "a ready, action or error message")
    except ProtocolFault as fault:
        raise ProtocolFault(mistake_in_ready(payload, Ready) or str(fault)) from None


def decode_to_bot(payload: bytes) -> ToBot:
    """What the referee sent (harness side); ProtocolFault if it is no message of this protocol."""
    return _decode(_TO_BOT, payload, f"a message of protocol {PROTOCOL}")


def decode_status(payload: bytes) -> Status:
    """Birth or last will; ProtocolFault for anything else."""
    return _decode(_STATUS, payload, "a status")


def _decode(decoder: msgspec.json.Decoder[M], payload: bytes, expected: str) -> M:
    try:
        return decoder.decode(payload)
    except UNREADABLE as error:
        excerpt = repr(payload[:60].decode("utf-8", "replace")) + ("..." if len(payload) > 60 else "")
        raise ProtocolFault(f"expected {expected}, got {excerpt}: {error}") from None


def message_schemas(*, at: str) -> dict[str, Any]:
    """JSON Schema of every message and its parts, by name; `at` is where they find each other: `#/$defs/{name}`."""
    _, schemas = msgspec.json.schema_components((*MESSAGES_TO_BOT, *MESSAGES_FROM_BOT, Status), ref_template=at)
    return schemas


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of every message, for bots in other languages."""
    to_bot = [message.__name__ for message in MESSAGES_TO_BOT]
    from_bot = [message.__name__ for message in MESSAGES_FROM_BOT]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Joust protocol {PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in (*to_bot, *from_bot, Status.__name__)],
        "to_bot": to_bot,
        "from_bot": from_bot,
        "$defs": message_schemas(at="#/$defs/{name}"),
    }


def bot_prefix(run: str, name: str) -> str:
    """Where one bot process lives: `joust/<run>/bot/<name>.<slot>`; its topics are below."""
    return f"joust/{run}/bot/{name}"


def charge_topic(prefix: str) -> str:
    """Where the embedded broker says that a bot process floods it; no bot may write there."""
    return f"{prefix}/charge"


def notice_topic(prefix: str) -> str:
    """What the person beside a remote bot is told, as plain text; no bot needs to read it."""
    return f"{prefix}/notice"


def view_topic(run: str, match: str) -> str:
    """Public views of a match."""
    return f"joust/{run}/match/{match}/view"


def lines_topic(run: str, match: str) -> str:
    """Header, turns, faults and end of a match as in its record, while it is played; for the live page alone."""
    return f"joust/{run}/match/{match}/lines"


def echo_topic(run: str) -> str:
    """The referee's own round trip through the broker."""
    return f"joust/{run}/echo"
