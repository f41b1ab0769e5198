"""What a tournament's game entries play: one made game per entry and map, and who sits together. Reads no files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

import games
from games.api import AnyGame, ParamValue
from runner.config.values import GameEntry, LoadedTournament

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


def make_variants(loaded: LoadedTournament) -> list[Variant]:
    """Every entry on every map, in the file's order."""
    return [
        Variant(
            entry, map_name(written), games.make(entry.game, params_on(entry, written, loaded.maps), seats=entry.seats)
        )
        for entry in loaded.config.games
        for written in entry.maps or ("",)
    ]


def variant_name(entry: GameEntry) -> str:
    """The entry's own name, else its game's."""
    return entry.game if entry.name is None else entry.name


def map_name(written: str) -> str:
    """`boards/a.txt` -> `a`: the same wherever the file lies, so that seeds and ids do not depend on folders."""
    return PurePath(written).stem


def params_on(entry: GameEntry, written: str, maps: Mapping[str, str]) -> Mapping[str, ParamValue]:
    """The entry's parameters with the map's text; `written` as in `maps`, "" = the entry lists none."""
    return {**entry.params, MAP_PARAM: maps[written]} if written else entry.params


def sides_of(game: AnyGame, seating: Literal["team", "mixed"]) -> tuple[tuple[int, ...], ...]:
    """Seats of each side, by team number or, mixed, by seat."""
    if seating == "mixed":
        return tuple((seat,) for seat in range(game.seats))
    return tuple(
        tuple(seat for seat, team in enumerate(game.teams) if team == side) for side in sorted(set(game.teams))
    )
