"""The game navigation on its own: quick rules, and how its bots compare. No broker, no referee.

`python -m study.navigation` prints two tables; lengths on real maps are checked by `study.movingai`. Counts
repeat exactly, times do not. Exit code 1 if on the maps of the D* Lite paper repeated A* expands less than 2.9 times as
much as D* Lite.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time

from gridjoust import Bot, ParamValue, Seat
from gridjoust.bots.match import play_match
from gridjoust.bots.navigation.arastar import ARAStarWalker
from gridjoust.bots.navigation.astar import AStar
from gridjoust.bots.navigation.beam import Beam
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapBot
from gridjoust.bots.navigation.dstar_lite import DStarLite
from gridjoust.bots.navigation.lpastar import LPAStarWalker
from gridjoust.bots.navigation.mpaastar import MPAAStarWalker
from gridjoust.bots.navigation.weighted_astar import WeightedAStar
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.actions import Action
from gridjoust.games.navigation.state import State
from gridjoust.games.play import Match
from study.report import print_table
from study.timing import TimedAsk

RULES_TURNS = 3000
PAPER = "T-RO 2005"
PAPER_RATIO = 2.9  # published 3.05; an exact version of its second algorithm reaches more

MakeBot = Callable[[], Bot]
Params = Mapping[str, ParamValue]

BOTS: Mapping[str, MakeBot] = {
    "astar": AStar,
    "astar, eager": partial(AStar, eager=True),
    "dstar_lite": DStarLite,
    "lpastar": LPAStarWalker,
    "mpaastar": MPAAStarWalker,
    "dijkstra_map": DijkstraMapBot,
    "beam": Beam,
    "weighted_astar": WeightedAStar,
    "arastar": ARAStarWalker,
}
UNKNOWN: Params = {"knowledge": "unknown", "max_turns": 100_000}
VARIANTS: Mapping[str, Params] = {
    "known, random 64": {"width": 64, "height": 64},
    "unknown, random 64": {**UNKNOWN, "width": 64, "height": 64},
    "unknown, rooms 64": {**UNKNOWN, "width": 64, "height": 64, "generator": "rooms"},
    "unknown, maze 48": {**UNKNOWN, "width": 48, "height": 48, "generator": "maze"},
    "unknown, 4-connected, 30 % of 64": {**UNKNOWN, "width": 64, "height": 64, "density": 0.3, "connectivity": "4"},
    PAPER: {
        **UNKNOWN, "width": 129, "height": 129, "density": 0.4, "connectivity": "8-unit",
        "start": "12,12", "goal": "116,116",
    },
    "changing, rooms 48": {**UNKNOWN, "width": 48, "height": 48, "generator": "rooms", "changes": 20},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How the match of one bot ended and what it took."""

    metrics: Mapping[str, float]
    replans: int
    expanded: int
    decisions_ms: tuple[float, ...]  # CPU time of every answer


def play(bot: Bot, *, seed: int, params: Params | None = None) -> MatchReport:
    """Play one match of a bot alone and report it."""
    watch = TimedAsk()
    played = play_match(Navigation(params, seats=1), [bot], seed=seed, ask=watch)
    searches = watch.expanded[0]
    decisions_ms = tuple(time_us / 1000 for time_us in watch.times_us[0])
    return MatchReport(played.metrics[0], len(searches), sum(searches), decisions_ms)


def bot_row(variant: str, name: str, reports: Sequence[MatchReport]) -> list[str]:
    """Return the row of a bot in one variant: matches solved, and means over its matches."""
    count = len(reports)
    solved = [report.metrics for report in reports if report.metrics["reached"]]
    over = sum(metrics["cost_over_reference"] for metrics in solved) / max(1, len(solved))
    slowest = [max(report.decisions_ms) for report in reports]
    return [
        variant,
        name,
        f"{sum(report.metrics['solved'] for report in reports):g}/{count}",
        f"{over:.3f}",
        f"{sum(report.replans for report in reports) / count:.1f}",
        f"{sum(report.expanded for report in reports) / count:.0f}",
        f"{sum(sum(report.decisions_ms) for report in reports) / count:.1f}",
        f"{sum(slowest) / count:.2f}",
    ]


def print_bots(seeds: range) -> bool:
    """Print every bot on the same matches of every variant; return True if D* Lite does as well as its paper says."""
    rows, expanded = [], {}
    for variant, params in VARIANTS.items():
        for name, make_bot in BOTS.items():
            reports = [play(make_bot(), seed=seed, params=params) for seed in seeds]
            rows.append(bot_row(variant, name, reports))
            expanded[variant, name] = sum(report.expanded for report in reports)
    heading = ["variant", "bot", "solved", "cost / reference", "replans", "expanded", "CPU ms", "slowest answer, ms"]
    print_table(f"Bots, means of {len(seeds)} matches", heading, rows)
    ratio = expanded[PAPER, "astar, eager"] / expanded[PAPER, "dstar_lite"]
    print(f"\n{PAPER}: repeated A* expands {ratio:.2f} times as much as D* Lite (published 3.05)")
    return ratio >= PAPER_RATIO


def print_rules() -> None:
    """Print the turns a second of the rules alone: ask, apply and encode, with random steps."""
    variants: Mapping[str, Params] = {
        "known 32 x 32": {},
        "unknown 32 x 32": {"knowledge": "unknown"},
        "unknown 512 x 512": {"knowledge": "unknown", "width": 512, "height": 512, "generator": "rooms"},
        "changing 128 x 128": {"changes": 20, "width": 128, "height": 128},
    }
    rows = []
    for name, params in variants.items():
        turns, used_s = _time_rules(params)
        rows.append([name, str(turns), f"{turns / used_s:,.0f}"])
    print_table("Rules", ["variant", "turns", "turns per s"], rows)


def _time_rules(params: Params) -> tuple[int, float]:
    game = Navigation(params)
    rng = random.Random(1)
    turns = 0
    used_s = 0.0

    def choose(state: State, seat: Seat) -> Action:
        game.observation(state, seat)
        return rng.choice(game.legal_actions(state, seat))

    while turns < RULES_TURNS:
        match = Match(game, game.initial_state(turns))
        begin_s = process_time()
        while not match.is_over and turns < RULES_TURNS:
            match.step(choose)
            game.encode(match.state)
            turns += 1
        used_s += process_time() - begin_s
    return turns, used_s


def main() -> int:
    """Measure and print; return 1 if D* Lite does worse than its paper says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="matches of each bot in each variant")
    options = parser.parse_args()
    print_rules()
    return 0 if print_bots(range(options.seeds)) else 1


if __name__ == "__main__":
    sys.exit(main())
