"""The compiled flood against the list code: the same states, the same plans, the same counts."""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.bots.placement.beam import (
    Candidate,
    Search,
    first_node,
    placements_in_reach,
    plan_beam,
    score_one_by_one,
)
from gridjoust.bots.placement.flood import make_flood
from gridjoust.bots.placement.potential import FitCache
from gridjoust.bots.placement.task import Task, toll_rings
from gridjoust.bots.planners.budget import Budget
from gridjoust.games.bitset import mask_of
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import make_board, walk_layers
from gridjoust.games.placement.pieces import piece_set
from tests.bots.planners.both import by_both, needs_kernels


@st.composite
def tasks(draw: st.DrawFn, largest: int = 9) -> Task:
    """Boards of any shape and any share of Floor and walls, with near by tolls or by Manhattan distance."""
    width, height = draw(st.integers(2, largest)), draw(st.integers(1, largest))
    rng = random.Random(draw(st.integers(0, 2**32)))
    board = make_board(width, height)
    cells = [y * board.stride + x for y in range(height) for x in range(width)]
    cell, share = rng.choice(cells), rng.choice([0.05, 0.2, 0.5, 0.9])
    floor = mask_of(other for other in cells if rng.random() < share) | 1 << cell
    walls = mask_of(other for other in cells if rng.random() < rng.choice([0, 0.1, 0.3])) & ~floor
    hand = tuple(rng.choice(piece_set(1, 5)) for _ in range(rng.randint(0, 4)))
    position = Position(board, floor, walls, cell, hand, rng.choice([0, 1, 3, 6, 16]), rng.random() < 0.3)
    goals = mask_of(rng.sample(cells, rng.choice([1, 1, 2])))
    return Task(position, goals, toll_rings(board, floor, position.void, goals, Budget()) if rng.random() < 0.7 else ())


@needs_kernels
@given(tasks(), st.sampled_from([1, 2, 16]))
def test_a_beam_finds_the_plans_of_the_list_code_at_the_same_cost(task: Task, width: int) -> None:
    plain, fast = by_both(partial(plan_beam, task, width=width))
    assert fast == plain
    assert (fast.cost.expanded, fast.cost.generated) == (plain.cost.expanded, plain.cost.generated)
    assert fast.cost.frontier == plain.cost.frontier


@pytest.mark.default("9")
@needs_kernels
@pytest.mark.parametrize("largest", [9, 64])
def test_every_state_that_one_placement_leads_to_is_that_of_the_list_code(largest: int) -> None:
    found = 0

    @given(tasks(largest=largest))
    def compare(task: Task) -> None:
        nonlocal found
        rings = task.nearness()
        flood = make_flood(task, rings)
        assert flood is not None
        search = Search(task, rings, FitCache())
        node = first_node(search)
        position = task.position
        placements = placements_in_reach(search, node)
        standings, cells = score_one_by_one(task, rings, node, placements)
        candidates, walked = flood.candidates(node.floor, node.left, node, Candidate)
        assert walked == cells
        assert [(c.standing, c.placement) for c in candidates] == list(zip(standings, placements, strict=True))
        assert all(candidate.parent is node for candidate in candidates)
        floor = position.floor | (placements[-1].mask if placements else 0)
        assert flood.walk(floor) == walk_layers(position.board, floor, 1 << position.cell, position.moves)
        found += len(placements)

    compare()
    assert found > 50
