"""Solves written positions (see `gridjoust.games.ricochet.positions`) with one planner, for `joust solve`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from time import perf_counter

from gridjoust.bots.ricochet import astar, beam, bfs, dijkstra_map, dstar_lite, idastar
from gridjoust.bots.ricochet.plans import Planner, Task
from gridjoust.games.api import Json
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.positions import parse_positions
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position
from gridjoust.games.ricochet.slides import slides_of

PLANNERS: Mapping[str, Planner] = {
    "astar": astar.plans,
    "bfs": bfs.plans,
    "beam": beam.plans,
    "dijkstra_map": dijkstra_map.plans,
    "dstar_lite": dstar_lite.plans,
    "idastar": idastar.plans,
}

SOLVED, UNSOLVABLE, LIMIT = "solved", "unsolvable", "limit"

OPTIONS = {"variant": ("plain", "printed"), "early_stop": ("true", "false"), "pass_goal": ("true", "false")}
COLUMNS = {
    "id": "left", "status": "left", "moves": "right", "optimal_proven": "right", "expanded": "right",
    "frontier": "right", "planning_ms": "right", "solution": "left",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The result for one position; its status is solved, unsolvable or limit.

    `limit`: time was up, or the planner gave up without a proof.
    """

    id: str
    status: str  # solved, unsolvable, limit
    moves: int | None
    solution: tuple[tuple[str, str], ...] | None
    optimal_proven: bool
    expanded: int
    frontier: int
    planning_ms: float

    def as_json(self) -> dict[str, Json]:
        """Return the fields by name; `solution` as [[robot, direction], ...]."""
        solution = None if self.solution is None else [list(move) for move in self.solution]
        return {**asdict(self), "solution": solution}


def solve_text(
    text: str,
    *,
    bot: str = "astar",
    variant: str = "plain",
    early_stop: str = "true",
    pass_goal: str = "true",  # noqa: S107 - it is no password
    limit_ms: float | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[SolveResult]:
    """Yield one result per position, in the order of the text; ValueError says what is wrong with text or bot."""
    if bot not in PLANNERS:
        raise ValueError(f"bot: expected one of {', '.join(PLANNERS)}, got {bot!r}")
    positions = [(name, _on_board(position, pass_goal=_is_yes(pass_goal))) for name, position in parse_positions(text)]
    rules = MoveRules(printed=variant == "printed", early_stop=_is_yes(early_stop))
    return (
        solve_position(name, position, planner=PLANNERS[bot], rules=rules, limit_ms=limit_ms, clock=clock)
        for name, position in positions
    )


def _is_yes(text: str) -> bool:
    return text == "true"


def _on_board(position: Position, *, pass_goal: bool) -> Position:
    board = replace(position.board, pass_goal=pass_goal)
    return replace(position, board=board.wanting(position.target))


def solve_position(
    name: str,
    position: Position,
    *,
    planner: Planner,
    rules: MoveRules = PLAIN,
    limit_ms: float | None = None,
    clock: Callable[[], float] = perf_counter,
) -> SolveResult:
    """Return the best solution within the limit; making the tables of a new board counts as planning time."""
    begin_s = clock()
    best = Plan(None, is_proven=False, expanded=0, generated=0, frontier=0)
    for plan in planner(Task(slides_of(position.board), position, rules)):
        if plan is not None and (plan.moves is not None or best.moves is None):
            best = plan
        if limit_ms is not None and (clock() - begin_s) * 1000 >= limit_ms:
            break
    planning_ms = round((clock() - begin_s) * 1000, 3)
    if best.moves is None:
        status, moves, solution = UNSOLVABLE if best.is_proven else LIMIT, None, None
    else:
        status, moves = SOLVED, len(best.moves)
        solution = tuple((str(move.robot), move.direction.name) for move in best.moves)
    return SolveResult(name, status, moves, solution, best.is_proven, best.expanded, best.frontier, planning_ms)
