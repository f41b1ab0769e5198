"""What people who look see of a search: nodes in their order, what lies beside them, what a repair keeps."""

from __future__ import annotations

from gridjoust.bots.planners.graph import ArcChange, Arcs
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF
from gridjoust.bots.planners.trail import Trail, by_depth
from gridjoust.bots.planners.watched import WatchedArcs, WatchedDStarLite, WatchedGridDStarLite

ROAD: dict[str, Arcs[str]] = {"a": (("b", 1.0), ("x", INF)), "b": (("a", 1.0), ("c", 1.0)), "c": ()}


def test_watched_arcs_keep_the_order_in_which_they_are_asked_for_each_node_once() -> None:
    watched = WatchedArcs(ROAD)
    assert [head for head, _ in watched["a"]] == ["b", "x"]
    for node in "ba":
        watched[node]
    assert watched.closed() == ["a", "b"]


def test_the_frontier_is_what_lies_beside_and_can_be_entered() -> None:
    watched = WatchedArcs(ROAD)
    watched["a"]
    assert watched.frontier() == ["b"]
    watched["b"]
    assert watched.frontier() == ["c"]


def test_a_repair_shows_what_it_expanded_and_keeps_the_rest() -> None:
    grid = SearchGrid(5, 1)
    planner = WatchedGridDStarLite(grid, 0, 4)
    planner.search()
    assert planner.take() == ([4, 3, 2, 1], [])
    planner.update(grid.change({3: 5.0}))
    planner.search()
    assert planner.take() == ([2, 1], [3, 4])


def test_what_is_kept_on_any_graph_are_nodes_to_which_a_cost_is_known() -> None:
    heads = {0: [1], 1: [0, 2], 2: [1]}
    prices: dict[tuple[int, int], float] = {}
    planner = WatchedDStarLite(0, 2, neighbours=heads.__getitem__, cost=lambda tail, head: prices.get((tail, head), 1))
    planner.search()
    assert planner.take() == ([2, 1], [])
    prices[1, 2] = INF
    planner.update([ArcChange(1, 2, 1.0, INF)])
    planner.search()
    assert planner.take() == ([1], [2])
    planner.search()
    assert planner.take() == ([], [2])  # no way leads from 1 any more


def test_a_trail_counts_the_nodes_of_a_place_and_leaves_out_those_that_are_nowhere() -> None:
    trail: Trail[int] = Trail(lambda node: None if node == 3 else (node % 3, 0))
    heads = {0: [1, 3], 3: [5], 4: [0]}
    ask = trail.around(heads.__getitem__)
    assert [list(ask(node)) for node in (0, 3, 4, 0)] == [[1, 3], [5], [0], [1, 3]]
    assert trail.expanded == {(0, 0): 2, (1, 0): 1}
    assert trail.frontier() == [(2, 0)]


def test_a_place_has_the_first_depth_at_which_a_beam_kept_a_node_of_it() -> None:
    layers = [[1, 9], [2, 1], [3]]
    assert by_depth(layers, lambda node: None if node == 9 else (node % 3, 0)) == {(1, 0): 1, (2, 0): 2, (0, 0): 3}
