"""A Dijkstra map as a bot: Void has its price, the figure rolls downhill, pieces are fitted along the slope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.placement.builder import Builder
from bots.placement.frontiers import IsOver
from bots.placement.scene import Scene
from bots.placement.slopes import plan_map
from bots.placement.task import Found


class SlopeBuilder(Builder):
    """Plans within a millisecond or two, and never looks at two pieces together."""

    planner: ClassVar[str] = "dijkstra_map"

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - one short search
        """One way down."""
        yield plan_map(scene.task)
