"""`joust plan`: run planners on path queries from files or options; print their answers as JSON, CSV or a table."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, TypeVar

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from gridjoust.bots import load_bot_file
from gridjoust.bots.answers import failure_text
from gridjoust.bots.navigation.queries import PLANNERS, Answer, Ground, Place, Query
from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.navigation.walker import Walker
from gridjoust.commands.shared.arguments import JsonOption, mistakes_of
from gridjoust.commands.shared.board import open_console
from gridjoust.commands.shared.bot_argument import file_spec
from gridjoust.games.navigation.board import Board
from gridjoust.games.navigation.movingai import (
    ScenRow,
    check_fits,
    left_out,
    load_map,
    own_queries,
    parse_scen,
    read_text,
)
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.config.programs import split_path
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import UNREADABLE

T = TypeVar("T")
_LENGTH_TOLERANCE = 1e-4  # old sets print six significant digits


def plan(
    map_file: Annotated[Path, typer.Option("--map", help="The map (MovingAI .map).")],
    planner: Annotated[
        str,
        typer.Option(
            help="One or more of astar, dstar_lite, dijkstra_map, beam, jps, lpastar, mpaastar, and file.py:Class for "
            "a planner of your own, separated by commas."
        ),
    ],
    scen: Annotated[
        Path | None, typer.Option(help="A MovingAI .scen file of queries; default: the one beside the map.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option(help='A JSON file of queries: a list of {"start": [x, y], "goal": [x, y]}.')
    ] = None,
    start: Annotated[str | None, typer.Option(help="A single query: x,y of its start.")] = None,
    goal: Annotated[str | None, typer.Option(help="A single query: x,y of its goal.")] = None,
    connectivity: Annotated[
        str, typer.Option(help="4, or 8: diagonal moves cost the root of 2 and cut no corners.")
    ] = "4",
    knowledge: Annotated[
        str, typer.Option(help="known, or unknown: the robot assumes that a cell is free until it senses it.")
    ] = "known",
    sensor: Annotated[int, typer.Option(help="With an unknown map: range of the sensor in moves.")] = 1,
    limit: Annotated[int | None, typer.Option(help="Run only the first N queries.")] = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, one row for each query and planner.")] = False,
) -> None:
    """Run planners on path queries of a map; compare solved queries, path cost and search cost."""
    if as_json and as_csv:
        raise ConfigError("plan: give --json or --csv, not both")
    planners = _planners(planner)
    if sensor < 1:
        raise ConfigError(f"--sensor: expected at least 1, got {sensor}")
    board = _load(map_file, load_map)
    if scen is None and queries is None and start is None and goal is None:
        scen = _scen_beside(map_file)
    if limit is not None and limit < 1:
        raise ConfigError(f"--limit: expected at least 1, got {limit}")
    if (scen is not None) + (queries is not None) + (start is not None or goal is not None) != 1:
        raise ConfigError("expected one of --scen, --queries, or --start and --goal")
    rows = [] if scen is None else _from_scen(scen, board, limit, map_file.name)
    asked = [_query_of(row) for row in rows] or _queries(board, file=queries, start=start, goal=goal, limit=limit)
    _expect_one_of("--connectivity", connectivity, ("4", "8"))
    _expect_one_of("--knowledge", knowledge, ("known", "unknown"))
    ground = Ground(board, connectivity=int(connectivity), is_known=knowledge == "known", sensor=sensor)
    answers = (_answer(ground, query, name, make) for query in asked for name, make in planners.items())
    if as_json or as_csv:
        (_print_json if as_json else _print_csv)(answers)
        return
    found = list(answers)
    optima = {query: ground.optimum(query) for query in asked}
    if scen is not None and connectivity == "8":
        _warn_of_lengths(scen, rows, optima)
    title = f"{map_file.name}, {knowledge}, {connectivity}-connected, {plural(len(asked), 'query', 'queries')}"
    open_console().print(_table(title, [*planners], found, optima))


def _print_json(answers: Iterator[Answer]) -> None:
    for answer in answers:
        print(json.dumps(answer.as_json()), flush=True)


def _print_csv(answers: Iterator[Answer]) -> None:
    """Print a heading and a row per answer; a place is two columns (x, y), and the cost is empty without a path."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    for number, answer in enumerate(answers):
        (start_x, start_y), (goal_x, goal_y) = answer.query.start, answer.query.goal
        row = {"start_x": start_x, "start_y": start_y, "goal_x": goal_x, "goal_y": goal_y} | answer.as_json()
        del row["start"], row["goal"]
        if number == 0:
            out.writerow(row)
        out.writerow("" if value is None else value for value in row.values())


