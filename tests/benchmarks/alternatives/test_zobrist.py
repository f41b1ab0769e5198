from __future__ import annotations

from benchmarks.alternatives.zobrist import ZobristKeys
from bots.placement.frontiers import plan_beam
from tests.bots.placement.key_checks import (
    check_maps_and_pieces_left_are_told_apart,
    check_order_of_placements_does_not_matter,
)
from tests.bots.placement.planning import island_task


def test_keys_do_not_depend_on_the_order_of_placements() -> None:
    check_order_of_placements_does_not_matter(ZobristKeys())


def test_keys_tell_maps_and_pieces_left_apart() -> None:
    check_maps_and_pieces_left_are_told_apart(ZobristKeys())


def test_zobrist_keys_give_the_same_plans() -> None:
    keys = ZobristKeys()
    for seed in range(6):
        assert plan_beam(island_task(seed), width=8, keys=keys) == plan_beam(island_task(seed), width=8)
