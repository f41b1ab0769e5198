"""Pure rules, one package a game, without runner and bots; here they are found by name and imported when asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gridjoust.games.api import AnyGame, ParamValue


MOST_SHOWN = 8  # names in an error
DRAWING = "drawing"  # module of a game with `draw(game, state, past, *, seat)`


class Catalogue(NamedTuple):
    """Classes by name: built-in ones, and those that other packages install as entry points of one group."""

    built_in: Mapping[str, str]  # name -> `module:Class`; a text, so that a process imports only the games it plays
    group: str

    def names(self) -> list[str]:
        """Return every name, built-in ones first."""
        return [*self.built_in, *(name for name in sorted(self._installed()) if name not in self.built_in)]

    def target(self, name: str) -> str | None:
        """Return where the class of this name is, as `module:Class`, or None if the name is unknown."""
        return self.built_in.get(name) or self._installed().get(name)

    def load(self, name: str) -> tuple[str, object]:
        """Import by name; return `module:Class` and the object there, None if missing.

        ValueError for an unknown name, or for an installed module that does not import.
        """
        target = self.target(name)
        if target is None:
            import difflib  # noqa: PLC0415 - a bot with a correct name need not wait for this import

            known = self.names()
            near = difflib.get_close_matches(name, known, n=1)
            some = ", ".join(known[:MOST_SHOWN]) + (
                f", … (`{self.group.replace('.', ' ')}` lists them)" if known[MOST_SHOWN:] else ""
            )
            raise ValueError(f"expected {near[0] if near else f'one of {some}'}, got {name!r}")
        module, _, attribute = target.partition(":")
        try:
            return target, getattr(import_module(module), attribute, None)
        except Exception as error:
            if name in self.built_in:
                raise
            raise ValueError(f"{name}: {target} does not import: {_import_failure(error)}") from error

    def _installed(self) -> dict[str, str]:
        from importlib.metadata import entry_points  # noqa: PLC0415 - this import takes a bot as long as all its rules

        return {point.name: point.value for point in entry_points(group=self.group)}


def _import_failure(error: Exception) -> str:
    """Describe why a module does not import, with the line of its own code."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"SyntaxError: {error.msg} ({Path(error.filename).name} line {error.lineno})"
    from traceback import extract_tb  # noqa: PLC0415 - needed only after a failure

    ours = (str(Path(__file__).parents[1]), "<")
    own = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(ours)]
    place = f" ({Path(own[-1].filename).name} line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"


GAMES: dict[str, str] = {
    "bomber": "gridjoust.games.bomber:Bomber",
    "eidolon": "gridjoust.games.eidolon:Eidolon",
    "heroquest": "gridjoust.games.heroquest:HeroQuest",
    "navigation": "gridjoust.games.navigation:Navigation",
    "placement": "gridjoust.games.placement:Placement",
    "ricochet": "gridjoust.games.ricochet:Ricochet",
}


def game_names() -> list[str]:
    """Return every name that `make` accepts, built-in ones first."""
    return _catalogue().names()


def _catalogue() -> Catalogue:
    return Catalogue(GAMES, "joust.games")


def load_game(name: str) -> type[AnyGame]:
    """Return the class of a built-in or installed game (entry points `joust.games`); ValueError if there is none."""
    from gridjoust.games.api import Game  # noqa: PLC0415 - a bot without rules need not wait for this import

    if ":" in name or name.endswith(".py"):
        installed = "a game has a name once its package is installed; see docs/how-to/add-a-game.md"
        raise ValueError(f"expected a game's name, got {name!r}: {installed}")
    target, loaded = _catalogue().load(name)
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        raise ValueError(f"{target}: expected a subclass of gridjoust.Game, got {loaded!r}")
    return complete_game(loaded)


@cache
def complete_game(game_class: type[AnyGame]) -> type[AnyGame]:
    """Return a game's class; ValueError if its spec or a method is missing, or if a method has other arguments."""
    from gridjoust.games.api import Game, GameSpec  # noqa: PLC0415 - as above

    if not isinstance(getattr(game_class, "spec", None), GameSpec):
        raise ValueError(f"{_place(game_class)}: class {game_class.__name__} has no `spec = joust.GameSpec(...)`")
    wanted = {name: list(inspect.signature(part).parameters) for name, part in vars(Game).items() if _is_method(part)}
    for name, arguments in wanted.items():
        method, expected = inspect.getattr_static(game_class, name), f"def {name}({', '.join(arguments)})"
        if name in game_class.__abstractmethods__:
            raise ValueError(f"{_place(game_class)}: class {game_class.__name__} has no method `{expected}`")
        if _is_method(method) and not _takes(method, arguments):
            got = f"def {name}({', '.join(inspect.signature(method).parameters)})"
            raise ValueError(f"{_place(method)}: expected `{expected}`, got `{got}`")
    return game_class


def _is_method(part: object) -> bool:
    return inspect.isfunction(part) and not part.__name__.startswith("_")


def _takes(method: Callable[..., object], arguments: Sequence[str]) -> bool:
    try:
        inspect.signature(method).bind(*arguments)
    except TypeError:
        return False
    return True


def _place(written: type | Callable[..., object]) -> str:
    """Return file and line of a class or a method, or the module of one that was made without a file."""
    try:
        return f"{Path(inspect.getfile(written)).name} line {inspect.getsourcelines(written)[1]}"
    except (OSError, TypeError):
        return written.__module__


def make(name: str, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> AnyGame:
    """Make a game by name with its parameters; ValueError says which name, parameter or seat count is wrong."""
    return load_game(name)(params, seats=seats)


def find_room(name: str, room: str) -> Any:
    """Import an optional module of a game's package, such as `terminal`; None if the game or the module is missing.

    The method `draw` of a game's class stands for its module `drawing`.

    >>> find_room("bomber", "terminal").KEYS
    'w a s d move, b bomb, Enter or . wait'
    >>> find_room("bomber", "cellar")
    """
    target = _catalogue().target(name)
    if target is None:
        return None
    module, _, class_name = target.partition(":")
    package = import_module(module)
    wanted = f"{package.__name__}.{room}"
    if hasattr(package, "__path__") and find_spec(wanted):
        return import_module(wanted)
    has_method = room == DRAWING and hasattr(getattr(package, class_name, None), "draw")
    return SimpleNamespace(draw=draw_by_method) if has_method else None


def draw_by_method(game: Any, state: Any, past: list[Any], *, seat: int | None = None) -> Any:
    """Return the drawing that the game's own method `draw` makes."""
    return game.draw(state, past, seat=seat)
