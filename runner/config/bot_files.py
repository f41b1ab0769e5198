"""Finds bots in files: those that `entries` names, without those that `exclude` names, and the classes in each file.

Classes are found in a file's text, which is not run. If a named class is not there, `class_mistake` says why.
"""

from __future__ import annotations

import ast
import contextlib
import glob
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Self

import msgspec

from gridjoust.runner.config.document import KeyPath
from gridjoust.runner.config.mistakes import PATTERNS, Mistake
from gridjoust.runner.config.programs import Program
from gridjoust.runner.config.values import NAME_PATTERN, BotEntry, number_of
from gridjoust.runner.seeds import content_id

_NUMBER_DIGITS = 10  # hex digits of a hash: two of a thousand names agree with a chance of 1 : 2,000,000
_WILDCARD = re.compile(r"[*?\[]")
Plays = tuple[str, ...]
_BASES: Mapping[str, Plays] = {"Bot": (), "AnytimeBot": (), "Walker": ("navigation",)}  # with the games in `plays`


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
        the name, so its seeds do not depend on other files. `written`: number of bots that the file lists itself.
        """
        files = tuple(file for file in _matching(pattern, folder) if (folder / file).is_file())
        bots = []
        for file in files:
            part = (folder.absolute() / file).parts[-_depth_of_name(pattern)]
            name = part.removesuffix(".py") if _depth_of_name(pattern) == 1 else part
            bots.append(BotEntry(name=name, path=file, number=int(content_id(name, digits=_NUMBER_DIGITS), 16)))
        return cls(pattern, folder, files, tuple(bots), written)

    def check(self) -> Iterator[Mistake]:
        """Yield the mistakes: the pattern is not of Python files, matches no file, or gives an invalid bot name."""
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
        """Yield the mistakes; a mistake in a bot that `entries` has found is placed at `entries` and its file."""
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


class NoBotError(ValueError):
    """A Python file without a class that is a bot."""


def bots_in(file: Path) -> dict[str, Plays]:
    """Return the bot classes of a file that are no base of another one, each with the games in its `plays`.

    They are found in the file's text, which is not run. ValueError if the file is not valid Python.
    """
    return dict(_names_in(file).bots)


def only_class(file: Path) -> str:
    """Return the class name of the only bot in a file.

    ValueError if there are several, or only classes with `act` that are no bots; NoBotError without any of these.
    """
    names = _names_in(file)
    bots = list(names.bots)
    if len(bots) == 1:
        return bots[0]
    if bots:
        several = f"{file.name} contains several bots ({', '.join(bots)})"
        raise ValueError(f"{several}: name one of them, such as {file.name}:{bots[0]}")
    if names.acting:
        raise ValueError(f"{file.name} contains no bot class; change it to `class {names.acting[0]}(joust.Bot):`")
    raise NoBotError(f"{file.name} contains no bot class; start with `class MyBot(joust.Bot):`")


@dataclass(frozen=True, slots=True)
class _Names:
    """The names that a Python file defines."""

    bots: Mapping[str, Plays]  # classes of bots that are no base of another one, with the games in `plays`
    classes: tuple[str, ...]
    acting: tuple[str, ...]  # classes with a method `act`
    bound: frozenset[str]  # all names that may be bound; "*" means any name


def _names_in(file: Path) -> _Names:
    """Return the names that a file defines; ValueError if it is not valid Python. It is parsed once for each change."""
    status = file.stat()
    return _parse_names(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def _parse_names(file: Path, changed_ns: int, size: int) -> _Names:  # noqa: ARG001 - a changed file is another one
    tree = _parsed(file)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return _Names(
        bots=_bots_of(tree),
        classes=tuple(one.name for one in classes),
        acting=tuple(one.name for one in classes if any(getattr(part, "name", "") == "act" for part in one.body)),
        bound=frozenset().union(*(_bound(node) for node in ast.walk(tree))),
    )


def _parsed(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes(), filename=file.name)
    except SyntaxError as error:
        raise ValueError(f"syntax error in {file.name} line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:  # a zero byte, too deep
        raise ValueError(f"{file.name}: not a Python file ({error})") from None


def _bots_of(tree: ast.Module) -> dict[str, Plays]:
    found = dict(_BASES)
    used: set[str] = {*_BASES}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (inherited := [found[base] for base in _bases(node) if base in found]):
            found[node.name] = _plays(node, inherited[0])
            used.update(_bases(node))
    return {name: plays for name, plays in found.items() if name not in used}


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _plays(node: ast.ClassDef, inherited: Plays) -> Plays:
    """Return the games that a bot's class names in `plays`; () if they are computed, `inherited` if there are none."""
    values = {
        target.id: statement.value
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    if "plays" not in values:
        return inherited
    with contextlib.suppress(ValueError):  # it is computed
        given = ast.literal_eval(values["plays"])
        return (given,) if isinstance(given, str) else tuple(map(str, given))
    return ()


def with_class(program: Program, folder: Path) -> Program:
    """Return a program whose `path` names only a file with the class added, if the file has one bot."""
    if program.path is None or not program.path.endswith(".py"):
        return program
    try:
        return msgspec.structs.replace(program, path=f"{program.path}:{only_class(folder / program.path)}")
    except (OSError, ValueError):  # the bot forfeits its matches, with the reason that `class_mistake` gives
        return program


def class_mistake(path: Path, class_name: str, at: KeyPath) -> Mistake | None:
    """Return a mistake if the file cannot define the class, or the only bot if no class is named; else None.

    Names that code makes while it runs (`import *`, `exec`) cannot be seen, so a file with such code passes. So does a
    class that is no bot: the bot's own process reports it.
    """
    try:
        if not class_name:
            only_class(path)
            return None
        names = _names_in(path)
    except (OSError, ValueError) as error:
        return Mistake(at, "a readable Python file", str(error), fact="" if isinstance(error, OSError) else str(error))
    if names.bound & {class_name, "*"}:
        return None
    got = f"only {', '.join(names.classes)}" if names.classes else "no class"
    return Mistake(at, f"a class {class_name} in {path.name}", got)


def _bound(node: ast.AST) -> set[str]:
    """Return the names that a statement may bind in its module; "*" means any name."""
    match node:
        case ast.ClassDef() | ast.FunctionDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or alias.name for alias in node.names}
        case ast.Name(ctx=ast.Store()):
            return {node.id}
        case ast.Call(func=ast.Name(id="exec" | "globals" | "setattr")):
            return {"*"}
        case _:
            return set()
