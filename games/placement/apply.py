"""Apply a plan to board and figure; then come the next seat, the collapse and the new hand.

Parts are checked one after another, each on the board after the earlier parts; a piece becomes Floor at once. A piece
may lie anywhere on Void as long as it touches Floor, at any distance from the figure. A step leads to a neighbouring
Floor cell. Several figures may stand in one cell.

A barrier is a piece whose cells become Wall. It follows the same rules and two more: it must not cover a goal that a
player still misses, and it must leave every figure a path to each of its goals, over Floor and over Void that the
smallest pieces can cover.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gridjoust.games.api import IllegalAction
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.chance import rng_for
from gridjoust.games.placement.actions import Part, Place, Plan, Walk
from gridjoust.games.placement.board import Board, Mask, flood
from gridjoust.games.placement.params import Rules
from gridjoust.games.placement.pieces import Shape, box, coverable, shape_mask, turned
from gridjoust.games.placement.state import Player, Seat, State


@dataclass(frozen=True, slots=True)
class BarrierRules:
    """The barriers that a seat may still lay, and each seat's figure and missing goals, which must stay joined."""

    left: int
    figures: tuple[tuple[int, Mask], ...]
    smallest: tuple[Shape, ...]  # the smallest pieces, in every orientation

    def leaves_ways(self, board: Board, floor: Mask, walls: Mask) -> bool:
        """Return True if every figure has a path to all its goals, over Floor and Void that pieces can still cover."""
        void = board.inside & ~floor & ~walls
        open_cells = floor | coverable(board, void, self.smallest)
        joined = 0
        for cell, goals in self.figures:
            if not joined >> cell & 1:  # else the last figure reaches this one, and so the same cells
                joined = flood(board, open_cells, 1 << cell)
            if goals & ~joined:
                return False
        return True

    def covers_goal(self, mask: Mask) -> bool:
        """Return True if a goal that a player still misses is among these cells."""
        return any(mask & goals for _, goals in self.figures)


@dataclass(frozen=True, slots=True)
class Position:
    """All that one seat's turn depends on: the present board, its figure's cell, its hand and its steps (`moves`)."""

    board: Board
    floor: Mask
    walls: Mask
    cell: int
    hand: tuple[Shape, ...]
    moves: int
    reflect: bool = False
    barriers: BarrierRules | None = None  # None: no barriers are allowed

    @property
    def void(self) -> Mask:
        """The cells that are neither Floor nor Wall."""
        return self.board.inside & ~self.floor & ~self.walls


@dataclass(frozen=True, slots=True)
class Played:
    """The board and figure after a plan; `visited`: all cells stood in, from the first; `laid`: cells of each piece."""

    floor: Mask
    walls: Mask
    cell: int
    visited: Mask
    laid: tuple[Mask, ...]


def play(position: Position, plan: Plan) -> Played:
    """Return the board and figure after the plan; IllegalAction names the first part that is not possible."""
    floor, walls, cell, steps = position.floor, position.walls, position.cell, 0
    visited, laid, used = 1 << cell, [], set[int]()
    bars = 0
    for number, part in enumerate(plan.parts, start=1):
        if isinstance(part, Place):
            mask = _lay(position, floor, walls, part, used, number)
            if part.barrier:
                bars += 1
                walls |= mask
                _check_barrier(position, (bars, floor, walls), mask, part, number)
            else:
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
    return Played(floor, walls, cell, visited, tuple(laid))


def _check_barrier(position: Position, then: tuple[int, Mask, Mask], mask: Mask, part: Place, number: int) -> None:
    """Raise IllegalAction for a barrier that is not allowed; `then` is (barriers in the plan so far, Floor, Walls)."""
    bars, floor, walls = then
    if position.barriers is None or bars > position.barriers.left:
        raise _fault(number, part, "a piece laid as Floor, got a barrier and none is left")
    if position.barriers.covers_goal(mask):
        raise _fault(number, part, "a barrier beside the goals, got one on a goal")
    if not position.barriers.leaves_ways(position.board, floor, walls):
        raise _fault(number, part, "a barrier that leaves every seat a path to its goals, got one that blocks the last")


def _lay(position: Position, floor: Mask, walls: Mask, part: Place, used: set[int], number: int) -> Mask:
    """Return the cells that the piece covers; raise IllegalAction if it cannot lie there."""
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
    if mask & (floor | walls):
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
    """Return the state after the plan, with the next seat in turn; `deal` must then fill that seat's hand."""
    played = play(position, plan)
    state = _moved(rules, state, plan, played)
    order = seat_order(rules, len(state.players), state.game_round)
    if state.seat != order[-1]:
        return replace(state, seat=order[order.index(state.seat) + 1])
    first, *_ = seat_order(rules, len(state.players), state.game_round + 1)
    return replace(_collapsed(rules, state), seat=first, game_round=state.game_round + 1)


def seat_order(rules: Rules, seats: int, game_round: int) -> tuple[Seat, ...]:
    """Return the order in which the seats act in a game round; each has one turn."""
    order = tuple(range(seats))
    return order[::-1] if rules.order == "alternate" and game_round % 2 == 0 else order


def is_new_round(rules: Rules, state: State) -> bool:
    """Return True if no seat has acted in the present game round."""
    return state.seat == seat_order(rules, len(state.players), state.game_round)[0]


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
        barriers=player.barriers + plan.barriers,
        steps=player.steps + plan.steps,
        passes=player.passes + (not plan.parts),
    )
    built = (*state.built, *laid) if rules.collapse else ()
    return replace(state.with_player(state.seat, moved), floor=played.floor, walls=played.walls, built=built)


def _collapsed(rules: Rules, state: State) -> State:
    """Return the state after a collapse: the oldest cells laid by players are Void again, except under figures."""
    stood_in = {player.cell for player in state.players}
    falling = [cell for cell in state.built if cell not in stood_in][: rules.collapse]
    built = tuple(cell for cell in state.built if cell not in falling)
    kept = ~mask_of(falling)
    return replace(state, floor=state.floor & kept, walls=state.walls & kept, built=built)


def deal(rules: Rules, kinds: int, state: State) -> State:
    """Return the state with the hand of the seat in turn filled; `deal: equal` gives all seats of a round the same."""
    purpose = "hand" if rules.deal == "equal" else f"hand of seat {state.seat}"
    rng = rng_for(state.seed, state.game_round, purpose)
    return state.with_player(state.seat, draw(state.players[state.seat], rules.hand, kinds=kinds, rng=rng))


def draw(player: Player, size: int, *, kinds: int, rng: random.Random) -> Player:
    """Return the player with pieces drawn from its bag, refilled when empty, until its hand has `size` pieces."""
    bag = list(player.bag)
    drawn: list[int] = []
    for _ in range(size - len(player.hand)):
        if not bag:
            bag = list(range(kinds))
        drawn.append(bag.pop(rng.randrange(len(bag))))
    return player._replace(hand=player.hand + tuple(drawn), bag=tuple(bag))
