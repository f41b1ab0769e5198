"""Every bot against every check that a bot can fail.

Those whose matches take longest are played in the gate; in the default run stands at least one bot of every game, and
one of every planner; of one bot a game it plays every check.
"""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.conformance import bot_tests
from gridjoust.games.api import ParamValue
from tests.tiers import without

Params = dict[str, ParamValue]


def in_gate(bot: str, **setting: Any) -> type:
    """Make the tests of a bot for the gate."""
    return pytest.mark.gate(bot_tests(bot, **setting))


def in_part(bot: str, **setting: Any) -> type:
    """Make the tests of a bot for the default run, the longest two for the gate."""
    return without(bot_tests(bot, **setting), "fresh_interpreter_answers_the_same", "not_worse_than_random")


def to_practise_on(bot: str, **setting: Any) -> type:
    """Make the tests of a bot that does nothing for the points: at random one has more."""
    tests = in_gate(bot, **setting)
    del tests.test_not_worse_than_random  # type: ignore[attr-defined]
    return tests


SHORT: Params = {"max_ticks": 90}
TICKED: Params = {"max_ticks": 60, "pace": "realtime"}
OPEN: Params = {"max_ticks": 60, "hidden": False}
LONG: Params = {"preset": "coderone", "max_ticks": 400}  # random answers take their time to blow themselves up
NARROW: Params = {"width": 2, "depth": 4}
TestBomberGambit = in_gate("gridjoust.bots.bomber.gambit:Gambit", game="bomber", params=SHORT)
TestBomberMap = in_gate("gridjoust.bots.bomber.dijkstra_map:MapBomber", game="bomber", params=SHORT)
TestBomberAStar = bot_tests("gridjoust.bots.bomber.astar:AStarBomber", game="bomber", params=SHORT)
TestBomberDStarLite = in_gate("gridjoust.bots.bomber.dstar_lite:DStarLiteBomber", game="bomber", params=SHORT)
TestBomberBeam = in_gate("gridjoust.bots.bomber.beam:BeamBomber", game="bomber", params=SHORT, options=NARROW)
TestBomberAStarTicked = in_gate("gridjoust.bots.bomber.astar:AStarBomber", game="bomber", params=TICKED)
TestBomberDStarLiteFour = in_gate(
    "gridjoust.bots.bomber.dstar_lite:DStarLiteBomber", game="bomber", params=OPEN, seats=4
)
TestBomberBeamTicked = in_gate("gridjoust.bots.bomber.beam:BeamBomber", game="bomber", params=TICKED, options=NARROW)
TestBomberFloor = in_gate("gridjoust.bots.bomber.floor:FloorBomber", game="bomber", params=SHORT)
TestBomberFugitive = to_practise_on("gridjoust.bots.bomber.floor:Fugitive", game="bomber", params=SHORT)
TestBomberIdle = to_practise_on("gridjoust.bots.bomber.wanderer:Idle", game="bomber", params=SHORT)
TestBomberRandom = in_part("gridjoust.bots.random_bot:RandomBot", game="bomber", params=SHORT)
TestBomberWanderer = in_gate("gridjoust.bots.bomber.wanderer:Wanderer", game="bomber", params=LONG)

EIGHT: Params = {"max_game_rounds": 8}
SIM4, SIM5, PUBLISHED = ({"preset": preset, **EIGHT} for preset in ("sim4", "sim5", "published"))
TestEidolonAStar = in_gate("gridjoust.bots.eidolon.astar:AStarHero", game="eidolon", params=SIM4, seats=2)
TestEidolonDStarLite = bot_tests(
    "gridjoust.bots.eidolon.dstar_lite:DStarLiteHero", game="eidolon", params=SIM5, seats=2
)
TestEidolonMap = in_gate(
    "gridjoust.bots.eidolon.dijkstra_map:DijkstraMapHero", game="eidolon", params=PUBLISHED, seats=2
)
TestEidolonFloor = in_part("gridjoust.bots.eidolon.floor:FloorHero", game="eidolon", params=SIM5, seats=2)
TestEidolonBeam = in_gate("gridjoust.bots.eidolon.beam:BeamHero", game="eidolon", params={**SIM5, "skills": True})

CRYPT: Params = {"max_game_rounds": 10}
VAULT: Params = {"max_game_rounds": 10, "quest": "vault", "equipment": "dwarf: crossbow; elf: staff"}
HERO, ZARGON = ["heroes"], ["zargon"]
TestHeroAStar = in_gate("gridjoust.bots.heroquest.astar:AStarHero", game="heroquest", params=VAULT, seats=5, roles=HERO)
TestHeroDStar = in_gate(
    "gridjoust.bots.heroquest.dstar_lite:DStarHero", game="heroquest", params=CRYPT, seats=3, roles=HERO
)
TestHeroMap = in_gate(
    "gridjoust.bots.heroquest.dijkstra_map:MapHero", game="heroquest", params=CRYPT, seats=5, roles=HERO
)
TestHeroBeam = in_gate("gridjoust.bots.heroquest.beam:BeamHero", game="heroquest", params=CRYPT, seats=5, roles=HERO)
TestHeroFloor = bot_tests("gridjoust.bots.heroquest.floor:FloorHero", game="heroquest", params=CRYPT, seats=3)
TestHeroBothSides = in_part("gridjoust.bots.heroquest.astar:AStarHero", game="heroquest", params=CRYPT, seats=2)
TestZargonHunter = in_part(
    "gridjoust.bots.heroquest.zargon_dijkstra_map:ZargonHunter", game="heroquest", params=CRYPT, seats=5, roles=ZARGON
)
TestZargonMcts = in_gate(
    "gridjoust.bots.heroquest.zargon_mcts:ZargonMcts",
    game="heroquest",
    params=CRYPT,
    seats=5,
    options={"states": 60},
    roles=ZARGON,
)
TestZargonRandom = in_gate(
    "gridjoust.bots.heroquest.zargon_random:ZargonRandom", game="heroquest", params=CRYPT, seats=5, roles=ZARGON
)

