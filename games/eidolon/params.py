"""The parameters of eidolon with help and bounds, its presets, and the typed value that the rules read.

A preset sets the parameters in its row of `PRESETS`; explicit parameters override it. The name of a preset itself has
no effect on the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gridjoust.games.api import Dynamics, GameSpec, Metric, Param, ParamValue, Utility

BARRIERS = 6  # in the simulations that have barriers

_SPECIALISED: Mapping[str, ParamValue] = {"specialization": "stars", "barriers": BARRIERS}
PRESETS: Mapping[str, Mapping[str, ParamValue]] = {
    "sim1": {},
    "sim2": _SPECIALISED,
    "sim3": {**_SPECIALISED, "known_map": False},
    "sim4": {**_SPECIALISED, "cultists": True, "ritual_every": "round"},
    "sim5": {**_SPECIALISED, "known_map": False, "cultists": True, "ritual_every": "round"},
    "exp1": {},
    "exp2": {},
    "exp3": {},
    "exp4": {"specialization": "stars"},
    "published": {
        "tile_set": "published25",
        "vestibule_rule": True,
        "known_map": False,
        "specialization": "stars",
        "skills": True,
        "cultists": True,
        "win_at": "vestibule",
    },
}

TRACKS: Mapping[str, tuple[int, ...]] = {
    "beginner": (1, 1, 2, 2, 2, 3, 3, 3, 4),
    "normal": (1, 2, 1, 2, 2, 3, 3, 3, 4),
    "hard": (1, 2, 2, 1, 2, 3, 3, 3, 4),
    "very_hard": (1, 2, 2, 2, 2, 3, 3, 3, 4),
    "extreme": (1, 2, 2, 2, 3, 3, 3, 3, 4),
    "heroic": (1, 2, 2, 3, 3, 3, 3, 4, 4),
    "nightmare": (2, 2, 2, 2, 3, 3, 3, 3, 4),
    "legendary": (2, 2, 2, 3, 3, 3, 3, 4, 4),
}
"""Ritual cards per turn at every place of the threat track; the skull comes after the last place."""

STARS: Mapping[str, tuple[int, int, int]] = {
    "warrior": (3, 2, 1),
    "ranger": (2, 3, 1),
    "wizard": (1, 2, 3),
    "paladin": (3, 1, 2),
    "rogue": (1, 3, 2),
    "sage": (2, 1, 3),
}
"""Hero -> stars in red, green, blue; in the order in which seats get them, so that three seats cover all colours."""

AP_PER_TURN = 3
SURGE_AP = 3  # extra AP in the Rogue's master turn

PARAMS: Mapping[str, Param] = {
    "preset": Param("sim1", "a named set of parameters; parameters given beside it win", choices=tuple(PRESETS)),
    "tile_set": Param(
        "seed28",
        "28 tiles with passages and End, or the 25 of the board game without them",
        choices=("seed28", "published25"),
    ),
    "end_doors": Param(4, "doors of the End: 4 or 1 (may also be written URDL or D)", choices=(4, 1)),
    "backtrack": Param(
        "random", "the open tile from which the generator goes on in a dead end", choices=("random", "first", "latest")
    ),
    "vestibule_rule": Param(default=False, help="no seal and no Fire directly on the Vestibule"),
    "on_unsolvable": Param(
        "redraw", "draw an unsolvable map again, or keep it (the match then ends at once)", choices=("redraw", "keep")
    ),
    "known_map": Param(default=True, help="all tiles lie on the board at the start; if false, heroes explore"),
    "free_movement": Param(default=False, help="move to any neighbouring tile, with or without doors"),
    "barriers": Param(0, "doorways that are blocked until a hero clears them", 0, 60),
    "specialization": Param("none", "a token costs 1 AP, or 4 minus the hero's stars", choices=("none", "stars")),
    "seal_rule": Param(
        "personal", "the six tokens must be the hero's own, or the team's total counts", choices=("personal", "team")
    ),
    "skills": Param(default=False, help="basic and master skills of the heroes"),
    "cultists": Param(default=False, help="rituals bring cultists; tiles with two of them are lost"),
    "ritual_every": Param(
        "turn",
        "a ritual after every hero's `turn`, after every game `round`, or after so many turns of heroes: 2, 3 ...",
    ),
    "difficulty": Param("normal", "the threat track", choices=tuple(TRACKS)),
    "win_at": Param(
        "end", "the Fire must come to the End, or it and all heroes to the Vestibule", choices=("end", "vestibule")
    ),
    "heroes": Param("", "heroes by seat, e.g. 'sage rogue'; missing ones are the next of " + ", ".join(STARS)),
    "mode": Param(
        "plain", "special events, listed in gridjoust.games.eidolon.events", choices=("plain", "tremors", "shades")
    ),
    "max_game_rounds": Param(150, "rounds (every hero has a turn) until the match is lost", 1, 10_000),
}

METRICS: Mapping[str, Metric] = {
    "won": Metric("The Fire is out of the dungeon", "higher", is_goal=True),
    "partial": Metric("The Fire is out, but not every hero", is_goal=True),
    "sealed": Metric("Ended because no path leads on", "lower", is_goal=True),
    "game_rounds": Metric("Game rounds played"),
    "team_ap_spent": Metric("Action points that all heroes spent", "lower"),
    "team_seals": Metric("Seals that the team broke", "higher"),
    "tiles_lost": Metric("Tiles taken by the Void", "lower"),
    "ap_spent": Metric("Action points that the hero spent", "lower"),
    "path_length": Metric("Tiles that the hero walked", "lower"),
    "turns": Metric("Turns of the hero"),
    "tokens": Metric("Tokens that the hero took", "higher"),
    "seals": Metric("Seals that the hero broke", "higher"),
    "cultists_removed": Metric("Cultists that the hero removed", "higher"),
    "lost": Metric("The hero is lost", "lower"),
}

SPEC = GameSpec(
    name="eidolon",
    version="3",
    min_seats=1,
    max_seats=6,
    dynamics=Dynamics.SEQUENTIAL,
    utility=Utility.SHARED,
    perfect_information=False,
    max_turns=150 * 6 * AP_PER_TURN,
    params=PARAMS,
    metrics=METRICS,
    summary="gather tokens in a dungeon of tiles, break three seals, take the Fire and carry it out, together",
)

_END_DOORS: Mapping[object, int] = {"URDL": 4, "D": 1}


@dataclass(frozen=True, slots=True)
class Rules:
    """The typed parameters of a match, under the names that they have in a tournament file."""

    tile_set: str
    end_doors: int
    backtrack: str
    vestibule_rule: bool
    on_unsolvable: str
    known_map: bool
    free_movement: bool
    barriers: int
    specialization: str
    seal_rule: str
    skills: bool
    cultists: bool
    ritual_every: str
    difficulty: str
    win_at: str
    mode: str
    max_game_rounds: int
    heroes: tuple[str, ...]  # by seat

    def turns_a_ritual(self, living: int) -> int:
        """Return the number of hero turns from one ritual to the next, with so many heroes alive."""
        return {"turn": 1, "round": living}.get(self.ritual_every) or int(self.ritual_every)

    @property
    def track(self) -> tuple[int, ...]:
        """Number of ritual cards drawn per ritual, by place of the threat track."""
        return TRACKS[self.difficulty]

    def has_skill(self, seat: int, hero: str) -> bool:
        """Return True if the seat's hero is this one and the match is played with skills."""
        return self.skills and self.heroes[seat] == hero

    def way_of(self, seat: int) -> str:
        """Return how the seat's hero can walk, as a kind of `Dungeon.ways`: `doors`, `half` or `beside`."""
        if self.free_movement:
            return "beside"
        return "half" if self.has_skill(seat, "rogue") else "doors"

    def grab_cost(self, seat: int, colour: int) -> int:
        """Return the AP that this seat's hero pays to take a token of that colour (its index)."""
        return 4 - STARS[self.heroes[seat]][colour] if self.specialization == "stars" else 1


