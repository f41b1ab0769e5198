"""Graphs as the planners see them: arcs out and in, paths from parents, and terrains of any graph."""

from __future__ import annotations

import pytest

from bots.planners.graph import (
    FunctionArcs,
    FunctionArcsIn,
    Terrain,
    directed_terrain,
    graph_terrain,
    no_estimate,
    trace,
    unit_cost,
)

PRICES = {("a", "b"): 1, ("a", "c"): 5, ("b", "c"): 2}


def cost(tail: str, head: str) -> float:
    return PRICES[tail, head]


def test_arcs_out_and_in_keep_the_order_of_the_function_and_the_direction_of_the_price() -> None:
    out = FunctionArcs({"a": "cb", "b": "c"}.__getitem__, cost)
    into = FunctionArcsIn({"c": "ab", "b": "a"}.__getitem__, cost)
    assert [out["a"], out["b"]] == [[("c", 5), ("b", 1)], [("c", 2)]]
    assert [into["c"], into["b"]] == [[("a", 5), ("b", 2)], [("a", 1)]]


def test_a_step_costs_one_and_nothing_is_estimated_unless_said() -> None:
    assert (unit_cost("a", "b"), no_estimate("a")) == (1, 0)


def test_a_path_is_traced_from_the_node_that_is_its_own_parent() -> None:
    parents = [1, 1, 0, 2]
    assert [trace(parents, 3), trace(parents, 1), trace(dict(enumerate(parents)), 2)] == [(1, 0, 2, 3), (1,), (1, 0, 2)]


def test_steps_to_walls_are_left_out() -> None:
    terrain = Terrain(((1, 2), (0,), (1,)), ((1,), (0, 2), (0,)), walls=frozenset({2}))
    assert (terrain.size, terrain.neighbours(0), terrain.neighbours(1)) == (3, [1], [0])


def test_a_graph_is_numbered_in_the_order_in_which_it_is_reached() -> None:
    steps = {"b": [("c", 2)], "a": [("b", 1), ("c", 5)], "c": []}
    terrain, numbers = graph_terrain(["a", "a"], lambda node: steps[node])
    assert numbers == {"a": 0, "b": 1, "c": 2}
    assert (terrain.out, terrain.into) == (((1, 2), (2,), ()), ((), (0,), (0, 1)))
    assert terrain.into_costs == ((), (1,), (5, 2))
    cheap, _ = graph_terrain(["a"], lambda node: [("a", 0.5)])
    assert cheap.into_costs == ((0.5,),)
    with pytest.raises(ValueError, match="step 'a' to 'b': expected a cost above 0, got 0"):
        graph_terrain(["a"], lambda node: [("b", 0)])


def test_steps_that_cannot_be_taken_back() -> None:
    terrain = directed_terrain(((1, 2), (2,), ()))
    assert (terrain.out, terrain.into) == (((1, 2), (2,), ()), ((), (0,), (0, 1)))
