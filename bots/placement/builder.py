"""What every placement bot shares: read the board, let its planner find plans, choose by tactics. Finds none itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from bots.api import AnytimeBot, Deadline, MatchSetup, Observation
from bots.placement.tactics import Aims, choose
from bots.placement.task import Figure, Found, IsOver, Scene, Task, toll_rings
from bots.reported import search_stats
from games.grid import Cell
from games.placement.actions import PASS_TEXT
from games.placement.pieces import coverable, make_shape, orientations
from games.placement.view import read_position

View = Mapping[str, Any]


class Reader:
    """Turns views of one match into scenes; made from the briefing."""

    def __init__(self, briefing: View) -> None:
        self._reflect: bool = briefing["params"]["reflect"]
        pieces = [make_shape(cells) for cells in briefing["pieces"]]
        self._min_cells = min(map(len, pieces))
        smallest = [piece for piece in pieces if len(piece) == self._min_cells]
        ways = [lying.shape for piece in smallest for lying in orientations(piece, reflect=self._reflect)]
        self._smallest = tuple(dict.fromkeys(ways))

    def scene(self, view: View, seat: int) -> Scene:
        """What that seat is asked."""
        position = read_position(view, seat, reflect=self._reflect)
        board, void = position.board, position.void
        figures = [
            Figure(board.bit(Cell(*place)), board.mask(Cell(x, y) for x, y in goals))
            for place, goals in zip(view["positions"], view["missing"], strict=True)
        ]
        own = figures.pop(seat)
        dead = void & ~coverable(board, void, self._smallest)
        rings = toll_rings(board, position.floor, void & ~dead, own.goals)
        return Scene(Task(position, own.goals, rings, dead), tuple(figures), self._min_cells)


class Builder(AnytimeBot):
    """Plans towards the own goal and chooses among what its planner found.

    `own` and `hinder` weigh the own way against the rivals'; with `hinder` 0 it is a mere racer.
    """

    plays: ClassVar[tuple[str, ...]] = ("placement",)

    def __init__(self, *, own: float = 1.0, hinder: float = 0.5) -> None:
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
            outcome = choose(scene, (found.plan, *found.others), self._aims, is_over=deadline.is_over)
            self.stats = search_stats(found.cost, plan_cost=float(found.distance))
            self.show("plan", text=str(outcome.plan))
            yield str(outcome.plan)
            answered = True
            if deadline.is_over():
                return
        if not answered:
            yield PASS_TEXT

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:
        """Searches, each better than the one before; at least one."""
        raise NotImplementedError(f"{type(self).__name__} has no plans method")
