"""What a tournament's game entries play: one made game per entry and map, and who sits together. Reads no files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Literal

import msgspec

from gridjoust import games
from gridjoust.games.api import AnyGame
from gridjoust.runner.config.values import GameEntry, Tournament
from gridjoust.runner.seeds import SEED_RULE

MAP_PARAM = "map"  # a game that can load boards takes their text in this parameter; "" = generated
RANDOM_MAP = "random"


@dataclass(frozen=True, slots=True)
class Variant:
    """One entry of `games` on one of its maps."""

    entry: GameEntry
    map_name: str  # "" where the entry lists no maps
    game: AnyGame

    @property
    def name(self) -> str:
        """The variant's name in tables and standings."""
        return variant_name(self.entry)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Seats of each side: what one bot holds. Teams, or single seats where seating is mixed."""
        return sides_of(self.game, self.entry.seating)


class LoadedTournament(msgspec.Struct, frozen=True):
    """A checked tournament with what the loader has made of it."""

    config: Tournament
    source: Path  # the file; relative paths in it start at its folder
    variants: tuple[Variant, ...]  # every entry of `games` on every map, in the file's order
    broken: Mapping[str, str] = MappingProxyType({})  # bot -> why it cannot start: it forfeits its matches
    is_strict: bool = False  # nobody may be broken
    is_built: bool = False  # what has to be compiled is
    seed_rule: int = SEED_RULE  # that of the results folder, if the run goes on in one

    @property
    def folder(self) -> Path:
        """Where the relative paths of the file start."""
        return self.source.absolute().parent


def with_variants(config: Tournament, *, source: Path, maps: Mapping[str, str]) -> LoadedTournament:
    """A tournament that has not been read from a file, with its variants; nobody may be broken."""
    made = (variant for entry in config.games for variant in make_variants(entry, maps))
    return LoadedTournament(config, source, tuple(made), is_strict=True)


def make_variants(entry: GameEntry, maps: Mapping[str, str]) -> Iterator[Variant]:
    """The entry on each of its maps; `maps`: as written in the file -> text. ValueError where the game refuses one."""
    for written in entry.maps or ("",):
        params = {**entry.params, MAP_PARAM: maps[written]} if written else entry.params
        yield Variant(entry, map_name(written), games.make(entry.game, params, seats=entry.seats))


def variant_name(entry: GameEntry) -> str:
    """The entry's own name, else its game's."""
    return entry.game if entry.name is None else entry.name


def map_name(written: str) -> str:
    """`boards/a.txt` -> `a`: the same wherever the file lies, so that seeds and ids do not depend on folders."""
    return PurePath(written).stem


def sides_of(game: AnyGame, seating: Literal["team", "mixed"]) -> tuple[tuple[int, ...], ...]:
    """Seats of each side, by team number or, mixed, by seat."""
    if seating == "mixed":
        return tuple((seat,) for seat in range(game.seats))
    return tuple(
        tuple(seat for seat, team in enumerate(game.teams) if team == side) for side in sorted(set(game.teams))
    )
