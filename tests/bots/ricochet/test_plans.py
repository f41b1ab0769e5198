"""What each planner finds: always right, never longer than before, optimal where it says so."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import pytest

from gridjoust.bots.planners.stats import INF
from gridjoust.bots.ricochet import astar, beam
from gridjoust.bots.ricochet.dijkstra_map import ways
from gridjoust.bots.ricochet.dstar_lite import StopGraph
from gridjoust.bots.ricochet.dstar_lite import ways as repaired_ways
from gridjoust.bots.ricochet.plans import Counter, MakeWays, Task, moves_of_path, settings, stops_within_reach
from gridjoust.bots.ricochet.solve import PLANNERS
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position, judge
from gridjoust.games.ricochet.slides import Slides, slides_of
from gridjoust.games.ricochet.tiles import make_board
from tests.games.ricochet.boards import drawn_position, length, official_positions, random_position, solve
from tests.tiers import gate_but

PRINTED = MoveRules(printed=True, early_stop=False)
POSITIONS = list(
    islice((each for each in official_positions("planners/ABC") if solve(each, max_states=4000).moves), 12)
)


@cache
def all_plans(name: str, position: Position, rules: MoveRules = PLAIN, max_states: int | None = None) -> list[Plan]:
    task = Task(slides_of(position.board), position, rules, max_states)
    return [plan for plan in PLANNERS[name](task) if plan is not None]


def lengths_of(plans: list[Plan], position: Position, rules: MoveRules = PLAIN) -> list[int]:
    """Of the solutions, each of which must be right and shorter than the one before."""
    solutions = [plan.moves for plan in plans if plan.moves is not None]
    assert all(judge(position, moves, rules).is_right for moves in solutions)
    lengths = [len(moves) for moves in solutions]
    assert lengths == sorted(set(lengths), reverse=True)
    return lengths


@pytest.mark.default("beam-0.9", "astar-1", "dijkstra_map-0.6")
@pytest.mark.parametrize(
    ("name", "share"),
    [("astar", 1), ("idastar", 1), ("bfs", 1), ("beam", 0.9), ("dijkstra_map", 0.6), ("dstar_lite", 0.6)],
)
def test_plans_are_right_ever_shorter_often_the_optimum_and_always_where_they_claim_it(name: str, share: float) -> None:
    best = 0
    for position in POSITIONS:
        optimum = length(solve(position))
        plans = all_plans(name, position, max_states=20_000) if name == "beam" else all_plans(name, position)
        best += lengths_of(plans, position)[-1:] == [optimum]
        assert [length(plan) for plan in plans if plan.is_proven] in ([], [optimum])
        assert plans[-1].is_proven or share < 1
    assert best >= share * len(POSITIONS)


@pytest.mark.gate
def test_the_beam_finds_the_optimum_of_97_positions_in_100() -> None:
    drawn = list(islice(official_positions("the beam's optima"), 100))
    optima, found = ([length(all_plans(name, each)[-1]) for each in drawn] for name in ("astar", "beam"))
    assert sum(one == other for one, other in zip(found, optima, strict=True)) >= 97


@pytest.mark.parametrize("name", gate_but(PLANNERS, ("astar", "dijkstra_map", "dstar_lite")))
def test_printed_plans_are_right_and_ever_shorter(name: str) -> None:
    limit = 20_000 if name in ("bfs", "idastar") else 8_000
    solved = [bool(lengths_of(all_plans(name, each, PRINTED, limit), each, PRINTED)) for each in POSITIONS[:6]]
    assert sum(solved) >= 3


def test_astar_expands_far_less_than_breadth_first_search() -> None:
    best, plain = (sum(all_plans(name, each)[-1].expanded for each in POSITIONS) for name in ("astar", "bfs"))
    assert best * 5 < plain


def test_the_map_and_d_star_lite_find_solutions_of_the_same_length() -> None:
    for position in POSITIONS:
        assert len({length(all_plans(name, position)[-1]) for name in ("dijkstra_map", "dstar_lite")}) == 1


@pytest.mark.parametrize("name", PLANNERS)
def test_unreachable_targets_and_too_few_states_end_every_planner_and_only_a_proof_is_claimed(name: str) -> None:
    last = all_plans(name, drawn_position("+---+---+---+\n| rt|R      |\n+---+---+---+"))[-1]
    assert (last.moves, last.is_proven or name not in ("astar", "bfs", "idastar")) == (None, True)
    hard = next(position for position in POSITIONS if all_plans("astar", position)[-1].expanded > 300)
    last = all_plans(name, hard, max_states=5)[-1]
    assert last.moves is None or not last.is_proven or judge(hard, last.moves).is_right
    assert last.expanded < 5000


def test_a_long_astar_search_offers_a_guess_first(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = max(POSITIONS, key=lambda position: all_plans("astar", position)[-1].expanded)
    monkeypatch.setattr(astar, "STATES_BEFORE_A_GUESS", 256)  # after the plans that are kept for other tests
    plans = [plan for plan in astar.plans(Task(slides_of(hard.board), hard)) if plan is not None]
    assert [plan.is_proven for plan in plans] == [False, True]


def test_wider_beams_go_on_until_the_bound_is_met_or_the_width_is_used_up() -> None:
    task = Task(slides_of(POSITIONS[0].board), POSITIONS[0])
    narrow, wide = ([plan for plan in beam.plans(task, width=1, max_width=most) if plan][-1] for most in (1, 256))
    assert (length(wide) or 99) <= (length(narrow) or 99)
    assert wide.expanded >= narrow.expanded


def test_settings_come_by_number_of_helper_moves_each_once_while_the_finisher_stays() -> None:
    seen = list(islice(settings(Task(slides_of(POSITIONS[0].board), POSITIONS[0]), 0), 200))
    counts = [len(setting.moves) for setting in seen]
    assert (counts[0], counts) == (0, sorted(counts))
    robots = {setting.robots for setting in seen}
    assert (len(robots), len({finisher for finisher, *_ in robots})) == (200, 1)


def test_the_map_counts_the_moves_of_one_robot_among_standing_ones() -> None:
    position = drawn_position("""
