"""Finds lines in a bot's Python file that explain results of `joust doctor`: its own random generators, and prints."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gridjoust.runner.config.programs import split_path
from gridjoust.runner.config.values import RoleProgram

_GENERATORS = ("Random", "default_rng", "RandomState", "Generator")  # repeatable if they are given a seed


@dataclass(frozen=True, slots=True)
class Hints:
    """Places in a bot's file, such as `first.py line 9`; "" if there is none, or if the bot is no class in a file."""

    draws: str = ""  # the first call of the modules `random` or `numpy.random`, with its name
    prints: str = ""  # the first `print` to standard output
    is_class: bool = False


def hints_of(program: RoleProgram) -> Hints:
    """Find these places in the text of the bot's file; the file is not run."""
    if program.path is None:
        return Hints(is_class=program.command is None)
    path = Path(split_path(program.path)[0])
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):  # the bot's start reports it
        return Hints(is_class=True)
    drawn = next(_draws(tree), None)
    printed = next(_prints(tree), None)
    return Hints(
        draws="" if drawn is None else f"{path.name} line {drawn.lineno}: {ast.unparse(drawn.func)}",
        prints="" if printed is None else f"{path.name} line {printed.lineno}",
        is_class=True,
    )


def _calls(tree: ast.Module) -> list[ast.Call]:
    return sorted((node for node in ast.walk(tree) if isinstance(node, ast.Call)), key=lambda call: call.lineno)


def _draws(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the calls that draw from a generator of the whole process, or make one without a seed."""
    modules: dict[str, str] = {}  # name in the file -> what it is
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {(one.asname or one.name): one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules |= {(one.asname or one.name): f"{node.module}.{one.name}" for one in node.names}
    for call in _calls(tree):
        first, *rest = ast.unparse(call.func).split(".")
        name = ".".join([modules.get(first, ""), *rest])
        has_seed = name.rpartition(".")[2] in _GENERATORS and (call.args or call.keywords)
        if name.startswith(("random.", "numpy.random.")) and not has_seed:
            yield call


def _prints(tree: ast.Module) -> Iterator[ast.Call]:
    for call in _calls(tree):
        is_print = isinstance(call.func, ast.Name) and call.func.id == "print"
        if is_print and not any(word.arg == "file" for word in call.keywords):
            yield call
