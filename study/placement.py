"""The planner of placement measured: fit maps, keys, caches, the width, the quantum map, the bots. CPU times.

`python -m study.placement` prints every figure; `python -m study.placement widths bots` some of them. Exit
code 1 if hindering the rival gains less than 60 % (`hinder`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from time import process_time
from typing import NamedTuple
from unittest import mock

from gridjoust.bots.match import play_match
from gridjoust.bots.placement.astar import AStarBuilder, plan_astar
from gridjoust.bots.placement.beam import FIRST_WIDTH, WIDTH, BeamBuilder, plan_beam
from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.potential import FitCache, Left, Potential, placements_left, pre_rotate
from gridjoust.bots.placement.quantum import ARTICLE_LIMIT, QuantumBuilder, plan_quantum
from gridjoust.bots.placement.slopes import RepairBuilder, SlopeBuilder
from gridjoust.bots.placement.solve import PLANNERS
from gridjoust.bots.placement.task import NEVER, Found, Task
from gridjoust.games.placement import Placement
from gridjoust.games.placement.board import Mask, make_board
from gridjoust.runner.statistics.intervals import wilson
from study.alternatives.fit_map import (
    adjacency_map,
    fits_by_board,
    fits_by_rows,
    fits_by_window,
    pathability_map,
    piece_word,
    row_fit_map,
    window_fit_map,
)
from study.alternatives.zobrist import ZobristKeys
from study.placement_ranks import print_ranks
from study.report import print_table
from tests.bots.placement.planning import island_task, planning_cases

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
CASES = 100
REFERENCE_WIDTH = 256
FRESH_SEEDS = range(5_000_000, 5_000_200)  # of duels
LEAST_HINDER = 0.6  # of the points of the beam that hinders, against the beam that only races
BOARD = make_board(15, 15)

BOTS: dict[str, Callable[[], Builder]] = {
    "beam": BeamBuilder,
    "beam_quantum": QuantumBuilder,
    "astar": AStarBuilder,
    "dijkstra_map": SlopeBuilder,
    "dstar_lite": RepairBuilder,
}
PLANNER_BOTS = ("beam", "astar", "dijkstra_map", "dstar_lite")
NARROW: dict[str, bool | int | float | str] = {
    "width": 20,
    "height": 20,
    "goals": 2,
    "hand": 1,
    "max_cells": 4,
    "moves": 8,
    "walls": 40,
    "finish_round": True,
}
VARIANTS = {"narrow": NARROW, "collapse": {**NARROW, "collapse": 6}}


def _timed(tasks: Sequence[Task], plan: Callable[[Task], Found]) -> tuple[list[Found], float]:
    """Return the plans for these tasks, and the mean CPU milliseconds for a task."""
    begin_s = process_time()
    found = [plan(task) for task in tasks]
    return found, (process_time() - begin_s) * 1000.0 / len(tasks)


def _share(found: Sequence[Found], best: Sequence[Found]) -> str:
    """Return, as text, the number of plans that end as near to the goal, in as few steps, as the best known."""
    return str(sum(one.key[:2] <= other.key[:2] for one, other in zip(found, best, strict=True)))


def _states(found: Sequence[Found]) -> str:
    return f"{sum(plan.cost.generated for plan in found) / len(found):.0f}"


def _reference(tasks: Sequence[Task]) -> list[Found]:
    return [plan_quantum(task, width=REFERENCE_WIDTH) for task in tasks]


def print_fit_maps() -> None:
    """Print the cost of all legal placements of three pieces on one map, by three methods, and of the map itself."""
    tasks = [island_task(seed) for seed in range(CASES)]
    rows: list[list[str]] = []
    for name, count in (
        ("rows", _count_by_rows),
        ("5 x 5 windows", _count_by_windows),
        ("whole board", _count_by_board),
    ):
        begin_s = process_time()
        counts = [count(task) for task in tasks]
        spent_us = (process_time() - begin_s) * 1e6 / len(tasks)
        rows.append([name, f"{sum(counts) / len(counts):.0f}", f"{spent_us:.0f}"])
    print_table("Fit maps: three pieces on 15 x 15", ("fit map", "placements", "µs a map"), rows)


def _count_by_rows(task: Task) -> int:
    types = pathability_map(task.position)
    fit_rows = row_fit_map(types, adjacency_map(types))
    shapes = [way.lying.shape for ways in pre_rotate(task.position.hand) for way in ways]
    cells = list(BOARD.cells(BOARD.inside))
    return sum(fits_by_rows(fit_rows, shape, cell) for shape in shapes for cell in cells)


def _count_by_windows(task: Task) -> int:
    types = pathability_map(task.position)
    windows = window_fit_map(row_fit_map(types, adjacency_map(types)))
    words = [piece_word(way.lying.shape) for ways in pre_rotate(task.position.hand) for way in ways]
    cells = list(BOARD.cells(BOARD.inside))
    return sum(fits_by_window(windows, word, cell) for word in words for cell in cells)


def _count_by_board(task: Task) -> int:
    void = task.position.void
    beside = void & BOARD.spread(task.position.floor)
    shapes = [way.lying.shape for ways in pre_rotate(task.position.hand) for way in ways]
    return sum(fits_by_board(BOARD, shape, void, beside).bit_count() for shape in shapes)


def print_keys() -> None:
    """Print what it costs to make and find the key of every state after a placement, plain and by Zobrist's method."""
    tasks = [island_task(seed) for seed in range(CASES)]
    rows = []
    for name, count in (("plain", _count_plain_keys), ("Zobrist", partial(_count_zobrist_keys, ZobristKeys()))) * 2:
        counts = [count(task) for task in tasks]  # the lists of placements are made, and every mask is known
        begin_s = process_time()
        for task in tasks:
            count(task)
        rows.append([name, f"{sum(counts) / CASES:.0f}", f"{(process_time() - begin_s) * 1e6 / CASES:.0f}"])
    print_table("Keys of cached fit data", ("keys", "states", "µs a case"), rows)


