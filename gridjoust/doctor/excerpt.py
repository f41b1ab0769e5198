"""Long messages cut down to what a person reads: the shape stays, long lists and texts are shortened."""

from __future__ import annotations

import json
from typing import Any

ITEMS = 6  # of a list that are shown
KEYS = 24  # of an object
LETTERS = 120  # of a text
DEPTH = 5  # levels


def excerpt(value: Any, *, depth: int = DEPTH) -> Any:
    """The same JSON value with the middle of long parts left out.

    >>> excerpt([1, 2, 3, 4, 5, 6, 7, 8, 9])
    [1, 2, 3, 4, 5, 6, '... 3 more']
    """
    if isinstance(value, str):
        return value if len(value) <= LETTERS else f"{value[:LETTERS]}... {len(value) - LETTERS} more letters"
    if not isinstance(value, dict | list):
        return value
    if depth == 0 and value:
        return f"... {len(value)} {'keys' if isinstance(value, dict) else 'items'}"
    if isinstance(value, list):
        shown = [excerpt(item, depth=depth - 1) for item in value[:ITEMS]]
        return shown if len(value) <= ITEMS else [*shown, f"... {len(value) - ITEMS} more"]
    kept = {key: excerpt(item, depth=depth - 1) for key, item in list(value.items())[:KEYS]}
    return kept if len(value) <= KEYS else {**kept, "...": f"{len(value) - KEYS} more keys"}


def one_line(text: str, *, letters: int = 300) -> str:
    """What a bot wrote, fit for a terminal: on one line, without control characters, not too long.

    >>> one_line("no\\n  way\\x1b[2J")
    'no way\\\\x1b[2J'
    """
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= letters else f"{shown[:letters]}..."


def printable(text: str) -> str:
    """A line without control characters: they are written as escapes."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def excerpt_text(value: Any) -> str:
    """The excerpt as one line of JSON."""
    return printable(json.dumps(excerpt(value), ensure_ascii=False, separators=(", ", ": ")))