UNKNOWN: Params = {"width": 12, "height": 10, "max_turns": 60, "knowledge": "unknown", "density": 0.3}
AMONG_ROBOTS: Params = {**UNKNOWN, "shared": True}
WITH_PATHS: Params = {**UNKNOWN, "batch": True, "changes": 5}
TestNavigationAStar = bot_tests("gridjoust.bots.navigation.astar:AStar", game="navigation", params=UNKNOWN)
TestNavigationDStarLite = in_part("gridjoust.bots.navigation.dstar_lite:DStarLite", game="navigation", params=UNKNOWN)
TestNavigationMap = in_part("gridjoust.bots.navigation.dijkstra_map:DijkstraMapBot", game="navigation", params=UNKNOWN)
TestNavigationBeam = in_part("gridjoust.bots.navigation.beam:Beam", game="navigation", params=UNKNOWN)
TestNavigationFloor = in_part("gridjoust.bots.navigation.floor:Floor", game="navigation", params=UNKNOWN)
TestNavigationARAStar = in_gate("gridjoust.bots.navigation.arastar:ARAStarWalker", game="navigation", params=UNKNOWN)
TestNavigationLPAStar = in_gate("gridjoust.bots.navigation.lpastar:LPAStarWalker", game="navigation", params=UNKNOWN)
TestNavigationMPAAStar = in_gate(
    "gridjoust.bots.navigation.mpaastar:MPAAStarWalker", game="navigation", params=WITH_PATHS
)
TestNavigationWeighted = in_gate(
    "gridjoust.bots.navigation.weighted_astar:WeightedAStar", game="navigation", params=UNKNOWN
)
TestNavigationRobots = in_part("gridjoust.bots.navigation.astar:AStar", game="navigation", params=AMONG_ROBOTS, seats=3)
TestNavigationPaths = in_part("gridjoust.bots.navigation.dstar_lite:DStarLite", game="navigation", params=WITH_PATHS)

SMALL: Params = {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 8}
MIRRORED: Params = {**SMALL, "reflect": True}
HANDS: Params = {**SMALL, "hidden_hands": True, "keep_hand": True}
REPAIRED: Params = {**SMALL, "collapse": 3, "goals": 2, "walls": 8}
LIMIT: Params = {"limit": 32}
BUDGET: Params = {"node_budget": 1000}
TestPlacementBeam = bot_tests("gridjoust.bots.placement.beam:BeamBuilder", game="placement", params=SMALL)
TestPlacementFloor = in_part("gridjoust.bots.placement.floor:FloorBuilder", game="placement", params=SMALL)
TestPlacementQuantum = in_gate(
    "gridjoust.bots.placement.quantum:QuantumBuilder", game="placement", params=MIRRORED, options=LIMIT
)
TestPlacementAStar = in_gate(
    "gridjoust.bots.placement.astar:AStarBuilder", game="placement", params=SMALL, options=BUDGET
)
TestPlacementMap = in_gate("gridjoust.bots.placement.slopes:SlopeBuilder", game="placement", params=HANDS)
TestPlacementDStarLite = in_part(
    "gridjoust.bots.placement.slopes:RepairBuilder", game="placement", params=REPAIRED, seats=4
)

BIDS: Params = {"max_rounds": 3, "think_s": 2.0, "sand_s": 1.0, "tiles": "1A 3B 4A 2A"}
ROW: Params = {"mode": "solve", "positions": 2, "optima": "3,5"}
FIVE: Params = {"skill": 5}
SIXTEEN: Params = {"skill": 4, "width": 16}
TestRicochetAStarBids = bot_tests("gridjoust.bots.ricochet.astar:AStar", game="ricochet", params=BIDS, seats=3)
TestRicochetAStarSolves = in_gate("gridjoust.bots.ricochet.astar:AStar", game="ricochet", params=ROW, seats=1)
TestRicochetIDAStar = in_gate(
    "gridjoust.bots.ricochet.idastar:IDAStar", game="ricochet", params=BIDS, seats=2, options=FIVE
)
TestRicochetBreadthFirst = in_part(
    "gridjoust.bots.ricochet.bfs:BreadthFirst", game="ricochet", params=BIDS, seats=2, options=FIVE
)
TestRicochetFloor = in_part("gridjoust.bots.ricochet.floor:Floor", game="ricochet", params=BIDS, seats=2, options=FIVE)
TestRicochetBeam = in_part("gridjoust.bots.ricochet.beam:Beam", game="ricochet", params=BIDS, seats=2, options=SIXTEEN)
TestRicochetMap = in_gate(
    "gridjoust.bots.ricochet.dijkstra_map:DijkstraRoller", game="ricochet", params=BIDS, seats=2, options=FIVE
)
TestRicochetDStarLite = in_gate(
    "gridjoust.bots.ricochet.dstar_lite:DStarBidder", game="ricochet", params=BIDS, seats=2, options=FIVE
)
