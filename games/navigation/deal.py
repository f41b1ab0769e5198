"""The board and the tasks of a match: what the parameters give, the rest by chance. Parses no text.

Without `shared` all seats have the task of seat 0. The first of these that is there decides: `start` and `goal`,
`scen`, the queries or signs of the map text, chance.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from games.api import ParamValue
from games.chance import rng_for
from games.navigation.board import Board, Moves
from games.navigation.generate import maze_map, random_map, rooms_map, with_filled_pockets
from games.navigation.maps import Given, Task, generated_size
from games.navigation.movingai import ScenRow, check_fits
from games.navigation.params import DRAWN_QUERY
from games.navigation.search import reachable_cells

MAX_DRAWS = 200


def make_board(given: Given, moves: Moves, params: Mapping[str, ParamValue], seed: int) -> Board:
    """The given board or a generated one, on which given tasks have free ends.

    Where ends are drawn with a way between them, a map of random obstacles is one region.
    """
    if given.board is not None:
        return given.board
    board = _generated(params, rng_for(seed, 0, "map"))
    if params["generator"] == "random" and params["solvable"] and not given.has_ends:
        board = with_filled_pockets(board, moves)
    blocked_ends = sorted({cell for task in given.tasks for cell in task if board.blocked[cell]})
    return board.with_flipped(tuple(blocked_ends))


def _generated(params: Mapping[str, ParamValue], rng: random.Random) -> Board:
    width, height = generated_size(params)
    match params["generator"]:
        case "maze":
            return maze_map(rng, width=width, height=height, corridor=int(params["corridor"]))
        case "rooms":
            return rooms_map(rng, width=width, height=height, room=int(params["room"]))
        case _:
            return random_map(rng, width=width, height=height, density=float(params["density"]))


def make_tasks(
    given: Given, board: Board, moves: Moves, params: Mapping[str, ParamValue], *, seats: int, seed: int
) -> tuple[Task, ...]:
    """One task for every seat; ValueError if there is no room for as many."""
    count = seats if params["shared"] else 1
    if given.tasks:
        tasks = given.tasks
    elif given.rows:
        tasks = _tasks_of_rows(given.rows, board, int(params["query"]), count, seed)
    else:
        rng = rng_for(seed, 0, "tasks")
        tasks = _drawn_tasks(board, moves, count, rng, is_solvable=bool(params["solvable"]))
    return tasks if params["shared"] else tasks * seats


def _tasks_of_rows(rows: Sequence[ScenRow], board: Board, query: int, count: int, seed: int) -> tuple[Task, ...]:
    """The chosen row, and with several robots the next ones (round the end), as far as their ends are different."""
    first = rng_for(seed, 0, "query").randrange(len(rows)) if query == DRAWN_QUERY else query
    tasks: list[Task] = []
    for row in (*rows[first:], *rows[:first]):
        check_fits(row, board)
        task = Task(board.number(*row.start), board.number(*row.goal))
        if all(task.start != other.start and task.goal != other.goal for other in tasks):
            tasks.append(task)
        if len(tasks) == count:
            return tuple(tasks)
    raise ValueError(f"scen: expected {count} queries with different starts and goals, got {len(tasks)}")


def _drawn_tasks(board: Board, moves: Moves, count: int, rng: random.Random, *, is_solvable: bool) -> tuple[Task, ...]:
    """Ends are free cells, all starts different and all goals; start and goal of a task differ."""
    free = [cell for cell, blocked in enumerate(board.blocked) if not blocked]
    tasks: list[Task] = []
    for _ in range(MAX_DRAWS * count):
        start = rng.choice(free or [0])
        goals = reachable_cells(board, moves, start) if is_solvable else free
        goal = rng.choice(goals or [0])
        is_fresh = all(start != other.start and goal != other.goal for other in tasks)
        if start != goal and is_fresh:
            tasks.append(Task(start, goal))
        if len(tasks) == count:
            return tuple(tasks)
    way = "with a way between them" if is_solvable else "that are free"
    raise ValueError(f"map: expected {count} different starts and goals {way}, found {len(tasks)}")
