"""Prove how near to the goal a turn of placement can end: try all pieces in all places that a bound does not exclude.

This shares no search with the bots, only boards, pieces and walks of the rules. A piece is only tried next to cells
that the figure can reach. That loses nothing: a walk enters its pieces in some order, and laid in that order each
touches a cell reached before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridjoust.bots.placement.potential import Left, unlike
from gridjoust.bots.placement.task import Standing, Task, standing_of
from gridjoust.games.bitset import members
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Mask, walk_layers
from gridjoust.games.placement.pieces import Shape, fits, orientations, shape_mask


def prove(task: Task, *, known: Standing, max_states: int) -> Standing | None:
    """Return the least distance to the goal that a plan can leave, and its fewest steps; None if the search is cut off.

    `known` is returned if no plan is better, None after `max_states` boards. The search is branch and bound, depth
    first. A state is a board with the pieces left. It is pruned if a walk that may cross as many Void cells as its
    pieces could cover, wherever they lie, still ends no better than the best plan so far.
    """
    position, rings = task.position, task.nearness()
    carries = [longest_crossing(piece) for piece in position.hand]
    best = known
    todo = [(position.floor, tuple(range(len(position.hand))))]
    seen = set(todo)
    while todo:
        floor, left = todo.pop()
        layers = walk_layers(position.board, floor, 1 << position.cell, position.moves)
        best = min(best, standing_of(rings, layers))
        carried = sum(carries[piece] for piece in left)
        if not left or standing_of(rings, crossing_layers(position, floor, carried)) >= best:
            continue
        fresh = set(_with_one_more(position, floor, left, sum(layers[: position.moves]))) - seen
        if len(seen) + len(fresh) > max_states:
            return None
        seen |= fresh
        todo += sorted(fresh)
    return best


def _with_one_more(position: Position, floor: Mask, left: Left, reached: Mask) -> Iterator[tuple[Mask, Left]]:
    """Yield the board with each piece left in each place that touches a cell reached."""
    board = position.board
    void = board.inside & ~position.walls & ~floor
    beside = board.spread(reached) & void
    for piece in unlike(position.hand, left, reflect=position.reflect):
        rest = tuple(other for other in left if other != piece)
        for lying in orientations(position.hand[piece], reflect=position.reflect):
            cells = shape_mask(lying.shape, board.stride)
            for corner in members(fits(lying.shape, board.stride, void, beside)):
                yield floor | cells << corner, rest


def longest_crossing(piece: Shape) -> int:
    """Return the most cells of a piece that a shortest walk enters: those of the longest shortest path within it."""
    return max(len(_rounds(piece, start)) for start in range(len(piece)))


def _rounds(piece: Shape, start: int) -> list[set[int]]:
    """Return sets of the piece's cells by distance: those 0, 1, 2 ... steps from its cell `start`."""
    rounds, left = [{start}], set(range(len(piece))) - {start}
    while left:
        fresh = {cell for cell in left if any(piece[cell].manhattan(piece[near]) == 1 for near in rounds[-1])}
        rounds.append(fresh)
        left -= fresh
    return rounds


def crossing_layers(position: Position, floor: Mask, crossed: int) -> Sequence[Mask]:
    """Return the cells first reached after 0, 1, 2 ... steps over Floor and at most `crossed` Void cells."""
    board = position.board
    void = board.inside & ~position.walls & ~floor
    reached = [1 << position.cell] * (crossed + 1)  # by the Void cells entered at most
    layers = [1 << position.cell]
    seen = layers[0]
    for _ in range(position.moves):
        near = [board.spread(cells) for cells in reached]
        over = [0, *(cells & void for cells in near[:-1])]
        reached = [cells | beside & floor | new for cells, beside, new in zip(reached, near, over, strict=True)]
        layers.append(reached[-1] & ~seen)
        seen |= reached[-1]
    return layers
