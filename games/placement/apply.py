"""The transition: what a plan does to board and figure, then the next seat, the collapse and the deal. Keeps no score.

Parts are judged one after another, each on the board that the earlier ones leave: a piece just laid is Floor at once.
A piece may lie anywhere on Void that touches Floor, however far from the figure; a step leads to a Floor cell beside.
Several figures may stand in one cell.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.api import IllegalAction
from games.bitset import mask_of, members
from games.chance import rng_for
from games.placement.actions import Part, Place, Plan, Walk
from games.placement.board import Board, Mask
from games.placement.params import Rules
from games.placement.pieces import Shape, box, shape_mask, turned
from games.placement.state import Player, State


@dataclass(frozen=True, slots=True)
class Position:
    """All that a turn depends on: the board as it is, one figure, its pieces and its steps."""

    board: Board
    floor: Mask
    walls: Mask
    cell: int
    hand: tuple[Shape, ...]
    moves: int
    reflect: bool = False

    @property
    def void(self) -> Mask:
        """Cells that are neither Floor nor Wall."""
        return self.board.inside & ~self.floor & ~self.walls


@dataclass(frozen=True, slots=True)
class Played:
    """What a plan leads to. `visited` are the cells stood in, the first included; `laid` has a mask per piece."""

    floor: Mask
    cell: int
    visited: Mask
    laid: tuple[Mask, ...]


def play(position: Position, plan: Plan) -> Played:
    """The position after the plan; IllegalAction names the first part that does not go."""
    floor, cell, steps = position.floor, position.cell, 0
    visited, laid, used = 1 << cell, [], set[int]()
    for number, part in enumerate(plan.parts, start=1):
        if isinstance(part, Place):
            mask = _lay(position, floor, part, used, number)
            floor |= mask
            laid.append(mask)
            used.add(part.piece)
        else:
            steps += len(part.steps)
            if steps > position.moves:
                raise _fault(number, part, f"at most {position.moves} steps in a turn, got {steps}")
            for ahead in _follow(position.board, floor, cell, part, number):
                cell = ahead
                visited |= 1 << ahead
    return Played(floor, cell, visited, tuple(laid))


def _lay(position: Position, floor: Mask, part: Place, used: set[int], number: int) -> Mask:
    """The cells that the piece covers."""
    if part.piece >= len(position.hand):
        raise _fault(number, part, f"a piece below {len(position.hand)}, got {part.piece}")
    if part.piece in used:
        raise _fault(number, part, "a piece that is left, got one laid before")
    if part.mirrored and not position.reflect:
        raise _fault(number, part, "a piece that is not mirrored, got m")
    board = position.board
    shape = turned(position.hand[part.piece], part.quarters, mirrored=part.mirrored)
    columns, rows = box(shape)
    if part.corner.x + columns > board.width or part.corner.y + rows > board.height:
        raise _fault(number, part, f"a place on the board of {board.width} x {board.height}, got one beyond it")
    mask = shape_mask(shape, board.stride) << board.bit(part.corner)
    if mask & (floor | position.walls):
        raise _fault(number, part, "only Void below the piece, got other cells")
    if not board.spread(mask) & floor:
        raise _fault(number, part, "a piece that touches Floor, got none beside it")
    return mask


def _follow(board: Board, floor: Mask, cell: int, walk: Walk, number: int) -> Iterator[int]:
    for direction in walk.steps:
        ahead = board.cell(cell).step(direction)
        cell = board.bit(ahead)
        if not board.is_inside(ahead) or not floor >> cell & 1:
            raise _fault(number, walk, f"a step to Floor, got {direction} to {ahead.x},{ahead.y}")
        yield cell


def _fault(number: int, part: Part, detail: str) -> IllegalAction:
    return IllegalAction(f"part {number}, {str(part)[:40]!r}: expected {detail}")


def apply_plan(rules: Rules, position: Position, state: State, plan: Plan) -> State:
    """The state after the plan of the seat in turn: the next seat's turn, which has not drawn yet."""
    played = play(position, plan)
    state = _moved(rules, state, plan, played)
    if state.seat + 1 < len(state.players):
        return replace(state, seat=state.seat + 1)
    return replace(_collapsed(rules, state), seat=0, game_round=state.game_round + 1)


def _moved(rules: Rules, state: State, plan: Plan, played: Played) -> State:
    player = state.players[state.seat]
    left = tuple(number for index, number in enumerate(player.hand) if index not in plan.pieces)
    laid = [cell for mask in played.laid for cell in members(mask)]
    moved = player._replace(
        cell=played.cell,
        missing=player.missing & ~played.visited,
        hand=left if rules.keep_hand else (),
        pieces=player.pieces + len(plan.pieces),
        cells=player.cells + len(laid),
        steps=player.steps + plan.steps,
        passes=player.passes + (not plan.parts),
    )
    built = (*state.built, *laid) if rules.collapse else ()
    return replace(state.with_player(state.seat, moved), floor=played.floor, built=built)


def _collapsed(rules: Rules, state: State) -> State:
    """The oldest cells that players laid and nobody stands in are Void again."""
    stood_in = {player.cell for player in state.players}
    falling = [cell for cell in state.built if cell not in stood_in][: rules.collapse]
    built = tuple(cell for cell in state.built if cell not in falling)
    return replace(state, floor=state.floor & ~mask_of(falling), built=built)


def deal(rules: Rules, kinds: int, state: State) -> State:
    """The seat in turn draws until its hand is full. With `deal: equal` all seats draw alike in a game round."""
    purpose = "hand" if rules.deal == "equal" else f"hand of seat {state.seat}"
    rng = rng_for(state.seed, state.game_round, purpose)
    return state.with_player(state.seat, draw(state.players[state.seat], rules.hand, kinds=kinds, rng=rng))


def draw(player: Player, size: int, *, kinds: int, rng: random.Random) -> Player:
    """The player with a hand of `size` pieces: what it holds, then pieces from its bag in drawn order."""
    bag = list(player.bag)
    drawn: list[int] = []
    for _ in range(size - len(player.hand)):
        if not bag:
            bag = list(range(kinds))
        drawn.append(bag.pop(rng.randrange(len(bag))))
    return player._replace(hand=player.hand + tuple(drawn), bag=tuple(bag))
