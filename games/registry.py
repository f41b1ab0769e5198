"""Games by name: the built-in ones, a line each, and those that other packages install. Imports a game when asked."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType

from games.api import AnyGame, Game, ParamValue

GAMES: dict[str, str] = {
    "bomber": "games.bomber:Bomber",
    "eidolon": "games.eidolon:Eidolon",
    "heroquest": "games.heroquest:HeroQuest",
    "navigation": "games.navigation:Navigation",
    "placement": "games.placement:Placement",
    "ricochet": "games.ricochet:Ricochet",
}
"""Name -> where the class lives. Text, so that a bot pays only for the game it plays."""


def load_game(name: str) -> type[AnyGame]:
    """The class of a built-in or installed game (entry points `joust.games`); ValueError if there is none."""
    target = _target(name)
    if target is None:
        known = game_names()
        near = difflib.get_close_matches(name, known, n=1)
        raise ValueError(f"expected {near[0] if near else 'one of ' + ', '.join(known)}, got {name!r}")
    module, _, attribute = target.partition(":")
    loaded = getattr(import_module(module), attribute)
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise ValueError(f"{target}: expected a subclass of games.api.Game, got {loaded!r}")
    return loaded


def make(name: str, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> AnyGame:
    """A game by name with its parameters; ValueError names the bad name, parameter or seat count."""
    return load_game(name)(params, seats=seats)


def find_room(name: str, room: str) -> ModuleType | None:
    """An optional module of a game's package, such as `terminal`; None where the game is unknown or has none.

    >>> find_room("bomber", "terminal").KEYS
    'w a s d move, b bomb, Enter or . wait'
    >>> find_room("bomber", "cellar")
    """
    target = _target(name)
    if target is None:
        return None
    package = import_module(target.partition(":")[0])
    wanted = f"{package.__name__}.{room}"
    return import_module(wanted) if hasattr(package, "__path__") and find_spec(wanted) else None


def game_names() -> list[str]:
    """Every game that `make` knows, built-in ones first."""
    return [*GAMES, *(name for name in sorted(_plug_ins()) if name not in GAMES)]


def _target(name: str) -> str | None:
    return GAMES.get(name) or _plug_ins().get(name)


def _plug_ins() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group="joust.games")}