def _answer(ground: Ground, query: Query, name: str, make_route: MakeRoute) -> Answer:
    """Run a planner on a query; ConfigError with the line of the author's code if the planner raises an error."""
    try:
        return ground.answer(query, name, make_route)
    except Exception as error:
        if name in PLANNERS:
            raise
        where = f"query from {query.start} to {query.goal}"
        raise ConfigError(f"--planner: {name}: {where}: {failure_text(error)}") from error


def _planners(text: str) -> dict[str, MakeRoute]:
    """Return, by name, the planners in a list; a planner in a file has the name of its class."""
    found: dict[str, MakeRoute] = {}
    for word in map(str.strip, text.split(",")):
        name, make_route = _own_planner(word) if ".py" in word else (word, PLANNERS.get(word))
        if make_route is None:
            raise ConfigError(f"--planner: expected {nearest(word, PLANNERS)}, or file.py:Class, got {word!r}")
        if name in found:
            raise ConfigError(f"--planner: expected every planner once, got {name!r} twice")
        found[name] = make_route
    return found


def _own_planner(word: str) -> tuple[str, MakeRoute]:
    """Return the class name and the planner of the navigation bot in a user's file."""
    file, name = split_path(file_spec(word, option="--planner"))
    try:
        bot = load_bot_file(Path(file), name)()
    except Exception as error:
        detail = str(error) if isinstance(error, ValueError) else failure_text(error)
        raise ConfigError(f"--planner: {detail}") from error
    if not isinstance(bot, Walker):
        raise ConfigError(f"--planner: {name}: expected a subclass of gridjoust.planners.Walker")
    return name, bot.make_route


def _scen_beside(map_file: Path) -> Path | None:
    """Return the first existing file of m.map.scen, m-random-1.scen, m-even-1.scen, the names of benchmark sets."""
    names = (f"{map_file.name}.scen", f"{map_file.stem}-random-1.scen", f"{map_file.stem}-even-1.scen")
    return next((path for name in names if (path := map_file.with_name(name)).is_file()), None)


def _queries(board: Board, *, file: Path | None, start: str | None, goal: str | None, limit: int | None) -> list[Query]:
    """Return the first `limit` queries of the file in its order, or the single query of `start` and `goal`."""
    if file is not None:
        return _from_json(file, board, limit)
    if start is None or goal is None:
        raise ConfigError(f"{'--start' if start is None else '--goal'} is missing: expected x,y")
    ends = {"--start": _place("--start", start), "--goal": _place("--goal", goal)}
    for option, place in ends.items():
        _check_end(option, place, board)
    return [Query(*ends.values())]


def _from_scen(file: Path, board: Board, limit: int | None, map_name: str) -> Sequence[ScenRow]:
    with mistakes_of(str(file)):
        text, others = own_queries(_load(file, read_text), map_name)
        rows = _some(file, parse_scen(text))[:limit]
    if others:
        print(left_out(file, others), file=sys.stderr)
    for number, row in enumerate(rows, start=1):
        with mistakes_of(f"{file}: query {number}"):
            check_fits(row, board)
    return rows


def _query_of(row: ScenRow) -> Query:
    return Query((row.start.x, row.start.y), (row.goal.x, row.goal.y))


