"""Beam search over own actions, with the rules as forward model and rivals assumed to stand still."""

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

HASTE = 0.1  # weight of the missing worth at each tick of a plan, compared with that at its end
CEILING = 200.0  # points above the present worth that no plan reaches


class BeamBomber(AnytimeBot, TargetBot):
    """Simulates its next ticks, keeps the `width` most promising sequences of actions, and begins the best of them.

    The first answer looks one tick ahead and is ready at once; the second looks `depth` ticks ahead. Without work left
    for the second there is only one answer: by then the referee may have gone on.
    """

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = 8, depth: int = 12, rival_reach: int = 0) -> None:
        super().__init__(rival_reach=rival_reach)
        if width < 1 or depth < 1:
            raise ValueError(f"width and depth: expected at least 1, got {width} and {depth}")
        self._width = width
        self._depth = depth

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str]:
        """Yield a quick answer and a searched one; the deadline cuts the second search short."""
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
    """Return the first action of the best plan found; the states that the beam keeps are appended to `layers`."""
    ceiling = model.worth(decision.now.state) + CEILING

    def missing(_: State, state: State) -> float:
        return max(0.0, ceiling - model.worth(state)) * HASTE

    def successors(state: State) -> list[State]:
        """Return the states one tick later; from the present one only those that an allowed move leads to."""
        heads = [model.play(state, action) for action in model.actions(state)]
        if state is not decision.now.state:
            return heads
        allowed = [head for head in heads if _is_allowed(decision, head)]
        decision.now.work.count_tactics(len(heads) - len(allowed))
        return allowed

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
    """Return True if the planner may choose the first step that leads to this state."""
    own, now = head.players[decision.now.seat], decision.now
    return decision.bombs_here if own.ammo_used > now.own.ammo_used else own.cell in decision.allowed
