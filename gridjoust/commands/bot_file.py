"""The bots of a Python file, as its text shows them. Runs none of it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path

from gridjoust.commands.arguments import read_text
from gridjoust.runner.wire.errors import ConfigError

BASES = ("Bot", "AnytimeBot")
Plays = tuple[str, ...]


def bots_in(file: Path) -> dict[str, Plays]:
    """Every class that is a bot, and that no other bot there is made from -> the games that it says it plays.

    ConfigError if the file is no Python.
    """
    found: dict[str, Plays] = {}
    used: set[str] = set()
    for node in _parse(file).body:
        if isinstance(node, ast.ClassDef) and any(base in (*BASES, *found) for base in _bases(node)):
            inherited = next((found[base] for base in _bases(node) if base in found), ())
            found[node.name] = _plays(node, inherited)
            used.update(_bases(node))
    return {name: plays for name, plays in found.items() if name not in used}


def only_bot(file: Path) -> str:
    """The class of the one bot in a file; ConfigError if there is not just one."""
    names = list(bots_in(file))
    if len(names) == 1:
        return names[0]
    got = f"{', '.join(names)}: name one" if names else _no_bot(file)
    raise ConfigError(f"BOT: expected one class of a bot in {file.name} (or {file.name}:Class), got {got}")


def _no_bot(file: Path) -> str:
    """What is there instead: often a class that does not say that it is a bot."""
    classes = [node for node in _parse(file).body if isinstance(node, ast.ClassDef)]
    acting = [one.name for one in classes if any(getattr(part, "name", "") == "act" for part in one.body)]
    return f"class {acting[0]} without it: class {acting[0]}(gridjoust.Bot)" if acting else "none"


def only_game(plays: Plays, bot: str) -> str:
    """The one game that a bot plays; ConfigError unless it says so."""
    if len(plays) == 1:
        return plays[0]
    got = f"it plays {', '.join(plays)}" if plays else "it does not say what it plays"
    raise ConfigError(f"--game: expected the game for {bot}, got none, and {got}")


def _parse(file: Path) -> ast.Module:
    try:
        return ast.parse(read_text(file))
    except SyntaxError as error:
        raise ConfigError(
            f"BOT: expected Python, got SyntaxError: {error.msg} ({file.name} line {error.lineno})"
        ) from None
    except ValueError as error:  # a zero byte
        raise ConfigError(f"BOT: expected Python, got {file.name}: {error}") from None


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _plays(node: ast.ClassDef, inherited: Plays) -> Plays:
    """The value of `plays`, where it is written out."""
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