def _warn_of_lengths(file: Path, rows: Sequence[ScenRow], optima: Mapping[Query, float]) -> None:
    """Warn if the optimal lengths in a `.scen` file (octile) differ from those of the map."""
    wrong = [
        (number, row.length, optimum)
        for number, row in enumerate(rows, start=1)
        if row.is_reachable is math.isinf(optimum := optima[_query_of(row)])
        or (row.is_reachable and not math.isclose(row.length, optimum, rel_tol=_LENGTH_TOLERANCE))
    ]
    if wrong:
        number, length, optimum = wrong[0]
        got = f"query {number} says {length:g}, the map has {optimum:g}"
        print(
            f"{file}: optimal lengths of {len(wrong)} of {len(rows)} queries differ ({got}): is the file for this map?",
            file=sys.stderr,
        )


def _from_json(file: Path, board: Board, limit: int | None) -> list[Query]:
    queries = _some(file, _load(file, _read_queries))[:limit]
    for number, query in enumerate(queries):
        _check_end(f"{file}: [{number}].start", query.start, board)
        _check_end(f"{file}: [{number}].goal", query.goal, board)
    return list(queries)


def _read_queries(file: Path) -> list[Query]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Query])
    except UNREADABLE as error:
        raise ValueError(f'{file}: expected a list of {{"start": [x, y], "goal": [x, y]}}: {error}') from None


def _place(option: str, text: str) -> Place:
    words = [word.strip() for word in text.split(",")]
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 9 for word in words):
        raise ConfigError(f"{option}: expected x,y such as 3,12, got {text[:40]!r}")
    return int(words[0]), int(words[1])


def _check_end(where: str, place: Place, board: Board) -> None:
    x, y = place
    if not (0 <= x < board.width and 0 <= y < board.height):
        raise ConfigError(f"{where}: expected a cell on the map of {board.width} x {board.height}, got ({x}, {y})")
    if board.blocked[board.number(x, y)]:
        raise ConfigError(f"{where}: expected a passable cell, got a blocked one at ({x}, {y})")


def _expect_one_of(option: str, given: str, choices: Sequence[str]) -> None:
    if given not in choices:
        raise ConfigError(f"{option}: expected one of {', '.join(choices)}, got {given!r}")


def _some(file: Path, queries: Sequence[T]) -> Sequence[T]:
    if not queries:
        raise ConfigError(f"{file} contains no queries")
    return queries


def _load(file: Path, load: Callable[[Path], T]) -> T:
    try:
        return load(file)
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _table(title: str, planners: Sequence[str], answers: Sequence[Answer], optima: Mapping[Query, float]) -> Table:
    caption = "means per query; cost and cost over optimum: solved queries only"
    table = Table(title=title, caption=caption, box=SIMPLE_HEAD, show_edge=False, collapse_padding=True, pad_edge=False)
    table.add_column("planner", no_wrap=True)
    for name in ("solved", "cost", "cost over\noptimum", "expansions", "generated", "replans", "planning\nms"):
        table.add_column(name, justify="right", no_wrap=True)
    for planner in planners:
        table.add_row(planner, *_cells([answer for answer in answers if answer.planner == planner], optima))
    return table


def _cells(answers: Sequence[Answer], optima: Mapping[Query, float]) -> Iterator[str]:
    solved = [answer for answer in answers if answer.crossing.is_done]
    over = [answer.crossing.cost / optima[answer.query] for answer in solved if optima[answer.query] > 0]
    yield f"{len(solved)}/{len(answers)}"
    yield f"{fmean([answer.crossing.cost for answer in solved]):.2f}" if solved else "-"
    yield f"{fmean(over):.4f}" if over else "-"
    for name in ("expanded", "generated", "replans", "planning_ms"):
        mean = fmean([getattr(answer.crossing, name) for answer in answers])
        yield f"{mean:.{0 if mean >= 100 else 1 if mean >= 10 else 2}f}"  # at least three digits
