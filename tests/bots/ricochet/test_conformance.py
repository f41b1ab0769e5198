"""Every ricochet bot against every check that a bot can fail, in both modes."""

from __future__ import annotations

from bots.ricochet.astar import AStar
from bots.ricochet.beam import Beam
from bots.ricochet.bfs import BreadthFirst
from bots.ricochet.dijkstra_map import DijkstraRoller
from bots.ricochet.dstar_lite import DStarBidder
from games.api import ParamValue
from games.ricochet import Ricochet
from gridjoust.conformance import bot_tests

SHORT: dict[str, ParamValue] = {"max_rounds": 3, "think_s": 2.0, "sand_s": 1.0, "tiles": "1A 3B 4A 2A"}
SOLO: dict[str, ParamValue] = {"mode": "solve", "positions": 2, "optima": "3,5"}

TestAStarBids = bot_tests(AStar, game=Ricochet, params=SHORT, seats=3)
TestAStarSolves = bot_tests(AStar, game=Ricochet, params=SOLO, seats=1)
TestBreadthFirst = bot_tests(BreadthFirst, game=Ricochet, params=SHORT, seats=2, options={"skill": 5})
TestBeam = bot_tests(Beam, game=Ricochet, params=SHORT, seats=2, options={"skill": 4, "width": 16})
TestDijkstraRoller = bot_tests(DijkstraRoller, game=Ricochet, params=SHORT, seats=2, options={"skill": 5})
TestDStarBidder = bot_tests(DStarBidder, game=Ricochet, params=SHORT, seats=2, options={"skill": 5})
