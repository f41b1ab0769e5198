"""Beam search over own actions with the rules as forward model; the rivals are thought to stand still."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gridjoust.bots.api import AnytimeBot, Deadline, Observation
from gridjoust.bots.bomber.forward_model import ForwardModel
from gridjoust.bots.bomber.prospects import has_shelter
from gridjoust.bots.bomber.target_bot import Decision, TargetBot, Wish
from gridjoust.bots.planners.beam import NEVER, IsOver, beam_lookahead
from gridjoust.bots.planners.trail import by_depth
from gridjoust.games.bomber.state import State

HASTE = 0.1  # weight of what is missing in every tick of a plan beside what is missing at its end
CEILING = 200.0  # points above the present worth that no plan reaches


class BeamBomber(AnytimeBot, TargetBot):
    """Plays out its own next ticks, the `width` most promising ways of doing so, and starts on the best.

    The first answer looks one tick ahead and is there at once; the second looks `depth` ticks ahead. Where no work is
    left for the second there is none: by then the referee may have gone on.
    """

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = 8, depth: int = 12, rival_reach: int = 0) -> None:
        super().__init__(rival_reach=rival_reach)
        if width < 1 or depth < 1:
            raise ValueError(f"width and depth: expected at least 1, got {width} and {depth}")
        self._width = width
        self._depth = depth

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str]:
        """Two answers; the deadline cuts the second one's search short."""
        decision = self.look(observation)
        bombless = {cell for cell in decision.prospects.bombing if not has_shelter(decision.now, cell)}
        model = ForwardModel(decision.now, barred=decision.barred, bombless=bombless, contested=decision.contested)
        wish = _search(decision, model, width=1, depth=1, is_over=NEVER)
        if self.work.is_spent:
            yield self.settle(decision, wish)
            return
        yield self.answer(decision, wish)
        layers: list[list[State]] | None = None if self.lens is None else []
        wish = _search(decision, model, width=self._width, depth=self._depth, is_over=deadline.is_over, layers=layers)
        if layers is not None:
            places, seat = decision.now.rules.board.places, decision.now.seat
            self.show("depth", heat=by_depth(layers, lambda state: places[state.players[seat].cell]))
        yield self.settle(decision, wish)


def _search(
    decision: Decision,
    model: ForwardModel,
    *,
    width: int,
    depth: int,
    is_over: IsOver,
    layers: list[list[State]] | None = None,
) -> Wish:
    """What the best plan found begins with; situations that survive in the beam go into `layers`."""
    ceiling = model.worth(decision.now.state) + CEILING

    def missing(_: State, state: State) -> float:
        return max(0.0, ceiling - model.worth(state)) * HASTE

    def successors(state: State) -> list[State]:
        """At first only what is allowed now."""
        heads = [model.play(state, action) for action in model.actions(state)]
        return [head for head in heads if _is_allowed(decision, head)] if state is decision.now.state else heads

    plan = beam_lookahead(
        decision.now.state,
        neighbours=successors,
        cost=missing,
        rank=lambda state, so_far: so_far - model.worth(state),
        width=width,
        depth=depth,
        is_over=is_over,
        budget=decision.budget,
        layers=layers,
    )
    decision.cost.add(plan.stats)
    now = decision.now
    if len(plan.path) < 2:
        return Wish(now.here, now.here)
    own, last = plan.path[1].players[now.seat], plan.path[-1].players[now.seat]
    return Wish(own.cell, last.cell, own.ammo_used > now.own.ammo_used, len(plan.path) - 1)


def _is_allowed(decision: Decision, head: State) -> bool:
    """Whether the first step to this situation is one that the planner may choose."""
    own, now = head.players[decision.now.seat], decision.now
    return decision.bombs_here if own.ammo_used > now.own.ammo_used else own.cell in decision.allowed
