"""Messages and topics between referee and bots: typed, versioned, encoded. Knows no sockets and no rules.

Version 1. Payloads are JSON objects with a `type`. Readers ignore unknown keys, so that later versions can add some.
Every message of a bot is decoded here once, into a typed value or a ProtocolFault.
"""

import re
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import UNSET, UnsetType

from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.text import UNREADABLE, mistake_in_ready, plain_text

PROTOCOL = 1
CONNECTION_LOST = 69  # exit code of the harness after the broker has ended the bot's connection
HARNESS_MARK = "joust: "  # begins a line of the harness in the log of its bot
ANSWER_LIMIT_BYTES = 64 * 1024  # checked by the referee
PACKET_LIMIT_BYTES = 2 * 1024 * 1024  # briefings of large maps; checked by the broker

MAX_COUNT = 2**53 - 1  # the largest whole number that is exact in every language and table
MAX_NUMBER = 1e15
MAX_NAME = 100  # characters of a version, a language, a game's name
MAX_LAYER = 100  # characters of the name of a layer
SHOWN_LIMIT_BYTES = 64 * 1024  # bytes of one answer's layers
SHOWN_KEY = b'"shown"'  # the key of an answer with layers
MAX_ERROR = 500  # characters of an error that reach the record

_NO_VERSION = re.compile(r"[^\w.+-]")

M = TypeVar("M")


def about(text: str) -> msgspec.Meta:
    """Return metadata with a field's description, which becomes part of the schemas for other languages."""
    return msgspec.Meta(description=text)


Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]
Number = Annotated[float, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME)]
_PLANNER = r"^[A-Za-z0-9_]{1,30}(?!\n)$"  # `$` alone allows a line end in Python
Planner = Annotated[str, msgspec.Meta(pattern=_PLANNER)]


_SHOWN = (
    "layers of the search to draw over the board, if start.lens is true; they count towards answer_bytes, except for a "
    "bot on standard input and output: there they may have 64 KB of their own, and more is dropped"
)
_SHOWN_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "kind", "data"],
        "properties": {
            "name": {"type": "string", "description": "of the layer; layers of several kinds may share a name"},
            "kind": {"enum": ["heat", "path", "nodes", "frontier", "arrows", "text"]},
            "data": {
                "anyOf": [{"type": "array", "items": {"type": "number"}}, {"type": "string"}],
                "description": "heat: x, y, value of each cell, in one list; arrows: x, y of each tail and head; "
                "path, nodes (in the order of their expansion), frontier: x, y of each cell; text: text",
            },
        },
    },
}


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of all messages."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The time and message limits of a match."""

    turn_ms: Annotated[int | None, about("for one answer; null = no limit")]
    bank_ms: Annotated[int, about("reserve for the whole match, used by first answers that take longer than turn_ms")]
    increment_ms: Annotated[int, about("added to the bank after every answer")]
    start_ms: Annotated[int, about("from start to ready")]
    answer_bytes: Annotated[int, about("the most bytes of one message to the referee")] = ANSWER_LIMIT_BYTES
    clock: Annotated[
        Literal["wall", "cpu", "work"],
        about("what is limited: wall time, CPU time, or the successors generated"),
    ] = "wall"
    turn_work: Annotated[int | UnsetType, about("with clock work: successors for one answer")] = UNSET
    bank_work: Annotated[int | UnsetType, about("with clock work: reserve of successors for the match")] = UNSET
    increment_work: Annotated[int | UnsetType, about("added to bank_work after every answer")] = UNSET


class Hello(_Message, frozen=True, kw_only=True, tag="hello"):
    """The first message to a new process; answer with `ready` without a match."""

    protocol: Annotated[int, about("version")]
    run: Annotated[str, about("id of this run of the tournament")]
    bot: Annotated[str, about("its name in the tournament")]


