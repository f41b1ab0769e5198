"""`joust solve`: solve the positions of a file with one planner, and print the answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import JustifyMethod
from rich.table import Table

from gridjoust.bots.solvers import load_solver
from gridjoust.commands.shared.arguments import JsonOption, mistakes_of, read_text
from gridjoust.commands.shared.board import open_console
from gridjoust.games.api import Json
from gridjoust.runner.wire.errors import ConfigError


def solve(
    game: Annotated[str, typer.Argument(help="ricochet or placement.")],
    file: Annotated[Path, typer.Argument(help="Positions or cases (JSON); expected answers in it are ignored.")],
    bot: Annotated[str | None, typer.Option(help="The planner; default: astar in ricochet, beam in placement.")] = None,
    variant: Annotated[str | None, typer.Option(help="ricochet: plain (default) or printed.")] = None,
    early_stop: Annotated[str | None, typer.Option(help="ricochet, printed: true (default) or false.")] = None,
    pass_goal: Annotated[
        str | None, typer.Option(help="ricochet: true (default), or false: robots stop when they reach their target.")
    ] = None,
    width: Annotated[int | None, typer.Option(min=1, help="placement: width of the beam (16).")] = None,
    limit_ms: Annotated[float | None, typer.Option(min=0, help="Planning time per task.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve the positions of a file with one planner."""
    with mistakes_of("solve"):
        solver = load_solver(game)
    own = {"variant": variant, "early_stop": early_stop, "pass_goal": pass_goal, "width": width}
    given = {name: value for name, value in own.items() if value is not None}
    if foreign := [_flag(name) for name in given if name not in solver.OPTIONS]:
        raise ConfigError(f"{foreign[0]} is no option for {game}")
    text = read_text(file)
    for name, value in given.items():
        if (choices := solver.OPTIONS[name]) and value not in choices:
            raise ConfigError(f"{_flag(name)}: expected {' or '.join(choices)}, got {value!r}")
    with mistakes_of(str(file)):
        answers = solver.solve_text(text, limit_ms=limit_ms, **given, **({"bot": bot} if bot else {}))
        results = [answer.as_json() for answer in answers]
    if as_json:
        print(json.dumps(results))
    else:
        open_console().print(_table(results, solver.COLUMNS))


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _table(results: Iterable[Mapping[str, Json]], columns: Mapping[str, str]) -> Table:
    table = Table()
    for name, side in columns.items():
        is_word = name == "status"  # stays whole; the rest is folded in a narrow terminal
        justify: JustifyMethod = "left" if side == "left" else "right"
        table.add_column(name.replace("_", " "), justify=justify, no_wrap=is_word, overflow="fold")
    for result in results:
        table.add_row(*(_cell(result[name]) for name in columns))
    return table


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.1f}"
        case list():
            return ", ".join(" ".join(map(str, part)) for part in value)
        case _:
            return str(value)
