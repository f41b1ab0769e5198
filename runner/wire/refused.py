"""Reads the seat and the mistake from a bot's message that cannot be accepted."""

from __future__ import annotations

from typing import Any

import msgspec

from gridjoust.runner.wire.text import UNREADABLE, plain_text

_SHOWN = 60  # characters of a value
_EXPECTED = {
    "protocol": "a whole number",
    "match": "text or null",
    "planner": "1 to 30 letters, digits or _",
    "plays": "a list of names of games",
    "version": "text of at most 100 characters",
    "language": "text of at most 100 characters",
}


class _Named(msgspec.Struct):
    """The part of a bot's message that names its seat."""

    seat: int | None = None


_NAMED = msgspec.json.Decoder(_Named)


def seat_named(payload: bytes) -> int | None:
    """Return the seat that an invalid message names; None if it names none."""
    try:
        return _NAMED.decode(payload).seat
    except UNREADABLE:
        return None


def mistake_in_ready(payload: bytes, ready: type[msgspec.Struct]) -> str:
    """Return a sentence about the wrong key of a `ready`; "" if it is another message. `ready`: the expected struct."""
    try:
        message = msgspec.json.decode(payload)
    except UNREADABLE:
        return ""
    if not isinstance(message, dict) or message.get("type") != "ready":
        return ""
    for field in msgspec.structs.fields(ready):
        if field.encode_name not in message:
            if field.required:
                return f"ready: {field.encode_name}: expected {_EXPECTED[field.encode_name]}, got none"
        elif not _is_one(value := message[field.encode_name], field.type):
            shown = repr(value) if isinstance(value, str) else msgspec.json.encode(value).decode()
            got = plain_text(shown, limit=_SHOWN)
            return f"ready: {field.encode_name}: expected {_EXPECTED[field.encode_name]}, got {got}"
    return ""


def _is_one(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True
