"""The arrows between packages, read from the source: who may import whom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from tests.house import (
    LINKED,
    MOST_LOOSE,
    PRODUCT,
    ROOT,
    crowded,
    files,
    functions,
    import_graph,
    imports_of,
    layers,
    loose,
    nodes_of,
    opened_by_an_action,
    place,
    reached,
)

VERSION = "gridjoust.runner.__version__"
RESULTS = ("gridjoust.runner.results.tables", "gridjoust.runner.results.records")
WORDS = ("gridjoust.runner.wire.errors", "gridjoust.runner.wire.text")
FLOORS = {
    "games": ("gridjoust.games",),
    "bots/planners": ("gridjoust.bots.planners",),
    "bots": ("gridjoust.bots", "gridjoust.games", "gridjoust.runner.wire"),
    "runner/wire": ("gridjoust.runner.wire",),
    "runner": ("gridjoust.runner", "gridjoust.games"),
    "leaderboard": ("gridjoust.leaderboard", "gridjoust.runner.statistics", *RESULTS, *WORDS),
    "gridjoust": ("gridjoust",),
}
COMMON_ROOMS = {"rules", "state", "params", "actions", "view", "ascii", "terminal"}  # of every game
DEFINED_IN = {"State": "state", "PARAMS": "params", "public_view": "view", "redeal": "redeal", "render": "ascii"}
DEFINED_IN |= {"Action": "actions", "parse_action": "actions", "is_legal": "legal", "parse": "terminal"}


def packages_of(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports_of(path)}


def room_of(module: str) -> str:
    """Return the folder or loose file that holds a module: `gridjoust.runner.wire`, `gridjoust.commands`."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] and parts[1] in LINKED else 2])


