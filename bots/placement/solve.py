"""Solves planning cases of a file by any of the planners, for `joust solve`.

A file is JSON: `{"cases": [...]}`, each case `{"id", "floor", "start", "goal", "moves", "pieces"}` and, if they differ
from the defaults, `"size"` ([15, 15]), `"walls"` ([]) and `"reflect"` (false). Places are `[x, y]` from the top left,
pieces are lists of places. All other keys, such as expected answers, are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from time import perf_counter
from typing import Protocol

import msgspec

from gridjoust.bots.placement.astar import plan_astar
from gridjoust.bots.placement.beam import WIDTH, plan_beam
from gridjoust.bots.placement.quantum import plan_quantum
from gridjoust.bots.placement.slopes import plan_dstar, plan_map
from gridjoust.bots.placement.task import NEVER, Found, IsOver, Task
from gridjoust.bots.planners.stats import Clock, elapsed_ms
from gridjoust.games.api import Json
from gridjoust.games.grid import Cell
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Board, Mask, make_board
from gridjoust.games.placement.legal import placements
from gridjoust.games.placement.params import MAX_SIZE
from gridjoust.games.placement.pieces import MAX_BOX, Shape, box, make_shape

SIZE = (15, 15)
MAX_HAND = 10
SOLVED, CLOSEST, LIMIT = "solved", "closest", "limit"

OPTIONS: dict[str, tuple[str, ...]] = {"width": ()}
COLUMNS = {
    "id": "left", "status": "left", "best_distance": "right", "best_steps": "right", "pieces_used": "right",
    "states": "right", "planning_ms": "right", "plan": "left",
}  # fmt: skip

_Place = tuple[int, int]


class _Case(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it is written in the file."""

    id: str
    floor: list[_Place]
    start: _Place
    goal: _Place
    moves: int
    pieces: list[list[_Place]]
    size: _Place = SIZE
    walls: list[_Place] = []
    reflect: bool = False


class _File(msgspec.Struct, frozen=True):
    cases: list[_Case]


@dataclass(frozen=True, slots=True)
class Case:
    """One case to solve: a task and its name."""

    id: str
    task: Task


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The result of a planner on a case; distances are Manhattan, and `status` is solved, closest or limit.

    `closest`: the search ended without a path to the goal. `limit`: time or budget ran out first. `first_placements`
    counts the legal placements of each piece on the start map, equal ones once.
    """

    id: str
    status: str
    best_distance: int
    best_steps: int
    pieces_used: int
    plan: str
    first_placements: list[int]
    states: int
    planning_ms: float

    def as_json(self) -> dict[str, Json]:
        """Return the fields by name."""
        return asdict(self)


class _Planner(Protocol):
    def __call__(self, task: Task, *, width: int, is_over: IsOver) -> Found: ...


def _without_beam(plan: Callable[..., Found]) -> _Planner:
    return lambda task, *, width, is_over: plan(task, is_over=is_over)  # noqa: ARG005 - only beams have a width


PLANNERS: Mapping[str, _Planner] = {
    "beam": plan_beam,
    "beam_quantum": plan_quantum,
    "astar": _without_beam(plan_astar),
    "dijkstra_map": _without_beam(plan_map),
    "dstar_lite": _without_beam(plan_dstar),
}
"""Bot -> how it plans a turn when there is nobody else."""


def parse_cases(text: str | bytes) -> tuple[Case, ...]:
    """Parse the cases of a file; ValueError says which one is wrong, and how."""
    try:
        written = msgspec.json.decode(text, type=_File)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"cases: {error}") from None
    return tuple(_parse_case(f"cases[{number}]", case) for number, case in enumerate(written.cases))


def _parse_case(where: str, case: _Case) -> Case:
    width, height = case.size
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise ValueError(f"{where}.size: expected 1 to {MAX_SIZE} each, got {width} x {height}")
    board = make_board(width, height)
    floor = _mask(board, f"{where}.floor", case.floor)
    walls = _mask(board, f"{where}.walls", case.walls)
    start = _mask(board, f"{where}.start", [case.start])
    goal = _mask(board, f"{where}.goal", [case.goal])
    if floor & walls:
        raise ValueError(f"{where}.walls: expected cells that are not Floor, got some that are")
    if not start & floor:
        raise ValueError(f"{where}.start: expected a Floor cell, got {list(case.start)}")
    if not 0 <= case.moves <= MAX_SIZE * MAX_SIZE:
        raise ValueError(f"{where}.moves: expected 0 to {MAX_SIZE * MAX_SIZE}, got {case.moves}")
    hand = tuple(_parse_piece(f"{where}.pieces[{number}]", piece) for number, piece in enumerate(case.pieces))
    if len(hand) > MAX_HAND:
        raise ValueError(f"{where}.pieces: expected at most {MAX_HAND}, got {len(hand)}")
    position = Position(board, floor, walls, board.bit(Cell(*case.start)), hand, case.moves, case.reflect)
    return Case(case.id, Task(position, goal))


def _mask(board: Board, where: str, places: Sequence[_Place]) -> Mask:
    for place in places:
        if not board.is_inside(Cell(*place)):
            raise ValueError(f"{where}: expected cells on {board.width} x {board.height}, got {list(place)}")
    return board.mask(Cell(*place) for place in places)


def _parse_piece(where: str, places: Sequence[_Place]) -> Shape:
    try:
        shape = make_shape(places)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if max(box(shape)) > MAX_BOX:
        raise ValueError(
            f"{where}: expected a piece within {MAX_BOX} x {MAX_BOX}, got {box(shape)[0]} x {box(shape)[1]}"
        )
    return shape


def solve_text(
    text: str | bytes,
    *,
    bot: str = "beam",
    width: int = WIDTH,
    limit_ms: float | None = None,
    clock: Clock = perf_counter,
) -> Iterator[SolveResult]:
    """Yield one result for each case of a file, in order; `limit_ms` is for each case.

    All cases are checked first: ValueError comes before any is solved.
    """
    if bot not in PLANNERS:
        raise ValueError(f"bot: expected one of {', '.join(PLANNERS)}, got {bot!r}")
    if width < 1:
        raise ValueError(f"width: expected at least 1, got {width}")
    plan = partial(PLANNERS[bot], width=width)
    return (_solve_case(case, plan, limit_ms=limit_ms, clock=clock) for case in parse_cases(text))


def _solve_case(case: Case, plan: Callable[..., Found], *, limit_ms: float | None, clock: Clock) -> SolveResult:
    """Return the result of one case: the nearest plan that is found within the limit."""
    begin_s = clock()
    found = plan(case.task, is_over=NEVER if limit_ms is None else lambda: elapsed_ms(clock, begin_s) >= limit_ms)
    planning_ms = elapsed_ms(clock, begin_s)
    position = case.task.position
    return SolveResult(
        id=case.id,
        status=SOLVED if found.distance == 0 else LIMIT if found.is_stopped else CLOSEST,
        best_distance=found.distance,
        best_steps=found.steps,
        pieces_used=found.pieces,
        plan=str(found.plan),
        first_placements=[len(placements(position, piece)) for piece in range(len(position.hand))],
        states=found.cost.generated,
        planning_ms=planning_ms,
    )
