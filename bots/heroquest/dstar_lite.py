"""D* Lite hero: one search tree per hero, rooted behind all goals, repaired as the dungeon becomes known.

Opened doors, squares that turn out to be blocked, monsters that come and go and goals that are reached change a few
arcs; the rest of the tree stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.heroquest.hero_bot import SINK, Field, HeroBot
from gridjoust.bots.heroquest.tactics import Goals
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.dstar_lite import DStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.stats import INF, Plan
from gridjoust.bots.planners.watched import dstar_lite_class, repairs

Arc = tuple[int, int]


class Tree:
    """The D* Lite search of one figure; it is given all arcs anew for each question and repairs what has changed."""

    def __init__(
        self, start: int, arcs: Mapping[Arc, float], *, make_planner: type[DStarLite[int]] = DStarLite
    ) -> None:
        self._costs: dict[Arc, float] = {}
        self._out: dict[int, list[int]] = {}
        self._into: dict[int, list[int]] = {}
        self._add(arcs)
        self._search: DStarLite[int] = make_planner(
            start,
            SINK,
            neighbours=lambda cell: self._out.get(cell, ()),
            predecessors=lambda cell: self._into.get(cell, ()),
            cost=lambda tail, head: self._costs.get((tail, head), INF),
        )

    def _add(self, arcs: Mapping[Arc, float]) -> None:
        """Replace all costs; arcs that are gone stay listed, at infinite cost."""
        for tail, head in arcs:
            if head not in self._out.setdefault(tail, []):
                self._out[tail].append(head)
                self._into.setdefault(head, []).append(tail)
        self._costs = dict(arcs)

    def route(self, start: int, arcs: Mapping[Arc, float], budget: Budget) -> Plan[int]:
        """Repair the search for a figure in `start` and the present arcs; return the path to the sink."""
        before = self._costs
        changed = [arc for arc in {**before, **arcs} if before.get(arc, INF) != arcs.get(arc, INF)]
        self._add(arcs)
        self._search.move_start(start)
        self._search.update([ArcChange(*arc, before.get(arc, INF), arcs.get(arc, INF)) for arc in changed])
        return self._search.plan(budget=budget)

    def shown(self) -> tuple[list[int], list[int]]:
        """Return (nodes repaired for this question, in order; nodes kept from before); both empty unless watched."""
        return repairs(self._search)


class DStarHero(HeroBot):
    """Moves heroes, or Zargon's monsters, by D* Lite."""

    planner: ClassVar[str] = "dstar_lite"

    def start(self, setup: MatchSetup) -> None:
        """Begin a match: there is no search to repair yet."""
        super().start(setup)
        self._trees: dict[int | str, Tree] = {}

    def route(self, field: Field, goals: Goals) -> Plan[int]:
        """Return the path that the figure's own search finds, which is kept and repaired from question to question."""
        arcs = field.arcs(goals)
        self.work.count_tactics(sum(head != SINK for _, head in arcs))
        if field.walker not in self._trees:
            made = dstar_lite_class(is_watched=self.lens is not None)
            self._trees[field.walker] = Tree(field.start, arcs, make_planner=made)
        tree = self._trees[field.walker]
        plan = tree.route(field.start, arcs, self.work)
        if self.lens is not None:
            square = field.situation.board.square
            repaired, kept = ([square(cell) for cell in cells if cell != SINK] for cells in tree.shown())
            self.show("repaired", nodes=repaired)
            self.show("kept", frontier=kept)
        return plan
