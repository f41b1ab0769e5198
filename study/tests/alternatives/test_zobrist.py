from __future__ import annotations

import random

from gridjoust.bots.placement.potential import placements_left
from study.alternatives.zobrist import ZobristKeys
from tests.bots.placement.planning import island_task

KEYS = ZobristKeys()


def test_keys_do_not_depend_on_the_order_of_placements() -> None:
    position = island_task(5).position
    found = placements_left(position, position.floor, (0, 1), position.board.spread(position.floor))
    one = next(placement for placement in found if placement.turned.piece == 0)
    other = next(p for p in found if p.turned.piece == 1 and not p.mask & one.mask)
    begun = KEYS.first(position.floor, (0, 1, 2))
    first, second = KEYS.after(KEYS.after(begun, one), other), KEYS.after(KEYS.after(begun, other), one)
    assert first == second == KEYS.first(position.floor | one.mask | other.mask, (2,))


def test_keys_tell_maps_and_pieces_left_apart() -> None:
    rng = random.Random(1)
    states = {(rng.getrandbits(240), left) for _ in range(300) for left in ((0, 1), (0,), (1,), ())}
    assert len({KEYS.first(floor, left) for floor, left in states}) == len(states)
