"""What every way to make keys of planning states must hold, whoever makes them."""

from __future__ import annotations

import random

from bots.placement.fit_cache import Keys
from bots.placement.potential import Potential, potential_placements
from bots.placement.shapes import pre_rotate
from tests.bots.placement.planning import island_task


def all_potentials(seed: int) -> tuple[int, list[Potential]]:
    """The stride of an island task's board, and every potential placement at its start."""
    position = island_task(seed).position
    board, void = position.board, position.void
    ways = [way for ways in pre_rotate(position.hand) for way in ways]
    return board.stride, potential_placements(board, void, void & board.spread(position.floor), ways)


def check_order_of_placements_does_not_matter(keys: Keys) -> None:
    floor = island_task(5).position.floor
    _, found = all_potentials(5)
    one = next(potential for potential in found if potential.turned.piece == 0)
    other = next(p for p in found if p.turned.piece == 1 and not p.mask & one.mask)
    begun = keys.first(floor, (0, 1, 2))
    first = keys.after(keys.after(begun, one, floor | one.mask, (1, 2)), other, floor | one.mask | other.mask, (2,))
    second = keys.after(keys.after(begun, other, floor | other.mask, (0, 2)), one, floor | one.mask | other.mask, (2,))
    assert first == second == keys.first(floor | one.mask | other.mask, (2,))


def check_maps_and_pieces_left_are_told_apart(keys: Keys) -> None:
    rng = random.Random(1)
    states = {(rng.getrandbits(240), left) for _ in range(300) for left in ((0, 1), (0,), (1,), ())}
    assert len({keys.first(floor, left) for floor, left in states}) == len(states)
