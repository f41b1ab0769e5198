"""Bots, their planners and the harness that runs one in a process; imports are kept few so that bots start fast."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import NoReturn

from gridjoust.bots.answers import call_problem, failure_text
from gridjoust.bots.api import AnytimeBot, Bot
from gridjoust.games import Catalogue

BOTS: dict[str, str] = {
    "random": "gridjoust.bots.random_bot:RandomBot",
    "bomber/wanderer": "gridjoust.bots.bomber.wanderer:Wanderer",
    "bomber/idle": "gridjoust.bots.bomber.wanderer:Idle",
    "bomber/fugitive": "gridjoust.bots.bomber.floor:Fugitive",
    "bomber/floor": "gridjoust.bots.bomber.floor:FloorBomber",
    "bomber/gambit": "gridjoust.bots.bomber.gambit:Gambit",
    "bomber/dijkstra_map": "gridjoust.bots.bomber.dijkstra_map:MapBomber",
    "bomber/astar": "gridjoust.bots.bomber.astar:AStarBomber",
    "bomber/dstar_lite": "gridjoust.bots.bomber.dstar_lite:DStarLiteBomber",
    "bomber/beam": "gridjoust.bots.bomber.beam:BeamBomber",
    "eidolon/astar": "gridjoust.bots.eidolon.astar:AStarHero",
    "eidolon/dstar_lite": "gridjoust.bots.eidolon.dstar_lite:DStarLiteHero",
    "eidolon/dijkstra_map": "gridjoust.bots.eidolon.dijkstra_map:DijkstraMapHero",
    "eidolon/beam": "gridjoust.bots.eidolon.beam:BeamHero",
    "eidolon/floor": "gridjoust.bots.eidolon.floor:FloorHero",
    "heroquest/astar": "gridjoust.bots.heroquest.astar:AStarHero",
    "heroquest/dstar_lite": "gridjoust.bots.heroquest.dstar_lite:DStarHero",
    "heroquest/dijkstra_map": "gridjoust.bots.heroquest.dijkstra_map:MapHero",
    "heroquest/beam": "gridjoust.bots.heroquest.beam:BeamHero",
    "heroquest/floor": "gridjoust.bots.heroquest.floor:FloorHero",
    "heroquest/zargon_dijkstra_map": "gridjoust.bots.heroquest.zargon_dijkstra_map:ZargonHunter",
    "heroquest/zargon_mcts": "gridjoust.bots.heroquest.zargon_mcts:ZargonMcts",
    "heroquest/zargon_random": "gridjoust.bots.heroquest.zargon_random:ZargonRandom",
    "navigation/floor": "gridjoust.bots.navigation.floor:Floor",
    "navigation/astar": "gridjoust.bots.navigation.astar:AStar",
    "navigation/dstar_lite": "gridjoust.bots.navigation.dstar_lite:DStarLite",
    "navigation/dijkstra_map": "gridjoust.bots.navigation.dijkstra_map:DijkstraMapBot",
    "navigation/beam": "gridjoust.bots.navigation.beam:Beam",
    "navigation/arastar": "gridjoust.bots.navigation.arastar:ARAStarWalker",
    "navigation/lpastar": "gridjoust.bots.navigation.lpastar:LPAStarWalker",
    "navigation/mpaastar": "gridjoust.bots.navigation.mpaastar:MPAAStarWalker",
    "navigation/weighted_astar": "gridjoust.bots.navigation.weighted_astar:WeightedAStar",
    "navigation/jps": "gridjoust.bots.navigation.jps:JumpPoints",
    "placement/floor": "gridjoust.bots.placement.floor:FloorBuilder",
    "placement/beam": "gridjoust.bots.placement.beam:BeamBuilder",
    "placement/beam_quantum": "gridjoust.bots.placement.quantum:QuantumBuilder",
    "placement/astar": "gridjoust.bots.placement.astar:AStarBuilder",
    "placement/dijkstra_map": "gridjoust.bots.placement.slopes:SlopeBuilder",
    "placement/dstar_lite": "gridjoust.bots.placement.slopes:RepairBuilder",
    "ricochet/floor": "gridjoust.bots.ricochet.floor:Floor",
    "ricochet/astar": "gridjoust.bots.ricochet.astar:AStar",
    "ricochet/bfs": "gridjoust.bots.ricochet.bfs:BreadthFirst",
    "ricochet/dstar_lite": "gridjoust.bots.ricochet.dstar_lite:DStarBidder",
    "ricochet/dijkstra_map": "gridjoust.bots.ricochet.dijkstra_map:DijkstraRoller",
    "ricochet/beam": "gridjoust.bots.ricochet.beam:Beam",
    "ricochet/idastar": "gridjoust.bots.ricochet.idastar:IDAStar",
}
_CATALOGUE = Catalogue(BOTS, "joust.bots")
bot_names = _CATALOGUE.names


def load_bot(name: str) -> type[Bot]:
    """Return the class of a built-in or installed bot (entry points `joust.bots`); ValueError if there is none."""
    target, loaded = _CATALOGUE.load(name)
    return _checked(loaded, target)


class SourceLoader(SourceFileLoader):
    """A loader that compiles the file each time.

    Python trusts stored bytecode if the file has kept its size and the second of its last change. A file that is edited
    and played again within a second would run its old code.
    """

    def path_stats(self, path: object) -> NoReturn:
        """Raise OSError, which makes Python neither read nor store bytecode."""
        raise OSError(f"{path}: bytecode is not used")


def load_bot_file(path: Path, class_name: str) -> type[Bot]:
    """Load a bot's class from a user's file; ValueError says what is missing, or what the file raised.

    The file's folder goes to the end of the module search path: the bot finds the modules beside it, and a user's
    folder called bots, games or runner cannot replace the installed modules.
    """
    name = f"joust_user_{path.stem}"
    spec = spec_from_file_location(name, path, loader=SourceLoader(name, str(path)))
    if not path.is_file():
        raise ValueError(f"file not found: {path}")
    if spec is None or spec.loader is None:
        raise ValueError(f"{path}: expected a Python file")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"{path.name} does not import: {failure_text(error)}") from error
    return _checked(getattr(module, class_name, None), f"{path.name}:{class_name}")


def load_bot_spec(spec: str) -> type[Bot]:
    """Load the class of the bot `name`, or of `file.py:Class` for a user's file; ValueError if it does not load."""
    path, colon, class_name = spec.rpartition(":")
    return load_bot_file(Path(path), class_name) if colon and path.endswith(".py") else load_bot(spec)