@cache
def _first_placements(task: Task) -> list[tuple[Potential, Mask, Left]]:
    """Return every legal placement at the start, each with the Floor and the pieces left after it."""
    position, left = task.position, tuple(range(len(task.position.hand)))
    beside = position.board.spread(position.floor)
    return [
        (placement, position.floor | placement.mask, tuple(piece for piece in left if piece != placement.turned.piece))
        for placement in placements_left(position, position.floor, left, beside)
    ]


def _count_plain_keys(task: Task) -> int:
    return len({(floor, left) for _, floor, left in _first_placements(task)})


def _count_zobrist_keys(keys: ZobristKeys, task: Task) -> int:
    position = task.position
    begun = keys.first(position.floor, tuple(range(len(position.hand))))
    return len({keys.after(begun, placement) for placement, _, _ in _first_placements(task)})


class NoCache(FitCache):
    """A cache that keeps nothing, to measure what caching saves."""

    def look_up(self, key: Hashable, make: Callable[[], list[Potential]]) -> list[Potential]:  # noqa: ARG002
        """Count a miss and make the data anew."""
        self.misses += 1
        return make()


def _two_beams(task: Task, cache: FitCache) -> None:
    """Search a narrow and a wide beam with one cache, as the bot does in a turn."""
    for width in (FIRST_WIDTH, WIDTH):
        plan_beam(task, width=width, cache=cache)


def _astar(task: Task, cache: FitCache) -> None:
    plan_astar(task, cache=cache)


def _with_caches(search: Callable[[Task, FitCache], None], kind: type[FitCache]) -> tuple[int, int, float]:
    """Return hits, misses and CPU milliseconds a case of a search with this kind of cache, in pure Python."""
    hits = misses = 0
    begin_s = process_time()
    with mock.patch("gridjoust.bots.placement.beam.make_flood", return_value=None):
        for task in (island_task(seed) for seed in range(CASES)):
            cache = kind()
            search(task, cache)
            hits, misses = hits + cache.hits, misses + cache.misses
    return hits, misses, (process_time() - begin_s) * 1000.0


