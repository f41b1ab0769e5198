"""The base of all placement bots: it reads the board, lets its planner find plans, and chooses by tactics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, ClassVar

from gridjoust.bots.api import AnytimeBot, Deadline, MatchSetup, Observation
from gridjoust.bots.placement.tactics import Aims, Choice
from gridjoust.bots.placement.task import Figure, Found, IsOver, Scene, Task, aimed_at
from gridjoust.bots.planners.budget import UNLIMITED, Budget, OutOfWork
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.games.bitset import members
from gridjoust.games.grid import Cell
from gridjoust.games.placement.actions import Place, Plan
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Mask
from gridjoust.games.placement.pieces import Shape, coverable, make_shape, smallest_ways, turned
from gridjoust.games.placement.view import read_figures, read_position

View = Mapping[str, Any]
OTHERS = 3  # plans besides the best that are compared


class Reader:
    """Turns views of one match into scenes: the positions, figures and goals for which bots plan."""

    def __init__(self, briefing: View, work: Budget = UNLIMITED) -> None:
        self._work = work
        self._reflect: bool = briefing["params"]["reflect"]
        self._smallest = smallest_ways(map(make_shape, briefing["pieces"]), reflect=self._reflect)

    def scene(self, view: View, seat: int) -> Scene:
        """Return the scene of that seat's question."""
        position = read_position(view, seat, reflect=self._reflect, smallest=self._smallest)
        figures = [Figure(*one) for one in read_figures(position.board, view)]
        own = figures.pop(seat)
        return Scene(toll_task(position, own.goals, self._smallest, self._work), tuple(figures), len(self._smallest[0]))


def toll_task(position: Position, goals: Mask, smallest: Iterable[Shape], work: Budget = UNLIMITED) -> Task:
    """Return the turn as a task whose distances are the price of walking and building, not steps.

    Only Void that one of the `smallest` pieces could cover counts as buildable.
    """
    void = position.void
    dead = void & ~coverable(position.board, void, smallest)
    return aimed_at(Task(position, goals, dead=dead, work=work), goals)


class Builder(AnytimeBot):
    """Plans towards the nearest goal, then towards each missing goal, and chooses among the plans found.

    As in Horneman's article, there are several searches a turn with goals of their own, and the plan that is worth most
    is played. The rival's paths need no search: a piece may lie beside any Floor, wherever figures stand, so tactics
    alone find where it hinders.

    `own` and `hinder` weigh the bot's own path against the rivals'; with `hinder` 0 the bot ignores rivals.
    """

    plays: ClassVar[tuple[str, ...]] = ("placement",)

    def __init__(self, *, own: float = 1.0, hinder: float = 1.0) -> None:
        self._aims = Aims(own, hinder)
        self._readers: dict[int, Reader] = {}

    def start(self, setup: MatchSetup) -> None:
        """Prepare a reader of views for every seat held."""
        self._readers = {seat: Reader(setup.briefing[str(seat)], self.work) for seat in setup.seats}

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """Yield better and better plans; there is at least one, even if the time is over."""
        seat = observation.seat
        scene = self._readers[seat].scene(observation.view, seat)
        answer = ""
        for plan in self._better_plans(scene, seat, deadline.is_over):
            is_new, answer = str(plan) != answer, str(plan)
            if self.lens is not None and is_new:
                self._show_plan(scene.task.position, plan)
            yield answer if is_new else None
            if deadline.is_over():
                return

    def _better_plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Plan]:
        """Yield the planner's first plan at once, as choosing takes longer; then the best choice after each search."""
        choice = Choice(scene, self._aims, is_over=is_over)
        cost, distance = PlanStats(), INF
        for number, found in enumerate(self.searches(scene, seat, is_over)):
            cost, distance = cost + found.cost, min(distance, found.distance)
            self.stats = search_stats(cost, plan_cost=distance)
            if number == 0:
                yield found.plan
            yield choice.weigh((found.plan, *found.others[:OTHERS])).plan

    def searches(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:
        """Yield the planner's results towards the nearest goal, then towards each goal if several are missing.

        Raise OutOfWork if no work is left for a search.
        """
        self._require_work()
        yield from self.plans(scene, seat, is_over)
        goals = members(scene.task.goals)
        for goal in goals if len(goals) > 1 else ():
            task = aimed_at(scene.task, 1 << goal)
            self._require_work()
            yield self.plan_to_goal(task, seat, is_over)

    def _require_work(self) -> None:
        if self.work.is_spent:
            raise OutOfWork

    def _show_plan(self, position: Position, plan: Plan) -> None:
        """Show spectators the pieces laid, in order, and the walk."""
        walked, laid = [position.board.cell(position.cell)], list[Cell]()
        for part in plan.parts:
            if isinstance(part, Place):
                shape = turned(position.hand[part.piece], part.quarters, mirrored=part.mirrored)
                laid += [Cell(part.corner.x + x, part.corner.y + y) for x, y in shape]
            else:
                walked += list(accumulate(part.steps, Cell.step, initial=walked[-1]))[1:]
        self.show("plan", text=str(plan), path=walked, nodes=laid)

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:
        """Yield results of searches towards the nearest goal, each better than the one before; at least one."""
        raise NotImplementedError(f"{type(self).__name__} has no plans method")

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:
        """Return the result of a brief search towards the task's goals (`searches` asks for each goal by itself)."""
        raise NotImplementedError(f"{type(self).__name__} has no plan_to_goal method")
