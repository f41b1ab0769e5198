"""Draw boards, robots and targets by chance; every draw has its own address in `rng_for`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from gridjoust.games.api import ParamValue
from gridjoust.games.grid import Cell, Direction
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.board import COLOURS, Board, Colour, Robots, Symbol, Target, both_sides, with_openings
from gridjoust.games.ricochet.optimum import finish_search, is_optimum_at_least, shortest_steps
from gridjoust.games.ricochet.params import Rules
from gridjoust.games.ricochet.proof import Position
from gridjoust.games.ricochet.slides import slides_of
from gridjoust.games.ricochet.tiles import FACES, PLAIN_FACES, arrangements, make_board, parse_arrangement

REDEALS = 20  # new robot positions to try if every target left is too easy
SOLO_DEALS = 200  # positions to try for the wanted optimum
SOLO_STATES = 25_000  # most states of a search for a solo optimum; a position that needs more is not used


class Deal(NamedTuple):
    """A drawn position: the robots' cells, the target to reach, and the fewest moves (`optimum`; 0 = unknown)."""

    robots: Robots
    target: Target
    optimum: int = 0


def deal_board(params: Mapping[str, ParamValue], rng: random.Random) -> tuple[Board, Robots]:
    """Return the board of a match, and the robots' cells if a map text shows them, otherwise ()."""
    text = str(params["map"])
    robots: Robots = ()
    if text:
        board, drawn = parse_board(text)
        robots = tuple(drawn[colour] for colour in COLOURS if colour in drawn)
    elif params["random_walls"]:
        board = random_board(int(params["width"]), int(params["height"]), int(params["random_walls"]), rng)
    elif params["tiles"] != "random":
        board = make_board(parse_arrangement(str(params["tiles"])))
    else:
        board = make_board(rng.choice(list(arrangements(FACES if params["diagonals"] else PLAIN_FACES))))
    if not params["vortex"]:
        targets = tuple(target for target in board.targets if target.symbol is not Symbol.VORTEX)
        board = replace(board, targets=targets)
    board = replace(board, pass_goal=bool(params["pass_goal"]))
    return (_with_random_openings(board, rng) if params["openings"] else board), robots


def random_board(width: int, height: int, walls: int, rng: random.Random) -> Board:
    """Return a board without a centre block, with random walls and the 17 targets on random cells."""
    cells = [Cell(x, y) for y in range(height) for x in range(width)]
    edges = [(cell, Direction.E) for cell in cells if cell.x + 1 < width]
    edges += [(cell, Direction.S) for cell in cells if cell.y + 1 < height]
    chosen = both_sides(rng.sample(edges, walls))
    kinds: list[tuple[Colour | None, Symbol]] = [*product(COLOURS[:4], list(Symbol)[:4]), (None, Symbol.VORTEX)]
    places = rng.sample(cells, len(kinds))
    targets = sorted(Target(cell, *kind) for cell, kind in zip(places, kinds, strict=True))
    return Board(width, height, walls=chosen, targets=tuple(targets))


def _with_random_openings(board: Board, rng: random.Random) -> Board:
    """Return the board with both ends of two columns and two rows open, away from the corners."""
    columns = rng.sample(range(1, board.width - 1), 2)
    rows = rng.sample(range(1, board.height - 1), 2)
    edges = [(Cell(x, 0), Direction.N) for x in columns] + [(Cell(0, y), Direction.W) for y in rows]
    free = [edge for edge in edges if board.is_free(edge[0]) and board.is_free(board.wrapped(*edge))]
    return with_openings(board, free)


def deal_robots(board: Board, rules: Rules, rng: random.Random) -> Robots:
    """Return random start cells for the robots, without symbol or diagonal."""
    return tuple(rng.sample(board.start_cells(), rules.robots))


def check_room(board: Board, rules: Rules) -> None:
    """Raise ValueError if the board has too few start cells for the robots, or no target."""
    room = len(board.start_cells())
    if room < rules.robots:
        raise ValueError(f"map: expected at least {rules.robots} free cells without a symbol, got {room}")
    if not board.targets:
        raise ValueError("vortex: expected at least one other target on the map, got none")


def deal_round(board: Board, robots: Robots, pool: Sequence[Target], rules: Rules, rng: random.Random) -> Deal:
    """Return a target that takes at least `min_optimum` moves, with the robots on new cells if none does otherwise.

    If many tries fail, as can happen on tiny boards, return the first target with the robots where they are.
    """
    standing = robots
    for _ in range(REDEALS):
        for target in rng.sample(pool, len(pool)):
            position = Position(board.wanting(target), standing, target)
            if is_optimum_at_least(slides_of(position.board), position, rules.moves, rules.min_optimum):
                return Deal(standing, target)
        standing = deal_robots(board, rules, rng)
    return Deal(robots, pool[0])


def deal_solo(board: Board, rules: Rules, wanted: int, rng: random.Random) -> Deal | None:
    """Return a position with a known optimum as near to `wanted` moves as found; None if there is none.

    With `wanted` 0, return the first position that is not too easy.
    """
    best: Deal | None = None
    for _ in range(SOLO_DEALS):
        deal = _solvable(board, rng.choice(board.targets), rules, wanted, rng)
        if deal is None:
            continue
        if wanted in (0, deal.optimum):
            return deal
        if best is None or abs(deal.optimum - wanted) < abs(best.optimum - wanted):
            best = deal
    return best


def _solvable(board: Board, target: Target, rules: Rules, wanted: int, rng: random.Random) -> Deal | None:
    position = Position(board.wanting(target), deal_robots(board, rules, rng), target)
    depth = wanted + 2 if wanted else None
    steps = shortest_steps(slides_of(position.board), position, rules.moves, max_states=SOLO_STATES, max_bound=depth)
    found = finish_search(steps)
    least = 1 if wanted else rules.min_optimum
    if found.moves is None or len(found.moves) < least:
        return None
    return Deal(position.robots, target, len(found.moves))
