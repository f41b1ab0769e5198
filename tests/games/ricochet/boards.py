"""Positions small and official, and a search that is slow and plainly right, for the tests of ricochet."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gridjoust.games.grid import DIRECTIONS, Cell, Direction
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.board import (
    COLOURS,
    Board,
    Colour,
    Diagonal,
    Robots,
    Symbol,
    Target,
    both_sides,
    slide,
    with_openings,
)
from gridjoust.games.ricochet.optimum import Plan, finish_search, shortest_steps
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position
from gridjoust.games.ricochet.slides import slides_of
from gridjoust.games.ricochet.tiles import PLAIN_FACES, Arrangement, arrangements, make_board

History = tuple[Robots, tuple[frozenset[bool], ...], tuple[Colour, Direction] | None]

IN_LINE = """
+---+---+---+---+
|               |
+   +   +   +   +
|               |
+   +   +   +   +
| rt     R      |
+---+---+---+---+
"""
"""The report's position: in line with the target, one move away, no walls at the side."""


def drawn_position(text: str, *, silver: bool = False) -> Position:
    """A drawn board with one target; robots that are not drawn stand in cells cut off below the drawing."""
    board, robots = parse_board(text)
    missing = [colour for colour in COLOURS[: 5 if silver else 4] if colour not in robots]
    width, height = board.width, board.height
    floor = {(Cell(x, height - 1), Direction.S) for x in range(width)}
    cells = {(Cell(x, height), Direction.E) for x in range(width - 1)}
    placed = {**robots, **{colour: Cell(x, height) for x, colour in enumerate(missing)}}
    whole = replace(board, height=height + 1, walls=both_sides(board.walls | floor | cells))
    return Position(whole, tuple(placed[colour] for colour in COLOURS if colour in placed), board.targets[0])


def official_positions(
    seed: str, boards: Sequence[Arrangement] = tuple(arrangements(PLAIN_FACES))
) -> Iterator[Position]:
    """Without end: four robots and a target drawn on boards of four tiles."""
    rng = random.Random(seed)
    while True:
        board = make_board(rng.choice(boards))
        yield Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))


def random_position(rng: random.Random, *, robots: int = 4, extras: bool = False) -> Position:
    """A tiny board with walls, with `extras` also diagonals and openings, and a target for one robot or any."""
    width, height = rng.randint(4, 6), rng.randint(4, 6)
    cells = [Cell(x, y) for y in range(height) for x in range(width)]
    edges = [(c, Direction.E) for c in cells if c.x + 1 < width] + [(c, Direction.S) for c in cells if c.y + 1 < height]
    taken = rng.sample(cells, robots + 4)
    walls, blocked = both_sides(rng.sample(edges, rng.randint(0, 9))), frozenset(taken[robots : robots + 1])
    colour = rng.choice([*COLOURS[:4], None])
    target = Target(taken[-1], colour, Symbol.VORTEX if colour is None else Symbol.CIRCLE)
    board = Board(width, height, blocked, walls, (target,))
    if not extras:
        return Position(board, tuple(taken[:robots]), target)
    diagonals = sorted((cell, Diagonal(rng.choice(COLOURS), rising=rng.random() < 0.5)) for cell in taken[-3:-1])
    gates = [(Cell(rng.randrange(width), 0), Direction.N), (Cell(0, rng.randrange(height)), Direction.W)]
    free = [gate for gate in gates if board.is_free(gate[0]) and board.is_free(board.wrapped(*gate))]
    return Position(with_openings(replace(board, diagonals=tuple(diagonals)), free), tuple(taken[:robots]), target)


def solve(position: Position, rules: MoveRules = PLAIN, *, max_states: int | None = None) -> Plan:
    """A shortest solution by the rules' own search."""
    return finish_search(shortest_steps(slides_of(position.board), position, rules, max_states=max_states))


def stopping(position: Position) -> Position:
    """The same where robots stop when they reach their target."""
    return replace(position, board=replace(position.board, pass_goal=False).wanting(position.target))


def length(plan: Plan) -> int | None:
    """Moves of its solution."""
    return None if plan.moves is None else len(plan.moves)


def brute_force_optimum(position: Position, rules: MoveRules, *, depth: int) -> int | None:
    """Fewest moves by breadth-first search over whole histories' ends; None if there are more than `depth`."""
    nobody: tuple[frozenset[bool], ...] = (frozenset(),) * len(position.robots)
    layer: list[History] = [(position.robots, nobody, None)]
    if _is_done(position, rules, layer[0]):
        return 0
    known = set(layer)
    for count in range(1, depth + 1):
        after: list[History] = []
        for history in layer:
            for following in _next(position, rules, history):
                if _is_done(position, rules, following):
                    return count
                if count < depth and following not in known:
                    known.add(following)
                    after.append(following)
        layer = after
    return None


def _is_done(position: Position, rules: MoveRules, history: History) -> bool:
    robots, axes, _ = history
    finished = [n for n, cell in enumerate(robots) if cell == position.target.cell and n in position.finishers]
    return any(not rules.printed or len(axes[robot]) == 2 for robot in finished)


def _next(position: Position, rules: MoveRules, history: History) -> Iterator[History]:
    robots, axes, last = history
    for robot, cell in enumerate(robots):
        others = [other for number, other in enumerate(robots) if number != robot]
        for direction in DIRECTIONS:
            path = slide(position.board, COLOURS[robot], cell, direction, others)
            if path is None or (rules.printed and last == (COLOURS[robot], direction.opposite)):
                continue
            used = axes[robot] | {heading.dx == 0 for heading in path.headings} if rules.printed else axes[robot]
            is_early = path.stop == position.target.cell and robot in position.finishers and len(used) < 2
            if is_early and rules.printed and not rules.early_stop:
                continue
            yield (
                (*robots[:robot], path.stop, *robots[robot + 1 :]),
                (*axes[:robot], used, *axes[robot + 1 :]),
                (COLOURS[robot], path.arrival) if rules.printed else None,
            )
