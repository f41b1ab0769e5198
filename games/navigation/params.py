"""The parameters of navigation with help and bounds, and the typed value that the rules read. Judges no map.

With a `map` the board comes from its text: `generator`, `width`, `height`, `density`, `corridor` and `room` are not
used then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gridjoust.games.api import Metric, Param, ParamValue
from gridjoust.games.navigation.board import MOVES, Board, Moves, cells_in_range

MAX_CELLS = 400_000  # of a map: the briefing that shows it must fit a message
DRAWN_QUERY = -1

PARAMS: Mapping[str, Param] = {
    "map": Param("", "board as text, MovingAI .map or drawn (see gridjoust.games.navigation.maps); empty = generated"),
    "scen": Param("", "queries as text of a MovingAI .scen; empty = those of the map, else drawn"),
    "query": Param(DRAWN_QUERY, "row of the queries that is played, from 0; -1 = drawn by the seed", -1, 1_000_000),
    "start": Param("", "start such as 12,12 (shared: one for each seat, with spaces between); empty = by a query"),
    "goal": Param("", "goal, like start"),
    "generator": Param("random", "kind of generated map", choices=("random", "maze", "rooms")),
    "width": Param(32, "columns of a generated map", 3, 512),
    "height": Param(32, "rows of a generated map", 3, 512),
    "density": Param(0.2, "random: share of blocked cells", 0, 0.9),
    "corridor": Param(2, "maze: width of its corridors", 1, 64),
    "room": Param(4, "rooms: width and height of a room", 1, 64),
    "solvable": Param(default=True, help="draw only queries with a way from start to goal"),
    "connectivity": Param(
        "8",
        "four neighbours; eight, diagonals cost the root of 2 and cut no corners; eight at cost 1, corners may be cut",
        choices=tuple(MOVES),
    ),
    "knowledge": Param("known", "robots know the map, or only what their sensor has met", choices=("known", "unknown")),
    "sensor": Param(1, "radius of the sensor in moves; 1 = the neighbours", 1, 64),
    "changes": Param(0, "cells that flip at a time, as many open as close", 0, 100_000),
    "change_every": Param(10, "rounds from one flip to the next", 1, 1_000_000),
    "shared": Param(default=False, help="robots are obstacles to each other, each with a start and a goal of its own"),
    "batch": Param(default=False, help="an answer may be a path, walked until the map contradicts it"),
    "max_turns": Param(1000, "rounds until the match ends; a robot takes at most one step in each", 1, 1_000_000),
}

METRICS: Mapping[str, Metric] = {
    "solved": Metric("The goal was reached, or rightly given up", "higher", is_goal=True),
    "reached": Metric("The goal was reached", "higher", is_goal=True),
    "cost": Metric("Cost of the way walked", "lower"),
    "reference": Metric("Cost of the cheapest way for who knows the whole map"),
    "cost_over_reference": Metric("Cost over that of the cheapest way; 0 where the goal was not reached"),
    "steps": Metric("Steps taken"),
    "waits": Metric("Turns waited"),
    "turns": Metric("Turns taken"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the parameters of turns mean."""

    moves: Moves
    is_known: bool
    sensor: int
    changes: int
    change_every: int
    shared: bool
    batch: bool
    max_turns: int
    promises_way: bool  # every match starts with a way from each start to its goal

    def in_range(self, board: Board, cell: int) -> tuple[int, ...]:
        """The cells that the sensor of a robot covers."""
        return cells_in_range(board.width, board.height, cell, self.sensor, self.moves.connectivity)


def make_rules(params: Mapping[str, ParamValue], *, has_given_ends: bool) -> Rules:
    """The typed parameters, most under their own names; `has_given_ends`: starts and goals are not drawn."""
    same: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules) if field.name in params}
    return Rules(
        **same,
        moves=MOVES[str(params["connectivity"])],
        is_known=params["knowledge"] == "known",
        promises_way=bool(params["solvable"]) and not has_given_ends,
    )