def _checked(loaded: object, target: str) -> type[Bot]:
    if not (isinstance(loaded, type) and issubclass(loaded, Bot)):
        if loaded is None:
            raise ValueError(f"{target}: class not found")
        if isinstance(loaded, type):
            name = loaded.__name__
            raise ValueError(f"{target}: class {name} is no bot; write class {name}(gridjoust.Bot)")
        raise ValueError(f"{target}: expected a subclass of gridjoust.Bot, got {loaded!r}")
    method, given = "act", ["observation"]
    if issubclass(loaded, AnytimeBot) and loaded.act is AnytimeBot.act:
        method, given = "improve", ["observation", "deadline"]
    if getattr(loaded, method) in (Bot.act, AnytimeBot.improve):
        own = [name for name, value in vars(loaded).items() if callable(value) and not name.startswith("_")]
        outside = callable(getattr(sys.modules.get(loaded.__module__), method, None))
        hint = f"; indent `def {method}`, which stands outside the class" if outside else ""
        raise ValueError(f"{target}: expected an {method} method, got {', '.join(own) or 'none'}{hint}")
    calls = {method: given, "start": ["setup"], "finish": ["result"], "hear": ["event"]}
    for name, words in calls.items():
        is_own = getattr(loaded, name) is not getattr(Bot, name, None)
        if is_own and (problem := call_problem(loaded, name, *words)):
            raise ValueError(problem)
    return loaded
