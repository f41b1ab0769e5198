"""How the eidolon bots do: share won and AP on the same maps, search cost, and what repairing a search saves.

`python -m study.eidolon` prints the tables. All bots play the same seeds; pure-rules matches in this process, no
broker and no referee. Results repeat exactly, times do not.

What to expect where rituals come after every turn of a hero (`published`): time is counted in turns, however many
heroes there are, and larger teams walk and wait more; the fewer heroes, the more matches are won. Where rituals come
after rounds (`sim4`, `sim5`) larger teams have more time, and nearly every match is won on normal difficulty.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from gridjoust import Bot
from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.bots.eidolon.beam import BeamHero
from gridjoust.bots.eidolon.dijkstra_map import DijkstraMapHero
from gridjoust.bots.eidolon.dstar_lite import DStarLiteHero, PricedGraph, estimate_in_eighths, in_eighths
from gridjoust.bots.eidolon.goals import Goal, GoalPlanner
from gridjoust.bots.eidolon.hero import Itinerary
from gridjoust.bots.eidolon.roads import manhattan, to_nearest
from gridjoust.bots.match import play_match
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.state import End
from gridjoust.games.grid import Cell
from gridjoust.planners import DStarLite, astar
from study.report import print_table
from study.timing import TimedAsk

BOTS: Mapping[str, Callable[[], Bot]] = {
    "astar": AStarHero,
    "dstar_lite": DStarLiteHero,
    "dijkstra_map": DijkstraMapHero,
    "beam": BeamHero,
}
MIXED = "mixed"  # one of each, in turn


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How one match ended and what it took."""

    end: End
    ap: int
    game_rounds: int
    turns: int
    hero_turns: int  # a turn of a hero has several turns of the match
    expanded: int
    replans: int
    decisions_ms: float  # CPU time of all decisions
    slowest_ms: float


def make_team(name: str, seats: int) -> list[Bot]:
    """Return one bot for all seats, or, for the mixed team, a bot for each seat: the kinds of bots in turn."""
    if name != MIXED:
        return [BOTS[name]()]
    kinds = list(BOTS.values())
    return [kinds[seat % len(kinds)]() for seat in range(seats)]


def play(game: Eidolon, team: Sequence[Bot], *, seed: int) -> MatchReport:
    """Play one match and report it; a team of one bot holds all seats."""
    watch = TimedAsk()
    state = play_match(game, [*team] * game.seats if len(team) == 1 else team, seed=seed, ask=watch).state
    assert state.end is not None
    ap = sum(hero.ap_spent for hero in state.heroes)
    searches = [expanded for seat in range(game.seats) for expanded in watch.expanded[seat] if expanded]
    times_ms = [time_us / 1000 for seat in range(game.seats) for time_us in watch.times_us[seat]]
    return MatchReport(
        state.end,
        ap,
        state.game_round,
        state.turns,
        state.hero_turns,
        sum(searches),
        len(searches),
        sum(times_ms),
        max(times_ms),
    )


Series = tuple[str, str, int]  # preset, team, seats


def play_one(series: Series, seed: int) -> MatchReport:
    """Play one match of a series and report it."""
    preset, team, seats = series
    return play(Eidolon({"preset": preset}, seats=seats), make_team(team, seats), seed=seed)


def row(series: Series, reports: Sequence[MatchReport]) -> list[str]:
    """Return the row of a series: share won, AP and rounds of won matches, search cost, and how other matches ended."""
    ends = Counter(report.end for report in reports)
    won = [report for report in reports if report.end is End.WON]
    open_matches = len(reports) - ends[End.SEALED] - ends[End.UNSOLVABLE]
    turns = sum(report.turns for report in reports)
    others = ", ".join(f"{end.value} {count}" for end, count in ends.most_common() if end is not End.WON)
    return [
        series[0],
        str(series[2]),
        series[1],
        str(len(reports)),
        f"{len(won) / max(1, open_matches):.1%}",
        f"{fmean(report.ap for report in won):.1f}" if won else "",
        f"{fmean(report.game_rounds for report in won):.1f}" if won else "",
        f"{fmean(report.expanded for report in reports):.0f}",
        f"{fmean(report.replans for report in reports):.0f}",
        f"{sum(report.decisions_ms for report in reports) / turns:.2f}",
        f"{max(report.slowest_ms for report in reports):.0f}",
        others,
    ]


