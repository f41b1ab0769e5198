"""The built-in planners, for your own bots and studies: searches on grids and graphs that know no game.

>>> from gridjoust import planners
>>> grid = planners.SearchGrid(4, 3, blocked=[1, 5])
>>> plan = planners.grid_astar(grid, grid.index(0, 0), [grid.index(3, 0)])
>>> [grid.place(cell) for cell in plan.path]
[(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (3, 0)]
>>> plan.cost, plan.stats.expanded
(7.0, 7)
"""

from gridjoust.bots.navigation.route import FixedPath
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.astar import astar, grid_astar, grid_timed_astar
from gridjoust.bots.planners.beam import anytime_beam, beam, grid_beam
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, downhill_path, scan, scan_values, weighted_sum
from gridjoust.bots.planners.dstar_lite import DStarLite
from gridjoust.bots.planners.graph import ArcChange, Terrain, directed_terrain, graph_terrain
from gridjoust.bots.planners.grid import SearchGrid, open_terrain
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from gridjoust.bots.planners.jps import grid_jps
from gridjoust.bots.planners.mcts import Choice, GameModel, mcts
from gridjoust.bots.planners.replanning.arastar import ARAStar
from gridjoust.bots.planners.replanning.lpastar import LPAStar
from gridjoust.bots.planners.replanning.mpaastar import MPAAStar
from gridjoust.bots.planners.sipp import grid_sipp
from gridjoust.bots.planners.stats import INF, Plan, PlanStats

__all__ = [
    "INF",
    "ARAStar",
    "ArcChange",
    "Budget",
    "Choice",
    "DStarLite",
    "DijkstraMap",
    "FixedPath",
    "GameModel",
    "LPAStar",
    "MPAAStar",
    "Plan",
    "PlanStats",
    "SearchGrid",
    "Terrain",
    "Walker",
    "anytime_beam",
    "astar",
    "beam",
    "directed_terrain",
    "downhill_path",
    "graph_terrain",
    "grid_astar",
    "grid_beam",
    "grid_jps",
    "grid_sipp",
    "grid_timed_astar",
    "make_grid_dstar_lite",
    "mcts",
    "open_terrain",
    "scan",
    "scan_values",
    "weighted_sum",
]


def __dir__() -> list[str]:
    """Return all public names."""
    return sorted(__all__)
