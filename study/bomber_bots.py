"""How strong and how quick the bomber bots are: pure-rules matches in a few processes, no broker and no referee.

`python -m study.bomber_bots` prints its tables: duels with the baselines, a round robin of the four planners, how
often they hit each other in it, what D* Lite repaired, and what a decision costs. Every seed is played twice, with
seats swapped; a draw is no win. Results repeat exactly, times do not. `--only meetings` plays nothing but the round
robin.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from gridjoust import Bot, ParamValue, games
from gridjoust.bots.bomber.astar import AStarBomber
from gridjoust.bots.bomber.beam import BeamBomber
from gridjoust.bots.bomber.dijkstra_map import MapBomber
from gridjoust.bots.bomber.dstar_lite import DStarLiteBomber
from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.bomber.wanderer import Wanderer
from gridjoust.bots.match import play_match
from gridjoust.bots.random_bot import RandomBot
from gridjoust.planners import PlanStats
from study.report import print_table
from study.timing import TimedAsk

TIMED_EVERY = 16  # decisions; reading the clock of the process can cost more than a decision

MakeBot = Callable[[], Bot]

BOTS: Mapping[str, MakeBot] = {
    "dijkstra_map": MapBomber,
    "gambit": Gambit,
    "gambit, faithful": partial(Gambit, faithful=True),
    "astar": AStarBomber,
    "dstar_lite": DStarLiteBomber,
    "beam": BeamBomber,
    "random": RandomBot,
    "wanderer": Wanderer,
}
PLANNERS = ("dijkstra_map", "astar", "dstar_lite", "beam")
BASELINES = ("random", "wanderer")
Pair = tuple[str, str]
DUELS: tuple[Pair, ...] = (
    *((name, baseline) for name in (*PLANNERS, "gambit, faithful") for baseline in BASELINES),
    ("gambit", "gambit, faithful"),
)
ROUND_ROBIN: tuple[Pair, ...] = tuple(combinations(PLANNERS, 2))


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How one match ended, by seat."""

    returns: tuple[float, ...]
    metrics: tuple[Mapping[str, float], ...]
    decisions_us: tuple[tuple[float, ...], ...]  # CPU time of every 16th answer
    expanded: tuple[tuple[int, ...], ...]  # nodes of every answer that told them
    reason: str
    repaired: tuple[tuple[int, int], ...]  # nodes of D* Lite's first search, and of its repairs; none of others


def play(bots: Sequence[Bot], *, seed: int, params: Mapping[str, ParamValue] | None = None) -> MatchReport:
    """Play one lockstep match of these bots, in seat order."""
    watch = TimedAsk(every=TIMED_EVERY)
    played = play_match(games.make("bomber", params, seats=len(bots)), bots, seed=seed, ask=watch)
    seats = range(len(bots))
    return MatchReport(
        played.returns,
        played.metrics,
        tuple(tuple(watch.times_us[seat]) for seat in seats),
        tuple(tuple(watch.expanded[seat]) for seat in seats),
        played.game.reason(played.state),
        tuple(_repaired(bot) for bot in bots),
    )


def _repaired(bot: Bot) -> tuple[int, int]:
    pursuits = bot.pursuits.values() if isinstance(bot, DStarLiteBomber) else ()
    spent = PlanStats()
    spent.add(*(each.spent for each in pursuits))
    return spent.expanded - spent.repaired, spent.repaired


@dataclass(frozen=True, slots=True)
class DuelResult:
    """One match from one bot's side."""

    returns: float
    score: float
    opponent_score: float
    hits: float
    own_hits: float
    near_misses: float
    traps: float
    treasure: float
    is_dead: bool
    decisions_us: tuple[float, ...]
    expanded: tuple[int, ...]
    repaired: tuple[int, int]


Table = dict[Pair, list[DuelResult]]


