"""Games by name: built in, installed by others, and the optional modules of their packages."""

from __future__ import annotations

import importlib.metadata
import re
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from gridjoust import games
from gridjoust.drawing.find import draw_state
from gridjoust.games.bomber import Bomber, terminal
from gridjoust.games.drawing import Drawing
from tests.joust_here import joust


def test_a_built_in_game_is_made_by_name_with_parameters_and_seats() -> None:
    game = games.make("bomber", {"width": 7}, seats=3)
    assert (type(game), game.params["width"], game.seats) == (Bomber, 7, 3)


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match=r"expected bomber, got 'bombr'"):
        games.make("bombr")


def test_a_name_like_no_other_is_refused_with_all_there_are() -> None:
    with pytest.raises(ValueError, match=r"expected one of bomber, eidolon, .*, ricochet, got 'xyzzy'"):
        games.load_game("xyzzy")


@pytest.mark.parametrize("name", ["race.py", "race:Race"])
def test_a_file_or_class_in_place_of_a_name_is_refused_with_the_page_on_adding_a_game(name: str) -> None:
    with pytest.raises(ValueError, match=f"expected a game's name, got '{name}': .* docs/how-to/add-a-game.md"):
        games.load_game(name)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package offers a game `blast`, and one under the name of a built-in game, and something that is none."""
    points = [
        EntryPoint(name, target, "joust.games")
        for name, target in (
            ("blast", "gridjoust.games.bomber.rules:Bomber"),
            ("ricochet", "gridjoust.games.bomber:Bomber"),
            ("none", "gridjoust.games.grid:Cell"),
        )
    ]
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [point for point in points if point.group == group]
    )


@pytest.mark.usefixtures("installed")
def test_an_installed_game_is_found_after_the_built_in_ones_which_keep_their_names() -> None:
    assert games.game_names() == [*games.GAMES, "blast", "none"]
    assert games.load_game("blast") is Bomber
    assert games.load_game("ricochet").__name__ == "Ricochet"


@pytest.mark.usefixtures("installed")
def test_what_is_no_game_is_refused_with_where_it_lives() -> None:
    with pytest.raises(
        ValueError, match=r"gridjoust.games.grid:Cell: expected a subclass of gridjoust.Game, got <class"
    ):
        games.load_game("none")


def test_an_installed_game_that_does_not_import_is_named_with_its_line_and_left_out_of_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_a_game.py").write_text("import random\n\nrandom.no_such_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint("half", "half_a_game:Half", "joust.games")]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points if group == "joust.games" else [])
    said = (
        "half: half_a_game:Half does not import: "
        "AttributeError: module 'random' has no attribute 'no_such_name' (half_a_game.py line 3)"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        games.load_game("half")
    done = joust("games", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, f"left out {said}\n")
    assert done.stdout.startswith("bomber (rules ")
    done = joust("games", "half", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"joust: games: {said}\n")
    cup = "tournament: cup\ngames: [{game: half}]\nbots: [{name: a, bot: random}, {name: b, bot: random}]\n"
    (tmp_path / "cup.yaml").write_text(cup)
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"joust: cup.yaml: games[0].game: {said} (line 2)\n")


@pytest.mark.usefixtures("installed")
def test_a_room_is_found_through_the_game_that_has_it() -> None:
    assert games.find_room("bomber", "terminal") is terminal
    found = [games.find_room(name, room) for name, room in (("bomber", "cellar"), ("blast", "terminal"), ("?", "view"))]
    assert found == [None, None, None]


class Drawn(Bomber):
    """A game that draws itself, in one file."""

    def draw(self, state: Any, past: list[Any], *, seat: int | None = None) -> Drawing:
        return Drawing(f"seat {seat}, {len(past)} before", 1, 1, ())


def test_the_method_draw_of_a_game_in_one_file_stands_for_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Drawn()
    assert draw_state(game, None, past=[1], seat=0).title == "seat 0, 1 before"
    monkeypatch.setitem(games.GAMES, "drawn", f"{__name__}:Drawn")
    room = games.find_room("drawn", "drawing")
    assert room.draw(game, None, [1, 2]).title == "seat None, 2 before"
    assert games.find_room("drawn", "terminal") is None