class Start(_Message, frozen=True, kw_only=True, tag="start"):
    """A match begins; answer with `ready` and its id within `start_ms`."""

    match: Annotated[str, about("id; every message of this match has it")]
    game: Annotated[str, about("its name")]
    game_version: Annotated[str, about("of the rules")]
    variant: Annotated[str, about("name of the game's entry in the tournament file")]
    params: Annotated[dict[str, Any], about("the game's parameters, all of them")]
    seats: Annotated[list[int], about("held by this bot")]
    seat_count: Annotated[int, about("of the whole match")]
    teams: Annotated[list[int], about("team of every seat")]
    roles: Annotated[list[str], about("role of every seat, empty text if the game has no roles")]
    dynamics: Annotated[str, about("sequential, simultaneous, real_time or ticked")]
    briefing: Annotated[dict[str, Any], about("by seat (as text): facts that stay true for the whole match")]
    bot_seed: Annotated[int, about("below 2^53: the only source of chance for the bot, the same on a rerun")]
    limits: Annotated[Limits, about("times and sizes that the bot must keep to")]
    options: Annotated[dict[str, Any], about("the bot's own options from the tournament file")]
    lens: Annotated[
        bool | UnsetType,
        about("true: the search is watched (joust look, joust run --watch --lens), so answers may have `shown`"),
    ] = UNSET

    @property
    def seat(self) -> int:
        """The first (usually the only) seat of the bot."""
        return self.seats[0]

    @property
    def turn_ms(self) -> int | None:
        """Time for an answer in ms; None = no limit."""
        return self.limits.turn_ms


class Observation(_Message, frozen=True, kw_only=True):
    """What one seat may know in a turn: base of `turn` and `event` messages."""

    match: Annotated[str, about("id of the match")] = ""
    ask: Annotated[int, about("id of the question")] = 0
    seat: Annotated[int, about("the seat that this is meant for")]
    turn: Annotated[int, about("of the match, from 1")]
    view: Annotated[dict[str, Any], about("facts that this seat may know now, beyond its briefing")] = msgspec.field(
        name="observation"
    )
    legal: Annotated[list[str], about("legal actions in a stable order")]
    legal_complete: Annotated[bool, about("false: `legal` is a sample, the rules allow more")] = True


class TurnMessage(Observation, frozen=True, kw_only=True, tag="turn"):
    """A question: answer with an `action` that names `ask` within `limit_ms`."""

    match: Annotated[str, about("id of the match")]
    ask: Annotated[int, about("id of the question: below 2^53, in no order")]
    seat: Annotated[int, about("the seat that must answer")]
    legal_complete: Annotated[bool, about("false: `legal` is a sample, the rules allow more")]
    limit_ms: Annotated[int | None, about("for a first answer: turn_ms plus the rest of the bank; null = no limit")]
    limit_work: Annotated[
        int | UnsetType,
        about("with clock work: the most that stats.generated + stats.tactics of a first answer may be"),
    ] = UNSET


class Event(Observation, frozen=True, kw_only=True, tag="event"):
    """The situation has changed while question `ask` stays open (real-time games)."""

    match: Annotated[str, about("id of the match")]
    ask: Annotated[int, about("the open question, which may still be answered")]
    seat: Annotated[int, about("the seat of the question")]
    legal_complete: Annotated[bool, about("false: `legal` is a sample, the rules allow more")]


class End(_Message, frozen=True, kw_only=True, tag="end"):
    """The match is over; do not answer."""

    match: Annotated[str, about("id of the match")]
    termination: Annotated[str, about("completed, or the fault that ended it")]
    reason: Annotated[str, about("the reason as a sentence")]
    returns: Annotated[list[float | None], about("by seat, higher is better; null: no value because of a forfeit")]
    ranks: Annotated[list[int], about("by seat, 1 is best, ties share")]


class Stop(_Message, frozen=True, kw_only=True, tag="stop"):
    """Exit now: a process that has not ended after a short while is killed."""


ToBot = Hello | Start | TurnMessage | Event | End | Stop


