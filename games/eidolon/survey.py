"""How many maps of each set cannot be solved, beside what was measured elsewhere. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt

from games.api import ParamValue
from games.eidolon.dungeon import Dungeon
from games.eidolon.maps import generate
from games.eidolon.tiles import DOORS, VESTIBULE

Z_95 = 1.959964  # of a two-sided 95 % interval


@dataclass(frozen=True, slots=True)
class MapSet:
    """Parameters, and the share of unsolvable maps that others measured for them (100 000 maps; None = nobody has)."""

    name: str
    params: Mapping[str, ParamValue]
    published: float | None


SETS: tuple[MapSet, ...] = (
    MapSet("seed28", {}, 0.0044),
    MapSet("seed28, Vestibule rule", {"vestibule_rule": True}, 0.0013),
    MapSet("published25", {"tile_set": "published25"}, 0.0125),
    MapSet("published25, Vestibule rule", {"tile_set": "published25", "vestibule_rule": True}, 0.0053),
    MapSet("seed28, one-door End", {"end_doors": 1}, 0.0134),
    MapSet("seed28, one-door End, Vestibule rule", {"end_doors": 1, "vestibule_rule": True}, 0.0058),
    MapSet("seed28, backtrack first", {"backtrack": "first"}, None),
    MapSet("seed28, backtrack latest", {"backtrack": "latest"}, None),
)


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total` maps."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The share."""
        return self.count / self.total

    def interval(self, z: float = Z_95) -> tuple[float, float]:
        """Wilson's interval: right for small shares too."""
        spread = z * z / self.total
        middle = (self.value + spread / 2) / (1 + spread)
        half = z * sqrt(self.value * (1 - self.value) / self.total + spread / (4 * self.total)) / (1 + spread)
        return middle - half, middle + half


def count_maps(params: Mapping[str, ParamValue], seeds: Iterable[int], is_counted: Callable[[Dungeon], bool]) -> Share:
    """How many of the maps of these seeds are counted."""
    counted = [is_counted(generate(seed, params)) for seed in seeds]
    return Share(sum(counted), len(counted))


def is_unsolvable(dungeon: Dungeon) -> bool:
    """For `count_maps`."""
    return not dungeon.is_solvable


def starts_closed(dungeon: Dungeon) -> bool:
    """Whether the first four tiles have one door each: exactly 1 in 4095 maps of seed28 with a four-door End."""
    return len(dungeon.placed) == 5 and all(DOORS[p.tile][0].bit_count() == 1 for p in dungeon.placed[1:])


def is_all_reachable(dungeon: Dungeon) -> bool:
    """Whether every placed tile can be walked to from the Vestibule."""
    return len(dungeon.reach(dungeon.where[VESTIBULE])) == len(dungeon.placed)


def survey(seeds: range) -> Iterator[tuple[MapSet, Share, Share]]:
    """For every set: unsolvable maps, and maps with a tile out of reach."""
    for map_set in SETS:
        maps = [generate(seed, map_set.params) for seed in seeds]
        total = len(maps)
        yield (
            map_set,
            Share(sum(not dungeon.is_solvable for dungeon in maps), total),
            Share(sum(not is_all_reachable(dungeon) for dungeon in maps), total),
        )
