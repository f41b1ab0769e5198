"""Placement for learning: a turn is chosen part by part, and what a seat sees as arrays of fixed shapes.

An index is a piece of the hand as it lies at a cell, a step, or the end of the turn:

| index | means |
|---|---|
| `((piece * ways + way) * height + y) * width + x` | lay the piece with the top left of its box there; `way` is the |
| | number of clockwise quarter turns, plus 4 if mirrored; `ways` is 4, with `reflect` 8 |
| the next 4 | step to N, E, S, W |
| the last | end the turn |

No index lays a piece as a barrier. The mask marks what is legal after the parts chosen so far, and the arrays show the
board after them. Seats come in turn, starting with the observer.

| array | type and shape | holds |
|---|---|---|
| `board` | `uint8 (7, height, width)` | 1 in the cells of each plane, in the order of `PLANES` |
| `hands` | `uint8 (seats, hand, 5, 5)` | cells of the pieces that are left; 0 if hidden |
| `bags` | `uint8 (seats, kinds)` | 1 for pieces still in the bag; 0 if hidden |
| `numbers` | `float32 (3)` | share of the game rounds played; steps left; 1 on the observer's turn |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.api import Json, Seat
from gridjoust.games.choices import Choice
from gridjoust.games.grid import DIRECTIONS, Direction
from gridjoust.games.placement.actions import Part, Place, Plan, Walk
from gridjoust.games.placement.apply import Position, play
from gridjoust.games.placement.legal import placements
from gridjoust.games.placement.pieces import MAX_BOX, QUARTERS
from gridjoust.games.placement.rules import Placement
from gridjoust.games.placement.state import State

PLANES = (
    "floor",
    "wall",
    "self",
    "own goals that are missing",
    "others",
    "goals that others miss",
    "age",  # 1 for the cell that may collapse first, 2 for the next …
)
_FAR_AGE = 255


def action_count(game: Placement) -> int:
    """Return the number of indexes: every piece at every cell, the steps, and the end."""
    rules = game.rules
    return rules.hand * _ways(game) * rules.height * rules.width + len(DIRECTIONS) + 1


def choices(game: Placement, state: State, seat: Seat, draft: Plan | None) -> dict[int, Choice[Plan]]:
    """Return index -> choice for all that may follow the parts chosen so far."""
    if seat not in game.seats_to_act(state):
        return {}
    plan, last = draft or Plan(), action_count(game) - 1
    position = _after(game.position(state, seat), plan)
    found = {last: Choice(plan)}
    if position.moves:
        for number, direction in enumerate(DIRECTIONS):
            ahead = position.board.cell(position.cell).step(direction)
            if position.board.is_inside(ahead) and position.floor >> position.board.bit(ahead) & 1:
                found[last - len(DIRECTIONS) + number] = Choice(_stepped(plan, direction), is_whole=False)
    for piece in range(len(position.hand)):
        if piece not in plan.pieces:
            for place in placements(position, piece):
                found[_index(game, place)] = Choice(_added(plan, place), is_whole=False)
    return found


def _ways(game: Placement) -> int:
    return len(QUARTERS) * (1 + game.rules.reflect)


def _index(game: Placement, place: Place) -> int:
    way = place.quarters + len(QUARTERS) * place.mirrored
    row = (place.piece * _ways(game) + way) * game.rules.height + place.corner.y
    return row * game.rules.width + place.corner.x


def _added(plan: Plan, part: Part) -> Plan:
    return Plan((*plan.parts, part))


def _stepped(plan: Plan, direction: Direction) -> Plan:
    """Return the plan with one more step, added to its last part if that is a walk."""
    before = plan.parts[-1] if plan.parts else None
    if isinstance(before, Walk):
        return Plan((*plan.parts[:-1], Walk((*before.steps, direction))))
    return _added(plan, Walk((direction,)))


def _after(position: Position, plan: Plan) -> Position:
    played = play(position, plan)
    return replace(position, floor=played.floor, cell=played.cell, moves=position.moves - plan.steps)


def drafted(game: Placement, state: State, seat: Seat, draft: Plan) -> dict[str, Json]:
    """Return what the seat sees after the parts so far; in its hand, an empty list stands for each laid piece."""
    played = play(game.position(state, seat), draft)
    player = state.players[seat]
    moved = player._replace(cell=played.cell, missing=player.missing & ~played.visited)
    view = game.observation(replace(state, floor=played.floor).with_player(seat, moved), seat)
    view["moves"] -= draft.steps
    for piece in draft.pieces:
        view["hands"][seat][piece] = []
    return view


def shapes(game: Placement) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the type and shape of every array by name, for these parameters."""
    rules = game.rules
    return {
        "board": (np.uint8, (len(PLANES), rules.height, rules.width)),
        "hands": (np.uint8, (game.seats, rules.hand, MAX_BOX, MAX_BOX)),
        "bags": (np.uint8, (game.seats, len(game.pieces))),
        "numbers": (np.float32, (3,)),
    }


def arrays(game: Placement, briefing: Mapping[str, Json], view: Mapping[str, Json]) -> dict[str, NDArray[Any]]:  # noqa: ARG001 - for all games
    """Return the observation of a seat as arrays."""
    found = {name: np.zeros(shape, kind) for name, (kind, shape) in shapes(game).items()}
    order = [(view["seat"] + number) % game.seats for number in range(game.seats)]
    _draw_board(found["board"], view, order)
    for number, seat in enumerate(order):
        for piece, cells in enumerate(view["hands"][seat] or ()):
            for x, y in cells:
                found["hands"][number, piece, y, x] = 1
        found["bags"][number] = view["bags"][seat] or 0
    played = (view["game_round"] - 1) / game.rules.max_game_rounds
    found["numbers"][:] = played, view["moves"], view["turn_of"] == view["seat"]
    return found


def _draw_board(board: NDArray[Any], view: Mapping[str, Json], order: list[int]) -> None:
    for y, row in enumerate(view["board"]):
        board[:2, y] = [[sign == "." for sign in row], [sign == "#" for sign in row]]
    own, *others = order
    goals = [place for seat in others for place in view["missing"][seat]]
    placed = ([view["positions"][own]], view["missing"][own], [view["positions"][seat] for seat in others], goals)
    for plane, places in enumerate(placed, 2):
        for x, y in places:
            board[plane, y, x] = 1
    for age, (x, y) in enumerate(view["oldest"], 1):
        board[len(PLANES) - 1, y, x] = min(age, _FAR_AGE)
