"""Fenced blocks of a Markdown file, with what their first line says is to be done with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One block. Words: `run` (do it), `file=NAME` (save it), `in=FOLDER` (where), `exit=CODE` (expected)."""

    language: str
    words: Mapping[str, str]
    text: str


def blocks_of(path: Path) -> list[Block]:
    """Every block of a page, in order."""
    found = _BLOCK.findall(path.read_text(encoding="utf-8"))
    return [Block(language, dict(map(_word, words.split())), text) for language, words, text in found]


def _word(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value
