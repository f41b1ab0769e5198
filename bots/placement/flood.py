"""The beam's expansions by a kernel, where it was built: the same placements and standings as in the list code."""

from __future__ import annotations

from typing import Any

from gridjoust.bots.placement.potential import Left, Potential, pre_rotate, unlike
from gridjoust.bots.placement.task import Standing, Task
from gridjoust.bots.planners import kernels
from gridjoust.games.placement.board import Mask, Rings
from gridjoust.games.placement.pieces import offsets, shape_mask

_KERNELS: Any = kernels.compiled_kernels("placement")


class Flood:
    """The walks of one task: over Floor alone, and with each piece that could be laid."""

    def __init__(self, task: Task, rings: Rings) -> None:
        position, board = task.position, task.position.board
        ways = [
            [(way, offsets(way.lying.shape, board.stride), shape_mask(way.lying.shape, board.stride)) for way in piece]
            for piece in pre_rotate(position.hand, reflect=position.reflect)
        ]
        self._position = position
        self._packed = _KERNELS.begin(
            (board.stride, board.inside), position.walls, position.cell, position.moves, rings, ways
        )

    def walk(self, floor: Mask) -> list[Mask]:
        """As `gridjoust.games.placement.board.walk_layers` from the figure's cell, as far as its moves go."""
        layers: list[Mask] = _KERNELS.walk(self._packed, floor)
        return layers

    def candidates(self, floor: Mask, left: Left, node: object, kind: type) -> list[Any]:
        """`kind` of (standing, node, placement) for every placement in reach of a piece left, one of each kind."""
        pieces = unlike(self._position.hand, left, reflect=self._position.reflect)
        found: list[Any] = _KERNELS.expand(self._packed, floor, pieces, node, (kind, Standing, Potential))
        return found


def make_flood(task: Task, rings: Rings) -> Flood | None:
    """None where the list code is to run."""
    return None if kernels.active is None or _KERNELS is None else Flood(task, rings)
