"""The base of three planners' bots: they seek value per step and survive by look-ahead.

A planner's bot says where it wants to go (`Wish`). The base keeps the step safe, lays bombs only with an escape, and
for a while bars targets where a bomb proved unsafe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from gridjoust.bots.api import Bot, MatchSetup, Observation
from gridjoust.bots.bomber.prospects import Prospects, can_be_shut_in, contested_cells, find_prospects, has_shelter
from gridjoust.bots.bomber.safety import Safety
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.bomber.tracker import Memory, make_memories
from gridjoust.bots.planners.budget import Budget, OutOfWork
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.games.bomber.actions import Action
from gridjoust.games.bomber.state import Seat

BLOCK_CHANCE = 0.8  # chance that a rival stays trapped by the seat's bomb when the seat stands in its path
RIVAL_STEPS = 2  # steps from which a rival is feared to come and trap the seat
PLANNING_SHARE = 0.5  # share of limited work; the look-ahead for safety gets the other half


@dataclass(frozen=True, slots=True)
class Wish:
    """The next act of a planner: to step to a cell or to lay a bomb, and the target that this serves."""

    cell: int  # the bot's own cell or a neighbour
    target: int
    is_bomb: bool = False
    plan_cost: float | None = None

    def text(self, now: Situation) -> str:
        """Return the text of the action that this wish asks for."""
        return (Action.BOMB if self.is_bomb else now.rules.board.action_to(now.here, self.cell)).value


@dataclass
class Decision:
    """One decision of one seat: the situation, its prospects, its safe moves."""

    memory: Memory
    now: Situation
    safety: Safety
    budget: Budget  # for the planner's searches
    cost: PlanStats = field(default_factory=PlanStats)  # of the planner's searches

    @cached_property
    def barred(self) -> Collection[int]:
        """Cells that are no targets now, because the bot wanted to bomb there some ticks ago and it was not safe."""
        return self.memory.barred(self.now.state.tick)

    @cached_property
    def contested(self) -> Collection[int]:
        """Cells of items that are nearer to a rival."""
        return contested_cells(self.now)

    @cached_property
    def prospects(self) -> Prospects:
        """The seat's prospects, without barred cells; blocking a rival's escape counts as one too.

        Without work left there are none.
        """
        try:
            return self._find_prospects()
        except OutOfWork:
            return Prospects({}, {})

    def _find_prospects(self) -> Prospects:
        found = find_prospects(self.now, barred=self.barred, contested=self.contested)
        worth = BLOCK_CHANCE * self.now.rules.hit_points
        blocking = {cell: found.values.get(cell, 0.0) + worth for cell in self.safety.blocking_moves()}
        return replace(found, values={**found.values, **blocking})

    @cached_property
    def allowed(self) -> list[int]:
        """The cells to step to, or to stay in, that the planner may choose.

        They are the safest; of these, if possible, only those in which no rival can trap the seat. A seat that is ahead
        in HP ignores such traps: it can trade hits. If the work is spent before the safest cells are known, it stays.
        """
        safest = [self.now.here]
        try:
            safest = self.safety.best_moves
            if self.now.is_ahead:
                return safest
            return [cell for cell in safest if not can_be_shut_in(self.now, cell, reach=RIVAL_STEPS)] or safest
        except OutOfWork:
            return safest

    def look_ahead(self) -> tuple[list[int], bool]:
        """Return (`allowed`, `bombs_here`), computed before a search begins.

        If a search computed them, their work would be counted twice.
        """
        return self.allowed, self.bombs_here

    @cached_property
    def may_bomb(self) -> bool:
        """True if the bot can lay a bomb now in its own cell and escape it."""
        return self.now.own.ammo > 0 and self.now.here not in self.now.bomb_cells and self.safety.may_bomb()

    @cached_property
    def bombs_here(self) -> bool:
        """True if it pays and is safe to lay a bomb now in the bot's own cell; without work left that is not known."""
        try:
            return self.now.here in self.prospects.bombing and self.may_bomb
        except OutOfWork:
            return False

    def is_wanted(self, cell: int) -> bool:
        """Return True if a target is worth a path: a bomb's cell needs shelter, the bot's own cell must be safe."""
        if cell == self.now.here:
            return self.bombs_here or (cell in self.allowed and cell not in self.prospects.bombing)
        return cell not in self.prospects.bombing or cell in self.lying or has_shelter(self.now, cell)

    @cached_property
    def lying(self) -> Collection[int]:
        """Cells of ammo and treasure."""
        return {*(token.cell for token in self.now.state.ammo), *self.now.state.treasure}

    def wish_for(self, target: int, next_cell: int, *, plan_cost: float) -> Wish:
        """Make the wish to go to `next_cell` for the target, or to bomb if it is reached and a bomb pays there."""
        return Wish(next_cell, target, target == self.now.here and self.bombs_here, plan_cost)


