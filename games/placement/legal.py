"""List what a seat can choose: all placements of a piece, and a sample of the plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from gridjoust.games.api import IllegalAction
from gridjoust.games.bitset import members
from gridjoust.games.placement.actions import PASS, Place, Plan, Walk
from gridjoust.games.placement.apply import Position, play
from gridjoust.games.placement.board import Mask, closest, manhattan_rings, path_back, walk_layers
from gridjoust.games.placement.pieces import Orientation, fits, orientations

SAMPLE_EACH = 8  # placements of each piece in a sample
BARRIERS_EACH = 2  # at most so many placements of each piece again as barriers


def placements(position: Position, piece: int) -> list[Place]:
    """Return every legal placement of one piece of the hand once, by orientation, then row by row."""
    return [
        place for lying, found in _corners(position, piece) for place in _places(position, piece, lying, members(found))
    ]


def _corners(position: Position, piece: int) -> list[tuple[Orientation, Mask]]:
    """Return, for each orientation of the piece, a bit set of the top left corners at which it is legal now."""
    void = position.void
    beside = void & position.board.spread(position.floor)
    ways = orientations(position.hand[piece], reflect=position.reflect)
    return [(lying, fits(lying.shape, position.board.stride, void, beside)) for lying in ways]


def _places(position: Position, piece: int, lying: Orientation, found: Iterable[int]) -> Iterator[Place]:
    cell = position.board.cell
    return (Place(piece, lying.quarters, lying.mirrored, cell(corner)) for corner in found)


def sample_plans(position: Position, goals: Mask, *, each: int) -> list[Plan]:
    """Return a sample of plans: pass, a walk to every cell in reach, pieces laid with a walk to a goal, barriers.

    At most `each` placements of a piece are taken, spread evenly over all legal ones.
    """
    layers = walk_layers(position.board, position.floor, 1 << position.cell, position.moves)
    plans = [PASS]
    for layer in layers[1:]:
        plans += [Plan((Walk(path_back(position.board, layers, cell)),)) for cell in members(layer)]
    for piece in range(len(position.hand)):
        plans += [_with_walk(position, place, goals) for place in _sample_places(position, piece, each)]
        plans += _barriers(position, _sample_places(position, piece, BARRIERS_EACH))
    return plans


def _barriers(position: Position, places: Iterable[Place]) -> Iterator[Plan]:
    """Yield a plan for each placement that is legal as a barrier."""
    if position.barriers is None:
        return
    for place in places:
        plan = Plan((place._replace(barrier=True),))
        with suppress(IllegalAction):
            play(position, plan)
            yield plan


def _sample_places(position: Position, piece: int, size: int) -> Iterator[Place]:
    """Yield at most `size` placements of the piece, spread evenly over its legal ones."""
    found = _corners(position, piece)
    count = sum(mask.bit_count() for _, mask in found)
    wanted = {number * count // size for number in range(size)} if count > size else set(range(count))
    first = 0
    for lying, mask in found:
        here = [corner for number, corner in enumerate(members(mask), start=first) if number in wanted]
        yield from _places(position, piece, lying, here)
        first += mask.bit_count()


def _with_walk(position: Position, place: Place, goals: Mask) -> Plan:
    played = play(position, Plan((place,)))
    layers = walk_layers(position.board, played.floor, 1 << position.cell, position.moves)
    _, _, ends = closest(manhattan_rings(position.board, goals), layers)
    walk = path_back(position.board, layers, members(ends)[0])
    return Plan((place, Walk(walk)) if walk else (place,))
