"""Mistakes in the bots that types cannot show: names, programs, files, roles. Runs and imports no bot."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from runner.config.check_games import check_numbers
from runner.config.document import KeyPath
from runner.config.mistakes import Mistake, nearest, repeated
from runner.config.programs import ANY_GAME, is_file_word, split_path
from runner.config.values import BotEntry, BotInfo, RoleProgram, Tournament
from runner.config.variants import Variant

WAYS = ("bot", "path", "command", "remote")


def check_bots(
    config: Tournament, variants: Sequence[Variant], *, folder: Path, known_bots: Mapping[str, BotInfo] | None
) -> Iterator[Mistake]:
    """Mistakes in `bots`; without `known_bots` built-in names are not looked up."""
    names = [bot.name for bot in config.bots]
    yield from repeated(names, ("bots",), "a name of its own for each bot", "name")
    for position, bot in enumerate(config.bots):
        at: KeyPath = ("bots", position)
        yield from _check_ways(bot, at)
        yield from _check_roles(bot, variants, at)
        roles = [((*at, "roles", role), program) for role, program in bot.roles.items()]
        for place, program in roles or [(at, bot)]:
            yield from _check_program(program, place, folder=folder)
            if known_bots is not None and program.bot is not None:
                yield from _check_known(program.bot, variants, known_bots, (*place, "bot"))


def _used_ways(program: RoleProgram) -> list[str]:
    return [way for way in WAYS if getattr(program, way) not in (None, False)]


def _check_ways(bot: BotEntry, at: KeyPath) -> Iterator[Mistake]:
    ways = [*_used_ways(bot), *(["roles"] if bot.roles else [])]
    if len(ways) != 1:
        yield Mistake(at, f"exactly one of {', '.join(WAYS)}, roles", " and ".join(ways) or "none")
    if bot.roles and bot.options:
        yield Mistake((*at, "options"), "options with the program of each role", "options beside roles")
    for role, program in bot.roles.items():
        ways = _used_ways(program)
        if len(ways) != 1:
            yield Mistake((*at, "roles", role), f"exactly one of {', '.join(WAYS)}", " and ".join(ways) or "none")


def _check_roles(bot: BotEntry, variants: Sequence[Variant], at: KeyPath) -> Iterator[Mistake]:
    """A bot with `roles` names a program for every role of every game, and none besides."""
    if not bot.roles:
        return
    every_role = dict.fromkeys(role for variant in variants for role in variant.game.roles)
    for variant in variants:
        if "" in variant.game.roles:
            expected = f"{', '.join(WAYS[:-1])} or {WAYS[-1]}, since {variant.entry.game} has no roles"
            yield Mistake((*at, "roles"), expected, f"roles {', '.join(bot.roles)}")
        for role in variant.game.roles:
            if role not in bot.roles:
                yield Mistake((*at, "roles"), f"a program for {role!r} of {variant.entry.game}", "none")
    for role in bot.roles:
        if role not in every_role:
            yield Mistake((*at, "roles", role), nearest(role, every_role), "an unknown role")


def _check_program(program: RoleProgram, at: KeyPath, *, folder: Path) -> Iterator[Mistake]:
    yield from check_numbers(program.options, (*at, "options"))
    if program.path is not None:
        if re.fullmatch(r"[^\0]+\.py:[^\W\d]\w*", program.path) is None:
            yield Mistake((*at, "path"), "file.py:Class", repr(program.path))
        file, class_name = split_path(program.path)
        if not (folder / file).is_file():
            yield Mistake((*at, "path"), f"an existing file (in {folder})", repr(file))
        elif (problem := class_problem(folder / file, class_name)) is not None:
            yield Mistake((*at, "path"), *problem)
    if program.command is not None:
        if not program.command or not program.command[0]:
            yield Mistake((*at, "command"), "a program and its arguments", "no program")
        elif is_file_word(program.command[0]) and not (folder / program.command[0]).is_file():
            yield Mistake((*at, "command", 0), f"an existing file (in {folder})", repr(program.command[0]))


def _check_known(
    name: str, variants: Sequence[Variant], known_bots: Mapping[str, BotInfo], at: KeyPath
) -> Iterator[Mistake]:
    for game in dict.fromkeys(variant.entry.game for variant in variants):
        resolved = f"{game}/{name.removeprefix(ANY_GAME)}" if name.startswith(ANY_GAME) else name
        if resolved not in known_bots:
            got = repr(name) if resolved == name else f"{name!r}, which is {resolved!r} there"
            yield Mistake(at, nearest(resolved, known_bots), got)
            return
        plays = known_bots[resolved].plays
        if plays and game not in plays:
            yield Mistake(at, f"a bot that plays {game}", f"{name!r}, which plays {', '.join(plays)}")


def class_problem(path: Path, class_name: str) -> tuple[str, str] | None:
    """(expected, got) unless the file may well define the class, then None.

    Names that code makes while it runs (`import *`, `exec`) cannot be seen: such files are let through, as are classes
    that turn out to be no bots. The bot's own process finds out.
    """
    try:
        tree = ast.parse(path.read_bytes(), filename=path.name)
    except SyntaxError as error:
        return "Python", f"{error.msg} in line {error.lineno} of {path.name}"
    except (OSError, ValueError) as error:
        return "a readable Python file", str(error)
    names = set().union(*(_bound(node) for node in ast.walk(tree)))
    if class_name in names or "*" in names:
        return None
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    got = f"{', '.join(classes)} alone" if classes else "no class"
    return f"a class {class_name} in {path.name}", got


def _bound(node: ast.AST) -> set[str]:
    """Names that a statement may bind; functions' own names too, which does no harm."""
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
