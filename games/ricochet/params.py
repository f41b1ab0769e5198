"""The parameters of ricochet with help and bounds, and the typed value that the rules read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gridjoust.games.api import Metric, Param, ParamValue
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.proof import MoveRules
from gridjoust.games.ricochet.tiles import BOARD_SIZE, parse_arrangement

MAX_MOVES = 99  # most moves of a bid or a solution; the longest known optimum of an official board is 25
MAX_OPTIMUM = 12  # largest optimum that a position can be asked for
CHIPS_TO_WIN = {2: 8, 3: 6, 4: 5}  # by number of players; with others the match goes on until the pool is empty

PARAMS: Mapping[str, Param] = {
    "mode": Param(
        "bidding", "bid for the shortest solution, or solve a row of positions", choices=("bidding", "solve")
    ),
    "variant": Param(
        "plain", "fewest moves, or the printed rules: turn once, never go straight back", choices=("plain", "printed")
    ),
    "early_stop": Param(default=True, help="printed: a robot may stop on the target before it has turned"),
    "pass_goal": Param(
        default=True,
        help="robots slide on over their target unless something stops them on it, as in the printed rules; "
        "false: they stop when they reach it, as in the report on the game",
    ),
    "map": Param(
        "", "board as text (see gridjoust.games.ricochet.ascii), with all robots or none; empty = by the others"
    ),
    "tiles": Param("random", "arrangement of the board, clockwise from north-west, such as 1A 3B 4A 2A; or random"),
    "diagonals": Param(default=False, help="random tiles: draw the D faces with their diagonals too"),
    "vortex": Param(default=True, help="play the target that any robot may reach"),
    "silver": Param(default=False, help="add the neutral fifth robot"),
    "openings": Param(
        default=False, help="open two rows and two columns of the border; robots re-enter on the opposite side"
    ),
    "random_walls": Param(0, "make a board with this many random walls in place of the tiles", 0, 1984),
    "width": Param(BOARD_SIZE, "columns of a board with random walls", 6, 32),
    "height": Param(BOARD_SIZE, "rows of a board with random walls", 6, 32),
    "min_optimum": Param(2, "use no target that fewer moves solve", 1, 6),
    "sand_s": Param(1.0, "bidding: time from the first bid to the last (60 at the table)", 0.01, 3600),
    "think_s": Param(30.0, "bidding: time for the first bid; without one the round is void", 0.01, 36_000),
    "proof_ms": Param(2000, "bidding: time to prove a bid", 10, 3_600_000),
    "max_rounds": Param(60, "bidding: rounds until the match ends", 1, 1000),
    "chips": Param(
        0, "bidding: chips that win; 0 = 8, 6, 5 for two, three, four players, else until the pool is empty", 0, 17
    ),
    "equal_bids": Param(
        "chips",
        "bidding: among equal bids, the seat with fewer chips proves first (as printed), or the earlier bid",
        choices=("chips", "call"),
    ),
    "reset": Param(default=False, help="bidding: robots go back to their start cells after every round"),
    "redeal": Param(
        "never",
        "bidding: put robots on new cells: never, after a round without a winner, after each, or when all seats ask",
        choices=("never", "void", "always", "asked"),
    ),
    "positions": Param(5, "solve: positions, one a turn", 1, 200),
    "optima": Param("", "solve: optima of the positions in turn, such as 3,4,7; empty = any"),
}

METRICS: Mapping[str, Metric] = {
    "chips": Metric("Targets won", "higher"),
    "bids": Metric("Bids made"),
    "proven": Metric("Proofs that were right", "higher"),
    "failed": Metric("Proofs that were wrong or too late", "lower"),
    "rounds": Metric("Rounds played"),
    "solved": Metric("Positions solved", "higher"),
    "best": Metric("Positions solved in the fewest moves possible", "higher"),
    "moves": Metric("Moves of the positions solved"),
    "optimum": Metric("Fewest moves of the same positions"),
    "over_optimum": Metric("Moves beyond the fewest possible", "lower"),
}
FOR_PEOPLE: Mapping[str, ParamValue] = {"sand_s": 60.0, "think_s": 600.0, "proof_ms": 120_000}
"""The clocks of the table, at which a person has time to read and to type; `joust play` takes them by default."""
BOTS_FOR_PEOPLE: Mapping[str, ParamValue] = {"skill": 1}
"""Options with which its bots solve about half of the positions; `joust play` takes them by default."""
IN_TURNS: Mapping[str, ParamValue] = {"mode": "solve"}
"""The parameters that make it a turn-based game, for players without a clock."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The typed parameters; times are in ms."""

    moves: MoveRules
    robots: int  # four, or five with silver
    min_optimum: int
    sand_ms: int
    think_ms: int
    proof_ms: int
    max_rounds: int
    chips_to_win: int  # 0 = no number of chips ends the match
    equal_bids: str
    reset: bool
    redeal: str
    positions: int
    optima: tuple[int, ...]


def make_rules(params: Mapping[str, ParamValue], seats: int) -> Rules:
    """Return the typed rules; ValueError `name: expected ..., got ...` for a bad text."""
    _check_texts(params)
    own_names = ("min_optimum", "proof_ms", "max_rounds", "equal_bids", "reset", "redeal", "positions")
    same: dict[str, Any] = {name: params[name] for name in own_names}
    return Rules(
        **same,
        moves=MoveRules(printed=params["variant"] == "printed", early_stop=bool(params["early_stop"])),
        robots=5 if params["silver"] else 4,
        sand_ms=round(float(params["sand_s"]) * 1000),
        think_ms=round(float(params["think_s"]) * 1000),
        chips_to_win=int(params["chips"]) or CHIPS_TO_WIN.get(seats, 0),
        optima=_parse_optima(str(params["optima"])),
    )


def _check_texts(params: Mapping[str, ParamValue]) -> None:
    text = str(params["map"])
    if text:
        board, robots = parse_board(text)
        if not board.targets:
            raise ValueError("map: expected at least one target, got none")
        if robots and len(robots) != (5 if params["silver"] else 4):
            raise ValueError(f"map: expected all robots or none, got {len(robots)}")
    if params["tiles"] != "random":
        parse_arrangement(str(params["tiles"]))
    width, height, walls = int(params["width"]), int(params["height"]), int(params["random_walls"])
    if not walls and (width, height) != (BOARD_SIZE, BOARD_SIZE):
        raise ValueError(f"width: expected {BOARD_SIZE} x {BOARD_SIZE} without random_walls, got {width} x {height}")
    inner_edges = 2 * width * height - width - height
    if walls > inner_edges:
        raise ValueError(f"random_walls: expected at most {inner_edges} on {width} x {height}, got {walls}")


def _parse_optima(text: str) -> tuple[int, ...]:
    parts = text.replace(" ", "").split(",") if text.strip() else []
    if not all(part.isascii() and part.isdigit() and 1 <= int(part[:4]) <= MAX_OPTIMUM for part in parts):
        raise ValueError(f"optima: expected numbers from 1 to {MAX_OPTIMUM} such as 3,4,7, got {text!r}")
    return tuple(int(part) for part in parts)
