"""The parameters of placement with help and bounds, and the typed value that the rules read.

A `map` fixes the size of the board and everything on it; `width`, `height`, `goals`, `islands`, `island_cells` and
`walls` have no effect then. A preset sets the parameters in its row of `PRESETS`; explicit parameters override it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gridjoust.games.api import Metric, Param, ParamValue
from gridjoust.games.placement.pieces import MAX_CELLS

MAX_SIZE = 64

PRESETS: Mapping[str, Mapping[str, ParamValue]] = {
    "race": {},  # the defaults
    "article": {
        "width": 15, "height": 15, "moves": 6, "hand": 3, "max_cells": 6, "goals": 1,
        "order": "fixed", "barriers": 0, "finish_round": False, "tie_break": "draw",
    },
}  # fmt: skip

PARAMS: Mapping[str, Param] = {
    "preset": Param("race", "a named set of parameters; parameters given beside it win", choices=tuple(PRESETS)),
    "width": Param(24, "columns of a generated map", 7, MAX_SIZE),
    "height": Param(24, "rows of a generated map", 7, MAX_SIZE),
    "moves": Param(8, "most steps in a turn", 1, 64),
    "hand": Param(1, "pieces that a turn starts with", 1, 6),
    "min_cells": Param(3, "cells of the smallest pieces", 1, MAX_CELLS),
    "max_cells": Param(4, "cells of the largest pieces", 1, MAX_CELLS),
    "reflect": Param(default=False, help="pieces may be mirrored as well as turned"),
    "keep_hand": Param(default=False, help="pieces left over stay in the hand, which is filled up; else discarded"),
    "hidden_hands": Param(default=False, help="only the owner sees a hand"),
    "deal": Param("own", "every seat draws its own pieces, or all draw the same", choices=("own", "equal")),
    "goals": Param(3, "goals of each seat, all of which it must collect", 1, 4),
    "islands": Param(4, "islands without an owner on a generated map, about", 0, 256),
    "island_cells": Param(4, "cells of each island of a generated map", 1, 16),
    "walls": Param(0, "Wall cells of a generated map, about", 0, 1024),
    "collapse": Param(0, "cells laid by players, oldest first, that fall back to Void after each game round", 0, 64),
    "order": Param(
        "alternate",
        "seats in order, but from last to first in every other game round; or always in order",
        choices=("alternate", "fixed"),
    ),
    "barriers": Param(3, "pieces that a seat may lay as Walls in a match; they must leave every seat a path", 0, 64),
    "finish_round": Param(default=True, help="play a game round to its end, so that all seats have as many turns"),
    "max_game_rounds": Param(50, "game rounds until the match ends without a winner", 1, 10_000),
    "tie_break": Param(
        "steps",
        "without a winner: draw; nearest = more goals, then the shorter distance to a goal; steps, cells = as nearest, "
        "then (also among seats that finish in one game round) fewer steps walked or cells laid, then the other",
        choices=("draw", "nearest", "steps", "cells"),
    ),
    "map": Param(
        "", "board as text (see gridjoust.games.placement.maps for the signs); empty = generated from the seed"
    ),
}

METRICS: Mapping[str, Metric] = {
    "goals": Metric("Goals collected", "higher"),
    "pieces": Metric("Pieces laid"),
    "cells": Metric("Cells laid"),
    "barriers": Metric("Pieces laid as Walls"),
    "steps": Metric("Cells walked"),
    "passes": Metric("Turns passed"),
    "distance": Metric("Steps to the nearest missing goal over Floor; -1 without a path"),
    "game_rounds": Metric("Game rounds played"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The typed parameters of a match, with the size of its board."""

    width: int
    height: int
    moves: int
    hand: int
    min_cells: int
    max_cells: int
    reflect: bool
    keep_hand: bool
    hidden_hands: bool
    deal: str
    goals: int
    islands: int
    island_cells: int
    walls: int
    collapse: int
    order: str
    barriers: int
    finish_round: bool
    max_game_rounds: int
    tie_break: str


def expand(params: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
    """Return the parameters, with those of their preset where they give none; nothing is checked."""
    preset = params.get("preset")
    return {**PRESETS.get(preset, {}), **params} if isinstance(preset, str) else dict(params)


def make_rules(params: Mapping[str, ParamValue], *, size: tuple[int, int] | None) -> Rules:
    """Return the typed parameters; `size` is (width, height) of a given map. ValueError for a contradiction."""
    values: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules)}
    if values["min_cells"] > values["max_cells"]:
        raise ValueError(f"max_cells: expected at least {values['min_cells']}, got {values['max_cells']}")
    if values["hidden_hands"] and values["deal"] == "equal":
        raise ValueError("deal: expected own where hands are hidden, got equal")
    if size is not None:
        values["width"], values["height"] = size
    return Rules(**values)