def print_caches() -> None:
    """Print how often the searches of a turn find fit data in the cache, and what that saves; kernels cache nothing."""
    rows = []
    for name, search in ((f"beams of {FIRST_WIDTH} and {WIDTH}", _two_beams), ("A*", _astar)):
        _with_caches(search, NoCache)  # what is kept for all searches is known from here on
        hits, misses, spent_ms = _with_caches(search, FitCache)
        _, _, without_ms = _with_caches(search, NoCache)
        times = [f"{each_ms / CASES:.1f}" for each_ms in (spent_ms, without_ms)]
        rows.append([name, f"{(hits + misses) / CASES:.0f}", f"{hits / (hits + misses):.0%}", *times])
    print_table("Fit data kept within a turn, list code", ("searches", "look-ups", "hits", "ms", "ms without"), rows)


def print_widths() -> None:
    """Print the article's curve: states that are generated against plans that are found."""
    tasks = [island_task(seed) for seed in range(CASES)]
    best = _reference(tasks)
    rows = []
    for width in WIDTHS:
        found, spent_ms = _timed(tasks, partial(plan_beam, width=width))
        rows.append([str(width), _share(found, best), _states(found), f"{spent_ms:.1f}"])
    title = f"Width of the beam on {CASES} island cases, three pieces each; best = width {REFERENCE_WIDTH}"
    print_table(title, ("width", "as good as the best", "states", "ms"), rows)


def print_quantum() -> None:
    """Print what it saves to test all placements by one walk (the quantum map) in place of a walk for each."""
    tasks = [island_task(seed) for seed in range(CASES)]
    best = _reference(tasks)
    ways: tuple[tuple[str, Callable[[Task], Found]], ...] = (
        ("plain, width 32", partial(plan_beam, width=32)),
        ("quantum, width 32, all placements", partial(plan_quantum, width=32)),
        (f"quantum, width 32, {ARTICLE_LIMIT} placements", partial(plan_quantum, width=32, limit=ARTICLE_LIMIT)),
        ("plain, width 16", partial(plan_beam, width=16)),
        ("quantum, width 16, all placements", partial(plan_quantum, width=16)),
    )
    rows = []
    for name, plan in ways:
        found, spent_ms = _timed(tasks, plan)
        rows.append([name, _share(found, best), _states(found), f"{spent_ms:.1f}"])
    print_table("Quantum map on the same cases", ("search", "as good as the best", "states", "ms"), rows)


def print_planners() -> None:
    """Print how every bot's planner does on its own, on the same cases."""
    tasks = [island_task(seed) for seed in range(CASES)]
    best = _reference(tasks)
    rows = []
    for name, planner in PLANNERS.items():
        found, spent_ms = _timed(tasks, partial(planner, width=16, is_over=NEVER))
        rows.append([name, _share(found, best), _states(found), f"{spent_ms:.1f}"])
    print_table("Planners on the same cases", ("bot", "as good as the best", "states", "ms"), rows)


def print_cases() -> None:
    """Print the planning cases of the tests against their exhaustive optima."""
    rows = []
    for name, planner in PLANNERS.items():
        for group, title in (("blob", "blobs, 1 to 3 pieces"), ("blob_3", "blobs, 3 pieces"), ("islands", "islands")):
            cases = planning_cases(group)
            found, spent_ms = _timed([case.task for case in cases], partial(planner, width=16, is_over=NEVER))
            optimal = sum(plan.key == case.best for plan, case in zip(found, cases, strict=True))
            rows.append([name, title, f"{optimal} of {len(cases)}", _states(found), f"{spent_ms:.1f}"])
    print_table("Planning cases at width 16", ("bot", "cases", "optimal", "states", "ms"), rows)


def print_bots(pairs: int = 10) -> None:
    """Print matches of every bot against every other in two variants, each seed from both seats."""
    for variant, params in VARIANTS.items():
        game = Placement(params)
        rows = []
        for one, other in combinations(BOTS, 2):
            rows.append([one, other, *map(str, duel(BOTS[one], BOTS[other], range(pairs), game))])
        print_table(f"{variant}: {params}", ("bot", "against", "won", "drawn", "lost"), rows)


