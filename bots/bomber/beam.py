"""Beam search over own actions, with a forward model of bombs, fires and pick-ups; rivals stand still in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gridjoust.bots.api import AnytimeBot, Deadline, Observation
from gridjoust.bots.bomber.forward_model import ForwardModel, Line
from gridjoust.bots.bomber.target_bot import Decision, TargetBot, Wish
from gridjoust.bots.planners.beam import NEVER, IsOver, beam_lookahead
from gridjoust.bots.planners.budget import OutOfWork
from gridjoust.bots.planners.trail import by_depth

MOST_WON = 200.0  # points that no tick of a plan wins


class BeamBomber(AnytimeBot, TargetBot):
    """Simulates its next ticks, keeps the `width` most promising sequences of actions, and begins the best of them.

    The first answer looks one tick ahead and is ready at once; the second looks `depth` ticks ahead. If the first
    answer has spent all work, there is no second.
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
        try:
            model = ForwardModel(decision)
            wish: Wish | None = _search(decision, model, width=1, depth=1, is_over=NEVER)
        except OutOfWork:
            wish = None
        if self.work.is_spent:
            yield self.settle(decision, wish)
            return
        yield self.answer(decision, wish)
        layers: list[list[Line]] | None = None if self.lens is None else []
        wish = _search(decision, model, width=self._width, depth=self._depth, is_over=deadline.is_over, layers=layers)
        if layers is not None:
            places = decision.now.rules.board.places
            self.show("depth", heat=by_depth(layers, lambda line: places[line.cell]))
        yield self.settle(decision, wish)


def _search(
    decision: Decision,
    model: ForwardModel,
    *,
    width: int,
    depth: int,
    is_over: IsOver,
    layers: list[list[Line]] | None = None,
) -> Wish:
    """Return the first action of the best plan found; the lines that the beam keeps are appended to `layers`."""
    plan = beam_lookahead(
        model.start,
        neighbours=model.successors,
        cost=lambda line, longer: MOST_WON - (longer.worth - line.worth),  # of equal lines the better one is kept
        rank=lambda line, _: -model.worth(line),
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
    return Wish(plan.path[1].cell, plan.path[-1].cell, bool(plan.path[1].laid), len(plan.path) - 1)
