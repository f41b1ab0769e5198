"""Handles text and JSON of unknown origin: the errors of decoding, and text that is safe to show everywhere."""

from __future__ import annotations

import sys

import msgspec

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions of decoding unknown bytes as JSON; RecursionError for nesting deeper than the interpreter's limit."""


def plain_text(text: str, *, limit: int = sys.maxsize) -> str:
    """Return the text without control characters (line ends and tabs become blanks), cut to `limit` characters.

    So it has no terminal escapes, which begin with a control character, and no marks that change the writing direction.

    >>> plain_text("\\x1b[31mred\\x1b[0m\\nline", limit=100)
    '?[31mred?[0m line'
    >>> plain_text("abcdef", limit=4)
    'abc…'
    """
    shown = "".join(map(_plain, text[: limit + 1]))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def one_line(text: str, *, letters: int = 800) -> str:
    """Return a text on one line, without control characters and shortened.

    >>> one_line("no\\n  way\\x1b[2J")
    'no way?[2J'
    """
    return plain_text(" ".join(text.split()), limit=letters)


def _plain(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character in "\n\r\t" or character.isspace() else "?"
