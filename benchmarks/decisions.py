"""Measure how much CPU time every bot takes for an answer: median, 99th percentile (to stay below 50 ms) and maximum.

    python -m benchmarks.decisions [--answers 400] [GAME/BOT ...]

Every bot of a game (all built-in ones but `random`) plays against itself in this process, by the settings of its game
below. The default limit of an answer (`turn_ms`) is told to it as CPU time: the answer is what it has ready by then,
and thinking past it would show. If ricochet's bots bid, the CPU time until the first bid counts: what comes after it
may take as long as the sand runs. Exit code 1 if a bot of one of the four planners misses the bound; the others are
there to compare.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from time import process_time
from typing import NamedTuple

from benchmarks.report import print_table
from gridjoust import games
from gridjoust.bots import bot_names, load_bot
from gridjoust.bots.api import AnytimeBot, Bot, Deadline, Observation
from gridjoust.bots.match import watch_match
from gridjoust.bots.ricochet.bidder import PASS
from gridjoust.games.api import ParamValue
from gridjoust.runner.config.values import TimeLimits

BOUND_MS = 50.0
PLANNERS = ("astar", "dstar_lite", "dijkstra_map", "beam")
RIVAL = "astar"  # who leads the other side of a game of unlike roles


class Setting(NamedTuple):
    """How a game is played: what is added to the bot's name, parameters, seats."""

    label: str = ""
    params: Mapping[str, ParamValue] = {}
    seats: int | None = None


DEFAULTS = Setting()
SETTINGS: Mapping[str, Sequence[Setting]] = {
    "eidolon": [
        Setting(", sim1"),
        Setting(", published, 3 heroes", {"preset": "published"}, 3),
        Setting(", published, 6 heroes", {"preset": "published"}, 6),
    ],
    "ricochet": [Setting(", solve", {"mode": "solve", "positions": 20}), Setting(", first bid")],
}  # the others by their defaults


class CpuAsk:
    """A callable for `watch_match(ask=...)` that gives bots `limit_ms` of CPU time an answer and keeps their times."""

    def __init__(self, bots: Sequence[Bot], limit_ms: float) -> None:
        self.times_ms: list[float] = []
        self._bots = bots
        self._limit_ms = limit_ms

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Return the best answer that the bot has ready within the limit."""
        begin_ms = _cpu_ms()
        if isinstance(bot, AnytimeBot):
            text, end_ms = self._improved(bot, observation)
        else:
            text, end_ms = bot.act(observation), _cpu_ms()
        if bot in self._bots and observation.view.get("phase") != "proof":
            self.times_ms.append(end_ms - begin_ms)
        return text

    def _improved(self, bot: AnytimeBot, observation: Observation) -> tuple[str, float]:
        """Return the answer and the time at which the bot gave it: the last answer, or the first of several bids."""
        ready = [
            (text, _cpu_ms())
            for text in bot.improve(observation, Deadline(self._limit_ms, _cpu_ms))
            if text is not None
        ]
        if observation.view.get("phase") != "bidding":
            return ready[-1][0], _cpu_ms()
        bids = [text for text, _ in ready if text != PASS]
        return bids[-1] if bids else PASS, ready[0][1]


def _cpu_ms() -> float:
    return process_time() * 1000


def times_of(name: str, answers: int, *, limit_ms: float, setting: Setting = DEFAULTS) -> list[float]:
    """Return the CPU ms of this many answers, over as many matches as they take."""
    game = games.make(name.partition("/")[0], dict(setting.params), seats=setting.seats)
    found: list[float] = []
    for seed in count():
        bots, own = seated(name, game.teams)
        ask = CpuAsk(own, limit_ms)
        for _ in watch_match(game, bots, seed=seed, ask=ask):
            if len(found) + len(ask.times_ms) >= answers:
                return found + ask.times_ms
        found += ask.times_ms
    raise AssertionError("count never ends")


def seated(name: str, teams: Sequence[int]) -> tuple[list[Bot], list[Bot]]:
    """Return the bots on all seats, and those of them that are measured; one bot holds a team.

    A bot that leads Zargon alone plays against heroes of another bot.
    """
    bot_class = load_bot(name)
    other = load_bot(f"heroquest/{RIVAL}") if "zargon" in name else bot_class
    held: dict[int, Bot] = {}
    for team in teams:
        held.setdefault(team, (other if team == 0 else bot_class)())
    return [held[team] for team in teams], [bot for bot in held.values() if type(bot) is bot_class]


def all_bots() -> list[str]:
    """Return the names of all built-in bots that play one game."""
    return [name for name in bot_names() if "/" in name]


def settings_of(name: str) -> Sequence[Setting]:
    """Return the settings in which a bot, such as `bomber/astar`, is measured: those of its game."""
    return SETTINGS.get(name.partition("/")[0], [DEFAULTS])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of all does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the bots and print a table; return 1 if a bot's p99 is above the bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions", description=__doc__.splitlines()[0])
    parser.add_argument("bots", nargs="*", help="default: all")
    parser.add_argument("--answers", type=int, default=400, help="of each bot")
    options = parser.parse_args(arguments)
    names = options.bots or all_bots()
    limit_ms = float(TimeLimits().turn_ms or 0)
    rows, slow = [], []
    played = [(name, setting) for name in names for setting in settings_of(name)]
    for name, setting in played:
        times, label = times_of(name, options.answers, limit_ms=limit_ms, setting=setting), name + setting.label
        p99 = percentile(times, 0.99)
        slow += [label] if p99 > BOUND_MS and load_bot(name).planner in PLANNERS else []
        rows.append([label, str(len(times)), f"{percentile(times, 0.5):.2f}", f"{p99:.1f}", f"{max(times):.1f}"])
        print(".", end="", flush=True, file=sys.stderr)
    print_table(f"CPU ms an answer, limit {limit_ms:g} ms", ("bot", "answers", "median", "p99", "longest"), rows)
    print(f"\np99 above {BOUND_MS:g} ms: {', '.join(slow) or 'none'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
