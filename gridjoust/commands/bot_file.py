"""Find the bots of a Python file in its syntax tree, without running it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from gridjoust.commands.arguments import read_text
from gridjoust.runner.wire.errors import ConfigError

Plays = tuple[str, ...]
BASES: Mapping[str, Plays] = {"Bot": (), "AnytimeBot": (), "Walker": ("navigation",)}  # with the games in `plays`


def bots_in(file: Path) -> dict[str, Plays]:
    """Return the bot classes of a file that are no base of another one, each with the games in its `plays`.

    ConfigError if the file is not valid Python.
    """
    found = dict(BASES)
    used: set[str] = {*BASES}
    for node in _parse(file).body:
        if isinstance(node, ast.ClassDef) and (inherited := [found[base] for base in _bases(node) if base in found]):
            found[node.name] = _plays(node, inherited[0])
            used.update(_bases(node))
    return {name: plays for name, plays in found.items() if name not in used}


def only_bot(file: Path, *, option: str = "BOT") -> str:
    """Return the class name of the only bot in a file; ConfigError with `option` if there is none, or several."""
    names = list(bots_in(file))
    if len(names) == 1:
        return names[0]
    several = f"{file.name} contains several bots ({', '.join(names)}): write {file.name}:{names[0]}" if names else ""
    raise ConfigError(f"{option}: {several or _no_bot(file)}")


def _no_bot(file: Path) -> str:
    """Say that a file contains no bot, and name a class with `act` that lacks the base class."""
    classes = [node for node in _parse(file).body if isinstance(node, ast.ClassDef)]
    acting = [one.name for one in classes if any(getattr(part, "name", "") == "act" for part in one.body)]
    hint = f"change it to `class {acting[0]}(joust.Bot):`" if acting else "start with `class MyBot(joust.Bot):`"
    return f"{file.name} contains no bot class; {hint}"


def only_game(plays: Plays, bot: str) -> str:
    """Return the only game in a bot's `plays`; ConfigError if there is none, or several."""
    if len(plays) == 1:
        return plays[0]
    why = f"{bot} plays {', '.join(plays)}" if plays else f"{bot} does not say which game it plays"
    raise ConfigError(f"--game is missing: {why}")


def _parse(file: Path) -> ast.Module:
    try:
        return ast.parse(read_text(file))
    except SyntaxError as error:
        raise ConfigError(f"BOT: {file.name} line {error.lineno}: syntax error ({error.msg})") from None
    except ValueError as error:  # a zero byte
        raise ConfigError(f"BOT: {file.name}: not a Python file ({error})") from None


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _plays(node: ast.ClassDef, inherited: Plays) -> Plays:
    """Return the literal value of `plays`; () if it is computed, the inherited value if it is absent."""
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
