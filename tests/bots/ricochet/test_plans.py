"""What each planner finds: always right, never longer than before, optimal where it says so."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from bots.ricochet import astar, beam, dijkstra_map, dstar_lite
from bots.ricochet.dstar_lite import StopGraph
from bots.ricochet.helpers import blockers_of, settings
from bots.ricochet.plans import Plan, Task
from bots.ricochet.solve import PLANNERS
from games.ricochet.optimum import find_shortest
from games.ricochet.proof import PLAIN, MoveRules, Position, judge
from games.ricochet.slides import Slides, slides_of
from games.ricochet.tiles import arrangements, make_board
from tests.games.ricochet.boards import drawn_position, random_position

PRINTED = MoveRules(printed=True, early_stop=False)


def official_positions(count: int, *, faces: str = "ABC") -> list[Position]:
    rng = random.Random(f"planners/{faces}")
    boards = list(arrangements(faces))
    positions: list[Position] = []
    while len(positions) < count:
        board = make_board(rng.choice(boards))
        position = Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))
        found = find_shortest(slides_of(board), position, max_states=4000).moves
        if found:
            positions.append(position)
    return positions


POSITIONS = official_positions(12)


def all_plans(name: str, position: Position, rules: MoveRules = PLAIN, max_states: int | None = 20_000) -> list[Plan]:
    task = Task(slides_of(position.board), position, rules, max_states)
    return [plan for plan in PLANNERS[name](task) if plan is not None]


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("rules", [PLAIN, PRINTED], ids=["plain", "printed"])
def test_every_plan_is_right_and_shorter_than_the_one_before(name: str, rules: MoveRules) -> None:
    solved = 0
    for position in POSITIONS[:6]:
        found = [plan.moves for plan in all_plans(name, position, rules) if plan.moves is not None]
        assert all(judge(position, moves, rules).is_right for moves in found)
        lengths = [len(moves) for moves in found]
        assert all(later < earlier for earlier, later in pairwise(lengths))
        solved += bool(lengths)
    assert solved >= 3


@pytest.mark.parametrize("name", PLANNERS)
def test_what_is_claimed_proven_is_the_optimum(name: str) -> None:
    for position in POSITIONS:
        optimum = len(find_shortest(slides_of(position.board), position).moves or ())
        for plan in all_plans(name, position):
            if plan.is_proven:
                assert plan.moves is not None
                assert len(plan.moves) == optimum


@pytest.mark.parametrize("name", ["astar", "bfs"])
def test_optimal_planners_prove_every_answer(name: str) -> None:
    assert all(all_plans(name, position, max_states=None)[-1].is_proven for position in POSITIONS)


def test_astar_expands_far_less_than_breadth_first_search() -> None:
    def expanded(name: str) -> int:
        return sum(all_plans(name, position, max_states=None)[-1].expanded for position in POSITIONS)

    assert expanded("astar") * 5 < expanded("bfs")


@pytest.mark.parametrize(("name", "share"), [("beam", 0.9), ("dijkstra_map", 0.6), ("dstar_lite", 0.6)])
def test_the_others_find_the_optimum_often_but_not_by_proof(name: str, share: float) -> None:
    best = 0
    for position in POSITIONS:
        lengths = [len(plan.moves) for plan in all_plans(name, position) if plan.moves is not None]
        best += bool(lengths) and lengths[-1] == len(find_shortest(slides_of(position.board), position).moves or ())
    assert best >= share * len(POSITIONS)


def test_the_map_and_d_star_lite_find_solutions_of_the_same_length() -> None:
    for position in POSITIONS:
        plans = [all_plans(name, position, max_states=None) for name in ("dijkstra_map", "dstar_lite")]
        rolled, repaired = ([plan.moves and len(plan.moves) for plan in found][-1] for found in plans)
        assert rolled == repaired


CLOSED = drawn_position("+---+---+---+\n| rt|R      |\n+---+---+---+")


@pytest.mark.parametrize("name", PLANNERS)
def test_an_unreachable_target_ends_every_planner(name: str) -> None:
    last = all_plans(name, CLOSED, max_states=None)[-1]
    assert last.moves is None


@pytest.mark.parametrize("name", ["astar", "bfs"])
def test_optimal_planners_prove_that_there_is_no_solution(name: str) -> None:
    assert all_plans(name, CLOSED, max_states=None)[-1].is_proven


@pytest.mark.parametrize("name", PLANNERS)
def test_a_few_states_are_enough_to_end_without_a_claim(name: str) -> None:
    hard = next(position for position in POSITIONS if all_plans("astar", position)[-1].expanded > 300)
    last = all_plans(name, hard, max_states=5)[-1]
    assert last.moves is None or not last.is_proven or judge(hard, last.moves).is_right
    assert last.expanded < 5000


def test_a_long_astar_search_offers_a_guess_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(astar, "STATES_BEFORE_A_GUESS", 256)
    hard = max(POSITIONS, key=lambda position: all_plans("astar", position)[-1].expanded)
    plans = all_plans("astar", hard)
    assert [plan.is_proven for plan in plans] == [False, True]


def test_wider_beams_go_on_until_the_bound_is_met_or_the_width_is_used_up() -> None:
    position = POSITIONS[0]
    task = Task(slides_of(position.board), position)
    narrow = [plan for plan in beam.plans(task, width=1, max_width=1) if plan is not None]
    wide = [plan for plan in beam.plans(task, width=1, max_width=256) if plan is not None]
    lengths = [len(plan.moves) if plan.moves else 99 for plan in (narrow[-1], wide[-1])]
    assert lengths[1] <= lengths[0]
    assert wide[-1].expanded >= narrow[-1].expanded


def test_settings_come_by_number_of_helper_moves_each_once() -> None:
    position = POSITIONS[0]
    task = Task(slides_of(position.board), position)
    seen = [setting for _, setting in zip(range(200), settings(task, 0), strict=False)]
    counts = [len(setting.moves) for setting in seen]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert len({setting.robots for setting in seen}) == 200
    assert len({setting.robots[0] for setting in seen}) == 1  # the finisher stays


def test_the_map_counts_the_moves_of_one_robot_among_standing_ones() -> None:
    position = drawn_position(
        """