def print_aims(pairs: int = 20) -> None:
    """Print what hindering is worth: the beam with several weights against the beam that only races."""
    rows = []
    for variant, params in VARIANTS.items():
        game = Placement(params)
        for hinder in (0.25, 0.5, 1.0, 3.0):
            own, racer = (partial(BeamBuilder, width=8, hinder=weight) for weight in (hinder, 0.0))
            rows.append([variant, str(hinder), *map(str, duel(own, racer, range(pairs), game))])
    print_table("The beam against itself without hindering", ("variant", "hinder", "won", "drawn", "lost"), rows)


class Tally(NamedTuple):
    """Matches that one bot has won, drawn and lost against another."""

    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """Share of the points."""
        return (self.won + self.drawn / 2) / sum(self)

    def row(self) -> list[str]:
        """Return the cells of a row below `TALLY`: matches, wins, draws, losses, share of points with its interval."""
        interval = wilson(self.won + self.drawn / 2, sum(self))
        assert interval is not None
        points = f"{self.share:.1%} ({interval.low:.1%} to {interval.high:.1%})"
        return [*map(str, (sum(self), *self)), points]


TALLY = ("matches", "won", "drawn", "lost", "points")


def duel(
    own: Callable[[], Builder], other: Callable[[], Builder], seeds: Sequence[int], game: Placement | None = None
) -> Tally:
    """Play one bot against another, every seed from both seats, by the default rules if no game is given."""
    game, tally = game or Placement(), [0, 0, 0]
    for seed in seeds:
        for seat in (0, 1):
            bots = [own() if place == seat else other() for place in (0, 1)]
            result = play_match(game, bots, seed=seed).returns[seat]
            tally[0 if result > 0 else 1 if result == 0 else 2] += 1
    return Tally(*tally)


def print_hindering() -> int:
    """Print what hindering is worth to the bot as it ships; return 1 if it gains too little."""
    tally = duel(BeamBuilder, partial(BeamBuilder, hinder=0.0), FRESH_SEEDS)
    title = f"The beam against the beam that only races, default rules; wanted: {LEAST_HINDER:.0%} of the points"
    print_table(title, TALLY, [tally.row()])
    return int(tally.share < LEAST_HINDER)


def towards_the_nearest(make: Callable[[], Builder]) -> Callable[[], Builder]:
    """Return a maker of the same bot without the searches towards each single goal; it plans towards the nearest."""

    def made() -> Builder:
        bot = make()
        vars(bot)["searches"] = bot.plans
        return bot

    return made


def print_goals() -> None:
    """Print what it is worth to plan towards every missing goal, and not towards the nearest alone."""
    rows = [[name, *duel(BOTS[name], towards_the_nearest(BOTS[name]), FRESH_SEEDS).row()] for name in PLANNER_BOTS]
    print_table("Bots against themselves without searches towards each goal", ("bot", *TALLY), rows)


def print_pairs() -> None:
    """Print the four planners against each other."""
    rows = [
        [one, other, *duel(BOTS[one], BOTS[other], FRESH_SEEDS).row()] for one, other in combinations(PLANNER_BOTS, 2)
    ]
    print_table("The planners against each other, default rules", ("bot", "against", *TALLY), rows)


TABLES: Mapping[str, Callable[[], int | None]] = {
    "fit_maps": print_fit_maps,
    "keys": print_keys,
    "caches": print_caches,
    "widths": print_widths,
    "ranks": print_ranks,
    "quantum": print_quantum,
    "cases": print_cases,
    "planners": print_planners,
    "bots": print_bots,
    "aims": print_aims,
    "hinder": print_hindering,
    "goals": print_goals,
    "pairs": print_pairs,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables that were asked for; return 1 if a figure misses its bound."""
    parser = argparse.ArgumentParser(prog="python -m study.placement", description=__doc__.splitlines()[0])
    names = ", ".join(TABLES)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"some of {names}; default: all")
    chosen = parser.parse_args(arguments).tables or list(TABLES)
    unknown = sorted(set(chosen) - set(TABLES))
    if unknown:
        parser.error(f"expected some of {names}, got {', '.join(unknown)}")
    return max(TABLES[name]() or 0 for name in chosen)


if __name__ == "__main__":
    sys.exit(main())
