"""The bots that `joust new-bot` copies, against every check that a bot can fail, in every game they are offered for."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

import pytest

from gridjoust import play
from gridjoust.conformance import bot_tests
from gridjoust.examples import any_game, bomber, eidolon, heroquest, navigation, placement, ricochet
from gridjoust.games import GAMES
from tests.tiers import without

EXAMPLES = [  # a program that trains is not a bot
    path for path in Path(str(files("gridjoust.examples"))).glob("*.py") if path.stem != "train_bomber"
]
PROGRAMS = Path(str(files("gridjoust.bots.examples")))

# bomber and navigation play them in the default run
LONG = ("fresh_interpreter_answers_the_same", "not_worse_than_random")
TestAnyGame = without(bot_tests(any_game.Example, game="placement", params={"max_game_rounds": 8}), *LONG)
TestBomber = bot_tests(bomber.Example, game="bomber", params={"max_ticks": 150})
TestEidolonKnown = without(bot_tests(eidolon.Example, game="eidolon", params={"max_game_rounds": 10}, seats=2), *LONG)
TestEidolonFull = pytest.mark.gate(bot_tests(eidolon.Example, game="eidolon", params={"preset": "sim5"}, seats=3))
TestHeroQuest = without(bot_tests(heroquest.Example, game="heroquest", params={"max_game_rounds": 8}, seats=3), *LONG)
TestNavigation = bot_tests(navigation.Example, game="navigation", params={"width": 16, "height": 16})
TestNavigationUnknown = without(
    bot_tests(
        navigation.Example, game="navigation", params={"width": 16, "height": 16, "knowledge": "unknown"}, seats=2
    ),
    *LONG,
)
TestPlacement = without(bot_tests(placement.Example, game="placement", params={"max_game_rounds": 20}), *LONG)
TestRicochet = without(bot_tests(ricochet.Example, game="ricochet", params={"max_rounds": 4}, seats=3), *LONG)
TestRicochetSolve = pytest.mark.gate(
    bot_tests(ricochet.Example, game="ricochet", params={"mode": "solve", "positions": 3}, seats=1)
)


def test_every_game_has_an_example() -> None:
    assert {path.stem for path in EXAMPLES} == {*GAMES, "__init__", "any_game"}


@pytest.mark.gate
def test_the_first_bot_that_init_copies_is_better_than_random() -> None:
    """With given ids, as no edit of a built-in bot then changes its chance."""
    params = {"max_ticks": 150}
    ends = [play("bomber", [bomber.Example, "random"], seed=n, params=params, match_id=f"{n:032x}") for n in range(10)]
    assert sum(end.points[0] or 0.0 for end in ends) > 5


@pytest.mark.parametrize("path", sorted([*EXAMPLES, *PROGRAMS.glob("*.py")]), ids=str)
def test_an_example_stands_alone(path: Path) -> None:
    """Copied anywhere it works: of ours it imports the public face alone, and a program nothing."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {module for module in modules if module.partition(".")[0] in ("bots", "games", "runner", "gridjoust")}
    assert ours == ({"gridjoust"} if path.stem in {*GAMES, "any_game"} else set())


def test_examples_load_nothing_heavy() -> None:
    """The process of a bot made from one starts as quickly as any."""
    load = "[load_bot_spec(f'{path}:Example') for path in sys.argv[1:]]"
    code = f"import sys; from gridjoust.bots import load_bot_spec; {load}; print(*sys.modules)"
    paths = [str(path) for path in EXAMPLES if path.stem != "__init__"]
    loaded = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True).stdout
    packages = {module.partition(".")[0] for module in loaded.split()}
    assert {"gridjoust", "msgspec"} <= packages
    assert not packages & {"numpy", "pandas", "scipy", "networkx", "typer", "leaderboard"}


def test_every_example_is_part_of_the_package() -> None:
    """Whoever installs Joust has them, not only who has a copy of the repository."""
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    data = settings["tool"]["setuptools"]["package-data"]
    patterns = [*data["*"], *data["gridjoust.bots.examples"], "*.py"]
    folders = [Path(str(files(name))) for name in ("gridjoust.examples", "gridjoust.bots.examples")]
    names = [path.name for folder in folders for path in folder.iterdir() if path.is_file()]
    assert [name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)] == []