class TargetBot(Bot):
    """Base of the planners' bots: a subclass plans a wish, if it has work left to do so.

    `rival_reach`: for how many ticks rivals are assumed to walk into escapes (see `Safety`).
    """

    plays: ClassVar[tuple[str, ...]] = ("bomber",)

    def __init__(self, *, rival_reach: int = 0) -> None:
        self._rival_reach = rival_reach
        self._memories: dict[Seat, Memory] = {}
        self.decided: Counter[str] = Counter()  # answers by who decided: planner, safety (one move was left), tactics

    def start(self, setup: MatchSetup) -> None:
        """Prepare one memory for every seat held."""
        self._memories = make_memories(setup)

    def look(self, observation: Observation) -> Decision:
        """Return the decision to make after this observation."""
        memory = self._memories[observation.seat]
        now = memory.look(observation.view, self.work)
        budget = self.work.part(PLANNING_SHARE)
        decision = Decision(memory, now, Safety(now, rival_reach=self._rival_reach, budget=self.work), budget)
        decision.look_ahead()
        return decision

    def act(self, observation: Observation) -> str:
        """Return the action of the planner's wish, or a safe one."""
        decision = self.look(observation)
        try:
            wish = self.wish(decision)
        except OutOfWork:
            wish = None
        return self.settle(decision, wish)

    def wish(self, decision: Decision) -> Wish | None:
        """Return what the planner wants to do now, None without a target; OutOfWork if its work is spent before."""
        raise NotImplementedError(f"{type(self).__name__} has no wish method")

    def settle(self, decision: Decision, wish: Wish | None) -> str:
        """Return the action's text for a wish (None = no target).

        It also counts whether the planner, safety or the tactics decided.
        """
        now = decision.now
        if self.lens is not None:
            places = now.rules.board.places
            self.show("worth", heat={places[cell]: value for cell, value in decision.prospects.values.items()})
            self.show("target", arrows=[(places[now.here], places[now.here if wish is None else wish.target])])
        text = self.answer(decision, wish)
        is_own = wish is not None and text == wish.text(now)
        self.decided["planner" if is_own and len(decision.allowed) > 1 else "safety" if is_own else "tactics"] += 1
        if not decision.bombs_here and now.here in decision.prospects.bombing and now.own.ammo:
            decision.memory.bar(now.here, tick=now.state.tick)
        return text

    def answer(self, decision: Decision, wish: Wish | None) -> str:
        """Return the wish's action if it is allowed and does not wait in a coming fire, else a move away from fire."""
        now, allowed = decision.now, decision.allowed
        self.stats = search_stats(
            decision.cost, *decision.safety.costs, plan_cost=None if wish is None else wish.plan_cost
        )
        is_waiting = wish is not None and wish.cell == now.here and not wish.is_bomb
        is_for_fire = is_waiting and now.here in decision.safety.plain.schedule.last_burning
        if wish is not None and not is_for_fire and (wish.is_bomb or wish.cell in allowed):
            return wish.text(now)
        choices = dict.fromkeys([_way_out(decision), now.here, *self.rng.sample(allowed, len(allowed))])
        cell = next(cell for cell in choices if cell in allowed)
        return now.rules.board.action_to(now.here, cell).value


def _way_out(decision: Decision) -> int:
    """Return the first cell on the path to the nearest cell that never burns.

    It is the bot's own cell if there is none, or if no work is left to find it.
    """
    look, here = decision.safety.plain, decision.now.here
    danger = look.schedule.last_burning
    first_cells = {here: here}
    frontier = [here]
    for cell in frontier:  # the list grows while it is walked
        if cell not in danger:
            return first_cells[cell]
        if decision.now.work.is_spent:
            break
        moves = look.moves(cell)
        decision.now.work.count_tactics(len(moves))
        for near in moves:
            if near not in first_cells:
                first_cells[near] = near if cell == here else first_cells[cell]
                frontier.append(near)
    return here
