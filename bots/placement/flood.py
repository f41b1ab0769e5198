"""The beam's expansions by a compiled kernel, if it is built; placements and standings equal those of pure Python."""

from __future__ import annotations

from typing import Any

from gridjoust.bots.placement.potential import Left, Potential, pre_rotate, unlike
from gridjoust.bots.placement.task import Standing, Task
from gridjoust.bots.planners import kernels
from gridjoust.games.placement.board import Mask, Rings
from gridjoust.games.placement.pieces import offsets, shape_mask

_KERNELS: Any = kernels.compiled_kernels("placement")


class Flood:
    """Computes walks by a compiled kernel, for one task: over Floor alone, and with each piece that could be laid."""

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
        """Return the sets of cells first reached in 0, 1, 2 … steps, up to the figure's moves.

        The result is that of `gridjoust.games.placement.board.walk_layers`.
        """
        layers: list[Mask] = _KERNELS.walk(self._packed, floor)
        return layers

    def candidates(self, floor: Mask, left: Left, node: object, kind: type) -> tuple[list[Any], int]:
        """Return ([`kind` of (standing, node, placement)] for every placement in reach, number of cells walked to).

        `left`: numbers of the pieces left; of equal ones only one is laid.
        """
        pieces = unlike(self._position.hand, left, reflect=self._position.reflect)
        found: tuple[list[Any], int] = _KERNELS.expand(self._packed, floor, pieces, node, (kind, Standing, Potential))
        return found


def make_flood(task: Task, rings: Rings) -> Flood | None:
    """Return the kernel's walks of a task, or None if pure Python is to run."""
    return None if kernels.active is None or _KERNELS is None else Flood(task, rings)
