"""The tiles of eidolon: names, colours, doors in every rotation, and the two sets to draw from.

Tiles are numbers (indexes of `TILES`), and sets of tiles are integers with one bit per tile. Doors are four bits: bit i
is a door in `DIRECTIONS[i]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from gridjoust.games.bitset import mask_of
from gridjoust.games.grid import DIRECTIONS, Direction

TileSet = int  # one bit per tile
Doors = int  # one bit per direction

PRINTED = "URDL"  # the directions as printed on the tiles, in the order of DIRECTIONS


class Colour(IntEnum):
    """Colour of chambers, tokens and seals; the value is its index in a count of tokens."""

    RED = 0
    GREEN = 1
    BLUE = 2

    @property
    def sign(self) -> str:
        """The letter of the colour: `r`, `g` or `b`."""
        return "rgb"[self]


COLOURS: tuple[Colour, ...] = tuple(Colour)
_RED, _GREEN, _BLUE = COLOURS


class Kind(Enum):
    """The purpose of a tile."""

    START = "start"
    CHAMBER = "chamber"
    SEAL = "seal"
    FIRE = "fire"
    PASSAGE = "passage"
    END = "end"


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile in its printed orientation."""

    name: str
    kind: Kind
    colour: Colour | None  # set for chambers and seals
    printed: str  # its doors, letters of PRINTED


TILES: tuple[Tile, ...] = (
    Tile("vestibule", Kind.START, None, "URDL"),
    Tile("voracious_plant", Kind.CHAMBER, _RED, "URDL"),
    Tile("minotaur", Kind.CHAMBER, _RED, "URDL"),
    Tile("dragonling", Kind.CHAMBER, _RED, "UDL"),
    Tile("fel_knight", Kind.CHAMBER, _RED, "URD"),
    Tile("skeletal_guards", Kind.CHAMBER, _RED, "UD"),
    Tile("ogre_brute", Kind.CHAMBER, _RED, "DL"),
    Tile("dark_slime", Kind.CHAMBER, _RED, "RD"),
    Tile("floating_stones", Kind.CHAMBER, _GREEN, "URDL"),
    Tile("spiked_pit", Kind.CHAMBER, _GREEN, "URD"),
    Tile("den_of_snakes", Kind.CHAMBER, _GREEN, "URD"),
    Tile("arrow_trap", Kind.CHAMBER, _GREEN, "RDL"),
    Tile("pendulum_blades", Kind.CHAMBER, _GREEN, "UD"),
    Tile("acid_jets", Kind.CHAMBER, _GREEN, "UD"),
    Tile("lava_lake", Kind.CHAMBER, _GREEN, "DL"),
    Tile("laughing_shadow", Kind.CHAMBER, _BLUE, "URDL"),
    Tile("psychomancer", Kind.CHAMBER, _BLUE, "URDL"),
    Tile("paradox_puzzle", Kind.CHAMBER, _BLUE, "UDL"),
    Tile("mindeater", Kind.CHAMBER, _BLUE, "RDL"),
    Tile("sphynxs_riddle", Kind.CHAMBER, _BLUE, "UD"),
    Tile("hall_of_illusion", Kind.CHAMBER, _BLUE, "RD"),
    Tile("mimic_chest", Kind.CHAMBER, _BLUE, "D"),
    Tile("voraxs_heart", Kind.SEAL, _RED, "D"),
    Tile("voraxs_focus", Kind.SEAL, _GREEN, "D"),
    Tile("voraxs_knowledge", Kind.SEAL, _BLUE, "D"),
    Tile("fire_of_eidolon", Kind.FIRE, None, "D"),
    Tile("secret_passage_x", Kind.PASSAGE, None, "URDL"),
    Tile("secret_passage_y", Kind.PASSAGE, None, "URDL"),
    Tile("end", Kind.END, None, "URDL"),
    Tile("narrow_end", Kind.END, None, "D"),
)

NUMBERS: dict[str, int] = {tile.name: number for number, tile in enumerate(TILES)}
VESTIBULE = NUMBERS["vestibule"]
FIRE = NUMBERS["fire_of_eidolon"]
PASSAGES = (NUMBERS["secret_passage_x"], NUMBERS["secret_passage_y"])
SEALS: tuple[int, ...] = tuple(NUMBERS[name] for name in ("voraxs_heart", "voraxs_focus", "voraxs_knowledge"))
ENDS: tuple[int, ...] = tuple(number for number, tile in enumerate(TILES) if tile.kind is Kind.END)
TOKENS_NEEDED = 6  # tokens of one colour that break its seal


CHAMBERS: TileSet = mask_of([number for number, tile in enumerate(TILES) if tile.kind is Kind.CHAMBER])
OF_COLOUR: tuple[TileSet, ...] = tuple(
    CHAMBERS & mask_of([number for number, tile in enumerate(TILES) if tile.colour is colour]) for colour in COLOURS
)
HEAVY: TileSet = mask_of([*SEALS, FIRE])  # tiles that the Vestibule rule keeps away from the Vestibule


DOORS: tuple[tuple[Doors, ...], ...] = tuple(
    tuple(mask_of((PRINTED.index(door) + quarters) % 4 for door in tile.printed) for quarters in range(4))
    for tile in TILES
)
"""[tile][clockwise quarter turns] -> its doors."""

BIT: dict[Direction, int] = {direction: 1 << index for index, direction in enumerate(DIRECTIONS)}


def has_door(tile: int, quarters: int, direction: Direction) -> bool:
    """Return True if the tile, turned by `quarters`, has a door in that direction."""
    return bool(DOORS[tile][quarters] & BIT[direction])


def turned_to(tile: int, direction: Direction, *, first: int = 0) -> int:
    """Return the quarter turns, clockwise from `first`, of the first rotation with a door in that direction."""
    doors, door = DOORS[tile], BIT[direction]
    return next(turn % 4 for turn in range(first, first + 4) if doors[turn % 4] & door)


def draw_pile(tile_set: str, *, end_doors: int) -> TileSet:
    """Return the tiles to draw, as a bit set: 28 with the passages and an End with `end_doors` doors.

    The tile set `published25` has 25 tiles, without passages and End.
    """
    pile = CHAMBERS | HEAVY
    if tile_set == "published25":
        return pile
    end = ENDS[0] if end_doors == 4 else ENDS[1]
    return pile | mask_of([*PASSAGES, end])
