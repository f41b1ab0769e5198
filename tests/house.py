"""The figures of the house: how files lie in folders, and how far one reads to follow a run. `python -m tests.house`.

Files are counted by their source: every import counts, also those inside functions and for type checking alone. What an
action opens is counted by what runs, in one match that is played for it.
"""

from __future__ import annotations

import ast
import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType

import networkx as nx

from gridjoust.in_process import open_memory_bus
from gridjoust.runner.plan import prepare_folder
from gridjoust.runner.tournament import run_tournament
from tests.runner.memory_cup import make_cup

ROOT = Path(__file__).parents[1]
LINKED = ("games", "bots", "runner", "leaderboard")  # folders at the top that are links in gridjoust/
PRODUCT = (*LINKED, "gridjoust")
MOST_IN_A_FOLDER = 16
CROWDED = ("gridjoust/commands", "games/", "_kernels")  # one file a command, a room of a game, a kernel
MOST_LOOSE = 6  # in runner/ and in gridjoust/
DUEL = """
tournament: duel
games: [{game: bomber, params: {max_ticks: 20}}]
format: {swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 1}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""
NOT_THE_WAY = ("games/", "bots/random_bot.py", "tests/")  # the rules, the bot itself, and what counts


@cache
def files(package: str) -> tuple[Path, ...]:
    """Return the Python files of a folder at the top, without what is linked into it."""
    return tuple(sorted(path for path in (ROOT / package).rglob("*.py") if "node_modules" not in path.parts))


def place(path: Path) -> str:
    """Return the path of a file from the root."""
    return path.relative_to(ROOT).as_posix()


def name_of(path: Path) -> str:
    """Return the name by which a file is imported."""
    name = place(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return f"gridjoust.{name}" if name.partition(".")[0] in LINKED else name


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Return every module, or name in a module, that a file imports."""
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return frozenset(found)


@cache
def import_graph() -> nx.DiGraph:
    """Return the graph of the product: an edge from each module to every module that it imports."""
    paths = {name_of(path): path for package in PRODUCT for path in files(package)}
    graph = nx.DiGraph()
    graph.add_nodes_from(paths)
    for name, path in paths.items():
        for imported in imports_of(path):
            target = imported if imported in paths else imported.rpartition(".")[0]
            if target in paths and target != name:
                graph.add_edge(name, target)
    return graph


def reached(module: str) -> set[str]:
    """Return the modules that a module imports, and those that they import."""
    return {module, *nx.descendants(import_graph(), module)}


def layers(folder: str, *, apart: str = "") -> int:
    """Return how many modules the longest chain of imports within a folder has, a folder in it not counted."""
    own = [
        name_of(path)
        for path in files(folder.partition("/")[0])
        if place(path).startswith(f"{folder}/") and not (apart and place(path).startswith(f"{apart}/"))
    ]
    return int(nx.dag_longest_path_length(import_graph().subgraph(own))) + 1


class Watch:
    """Collects the files whose functions run from the first question of a match until its rows are in the tables."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.is_on = False

    def on_event(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note the file of a call, as a profile function; the first question that the bus delivers begins it all."""
        if event != "call":
            return
        code = frame.f_code
        self.is_on |= code.co_qualname == "MemoryBroker.deliver" and b'"type":"turn"' in frame.f_locals["payload"]
        if self.is_on:
            self.files.add(code.co_filename)

    def on_played(self, _played: object) -> None:
        """Stop, as the only match has entered the tables."""
        sys.setprofile(None)
        threading.setprofile(None)


def opened_by_an_action() -> set[str]:
    """Return the files of the product that run from a question to its row in `results.csv`, start-up apart.

    One match of two bots is played over the memory bus under `sys.setprofile`. The rules and the bot's own file do not
    count.
    """
    watch = Watch()

    async def play(folder: Path) -> None:
        plan = prepare_folder(make_cup(DUEL, folder), resume=False)
        async with open_memory_bus(plan) as backend:
            threading.setprofile(watch.on_event)
            sys.setprofile(watch.on_event)
            await run_tournament(plan, backend, on_played=watch.on_played)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))
    files = {Path(file).resolve() for file in watch.files if not file.startswith("<")}
    places = {place(path) for path in files if path.is_relative_to(ROOT) and not path.is_relative_to(sys.prefix)}
    return {file for file in places if not file.startswith(NOT_THE_WAY)}


def crowded() -> dict[str, int]:
    """Return the folders with more than `MOST_IN_A_FOLDER` files, and how many each has."""
    counts: dict[str, int] = {}
    for package in PRODUCT:
        for path in files(package):
            folder = place(path.parent)
            if not any(part in f"{folder}/" for part in CROWDED):
                counts[folder] = counts.get(folder, 0) + 1
    return {folder: count for folder, count in counts.items() if count > MOST_IN_A_FOLDER}


def loose(package: str) -> list[str]:
    """Return the names of the files that lie in a folder at the top itself."""
    return sorted(path.name for path in files(package) if path.parent == ROOT / package)


def functions() -> Iterator[tuple[str, str, bool]]:
    """Yield place, docstring and whether it is a property of every documented function that is no test."""
    for package in (*PRODUCT, "benchmarks", "docs", "study"):
        for path in (path for path in files(package) if "tests" not in path.parts):
            for node in nodes_of(path):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (text := ast.get_docstring(node)):
                    marks = {getattr(mark, "id", getattr(mark, "attr", "")) for mark in node.decorator_list}
                    yield f"{place(path)}:{node.lineno}", text, bool(marks & {"property", "cached_property", "setter"})


if __name__ == "__main__":
    for package in ("runner", "gridjoust"):
        print(f"loose files in {package}/: {len(loose(package))}")
    print(f"crowded: {crowded()}")
    print(f"layers of leaderboard/: {layers('leaderboard', apart='leaderboard/report')} below its report/")
    print(f"layers of leaderboard/report/: {layers('leaderboard/report')}, with those below {layers('leaderboard')}")
    print(f"joust run reaches {len(reached('gridjoust.commands.run'))} files")
    print(f"an action opens {len(opened_by_an_action())} files on its way to a row")