+---+---+---+---+
|R              |
+   +   +   +   +
|            rt |
+   +   +   +   +
|B              |
+---+---+---+---+
""".replace(" rt |", "  rt|")
    )
    task = Task(slides_of(position.board), position)
    slides, robots = task.slides, task.slides.numbers(position.robots)
    target = slides.number(position.target.cell)
    chart = dijkstra_map.moves_to_target(task, robots, 0, target)
    assert chart.values[robots[0]] == 2  # south as far as blue lets it, east
    assert dijkstra_map.roll_down(chart, robots[0])[-1] == target


@pytest.mark.parametrize("extras", [False, True])
def test_moved_helpers_change_the_graph_as_if_it_were_made_anew(extras: bool) -> None:
    rng = random.Random(f"graph/{extras}")
    for _ in range(10):
        position = random_position(rng, extras=extras)
        task = Task(Slides(position.board), position)
        robots = task.slides.numbers(position.robots)
        graph = StopGraph(task, 0, blockers_of(task, robots, 0))
        for _, setting in zip(range(20), settings(task, 0), strict=False):
            blockers = blockers_of(task, setting.robots, 0)
            graph.put(blockers)
            fresh = StopGraph(task, 0, blockers)
            for cell in range(task.slides.size):
                assert graph.neighbours(cell) == fresh.neighbours(cell)
                assert sorted(graph.predecessors(cell)) == sorted(fresh.predecessors(cell))


def test_planners_find_their_way_over_diagonals_and_with_any_robot() -> None:
    board = make_board(("1D", "2D", "3D", "4D"))
    vortex = next(target for target in board.targets if target.colour is None)
    position = Position(board, tuple(random.Random("any").sample(board.start_cells(), 4)), vortex)
    optimum = len(find_shortest(slides_of(board), position).moves or ())
    for planner in (astar.plans, beam.plans, dijkstra_map.plans, dstar_lite.plans):
        task = Task(slides_of(board), position, max_states=20_000)
        found = [plan.moves for plan in planner(task) if plan is not None and plan.moves]
        assert found
        assert len(found[-1]) >= optimum
