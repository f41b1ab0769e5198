"""What a seat sees of a match, as the planner wants it. Decides nothing.

Two worlds in one value: the turn to be planned (own figure, own hand) and where the rivals stand and want to go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.placement.task import Task, toll_rings
from games.grid import Cell
from games.placement.apply import Position
from games.placement.board import Board, Mask, make_board
from games.placement.pieces import Shape, coverable, make_shape, orientations

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """Where somebody stands and the goals that are missing."""

    cell: int
    goals: Mask


@dataclass(frozen=True, slots=True)
class Scene:
    """One question: the turn to be planned, and everybody else."""

    task: Task
    rivals: tuple[Figure, ...]
    min_cells: int  # of the smallest piece there is


class Reader:
    """Turns views of one match into scenes; made from the briefing."""

    def __init__(self, briefing: View) -> None:
        width, height = briefing["size"]
        params = briefing["params"]
        self.board: Board = make_board(width, height)
        self.walls: Mask = _mask(self.board, briefing["walls"])
        self._moves: int = params["moves"]
        self._reflect: bool = params["reflect"]
        pieces = [make_shape(cells) for cells in briefing["pieces"]]
        self._min_cells = min(map(len, pieces))
        self._smallest: tuple[Shape, ...] = tuple(
            dict.fromkeys(
                lying.shape
                for piece in pieces
                if len(piece) == self._min_cells
                for lying in orientations(piece, reflect=self._reflect)
            )
        )

    def scene(self, view: View, seat: int) -> Scene:
        """What that seat is asked."""
        board = self.board
        floor = board.drawn(view["board"], ".")
        hand = tuple(make_shape(cells) for cells in view["hands"][seat])
        figures = [
            Figure(board.bit(Cell(*place)), _mask(board, goals))
            for place, goals in zip(view["positions"], view["missing"], strict=True)
        ]
        own = figures[seat]
        position = Position(board, floor, self.walls, own.cell, hand, self._moves, self._reflect)
        dead = position.void & ~coverable(board, position.void, self._smallest)
        rings = toll_rings(board, floor, position.void & ~dead, own.goals)
        task = Task(position, own.goals, rings, dead)
        return Scene(task, tuple(figure for other, figure in enumerate(figures) if other != seat), self._min_cells)


def _mask(board: Board, places: Sequence[Sequence[int]]) -> Mask:
    return board.mask(Cell(x, y) for x, y in places)
