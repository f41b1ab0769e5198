"""The bots of heroquest, against every check that a bot can fail."""

from __future__ import annotations

from bots.heroquest.astar import AStarHero
from bots.heroquest.beam import BeamHero
from bots.heroquest.dijkstra_map import MapHero
from bots.heroquest.dstar_lite import DStarHero
from bots.heroquest.zargon_dijkstra_map import ZargonHunter
from bots.heroquest.zargon_random import ZargonRandom
from games.api import ParamValue
from games.heroquest import HeroQuest
from gridjoust.conformance import bot_tests

CRYPT: dict[str, ParamValue] = {"max_game_rounds": 10}
VAULT: dict[str, ParamValue] = {"max_game_rounds": 10, "quest": "vault", "equipment": "dwarf: crossbow; elf: staff"}
HEROES = ["heroes"]

TestAStar = bot_tests(AStarHero, game=HeroQuest, params=VAULT, seats=5, roles=HEROES)
TestDStarLite = bot_tests(DStarHero, game=HeroQuest, params=CRYPT, seats=3, roles=HEROES)
TestDijkstraMap = bot_tests(MapHero, game=HeroQuest, params=CRYPT, seats=5, roles=HEROES)
TestBeam = bot_tests(BeamHero, game=HeroQuest, params=CRYPT, seats=5, roles=HEROES)
TestBothSides = bot_tests(AStarHero, game=HeroQuest, params=CRYPT, seats=2)
TestZargonHunter = bot_tests(ZargonHunter, game=HeroQuest, params=CRYPT, seats=5, roles=["zargon"])
TestZargonRandom = bot_tests(ZargonRandom, game=HeroQuest, params=CRYPT, seats=5, roles=["zargon"])
