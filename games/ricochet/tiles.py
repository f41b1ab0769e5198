"""The sixteen tile faces of the standard game, and the boards made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import permutations, product

from gridjoust.games.grid import Cell
from gridjoust.games.ricochet.ascii import parse_drawing
from gridjoust.games.ricochet.board import Board, Diagonal, Edge, Target, both_sides

TILE_SIZE = 8
BOARD_SIZE = 2 * TILE_SIZE
NUMBERS = "1234"
FACES = "ABCD"
PLAIN_FACES = "ABC"  # faces without diagonals

Arrangement = tuple[str, str, str, str]  # tile names clockwise from north-west, such as ("1A", "3B", "4A", "2A")


@cache
def load_tiles() -> dict[str, Board]:
    """Return each tile by name, as a small board that lies as the north-west quarter."""
    text = files("gridjoust.games.ricochet").joinpath("boards", "tiles.txt").read_text(encoding="utf-8")
    sections = text.split("\ntile ")[1:]
    return {section[:2]: parse_drawing(section[2:])[0] for section in sections}


def arrangements(faces: str = FACES) -> Iterator[Arrangement]:
    """Yield every combination of the four tiles, each with any of these faces; tile 1 stays north-west.

    So no board is another one turned.
    """
    for order in permutations(NUMBERS[1:]):
        for chosen in product(faces, repeat=4):
            yield tuple(number + face for number, face in zip(("1", *order), chosen, strict=True))  # type: ignore[misc]


def parse_arrangement(text: str) -> Arrangement:
    """Parse tile names such as `"1A 3B 4A 2A"`; ValueError unless each number from 1 to 4 comes once."""
    names = text.split()
    if sorted(name[:1] for name in names) != list(NUMBERS) or any(name[1:] not in tuple(FACES) for name in names):
        raise ValueError(f"tiles: expected one tile of each number such as 1A 3B 4A 2A, got {text!r}")
    return tuple(names)  # type: ignore[return-value]


def make_board(arrangement: Arrangement) -> Board:
    """Return the 16 x 16 board of four tiles, with 17 targets."""
    walls: set[Edge] = set()
    targets: list[Target] = []
    diagonals: list[tuple[Cell, Diagonal]] = []
    for quarters, name in enumerate(arrangement):
        own_walls, own_targets, own_diagonals = _turned_tile(name, quarters)
        walls |= own_walls
        targets += own_targets
        diagonals += own_diagonals
    middle = (TILE_SIZE - 1, TILE_SIZE)
    blocked = frozenset(Cell(x, y) for y in middle for x in middle)
    return Board(BOARD_SIZE, BOARD_SIZE, blocked, both_sides(walls), tuple(sorted(targets)), tuple(sorted(diagonals)))


@cache
def _turned_tile(
    name: str, quarters: int
) -> tuple[frozenset[Edge], tuple[Target, ...], tuple[tuple[Cell, Diagonal], ...]]:
    """Return walls, targets and diagonals of a tile after clockwise quarter turns."""
    tile = load_tiles()[name]
    # without the walls of the board's border, on the tile's north and west edge
    walls = [(cell, side) for cell, side in tile.walls if min(*cell, *cell.step(side)) >= 0]
    return (
        frozenset((_turn(cell, quarters), side.turned(quarters)) for cell, side in walls),
        tuple(replace(target, cell=_turn(target.cell, quarters)) for target in tile.targets),
        tuple(
            (_turn(cell, quarters), replace(diagonal, rising=diagonal.rising != bool(quarters % 2)))
            for cell, diagonal in tile.diagonals
        ),
    )


def _turn(cell: Cell, quarters: int) -> Cell:
    for _ in range(quarters):
        cell = Cell(BOARD_SIZE - 1 - cell.y, cell.x)
    return cell
