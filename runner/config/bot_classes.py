"""Finds the bot classes of a Python file in its text, without running it, and says why a named class is not there."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from gridjoust.runner.config.document import KeyPath
from gridjoust.runner.config.mistakes import Mistake
from gridjoust.runner.config.programs import Program

Plays = tuple[str, ...]
_BASES: Mapping[str, Plays] = {"Bot": (), "AnytimeBot": (), "Walker": ("navigation",)}  # with the games in `plays`


class NoBotError(ValueError):
    """A Python file without a class that is a bot."""


def bots_in(file: Path) -> dict[str, Plays]:
    """Return the bot classes of a file that are no base of another one, each with the games in its `plays`.

    They are found in the file's text, which is not run. ValueError if the file is not valid Python.
    """
    return _bots_of(_parsed(file))


def only_class(file: Path) -> str:
    """Return the class name of the only bot in a file; ValueError if there are several, NoBotError if there is none."""
    tree = _parsed(file)
    names = list(_bots_of(tree))
    if len(names) == 1:
        return names[0]
    if names:
        several = f"{file.name} contains several bots ({', '.join(names)})"
        raise ValueError(f"{several}: name one of them, such as {file.name}:{names[0]}")
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    acting = [one.name for one in classes if any(getattr(part, "name", "") == "act" for part in one.body)]
    if acting:
        raise ValueError(f"{file.name} contains no bot class; change it to `class {acting[0]}(joust.Bot):`")
    raise NoBotError(f"{file.name} contains no bot class; start with `class MyBot(joust.Bot):`")


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
        tree = _parsed(path)
    except (OSError, ValueError) as error:
        return Mistake(at, "a readable Python file", str(error), fact="" if isinstance(error, OSError) else str(error))
    names = set().union(*(_bound(node) for node in ast.walk(tree)))
    if class_name in names or "*" in names:
        return None
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    got = f"only {', '.join(classes)}" if classes else "no class"
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
