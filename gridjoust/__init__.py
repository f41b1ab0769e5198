"""Joust for people: play a match, run a tournament, read its results, write bots and games.

    import gridjoust as joust

    played = joust.play("bomber", ["bomber/astar", "random"], seed=7)
    played.points, played.turns

    class Mine(joust.Bot): ...
    class Race(joust.Game): ...
    TestRace = joust.game_tests(Race)

Each name is loaded when it is first used, so the import itself is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridjoust import drawing as drawing
    from gridjoust import planners as planners
    from gridjoust.bots.api import AnytimeBot as AnytimeBot
    from gridjoust.bots.api import Bot as Bot
    from gridjoust.bots.api import Budget as Budget
    from gridjoust.bots.api import Deadline as Deadline
    from gridjoust.bots.api import MatchResult as MatchResult
    from gridjoust.bots.api import MatchSetup as MatchSetup
    from gridjoust.bots.api import Observation as Observation
    from gridjoust.bots.api import OutOfWork as OutOfWork
    from gridjoust.bots.api import SearchStats as SearchStats
    from gridjoust.conformance import bot_tests as bot_tests
    from gridjoust.conformance import check_bot as check_bot
    from gridjoust.conformance import check_game as check_game
    from gridjoust.conformance import game_tests as game_tests
    from gridjoust.games.api import Dynamics as Dynamics
    from gridjoust.games.api import Game as Game
    from gridjoust.games.api import GameSpec as GameSpec
    from gridjoust.games.api import IllegalAction as IllegalAction
    from gridjoust.games.api import Json as Json
    from gridjoust.games.api import Metric as Metric
    from gridjoust.games.api import Outcome as Outcome
    from gridjoust.games.api import Param as Param
    from gridjoust.games.api import ParamValue as ParamValue
    from gridjoust.games.api import Seat as Seat
    from gridjoust.games.api import Turn as Turn
    from gridjoust.games.api import Utility as Utility
    from gridjoust.games.chance import rng_for as rng_for
    from gridjoust.runner import __version__ as __version__
    from gridjoust.runner import statistics as statistics
    from gridjoust.runner.results.records.file import read_record as read_record
    from gridjoust.runner.results.records.lines import MatchRecord as MatchRecord
    from gridjoust.runner.results.tables.frames import Tables as Tables
    from gridjoust.runner.results.tables.frames import load as load
    from gridjoust.runner.results.tables.frames import load_batches as load_batches
    from gridjoust.runner.wire.errors import BugError as BugError
    from gridjoust.runner.wire.errors import ConfigError as ConfigError
    from gridjoust.runner.wire.errors import JoustError as JoustError
    from gridjoust.runner.wire.errors import RecordError as RecordError
    from gridjoust.simulation import Played as Played
    from gridjoust.simulation import PlayedTurn as PlayedTurn
    from gridjoust.simulation import play as play
    from gridjoust.simulation.many import play_many as play_many
    from gridjoust.tournament import run as run

_HOMES = {
    "bots.api": "AnytimeBot Bot Budget Deadline MatchResult MatchSetup Observation OutOfWork SearchStats",
    "games.api": "Dynamics Game GameSpec IllegalAction Json Metric Outcome Param ParamValue Seat Turn Utility",
    "games.chance": "rng_for",
    "conformance": "bot_tests check_bot check_game game_tests",
    "simulation": "Played PlayedTurn play",
    "simulation.many": "play_many",
    "tournament": "run",
    "runner": "__version__",
    "runner.results.records.file": "read_record",
    "runner.results.records.lines": "MatchRecord",
    "runner.results.tables.frames": "Tables load load_batches",
    "runner.wire.errors": "BugError ConfigError JoustError RecordError",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = {"drawing": "drawing", "planners": "planners", "statistics": "runner.statistics"}


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name in _MODULES:
        found: object = import_module(f"{__name__}.{_MODULES[name]}")
    elif name in _HOME_OF:
        found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names, loaded or not; programs that use the package should use no others."""
    return sorted({*_HOME_OF, *_MODULES})
