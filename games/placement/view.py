"""Views of placement for each seat and for everyone, as fresh lists of plain JSON values.

A place is `[x, y]`, x to the right, y down, `[0, 0]` top left. A piece is the list of its cells, moved to the corner.

Briefing: `params` (all of them), `size` `[width, height]` (of the map in play), `walls` (places), `goals` (by seat,
lists of places), `pieces` (the piece set from which the bags are filled).

Observation:

| key | value |
|---|---|
| `game_round`, `turn_of` | the present game round, from 1; the seat whose turn it is |
| `seat` | the observer |
| `moves` | most steps in a turn |
| `board` | rows of text: `.` Floor, blank Void, `#` Wall |
| `positions` | by seat, the place of its figure |
| `missing` | by seat, the places of the goals it has not collected |
| `hands` | by seat, the pieces it holds, in the order of their numbers; null if hidden |
| `bags` | by seat, for each kind of the piece set 1 if it is still in the bag, else 0; null if hidden |
| `barriers` | by seat, the pieces that it may still lay as Walls |
| `oldest` | places that may collapse, oldest first; empty without `collapse` |

A seat gets its hand when its turn comes, so with `keep_hand: false` all other hands are empty. The public view is the
same without `seat`; with `hidden_hands` it shows no hand and no bag.
"""

from __future__ import annotations

from collections.abc import Mapping

from gridjoust.games.api import Json
from gridjoust.games.bitset import members
from gridjoust.games.grid import Cell
from gridjoust.games.placement.apply import BarrierRules, Position
from gridjoust.games.placement.board import Board, Mask, make_board
from gridjoust.games.placement.params import Rules
from gridjoust.games.placement.pieces import Shape, make_shape
from gridjoust.games.placement.state import Layout, Player, Seat, State


def briefing(board: Board, pieces: tuple[Shape, ...], params: dict[str, Json], layout: Layout) -> Json:
    """Return what stays true for the whole match; it is the same for every seat."""
    return {
        "params": params,
        "size": [board.width, board.height],
        "walls": [list(cell) for cell in board.cells(layout.walls)],
        "goals": [[list(board.cell(goal)) for goal in goals] for goals in layout.goals],
        "pieces": [piece_view(piece) for piece in pieces],
    }


def piece_view(piece: Shape) -> list[list[int]]:
    """Return the cells of a piece as lists."""
    return [list(cell) for cell in piece]


def public_view(
    board: Board, pieces: tuple[Shape, ...], rules: Rules, state: State, *, owner: Seat | None = None
) -> dict[str, Json]:
    """Return what everyone may know now, with the hidden hand and bag of seat `owner` if one is given."""
    shown = [player if seat == owner or not rules.hidden_hands else None for seat, player in enumerate(state.players)]
    return {
        "game_round": state.game_round,
        "turn_of": state.seat,
        "moves": rules.moves,
        "board": board_rows(board, state),
        "positions": [list(board.cell(player.cell)) for player in state.players],
        "missing": [[list(cell) for cell in board.cells(player.missing)] for player in state.players],
        "hands": [None if one is None else [piece_view(pieces[number]) for number in one.hand] for one in shown],
        "bags": [None if one is None else _bag_view(one, len(pieces)) for one in shown],
        "barriers": [rules.barriers - player.barriers for player in state.players],
        "oldest": [list(board.cell(cell)) for cell in state.built],
    }


def _bag_view(player: Player, kinds: int) -> list[int]:
    bag = [0] * kinds
    for kind in player.bag:
        bag[kind] = 1
    return bag


def board_rows(board: Board, state: State) -> list[str]:
    """Return Floor, Void and Walls as text, row by row."""
    count = board.stride * board.height
    signs = f"{state.floor:0{count}b}"[::-1].replace("0", " ").replace("1", ".")
    if state.walls:
        marked = list(signs)
        for wall in members(state.walls):
            marked[wall] = "#"
        signs = "".join(marked)
    return [signs[row : row + board.width] for row in range(0, count, board.stride)]


def read_position(view: Mapping[str, Json], seat: Seat, *, reflect: bool, smallest: tuple[Shape, ...] = ()) -> Position:
    """Return what a turn of this seat depends on, from a view; all pieces of its hand must be visible.

    `smallest` are the orientations of the smallest pieces; they are needed to lay barriers.
    """
    rows = view["board"]
    board = make_board(len(rows[0]), len(rows))
    hand = tuple(make_shape(cells) for cells in view["hands"][seat])
    cell = board.bit(Cell(*view["positions"][seat]))
    floor, walls = board.drawn(rows, "."), board.drawn(rows, "#")
    left = view["barriers"][seat]
    ways = BarrierRules(left, read_figures(board, view), smallest) if smallest and left > 0 else None
    return Position(board, floor, walls, cell, hand, view["moves"], reflect, ways)


def read_figures(board: Board, view: Mapping[str, Json]) -> tuple[tuple[int, Mask], ...]:
    """Return for each seat the bit number of its figure's cell, and the bit set of the goals that it misses."""
    return tuple(
        (board.bit(Cell(*place)), board.mask(Cell(x, y) for x, y in goals))
        for place, goals in zip(view["positions"], view["missing"], strict=True)
    )
