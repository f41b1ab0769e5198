"""The parameters of navigation with help and bounds, and the typed value that the rules read.

A `map` fixes the board; `generator`, `width`, `height`, `density`, `corridor` and `room` have no effect then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gridjoust.games.api import Metric, Param, ParamValue
from gridjoust.games.navigation.board import MOVES, Board, Moves, cells_in_range

MAX_CELLS = 400_000  # cells of a map: a briefing that shows it must fit into a message
DRAWN_QUERY = -1

PARAMS: Mapping[str, Param] = {
    "map": Param("", "board as text, MovingAI .map or drawn (see gridjoust.games.navigation.maps); empty = generated"),
    "scen": Param("", "queries as text of a MovingAI .scen; empty = those of the map, or drawn"),
    "query": Param(DRAWN_QUERY, "row of the queries to play, from 0; -1 = drawn from the seed", -1, 1_000_000),
    "start": Param("", "start such as 12,12 (shared: one for each seat, with spaces between); empty = from a query"),
    "goal": Param("", "goal, like start"),
    "generator": Param("random", "kind of generated map", choices=("random", "maze", "rooms", "caves", "streets")),
    "width": Param(32, "columns of a generated map", 3, 512),
    "height": Param(32, "rows of a generated map", 3, 512),
    "density": Param(0.2, "random: share of blocked cells", 0, 0.9),
    "corridor": Param(2, "maze: width of its corridors", 1, 64),
    "room": Param(4, "rooms: width and height of a room", 1, 64),
    "solvable": Param(default=True, help="draw only queries with a path from start to goal"),
    "connectivity": Param(
        "8",
        "4 neighbours; 8, diagonals cost the root of 2 and cut no corners; 8 at cost 1, corners may be cut",
        choices=tuple(MOVES),
    ),
    "knowledge": Param("known", "robots know the map, or only what they have sensed", choices=("known", "unknown")),
    "sensor": Param(1, "radius of the sensor in moves; 1 = the neighbours", 1, 64),
    "changes": Param(0, "cells that change at each flip; as many open as close", 0, 100_000),
    "change_every": Param(10, "rounds from one flip to the next", 1, 1_000_000),
    "shared": Param(default=False, help="robots are obstacles to each other, each with a start and a goal of its own"),
    "batch": Param(default=False, help="an answer may be a path, walked until the map contradicts it"),
    "max_turns": Param(1000, "rounds until the match ends; a robot takes at most one step in each", 1, 1_000_000),
}

METRICS: Mapping[str, Metric] = {
    "solved": Metric("The goal was reached, or correctly given up", "higher", is_goal=True),
    "reached": Metric("The goal was reached", "higher", is_goal=True),
    "cost": Metric("Cost of the path walked", "lower"),
    "reference": Metric("Cost of the cheapest path on the whole map, as it is at the start"),
    "cost_over_reference": Metric("Cost divided by that of the cheapest path; 0 if the goal was not reached"),
    "steps": Metric("Steps taken"),
    "waits": Metric("Turns waited"),
    "turns": Metric("Turns taken"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The parameters that the turns need, typed."""

    moves: Moves
    is_known: bool
    sensor: int
    changes: int
    change_every: int
    shared: bool
    batch: bool
    max_turns: int
    promises_way: bool  # every match starts with a path from each start to its goal

    def in_range(self, board: Board, cell: int) -> tuple[int, ...]:
        """Return the cells that the sensor of a robot covers."""
        return cells_in_range(board.width, board.height, cell, self.sensor, self.moves.connectivity)


def make_rules(params: Mapping[str, ParamValue], *, has_given_ends: bool) -> Rules:
    """Return the typed parameters; `has_given_ends` means that starts and goals are not drawn."""
    same: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules) if field.name in params}
    return Rules(
        **same,
        moves=MOVES[str(params["connectivity"])],
        is_known=params["knowledge"] == "known",
        promises_way=bool(params["solvable"]) and not has_given_ends,
    )
