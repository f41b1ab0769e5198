"""Maps of bomber: generate, parse and format them.

A map text has one row a line, with these signs: `.` free, `#` metal, `s` soft, `o` ore, `a` ammo, `t` treasure, `0` to
`3` the start cell of that seat. The start cells of seats that do not play are free cells.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gridjoust.games.bomber.actions import MOVES
from gridjoust.games.bomber.board import Board
from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.state import METAL, ORE, SOFT
from gridjoust.games.grid import parse_rows

SIGNS = ".#soat"
START_SIGNS = "0123"
MAX_DRAWS = 100
RESERVED_PER_SEAT = 6  # the start, its four neighbours, one cell at distance 2
_Drawn = tuple[tuple[int, ...], list[tuple[int, ...]]]  # start cells by seat, and groups of cells that may hold things


@dataclass(frozen=True, slots=True)
class Layout:
    """A board before the first tick: start cells by seat, and the sorted cells of each kind of block or thing."""

    width: int
    height: int
    starts: tuple[int, ...]  # by seat
    metal: tuple[int, ...] = ()
    soft: tuple[int, ...] = ()
    ore: tuple[int, ...] = ()
    ammo: tuple[int, ...] = ()
    treasure: tuple[int, ...] = ()


def make_blocks(rules: Rules, *, metal: Iterable[int], soft: Iterable[int], ore: Iterable[int]) -> bytes:
    """Return a board with blocks in these cells, all with full HP."""
    blocks = bytearray(rules.width * rules.height)
    for cells, block in ((metal, METAL), (soft, SOFT + rules.soft_hp), (ore, ORE + rules.ore_hp)):
        for cell in cells:
            blocks[cell] = block
    return bytes(blocks)


def parse_map(text: str, *, seats: int) -> Layout:
    """Parse a map text; ValueError says what is wrong and where (rows and columns from 0)."""
    try:
        signs = parse_rows(*text.strip("\n").split("\n"))
    except ValueError as error:
        raise ValueError(f"map: {error}") from None
    for cell, sign in signs.items():
        if sign not in SIGNS + START_SIGNS:
            expected = " ".join(SIGNS + START_SIGNS)
            raise ValueError(f"map: row {cell.y}, column {cell.x}: expected one of {expected}, got {sign!r}")
    width, height = (max(axis) + 1 for axis in zip(*signs, strict=True))
    cells = {kind: tuple(y * width + x for (x, y), sign in signs.items() if sign == kind) for kind in "#soat0123"}
    starts = tuple(_only_start(cells[sign], int(sign)) for sign in START_SIGNS[:seats])
    return Layout(width, height, starts, *(cells[kind] for kind in SIGNS[1:]))


def _only_start(cells: tuple[int, ...], seat: int) -> int:
    if len(cells) != 1:
        raise ValueError(f"map: expected one start {seat}, got {len(cells) or 'none'}")
    return cells[0]


def check_generator(rules: Rules, *, seats: int) -> None:
    """Raise ValueError if a board of these parameters can be too small for all the things on it."""
    if rules.symmetric and seats == 3:
        raise ValueError("symmetric: expected 2 or 4 seats, got 3")
    share = seats if rules.symmetric else 1
    groups = (rules.width // 2) * (rules.height // 2) if share == 4 else rules.width * rules.height // share
    room = (groups - RESERVED_PER_SEAT * seats // share) * share
    wanted = sum(-(-count // share) * share for count in _counts(rules))
    if wanted > room:
        where = f"{rules.width} x {rules.height} cells with {seats} seats"
        raise ValueError(f"metal + soft + ore + free_ammo: expected at most {max(room, 0)} on {where}, got {wanted}")


def generate(rules: Rules, *, seats: int, rng: random.Random) -> Layout:
    """Place the players with room around them; then put blocks and ammo on random remaining cells.

    A map whose metal separates players is drawn again, up to `MAX_DRAWS` times. Only parameters that ask for almost
    nothing but metal can reach that number.
    """
    draw = _draw_symmetric if rules.symmetric else _draw
    for _ in range(MAX_DRAWS):
        starts, groups = draw(rules.board, seats, rng)
        layout = Layout(rules.width, rules.height, starts, *_deal(groups, _counts(rules), rng))
        if are_connected(rules.board, layout.starts, blocked=layout.metal):
            break
    return layout


def are_connected(board: Board, cells: tuple[int, ...], *, blocked: Iterable[int]) -> bool:
    """Return True if a path over cells that are not blocked leads from the first cell to all the others."""
    return {cell for cell, _ in board.flood(cells[0], set(blocked))}.issuperset(cells)


def _draw(board: Board, seats: int, rng: random.Random) -> _Drawn:
    cells = range(len(board.places))
    starts = tuple(rng.sample(cells, seats))
    reserved = {cell for start in starts for cell in _kept_free(board, start, rng)}
    return starts, [(cell,) for cell in cells if cell not in reserved]


def _draw_symmetric(board: Board, seats: int, rng: random.Random) -> _Drawn:
    """Draw start cells that are mirror images of each other, and the groups of mirrored cells left for blocks."""
    images = _images(board, seats)
    orbits = [images(cell) for cell in range(len(board.places))]
    whole = [orbit for orbit in orbits if len(set(orbit)) == seats]
    starts = rng.choice(whole)
    reserved = set(_kept_free(board, starts[0], rng))
    return starts, [orbit for orbit in whole if orbit[0] == min(orbit) and reserved.isdisjoint(orbit)]


def _images(board: Board, seats: int) -> Callable[[int], tuple[int, ...]]:
    """Return a function that gives the mirror images of a cell, one for each seat.

    With two seats, they are the cell itself and the cell after half a turn; with four, also both reflections.
    """

    def images(cell: int) -> tuple[int, ...]:
        x, y = board.places[cell]
        right, bottom = board.width - 1 - x, board.height - 1 - y
        if seats == 2:
            return cell, board.cell(right, bottom)
        return cell, board.cell(right, bottom), board.cell(right, y), board.cell(x, bottom)

    return images


def _kept_free(board: Board, start: int, rng: random.Random) -> list[int]:
    straight = [ray[1] for move in MOVES if len(ray := board.ray(start, move, 2)) == 2]
    return [start, *board.neighbours[start], *rng.sample(straight, min(1, len(straight)))]


def _counts(rules: Rules) -> tuple[int, ...]:
    return rules.metal, rules.soft, rules.ore, rules.free_ammo


def _deal(groups: list[tuple[int, ...]], counts: Iterable[int], rng: random.Random) -> list[tuple[int, ...]]:
    """Draw the cells for each count; there may be more, as whole groups are drawn.

    A group holds the mirror images of a cell on a symmetric map.
    """
    rng.shuffle(groups)
    dealt: list[tuple[int, ...]] = []
    for count in counts:
        size = len(groups[0]) if groups else 1
        taken, groups = groups[: -(-count // size)], groups[-(-count // size) :]
        dealt.append(tuple(sorted(cell for group in taken for cell in group)))
    return dealt
