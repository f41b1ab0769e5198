"""Decide which actions of ricochet are legal; a wrong proof is legal and fails."""

from __future__ import annotations

from itertools import product

from gridjoust.games.api import Seat
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.ricochet.actions import Action, Bid, Pass, Redeal, Solve
from gridjoust.games.ricochet.board import COLOURS
from gridjoust.games.ricochet.params import MAX_MOVES, Rules
from gridjoust.games.ricochet.proof import Move
from gridjoust.games.ricochet.state import Phase, State


def seats_to_act(state: State) -> tuple[Seat, ...]:
    """Return the seats that may act: all in a solo position, those still bidding, or the one that must prove."""
    match state.phase:
        case Phase.SOLVING:
            return tuple(range(len(state.players)))
        case Phase.BIDDING:
            return tuple(seat for seat, player in enumerate(state.players) if not player.has_passed)
        case Phase.PROOF:
            return state.provers[:1]
        case Phase.OVER:
            return ()


def legal_actions(state: State, seat: Seat, rules: Rules) -> tuple[Action, ...]:
    """Return pass, all legal bids and, if allowed, `Redeal`; or, when a solution is asked, pass and a sample.

    The sample has all solutions of one move; longer ones are legal too, but too many to list.
    """
    if seat not in seats_to_act(state):
        return ()
    if state.phase is Phase.BIDDING:
        request = (Redeal(),) if _may_ask(state, seat, rules) else ()
        return (Pass(), *map(Bid, range(1, _highest_bid(state, seat) + 1)), *request)
    return (Pass(), *(Solve((Move(*move),)) for move in product(COLOURS[: len(state.robots)], DIRECTIONS)))


def is_legal(state: State, seat: Seat, action: Action, rules: Rules) -> bool:
    """Return True if the seat may do this now; a solution need only be well-formed, not right.

    Bids must fall; `Redeal` is legal once a round and only with `redeal: asked`; a pass always is.
    """
    if seat not in seats_to_act(state):
        return False
    match action:
        case Bid(amount):
            return state.phase is Phase.BIDDING and 1 <= amount <= _highest_bid(state, seat)
        case Solve(moves):
            known = COLOURS[: len(state.robots)]
            is_well_formed = 1 <= len(moves) <= MAX_MOVES and all(move.robot in known for move in moves)
            return state.phase is not Phase.BIDDING and is_well_formed
        case Redeal():
            return _may_ask(state, seat, rules)
        case Pass():
            return True


def _may_ask(state: State, seat: Seat, rules: Rules) -> bool:
    """Return True if the seat may ask for new robot positions: once a round, with `redeal: asked`."""
    return rules.redeal == "asked" and state.phase is Phase.BIDDING and not state.players[seat].has_asked


def _highest_bid(state: State, seat: Seat) -> int:
    """Return the highest bid that the seat may still make, or 0; bids only fall."""
    bid = state.players[seat].bid
    return MAX_MOVES if bid is None else bid - 1
