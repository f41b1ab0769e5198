"""Steps 7, 9 and 10: the passes, the pruning, the closest plan, and the quantum map, against cases and an oracle."""

from __future__ import annotations

import random

import pytest

from bots.placement.fit_cache import FitCache, PlainKeys
from bots.placement.frontiers import (
    Node,
    Search,
    expand,
    first_node,
    placements_in_reach,
    plan_beam,
    prune,
    score_one_by_one,
    walk_on,
)
from bots.placement.potential import Potential, potential_map
from bots.placement.quantum import plan_quantum, promise, score_at_once, score_best_at_once, walk_quantum
from bots.placement.task import Found, SearchCost, Standing, Task, toll_distance, toll_rings
from games.bitset import members
from games.grid import Cell
from games.placement.apply import Position, play
from games.placement.board import closest, make_board, manhattan_rings, walk_layers
from games.placement.pieces import piece_set, turned
from tests.bots.placement.planning import PlanningCase, best_by_brute_force, draw_task, island_task, planning_cases
from tests.games.placement.boards import mask_of, parse_piece

TRIPLE = parse_piece("###")
DOMINO = parse_piece("##")


def make_search(task: Task) -> Search:
    return Search(task, task.nearness(), PlainKeys(), FitCache(), SearchCost())


def started(task: Task) -> tuple[Search, Node, list[Potential]]:
    search = make_search(task)
    node = first_node(search)
    return search, node, placements_in_reach(search, node)


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
    layers = first_node(make_search(task)).layers
    assert [set(task.position.board.cells(layer)) for layer in layers] == [
        {Cell(0, 0)},
        {Cell(1, 0)},
        {Cell(2, 0)},
        {Cell(2, 1)},
    ]


def test_states_that_need_a_placement_cover_a_cell_beside_the_reach() -> None:
    task = draw_task("S____._", "G______", hand=(DOMINO,), moves=9)
    _, _, found = started(task)
    assert {tuple(task.position.board.cells(placement.mask)) for placement in found} == {
        (Cell(1, 0), Cell(2, 0)),
        (Cell(1, 0), Cell(1, 1)),
        (Cell(0, 1), Cell(1, 1)),
    }


def test_without_moves_left_nothing_is_laid() -> None:
    _, _, found = started(draw_task("S..__G", hand=(DOMINO,), moves=2))
    assert found == []


def test_a_piece_that_is_laid_is_no_longer_left() -> None:
    task = draw_task("S_____G", hand=(DOMINO, TRIPLE), moves=9)
    search, node, _ = started(task)
    frontier = prune(search, expand(search, node, score_one_by_one), 10)
    assert {(child.left, child.laid[0].turned.piece) for child in frontier} == {((1,), 0), ((0,), 1)}


def test_pruning_keeps_the_best_by_steps_and_what_is_left() -> None:
    task = draw_task("_______", "_S____G", "_______", hand=(TRIPLE,), moves=9)
    search, node, _ = started(task)
    (best,) = prune(search, expand(search, node, score_one_by_one), 1)
    assert best.standing == Standing(2, 3)
    assert best.standing.rank() == (5, 2)


def test_pruning_keeps_as_many_as_the_width_says() -> None:
    task = island_task(4)
    search, node, found = started(task)
    second = expand(search, node, score_one_by_one)
    assert len(found) > 16
    assert len(prune(search, second, 16)) == 16


def test_equal_states_are_kept_once() -> None:
    task = draw_task("S______", "______G", hand=(DOMINO, TRIPLE), moves=9)
    search, node, _ = started(task)
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
        assert walk_on(task, node, placement.mask) == fresh


def test_the_closest_plan_stands_where_there_is_no_way() -> None:
    found = plan_beam(draw_task("S_______G", hand=(DOMINO, TRIPLE), moves=9))
    assert (found.distance, found.steps, found.pieces) == (3, 5, 2)


