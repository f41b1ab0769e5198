"""Text and JSON that somebody else wrote: what reading it may raise, and how it is made fit to be shown anywhere."""

from __future__ import annotations

import sys

import msgspec

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON raises for bytes of unknown making; the last for nesting beyond the interpreter's depth."""


def plain_text(text: str, *, limit: int = sys.maxsize) -> str:
    """The text without control characters (line ends and tabs become blanks), cut to `limit` characters.

    Terminal escapes begin with a control character, so none survives; nor do marks that turn the writing direction.

    >>> plain_text("\\x1b[31mred\\x1b[0m\\nline", limit=100)
    '?[31mred?[0m line'
    >>> plain_text("abcdef", limit=4)
    'abc…'
    """
    shown = "".join(map(_plain, text[: limit + 1]))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _plain(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character in "\n\r\t" or character.isspace() else "?"
