"""How strong and how quick the heroquest bots are, and how quick its line of sight: no broker, no referee.

`python -m study.heroquest` prints its tables. Results repeat exactly, times do not.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median
from time import perf_counter

from gridjoust import Bot, ParamValue
from gridjoust.bots.heroquest.astar import AStarHero
from gridjoust.bots.heroquest.beam import BeamHero
from gridjoust.bots.heroquest.dijkstra_map import MapHero
from gridjoust.bots.heroquest.dstar_lite import DStarHero
from gridjoust.bots.heroquest.zargon_dijkstra_map import ZargonHunter
from gridjoust.bots.heroquest.zargon_mcts import ZargonMcts
from gridjoust.bots.heroquest.zargon_random import ZargonRandom
from gridjoust.bots.match import play_match
from gridjoust.bots.random_bot import RandomBot
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.quest_text import parse_quest
from gridjoust.games.heroquest.rules import quest_text
from gridjoust.games.heroquest.sight.board import Board
from gridjoust.games.heroquest.sight.repair import open_door
from gridjoust.games.heroquest.sight.tables import sees, visible_mask
from study.report import print_table
from study.timing import TimedAsk

HEROES: Mapping[str, Callable[[], Bot]] = {
    "astar": AStarHero,
    "dstar_lite": DStarHero,
    "dijkstra_map": MapHero,
    "beam": BeamHero,
    "random": RandomBot,
}
ZARGONS: Mapping[str, Callable[[], Bot]] = {
    "zargon_random": ZargonRandom,
    "zargon_dijkstra_map": ZargonHunter,
    "zargon_mcts": partial(ZargonMcts, states=1000),
    **{name: HEROES[name] for name in ("astar", "dstar_lite", "dijkstra_map", "beam")},
}
Params = Mapping[str, ParamValue]


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How one match ended."""

    is_won: bool  # by the heroes
    reason: str
    rounds: int
    turns: int
    alive: int
    hero_us: tuple[float, ...]  # CPU time of every answer of the heroes
    zargon_us: tuple[float, ...]


def play(heroes: Bot, zargon: Bot, *, seed: int, seats: int = 5, params: Params | None = None) -> MatchReport:
    """Play one match and report it; one bot holds all heroes."""
    watch, last = TimedAsk(), seats - 1
    played = play_match(HeroQuest(params, seats=seats), [heroes] * last + [zargon], seed=seed, ask=watch)
    state = played.state
    alive = sum(hero.body > 0 for hero in state.heroes)
    hero_us = tuple(time_us for seat in range(last) for time_us in watch.times_us[seat])
    reason, is_won = played.game.reason(state), state.winner == "heroes"
    return MatchReport(is_won, reason, state.round, played.turns, alive, hero_us, tuple(watch.times_us[last]))


def _play(task: tuple[str, str, int], *, seats: int, params: Params) -> MatchReport:
    name, zargon, seed = task
    return play(HEROES[name](), ZARGONS[zargon](), seed=seed, seats=seats, params=params)


def play_all(
    heroes: Iterable[str], zargons: Iterable[str], *, seeds: int, seats: int, params: Params, processes: int
) -> dict[tuple[str, str], list[MatchReport]]:
    """Play every pair of bots on every seed; return the reports by pair."""
    tasks = [(name, zargon, seed) for name in heroes for zargon in zargons for seed in range(seeds)]
    with ProcessPoolExecutor(processes) as pool:
        reports = list(pool.map(partial(_play, seats=seats, params=dict(params)), tasks, chunksize=4))
    table: dict[tuple[str, str], list[MatchReport]] = {}
    for (name, zargon, _), report in zip(tasks, reports, strict=True):
        table.setdefault((name, zargon), []).append(report)
    return table


def strength_row(pair: tuple[str, str], reports: Sequence[MatchReport]) -> list[str]:
    """Return the row of a pair: share won, length of a match, heroes alive at its end, CPU time of an answer."""
    times_us = sorted(time_us for report in reports for time_us in report.hero_us)
    return [
        *pair,
        str(len(reports)),
        f"{fmean(report.is_won for report in reports):.1%}",
        f"{fmean(report.rounds for report in reports):.1f}",
        f"{fmean(report.turns for report in reports):.0f}",
        f"{fmean(report.alive for report in reports):.1f}",
        f"{median(times_us) / 1000:.2f}",
        f"{times_us[int(len(times_us) * 0.99)] / 1000:.2f}",
    ]


def sight_rows() -> list[list[str]]:
    """Measure the tables of sight on the printed board: building them, repairing them after a door opens, reading."""
    board = _bare()
    build_ms = [_timed_ms(lambda: _fill(_bare())) for _ in range(3)]
    _fill(board)
    trial = parse_quest(quest_text("the_trial"))
    doors_ms = []
    for door in trial.doors:
        one, other = board.square(door[0]), board.square(door[1])
        started_s = perf_counter()
        board = open_door(board, one, other)
        doors_ms.append((perf_counter() - started_s) * 1000)
    pairs = [((x, y), (y % 26, x % 19)) for x in range(26) for y in range(19)] * 20
    look_ups_ms = min(_timed_ms(lambda: [sees(board, a, b) for a, b in pairs]) for _ in range(5))
    return [
        ["all 494 tables, built", f"{min(build_ms):.1f} ms"],
        ["repair after a door, median of 12", f"{median(doors_ms):.2f} ms"],
        ["repair after a door, worst of 12", f"{max(doors_ms):.2f} ms"],
        ["sees(), from the table", f"{look_ups_ms * 1000 / len(pairs):.2f} µs"],
    ]


def _fill(board: Board) -> None:
    """Compute the table of sight of every square."""
    for square in board.index:
        visible_mask(board, square)


def _bare() -> Board:
    """Return the printed board without any table of sight that this process has computed before."""
    standard = Board.standard()
    return Board(standard.width, standard.height, standard.regions)


def _timed_ms(work: Callable[[], object]) -> float:
    started_s = perf_counter()
    work()
    return (perf_counter() - started_s) * 1000


def main() -> None:
    """Play the matches of this study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--seats", type=int, default=5, help="heroes and Zargon")
    parser.add_argument("--quest", default="crypt")
    parser.add_argument("--max-game-rounds", type=int, default=0, help="0 = as the quest says")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--heroes", nargs="*", default=list(HEROES), choices=list(HEROES))
    parser.add_argument("--zargons", nargs="*", default=list(ZARGONS), choices=list(ZARGONS))
    options = parser.parse_args()
    params: Params = {"quest": options.quest, "max_game_rounds": options.max_game_rounds}
    table = play_all(
        options.heroes, options.zargons,
        seeds=options.seeds, seats=options.seats, params=params, processes=options.processes,
    )  # fmt: skip
    print_table(
        f"Heroes against Zargon, quest {options.quest}, {options.seats - 1} heroes",
        ["heroes", "zargon", "matches", "heroes won", "rounds", "turns", "alive", "ms median", "ms 99 %"],
        [strength_row(pair, reports) for pair, reports in table.items()],
    )
    print_table("Line of sight on the printed board", ["what", "time"], sight_rows())


if __name__ == "__main__":
    main()
