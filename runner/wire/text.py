"""Handles text and JSON of unknown origin: the errors of decoding, and text that is safe to show everywhere.

It also finds the seat and the mistake in a bot's message that cannot be accepted.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions of decoding unknown bytes as JSON; RecursionError for nesting deeper than the interpreter's limit."""
_SHOWN = 60  # characters of a value
_EXPECTED = {
    "protocol": "a whole number",
    "match": "text or null",
    "planner": "1 to 30 letters, digits or _",
    "plays": "a list of names of games",
    "version": "text of at most 100 characters",
    "language": "text of at most 100 characters",
}


def plain_text(text: str, *, limit: int = sys.maxsize) -> str:
    """Return the text without control characters (white space becomes blanks, others `?`), cut to `limit` characters.

    So it has no terminal escapes, which begin with a control character, and no marks that change the writing direction.

    >>> plain_text("\\x1b[31mred\\x1b[0m\\nline", limit=100)
    '?[31mred?[0m line'
    >>> plain_text("abcdef", limit=4)
    'abc…'
    """
    shown = "".join(map(_plain, text[: limit + 1]))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def one_line(text: str, *, letters: int = 800) -> str:
    """Return a text on one line, without control characters, and cut to `letters` characters.

    >>> one_line("no\\n  way\\x1b[2J")
    'no way?[2J'
    """
    return plain_text(" ".join(text.split()), limit=letters)


def _plain(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else "?"


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
