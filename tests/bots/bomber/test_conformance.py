"""Every bomber bot against every check that a bot can fail."""

from __future__ import annotations

from bots.bomber.astar import AStarBomber
from bots.bomber.beam import BeamBomber
from bots.bomber.dijkstra_map import Gambit
from bots.bomber.dstar_lite import DStarLiteBomber
from bots.bomber.wanderer import Wanderer
from bots.random_bot import RandomBot
from games.api import ParamValue
from games.bomber import Bomber
from gridjoust.conformance import bot_tests

SHORT: dict[str, ParamValue] = {"max_ticks": 90}
TICKED: dict[str, ParamValue] = {"max_ticks": 60, "pace": "realtime"}
OPEN: dict[str, ParamValue] = {"max_ticks": 60, "hidden": False}
LONG: dict[str, ParamValue] = {"max_ticks": 400}  # random answers take their time to blow themselves up
NARROW = {"width": 2, "depth": 4}

TestGambit = bot_tests(Gambit, game=Bomber, params=SHORT)
TestAStar = bot_tests(AStarBomber, game=Bomber, params=SHORT)
TestDStarLite = bot_tests(DStarLiteBomber, game=Bomber, params=SHORT)
TestBeam = bot_tests(BeamBomber, game=Bomber, params=SHORT, options=NARROW)
TestAStarAgainstTheClock = bot_tests(AStarBomber, game=Bomber, params=TICKED)
TestDStarLiteWithFourSeats = bot_tests(DStarLiteBomber, game=Bomber, params=OPEN, seats=4)
TestBeamAgainstTheClock = bot_tests(BeamBomber, game=Bomber, params=TICKED, options=NARROW)
TestRandom = bot_tests(RandomBot, game=Bomber, params=SHORT)
TestWanderer = bot_tests(Wanderer, game=Bomber, params=LONG)
