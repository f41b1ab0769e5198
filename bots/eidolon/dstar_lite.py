"""D* Lite hero: keeps its searches, and repairs them when tiles, barriers or team-mates' plans change.

The graph is the known dungeon; cells without a tile have no arcs. One search for each cell finds the distances to
it, one for each hero finds its path. When a hero's goal changes, or the Secret Passage opens (the estimate would become
too large), a new search begins.

Prices are whole eighths of an AP (the surcharge of a team-mate's cell is one): sums are then exact, and the search
stops at the first key that cannot help instead of expanding every tie. How much a repair saves depends on the change:
lost tiles, cleared barriers and steps along the path cost almost nothing. Team-mates' new plans reprice whole paths,
which costs more than half of a new search. Paths for exploring are one or two cells long, so a repair cannot save much
there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.eidolon.goals import Goal, GoalPlanner
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary, drawn_at
from gridjoust.bots.eidolon.roads import DISTANCES, Distance, Roads, passage_aware
from gridjoust.bots.planners.dstar_lite import DStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.stats import INF
from gridjoust.bots.planners.watched import dstar_lite_class, repairs
from gridjoust.games.eidolon.state import Seat
from gridjoust.games.grid import Cell

EIGHTHS = 8  # of an AP: the unit of prices here

Prices = dict[tuple[Cell, Cell], int]


def in_eighths(prices: Mapping[tuple[Cell, Cell], float]) -> Prices:
    """Convert prices in AP to whole eighths; the result is exact, as all are multiples of the surcharge."""
    return {arc: round(price * EIGHTHS) for arc, price in prices.items()}


def estimate_in_eighths(distance: Distance, passages: Mapping[Cell, Cell]) -> Distance:
    """Return a function that estimates the cost between two cells, also by the passage, in eighths of an AP."""
    estimate = passage_aware(distance, passages)
    return lambda here, there: EIGHTHS * estimate(here, there)


class PricedGraph:
    """Cells and the prices of the arcs between them; every arc has another in the opposite direction."""

    def __init__(self, prices: Prices) -> None:
        self._prices: Prices = {}
        self._beside: dict[Cell, list[Cell]] = {}
        self.change(prices)

    def change(self, prices: Prices) -> list[ArcChange[Cell]]:
        """Replace all prices; return the arcs that came, went or changed their price."""
        before, self._prices = self._prices, prices
        self._beside = {}
        for tail, head in prices:
            self._beside.setdefault(tail, []).append(head)
        arcs = [*(arc for arc in before if arc not in prices), *prices]
        prices_of = [(arc, before.get(arc, INF), prices.get(arc, INF)) for arc in arcs]
        return [ArcChange(*arc, old, new) for arc, old, new in prices_of if old != new]

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells to which an arc leads from this one; arcs lead from the same cells to this one."""
        return self._beside.get(cell, [])

    def cost(self, tail: Cell, head: Cell) -> float:
        """Return the price of an arc; infinite if there is none."""
        return self._prices.get((tail, head), INF)


class Search(NamedTuple):
    """One D* Lite search, kept from turn to turn, and what it is for."""

    task: tuple[Cell, frozenset[Cell]]  # the goal, and the mouths of the passage
    graph: PricedGraph
    planner: DStarLite[Cell]


class DStarLiteHero(HeroBot):
    """A hero by D* Lite; `heuristic`: `manhattan` or `euclidean`, both with the Secret Passage taken into account."""

    planner: ClassVar[str] = "dstar_lite"

    def __init__(
        self, *, heuristic: str = "manhattan", division: str = "voronoi", talk: bool = True, plan_every: int = 1
    ) -> None:
        super().__init__(division=division, talk=talk, plan_every=plan_every)
        if heuristic not in DISTANCES:
            raise ValueError(f"heuristic: expected one of {', '.join(DISTANCES)}, got {heuristic!r}")
        self._distance = DISTANCES[heuristic]

    def start(self, setup: MatchSetup) -> None:
        """Begin a match: there is no search to repair yet."""
        super().start(setup)
        self._searches: dict[Seat | tuple[str, Cell], Search] = {}
        self._priced: tuple[Roads, Prices] | None = None

    def measure(self, roads: Roads, start: Cell, cells: Sequence[Cell]) -> Mapping[Cell, float]:
        """Return the AP to each of the cells, by one search for all paths to `start`; it is repaired for a new dungeon.

        Arcs cost the same in both directions. Cells not reached before the work ran out are left out.
        """
        found: dict[Cell, float] = {}
        if not cells or self.work.is_spent:
            return found
        search = self._taken_up((roads.way, start), roads, cells[0], start, self._prices_of(roads))
        for cell in cells:
            search.planner.move_start(cell)
            self.spent += search.planner.search(budget=self.work)
            if search.planner.is_stopped:
                break
            found[cell] = search.planner.cost / EIGHTHS
        return found

    def _prices_of(self, roads: Roads) -> Prices:
        """Return the prices of the roads in eighths, without team-mates' paths."""
        if self._priced is None or self._priced[0] is not roads:
            self._priced = roads, in_eighths(roads.prices())
        return self._priced[1]

    def _taken_up(self, key: Seat | tuple[str, Cell], roads: Roads, here: Cell, goal: Cell, prices: Prices) -> Search:
        """Return the search kept under the key, updated to these prices; a new search if the goal has changed."""
        passages = roads.dungeon.passages
        task = goal, frozenset(passages)
        search = self._searches.get(key)
        if search is not None and search.task == task:
            changes = search.graph.change(prices)
            search.planner.move_start(here)
            search.planner.update(changes)
            return search
        graph, estimate = PricedGraph(prices), estimate_in_eighths(self._distance, passages)
        dstar = dstar_lite_class(is_watched=self.lens is not None)(
            here, goal, neighbours=graph.neighbours, cost=graph.cost, heuristic=estimate
        )
        self._searches[key] = Search(task, graph, dstar)
        return self._searches[key]

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return a path to the first goal, by a new or repaired search; None if the work runs out before."""
        goal = goals[0][1]
        prices = in_eighths(planner.roads.prices(planner.price))
        search = self._taken_up(planner.seat, planner.roads, planner.here, goal.cell, prices)
        plan = search.planner.plan(budget=self.work)
        self.spent += plan.stats
        if self.lens is not None:
            self._show_repairs(planner, search.planner)
        if not plan.found:  # the work was spent before a path was found
            return None
        return Itinerary(goal, plan.path, plan.cost / EIGHTHS)

    def _show_repairs(self, planner: GoalPlanner, dstar: DStarLite[Cell]) -> None:
        """Show spectators which cells with tiles the search expanded for this answer, and which it kept."""
        place, tiles = drawn_at(planner), planner.state.dungeon.at
        repaired, kept = ([place(cell) for cell in cells if cell in tiles] for cells in repairs(dstar))
        self.show("repaired", nodes=repaired)
        self.show("kept", frontier=kept)
