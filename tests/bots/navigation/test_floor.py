"""LRTA* on small maps: what it steps to, what it learns, and what it cannot know."""

from __future__ import annotations

from gridjoust.bots.match import play_match
from gridjoust.bots.navigation.floor import Floor, LearntRoute
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF
from gridjoust.games.navigation import Navigation
from tests.bots.seats import asked, seated
from tests.games.navigation.scenes import scene


def grid_of(*rows: str) -> SearchGrid:
    blocked = [cell for cell, sign in enumerate("".join(rows)) if sign == "#"]
    return SearchGrid(len(rows[0]), len(rows), blocked=blocked)


def test_it_steps_towards_the_goal_and_reads_one_cell_an_answer() -> None:
    route = LearntRoute(grid_of("...", "..."), 0, 5)
    stats = route.revise(0, ())
    assert stats is not None
    assert (route.path(), route.cost, stats.expanded, stats.generated) == ((0, 1), 3, 1, 2)
    assert route.revise(5, ()) is None
    assert (route.path(), route.next_step(), route.cost) == ((5,), None, 0)


def test_it_learns_that_a_dead_end_is_far_from_the_goal_and_leaves_it() -> None:
    route = LearntRoute(grid_of("...#.", ".....", "...#."), 2, 4)
    walked = [2]
    while walked[-1] != 4:
        route.revise(walked[-1], ())
        step = route.next_step()
        assert step is not None
        walked.append(step)
    assert walked == [2, 7, 8, 9, 4]
    assert route.shown(4)["learnt"].heat[2] == 4  # on an empty board 2


def test_what_it_has_learnt_is_dropped_when_a_step_gets_cheaper() -> None:
    grid = grid_of("...#.", ".....", "...#.")
    route = LearntRoute(grid, 2, 4)
    route.revise(2, ())
    assert route.next_step() == 7
    route.revise(2, grid.change({3: 1}))
    assert (route.next_step(), route.cost) == (3, 2)
    route.revise(2, grid.change({3: INF}))
    assert route.cost == 4


def test_without_work_it_takes_no_step() -> None:
    route = LearntRoute(grid_of("..."), 0, 2, budget=Budget(0))
    assert route.revise(0, ()) is None
    assert (route.next_step(), route.cost) == (None, INF)


def test_it_gives_up_only_if_no_cell_beside_it_is_free() -> None:
    for rows, answer in ((("0#a", "##."), "give up"), (("0.#a", "####"), "E")):
        shown = scene(*rows, connectivity="4")
        assert asked(seated(Floor(), shown.game, shown.state), shown.game, shown.state) == answer


def test_it_reaches_the_goal_of_every_unknown_map_that_has_a_path() -> None:
    for seed in range(6):
        game = Navigation({"knowledge": "unknown", "density": 0.35, "width": 20, "height": 20}, seats=1)
        metrics = play_match(game, [Floor()], seed=seed).metrics[0]
        assert metrics["reached"] == 1
        assert metrics["cost"] >= metrics["reference"]
