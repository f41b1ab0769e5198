"""List what a seat can choose: all placements of a piece, and a sample of the plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridjoust.games.bitset import members
from gridjoust.games.placement.actions import PASS, Place, Plan, Walk
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Mask, Path, closest, manhattan_rings, path_back, paths_through, walk_layers
from gridjoust.games.placement.pieces import Orientation, fits, orientations, shape_mask

SAMPLE_EACH = 8  # placements of each piece in a sample
BARRIERS_EACH = 2  # at most so many placements of each piece again as barriers

Corners = list[tuple[Orientation, list[int]]]


def placements(position: Position, piece: int) -> list[Place]:
    """Return every legal placement of one piece of the hand once, by orientation, then row by row."""
    return [_place(position, piece, lying, corner) for lying, found in _corners(position, piece) for corner in found]


def _corners(position: Position, piece: int) -> Corners:
    """Return, for each orientation of the piece, the top left corners at which it is legal now, in row order."""
    void = position.void
    beside = void & position.board.spread(position.floor)
    ways = orientations(position.hand[piece], reflect=position.reflect)
    return [(lying, members(fits(lying.shape, position.board.stride, void, beside))) for lying in ways]


def _place(position: Position, piece: int, lying: Orientation, corner: int) -> Place:
    return Place(piece, lying.quarters, lying.mirrored, position.board.cell(corner))


def sample_plans(position: Position, goals: Mask, *, each: int) -> list[Plan]:
    """Return a sample of plans: pass, a walk to every cell in reach, pieces laid with a walk to a goal, barriers.

    At most `each` placements of a piece are taken, spread evenly over all legal ones.
    """
    layers = _layers(position, position.floor)
    plans = [PASS, *(Plan((Walk(path),)) for path in paths_through(position.board, layers)[1:])]
    shore = position.board.spread(sum(layers[: position.moves]))  # only a piece on it adds cells in reach
    usual = _walk_to(position, goals, layers)
    for piece in range(len(position.hand)):
        corners = _corners(position, piece)
        for place, mask in _sample_places(position, piece, corners, each):
            walk = _walk_to(position, goals, _layers(position, position.floor | mask)) if mask & shore else usual
            plans.append(Plan((place, Walk(walk)) if walk else (place,)))
        plans += _barriers(position, _sample_places(position, piece, corners, BARRIERS_EACH))
    return plans


def _layers(position: Position, floor: Mask) -> list[Mask]:
    return walk_layers(position.board, floor, 1 << position.cell, position.moves)


def _walk_to(position: Position, goals: Mask, layers: list[Mask]) -> Path:
    """Return the walk through these layers to a cell as near to a goal as possible."""
    _, _, ends = closest(manhattan_rings(position.board, goals), layers)
    return path_back(position.board, layers, members(ends)[0])


def _barriers(position: Position, places: Iterable[tuple[Place, Mask]]) -> Iterator[Plan]:
    """Yield a plan for each placement that is legal as a barrier."""
    rules = position.barriers
    if rules is None or rules.left < 1:
        return
    for place, mask in places:
        is_beside_goals = not rules.covers_goal(mask)
        if is_beside_goals and rules.leaves_ways(position.board, position.floor, position.walls | mask):
            yield Plan((place._replace(barrier=True),))


def _sample_places(position: Position, piece: int, corners: Corners, size: int) -> Iterator[tuple[Place, Mask]]:
    """Yield at most `size` placements of the piece and their cells, spread evenly over its legal ones."""
    count = sum(len(found) for _, found in corners)
    wanted = [number * count // size for number in range(size)] if count > size else range(count)
    first = 0
    for lying, found in corners:
        for corner in [found[number - first] for number in wanted if 0 <= number - first < len(found)]:
            cells = shape_mask(lying.shape, position.board.stride) << corner
            yield _place(position, piece, lying, corner), cells
        first += len(found)
