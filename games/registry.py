"""Games by name: the built-in ones, a line each, and those that other packages install. Imports a game when asked."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gridjoust.games.api import AnyGame, ParamValue


class Catalogue(NamedTuple):
    """Classes by name: built-in ones, and those that other packages install as entry points of a group."""

    built_in: Mapping[str, str]  # name -> `module:Class`; text, so that a process pays only for what it plays
    group: str

    def names(self) -> list[str]:
        """Every name, built-in ones first."""
        return [*self.built_in, *(name for name in sorted(self._installed()) if name not in self.built_in)]

    def target(self, name: str) -> str | None:
        """Where the class lives, as `module:Class`; None if there is no such name."""
        return self.built_in.get(name) or self._installed().get(name)

    def load(self, name: str) -> tuple[str, object]:
        """Where the class should be and what is there, None if nothing; ValueError if there is no such name."""
        target = self.target(name)
        if target is None:
            import difflib  # noqa: PLC0415 - a bot that is found need not wait for it

            known = self.names()
            near = difflib.get_close_matches(name, known, n=1)
            raise ValueError(f"expected {near[0] if near else 'one of ' + ', '.join(known)}, got {name!r}")
        module, _, attribute = target.partition(":")
        return target, getattr(import_module(module), attribute, None)

    def _installed(self) -> dict[str, str]:
        from importlib.metadata import entry_points  # noqa: PLC0415 - takes a bot as long to import as its rules

        return {point.name: point.value for point in entry_points(group=self.group)}


GAMES: dict[str, str] = {
    "bomber": "gridjoust.games.bomber:Bomber",
    "eidolon": "gridjoust.games.eidolon:Eidolon",
    "heroquest": "gridjoust.games.heroquest:HeroQuest",
    "navigation": "gridjoust.games.navigation:Navigation",
    "placement": "gridjoust.games.placement:Placement",
    "ricochet": "gridjoust.games.ricochet:Ricochet",
}


def game_names() -> list[str]:
    """Every game that `make` knows, built-in ones first."""
    return _catalogue().names()


def _catalogue() -> Catalogue:
    return Catalogue(GAMES, "joust.games")


def load_game(name: str) -> type[AnyGame]:
    """The class of a built-in or installed game (entry points `joust.games`); ValueError if there is none."""
    from gridjoust.games.api import Game  # noqa: PLC0415 - a bot that knows no rules need not wait for it

    target, loaded = _catalogue().load(name)
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise ValueError(f"{target}: expected a subclass of gridjoust.Game, got {loaded!r}")
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
    target = _catalogue().target(name)
    if target is None:
        return None
    package = import_module(target.partition(":")[0])
    wanted = f"{package.__name__}.{room}"
    return import_module(wanted) if hasattr(package, "__path__") and find_spec(wanted) else None
