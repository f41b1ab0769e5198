"""Beam search over own actions with the rules as forward model; the rivals are thought to stand still."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.api import AnytimeBot, Deadline, Observation
from bots.bomber.forward_model import ForwardModel
from bots.bomber.target_bot import Decision, TargetBot, Wish
from bots.planners.beam import NEVER, IsOver, beam_lookahead
from bots.planners.stats import Plan
from games.bomber.params import Rules
from games.bomber.state import State

HASTE = 0.1  # weight of what is missing in every tick of a plan beside what is missing at its end
CEILING = 200.0  # points above the present worth that no plan reaches


class BeamBomber(AnytimeBot, TargetBot[None]):
    """Plays out its own next ticks, the `width` most promising ways of doing so, and starts on the best.

    The first answer looks one tick ahead and is there at once; the second looks `depth` ticks ahead.
    """

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = 8, depth: int = 12, rival_reach: int = 0) -> None:
        super().__init__(rival_reach=rival_reach)
        if width < 1 or depth < 1:
            raise ValueError(f"width and depth: expected at least 1, got {width} and {depth}")
        self._width = width
        self._depth = depth

    def make_memory(self, rules: Rules) -> None:
        """Nothing: every plan starts from scratch."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str]:
        """Two answers; the deadline cuts the second one's search short."""
        decision = self.look(observation)
        model = _make_model(decision)
        _, text = self.answer(decision, _search(decision, model, width=1, depth=1, is_over=NEVER))
        yield text
        yield self.settle(
            decision, _search(decision, model, width=self._width, depth=self._depth, is_over=deadline.is_over)
        )


def _make_model(decision: Decision[None]) -> ForwardModel:
    bombless = {cell for cell in decision.prospects.bombing if not decision.is_sheltered(cell)}
    barred = decision.memory.barred(decision.state.tick)
    return ForwardModel(decision.rules, decision.seat, barred=barred, bombless=bombless, contested=decision.contested)


def _search(decision: Decision[None], model: ForwardModel, *, width: int, depth: int, is_over: IsOver) -> Wish:
    """What the best plan found begins with."""
    ceiling = model.worth(decision.state) + CEILING

    def missing(_: State, state: State) -> float:
        return max(0.0, ceiling - model.worth(state)) * HASTE

    plan = beam_lookahead(
        decision.state,
        neighbours=model.successors,
        cost=missing,
        rank=lambda state, so_far: so_far - model.worth(state),
        width=width,
        depth=depth,
        is_over=is_over,
    )
    decision.cost.add(plan.stats)
    return _first_wish(decision, plan)


def _first_wish(decision: Decision[None], plan: Plan[State]) -> Wish:
    if len(plan.path) < 2:
        return Wish(decision.here, decision.here)
    own, last = plan.path[1].players[decision.seat], plan.path[-1].players[decision.seat]
    is_bomb = own.ammo_used > decision.state.players[decision.seat].ammo_used
    return Wish(own.cell, last.cell, is_bomb, len(plan.path) - 1)
