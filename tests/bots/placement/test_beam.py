"""Steps 7, 9 and 10: the passes, the pruning, the closest plan, and the quantum map, against cases and an oracle."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.placement.beam import (
    Node,
    Search,
    expand,
    first_node,
    layers_kept,
    placements_in_reach,
    plan_beam,
    prune,
    score_one_by_one,
    walk_on,
)
from gridjoust.bots.placement.potential import FitCache, Potential, potential_map
from gridjoust.bots.placement.quantum import plan_quantum, promise, score_at_once, score_best_at_once, walk_quantum
from gridjoust.bots.placement.task import FAR, VOID_COST, Found, Standing, Task, toll_distance, toll_rings
from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import Budget
from gridjoust.games.bitset import members
from gridjoust.games.grid import Cell
from gridjoust.games.placement.apply import Position, play
from gridjoust.games.placement.board import closest, make_board, manhattan_rings, walk_layers
from gridjoust.games.placement.pieces import piece_set, turned
from tests.bots.placement.planning import best_by_brute_force, draw_task, island_task, planning_cases
from tests.games.placement.boards import parse_piece

TRIPLE = parse_piece("###")
DOMINO = parse_piece("##")
POINT = parse_piece("#")


def started(task: Task) -> tuple[Search, Node, list[Potential]]:
    search = Search(task, task.nearness(), FitCache())
    node = first_node(search)
    return search, node, placements_in_reach(search, node)


def after_one_piece(task: Task, width: int) -> list[Node]:
    """The frontier of the second pass."""
    search, node, _ = started(task)
    return prune(search, expand(search, node, score_one_by_one), width)


def check_plan(task: Task, found: Found) -> None:
    """The plan is legal and leads to what is claimed of it."""
    played = play(task.position, found.plan)
    ring = next(distance for distance, ring in enumerate(task.nearness()) if ring >> played.cell & 1)
    assert (ring, found.plan.steps, len(found.plan.pieces)) == found.key


def tiny_task(seed: int) -> Task:
    """Up to two pieces of two to four cells on a board of at most 5 x 4."""
    rng = random.Random(seed)
    board = make_board(rng.randint(3, 5), rng.randint(3, 4))
    cells = list(board.cells(board.inside))
    floor = board.mask(rng.sample(cells, rng.randint(1, 4)))
    walls = board.mask(cell for cell in cells if rng.random() < 0.1) & ~floor
    start = rng.choice(members(floor))
    hand = tuple(turned(rng.choice(piece_set(2, 4)), rng.randrange(4)) for _ in range(rng.randint(1, 2)))
    goal = board.bit(rng.choice(cells))
    return Task(Position(board, floor, walls, start, hand, rng.randint(0, 7), rng.random() < 0.3), 1 << goal)


def test_positions_are_known_by_the_steps_to_them() -> None:
    task = draw_task("S..", "_#.", "..G", moves=3)
    layers = started(task)[1].layers
    assert [task.position.board.cells(layer) for layer in layers] == [[(0, 0)], [(1, 0)], [(2, 0)], [(2, 1)]]


def test_states_that_need_a_placement_cover_a_cell_beside_the_reach() -> None:
    task = draw_task("S____._", "G______", hand=(DOMINO,), moves=9)
    covered = {tuple(task.position.board.cells(placement.mask)) for placement in started(task)[2]}
    assert covered == {((1, 0), (2, 0)), ((1, 0), (1, 1)), ((0, 1), (1, 1))}
    assert started(draw_task("S..__G", hand=(DOMINO,), moves=2))[2] == [], "no moves are left"


def test_a_piece_that_is_laid_is_no_longer_left() -> None:
    frontier = after_one_piece(draw_task("S_____G", hand=(DOMINO, TRIPLE), moves=9), width=10)
    assert {(child.left, child.laid[0].turned.piece) for child in frontier} == {((1,), 0), ((0,), 1)}


def test_pruning_keeps_as_many_as_the_width_says_the_best_by_steps_and_what_is_left() -> None:
    (best,) = after_one_piece(draw_task("_______", "_S____G", "_______", hand=(TRIPLE,), moves=9), width=1)
    assert (best.standing, best.standing.rank()) == (Standing(2, 3), (5, 2))
    assert len(started(island_task(4))[2]) > len(after_one_piece(island_task(4), width=16)) == 16


def test_equal_states_are_kept_once() -> None:
    search, node, _ = started(draw_task("S______", "______G", hand=(DOMINO, TRIPLE), moves=9))
    first = prune(search, expand(search, node, score_one_by_one), 99)
    second = prune(search, [c for child in first for c in expand(search, child, score_one_by_one)], 999)
    assert len({(node.floor, node.left) for node in second}) == len(second)


def test_more_floor_is_walked_from_where_it_first_matters() -> None:
    task = island_task(9)
    _, node, found = started(task)
    position = task.position
    assert found
    for placement in found:
        fresh = walk_layers(position.board, position.floor | placement.mask, 1 << position.cell, position.moves)
        kept = layers_kept(task, node, placement.mask)
        assert kept + walk_on(task, node, placement.mask, kept) == fresh


CLOSEST = {
    "the closest plan stands where there is no way": (
        draw_task("S_______G", hand=(DOMINO, TRIPLE), moves=9), (3, 5, 2),
    ),
    "fewer steps count more than fewer pieces": (draw_task("S_g", "._.", "...", hand=(POINT,), moves=9), (0, 2, 1)),
    "of equal walks the one with fewer pieces wins": (draw_task("S..g", "____", hand=(DOMINO,), moves=9), (0, 3, 0)),
    "a goal under the figure needs no plan": (Task(draw_task("S_._", hand=(DOMINO,)).position, 1), (0, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("task", "key"), CLOSEST.values(), ids=CLOSEST)
def test_distance_steps_and_pieces_of_the_plan(task: Task, key: tuple[int, int, int]) -> None:
    assert plan_beam(task).key == key


def test_a_search_that_is_stopped_gives_the_best_so_far() -> None:
    task = island_task(2)
    found = plan_beam(task, is_over=lambda: True)
    assert found.is_stopped
    check_plan(task, found)


def test_a_second_search_finds_its_fit_data_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "active", None)  # they keep none
    cache, task = FitCache(), island_task(6)
    first = plan_beam(task, width=8, cache=cache)
    assert (cache.hits, cache.misses) == (0, first.cost.expanded)
    assert plan_beam(task, width=8, cache=cache) == first
    assert (cache.hits, cache.misses) == (first.cost.expanded, first.cost.expanded)


def test_other_plans_are_legal_too_and_the_best_with_each_number_of_pieces_come_first() -> None:
    task = island_task(1)
    others = plan_beam(task, width=8).others
    assert len(others) >= 8
    for plan in others:
        play(task.position, plan)
    found = plan_beam(draw_task("S________G", hand=(DOMINO, TRIPLE), moves=9))
    assert len(found.plan.pieces) == 2
    assert [str(plan) for plan in found.others[:2]] == ["place 1 @1,0; walk E E E", "pass"]


@pytest.mark.parametrize("seed", range(60))
def test_on_tiny_boards_a_beam_without_end_is_as_good_as_brute_force_and_quantum_is_plain_search(seed: int) -> None:
    task = tiny_task(seed)
    found = plan_beam(task, width=10**6)
    assert found.key == best_by_brute_force(task)
    check_plan(task, found)
    assert plan_quantum(task, width=4) == plan_beam(task, width=4)


def test_width_16_is_optimal_on_every_blob_case_and_ten_of_twelve_island_cases() -> None:
    found = {case.id: plan_beam(case.task) for case in planning_cases()}
    for case in planning_cases():
        check_plan(case.task, found[case.id])
    assert {case.id for case in planning_cases() if found[case.id].key != case.best} == {"H249", "H268"}


@pytest.mark.gate
def test_no_width_is_better_than_the_exhaustive_optimum() -> None:
    for case in planning_cases("islands"):
        assert plan_beam(case.task, width=48).key >= case.best


@pytest.mark.gate
def test_width_16_is_as_good_as_width_256_on_nearly_all_island_cases() -> None:
    tasks = [island_task(seed) for seed in range(12)]  # a hundred of them: python -m study.placement widths
    equal = sum(plan_quantum(task, width=16).key[:2] == plan_quantum(task, width=256).key[:2] for task in tasks)
    assert equal >= 11


@pytest.mark.parametrize("seed", range(12))
def test_one_walk_scores_every_placement_as_a_walk_of_its_own_does(seed: int) -> None:
    task = island_task(seed)
    search, node, found = started(task)
    at_once, _ = score_at_once(task, search.rings, node, found)
    one_by_one, _ = score_one_by_one(task, search.rings, node, found)
    assert at_once == one_by_one


def test_quantum_and_plain_search_are_one_on_the_planning_cases() -> None:
    for case in planning_cases():
        assert plan_quantum(case.task, width=8) == plan_beam(case.task, width=8)


def test_a_walk_carries_the_placements_that_allow_it_and_an_empty_set_is_no_way() -> None:
    task = draw_task("S_____", "______", "_____G", hand=(DOMINO,), moves=2)
    _, node, found = started(task)
    board = task.position.board
    walked = walk_quantum(board, node, potential_map(found, board.stride), 2)
    flat = [number for number, placement in enumerate(found) if board.cells(placement.mask) == [(1, 0), (2, 0)]]
    assert [(steps, chosen) for steps, cell, chosen in walked if cell == 2] == [(2, 1 << flat[0])]
    _, node, found = started(draw_task("S__.__G", hand=(POINT,), moves=9))
    assert {cell for _, cell, _ in walk_quantum(make_board(7, 1), node, potential_map(found, 8), 9)} == {1}


def test_a_limit_walks_the_placements_that_promise_most() -> None:
    task = island_task(8)
    search, node, found = started(task)
    limited, _ = score_best_at_once(task, search.rings, node, found, limit=10)
    exact, _ = score_at_once(task, search.rings, node, found)
    scored = [number for number, standing in enumerate(limited) if standing.distance < len(search.rings)]
    assert len(scored) == 10
    assert all(limited[number] == exact[number] for number in scored)
    promises = [promise(task.position.board, search.rings, node, placement.mask) for placement in found]
    left_out = [promises[number] for number in range(len(found)) if number not in scored]
    assert max(promises[number] for number in scored) <= min(left_out)


def test_a_limited_quantum_search_gives_legal_plans() -> None:
    for seed in range(6):
        check_plan(island_task(seed), plan_quantum(island_task(seed), width=8, limit=32))


def test_rings_are_manhattan_distances_to_the_nearest_goal_and_closest_is_the_nearest_ring_in_fewest_steps() -> None:
    board = make_board(5, 3)
    rings = manhattan_rings(board, board.mask([Cell(0, 0), Cell(4, 2)]))
    for distance, ring in enumerate(rings):
        for cell in board.cells(ring):
            assert min(cell.manhattan(Cell(0, 0)), cell.manhattan(Cell(4, 2))) == distance
    assert sum(rings) == board.inside
    rings = manhattan_rings(make_board(5, 1), 1 << 4)
    assert closest(rings, [1 << 1, 1 << 0 | 1 << 2]) == (2, 1, 1 << 2)


@pytest.mark.parametrize("seed", range(10))
def test_toll_rings_and_distances_are_those_of_cheapest_ways(seed: int) -> None:
    rng = random.Random(seed)
    board = make_board(6, 5)
    cells = list(board.cells(board.inside))
    kinds = {cell: rng.choice((1, VOID_COST, 0)) for cell in cells}
    goal = rng.choice(cells)
    kinds[goal] = kinds[goal] or 1
    costs = {goal: 0}
    for _ in cells:  # Bellman and Ford
        for cell in cells:
            near = [other for other in costs if other.manhattan(cell) == 1]
            if kinds[cell] and near:
                reached = min(costs[other] + kinds[other] for other in near)
                costs[cell] = min(costs.get(cell, reached), reached)
    floor = board.mask(cell for cell in cells if kinds[cell] == 1)
    void = board.mask(cell for cell in cells if kinds[cell] == VOID_COST)
    rings = toll_rings(board, floor, void, board.mask([goal]), Budget())
    assert {cell: cost for cost, ring in enumerate(rings) for cell in board.cells(ring)} == costs
    distances = {
        cell: toll_distance(board, floor, void, board.bit(cell), board.mask([goal]), Budget()) for cell in cells
    }
    assert distances == {cell: costs.get(cell, FAR) for cell in cells}
