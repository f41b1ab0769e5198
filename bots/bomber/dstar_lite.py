"""D* Lite: one search for the whole match, to all prospects at once, repaired as the board changes.

Every prospect has an arc to one goal that is not on the board; the more it is worth, the cheaper the arc. So a prospect
that appears, vanishes or changes its value is one changed price, and the search never starts over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import ClassVar

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.bomber.target_bot import Decision, TargetBot, Wish
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.dstar_lite import DStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.bots.planners.watched import dstar_lite_class, repairs
from gridjoust.games.bomber.board import Board

STEP = 16  # price of a step; prices are whole numbers, so that sums are exact
BLAST_PRICE = 2 * STEP  # extra price of a step into a cell that will burn
WORTH_FACTOR = 0.93  # a target one step further must be worth 1 / 0.93 as much
MOST_STEPS = 100  # price in steps of a target whose value is 1


class Pursuit:
    """The D* Lite search of one seat, from its cell to all targets at once.

    Its goal is a node beyond the board, and each target has an arc to it. `goal` is the node's number: one more than
    the last cell's.
    """

    def __init__(self, board: Board, *, make_planner: type[DStarLite[int]] = DStarLite) -> None:
        self._board = board
        self._make_planner = make_planner
        self.goal = len(board.places)
        self._entries: list[float] = [STEP] * self.goal
        self._ends: dict[int, float] = {}  # cell -> price of its arc to the goal
        self._planner: DStarLite[int] | None = None
        self.spent = PlanStats()  # cost of the first search and of all its repairs

    def search(
        self, here: int, *, entries: Mapping[int, float], ends: Mapping[int, float], budget: Budget
    ) -> PlanStats:
        """Repair the search for a bot in cell `here` and the present prices; return its cost.

        `entries`: cell -> price of entering it. `ends`: target cell -> price of its arc to the goal.
        """
        changes = list(self._changes(entries, ends))
        self._entries = [entries[cell] for cell in range(self.goal)]
        self._ends = dict(ends)
        if self._planner is None:
            self._planner = self._make_planner(
                here,
                self.goal,
                neighbours=self._heads,
                predecessors=self._tails,
                cost=self._price,
                heuristic=self._bound,
            )
        else:
            self._planner.move_start(here)
            self._planner.update(changes)
        cost = self._planner.search(budget=budget)
        self.spent.add(cost)
        return cost

    @property
    def cost(self) -> float:
        """Cost of the path to the best target, its arc to the goal included, in steps."""
        return INF if self._planner is None else self._planner.cost / STEP

    def way(self) -> tuple[int, ...]:
        """Return the cells from the bot's own to the best target; empty if there is no path."""
        return () if self._planner is None else self._planner.path()[:-1]

    def shown(self) -> tuple[list[int], list[int]]:
        """Return (cells repaired for this answer, in order; cells kept from before); both empty unless watched."""
        repaired, kept = ([cell for cell in cells if cell != self.goal] for cells in repairs(self._planner))
        return repaired, kept

    def _changes(self, entries: Mapping[int, float], ends: Mapping[int, float]) -> Iterator[ArcChange[int]]:
        for cell, old in enumerate(self._entries):
            if entries[cell] != old:
                yield from (ArcChange(near, cell, old, entries[cell]) for near in self._board.neighbours[cell])
        for cell in sorted(self._ends.keys() | ends.keys()):
            old, new = self._ends.get(cell, INF), ends.get(cell, INF)
            if old != new:
                yield ArcChange(cell, self.goal, old, new)

    def _heads(self, cell: int) -> tuple[int, ...]:
        if cell == self.goal:
            return ()
        near = self._board.neighbours[cell]
        return (*near, self.goal) if cell in self._ends else near

    def _tails(self, cell: int) -> tuple[int, ...]:
        return tuple(sorted(self._ends)) if cell == self.goal else self._board.neighbours[cell]

    def _price(self, tail: int, head: int) -> float:
        return self._ends[tail] if head == self.goal else self._entries[head]

    def _bound(self, robot: int, cell: int) -> float:
        return 0 if self.goal in (robot, cell) else STEP * self._board.distance(robot, cell)


class DStarLiteBomber(TargetBot):
    """Follows the cheapest path to the target of most value for its steps; one search is repaired every tick."""

    planner: ClassVar[str] = "dstar_lite"

    def start(self, setup: MatchSetup) -> None:
        """Prepare a memory and a search for every seat held."""
        super().start(setup)
        made = dstar_lite_class(is_watched=self.lens is not None)
        self.pursuits = {
            seat: Pursuit(memory.tracker.rules.board, make_planner=made) for seat, memory in self._memories.items()
        }

    def wish(self, decision: Decision) -> Wish | None:
        """Return the next step of the repaired search."""
        pursuit = self.pursuits[decision.now.seat]
        entries, ends = _entries(decision), _ends(decision)
        decision.cost.add(pursuit.search(decision.now.here, entries=entries, ends=ends, budget=decision.budget))
        way = pursuit.way()
        if self.lens is not None:
            place = decision.now.rules.board.places.__getitem__
            repaired, kept = pursuit.shown()
            self.show("way", path=map(place, way))
            self.show("repaired", nodes=map(place, repaired))
            self.show("kept", frontier=map(place, kept))
        if not way:
            return None
        return decision.wish_for(way[-1], way[min(1, len(way) - 1)], plan_cost=pursuit.cost)


def _entries(decision: Decision) -> dict[int, float]:
    """Return cell -> price of entering it now, infinite if it is blocked or beside the bot and not an allowed move."""
    now = decision.now
    prices = {cell: STEP + BLAST_PRICE if cell in now.coming_fires else STEP for cell in range(len(now.state.blocks))}
    barred = [near for near in now.rules.board.neighbours[now.here] if near not in decision.allowed]
    return prices | dict.fromkeys([*now.standing, *barred], INF)


def _ends(decision: Decision) -> dict[int, float]:
    """Return target cell -> price of its arc to the search's goal: the lower, the more the target is worth."""
    return {
        cell: STEP * max(1, MOST_STEPS + round(math.log(worth) / math.log(WORTH_FACTOR)))
        for cell, worth in decision.prospects.values.items()
        if worth > 0 and decision.is_wanted(cell)
    }