def test_fewer_steps_count_more_than_fewer_pieces() -> None:
    found = plan_beam(draw_task("S_g", "._.", "...", hand=(parse_piece("#"),), moves=9))
    assert (found.distance, found.steps, found.pieces) == (0, 2, 1)


def test_of_equal_walks_the_one_with_fewer_pieces_wins() -> None:
    found = plan_beam(draw_task("S..g", "____", hand=(DOMINO,), moves=9))
    assert found.pieces == 0


def test_goal_under_the_figure_needs_no_plan() -> None:
    task = draw_task("S_._", hand=(DOMINO,))
    found = plan_beam(Task(task.position, 1 << task.position.cell))
    assert str(found.plan) == "pass"
    assert found.distance == 0


def test_a_search_that_is_stopped_gives_the_best_so_far() -> None:
    task = island_task(2)
    found = plan_beam(task, is_over=lambda: True)
    assert found.is_stopped
    check_plan(task, found)


def test_a_second_search_finds_its_fit_data_in_the_cache() -> None:
    cache: FitCache[list[Potential]] = FitCache()
    task = island_task(6)
    first = plan_beam(task, width=8, cache=cache)
    second = plan_beam(task, width=8, cache=cache)
    assert (first.cost.fit_hits, first.cost.fit_misses) == (0, first.cost.expanded)
    assert (second.cost.fit_hits, second.cost.fit_misses) == (first.cost.expanded, 0)
    assert first == second


def test_other_plans_are_legal_too() -> None:
    task = island_task(1)
    found = plan_beam(task, width=8)
    assert len(found.others) >= 8
    for plan in found.others:
        play(task.position, plan)


def test_the_best_plan_with_each_number_of_pieces_comes_first_among_the_others() -> None:
    found = plan_beam(draw_task("S________G", hand=(DOMINO, TRIPLE), moves=9))
    assert len(found.plan.pieces) == 2
    assert [str(plan) for plan in found.others[:2]] == ["place 1 @1,0; walk E E E", "pass"]


@pytest.mark.parametrize("seed", range(60))
def test_a_beam_without_end_is_as_good_as_brute_force(seed: int) -> None:
    task = tiny_task(seed)
    found = plan_beam(task, width=10**6)
    assert found.key == best_by_brute_force(task)
    check_plan(task, found)


@pytest.mark.parametrize("case", planning_cases("blob"), ids=lambda case: case.id)
def test_width_16_is_optimal_on_every_blob_case(case: PlanningCase) -> None:
    found = plan_beam(case.task)
    assert found.key == case.best
    check_plan(case.task, found)


def test_width_16_is_optimal_on_ten_of_twelve_island_cases() -> None:
    missed = {case.id for case in planning_cases("islands") if plan_beam(case.task).key != case.best}
    assert missed == {"H249", "H268"}


def test_no_width_is_better_than_the_exhaustive_optimum() -> None:
    for case in planning_cases("islands"):
        assert plan_beam(case.task, width=48).key >= case.best


def test_width_16_is_as_good_as_width_256_on_nearly_all_island_cases() -> None:
    tasks = [island_task(seed) for seed in range(12)]  # a hundred of them: python -m benchmarks.placement widths
    equal = sum(plan_quantum(task, width=16).key[:2] == plan_quantum(task, width=256).key[:2] for task in tasks)
    assert equal >= 11


@pytest.mark.parametrize("seed", range(12))
def test_one_walk_scores_every_placement_as_a_walk_of_its_own_does(seed: int) -> None:
    task = island_task(seed)
    search, node, found = started(task)
    assert score_at_once(task, search.rings, node, found) == score_one_by_one(task, search.rings, node, found)


@pytest.mark.parametrize("seed", range(60))
def test_quantum_and_plain_search_are_one_on_tiny_boards(seed: int) -> None:
    task = tiny_task(seed)
    assert plan_quantum(task, width=4) == plan_beam(task, width=4)


