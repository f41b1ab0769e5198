"""The class under test in several variants; another Python process can find it by name."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypedDict, TypeVar

import msgspec

from gridjoust import games
from gridjoust.bots import SourceLoader
from gridjoust.conformance.matches import Moment, PlayedMatch, Style, play_match
from gridjoust.games.api import AnyGame, Game, ParamValue

SEEDS = (7_391_046_825_113, 2_604_117_395_802)  # long, so that a view cannot contain one by accident
POOL_LIMIT = 300  # actions that are tried in states where they are not listed
SAMPLE_SIZE = 24  # moments of one match for costly checks

T = TypeVar("T")
Params = Mapping[str, ParamValue]
ParamSet = tuple[tuple[str, ParamValue], ...]  # the same, hashable and in order


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation: its check, its variant, and what was expected and found."""

    check: str
    variant: str
    detail: str

    def __str__(self) -> str:
        return f"{self.check} [{self.variant}]: {self.detail}"


@dataclass(frozen=True, slots=True)
class Variant:
    """Parameters that differ from the defaults, and a number of seats; `told`: the parameters to name in its label."""

    params: ParamSet
    seats: int
    told: ParamSet = ()

    @property
    def label(self) -> str:
        """Short name: `2 seats, size=5`."""
        named = [f"{name}={' '.join(str(value).split())[:20]}" for name, value in self.told]
        return ", ".join([f"{self.seats} seats", *named])

    def make(self, game_class: type[AnyGame]) -> AnyGame:
        """Make the game in this variant."""
        return game_class(dict(self.params), seats=self.seats)


class Target(msgspec.Struct, frozen=True):
    """The address of a class for another Python process: its module and name, or its file."""

    module: str
    name: str
    file: str = ""


@dataclass(frozen=True)
class Case:
    """One variant of a game under test; its matches are played on first use."""

    game_class: type[AnyGame]
    variant: Variant
    seeds: tuple[int, ...]

    @cached_property
    def game(self) -> AnyGame:
        """The game with the parameters and seats of this variant."""
        return self.variant.make(self.game_class)

    @cached_property
    def matches(self) -> tuple[PlayedMatch, ...]:
        """One match of random legal actions per seed, and one without answers."""
        played = [play_match(self.game, seed, Style.RANDOM) for seed in self.seeds]
        return (*played, play_match(self.game, self.seeds[0], Style.SILENT))

    @cached_property
    def pool(self) -> tuple[Any, ...]:
        """Distinct actions that were legal at some time, in order of appearance, about `POOL_LIMIT` at most."""
        met: dict[str, Any] = {}
        for moment in self.sample():
            for seat in range(self.game.seats):
                for action in self.game.legal_actions(moment.state, seat)[:40]:
                    met.setdefault(str(action), action)
            if len(met) >= POOL_LIMIT:
                break
        return tuple(met.values())

    def sample(self, size: int = SAMPLE_SIZE) -> Iterator[Moment]:
        """Yield states spread over every match, including the first and the last."""
        for played in self.matches:
            yield from spread(played.moments, size)


class GameOptions(TypedDict, total=False):
    """The options of `check_game`."""

    params: Sequence[Params]
    seats: Sequence[int]
    seeds: Sequence[int]
    golden: Path | str | None