class Stats(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The cost of a decision; all values are optional."""

    expanded: Annotated[Count | None, about("nodes whose successors were read")] = None
    generated: Annotated[Count | None, about("successors that its searches generated")] = None
    tactics: Annotated[Count | None, about("successors generated outside of its searches")] = None
    frontier: Annotated[Count | None, about("most nodes that the frontier held at once")] = None
    repaired: Annotated[Count | None, about("expanded nodes that repaired an earlier search")] = None
    reused: Annotated[Count | None, about("results that were looked up instead of computed again")] = None
    plan_cost: Annotated[Number | None, about("cost of the chosen plan")] = None

    @property
    def work(self) -> int | None:
        """The successors that count under `clock: work`: generated + tactics; None if neither is declared."""
        return work_of(self.generated, self.tactics)


def work_of(generated: int | None, tactics: int | None) -> int | None:
    """Return the work of an answer, the sum of both numbers; None if neither is declared."""
    return None if generated is None and tactics is None else (generated or 0) + (tactics or 0)


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    """The answer to `hello` (match null) and to `start` (its match)."""

    protocol: Annotated[int, about("version that the bot speaks")]
    match: Annotated[str | None, about("null after hello")] = None
    planner: Annotated[
        Planner, about("family of its search: astar, dstar_lite, beam, dijkstra_map, or any name of your own")
    ] = "other"
    plays: Annotated[list[Name], about("games by name; empty = every game")] = []
    version: Annotated[Name, about("of the bot, for the tables: letters, digits and . _ + -; others become _")] = ""
    language: Name = ""

    def __post_init__(self) -> None:
        """Replace characters in the version that are not safe to show everywhere, such as in a spreadsheet."""
        msgspec.structs.force_setattr(self, "version", _NO_VERSION.sub("_", self.version).lstrip("._+-"))


class Action(_Message, frozen=True, kw_only=True, tag="action"):
    """Answer number `seq` (0, 1, 2, ...) to question `ask`; a repeated pair of `ask` and `seq` is dropped."""

    match: str
    ask: Annotated[Count, about("the question")]
    seat: Annotated[Count, about("the seat of the question")]
    action: Annotated[str, about("text of a legal action")]
    seq: Annotated[Count, about("of several answers to one question: 0, 1, 2, ...")] = 0
    final: Annotated[bool, about("false: a better answer may follow until turn_ms is over")] = True
    planning_ms: Annotated[Number | None, about("time it took, as the bot measured it")] = None
    stats: Stats | None = None
    shown: Annotated[msgspec.Raw | UnsetType, msgspec.Meta(description=_SHOWN, extra_json_schema=_SHOWN_SCHEMA)] = (
        UNSET  # not decoded, as the referee does not read it
    )


class BotError(_Message, frozen=True, kw_only=True, tag="error"):
    """The bot cannot continue (its own exception), or has no answer; the text becomes part of the result's reason."""

    message: Annotated[str, about(f"cut after {MAX_ERROR} characters")]
    match: Annotated[str | None, about("null outside a match")] = None
    ask: Annotated[
        Count | None,
        about("the question that stays unanswered, which counts as malformed; null = the bot cannot continue"),
    ] = None

    def __post_init__(self) -> None:
        """Make the text safe to show everywhere, and cut it to MAX_ERROR characters."""
        msgspec.structs.force_setattr(self, "message", plain_text(self.message, limit=MAX_ERROR))


FromBot = Ready | Action | BotError

MESSAGES_TO_BOT: tuple[type[ToBot], ...] = get_args(ToBot)
MESSAGES_FROM_BOT: tuple[type[FromBot], ...] = get_args(FromBot)


class Layer(msgspec.Struct, frozen=True):
    """One layer of a bot's search, to draw over the board; neither the referee nor the record gets it."""

    name: Annotated[str, msgspec.Meta(max_length=MAX_LAYER)]
    kind: Literal["heat", "path", "nodes", "frontier", "arrows", "text"]
    data: list[float] | str


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The search layers of one answer: published by the bot (`layers`), or part of it (`shown`, without a turn)."""

    match: str
    seat: int
    turn: int = 0
    layers: list[Layer] = []
    shown: list[Layer] = []


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Sign of life (online true, sent by the bot) and last will (online false, sent by the broker)."""

    online: bool


def _plain_number(value: Any) -> Any:
    """Convert a scalar of numpy, which bots may put into their `stats`; TypeError for anything else."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return value.item()
    raise TypeError(f"expected numbers and text in a message, got {type(value).__name__} {value!r:.40}")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain_number)
_FROM_BOT: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_TO_BOT: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)
_STATUS = msgspec.json.Decoder(Status)


def is_planner(name: object) -> bool:
    """Return True if a bot may use this name for the family of its search."""
    return isinstance(name, str) and re.fullmatch(_PLANNER, name) is not None


def encode(message: ToBot | FromBot | Status) -> bytes:
    """Encode one message as JSON bytes."""
    return _ENCODER.encode(message)


def decode_from_bot(payload: bytes) -> FromBot:
    """Decode and check a bot's message; a ProtocolFault says what is wrong with it."""
    if len(payload) > ANSWER_LIMIT_BYTES:
        raise ProtocolFault(f"expected at most {ANSWER_LIMIT_BYTES} bytes, got {len(payload)}")
    try:
        return _decode(_FROM_BOT, payload, "a ready, action or error message")
    except ProtocolFault as fault:
        raise ProtocolFault(mistake_in_ready(payload, Ready) or str(fault)) from None


def decode_to_bot(payload: bytes) -> ToBot:
    """Decode the referee's message (harness side); ProtocolFault if it is not a message of this protocol."""
    return _decode(_TO_BOT, payload, f"a message of protocol {PROTOCOL}")


def decode_status(payload: bytes) -> Status:
    """Decode a sign of life or last will; ProtocolFault for anything else."""
    return _decode(_STATUS, payload, "a status")


def _decode(decoder: msgspec.json.Decoder[M], payload: bytes, expected: str) -> M:
    try:
        return decoder.decode(payload)
    except UNREADABLE as error:
        excerpt = repr(payload[:60].decode("utf-8", "replace")) + ("..." if len(payload) > 60 else "")
        raise ProtocolFault(f"expected {expected}, got {excerpt}: {error}") from None


def message_schemas(*, at: str) -> dict[str, Any]:
    """Return the JSON Schema of every message and its parts, by name; `at`: form of references, `#/$defs/{name}`."""
    _, schemas = msgspec.json.schema_components((*MESSAGES_TO_BOT, *MESSAGES_FROM_BOT, Status), ref_template=at)
    return schemas


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of every message, for bots in other languages."""
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
    """Return the topic prefix of one bot process: `joust/<run>/bot/<name>`; `name` is `<bot>.<number>`."""
    return f"joust/{run}/bot/{name}"


def charge_topic(prefix: str) -> str:
    """Return the topic on which the built-in broker reports that a bot floods it; bots cannot write there."""
    return f"{prefix}/charge"


def notice_topic(prefix: str) -> str:
    """Return the topic of plain-text messages for the person with a remote bot; bots need not read it."""
    return f"{prefix}/notice"


def view_topic(run: str, match: str) -> str:
    """Return the topic of a match's public views."""
    return f"joust/{run}/match/{match}/view"


def lines_topic(run: str, match: str) -> str:
    """Return the topic of a running match's record lines (header, turns, faults, end), for the live page only."""
    return f"joust/{run}/match/{match}/lines"


def shown_topic(prefix: str) -> str:
    """Return the topic on which a bot process shows its search if asked to, for the live page only."""
    return f"{prefix}/shown"


def echo_topic(run: str) -> str:
    """Return the topic by which the referee measures its own round trip through the broker."""
    return f"joust/{run}/echo"
