"""The planning cases, tasks drawn as boards, and an oracle that knows nothing of bits, order or pruning."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

from gridjoust.bots.placement.task import Task
from gridjoust.games.bitset import members
from gridjoust.games.grid import DIRECTIONS, Cell
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Board, Mask, make_board
from gridjoust.games.placement.pieces import Shape, orientations, piece_set, turned
from tests.games.placement.boards import mask_of, parse_piece, parse_position

DATA = Path(__file__).parent / "data" / "planning_cases.json"
Key = tuple[int, int, int]  # distance left, steps, pieces


@dataclass(frozen=True, slots=True)
class PlanningCase:
    """A task with its exhaustive optimum."""

    id: str
    task: Task
    best: Key
    first_placements: tuple[int, ...]


@cache
def planning_cases(group: str = "") -> tuple[PlanningCase, ...]:
    """All cases whose group starts like that, in file order."""
    written = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
    return tuple(_parse_case(case) for case in written if case["group"].startswith(group))


def _parse_case(case: dict[str, Any]) -> PlanningCase:
    hand = tuple(parse_piece(*piece.split("/")) for piece in case["pieces"])
    task = draw_task(*case["board"], hand=hand, moves=case["moves"])
    best = case["best"]["distance"], case["best"]["steps"], case["best"]["pieces"]
    return PlanningCase(case["id"], task, best, tuple(case["first_placements"]))


def draw_task(*rows: str, hand: tuple[Shape, ...] = (), moves: int = 6, reflect: bool = False) -> Task:
    """`S` start, `g` goal on Floor, `G` goal on Void, `.` Floor, `_` Void, `#` Wall."""
    return Task(parse_position(*rows, hand=hand, moves=moves, reflect=reflect), mask_of(*rows, signs="gG"))


def island_task(seed: int) -> Task:
    """Three to eight small islands on 15 x 15, three pieces of four or five cells, 11 to 24 moves."""
    board = make_board(15, 15)
    rng = random.Random(f"{seed}/island case")
    return _draw_turn(rng, board, floor=_draw_islands(rng, board, 3, 8), walls=0)


def walled_task(seed: int) -> Task:
    """As `island_task`, with three to sixteen islands and up to a third of the other cells Wall."""
    board = make_board(15, 15)
    rng = random.Random(f"{seed}/walled case")
    share = rng.choice((0.0, 0.1, 0.2, 0.3))
    walls = board.mask(cell for cell in board.cells(board.inside) if rng.random() < share)
    floor = _draw_islands(rng, board, 3, 16)
    return _draw_turn(rng, board, floor=floor, walls=walls & ~floor)


def _draw_islands(rng: random.Random, board: Board, fewest: int, most: int) -> Mask:
    floor = 0
    for _ in range(rng.randint(fewest, most)):
        island = 1 << board.bit(Cell(rng.randrange(board.width), rng.randrange(board.height)))
        for _ in range(rng.randint(0, 6)):
            island |= 1 << rng.choice(members(board.spread(island) & ~island))
        floor |= island
    return floor


def _draw_turn(rng: random.Random, board: Board, *, floor: Mask, walls: Mask) -> Task:
    """A start on Floor, a goal six steps away or more that is no Wall, a hand and moves."""
    start = rng.choice(list(board.cells(floor)))
    goal = rng.choice([cell for cell in board.cells(board.inside & ~walls) if cell.manhattan(start) >= 6])
    hand = tuple(_draw_piece(rng) for _ in range(3))
    return Task(Position(board, floor, walls, board.bit(start), hand, rng.randint(11, 24)), 1 << board.bit(goal))


def _draw_piece(rng: random.Random) -> Shape:
    cells = rng.choice((4, 5))
    return turned(rng.choice(piece_set(cells, cells)), rng.randrange(4))


def best_by_brute_force(task: Task) -> Key:
    """Every order of every choice of pieces in every place, each walked on its own."""
    position = task.position
    board = position.board
    floor = frozenset(board.cells(position.floor))
    void = frozenset(board.cells(position.void))
    goals = list(board.cells(task.goals))
    start = board.cell(position.cell)
    best = (10**6, 0, 0)
    for count in range(len(position.hand) + 1):
        seen: set[frozenset[Cell]] = set()
        for order in permutations(range(len(position.hand)), count):
            for finished in _floors(position, floor, void, order):
                if finished not in seen:
                    seen.add(finished)
                    best = min(best, (*_walk(finished, start, goals, position.moves), count))
    return best


def _floors(
    position: Position, floor: frozenset[Cell], void: frozenset[Cell], order: tuple[int, ...]
) -> list[frozenset[Cell]]:
    floors = [floor]
    for piece in order:
        shapes = [lying.shape for lying in orientations(position.hand[piece], reflect=position.reflect)]
        floors = [
            before | cells
            for before in floors
            for shape in shapes
            for corner in position.board.cells(position.board.inside)
            if (cells := frozenset(Cell(corner.x + x, corner.y + y) for x, y in shape)) <= void - before
            and any(cell.manhattan(other) == 1 for cell in cells for other in before)
        ]
    return floors


def _walk(floor: frozenset[Cell], start: Cell, goals: list[Cell], moves: int) -> tuple[int, int]:
    steps = {start: 0}
    todo = [start]
    for cell in todo:  # grows while it is walked
        for near in map(cell.step, DIRECTIONS):
            if near in floor and near not in steps and steps[cell] < moves:
                steps[near] = steps[cell] + 1
                todo.append(near)
    return min((min(cell.manhattan(goal) for goal in goals), taken) for cell, taken in steps.items())
