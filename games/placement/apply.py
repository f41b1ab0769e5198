"""One seat's turn: what a plan does to board and figure, and which plans there are to choose from. Keeps no score.

Parts are judged one after another, each on the board that the earlier ones leave: a piece just laid is Floor at once.
A piece may lie anywhere on Void that touches Floor, however far from the figure; a step leads to a Floor cell beside.
Several figures may stand in one cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.api import IllegalAction
from games.placement.board import Board, Mask, bits, closest, manhattan_rings, path_back, walk_layers
from games.placement.pieces import Orientation, Shape, box, fits, orientations, placed, turned
from games.placement.state import PASS, Part, Place, Plan, Walk


@dataclass(frozen=True, slots=True)
class Position:
    """All that a turn depends on: the board as it is, one figure, its pieces and its steps."""

    board: Board
    floor: Mask
    walls: Mask
    cell: int
    hand: tuple[Shape, ...]
    moves: int
    reflect: bool = False

    @property
    def void(self) -> Mask:
        """Cells that are neither Floor nor Wall."""
        return self.board.inside & ~self.floor & ~self.walls


@dataclass(frozen=True, slots=True)
class Played:
    """What a plan leads to. `visited` are the cells stood in, the first included; `laid` has a mask per piece."""

    floor: Mask
    cell: int
    visited: Mask
    laid: tuple[Mask, ...]


def play(position: Position, plan: Plan) -> Played:
    """The position after the plan; IllegalAction names the first part that does not go."""
    floor, cell, steps = position.floor, position.cell, 0
    visited, laid, used = 1 << cell, [], set[int]()
    for number, part in enumerate(plan.parts, start=1):
        if isinstance(part, Place):
            mask = _lay(position, floor, part, used, number)
            floor |= mask
            laid.append(mask)
            used.add(part.piece)
        else:
            steps += len(part.steps)
            if steps > position.moves:
                raise _fault(number, part, f"at most {position.moves} steps in a turn, got {steps}")
            for ahead in _follow(position.board, floor, cell, part, number):
                cell = ahead
                visited |= 1 << ahead
    return Played(floor, cell, visited, tuple(laid))


def _lay(position: Position, floor: Mask, part: Place, used: set[int], number: int) -> Mask:
    """The cells that the piece covers."""
    if part.piece >= len(position.hand):
        raise _fault(number, part, f"a piece below {len(position.hand)}, got {part.piece}")
    if part.piece in used:
        raise _fault(number, part, "a piece that is left, got one laid before")
    if part.mirrored and not position.reflect:
        raise _fault(number, part, "a piece that is not mirrored, got m")
    board = position.board
    shape = turned(position.hand[part.piece], part.quarters, mirrored=part.mirrored)
    columns, rows = box(shape)
    if part.corner.x + columns > board.width or part.corner.y + rows > board.height:
        raise _fault(number, part, f"a place on the board of {board.width} x {board.height}, got one beyond it")
    mask = placed(shape, board.stride, board.bit(part.corner))
    if mask & (floor | position.walls):
        raise _fault(number, part, "only Void below the piece, got other cells")
    if not board.spread(mask) & floor:
        raise _fault(number, part, "a piece that touches Floor, got none beside it")
    return mask


def _follow(board: Board, floor: Mask, cell: int, walk: Walk, number: int) -> Iterator[int]:
    for direction in walk.steps:
        ahead = board.cell(cell).step(direction)
        cell = board.bit(ahead)
        if not board.is_inside(ahead) or not floor >> cell & 1:
            raise _fault(number, walk, f"a step to Floor, got {direction} to {ahead.x},{ahead.y}")
        yield cell


def _fault(number: int, part: Part, detail: str) -> IllegalAction:
    return IllegalAction(f"part {number}, {str(part)[:40]!r}: expected {detail}")


def corners(position: Position, lying: Orientation) -> Mask:
    """Every top left corner at which the piece, as it lies, is legal now."""
    void = position.void
    beside = void & position.board.spread(position.floor)
    return fits(lying.shape, position.board.stride, void, beside)


def placements(position: Position, piece: int) -> list[Place]:
    """Every legal placement of one piece now, equal ones once; by orientation, then row by row."""
    return [
        place for lying in _ways(position, piece) for place in _places(position, piece, lying, corners(position, lying))
    ]


def _ways(position: Position, piece: int) -> tuple[Orientation, ...]:
    return orientations(position.hand[piece], reflect=position.reflect)


def _places(position: Position, piece: int, lying: Orientation, found: Mask) -> Iterator[Place]:
    cell = position.board.cell
    return (Place(piece, lying.quarters, lying.mirrored, cell(corner)) for corner in bits(found))


def sample_plans(position: Position, goals: Mask, *, each: int) -> list[Plan]:
    """Pass, a walk to every cell in reach, and some placements of each piece, each with the walk nearest to a goal.

    `each` bounds the placements of a piece; they are evenly spread over all its legal ones.
    """
    layers = walk_layers(position.board, position.floor, 1 << position.cell, position.moves)
    plans = [PASS]
    for layer in layers[1:]:
        plans += [Plan((Walk(path_back(position.board, layers, cell)),)) for cell in bits(layer)]
    for piece in range(len(position.hand)):
        plans += [_with_walk(position, place, goals) for place in _sample_places(position, piece, each)]
    return plans


def _sample_places(position: Position, piece: int, size: int) -> Iterator[Place]:
    """At most `size` of the piece's placements, evenly spread; only the orientations they are in are listed."""
    found = [(lying, corners(position, lying)) for lying in _ways(position, piece)]
    count = sum(mask.bit_count() for _, mask in found)
    wanted = {number * count // size for number in range(size)} if count > size else set(range(count))
    first = 0
    for lying, mask in found:
        here = {number - first for number in wanted if 0 <= number - first < mask.bit_count()}
        chosen = sum(1 << corner for number, corner in enumerate(bits(mask)) if number in here) if here else 0
        yield from _places(position, piece, lying, chosen)
        first += mask.bit_count()


def _with_walk(position: Position, place: Place, goals: Mask) -> Plan:
    played = play(position, Plan((place,)))
    layers = walk_layers(position.board, played.floor, 1 << position.cell, position.moves)
    _, _, ends = closest(manhattan_rings(position.board, goals), layers)
    walk = path_back(position.board, layers, next(bits(ends)))
    return Plan((place, Walk(walk)) if walk else (place,))
