"""Whether a Swiss round can be paired, against trying everything."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from runner.schedule.swiss_round import can_pair


def can_match(vertices: tuple[int, ...], edges: set[tuple[int, int]]) -> bool:
    if not vertices:
        return True
    first, *others = vertices
    return any(
        (first, other) in edges and can_match(tuple(vertex for vertex in others if vertex != other), edges)
        for other in others
    )


def can_pair_all(count: int, edges: set[tuple[int, int]]) -> bool:
    """Where bots have met but for those in `edges`."""
    met = Counter(frozenset(duo) for duo in combinations(range(count), 2) if duo not in edges)
    return can_pair(range(count), met, 0)


@given(st.integers(0, 5).map(lambda half: 2 * half), st.sampled_from([0.15, 0.25, 0.35, 0.6]), st.integers(0, 2**32))
def test_all_can_be_paired_exactly_if_that_can_be_done_by_trying(count: int, density: float, seed: int) -> None:
    rng = random.Random(seed)
    edges = {duo for duo in combinations(range(count), 2) if rng.random() < density}

    assert can_pair_all(count, edges) == can_match(tuple(range(count)), edges)


def test_an_odd_number_cannot_be_paired() -> None:
    assert [can_pair(range(count), Counter(), 0) for count in range(1, 8)] == [False, True] * 3 + [False]


def test_odd_cycles_are_seen_through() -> None:
    # two triangles joined by an edge: a path that enters a triangle must leave it at the right corner
    triangles = {(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)}

    assert can_pair_all(6, {*triangles, (2, 3)})
    assert not can_pair_all(6, triangles)


def test_bots_that_have_met_often_enough_cannot_be_paired() -> None:
    met = Counter({frozenset((0, 1)): 2})

    assert [can_pair((0, 1), met, often) for often in (0, 1, 2)] == [False, False, True]