def play_duel(duel: tuple[str, str, int, int], *, max_ticks: int) -> tuple[DuelResult, DuelResult]:
    """Play a duel (bot, opponent, seed, the bot's seat); return its result for the bot and for the opponent."""
    name, opponent, seed, seat = duel
    bots = [BOTS[name](), BOTS[opponent]()]
    report = play(bots if seat == 0 else bots[::-1], seed=seed, params={"max_ticks": max_ticks})
    return _side(report, seat), _side(report, 1 - seat)


def _side(report: MatchReport, seat: int) -> DuelResult:
    own, other = report.metrics[seat], report.metrics[1 - seat]
    return DuelResult(
        returns=report.returns[seat],
        score=own["score"],
        opponent_score=other["score"],
        hits=own["hits"],
        own_hits=own["own_hits"],
        near_misses=own["near_misses"],
        traps=own["traps"],
        treasure=own["treasure"],
        is_dead=own["hp"] <= 0,
        decisions_us=report.decisions_us[seat],
        expanded=report.expanded[seat],
        repaired=report.repaired[seat],
    )


def play_duels(pairs: Iterable[Pair], *, seeds: Iterable[int], max_ticks: int, processes: int) -> Table:
    """Play these duels on all seeds from both seats; return (bot, opponent) -> the bot's results, in both orders."""
    todo = [(*pair, seed, seat) for seed in seeds for pair in pairs for seat in (0, 1)]
    with ProcessPoolExecutor(processes) as pool:
        results = list(pool.map(partial(play_duel, max_ticks=max_ticks), todo, chunksize=2))
    table: Table = {}
    for (name, opponent, _, _), (own, other) in zip(todo, results, strict=True):
        table.setdefault((name, opponent), []).append(own)
        table.setdefault((opponent, name), []).append(other)
    return table


def strength_row(pair: Pair, results: Sequence[DuelResult]) -> list[str]:
    """Return the row of a pair: wins, draws, losses, mean scores, the bot's hits on itself, and its deaths."""
    count = len(results)
    won, drawn = (sum(result.returns == value for result in results) for value in (1, 0))
    return [
        *pair,
        str(count),
        f"{won / count:.1%}",
        str(drawn),
        str(count - won - drawn),
        f"{sum(result.score for result in results) / count:.1f}",
        f"{sum(result.opponent_score for result in results) / count:.1f}",
        f"{sum(result.own_hits for result in results):g}",
        str(sum(result.is_dead for result in results)),
        str(sum(result.is_dead and result.own_hits > 0 for result in results)),
    ]


def round_robin_row(name: str, table: Table) -> list[str]:
    """Return the row of one planner: its wins against each other planner and over all matches, score, hits, deaths."""
    met = {other: table[name, other] for other in PLANNERS if other != name}
    results = [result for versus in met.values() for result in versus]
    cells = [f"{_won(met[other]):.0%}" if other in met else "" for other in PLANNERS]
    return [
        name,
        *cells,
        f"{_won(results):.0%}",
        f"{sum(result.score for result in results) / len(results):.1f}",
        f"{sum(result.hits for result in results):g}",
        str(sum(result.is_dead for result in results)),
    ]


def meeting_row(pair: Pair, table: Table) -> list[str]:
    """Return the row of a pair: matches, wins, shares with a hit and with a death, and both bots' counts per match."""
    own, other = table[pair], table[pair[::-1]]
    count = len(own)
    both = list(zip(own, other, strict=True))
    hit = sum(bool(one.hits + two.hits) for one, two in both)
    dead = sum(one.is_dead or two.is_dead for one, two in both)
    names = ("own_hits", "near_misses", "traps", "treasure")
    means = [sum(getattr(result, name) for result in (*own, *other)) / count for name in names]
    won, lost = (sum(result.returns == value for result in own) for value in (1, -1))
    return [
        *pair,
        str(count),
        f"{won} : {lost}",
        f"{hit / count:.0%}",
        f"{dead / count:.0%}",
        *map("{:.2f}".format, means),
    ]


def _won(results: Sequence[DuelResult]) -> float:
    return sum(result.returns == 1 for result in results) / len(results)


