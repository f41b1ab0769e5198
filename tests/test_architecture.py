"""The arrows between packages, read from the source: who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
OURS = ("games", "bots", "runner", "leaderboard", "gridjoust")


def imports_of(path: Path) -> Iterator[str]:
    """Every module of ours that a file imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in OURS:
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def is_below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def offenders(package: str, allowed: tuple[str, ...]) -> list[str]:
    found = []
    for path in modules(package):
        bad = [module for module in imports_of(path) if is_below(module, OURS) and not is_below(module, allowed)]
        found += [f"{path.relative_to(ROOT).as_posix()} imports {module}" for module in bad if module != VERSION]
    return found


VERSION = "runner.__version__"
FLOORS = {
    "games": ("games",),
    "bots/planners": ("bots.planners",),
    "bots": ("bots", "games", "runner.wire"),
    "runner/wire": ("runner.wire",),
    "runner": ("runner", "games"),
    "leaderboard": ("leaderboard", "runner.tables", "runner.statistics", "runner.record", "runner.wire.errors"),
    "gridjoust": OURS,
}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def import_graph() -> nx.DiGraph:
    """Module -> module that it imports, at the top or inside a function, for type checking or at run time."""
    names = {module_name(path): path for package in OURS for path in modules(package)}
    graph = nx.DiGraph()
    for name, path in names.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                graph.add_edges_from((name, found.name) for found in node.names if found.name in names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                for imported in node.names:
                    inner = f"{node.module}.{imported.name}"
                    target = inner if inner in names else node.module
                    if target in names and target != name:
                        graph.add_edge(name, target)
    return graph


def circles(graph: nx.DiGraph) -> list[list[str]]:
    return [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = import_graph()
    assert graph.has_edge("runner.match", "runner.referee")
    assert circles(graph) == []
    graph.add_edge("runner.wire.errors", "runner.match")
    assert circles(graph) != []


def test_no_room_imports_itself_by_a_detour() -> None:
    rooms = nx.DiGraph()
    for module, imported in import_graph().edges:
        pair = [".".join(name.split(".")[:2]) for name in (module, imported)]
        if pair[0] != pair[1] and all("." in room for room in pair):
            rooms.add_edge(*pair)
    assert rooms.has_edge("runner.broker", "runner.processes")
    assert circles(rooms) == []


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_stands_on_those_below_it_alone(package: str) -> None:
    assert modules(package)
    assert offenders(package, FLOORS[package]) == []


def test_only_what_talks_on_the_wire_imports_it() -> None:
    talking = {
        path.relative_to(ROOT).as_posix()
        for path in modules("bots")
        if any(module.startswith("runner.") for module in imports_of(path))
    }
    assert talking == {"bots/api.py", "bots/harness.py", "bots/match.py", "bots/__main__.py"}


def test_games_use_the_standard_library_and_numpy_only() -> None:
    foreign = {
        module.partition(".")[0]
        for path in modules("games")
        for module in imports_of(path)
        if module.partition(".")[0] not in sys.stdlib_module_names
    }
    assert foreign <= {"games", "numpy"}


def test_rules_read_no_clock_and_no_global_chance() -> None:
    banned = {"time", "datetime", "os", "socket", "asyncio", "threading", "subprocess", "secrets"}
    for path in modules("games"):
        if path.name == "__main__.py":
            continue
        assert banned.isdisjoint(module.partition(".")[0] for module in imports_of(path)), path


@pytest.mark.parametrize("unwanted", ["pandas", "typer", "rich", "numpy", "yaml", "amqtt", "games.bomber"])
def test_a_bot_process_starts_without(unwanted: str) -> None:
    code = (
        "import sys, bots.__main__, bots.harness, runner.wire.bus.mqtt, aiomqtt; from bots import load_bot;"
        f" load_bot('random'); sys.exit({unwanted!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False, cwd=ROOT.parent).returncode == 0


@pytest.mark.parametrize(
    "use", ["", "joust.Bot, joust.AnytimeBot, joust.Observation", "joust.Game, joust.Turn", "joust.play"]
)
def test_the_public_face_brings_no_data_frames_and_no_arrays(use: str) -> None:
    heavy = {"numpy", "pandas", "typer", "rich", "amqtt", "scipy"}
    code = f"import gridjoust as joust, sys; {use or 'joust'}; print(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "[]\n"


def test_a_bot_that_uses_the_public_face_imports_nothing_more() -> None:
    def loaded(code: str) -> set[str]:
        code = f"import sys; {code}; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
        return set(done.stdout.split())

    assert loaded("import gridjoust; gridjoust.Bot") - loaded("import bots.api") == {"gridjoust"}


def test_only_the_command_line_prints() -> None:
    allowed = ("gridjoust/commands/", "gridjoust/reference.py", "bots/harness.py", "bots/__main__.py")
    for package in OURS:
        for path in modules(package):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(allowed) or path.name == "__main__.py":
                continue
            calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
            printing = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]
            assert not printing, name


def test_benchmarks_are_imported_by_benchmarks_and_their_tests_alone() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for package in (*OURS, "tests", "docs")
        for path in modules(package)
        if any(is_below(module, ("benchmarks",)) for module in imports_of(path))
    }
    assert users == {user for user in users if user.startswith("tests/benchmarks/")} != set()
