"""Draw situations of ricochet; nothing on the board is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from gridjoust.games.api import Seat
from gridjoust.games.drawing import (
    SEATS,
    Beside,
    Circle,
    Drawing,
    Icon,
    Ink,
    Layer,
    Line,
    Shape,
    Sign,
    Standing,
    Text,
    figure,
    fill,
    grid,
    ground,
)
from gridjoust.games.drawing import side_of as edge
from gridjoust.games.grid import DIRECTIONS, Cell
from gridjoust.games.ricochet.board import COLOURS, Board, Colour, Symbol, Target
from gridjoust.games.ricochet.proof import ways_of
from gridjoust.games.ricochet.rules import Ricochet
from gridjoust.games.ricochet.state import Phase, Proof, State
from gridjoust.games.ricochet.terminal import ROBOT_SIGNS, is_wall, moves_in

INKS = {
    Colour.RED: Ink.RED,
    Colour.GREEN: Ink.GREEN,
    Colour.BLUE: Ink.BLUE,
    Colour.YELLOW: Ink.YELLOW,
    Colour.SILVER: Ink.SILVER,
    None: Ink.VIOLET,
}
_SIGNS = {Symbol.TRIANGLE: Sign.TRIANGLE, Symbol.SQUARE: Sign.SQUARE, Symbol.HEXAGON: Sign.HEXAGON}
_WALL = 0.14
SEATS_SEE_ALIKE = True  # if nothing is hidden by the rules, as the drawing does not depend on the seat then


def draw(game: Ricochet, state: State, past: Sequence[State] = (), *, seat: Seat | None = None) -> Drawing:  # noqa: ARG001 - part of the interface
    """Draw walls, robots, targets (the present one larger, in a ring) and the paths of a solution just shown."""
    position = state.position
    board, target = position.board, position.target
    targets = [one for one in dict.fromkeys((*board.targets, target)) if one is not None]
    wanted = Circle(target.cell.x + 0.5, target.cell.y + 0.5, 0.45, INKS[target.colour], is_hollow=True)
    diagonals = (
        Line(((cell.x, cell.y + one.rising), (cell.x + 1, cell.y + (not one.rising))), INKS[one.colour], _WALL)
        for cell, one in board.diagonals
    )
    robots = [
        shape
        for colour, cell in zip(COLOURS, position.robots, strict=False)
        for shape in figure(cell, ROBOT_SIGNS[colour], INKS[colour])
    ]
    return Drawing(
        title=f"ricochet: bring {target.colour or 'any robot'} to {target.symbol}",
        width=board.width,
        height=board.height,
        layers=(
            ground(board.width, board.height),
            grid(board.width, board.height),
            Layer("blocked", fill(board.blocked, Ink.SOFT)),
            Layer("targets", (*(shape for one in targets for shape in _target(one, is_wanted=one == target)), wanted)),
            Layer("diagonals", tuple(diagonals)),
            Layer("walls", _walls(board)),
            Layer("solution", tuple(_ways(state, past))),
            Layer("robots", tuple(robots)),
        ),
        seats=tuple(_standings(state)),
        legend=(
            Beside(figure((0, 0), "", Ink.RED)[0], "robot"),
            Beside(Icon(0.5, 0.5, Sign.TRIANGLE, Ink.RED, 0.6), "target"),
            Beside(Circle(0.5, 0.5, 0.4, Ink.RED, is_hollow=True), "wanted now"),
            Beside(Line(((0.1, 0.5), (0.9, 0.5)), Ink.WALL, _WALL), "wall"),
            Beside(Line(((0.1, 0.5), (0.9, 0.5)), Ink.RED, _WALL, is_dashed=True), "solution just shown"),
        ),
    )


def draw_line(game: Ricochet, state: State, past: Sequence[State], line: str, *, seat: Seat) -> Drawing:
    """Draw what a person in a seat sees: the robots after the moves in a line that is typed, with their paths.

    Without possible moves in the line, the paths of the last solution stay until the seat bids or passes.
    """
    moves, rest = moves_in(line)
    ways = list(ways_of(state.position, moves))
    if not ways or len(rest) > 1:  # one letter may be half of the next move
        own, before = state.players[seat], next((one for one in reversed(past) if one.proof is not state.proof), None)
        is_old = own.bid is not None or own.has_passed
        return draw(game, state, past if before is None or is_old else (before,), seat=seat)
    robots = [*state.robots]
    for move, cells in zip(moves, ways, strict=False):
        robots[COLOURS.index(move.robot)] = cells[-1]
    tried = replace(state, robots=tuple(robots), proof=Proof(seat, moves[: len(ways)], ""))
    return replace(draw(game, tried, (state,), seat=seat), seats=tuple(_standings(state)))


@lru_cache(maxsize=16)
def _walls(board: Board) -> tuple[Shape, ...]:
    """Return the shapes of the walls; cached, because walls never move."""
    return tuple(
        Line(edge(cell, side.value), Ink.WALL, _WALL)
        for cell in board.cells()
        for side in DIRECTIONS
        if is_wall(board, cell, side)
    )


def _ways(state: State, past: Sequence[State]) -> Iterable[Shape]:
    """Return the paths of the last solution shown, from where the robots stood, up to its first impossible move."""
    if state.proof is None or not past or past[-1].proof is state.proof:
        return
    ways = zip(state.proof.moves, ways_of(past[-1].position, state.proof.moves), strict=False)
    for number, (move, cells) in enumerate(ways, start=1):
        yield from _way(cells, INKS[move.robot])
        yield Text(cells[-1].x + 0.84, cells[-1].y + 0.2, str(number), INKS[move.robot], 0.3)


def _way(cells: Sequence[Cell], ink: Ink) -> Iterable[Shape]:
    bends = [cells[0]]
    for tail, head in pairwise(cells):
        if tail.manhattan(head) > 1:
            yield Line(tuple((cell.x + 0.5, cell.y + 0.5) for cell in (*bends, tail)), ink, _WALL, is_dashed=True)
            bends = []
        bends.append(head)
    yield Line(tuple((cell.x + 0.5, cell.y + 0.5) for cell in bends), ink, _WALL, is_dashed=True)


def _target(shown: Target, *, is_wanted: bool) -> Iterable[Shape]:
    x, y, ink = shown.cell.x + 0.5, shown.cell.y + 0.5, INKS[shown.colour]
    size = 0.62 if is_wanted else 0.4
    if shown.symbol in _SIGNS:
        yield Icon(x, y, _SIGNS[shown.symbol], ink, size)
    else:
        yield Circle(x, y, size / 2, ink, is_hollow=shown.symbol is Symbol.VORTEX)


def _standings(state: State) -> Iterable[Standing]:
    for seat, player in enumerate(state.players):
        solved = sum(answer.moves > 0 for answer in player.answers)
        is_solo = state.phase is Phase.SOLVING or bool(player.answers)
        bid = "passed" if player.has_passed else "" if player.bid is None else f"bids {player.bid}"
        asked = "asks for a new deal" if player.has_asked else ""
        shown = "" if state.proof is None or state.proof.seat != seat else _proof_text(state)
        yield Standing(
            seat=seat,
            shape=figure((0, 0), str(seat), SEATS[seat])[0],
            score=f"{solved} of {len(player.answers)} solved"
            if is_solo
            else f"{player.chips} chip{'s' * (player.chips != 1)}",
            note=", ".join(filter(None, (bid, asked, shown))),
        )


def _proof_text(state: State) -> str:
    assert state.proof is not None
    return f"wrong: {state.proof.fault}" if state.proof.fault else f"showed {len(state.proof.moves)} moves"
