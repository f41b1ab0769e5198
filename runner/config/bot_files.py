"""Finds the files that `entries` names, each a bot, and keeps the bots out that `exclude` names."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Self

import msgspec

from gridjoust.runner.config.document import KeyPath
from gridjoust.runner.config.mistakes import PATTERNS, Mistake
from gridjoust.runner.config.values import NAME_PATTERN, BotEntry, number_of
from gridjoust.runner.seeds import content_id

_NUMBER_DIGITS = 10  # hex digits of a hash: two of a thousand names agree with a chance of 1 : 2,000,000
_WILDCARD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Entries:
    """The files that `entries` matches, each as a bot; they follow the bots that the tournament file lists itself."""

    pattern: str
    folder: Path  # of the tournament file
    files: tuple[str, ...] = ()  # sorted
    bots: tuple[BotEntry, ...] = ()  # one for each file
    written: int = 0  # bots that the file lists itself

    @classmethod
    def find(cls, pattern: str, folder: Path, *, written: int) -> Self:
        """Find the files of a pattern.

        The name of a bot is the part of its path that the last wildcard matches, without `.py`. Its number is a hash of
        the name, so its seeds do not depend on other files.
        """
        files = tuple(file for file in _matching(pattern, folder) if (folder / file).is_file())
        bots = []
        for file in files:
            part = (folder.absolute() / file).parts[-_depth_of_name(pattern)]
            name = part.removesuffix(".py") if _depth_of_name(pattern) == 1 else part
            bots.append(BotEntry(name=name, path=file, number=int(content_id(name, digits=_NUMBER_DIGITS), 16)))
        return cls(pattern, folder, files, tuple(bots), written)

    def check(self) -> Iterator[Mistake]:
        """Yield the mistakes: a pattern of other files, no file, or a folder's or file's name that no bot can have."""
        if not self.pattern.endswith(".py"):
            yield Mistake(("entries",), "a pattern of Python files, such as submissions/*/bot.py", repr(self.pattern))
        elif not self.files:
            yield Mistake(("entries",), "", "", fact=f"no file matches {self.pattern!r} (in {self.folder})")
        else:
            what = "folder" if _depth_of_name(self.pattern) > 1 else "file"
            for file, bot in zip(self.files, self.bots, strict=True):
                if re.search(NAME_PATTERN, bot.name) is None:
                    words = next(words for start, words in PATTERNS.items() if NAME_PATTERN.startswith(start))
                    yield Mistake(("entries", file), f"a {what} with {words}", repr(bot.name))

    def placed(self, mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
        """Yield the mistakes; one in a bot that the file does not list gets its place at `entries`."""
        for mistake in mistakes:
            section, position = (*mistake.path, None, None)[:2]
            is_entered = section == "bots" and isinstance(position, int) and position >= self.written and self.files
            at: KeyPath = ("entries", self.files[int(position or 0) - self.written]) if is_entered else mistake.path
            yield replace(mistake, path=at)

    def notes(self) -> tuple[str, ...]:
        """Return a note that names the folders in which the pattern finds no file; () if there are none."""
        depth, parts = _depth_of_name(self.pattern), PurePosixPath(self.pattern).parts
        if depth == 1 or "**" in parts or not _WILDCARD.search(self.pattern):
            return ()
        within, rest = "/".join(parts[: 1 - depth]), "/".join(parts[1 - depth :])
        missing = [
            one
            for one in _matching(f"{within}/", self.folder)
            if not (self.folder / one / rest).is_file() and "/_" not in one
        ]
        return (f"entries: no {rest} in {', '.join(missing)}",) if missing else ()


def _matching(pattern: str, folder: Path) -> list[str]:
    return sorted(glob.glob(pattern, root_dir=folder, recursive=True)) if "\0" not in pattern else []  # noqa: PTH207


def _depth_of_name(pattern: str) -> int:
    """Return which part of a path names the bot, counted from its end: 1 is the file, 2 its folder."""
    parts = PurePosixPath(pattern).parts
    wild = [at for at, part in enumerate(parts) if _WILDCARD.search(part)]
    return len(parts) - wild[-1] if wild else 2


def without_excluded(
    bots: tuple[BotEntry, ...], exclude: Mapping[str, str]
) -> tuple[tuple[BotEntry, ...], tuple[BotEntry, ...]]:
    """Return the bots that play, and the excluded ones; all keep the numbers that they have in the whole list."""
    if not exclude:
        return bots, ()
    numbered = [msgspec.structs.replace(bot, number=number_of(bot, at)) for at, bot in enumerate(bots)]
    playing = [bot for bot in numbered if bot.name not in exclude]
    return tuple(playing), tuple(bot for bot in numbered if bot.name in exclude)
