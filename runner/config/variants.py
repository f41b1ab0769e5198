"""Makes a tournament's variants: one game per entry and map, and the seats that one bot holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Literal

import msgspec

from gridjoust import games
from gridjoust.games.api import AnyGame
from gridjoust.runner.config.values import BotEntry, GameEntry, Tournament
from gridjoust.runner.seeds import SEED_RULE

MAP_PARAM = "map"  # a game that can load boards takes their text in this parameter; "" = generated
RANDOM_MAP = "random"


@dataclass(frozen=True, slots=True)
class Variant:
    """One entry of a tournament file's `games` on one of its maps: the game with its parameters, maps and seating."""

    entry: GameEntry
    map_name: str  # "" if the entry lists no maps
    game: AnyGame

    @property
    def name(self) -> str:
        """The variant's name in tables and standings."""
        return variant_name(self.entry)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that each bot of a match holds: those of a team, or a single seat if `seating` is `mixed`."""
        return sides_of(self.game, self.entry.seating)


class LoadedTournament(msgspec.Struct, frozen=True):
    """A checked tournament with its variants and the bots that cannot start."""

    config: Tournament
    source: Path  # the file; relative paths in it start at its folder
    variants: tuple[Variant, ...]  # every entry of `games` on every map, in the file's order
    broken: Mapping[str, str] = MappingProxyType({})  # bot -> why it cannot start; it forfeits its matches
    excluded: tuple[BotEntry, ...] = ()  # bots that do not play; `config.exclude` has the reasons
    notes: tuple[str, ...] = ()  # about the file, for the user
    is_strict: bool = False  # True: no bot may be broken
    is_built: bool = False  # True: all `build` commands have run
    seed_rule: int = SEED_RULE  # the rule of the results folder, if the run is resumed

    @property
    def folder(self) -> Path:
        """The folder in which the relative paths of the file start."""
        return self.source.absolute().parent


def with_variants(config: Tournament, *, source: Path, maps: Mapping[str, str]) -> LoadedTournament:
    """Return the tournament with its variants without reading a file; every bot must be able to start."""
    made = (variant for entry in config.games for variant in make_variants(entry, maps))
    return LoadedTournament(config, source, tuple(made), is_strict=True)


def make_variants(entry: GameEntry, maps: Mapping[str, str]) -> Iterator[Variant]:
    """Yield a variant of this entry of `games` for each of its maps; ValueError if the game refuses a map.

    `maps`: name of a map in the file -> its text.
    """
    for written in entry.maps or ("",):
        params = {**entry.params, MAP_PARAM: maps[written]} if written else entry.params
        yield Variant(entry, map_name(written), games.make(entry.game, params, seats=entry.seats))


def variant_name(entry: GameEntry) -> str:
    """Return the name of an entry of `games`, or its game's name if the entry has none."""
    return entry.game if entry.name is None else entry.name


def map_name(written: str) -> str:
    """Return `a` for `boards/a.txt`: without folders, so that seeds and ids do not depend on the file's place."""
    return PurePath(written).stem


def sides_of(game: AnyGame, seating: Literal["team", "mixed"]) -> tuple[tuple[int, ...], ...]:
    """Return the seats that each bot of a match holds, sorted by team number; one seat each if seating is mixed."""
    if seating == "mixed":
        return tuple((seat,) for seat in range(game.seats))
    return tuple(
        tuple(seat for seat, team in enumerate(game.teams) if team == side) for side in sorted(set(game.teams))
    )
