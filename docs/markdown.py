"""Tables in Markdown, for the pages that are made from the code."""

from __future__ import annotations

from collections.abc import Sequence


def table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table with a heading; each row has as many cells as the heading."""
    lines = [heading, tuple("---" for _ in heading), *rows]
    return "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in lines)


def _cell(text: str) -> str:
    """Return the text without line ends, bars and tags, which would end a cell.

    >>> _cell("a | b\\n<c>")
    'a \\\\| b &lt;c>'
    """
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
