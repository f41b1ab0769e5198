"""What the bots of three planners share: they go for value per step and survive by look-ahead. Plans nothing.

A planner's bot says where it wants to go (`Wish`); this base sees to it that the step is safe, that bombs are laid
only with a way out, and that what cannot be had is left alone for a while.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic

from bots.api import Bot, MatchSetup, Observation
from bots.bomber.memory import M, Memory, make_memories
from bots.bomber.prospects import Prospects, can_be_shut_in, contested_cells, find_prospects, has_shelter
from bots.bomber.safety import Safety
from bots.planners.stats import SearchCost
from bots.reported import search_stats
from games.bomber.actions import Action
from games.bomber.params import Rules
from games.bomber.state import Seat, State

RIVAL_STEPS = 2  # from how far off a rival is feared to come and shut one in
PATIENCE_TICKS = 6  # how often in a row a step may be refused before its target is barred


@dataclass(frozen=True, slots=True)
class Wish:
    """What a planner wants now: to be in a cell next, or to lay a bomb; and what it is after."""

    cell: int  # the own cell or a neighbour
    target: int
    is_bomb: bool = False
    plan_cost: float | None = None


@dataclass
class Decision(Generic[M]):
    """One decision of one seat: the situation, what is worth going to, what is safe."""

    memory: Memory[M]
    state: State
    safety: Safety
    cost: SearchCost = field(default_factory=SearchCost)  # of the planner's searches

    @property
    def rules(self) -> Rules:
        """Of the match."""
        return self.memory.rules

    @property
    def seat(self) -> Seat:
        """Whose decision it is."""
        return self.memory.seat

    @property
    def here(self) -> int:
        """The own cell."""
        return self.state.players[self.memory.seat].cell

    @cached_property
    def contested(self) -> Collection[int]:
        """What a rival is nearer to."""
        return contested_cells(self.rules, self.state, self.seat)

    @cached_property
    def prospects(self) -> Prospects:
        """All that is worth something, but for what is barred."""
        barred = self.memory.barred(self.state.tick)
        return find_prospects(self.rules, self.state, self.seat, barred=barred, contested=self.contested)

    def is_wanted(self, cell: int) -> bool:
        """Whether a target is worth a way: a place for a bomb only with a shelter from it, others always."""
        return cell not in self.prospects.bombing or cell in self.lying or self.is_sheltered(cell)

    def is_sheltered(self, cell: int) -> bool:
        """Whether there is somewhere to go from a bomb in that cell."""
        return has_shelter(self.rules, self.state, self.seat, cell)

    def is_exposed(self, cell: int) -> bool:
        """Whether a rival could soon shut the seat in there."""
        return can_be_shut_in(self.rules, self.state, self.seat, cell, reach=RIVAL_STEPS)

    @cached_property
    def lying(self) -> Collection[int]:
        """Cells of ammo and treasure."""
        return {*(token.cell for token in self.state.ammo), *self.state.treasure}

    def wish_for(self, target: int, next_cell: int, *, plan_cost: float) -> Wish:
        """To go on to the target, and to bomb once there if that is what it is good for."""
        is_bomb = target == self.here and target in self.prospects.bombing and self.state.players[self.seat].ammo > 0
        return Wish(next_cell, target, is_bomb, plan_cost)


class TargetBot(Bot, Generic[M]):
    """Base of the planners' bots. A subclass makes its memory, and answers by `look`, a wish of its own, and `settle`.

    `rival_reach`: for how many ticks rivals are thought to walk into the ways out (see `Safety`).
    """

    plays: ClassVar[tuple[str, ...]] = ("bomber",)

    def __init__(self, *, rival_reach: int = 0) -> None:
        self._rival_reach = rival_reach
        self._memories: dict[Seat, Memory[M]] = {}

    def start(self, setup: MatchSetup) -> None:
        """One memory per seat held."""
        self._memories = make_memories(setup, self.make_memory)

    def make_memory(self, rules: Rules) -> M:
        """What the planner keeps from tick to tick, for one seat."""
        raise NotImplementedError

    def look(self, observation: Observation) -> Decision[M]:
        """The situation after this observation."""
        memory = self._memories[observation.seat]
        state = memory.tracker.update(observation.view)
        safety = Safety(memory.rules, state, memory.seat, windows=memory.tracker.windows, rival_reach=self._rival_reach)
        return Decision(memory, state, safety)

    def settle(self, decision: Decision[M], wish: Wish | None) -> str:
        """The answer to a wish (None = nothing to go to), and what is remembered: what could not be had is barred."""
        wish = wish or Wish(decision.here, decision.here)
        cell, text = self.answer(decision, wish)
        memory, tick = decision.memory, decision.state.tick
        if wish.is_bomb and text != Action.BOMB.value:
            memory.bar(decision.here, tick=tick)
        memory.refusals = 0 if wish.cell in (cell, decision.here) else memory.refusals + 1
        if memory.refusals > PATIENCE_TICKS:
            memory.bar(wish.target, tick=tick)
        return text

    def answer(self, decision: Decision[M], wish: Wish) -> tuple[int, str]:
        """(cell to be in next, action text): the wish if it is safe, otherwise the safest there is. Sets `stats`."""
        safety = decision.safety
        if wish.is_bomb and safety.may_bomb():
            cell, text = decision.here, Action.BOMB.value
        else:
            cell = safety.pick(self._choices(decision, wish))
            text = decision.rules.board.action_to(decision.here, cell).value
        self.stats = search_stats(decision.cost, *safety.searches, plan_cost=wish.plan_cost)
        return cell, text

    def _choices(self, decision: Decision[M], wish: Wish) -> list[int]:
        """All moves: the wish, then the way out of what will burn, staying, and the rest as drawn.

        A wish to stay does not hold where it will burn: rivals' feet may close the way out meanwhile.
        """
        moves = decision.safety.moves()
        wished = [wish.cell] if wish.cell != decision.here and wish.cell in moves else []
        choices = dict.fromkeys([*wished, _way_out(decision), decision.here, *self.rng.sample(moves, len(moves))])
        return sorted(choices, key=decision.is_exposed)


def _way_out(decision: Decision[M]) -> int:
    """The first cell on the way to the nearest one that never burns; the own cell if there is none."""
    look, here = decision.safety.plain, decision.here
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
