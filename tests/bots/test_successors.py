"""Every built-in bot with a planner reports the successors that the game's model and the neighbour tables have yielded.

Wrappers of these count by themselves: what a counted function yields while another one runs belongs to the outer one.
News and finished plans are read uncounted. The matches run the list code; `test_kernels_in_matches` shows that the
kernels report the same.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import GeneratorType
from typing import Any

import pytest

from gridjoust import direct
from gridjoust.bots.api import AnytimeBot, Bot
from gridjoust.bots.bomber.gambit import Survey
from gridjoust.bots.bomber.safety import LookAhead
from gridjoust.bots.eidolon import beam as eidolon_beam
from gridjoust.bots.eidolon.roads import Roads
from gridjoust.bots.harness import act, improve
from gridjoust.bots.heroquest import hero_bot, zargon_dijkstra_map
from gridjoust.bots.heroquest.hero_bot import Field
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapRoute
from gridjoust.bots.navigation.route import FixedPath
from gridjoust.bots.placement import astar as placement_astar
from gridjoust.bots.placement import beam as placement_beam
from gridjoust.bots.placement import floor as placement_floor
from gridjoust.bots.placement import quantum as placement_quantum
from gridjoust.bots.placement import slopes as placement_slopes
from gridjoust.bots.placement import tactics as placement_tactics
from gridjoust.bots.placement import task as placement_task
from gridjoust.bots.placement.potential import FitCache
from gridjoust.bots.placement.slopes import MapSlope
from gridjoust.bots.placement.task import VOID_COST, Figure, Task
from gridjoust.bots.planners import dijkstra_map, jps, kernels
from gridjoust.bots.planners.astar import _TimedArcs
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap
from gridjoust.bots.planners.dstar_lite import DStarLite
from gridjoust.bots.planners.graph import FunctionArcs, FunctionArcsIn, Terrain
from gridjoust.bots.planners.grid import Lazy, SearchGrid
from gridjoust.bots.planners.replanning.arastar import ARAStar
from gridjoust.bots.ricochet import dijkstra_map as ricochet_map
from gridjoust.bots.ricochet import dstar_lite as ricochet_dstar
from gridjoust.bots.ricochet import plans as ricochet_plans
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.bomber.board import Board
from gridjoust.games.eidolon.dungeon import Dungeon, Reach
from gridjoust.games.grid import Cell
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.movement import Ground
from gridjoust.games.placement.board import Board as MaskBoard
from gridjoust.games.placement.board import Mask
from gridjoust.games.ricochet import optimum
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.spaces import CommonSpace, GeneralSpace, MixedSpace
from gridjoust.runner.wire.protocol import Action
from gridjoust.simulation import play
from tests.bots.test_work import PLANNERS, SHORT, sides_of
from tests.tiers import gate_but

Size = Callable[[Any], int]
_END = object()


class Meter:
    """Counts what patched functions yield, and compares it with what bots report."""

    def __init__(self, game: str, patch: pytest.MonkeyPatch) -> None:
        self.game = game
        self.count = 0
        self.reports: list[tuple[str, int, int]] = []  # (bot, reported, yielded)
        self._patch = patch
        self._depth = 0  # above 0, nothing is counted
        self._position = 0  # yielded so far for a position of ricochet

    def counts(self, owner: Any, name: str, size: Size = len) -> None:
        """Count what a function of a class or module yields, unless another counted function has called it."""
        original = getattr(owner, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            if self._depth:
                return original(*arguments, **named)
            with self._quiet():
                found = original(*arguments, **named)
            if isinstance(found, GeneratorType):
                return self._counted_one_by_one(found)
            self.count += size(found)
            return found

        self._patch.setattr(owner, name, counted)

    def _counted_one_by_one(self, generator: Iterator[Any]) -> Iterator[Any]:
        while True:
            with self._quiet():
                found = next(generator, _END)
            if found is _END:
                return
            self.count += 1
            yield found

    def ignores(self, owner: Any, name: str) -> None:
        """Count nothing that is yielded while a function runs."""
        original = getattr(owner, name)

        def uncounted(*arguments: Any, **named: Any) -> Any:
            with self._quiet():
                return original(*arguments, **named)

        self._patch.setattr(owner, name, uncounted)

    def adds(self, count: int) -> None:
        self.count += 0 if self._depth else count

    def replaces(self, owner: Any, name: str, function: Callable[..., Any]) -> None:
        self._patch.setattr(owner, name, function)

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def counts_rows(self) -> None:
        """Count the steps in every row that a map reads of its terrain, walls excluded."""
        slot = Terrain.__dict__["into"]

        def read(terrain: Terrain) -> Any:
            rows = slot.__get__(terrain)
            return rows if self._depth else _Rows(rows, self, terrain.walls)

        self._patch.setattr(Terrain, "into", property(read, slot.__set__))

    def acts(self, bot: Bot, *arguments: Any) -> Action:
        """Answer like `harness.act` and compare."""
        self.count = 0
        action = act(bot, *arguments)
        self._compare(bot, action, self.count)
        return action

    def improves(self, bot: AnytimeBot, *arguments: Any, **named: Any) -> Iterator[Action | None]:
        """Answer like `harness.improve` and compare the last answer; a bidder reports a position as a whole."""
        yielded = self._position if isinstance(bot, Bidder) else 0
        generator, action = improve(bot, *arguments, **named), None
        is_over: bool | None = None
        while True:
            self.count = 0  # others act between two answers
            try:
                found = generator.send(is_over)
            except StopIteration:
                break
            finally:
                yielded += self.count
            action = found or action
            is_over = yield found
        assert action is not None
        self._compare(bot, action, yielded)
        self._position = yielded

    def _compare(self, bot: Bot, action: Action, yielded: int) -> None:
        stats = action.stats
        reported = 0 if stats is None else (stats.generated or 0) + (stats.tactics or 0)
        self.reports.append((type(bot).__name__, reported, yielded))


class _Rows(tuple[tuple[int, ...], ...]):
    """Rows of links that count what is read of them by number."""

    meter: Meter
    walls: frozenset[int]

    def __new__(cls, rows: Iterable[tuple[int, ...]], meter: Meter, walls: frozenset[int]) -> _Rows:
        made = super().__new__(cls, rows)
        made.meter, made.walls = meter, walls
        return made

    def __getitem__(self, cell: Any) -> Any:
        row = super().__getitem__(cell)
        self.meter.count += sum(other not in self.walls for other in row)
        return row


def _all(rows: Mapping[Any, Iterable[Any]]) -> int:
    return sum(len(list(row)) for row in rows.values())


def meter_planners(meter: Meter) -> None:
    for arcs in (FunctionArcsIn, FunctionArcs):
        meter.counts(arcs, "__getitem__")
    for table in (_TimedArcs, Lazy):
        meter.counts(table, "__getitem__")
    for name in ("arcs_in", "arcs_out"):
        meter.counts(Terrain, name)
    meter.counts_rows()
    meter.ignores(DStarLite, "_best_successor")
    meter.ignores(DijkstraMap, "downhill")
    meter.ignores(dijkstra_map, "_around")
    meter.ignores(SearchGrid, "change")
    meter.ignores(SearchGrid, "terrain")


def meter_navigation(meter: Meter) -> None:
    meter.ignores(FixedPath, "_prices")
    meter.ignores(ARAStar, "_price")
    meter.ignores(DijkstraMapRoute, "_downhill")
    meter.ignores(jps._Steps, "__missing__")  # it looks at walls
    meter.counts(jps.JumpSearch, "_enter", lambda _: 1)


def meter_ricochet(meter: Meter) -> None:
    for space in (CommonSpace, MixedSpace, GeneralSpace):
        meter.counts(space, "lead", lambda led: len(led[1]))
        meter.counts(space, "follow")
    meter.counts(ricochet_plans, "moves_from")
    for module in (ricochet_map, ricochet_dstar):
        meter.counts(module, "stops_within_reach", _all)
    meter.counts(Slides, "stops_from")
    meter.ignores(optimum, "moves_along")
    meter.ignores(ricochet_map, "roll_down")


def meter_bomber(meter: Meter) -> None:
    def flood(board: Board, start: int, walls: Container[int]) -> Iterator[tuple[int, int]]:
        steps, reached = {start: 0}, [start]
        for cell in reached:
            yield cell, steps[cell]
            beside = [near for near in board.neighbours[cell] if near not in walls]
            meter.count += len(beside)
            reached += [near for near in beside if near not in steps]
            steps |= {near: steps[cell] + 1 for near in beside if near not in steps}

    meter.replaces(Board, "flood", flood)
    meter.counts(LookAhead, "moves")
    meter.counts(Survey, "moves")


def meter_heroquest(meter: Meter) -> None:
    meter.counts(Ground, "next_cell", lambda target: int(target >= 0))
    meter.counts(Ground, "steps", len)
    meter.counts(Field, "neighbours")
    meter.counts(zargon_dijkstra_map, "_links", lambda links: sum(map(len, links)))
    meter.ignores(hero_bot, "deeds")
    meter.ignores(HeroQuest, "legal_actions")
    meter.counts(HeroQuest, "apply", lambda _: 1)


def meter_eidolon(meter: Meter) -> None:
    def reach(dungeon: Dungeon, start: Cell, *, steps: Reach | None = None) -> frozenset[Cell]:
        table, reached = dungeon.neighbours("doors") if steps is None else steps, [start]
        for cell in reached:
            beside = table.get(cell, ())
            meter.count += len(beside)
            reached += [other for other in dict.fromkeys(beside) if other not in reached]
        return frozenset(reached)

    def make_roads(roads: Roads, *arguments: Any, **named: Any) -> None:
        originally(roads, *arguments, **named)
        roads.arcs = _Arcs(roads.arcs)
        roads.arcs.meter = meter

    originally = Roads.__init__
    meter.replaces(Roads, "__init__", make_roads)
    meter.replaces(Dungeon, "reach", reach)
    meter.counts(Roads, "_arcs_from")
    meter.counts(Roads, "neighbours")
    meter.ignores(Roads, "path")
    meter.counts(eidolon_beam, "advance", lambda _: 1)


class _Arcs(dict[Cell, tuple[tuple[Cell, int], ...]]):
    """Arcs by cell that are counted when they are read."""

    meter: Meter

    def __getitem__(self, cell: Cell) -> tuple[tuple[Cell, int], ...]:
        arcs = super().__getitem__(cell)
        self.meter.adds(len(arcs))
        return arcs


def toll_layers(meter: Meter, board: MaskBoard, floor: Mask, void: Mask, goals: Mask) -> Iterator[Mask]:
    """Settle cell by cell, and count every cell that a step leads to once for each kind of cells it leaves."""
    unseen, waiting, cost = floor | void | goals, {0: goals}, 0
    while waiting:
        layer = waiting.pop(cost, 0) & unseen
        unseen &= ~layer
        yield layer
        for toll, cells in ((1, layer & floor), (VOID_COST, layer & ~floor)):
            near = {cell for here in members(cells) for cell in members(board.spread(1 << here) & unseen)}
            meter.count += len(near)
            if near:
                waiting[cost + toll] = waiting.get(cost + toll, 0) | mask_of(near)
        cost += 1


def steps_down(board: MaskBoard, rings: tuple[Mask, ...], kinds: tuple[Mask, Mask], cell: int) -> int:
    """Walk cell by cell down the rings of tolls from a cell, over Floor and Void, and count every step."""
    cost = next((number for number, ring in enumerate(rings) if ring >> cell & 1), 0)
    reached, steps = {cost: {cell}}, 0
    for left in range(cost, 0, -1):
        beside = {near for here in reached.get(left, ()) for near in members(board.spread(1 << here))}
        for toll, kind in zip((1, VOID_COST), kinds, strict=True):
            ahead = beside & set(members(kind & rings[left - toll])) if toll <= left else set()
            steps += len(ahead)
            reached.setdefault(left - toll, set()).update(ahead)
    return steps


def meter_tolls(meter: Meter) -> None:
    layers_of, corridor_of = placement_task._toll_layers, placement_tactics.corridor

    def layers(*arguments: Any) -> Iterator[Mask]:
        for counted, layer in zip(toll_layers(meter, *arguments[:-1]), layers_of(*arguments), strict=True):
            assert counted == layer
            yield layer

    def corridor(task: Task, floor: Mask, walls: Mask, figure: Figure) -> Mask:
        board = task.position.board
        void = board.inside & ~walls & ~floor
        rings = tuple(layers_of(board, floor, void, figure.goals, Budget()))
        meter.count += steps_down(board, rings, (floor, void), figure.cell)
        return corridor_of(task, floor, walls, figure)

    meter.replaces(placement_task, "_toll_layers", layers)
    meter.replaces(placement_tactics, "corridor", corridor)


def walked(layers: list[Mask]) -> int:
    return sum(len(members(layer)) for layer in layers[1:])


def meter_placement(meter: Meter) -> None:
    meter_tolls(meter)
    for module in (placement_astar, placement_beam, placement_floor, placement_slopes, placement_tactics):
        meter.counts(module, "walk_layers", walked)
    for module in (placement_slopes, placement_tactics):
        meter.counts(module, "placements_left")
    meter.counts(placement_beam, "walk_on", lambda layers: walked([0, *layers]))
    meter.counts(FitCache, "look_up")
    meter.counts(placement_quantum, "walk_quantum")
    meter.counts(placement_tactics, "play", lambda _: 1)
    meter.ignores(MapSlope, "way")


METERS: dict[str, Callable[[Meter], None]] = {
    "bomber": meter_bomber,
    "eidolon": meter_eidolon,
    "heroquest": meter_heroquest,
    "navigation": meter_navigation,
    "placement": meter_placement,
    "ricochet": meter_ricochet,
}


@pytest.mark.default("navigation/astar", "ricochet/dstar_lite")
@pytest.mark.parametrize(
    "bot",
    gate_but(
        [*PLANNERS, "placement/floor"],
        ("bomber/beam", "navigation/astar", "ricochet/dstar_lite"),
    ),
)
def test_a_bot_reports_the_successors_that_it_has_generated(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bot.split("/", maxsplit=1)[0]
    monkeypatch.setattr(kernels, "active", None)
    meter = Meter(game, monkeypatch)
    meter_planners(meter)
    METERS[game](meter)
    monkeypatch.setattr(direct, "act", meter.acts)
    monkeypatch.setattr(direct, "improve", meter.improves)
    played = play(game, sides_of(bot), seed=3, params=SHORT[game], time={"turn_ms": None})
    assert played.termination == "completed"
    assert [report for report in meter.reports if report[1] != report[2]] == []
    assert max(reported for _, reported, _ in meter.reports) > (4 if bot == "navigation/floor" else 10)
