"""What the bots of three planners share: they go for value per step and survive by look-ahead. Plans nothing.

A planner's bot says where it wants to go (`Wish`); this base sees to it that the step is safe, that bombs are laid
only with a way out, and that what cannot be had is left alone for a while.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from bots.api import Bot, MatchSetup, Observation
from bots.bomber.prospects import Prospects, can_be_shut_in, contested_cells, find_prospects, has_shelter
from bots.bomber.safety import Safety
from bots.bomber.situation import Situation
from bots.bomber.tracker import Memory, make_memories
from bots.planners.budget import Budget
from bots.planners.stats import PlanStats
from bots.reported import search_stats
from games.bomber.actions import Action
from games.bomber.state import Seat

RIVAL_STEPS = 2  # from how far off a rival is feared to come and shut one in
PLANNING_SHARE = 0.5  # of limited work: the other half is for not stepping into fire
PATIENCE_TICKS = 6  # how often in a row a step may be refused before its target is barred


@dataclass(frozen=True, slots=True)
class Wish:
    """What a planner wants now: to be in a cell next, or to lay a bomb; and what it is after."""

    cell: int  # the own cell or a neighbour
    target: int
    is_bomb: bool = False
    plan_cost: float | None = None


@dataclass
class Decision:
    """One decision of one seat: the situation, what is worth going to, what is safe."""

    memory: Memory
    now: Situation
    safety: Safety
    budget: Budget  # for the planner's searches
    cost: PlanStats = field(default_factory=PlanStats)  # of the planner's searches

    @cached_property
    def barred(self) -> Collection[int]:
        """Cells that are no targets now."""
        return self.memory.barred(self.now.state.tick)

    @cached_property
    def contested(self) -> Collection[int]:
        """What a rival is nearer to."""
        return contested_cells(self.now)

    @cached_property
    def prospects(self) -> Prospects:
        """All that is worth something, but for what is barred."""
        return find_prospects(self.now, barred=self.barred, contested=self.contested)

    def is_wanted(self, cell: int) -> bool:
        """Whether a target is worth a way: a place for a bomb only with a shelter from it, others always."""
        return cell not in self.prospects.bombing or cell in self.lying or has_shelter(self.now, cell)

    @cached_property
    def lying(self) -> Collection[int]:
        """Cells of ammo and treasure."""
        return {*(token.cell for token in self.now.state.ammo), *self.now.state.treasure}

    def wish_for(self, target: int, next_cell: int, *, plan_cost: float) -> Wish:
        """To go on to the target, and to bomb once there if that is what it is good for."""
        is_bomb = target == self.now.here and target in self.prospects.bombing and self.now.own.ammo > 0
        return Wish(next_cell, target, is_bomb, plan_cost)


class TargetBot(Bot):
    """Base of the planners' bots. A subclass answers by `look`, a wish of its own, and `settle`.

    `rival_reach`: for how many ticks rivals are thought to walk into the ways out (see `Safety`).
    """

    plays: ClassVar[tuple[str, ...]] = ("bomber",)

    def __init__(self, *, rival_reach: int = 0) -> None:
        self._rival_reach = rival_reach
        self._memories: dict[Seat, Memory] = {}

    def start(self, setup: MatchSetup) -> None:
        """One memory per seat held."""
        self._memories = make_memories(setup)

    def look(self, observation: Observation) -> Decision:
        """The situation after this observation."""
        memory = self._memories[observation.seat]
        now = memory.look(observation.view)
        budget = self.work.part(PLANNING_SHARE)
        return Decision(memory, now, Safety(now, rival_reach=self._rival_reach, budget=self.work), budget)

    def settle(self, decision: Decision, wish: Wish | None) -> str:
        """The answer to a wish (None = nothing to go to), and what is remembered: what could not be had is barred."""
        wish = wish or Wish(decision.now.here, decision.now.here)
        if self.lens is not None:
            places = decision.now.rules.board.places
            self.show("worth", heat={places[cell]: value for cell, value in decision.prospects.values.items()})
            self.show("target", arrows=[(places[decision.now.here], places[wish.target])])
        cell, text = self.answer(decision, wish)
        memory, tick = decision.memory, decision.now.state.tick
        if wish.is_bomb and text != Action.BOMB.value:
            memory.bar(decision.now.here, tick=tick)
        memory.refusals = 0 if wish.cell in (cell, decision.now.here) else memory.refusals + 1
        if memory.refusals > PATIENCE_TICKS:
            memory.bar(wish.target, tick=tick)
        return text

    def answer(self, decision: Decision, wish: Wish) -> tuple[int, str]:
        """(cell to be in next, action text): the wish if it is safe, otherwise the safest there is. Sets `stats`."""
        safety = decision.safety
        if wish.is_bomb and safety.may_bomb():
            cell, text = decision.now.here, Action.BOMB.value
        else:
            cell = safety.pick(self._choices(decision, wish))
            text = decision.now.rules.board.action_to(decision.now.here, cell).value
        self.stats = search_stats(decision.cost, *safety.costs, plan_cost=wish.plan_cost)
        return cell, text

    def _choices(self, decision: Decision, wish: Wish) -> list[int]:
        """All moves: the wish, then the way out of what will burn, staying, and the rest as drawn.

        A wish to stay does not hold where it will burn: rivals' feet may close the way out meanwhile.
        """
        moves = decision.safety.moves()
        wished = [wish.cell] if wish.cell != decision.now.here and wish.cell in moves else []
        choices = dict.fromkeys([*wished, _way_out(decision), decision.now.here, *self.rng.sample(moves, len(moves))])
        return sorted(choices, key=lambda cell: can_be_shut_in(decision.now, cell, reach=RIVAL_STEPS))


def _way_out(decision: Decision) -> int:
    """The first cell on the way to the nearest one that never burns; the own cell if there is none."""
    look, here = decision.safety.plain, decision.now.here
    danger = look.schedule.last_burning
    first_cells = {here: here}
    frontier = [here]
    for cell in frontier:  # grows while it is walked
        if cell not in danger:
            return first_cells[cell]
        for near in look.moves(cell):
            if near not in first_cells:
                first_cells[near] = near if cell == here else first_cells[cell]
                frontier.append(near)
    return here