HEADING = (
    "preset", "heroes", "team", "matches", "won", "AP", "rounds", "expanded", "replans", "ms/decision", "slowest",
    "other ends",
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """Counts the nodes that A* and D* Lite expand for plans to a goal that was planned to before."""

    plans: int = 0
    astar: int = 0
    dstar_lite: int = 0
    changed_plans: int = 0
    changed_astar: int = 0
    changed_dstar_lite: int = 0


class Recorder(AStarHero):
    """An A* hero that lets D* Lite search the same goals after the same changes, and counts both."""

    def __init__(self) -> None:
        super().__init__()
        self.tally = Tally()
        self._kept: dict[int, tuple[Cell, frozenset[Cell], PricedGraph, DStarLite[Cell]]] = {}

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary:
        """Return A*'s plan, and let D* Lite search the same goals."""
        itinerary = super().plan(planner, goals)
        assert itinerary is not None  # nothing limits its work
        here, goal, seat = planner.here, itinerary.goal.cell, planner.seat
        prices = in_eighths(planner.roads.prices(planner.price))
        passages = planner.roads.dungeon.passages
        estimate = estimate_in_eighths(manhattan, passages)
        known = self._kept.get(seat)
        if known is None or known[0] != goal or known[1] != frozenset(passages):
            graph = PricedGraph(prices)
            search = DStarLite(here, goal, neighbours=graph.neighbours, cost=graph.cost, heuristic=estimate)
            search.search()
            self._kept[seat] = goal, frozenset(passages), graph, search
            return itinerary
        _, _, graph, search = known
        changes = graph.change(prices)
        search.move_start(here)
        search.update(changes)
        self._count(
            bool(changes),
            _from_scratch(here, goal, graph, to_nearest(estimate, [goal])),
            search.search().expanded,
        )
        return itinerary

    def _count(self, has_changed: bool, scratch: int, repaired: int) -> None:  # noqa: FBT001 - a count's own key
        tally = self.tally
        tally.plans += 1
        tally.astar += scratch
        tally.dstar_lite += repaired
        if has_changed:
            tally.changed_plans += 1
            tally.changed_astar += scratch
            tally.changed_dstar_lite += repaired


def _from_scratch(here: Cell, goal: Cell, graph: PricedGraph, heuristic: Callable[[Cell], float]) -> int:
    plan = astar(here, {goal}, neighbours=graph.neighbours, cost=graph.cost, heuristic=heuristic)
    return plan.stats.expanded


def tally_match(preset: str, seats: int, seed: int) -> Tally:
    """Play one match of the recorder and return what it counted."""
    bot = Recorder()
    play_match(Eidolon({"preset": preset}, seats=seats), [bot], seed=seed)
    return bot.tally


def tally_row(preset: str, seats: int, tallies: Sequence[Tally]) -> list[str]:
    """Return a row with the sums over all matches."""
    plans, scratch, repaired = (sum(getattr(t, name) for t in tallies) for name in ("plans", "astar", "dstar_lite"))
    names = ("changed_plans", "changed_astar", "changed_dstar_lite")
    changed, changed_scratch, changed_repaired = (sum(getattr(t, name) for t in tallies) for name in names)
    return [
        preset,
        str(seats),
        str(plans),
        str(scratch),
        str(repaired),
        f"{repaired / max(1, scratch):.2f}",
        str(changed),
        str(changed_scratch),
        str(changed_repaired),
        f"{changed_repaired / max(1, changed_scratch):.2f}",
    ]


def print_leaderboard(
    pool: ProcessPoolExecutor, *, presets: Iterable[str], seats: Iterable[int], teams: Iterable[str], seeds: range
) -> None:
    """Print how often each team wins on the same seeds."""
    todo: list[Series] = [(preset, team, count) for preset in presets for count in seats for team in teams]
    rows = [row(series, list(pool.map(partial(play_one, series), seeds, chunksize=2))) for series in todo]
    print_table("Teams on the same maps (AP and rounds: means of the matches won)", HEADING, rows)
    print("\nwon: share of the matches that did not end sealed; expanded, replans: means of a match; slowest in ms")
    print("replans: answers whose search expanded something; repairs that need no expansion are not counted")


def print_repairs(pool: ProcessPoolExecutor, *, presets: Iterable[str], seats: Iterable[int], seeds: range) -> None:
    """Print how many nodes both searches expand for the same recorded goals and changes."""
    rows = []
    for preset in presets:
        for count in seats:
            tallies = list(pool.map(partial(tally_match, preset, count), seeds, chunksize=2))
            rows.append(tally_row(preset, count, tallies))
    print_table(
        "Expansions after the first plan to a goal: all replans, and those after a change of the map or its prices",
        ("preset", "heroes", "replans", "A*", "D* Lite", "ratio", "changed", "A*", "D* Lite", "ratio"),
        rows,
    )


def main() -> None:
    """Play the matches of this study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--presets", nargs="+", default=["sim1", "sim2", "sim3", "sim4", "sim5", "published"])
    parser.add_argument("--seats", nargs="+", type=int, default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--teams", nargs="+", default=[*BOTS, MIXED], choices=[*BOTS, MIXED])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=["leaderboard", "repairs"], help="one of the two tables")
    options = parser.parse_args()
    seeds = range(options.seeds)
    with ProcessPoolExecutor(options.processes) as pool:
        if options.only != "repairs":
            chosen = {"presets": options.presets, "seats": options.seats}
            print_leaderboard(pool, **chosen, teams=options.teams, seeds=seeds)
        if options.only != "leaderboard":
            print_repairs(pool, presets=options.presets, seats=options.seats, seeds=seeds)


if __name__ == "__main__":
    main()
