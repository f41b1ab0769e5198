"""Pictures for the documentation: for every game, a turn of a match between built-in bots; and a leaderboard.

`python -m docs.make_reference` writes them beside the pages; a test checks that they are up to date.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from gridjoust.commands.shared.board import draw_board
from gridjoust.drawing.find import draw_state
from gridjoust.games.api import ParamValue
from gridjoust.games.drawing import Drawing
from gridjoust.games.svg import write_svg
from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.simulation import play

_SAMPLE = Path(__file__).parents[1] / "results" / "sample"
_COLUMNS = 60  # of the leaderboard: still read on a phone


@dataclass(frozen=True, slots=True)
class Scene:
    """A turn of a match; bots are limited in work and not in time, so the match is the same on every machine."""

    bots: tuple[str, ...]
    seed: int
    turn: int
    params: Mapping[str, ParamValue] = field(default_factory=dict)


SCENES = {
    "bomber": Scene(("bomber/dijkstra_map", "bomber/dijkstra_map"), seed=7, turn=40, params={"max_ticks": 60}),
    "ricochet": Scene(("ricochet/bfs",), seed=5, turn=1, params={"mode": "solve"}),
    "eidolon": Scene(("eidolon/astar",), seed=3, turn=50),
    "heroquest": Scene((*("heroquest/astar",) * 3, "heroquest/zargon_dijkstra_map"), seed=7, turn=74),
    "navigation": Scene(
        ("navigation/dstar_lite",), seed=6, turn=32, params={"knowledge": "unknown", "sensor": 4, "density": 0.3}
    ),
    "placement": Scene(("placement/dijkstra_map", "placement/astar"), seed=2, turn=4),
}


_BY_WORK: Mapping[str, Any] = {"clock": "work", "turn_work": 30_000}

PICTURES = ("leaderboard", *SCENES)
"""Names of all pictures, without `.svg`."""


def picture(name: str) -> str:
    """Return one of the `PICTURES` as SVG."""
    if name == "leaderboard":
        return draw_board(make_leaderboard(read_seats(_SAMPLE)), title=_SAMPLE.name, columns=_COLUMNS)
    return write_svg(draw_scene(name, SCENES[name]))


def draw_scene(name: str, scene: Scene) -> Drawing:
    """Play the match and draw its turn `scene.turn`, or the last one if the match is shorter."""
    # an id of its own: else the bots' chance would change with every change of their code
    played = play(name, list(scene.bots), seed=scene.seed, params=dict(scene.params), time=_BY_WORK, match_id="picture")
    record = played.record
    states = [moment.state for moment in takewhile(lambda moment: moment.turn <= scene.turn, replay(record))]
    return draw_state(game_of(record), states[-1], past=states[:-1])
