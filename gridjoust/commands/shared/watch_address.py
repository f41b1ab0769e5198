"""Lets the value of `--watch` be left out, as the command-line library knows no options with an optional value."""

from __future__ import annotations

import re
from collections.abc import Sequence

HERE = "127.0.0.1:0"
ADDRESS = re.compile(r"(?:(\[[0-9a-fA-F:]+\]|[^:\s]*):)?(\d{1,5})")


def with_address(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of `run` with the default address after a `--watch` that has none.

    >>> with_address(["--watch", "cup.yaml"])
    ['--watch', '127.0.0.1:0', 'cup.yaml']
    >>> with_address(["cup.yaml", "--watch", "0.0.0.0:8080"])
    ['cup.yaml', '--watch', '0.0.0.0:8080']
    """
    found: list[str] = []
    for at, word in enumerate(arguments):
        found.append(word)
        after = arguments[at + 1] if at + 1 < len(arguments) else ""
        if word == "--watch" and ADDRESS.fullmatch(after) is None:
            found.append(HERE)
    return found
