"""The arcs that a hero can walk, their prices, and estimates of distance.

An arc costs the AP of its actions: 1 through an open doorway or the Secret Passage, 2 if a barrier must be cleared
first. Cells on team-mates' planned paths cost slightly more, so that of equal paths the less used one is taken.

Roads search no paths: the bot's planner measures them when the tactics ask how far something is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import hypot

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import INF
from gridjoust.games.eidolon.actions import Act, BreakBarrier, Move, Passage
from gridjoust.games.eidolon.dungeon import Dungeon
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.state import Seat, State
from gridjoust.games.grid import Cell, Direction

SHARED_CELL_AP = 0.125  # price of a cell on a team-mate's path; floats hold it exactly
KEPT_DUNGEONS = 64  # limit of cached dungeons; a search that clears barriers makes new ones

Distance = Callable[[Cell, Cell], float]
Measure = Callable[["Roads", Cell, Sequence[Cell]], Mapping[Cell, float]]
"""(roads, start, cells) -> AP to each cell, infinite without a path; cells for which the work ran out are left out."""


def manhattan(here: Cell, there: Cell) -> float:
    """Return the Manhattan distance: the steps between two cells on an open board."""
    return abs(here.x - there.x) + abs(here.y - there.y)


DISTANCES: Mapping[str, Distance] = {
    "manhattan": manhattan,
    "euclidean": lambda here, there: hypot(here.x - there.x, here.y - there.y),  # never more than `manhattan`
}


class Roads:
    """The arcs of one dungeon for heroes with one kind of walking; valid while the dungeon stays the same."""

    def __init__(self, dungeon: Dungeon, measure: Measure, *, way: str = "doors", work: Budget = UNLIMITED) -> None:
        """Prepare the arcs of the dungeon for one kind of walking.

        Args:
            dungeon: the tiles that lie
            measure: returns the AP from a cell to others, as the bot's planner finds them
            way: through `doors`, through `half` doors (the Rogue), `beside` (with `free_movement`), or through `walls`
                and barriers (the Rogue's surge)
            work: counts the arcs as tactics
        """
        self.dungeon = dungeon
        self.way = way
        self._ways = dungeon.ways("beside" if way == "walls" else way)
        self.arcs: dict[Cell, tuple[tuple[Cell, int], ...]] = {cell: self._arcs_from(cell) for cell in dungeon.at}
        self._work = work
        work.count_tactics(sum(map(len, self.arcs.values())))
        self._measure = measure
        self._pairs: dict[Cell, dict[Cell, float]] = {}  # start -> cell -> AP as measured; infinite = no path
        self._distances: dict[Cell, dict[Cell, int]] = {}
        self._guesses: dict[Cell, dict[Cell, int]] = {}  # distances with estimates, for one answer

    def _arcs_from(self, cell: Cell) -> tuple[tuple[Cell, int], ...]:
        steps = [(other, 1 + self._is_blocked(cell, direction)) for direction, other in self._ways[cell].items()]
        passages = self.dungeon.passages
        return (*steps, (passages[cell], 1)) if cell in passages else tuple(steps)

    def _is_blocked(self, cell: Cell, direction: Direction) -> bool:
        return self.way != "walls" and self.dungeon.is_blocked(cell, direction)

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells one arc away, in the order N, E, S, W, passage."""
        return list(dict.fromkeys(other for other, _ in self.arcs.get(cell, ())))

    def counted_neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells one arc away and count them as tactics."""
        near = self.neighbours(cell)
        self._work.count_tactics(len(near))
        return near

    def cost(self, cell: Cell, other: Cell) -> float:
        """Return the AP of the cheapest arc; infinite if there is none."""
        return min((ap for head, ap in self.arcs.get(cell, ()) if head == other), default=float("inf"))

    def prices(self, price: Distance | None = None) -> dict[tuple[Cell, Cell], float]:
        """Return (cell, next cell) -> price of every arc; by default its AP."""
        of = price or self.cost
        return {(cell, other): of(cell, other) for cell, arcs in self.arcs.items() for other, _ in arcs}

    def distances(self, start: Cell) -> Mapping[Cell, int]:
        """Return the AP from `start` to every cell that can be reached, as the bot's planner finds them.

        If the planner has no work left, the other distances are estimated by `estimate` until the next answer.
        """
        known = self._distances.get(start) or self._guesses.get(start)
        return self._measured(start) if known is None else known

    def _measured(self, start: Cell) -> dict[Cell, int]:
        pairs = self._pairs.setdefault(start, {start: 0})
        for cell, ap in self._measure(self, start, [cell for cell in self.arcs if cell not in pairs]).items():
            pairs[cell] = ap
            self._pairs.setdefault(cell, {cell: 0})[start] = ap  # arcs cost the same in both directions
        is_complete = all(cell in pairs for cell in self.arcs)
        found = pairs if is_complete else {cell: self.estimate(start, cell) for cell in self.arcs} | pairs
        kept = self._distances if is_complete else self._guesses
        kept[start] = {cell: int(found[cell]) for cell in self.arcs if found[cell] < INF}
        return kept[start]

    @cached_property
    def estimate(self) -> Distance:
        """Function that estimates the AP between two cells on an open board, or through the Secret Passage."""
        return passage_aware(manhattan, self.dungeon.passages)

    def learn(self, start: Cell, goal: Cell, ap: int) -> None:
        """Replace the AP between two cells by what walking there has shown."""
        for cell, other in ((start, goal), (goal, start)):
            self.distances(cell)
            self._distances[cell][other] = ap

    def forget_guesses(self) -> None:
        """Forget estimated distances, so that the planner measures them when they are asked for again."""
        self._guesses.clear()

    def path(self, start: Cell, goal: Cell) -> tuple[Cell, ...]:
        """Return a cheapest path, both ends included; `goal` must be in reach.

        If wrong estimates keep the path from coming nearer, it jumps to the goal.
        """
        left = self.distances(goal)
        path = [start]
        while path[-1] != goal:
            beside = min(self.arcs[path[-1]], key=lambda arc: arc[1] + left.get(arc[0], INF))[0]
            if len(path) > 1 and left.get(beside, INF) >= left[path[-1]]:
                return (*path, goal)
            path.append(beside)
        return tuple(path)

    def act_towards(self, cell: Cell, other: Cell) -> Act:
        """Return the action that leads, or begins to lead, from a cell to its neighbour by the cheapest arc."""
        for direction, beside in self._ways[cell].items():
            if beside == other:
                if not self._is_blocked(cell, direction):
                    return Move(direction)
                if self.dungeon.passages.get(cell) != other:
                    return BreakBarrier(direction)
        return Passage()


class RoadBook:
    """Keeps the roads of the latest dungeons, for every kind of walking; `work` counts the successors generated."""

    def __init__(self, rules: Rules, measure: Measure, work: Budget = UNLIMITED) -> None:
        self._rules = rules
        self._measure = measure
        self.work = work
        self._roads: dict[tuple[str, Dungeon], Roads] = {}

    def roads(self, state: State, seat: Seat) -> Roads:
        """Return the arcs that the seat's hero can walk in the state's dungeon."""
        is_surging = state.is_surging and state.active == seat
        return self.along("walls" if is_surging else self._rules.way_of(seat), state.dungeon)

    def along(self, way: str, dungeon: Dungeon) -> Roads:
        """Return the arcs of a dungeon for one kind of walking, such as `doors` (see `Roads`)."""
        key = way, dungeon
        if key not in self._roads:
            if len(self._roads) >= KEPT_DUNGEONS:
                self._roads.clear()
            self._roads[key] = Roads(dungeon, self._measure, way=way, work=self.work)
        return self._roads[key]

    def begin_answer(self) -> None:
        """Forget estimated distances, as the planner has new work to measure them."""
        for roads in self._roads.values():
            roads.forget_guesses()


def passage_aware(distance: Distance, passages: Mapping[Cell, Cell]) -> Distance:
    """Return a function that gives a lower bound of the AP between two cells: straight, or by the Secret Passage.

    By the passage it is the distance to its mouth, + 1, + the rest. It never exceeds the true cost if every arc between
    neighbours costs 1 or more and the passage 1, and it never exceeds the path over any third cell: it suits A* and
    D* Lite.
    """
    mouths = list(passages.items())

    def estimate(here: Cell, there: Cell) -> float:
        least = distance(here, there)
        for mouth, exit_ in mouths:
            through = distance(here, mouth) + 1 + distance(exit_, there)
            least = min(least, through)
        return least

    return estimate


def to_nearest(distance: Distance, goals: Iterable[Cell]) -> Callable[[Cell], float]:
    """Return a function that estimates the distance from a cell to the nearest of several goals."""
    kept = tuple(goals)
    return lambda cell: min([distance(cell, goal) for goal in kept], default=0.0)


def paper_sum(distance: Distance, start: Cell, goals: Iterable[Cell]) -> Callable[[Cell], float]:
    """Return the paper's heuristic, a function: the distance from the start plus that to the nearest goal.

    **Not admissible.**
    """
    backward = to_nearest(distance, goals)
    return lambda cell: distance(start, cell) + backward(cell)