def cost_row(name: str, results: Iterable[DuelResult]) -> list[str]:
    """Return the row of a bot: quantiles of the CPU time of a decision and of the nodes that it expanded."""
    decisions_us: list[float] = []
    expanded: list[float] = []
    for result in results:
        decisions_us += result.decisions_us
        expanded += result.expanded
    times_us = [f"{quantile_us:.0f}" for quantile_us in quantiles(decisions_us, 0.5, 0.95, 0.999)]
    nodes = [f"{count:.0f}" for count in quantiles(expanded, 0.5, 0.95)] if expanded else ["", ""]
    mean = f"{sum(expanded) / len(expanded):.1f}" if expanded else ""
    return [name, str(len(decisions_us)), *times_us, mean, *nodes]


def quantiles(values: Iterable[float], *parts: float) -> list[float]:
    """Return for each share the value that this share of all values does not exceed."""
    ordered = sorted(values)
    return [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in parts]


def main() -> None:
    """Play the matches of this study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50, help="of the duels; each is played from both seats")
    parser.add_argument("--round-robin-seeds", type=int, default=20, help="the same for the four planners")
    parser.add_argument("--max-ticks", type=int, default=1800)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=["meetings"], help="how the four planners met")
    options = parser.parse_args()
    play = partial(play_duels, max_ticks=options.max_ticks, processes=options.processes)
    first = options.first_seed
    duels = {} if options.only else play(DUELS, seeds=range(first, first + options.seeds))
    if duels:
        print_duels(duels)
    robin = play(ROUND_ROBIN, seeds=range(first, first + options.round_robin_seeds))
    print_round_robin(robin)
    print_meetings(robin)
    print_costs([duels, robin])


def print_duels(table: Table) -> None:
    """Print how strong the bots are against the baselines."""
    print_table(
        "Bomber bots: strength",
        ["bot", "opponent", "matches", "won", "drawn", "lost", "score", "opponent's", "own hits", "deaths", "own bomb"],
        [strength_row(pair, table[pair]) for pair in DUELS],
    )
    print("\nscore: means; own hits: by own fire, all matches; own bomb: deaths in matches with own hits\n")


def print_round_robin(table: Table) -> None:
    """Print how strong the four planners are against each other."""
    count = len(table[ROUND_ROBIN[0]])
    print_table(
        f"Four planners, {count} matches of each pair: row's wins over column",
        ["bot", *PLANNERS, "all", "mean score", "hits", "deaths"],
        [round_robin_row(name, table) for name in PLANNERS],
    )


def print_meetings(table: Table) -> None:
    """Print how often two of the four planners hit, killed and endangered each other in their matches."""
    print_table(
        "How they met: matches with a hit, with a death; own hits and the rest a match, of both together",
        ["bot", "rival", "matches", "won : lost", "hit", "death", "own hits", "near misses", "traps", "treasure"],
        [meeting_row(pair, table) for pair in ROUND_ROBIN],
    )
    results = [result for (name, _), own in table.items() if name == "dstar_lite" for result in own]
    begun, repaired = (sum(result.repaired[part] for result in results) for part in (0, 1))
    share = repaired / max(1, begun + repaired)
    print(f"\ndstar_lite: {begun} nodes in first searches, {repaired} in repairs ({share:.1%}), {len(results)} matches")


def print_costs(tables: Iterable[Table]) -> None:
    """Print what a decision costs, over all matches."""
    played: dict[str, list[DuelResult]] = {}
    for table in tables:
        for (name, _), results in table.items():
            played.setdefault(name, []).extend(results)
    print_table(
        f"Cost of a decision: CPU time (µs, every {TIMED_EVERY}th measured) and nodes expanded (every one)",
        ["bot", "measured", "median µs", "95 %", "99.9 %", "mean nodes", "median", "95 %"],
        [cost_row(name, played[name]) for name in BOTS if name in played],
    )


if __name__ == "__main__":
    main()