class Subject:
    """A game class under test, with its variants and the path of its golden record."""

    def __init__(
        self,
        game: type[AnyGame] | str,
        *,
        params: Sequence[Params] = (),
        seats: Sequence[int] = (),
        seeds: Sequence[int] = SEEDS,
        golden: Path | str | None = None,
    ) -> None:
        self.game_class = load_game_class(game)
        self.seeds = tuple(seeds)
        spec = self.game_class.spec
        self.golden = Path(golden or f"tests/golden/{spec.name}.jsonl")
        self.param_sets = tuple(dict.fromkeys([(), *(tuple(sorted(chosen.items())) for chosen in params)]))
        self.seat_counts = tuple(sorted(set(seats or (spec.min_seats, spec.max_seats))))

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Every parameter set with every seat count, except those that the game refuses with a ValueError."""
        variants = [
            Variant(params, seats, told)
            for params, told in zip(self.param_sets, _telling(self.param_sets), strict=True)
            for seats in self.seat_counts
        ]
        return tuple(Case(self.game_class, v, self.seeds) for v in variants if self.refusal(v) is None)

    def refusal(self, variant: Variant) -> str | None:
        """Return why the game refuses the variant, None if it does not."""
        try:
            variant.make(self.game_class).initial_state(self.seeds[0])
        except ValueError as error:
            return str(error)
        except Exception:  # no refusal: the checks report it
            return None
        return None


def _telling(param_sets: Sequence[ParamSet]) -> list[ParamSet]:
    """Return, for each parameter set, the values that not all sets have in common; the whole set if there are none.

    An empty set, the defaults, is left out of the comparison.
    """
    given = [set(params) for params in param_sets if params]
    shared = set.intersection(*given) if given else set()
    return [tuple(pair for pair in params if pair not in shared) or params for params in param_sets]


def spread(moments: Sequence[T], size: int) -> list[T]:
    """Return at most `size` of the moments, evenly spaced, including the first and the last."""
    if len(moments) <= size:
        return list(moments)
    last = len(moments) - 1
    return [moments[round(index * last / (size - 1))] for index in range(size)]


def load_game_class(game: type[AnyGame] | str) -> type[AnyGame]:
    """Load a game class by name, `module:Class` or `file.py:Class`, or return a given class; ValueError if none."""
    loaded = (load_class(game) if ":" in game else games.load_game(game)) if isinstance(game, str) else game
    if not issubclass(loaded, Game):
        raise ValueError(f"expected a subclass of gridjoust.Game, got {loaded.__name__}")
    return games.complete_game(loaded)


def load_class(text: str) -> type[Any]:
    """Load the class that `module:Class` or `file.py:Class` names; ValueError if there is none."""
    place, colon, name = text.rpartition(":")
    if not colon:
        raise ValueError(f"expected module:Class or file.py:Class, got {text!r}")
    return find_class(_file_target(place, name) if place.endswith(".py") else Target(place, name))


def target_of(loaded: type[Any]) -> Target:
    """Return the address of a class for another Python process; ValueError for a class inside a function."""
    if "<locals>" in loaded.__qualname__:
        raise ValueError(f"expected a class at the top level of a module, got {loaded.__qualname__}")
    module = sys.modules.get(loaded.__module__)
    return Target(loaded.__module__, loaded.__qualname__, getattr(module, "__file__", None) or "")


def find_class(target: Target) -> type[Any]:
    """Load the class of a target; ValueError names what is missing."""
    found: Any = _load_module(target)
    for part in target.name.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type):
        raise ValueError(f"{target.file or target.module}: expected a class {target.name}, got {found!r}")
    return found


def _file_target(file: str, name: str) -> Target:
    """Return the target of a class in a file; the prefix avoids replacing an installed module of the same name."""
    return Target(f"joust_user_{Path(file).stem}", name, str(Path(file).resolve()))


def _load_module(target: Target) -> ModuleType:
    """Import the module by name if that gives the target's file (or it has none), else load the file."""
    try:
        module = importlib.import_module(target.module)
    except ImportError:
        if not target.file:
            raise ValueError(f"expected a module that can be imported, got {target.module}") from None
        return _load_file(target.module, target.file)
    found = getattr(module, "__file__", None) or ""
    if not target.file or Path(found).resolve() == Path(target.file).resolve():
        return module
    return _load_file(_file_target(target.file, target.name).module, target.file)


def _load_file(name: str, file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file, loader=SourceLoader(name, file))
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise ValueError(f"{file}: expected a Python file")
    folder = str(Path(file).resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that modules beside the file do not hide installed ones
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs, as dataclasses look up their module by name
    spec.loader.exec_module(module)
    return module
