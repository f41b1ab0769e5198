"""Messages and topics between referee and bots: typed, versioned, encoded. Knows no sockets and no rules.

Version 1. Payloads are JSON objects with a `type`; keys a reader does not know are ignored, so that later versions can
add some. Everything a bot sends is decoded here once, into a typed value or a ProtocolFault.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from runner.errors import ProtocolFault

PROTOCOL = 1
ANSWER_LIMIT_BYTES = 64 * 1024  # checked by the referee
PACKET_LIMIT_BYTES = 2 * 1024 * 1024  # briefings of large maps; checked by the broker

Planner = Literal["astar", "dstar_lite", "beam", "dijkstra_map", "other"]


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of everything on the wire."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Time and message limits of a match, as a bot is told them; None = no limit."""

    turn_ms: int | None
    bank_ms: int
    increment_ms: int
    start_ms: int
    answer_bytes: int = ANSWER_LIMIT_BYTES


# ---- referee -> bot -------------------------------------------------------------------------------------------------


class Hello(_Message, frozen=True, kw_only=True, tag="hello"):
    """First message to a new process; answered by `ready` without a match."""

    protocol: int
    run: str
    bot: str


class Start(_Message, frozen=True, kw_only=True, tag="start"):
    """A match begins; answered by `ready` with its id within `start_ms`."""

    match: str
    game: str
    game_version: str
    variant: str
    params: dict[str, Any]
    seats: list[int]  # held by this bot
    seat_count: int
    teams: list[int]
    roles: list[str]
    dynamics: str  # "sequential", "simultaneous", "real_time" or "ticked"
    briefing: dict[str, Any]  # by seat (as text)
    bot_seed: int
    limits: Limits
    options: dict[str, Any]  # the bot's own, from the tournament file


class TurnMessage(_Message, frozen=True, kw_only=True, tag="turn"):
    """A question: answer with an `action` that names `ask` before `limit_ms` have passed."""

    match: str
    ask: int
    seat: int
    turn: int
    observation: dict[str, Any]
    legal: list[str]
    legal_complete: bool
    limit_ms: int | None  # turn_ms + bank now


class Event(_Message, frozen=True, kw_only=True, tag="event"):
    """The situation changed while question `ask` stays open (real-time games)."""

    match: str
    ask: int
    seat: int
    turn: int
    observation: dict[str, Any]
    legal: list[str]
    legal_complete: bool


class End(_Message, frozen=True, kw_only=True, tag="end"):
    """The match is over; no answer."""

    match: str
    termination: str
    reason: str
    returns: list[float]
    ranks: list[int]


class Stop(_Message, frozen=True, kw_only=True, tag="stop"):
    """Leave: the process is killed when it has not gone after a short while."""


ToBot = Hello | Start | TurnMessage | Event | End | Stop

# ---- bot -> referee -------------------------------------------------------------------------------------------------


class Stats(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a decision cost; all optional."""

    expanded: int | None = None
    generated: int | None = None
    frontier: int | None = None
    plan_cost: float | None = None


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    """Answer to `hello` (match None) and to `start` (its match)."""

    protocol: int
    match: str | None = None
    planner: Planner = "other"
    plays: list[str] = []
    version: str = ""
    language: str = ""


class Action(_Message, frozen=True, kw_only=True, tag="action"):
    """Answer number `seq` (0, 1, 2, ...) to question `ask`; a pair already seen is dropped."""

    match: str
    ask: int
    seat: int
    action: str
    seq: int = 0
    final: bool = True
    planning_ms: float | None = None
    stats: Stats | None = None


class BotError(_Message, frozen=True, kw_only=True, tag="error"):
    """The bot cannot go on (its own exception); the text reaches the result's reason."""

    message: str
    match: str | None = None


FromBot = Ready | Action | BotError


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Birth (online true, published by the bot) and last will (online false, by the broker)."""

    online: bool


_ENCODER = msgspec.json.Encoder()
_FROM_BOT: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_TO_BOT: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)
_STATUS = msgspec.json.Decoder(Status)


def encode(message: ToBot | FromBot | Status) -> bytes:
    """One message as JSON bytes."""
    return _ENCODER.encode(message)


def decode_from_bot(payload: bytes) -> FromBot:
    """What a bot sent, checked; ProtocolFault says what was wrong with it."""
    if len(payload) > ANSWER_LIMIT_BYTES:
        raise ProtocolFault(f"expected at most {ANSWER_LIMIT_BYTES} bytes, got {len(payload)}")
    try:
        return _FROM_BOT.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProtocolFault(f"expected a ready, action or error message, got {_excerpt(payload)}: {error}") from None


def decode_to_bot(payload: bytes) -> ToBot:
    """What the referee sent (harness side); ProtocolFault if it is no message of this protocol."""
    try:
        return _TO_BOT.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProtocolFault(f"expected a message of protocol {PROTOCOL}, got {_excerpt(payload)}: {error}") from None


def decode_status(payload: bytes) -> Status:
    """Birth or last will; ProtocolFault for anything else."""
    try:
        return _STATUS.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProtocolFault(f"expected a status, got {_excerpt(payload)}: {error}") from None


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of every message, for bots in other languages."""
    named = (*ToBot.__args__, *FromBot.__args__, Status)
    references, components = msgspec.json.schema_components(named, ref_template="#/$defs/{name}")
    names = [message.__name__ for message in named]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Joust protocol {PROTOCOL}",
        "oneOf": list(references),
        "to_bot": names[: len(ToBot.__args__)],
        "from_bot": names[len(ToBot.__args__) : -1],
        "$defs": components,
    }


def _excerpt(payload: bytes, length: int = 60) -> str:
    return repr(payload[:length].decode("utf-8", "replace")) + ("..." if len(payload) > length else "")


# ---- topics ---------------------------------------------------------------------------------------------------------


def bot_prefix(run: str, name: str) -> str:
    """Where one bot process lives: `joust/<run>/bot/<name>.<slot>`; its topics are below."""
    return f"joust/{run}/bot/{name}"


def view_topic(run: str, match: str) -> str:
    """Public views of a match."""
    return f"joust/{run}/match/{match}/view"


def standings_topic(run: str) -> str:
    """The live table."""
    return f"joust/{run}/standings"


def echo_topic(run: str) -> str:
    """The referee's own round trip through the broker."""
    return f"joust/{run}/echo"