def expand(params: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
    """Return the parameters with those of their preset added, unchecked.

    A tile set without the tile End also sets `win_at: vestibule`, unless it is given.
    """
    preset = params.get("preset")
    expanded = {**PRESETS.get(preset, {}), **params} if isinstance(preset, str) else dict(params)
    if expanded.get("tile_set") == "published25":
        expanded.setdefault("win_at", "vestibule")
    if type(every := expanded.get("ritual_every")) is int:
        expanded["ritual_every"] = str(every)
    doors = expanded.get("end_doors")
    if isinstance(doors, str) and doors in _END_DOORS:
        expanded["end_doors"] = _END_DOORS[doors]
    return expanded


def make_rules(params: Mapping[str, ParamValue], *, seats: int) -> Rules:
    """Return the typed parameters, all of which must be given; ValueError for wrong texts or if nobody could win."""
    if params["tile_set"] == "published25" and params["win_at"] == "end":
        raise ValueError("win_at: expected vestibule with tile_set published25 (it has no End), got 'end'")
    every = str(params["ritual_every"])
    if every not in ("turn", "round") and not re.fullmatch("(?!1$)[1-9][0-9]{0,3}", every):
        raise ValueError(f"ritual_every: expected turn, round or a number from 2 to 9999, got {every!r}")
    values: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules)}
    values["heroes"] = parse_heroes(values["heroes"], seats=seats)
    return Rules(**values)


def parse_heroes(text: str, *, seats: int) -> tuple[str, ...]:
    """Return the hero of every seat; ValueError for a hero that is unknown or named twice."""
    named = text.split()
    for name in named:
        if name not in STARS or named.count(name) > 1:
            raise ValueError(f"heroes: expected different ones of {', '.join(STARS)}, got {text!r}")
    return (*named, *(name for name in STARS if name not in named))[:seats]
