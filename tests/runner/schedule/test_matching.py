"""Perfect matchings, against trying everything."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.schedule.matching import match_all


def can_match(vertices: tuple[int, ...], edges: set[tuple[int, int]]) -> bool:
    if not vertices:
        return True
    first, *others = vertices
    return any(
        (first, other) in edges and can_match(tuple(vertex for vertex in others if vertex != other), edges)
        for other in others
    )


@given(st.integers(0, 5).map(lambda half: 2 * half), st.sampled_from([0.15, 0.25, 0.35, 0.6]), st.integers(0, 2**32))
def test_there_is_a_matching_exactly_if_one_can_be_found_by_trying(count: int, density: float, seed: int) -> None:
    rng = random.Random(seed)
    edges = {(one, two) for one in range(count) for two in range(one + 1, count) if rng.random() < density}
    partners = match_all(count, lambda one, two: (min(one, two), max(one, two)) in edges)

    assert (partners is not None) == can_match(tuple(range(count)), edges)
    for one, two in enumerate(partners or []):
        assert partners is not None
        assert partners[two] == one
        assert (min(one, two), max(one, two)) in edges


@pytest.mark.parametrize("count", [1, 3, 7])
def test_an_odd_number_cannot_be_matched(count: int) -> None:
    assert match_all(count, lambda _one, _two: True) is None


def test_odd_cycles_are_seen_through() -> None:
    # two triangles joined by an edge: a path that enters a triangle must leave it at the right corner
    edges = {(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)}

    assert match_all(6, lambda one, two: (min(one, two), max(one, two)) in edges) == [1, 0, 3, 2, 5, 4]