def is_below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def circles(graph: nx.DiGraph) -> list[list[str]]:
    return [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


@pytest.mark.gate
def test_no_module_and_no_room_imports_itself_by_a_detour() -> None:
    graph, rooms = import_graph().copy(), nx.DiGraph()
    for edge in graph.edges:
        one, other = map(room_of, edge)
        wholes = {"gridjoust", *(f"gridjoust.{package}" for package in LINKED)}
        if one != other and wholes.isdisjoint((one, other)):
            rooms.add_edge(one, other)
    assert graph.has_edge("gridjoust.runner.play.match", "gridjoust.runner.referee")
    assert rooms.has_edge("gridjoust.runner.broker", "gridjoust.runner.processes")
    assert (circles(graph), circles(rooms)) == ([], [])
    graph.add_edge("gridjoust.runner.wire.errors", "gridjoust.runner.play.match")
    assert circles(graph) != []


@pytest.mark.parametrize("package", FLOORS)
def test_a_floor_stands_on_those_below_it_alone(package: str) -> None:
    assert files(package)
    allowed = FLOORS[package]
    bad = {
        f"{place(path)} imports {module}"
        for path in files(package)
        for module in imports_of(path) - {VERSION}
        if is_below(module, ("gridjoust", *LINKED)) and not is_below(module, allowed)
    }
    assert bad == set()


def test_only_what_talks_on_the_wire_imports_it() -> None:
    talking = {
        place(path) for path in files("bots") if any(is_below(one, ("gridjoust.runner",)) for one in imports_of(path))
    }
    assert talking == {"bots/api.py", "bots/harness.py", "bots/match.py", "bots/lens.py", "bots/__main__.py"}


def test_games_use_the_standard_library_and_numpy_only_and_rules_read_no_clock_and_no_global_chance() -> None:
    banned = {"time", "datetime", "os", "socket", "asyncio", "threading", "subprocess", "secrets"}
    for path in files("games"):
        assert packages_of(path) - sys.stdlib_module_names <= {"gridjoust", "numpy"}, path
        assert path.name == "__main__.py" or banned.isdisjoint(packages_of(path)), path


SWITCHES = {"has_views", "stream_search", "streams_search", "on_lines", "on_search"}  # of what spectators get
MAY_SWITCH = {
    "runner/broker/accounts.py",
    "runner/play/launch.py",
    "runner/play/match.py",
    "runner/spectate/spectators.py",
    "runner/stdio/bridge.py",
    "runner/stdio/pipes.py",
}


def words_of(path: Path) -> set[str]:
    """Every name, attribute and parameter that a file uses."""
    words: set[str] = set()
    for node in nodes_of(path):
        words |= {getattr(node, field) for field in ("id", "attr", "arg") if getattr(node, field, None)}
    return words


def test_the_runner_names_what_spectators_get_only_where_they_are_served_and_where_bots_are_started() -> None:
    assert {place(path) for path in files("runner") if SWITCHES & words_of(path)} == MAY_SWITCH


def names_of(path: Path) -> set[str]:
    """What a file defines or assigns at its top."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assigned = [part for node in body if isinstance(node, ast.Assign | ast.AnnAssign) for part in ast.walk(node)]
    stored = {part.id for part in assigned if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return stored | {getattr(node, "name", "") for node in body}


def misplaced(rooms: dict[str, set[str]]) -> set[str]:
    """What a game lacks, spells otherwise or keeps elsewhere, given the names that each of its files defines."""
    standard = COMMON_ROOMS | set(DEFINED_IN.values()) | {"apply"}
    spelt = {room.removesuffix("s"): room for room in standard}
    return (
        {f"no {room}" for room in COMMON_ROOMS - set(rooms)}
        | {f"{room} for {spelt[stem]}" for room in set(rooms) - standard if (stem := room.removesuffix("s")) in spelt}
        | {f"{name} in {room}" for room, names in rooms.items() for name in names if DEFINED_IN.get(name, room) != room}
    )


def test_every_game_has_the_same_rooms_and_keeps_things_in_them() -> None:
    for game in (path.parent for path in ROOT.glob("games/*/__init__.py")):
        defined = {path.stem: names_of(path) for path in game.glob("*.py")}
        assert misplaced(defined) == set(), game
        assert misplaced({**defined, "views": {"redeal"}}) == {"views for view", "redeal in views"}
        assert misplaced({room: set() for room in defined if room != "ascii"}) == {"no ascii"}


@pytest.mark.parametrize(
    "unwanted",
    ["asyncio", "aiomqtt", "ssl", "pandas", "typer", "rich", "numpy", "yaml", "amqtt", "gridjoust.games.bomber"],
)
def test_a_bot_process_starts_without(unwanted: str) -> None:
    code = (
        "import sys, gridjoust.bots.__main__, gridjoust.bots.harness; from gridjoust.bots import load_bot;"
        f" load_bot('random'); sys.exit({unwanted!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False, cwd=ROOT.parent).returncode == 0


def loaded_by(code: str) -> set[str]:
    """Modules that are there after some code."""
    code = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.default("joust", "joust.Game, joust.Turn", "joust.Bot, joust.AnytimeBot, joust.Observation")
@pytest.mark.parametrize(
    "use", ["joust", "joust.Bot, joust.AnytimeBot, joust.Observation", "joust.Game, joust.Turn", "joust.play"]
)
def test_the_public_face_brings_no_data_frames_no_arrays_and_no_broker(use: str) -> None:
    heavy = {"numpy", "pandas", "typer", "rich", "amqtt", "scipy", "aiomqtt"}
    assert loaded_by(f"import gridjoust as joust; {use}") & heavy == set()


def test_a_bot_that_uses_the_public_face_imports_nothing_more() -> None:
    assert loaded_by("import gridjoust; gridjoust.Bot") == loaded_by("import gridjoust.bots.api")


def test_a_broker_is_chosen_and_a_bus_in_this_process_used_without_a_library_for_mqtt() -> None:
    assert (
        loaded_by("import gridjoust.runner.broker, gridjoust.runner.wire.bus") & {"amqtt", "aiomqtt", "psutil"} == set()
    )


def test_only_the_command_line_prints() -> None:
    allowed = ("gridjoust/commands/", "gridjoust/examples/train_bomber.py", "bots/harness.py")
    for path in (path for package in PRODUCT for path in files(package)):
        if place(path).startswith(allowed) or path.name == "__main__.py" or b"print" not in path.read_bytes():
            continue
        calls = [node for node in nodes_of(path) if isinstance(node, ast.Call)]
        assert not any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls), path


@pytest.mark.gate
@pytest.mark.parametrize(("package", "users"), [("benchmarks", "tests/benchmarks/"), ("study", "study/")])
def test_what_measures_is_imported_by_itself_and_its_tests_alone(package: str, users: str) -> None:
    paths = [path for folder in (*PRODUCT, "benchmarks", "docs", "study", "tests") for path in files(folder)]
    naming = [path for path in paths if package.encode() in path.read_bytes() and package in packages_of(path)]
    found = {place(path) for path in naming}
    assert found == {user for user in found if user.startswith((users, f"{package}/"))}
    assert bool(found) == (ROOT / package).is_dir()


def test_few_files_lie_loose_and_folders_do_not_grow_crowded() -> None:
    assert [len(loose(package)) for package in ("runner", "gridjoust")] <= [MOST_LOOSE, MOST_LOOSE]
    crowded_still: dict[str, int] = {}  # may only fall
    assert crowded().keys() <= crowded_still.keys()
    assert all(count <= crowded_still[folder] for folder, count in crowded().items())


def test_imports_within_the_leaderboard_form_few_layers() -> None:
    assert layers("leaderboard", apart="leaderboard/report") <= 7
    assert (layers("leaderboard/report"), layers("leaderboard")) <= (7, 11)
    assert layers("leaderboard/report/charts") == 2


def test_a_run_does_not_reach_ever_more_files() -> None:
    """Nor do the packages that it needs in some cases alone: late imports count."""
    assert len(reached("gridjoust.commands.run")) <= 192


def test_an_action_does_not_open_ever_more_files_on_its_way_to_a_row() -> None:
    opened = opened_by_an_action()
    assert {"bots/harness.py", "runner/referee/turns.py", "runner/results/tables/writer.py"} <= opened
    assert len(opened) <= 30


def drawn_places() -> dict[str, str]:
    """Return what CONTRIBUTING draws: path -> what is said of it."""
    drawing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    above: list[str] = []
    places: dict[str, str] = {}
    for row in drawing.splitlines():
        indent, name, said = re.fullmatch(r"( *)(\S+) +(\S.*)", row).groups()  # type: ignore[union-attr]
        above[len(indent) // 2 :] = [name]
        places["".join(above)] = said
    return places


def test_contributing_draws_every_folder_and_loose_file_that_there_is() -> None:
    drawn = drawn_places()
    assert [path for path in drawn if not (ROOT / path).exists()] == []
    folders = {f"{place(path.parent)}/" for package in PRODUCT for path in files(package)}
    games = {folder for folder in folders if folder.startswith(("games/", "bots/"))}  # one folder a game: drawn as one
    loose_files = {f"{package}/{name}" for package in ("runner", "gridjoust") for name in loose(package)}
    assert "runner/wire/bus/" in folders
    assert folders - games - drawn.keys() == set()
    assert {path for path in loose_files if not path.endswith("/__init__.py")} <= drawn.keys()


ARCHITECTURE = (ROOT / "docs/explanation/architecture.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\d+\. `([\w/.]+)` ", re.MULTILINE)


def way(title: str) -> list[str]:
    """Return the places of the steps of a trace in the page on the architecture."""
    return STEP.findall(ARCHITECTURE.partition(f"## {title}\n")[2].partition("\n## ")[0])


def test_the_page_on_the_architecture_names_the_floors_from_top_to_bottom() -> None:
    floors = re.findall(r"^\| `(\w+)` \|", ARCHITECTURE, re.MULTILINE)
    assert sorted(floors) == sorted(PRODUCT)
    above = {floor: set(floors[:at]) for at, floor in enumerate(floors)}
    for floor in floors[1:]:  # gridjoust itself is the prefix of all
        allowed = {name.split(".")[1] for name in FLOORS[floor]}
        assert allowed.isdisjoint(above[floor])


def test_the_page_on_the_architecture_names_places_that_there_are() -> None:
    paths = re.findall(r"`((?:gridjoust|leaderboard|bots|runner|games)(?:/[\w.]+)+)`", ARCHITECTURE)
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_both_ways_on_the_page_go_through_the_rooms_of_the_drawing() -> None:
    action, tournament = way("The way of one action"), way("The way of one tournament")
    assert (len(action), len(tournament)) == (8, 8)
    drawn = {name.rstrip("/") for name in drawn_places()} | {"bots/harness.py"}
    assert {*action, *tournament} <= drawn
    run = {f"{name.removeprefix('gridjoust.')}." for name in reached("gridjoust.commands.run")}
    for step in {*action, *tournament} - {"gridjoust/commands"}:
        module = f"{step.removesuffix('.py').replace('/', '.')}."
        assert any(name.startswith(module) for name in run), step


FORBIDDEN = {"the", "a", "an", "of", "as", "by", "whether", "what", "who", "where", "how", "nobody", "nothing", "all"}
FORBIDDEN |= {"one", "two", "both", "each", "every", "so", "in", "for", "per", "never"}


def unclear(text: str, *, is_property: bool) -> bool:
    """Tell whether the first sentence of a function's docstring is too short, or opens with no verb."""
    words = text.split(". ", maxsplit=1)[0].split()
    return len(words) < (2 if is_property else 3) or (not is_property and words[0].lower() in FORBIDDEN)


@pytest.mark.gate
def test_a_docstring_says_in_three_words_or_more_what_a_function_does() -> None:
    assert unclear("The same.", is_property=False)
    assert unclear("What every match needs to be played.", is_property=False)
    assert unclear("One match of these bots.", is_property=False)
    assert unclear("Return it.", is_property=False)
    assert not unclear("Return the path of a file.", is_property=False)
    assert not unclear("The cells of the board.", is_property=True)
    assert [where for where, text, is_property in functions() if unclear(text, is_property=is_property)] == []


SENTENCES = {"reason", "detail", "sentence", "said", "excuse", "cause", "why", "note", "problem", "error"}
TAKEN_APART = {"startswith", "endswith", "partition", "rpartition", "split", "find", "index"}
SEARCHED = {"match", "fullmatch", "search", "finditer", "findall"}
MAY_READ = {  # a file -> the sentences that it may decide by
    "runner/results/records/reasons.py": "of old and new records, which keep no more",
    "runner/results/tables/schedule_file.py": "of old and new tables, which keep no more",
    "runner/play/link.py": "the mark of the harness in a log",
    "runner/config/check_entries.py": "errors of anybody's game, in the form that games promise",
    "runner/config/document.py": "of the YAML library",
    "runner/broker/child.py": "of a broker",
    "runner/processes/logs.py": "of interpreters",
    "gridjoust/conformance/checks/promises.py": "reasons of games, whose form it checks",
}


def named(node: ast.AST) -> str:
    """Return the last name of `reason`, `line.reason`, `problem.lower()` or `str(error)`."""
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[one]) | ast.Call(func=ast.Attribute(value=one), args=[]):
            return named(one)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def decides_by_words(node: ast.AST) -> bool:
    """Tell whether an expression looks into a sentence that is made for people."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=args):
            is_searched = method in SEARCHED and any(named(one) in SENTENCES for one in args)
            return is_searched or (method in TAKEN_APART and named(value) in SENTENCES)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], left=ast.Constant(value=str()), comparators=[right]):
            return named(right) in SENTENCES
        case _:
            return False


@pytest.mark.parametrize(
    "bad",
    [
        "line.reason.startswith('quarantined')",
        "'late' in record.end.reason",
        "str(error).partition(': ')",
        "PATTERN.match(row.reason)",
        "re.search('late', detail)",
        "'in use' not in problem.lower()",
    ],
)
def test_a_look_into_a_sentence_is_noticed(bad: str) -> None:
    assert any(map(decides_by_words, ast.walk(ast.parse(bad))))


def test_nothing_decides_by_the_words_of_a_sentence() -> None:
    packages = ("runner", "gridjoust", "leaderboard", "bots")
    paths = [path for package in packages for path in files(package)]
    assert {place(path) for path in paths if any(map(decides_by_words, nodes_of(path)))} == set(MAY_READ)