+---+---+---+---+
|R              |
+   +   +   +   +
|             rt|
+   +   +   +   +
|B              |
+---+---+---+---+
""")
    task = Task(slides_of(position.board), position)
    way = ways(task, 0, Counter())(task.slides.numbers(position.robots), INF)
    assert [tuple(task.slides.cell(cell)) for cell in way] == [(0, 0), (0, 1), (3, 1)]  # as far as blue lets it, east


@pytest.mark.parametrize("extras", [False, True])
def test_moved_helpers_change_the_graph_in_reach_as_if_it_were_made_anew(extras: bool) -> None:
    rng = random.Random(f"graph/{extras}")
    for _ in range(10):
        position = random_position(rng, extras=extras)
        task = Task(Slides(position.board), position)
        kind = task.slides.kind_of[0]
        lines = task.slides.lines(kind, task.slides.number(position.target.cell))
        graph = StopGraph(task, 0)
        for setting in islice(settings(task, 0), 20):
            blockers, most = task.slides.others(setting.robots, 0), rng.choice((5, INF))
            graph.put(blockers, most)
            fresh = StopGraph(task, 0)
            fresh.put(blockers, most)
            reach = stops_within_reach(task.slides, kind, setting.robots[0], blockers, lines=lines, most=most)
            for cell, stops in reach.items():
                assert graph.neighbours(cell) == fresh.neighbours(cell) == stops
                assert set(fresh.predecessors(cell)) == reach.keys() & set(graph.predecessors(cell))


@pytest.mark.parametrize("make_ways", [ways, repaired_ways])
def test_a_way_is_found_if_it_is_of_use_and_no_longer_one(make_ways: MakeWays) -> None:
    rng = random.Random("of use")
    found = Counter()
    for _ in range(12):
        position = random_position(rng)
        task = Task(Slides(position.board), position)
        limited = make_ways(task, 0, found)
        for setting in islice(settings(task, 0), 25):
            shortest = make_ways(task, 0, Counter())(setting.robots, INF)
            most = rng.randrange(2, 9)
            way = limited(setting.robots, most)
            assert len(way) == (len(shortest) if len(shortest) - 1 <= most else 0)
            assert len(moves_of_path(task, setting.robots, 0, way)) == max(0, len(way) - 1)
    assert found.expanded


def test_planners_find_their_way_over_diagonals_and_with_any_robot() -> None:
    board = make_board(("1D", "2D", "3D", "4D"))
    vortex = next(target for target in board.targets if target.colour is None)
    position = Position(board, tuple(random.Random("any").sample(board.start_cells(), 4)), vortex)
    optimum = length(solve(position))
    for name in ("astar", "beam", "dijkstra_map", "dstar_lite"):
        assert lengths_of(all_plans(name, position, max_states=20_000), position)[-1] >= (optimum or 99)
