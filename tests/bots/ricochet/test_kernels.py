"""The compiled search against the code of the rules: the same plans, the same counts, the same pauses."""

from __future__ import annotations

import random
import resource
from types import GeneratorType
from typing import Any

import pytest

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.ricochet import beam
from gridjoust.bots.ricochet.optimum import shortest_steps
from gridjoust.bots.ricochet.plans import Task
from gridjoust.games.grid import DIRECTIONS, Cell
from gridjoust.games.ricochet import optimum
from gridjoust.games.ricochet.board import COLOURS, Board, Symbol, Target, both_sides
from gridjoust.games.ricochet.optimum import Plan, Steps
from gridjoust.games.ricochet.proof import MoveRules, Position, judge
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.tiles import FACES, PLAIN_FACES, arrangements, make_board
from tests.bots.planners.both import needs_kernels


def run(steps: Steps) -> tuple[list[int], Plan]:
    """The bounds at its pauses, and what it came to."""
    bounds: list[int] = []
    while True:
        try:
            bounds.append(next(steps))
        except StopIteration as stop:
            return bounds, stop.value


def official(rng: random.Random, faces: str) -> Position:
    board = make_board(rng.choice(list(arrangements(faces))))
    return Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))


def drawn(rng: random.Random) -> Position:
    """A small board of any shape, with pockets that cannot be left or entered; any robot may finish on one in five."""
    width, height = rng.randint(2, 9), rng.randint(3, 9)
    cells = [Cell(x, y) for y in range(height) for x in range(width)]
    edges = [(cell, side) for cell in cells for side in DIRECTIONS if rng.random() < rng.choice([0.05, 0.3])]
    inner = both_sides((c, s) for c, s in edges if 0 <= c.step(s).x < width and 0 <= c.step(s).y < height)
    blocked = frozenset(rng.sample(cells, rng.randint(0, len(cells) - 5)))
    free = [cell for cell in cells if cell not in blocked]
    colour = None if rng.random() < 0.2 else rng.choice(COLOURS[:4])
    target = Target(rng.choice(free), colour, Symbol.CIRCLE)
    board = Board(width, height, blocked, inner, (target,))
    return Position(board, tuple(rng.sample(free, 4)), target)


def both(position: Position, **limits: Any) -> tuple[tuple[list[int], Plan], tuple[list[int], Plan]]:
    task = Task(Slides(position.board), position, **limits)
    plain = optimum.shortest_steps(
        task.slides, position, task.rules, max_states=task.max_states, max_generated=task.budget.left
    )
    return run(shortest_steps(task)), run(plain)


@pytest.mark.default("300")
@needs_kernels
@pytest.mark.parametrize("max_states", [None, 300, 5000])
def test_official_positions_are_solved_as_by_the_rules(max_states: int | None) -> None:
    rng, proven = random.Random(f"official {max_states}"), 0
    for _ in range(25):
        position = official(rng, PLAIN_FACES)
        fast, plain = both(position, max_states=max_states)
        assert fast == plain
        proven += plain[1].moves is not None and judge(position, fast[1].moves or ()).is_right
    assert proven > 10


@pytest.mark.gate
@needs_kernels
def test_small_boards_are_solved_as_by_the_rules_whether_or_not_they_can_be() -> None:
    rng, ends = random.Random("drawn"), set()
    for _ in range(400):
        fast, plain = both(drawn(rng), max_states=20_000)
        assert fast == plain
        ends.add((plain[1].moves is None, plain[1].is_proven, plain[1].expanded > 0))
    assert {(False, True, True), (True, True, True), (False, True, False)} <= ends


@needs_kernels
def test_a_search_of_limited_work_stops_as_by_the_rules_at_the_state_that_reaches_the_limit() -> None:
    rng, cut = random.Random("limited"), 0
    for _ in range(60):
        position, most = official(rng, PLAIN_FACES), rng.choice([1, 2, 50, 333])
        fast, plain = both(position, budget=Budget(most))
        assert fast == plain
        assert plain[1].is_proven or most <= plain[1].generated < most + 16  # successors of a state
        cut += not plain[1].is_proven
    assert 0 < cut < 60


@pytest.mark.gate
@needs_kernels
def test_what_the_kernel_cannot_do_is_left_to_the_rules() -> None:
    rng = random.Random("others")
    for _ in range(6):
        fast, plain = both(official(rng, FACES), max_states=2000)
        assert fast == plain
        fast, plain = both(official(rng, PLAIN_FACES), max_states=2000, rules=MoveRules(printed=True))
        assert fast == plain


@needs_kernels
def test_searches_that_are_dropped_half_way_give_their_memory_back() -> None:
    position = hard(random.Random("dropped"))

    def drop(searches: int) -> int:
        """The most memory that this process has held so far, in kilobytes."""
        for _ in range(searches):
            steps = shortest_steps(Task(slides, position))
            for _ in range(60):  # about a megabyte of states
                next(steps)
            steps.close()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    slides = Slides(position.board)
    before_kb = drop(5)
    assert drop(100) - before_kb < 30_000


def hard(rng: random.Random) -> Position:
    """A position whose search pauses at least 100 times."""
    while True:
        position = official(rng, PLAIN_FACES)
        task = Task(Slides(position.board), position, max_states=100 * optimum.STATES_PER_STEP)
        if run(shortest_steps(task))[1].moves is None:
            return position


@needs_kernels
def test_without_kernels_the_rules_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = official(random.Random(3), PLAIN_FACES)
    task = Task(Slides(position.board), position)
    with_kernels = shortest_steps(task)
    monkeypatch.setattr(kernels, "active", None)
    without = shortest_steps(task)
    assert isinstance(with_kernels, GeneratorType)
    assert isinstance(without, GeneratorType)
    assert (with_kernels.__name__, without.__name__) == ("_steps", "shortest_steps")


@needs_kernels
@pytest.mark.parametrize("limit", [None, 60])
def test_beams_find_the_same_plans_at_the_same_cost_as_the_list_code(
    limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random("beams")
    positions = [official(rng, PLAIN_FACES) for _ in range(6)] + [drawn(rng) for _ in range(30)]

    def plans_of(position: Position) -> list[Plan | None]:
        budget = Budget() if limit is None else Budget(limit)
        return list(beam.plans(Task(Slides(position.board), position, budget=budget), width=4, max_width=64))

    fast = [plans_of(position) for position in positions]
    monkeypatch.setattr(beam, "begin_search", lambda task: None)
    assert [plans_of(position) for position in positions] == fast
    assert any(plan is not None and plan.moves for plans in fast for plan in plans)


@needs_kernels
def test_the_beam_is_nearly_always_optimal_and_bids_before_it_has_looked_far() -> None:
    rng, best, first = random.Random("nearly"), 0, list[int]()
    for _ in range(40):
        position = official(rng, PLAIN_FACES)
        optimum = run(shortest_steps(Task(Slides(position.board), position)))[1].moves or ()
        plans = [plan for plan in beam.plans(Task(Slides(position.board), position)) if plan is not None]
        best += len(plans[-1].moves or ()) == len(optimum)
        first.append(plans[0].expanded)
    assert best >= 38
    assert sorted(first)[20] <= 500
