from __future__ import annotations

import random

from benchmarks.alternatives.zobrist import ZobristKeys
from bots.placement.frontiers import plan_beam
from bots.placement.potential import potential_placements
from bots.placement.shapes import pre_rotate
from tests.bots.placement.planning import island_task


def test_keys_do_not_depend_on_the_order_of_placements() -> None:
    keys = ZobristKeys()
    position = island_task(5).position
    board, void = position.board, position.void
    ways = [way for ways in pre_rotate(position.hand) for way in ways]
    found = potential_placements(board, void, void & board.spread(position.floor), ways)
    one = next(potential for potential in found if potential.turned.piece == 0)
    other = next(p for p in found if p.turned.piece == 1 and not p.mask & one.mask)
    floor = position.floor
    begun = keys.first(floor, (0, 1, 2))
    first = keys.after(keys.after(begun, one, floor | one.mask, (1, 2)), other, floor | one.mask | other.mask, (2,))
    second = keys.after(keys.after(begun, other, floor | other.mask, (0, 2)), one, floor | one.mask | other.mask, (2,))
    assert first == second == keys.first(floor | one.mask | other.mask, (2,))


def test_keys_tell_maps_and_pieces_left_apart() -> None:
    keys = ZobristKeys()
    rng = random.Random(1)
    states = {(rng.getrandbits(240), left) for _ in range(300) for left in ((0, 1), (0,), (1,), ())}
    assert len({keys.first(floor, left) for floor, left in states}) == len(states)


def test_zobrist_keys_give_the_same_plans() -> None:
    keys = ZobristKeys()
    for seed in range(6):
        assert plan_beam(island_task(seed), width=8, keys=keys) == plan_beam(island_task(seed), width=8)
