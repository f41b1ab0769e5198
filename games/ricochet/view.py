"""Views of ricochet for seats and spectators, as JSON values; only the seed and the optimum are hidden."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gridjoust.games.api import Json
from gridjoust.games.grid import Cell
from gridjoust.games.ricochet.actions import Pass, Solve
from gridjoust.games.ricochet.ascii import format_board
from gridjoust.games.ricochet.board import ANY, COLOURS, Board, Colour, Symbol, Target, sorted_edges
from gridjoust.games.ricochet.proof import Position
from gridjoust.games.ricochet.state import State


def board_view(board: Board) -> dict[str, Json]:
    """Return the board twice: drawn (see gridjoust.games.ricochet.ascii), and as lists for bots in any language."""
    return {
        "board": drawn(board),
        "size": [board.width, board.height],
        "walls": [[x, y, side.name] for (x, y), side in sorted_edges(board.walls)],
        "blocked": [list(cell) for cell in sorted(board.blocked)],
        "targets": [_target_view(target) for target in board.targets],
        "diagonals": [
            {"cell": list(cell), "colour": str(diagonal.colour), "shape": "/" if diagonal.rising else "\\"}
            for cell, diagonal in board.diagonals
        ],
        "openings": [[x, y, side.name] for (x, y), side in sorted_edges(board.openings)],
    }


@lru_cache(maxsize=16)
def drawn(board: Board) -> str:
    """Return the board without robots as text; cached, because it never changes."""
    return format_board(board)


def _target_view(target: Target) -> dict[str, Json]:
    return {"cell": list(target.cell), "colour": str(target.colour or ANY), "symbol": str(target.symbol)}


def public_view(state: State) -> dict[str, Json]:
    """Return everything that all seats know; times are in ms of match time."""
    proof = state.proof
    shown = Solve(proof.moves) if proof and proof.moves else Pass()
    return {
        "phase": state.phase.value,
        "round": state.round,
        "robots": {str(colour): list(cell) for colour, cell in zip(COLOURS, state.robots, strict=False)},
        "target": _target_view(state.target),
        "pool": len(state.pool),
        "chips": list(state.chips),
        "bids": [player.bid for player in state.players],
        "passed": [player.has_passed for player in state.players],
        "asked": [player.has_asked for player in state.players],
        "prover": state.provers[0] if state.provers else None,
        "clock_ms": state.clock_ms,
        "wake_ms": state.wake_ms,
        "proof": None if proof is None else {"seat": proof.seat, "action": str(shown), "fault": proof.fault},
        "answers": [[answer.moves for answer in player.answers] for player in state.players],
    }


def parse_position(view: Mapping[str, Json], board: Board) -> Position:
    """Return the position that a public view shows on this board."""
    robots = tuple(Cell(*view["robots"][str(colour)]) for colour in COLOURS if str(colour) in view["robots"])
    shown = view["target"]
    colour = None if shown["colour"] == ANY else Colour[shown["colour"].upper()]
    target = Target(Cell(*shown["cell"]), colour, Symbol[shown["symbol"].upper()])
    return Position(board.wanting(target), robots, target)
