"""What every placement bot shares: read the board, let its planner find plans, choose by tactics. Finds none itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, ClassVar

from bots.api import AnytimeBot, Deadline, MatchSetup, Observation
from bots.placement.tactics import Aims, choose
from bots.placement.task import Figure, Found, IsOver, Scene, Task, toll_rings
from bots.reported import search_stats
from games.grid import Cell
from games.placement.actions import PASS_TEXT, Place, Plan
from games.placement.apply import Position
from games.placement.board import Mask
from games.placement.pieces import Shape, coverable, make_shape, smallest_ways, turned
from games.placement.view import read_figures, read_position

View = Mapping[str, Any]
OTHERS = 3  # plans besides the best that are weighed


class Reader:
    """Turns views of one match into scenes; made from the briefing."""

    def __init__(self, briefing: View) -> None:
        self._reflect: bool = briefing["params"]["reflect"]
        self._smallest = smallest_ways(map(make_shape, briefing["pieces"]), reflect=self._reflect)

    def scene(self, view: View, seat: int) -> Scene:
        """What that seat is asked."""
        position = read_position(view, seat, reflect=self._reflect, smallest=self._smallest)
        figures = [Figure(*one) for one in read_figures(position.board, view)]
        own = figures.pop(seat)
        return Scene(toll_task(position, own.goals, self._smallest), tuple(figures), len(self._smallest[0]))


def toll_task(position: Position, goals: Mask, smallest: Iterable[Shape]) -> Task:
    """The turn as bots plan it: near is what is cheap to walk and build; only what `smallest` pieces cover is built."""
    void = position.void
    dead = void & ~coverable(position.board, void, smallest)
    return Task(position, goals, toll_rings(position.board, position.floor, void & ~dead, goals), dead)


class Builder(AnytimeBot):
    """Plans towards the own goal and chooses among what its planner found.

    `own` and `hinder` weigh the own way against the rivals'; with `hinder` 0 it is a mere racer.
    """

    plays: ClassVar[tuple[str, ...]] = ("placement",)

    def __init__(self, *, own: float = 1.0, hinder: float = 1.0) -> None:
        self._aims = Aims(own, hinder)
        self._readers: dict[int, Reader] = {}

    def start(self, setup: MatchSetup) -> None:
        """Prepare the board of every seat held."""
        self._readers = {seat: Reader(setup.briefing[str(seat)]) for seat in setup.seats}

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """The choice among the plans of each search in turn; the first comes whatever the time."""
        seat = observation.seat
        scene = self._readers[seat].scene(observation.view, seat)
        answered = False
        for found in self.plans(scene, seat, deadline.is_over):
            if answered and found.is_stopped:
                return
            plans = (found.plan, *found.others[:OTHERS])
            outcome = choose(scene, plans, self._aims, is_over=deadline.is_over)
            self.stats = search_stats(found.cost, plan_cost=float(found.distance))
            if self.lens is not None:
                self._show_plan(scene.task.position, outcome.plan)
            yield str(outcome.plan)
            answered = True
            if deadline.is_over():
                return
        if not answered:
            yield PASS_TEXT

    def _show_plan(self, position: Position, plan: Plan) -> None:
        """The pieces laid, in order, and the walk."""
        walked, laid = [position.board.cell(position.cell)], list[Cell]()
        for part in plan.parts:
            if isinstance(part, Place):
                shape = turned(position.hand[part.piece], part.quarters, mirrored=part.mirrored)
                laid += [Cell(part.corner.x + x, part.corner.y + y) for x, y in shape]
            else:
                walked += list(accumulate(part.steps, Cell.step, initial=walked[-1]))[1:]
        self.show("plan", text=str(plan), path=walked, nodes=laid)

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:
        """Searches, each better than the one before; at least one."""
        raise NotImplementedError(f"{type(self).__name__} has no plans method")
