"""The four bots of navigation against every check that a bot can fail."""

from __future__ import annotations

from bots.navigation.astar import AStar
from bots.navigation.beam import Beam
from bots.navigation.dijkstra_map import DijkstraMapBot
from bots.navigation.dstar_lite import DStarLite
from games.api import ParamValue
from games.navigation import Navigation
from gridjoust.conformance import bot_tests

SMALL: dict[str, ParamValue] = {"width": 12, "height": 10, "max_turns": 60}
UNKNOWN: dict[str, ParamValue] = {**SMALL, "knowledge": "unknown", "density": 0.3}

TestAStar = bot_tests(AStar, game=Navigation, params=UNKNOWN)
TestDStarLite = bot_tests(DStarLite, game=Navigation, params=UNKNOWN)
TestDijkstraMap = bot_tests(DijkstraMapBot, game=Navigation, params=UNKNOWN)
TestBeam = bot_tests(Beam, game=Navigation, params=UNKNOWN)
TestAmongRobots = bot_tests(AStar, game=Navigation, params={**UNKNOWN, "shared": True}, seats=3)
TestWithPaths = bot_tests(DStarLite, game=Navigation, params={**UNKNOWN, "batch": True, "changes": 5})
