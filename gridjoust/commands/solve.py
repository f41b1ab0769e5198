"""`joust solve`: positions of a file to answers. Searches nothing itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from bots.placement import solve as placement
from bots.ricochet import solve as ricochet
from games.ricochet.proof import MoveRules
from gridjoust.commands.arguments import JsonOption, read_text
from runner.wire.errors import ConfigError

Result = dict[str, Any]  # one task's answer, as `--json` prints it

WIDE = 160  # columns where there is no terminal to ask


def solve(
    game: Annotated[str, typer.Argument(help="ricochet or placement.")],
    file: Annotated[Path, typer.Argument(help="Positions or cases (JSON); expected answers in it are ignored.")],
    bot: Annotated[str | None, typer.Option(help="The planner; default: astar in ricochet, beam in placement.")] = None,
    variant: Annotated[str | None, typer.Option(help="ricochet: plain (default) or printed.")] = None,
    early_stop: Annotated[str | None, typer.Option(help="ricochet, printed: true (default) or false.")] = None,
    width: Annotated[int | None, typer.Option(min=1, help="placement: width of the beam (16).")] = None,
    limit_ms: Annotated[float | None, typer.Option(min=0, help="Planning time per task.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve the positions of a file with one planner."""
    if game not in SOLVERS:
        raise ConfigError(f"solve: expected {' or '.join(SOLVERS)}, got {game!r}")
    solver = SOLVERS[game]
    given = {"variant": variant, "early_stop": early_stop, "width": width}
    given = {name: value for name, value in given.items() if value is not None}
    foreign = [name for name in given if name not in solver.options]
    if foreign:
        raise ConfigError(f"--{foreign[0].replace('_', '-')}: expected it for another game than {game}")
    try:
        results = solver.solve(read_text(file), bot=bot or solver.usual, limit_ms=limit_ms, **given)
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    if as_json:
        print(json.dumps(results))
    else:
        console = Console() if sys.stdout.isatty() else Console(width=WIDE)
        console.print(_table(results, solver.columns))


def _solve_ricochet(
    text: str, *, bot: str, limit_ms: float | None, variant: str = "plain", early_stop: str = "true"
) -> list[Result]:
    rules = MoveRules(
        printed=_choice("--variant", variant, {"plain": False, "printed": True}),
        early_stop=_choice("--early-stop", early_stop, {"true": True, "false": False}),
    )
    return [result.as_json() for result in ricochet.solve_text(text, bot=bot, rules=rules, limit_ms=limit_ms)]


def _solve_placement(text: str, *, bot: str, limit_ms: float | None, width: int = 16) -> list[Result]:
    return [result.as_json() for result in placement.solve_text(text, bot=bot, width=width, limit_ms=limit_ms)]


@dataclass(frozen=True, slots=True)
class _Solver:
    """How one game's tasks are solved, which options it takes, and the columns of its table."""

    solve: Callable[..., list[Result]]
    usual: str  # bot
    options: tuple[str, ...]
    columns: tuple[str, ...]


SOLVERS = {
    "ricochet": _Solver(
        _solve_ricochet,
        "astar",
        ("variant", "early_stop"),
        ("id", "status", "moves", "optimal_proven", "expanded", "frontier", "planning_ms", "solution"),
    ),
    "placement": _Solver(
        _solve_placement,
        "beam",
        ("width",),
        ("id", "status", "best_distance", "best_steps", "pieces_used", "states", "planning_ms", "plan"),
    ),
}


def _choice(option: str, given: str, choices: Mapping[str, bool]) -> bool:
    if given not in choices:
        raise ConfigError(f"{option}: expected {' or '.join(choices)}, got {given!r}")
    return choices[given]


def _table(results: Iterable[Result], columns: Sequence[str]) -> Table:
    table = Table()
    for name in columns:
        is_text = name in ("id", "status", "solution", "plan")
        table.add_column(name.replace("_", " "), justify="left" if is_text else "right")
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
