"""Large teams of eidolon on a street of tiles with a seal at its western end. Holds no expectations."""

from __future__ import annotations

from typing import Any

from gridjoust.bots.eidolon.joint.plan import JointGoals
from gridjoust.bots.eidolon.roads import RoadBook
from gridjoust.bots.eidolon.roles import Requirements, choose_collectors
from gridjoust.games.eidolon.dungeon import Placed
from tests.bots.eidolon.matches import MEASURE
from tests.games.eidolon.scenes import Scene, place, scene

HOME, SEAL = (0, 0), (-1, 0)
RULES: dict[str, Any] = {"preset": "sim4", "barriers": 0, "ritual_every": "turn", "win_at": "vestibule"}
WEST_SEAL = place("voraxs_heart", -1, 0, 270)
STREET = tuple(
    place(name, x, 0)
    for x, name in enumerate(("minotaur", "voracious_plant", "floating_stones", "laughing_shadow"), start=1)
)


def team(*tiles: Placed, reds: tuple[int, ...], at: tuple[tuple[int, int], ...], **options: Any) -> Scene:
    """Heroes with red tokens, as many as places; only the red seal stands, and nothing lies to take."""
    tokens = tuple((red, 0, 0) for red in reds)
    return scene(*tiles, at=at, tokens=tokens, **{**RULES, **options}).change(tokens=0, broken=0b110)


def needs_of(here: Scene) -> Requirements:
    """What the team still needs."""
    return Requirements(here.game.rules, here.state, RoadBook(here.game.rules, MEASURE))


def joint(here: Scene) -> JointGoals:
    """The plan of all heroes."""
    needs = needs_of(here)
    return JointGoals(needs, choose_collectors(needs, {}), {}, division="voronoi")