def test_quantum_and_plain_search_are_one_on_the_planning_cases() -> None:
    for case in planning_cases():
        assert plan_quantum(case.task, width=8) == plan_beam(case.task, width=8)


def test_a_walk_carries_the_placements_that_allow_it() -> None:
    task = draw_task("S_____", "______", "_____G", hand=(DOMINO,), moves=2)
    _, node, found = started(task)
    board = task.position.board
    walked = walk_quantum(board, node, potential_map(found, board.stride), task.position.moves)
    flat = [number for number, placement in enumerate(found) if placement.mask == board.mask([Cell(1, 0), Cell(2, 0)])]
    at_two = [(steps, members) for steps, cell, members in walked if cell == board.bit(Cell(2, 0))]
    assert at_two == [(2, 1 << flat[0])]


def test_an_empty_set_is_no_way() -> None:
    task = draw_task("S__.__G", hand=(parse_piece("#"),), moves=9)
    _, node, found = started(task)
    walked = walk_quantum(task.position.board, node, potential_map(found, task.position.board.stride), 9)
    assert {task.position.board.cell(cell) for _, cell, _ in walked} == {Cell(1, 0)}


def test_a_limit_walks_the_placements_that_promise_most() -> None:
    task = island_task(8)
    search, node, found = started(task)
    limited = score_best_at_once(task, search.rings, node, found, limit=10)
    exact = score_at_once(task, search.rings, node, found)
    scored = [number for number, standing in enumerate(limited) if standing.distance < len(search.rings)]
    assert len(scored) == 10
    assert all(limited[number] == exact[number] for number in scored)
    promises = [promise(task.position.board, search.rings, node, placement.mask) for placement in found]
    assert max(promises[number] for number in scored) <= min(
        promises[number] for number in range(len(found)) if number not in scored
    )


def test_a_limited_quantum_search_gives_legal_plans() -> None:
    for seed in range(6):
        check_plan(island_task(seed), plan_quantum(island_task(seed), width=8, limit=32))


def test_rings_are_manhattan_distances_to_the_nearest_goal() -> None:
    board = make_board(5, 3)
    rings = manhattan_rings(board, board.mask([Cell(0, 0), Cell(4, 2)]))
    for distance, ring in enumerate(rings):
        for cell in board.cells(ring):
            assert min(cell.manhattan(Cell(0, 0)), cell.manhattan(Cell(4, 2))) == distance
    assert sum(rings) == board.inside


def test_closest_is_the_nearest_ring_and_the_fewest_steps_to_it() -> None:
    board = make_board(5, 1)
    rings = manhattan_rings(board, 1 << 4)
    assert closest(rings, [1 << 1, 1 << 0 | 1 << 2]) == (2, 1, 1 << 2)


def test_a_toll_is_paid_for_every_cell_entered() -> None:
    rows = ("S.__g", "_____", ".....")
    board = make_board(5, 3)
    floor, void = mask_of(*rows, signs="S.g"), mask_of(*rows, signs="_")
    start, goal = board.bit(Cell(0, 0)), mask_of(*rows, signs="g")
    assert toll_distance(board, floor, void, start, goal) == 1 + 2 + 2 + 1
    assert toll_distance(board, floor, 0, start, goal) > 1000


def test_a_goal_on_void_costs_as_much_as_any_void() -> None:
    board = make_board(3, 1)
    assert toll_distance(board, 0b011, 0b100, 0, 0b100) == 3


@pytest.mark.parametrize("seed", range(10))
def test_toll_rings_are_cheapest_ways(seed: int) -> None:
    rng = random.Random(seed)
    board = make_board(6, 5)
    cells = list(board.cells(board.inside))
    kinds = {cell: rng.choice((1, 2, 0)) for cell in cells}
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
    void = board.mask(cell for cell in cells if kinds[cell] == 2)
    rings = toll_rings(board, floor, void, board.mask([goal]))
    assert {cell: cost for cost, ring in enumerate(rings) for cell in board.cells(ring)} == costs
