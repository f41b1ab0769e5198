"""Dijkstra maps: each cell's value is its distance to the cheapest goal, and bots move downhill.

A map is a value: scaling, rescanning and updating make new maps and leave the old one unchanged. Values are plain
Python lists: boards are small, and importing numpy would slow the start of bot processes.

If a scan runs out of budget, cells that it has not reached keep the maximum; the values it has are never too low. The
result of an update that ran out of budget must not be used.

Source of the technique and of the rescan ("flee map"): Pender, "The Incredible Power of Dijkstra Maps", RogueBasin.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import Links, Terrain
from gridjoust.bots.planners.stats import PlanStats

DEFAULT_MAXIMUM = 100.0


@dataclass(frozen=True, slots=True)
class DijkstraMap:
    """The value of every cell: `min over x of sources[x] + distance to x`, at most `maximum`."""

    terrain: Terrain  # the board
    sources: tuple[float, ...]  # start value of every cell; `maximum` = no goal
    values: tuple[float, ...]  # value of every cell
    maximum: float  # value of walls and of cells that no goal reaches
    stats: PlanStats = field(default_factory=PlanStats, compare=False)  # what this map cost to compute

    def scaled(self, factor: float) -> tuple[float, ...]:
        """Return the values times `factor`; cells at the maximum (walls, unreached) keep it."""
        maximum = self.maximum
        return tuple([maximum if value >= maximum else value * factor for value in self.values])

    def rescanned(self, factor: float, *, budget: Budget = UNLIMITED) -> DijkstraMap:
        """Return the map scanned from `scaled(factor)`; with a factor below -1 it leads away and avoids dead ends."""
        if kernels.active is None:
            return scan_values(self.terrain, self.scaled(factor), maximum=self.maximum, budget=budget)
        return _scan_compiled(self.terrain, self.values, factor, self.maximum, budget)

    def updated(self, terrain: Terrain, *, budget: Budget = UNLIMITED) -> DijkstraMap:
        """Return this map after walls changed; only cells whose value depends on them are computed (as in SWSF-FP).

        Cells whose value no start value or neighbour accounts for any more are set to the maximum, in the order of
        their old values. Then all changed cells are lowered from their neighbours. `terrain` must have the same cells
        and costs; a cell that becomes a wall loses its start value.
        """
        if kernels.active is not None and terrain.out is terrain.into and self.terrain.out is self.terrain.into:
            return self._updated_compiled(terrain, budget)
        maximum, walls = self.maximum, terrain.walls
        sources, values = list(self.sources), list(self.values)
        for wall in walls:
            sources[wall] = maximum
        changed = _around(self.terrain, terrain)
        most = budget.left
        raised, generated = _raise_unsupported(terrain, values, sources, changed, maximum, most)
        heap: list[tuple[float, int]] = []
        for cell in sorted({*changed, *raised} - walls):
            if generated >= most:
                break
            steps = terrain.arcs_out(cell)
            generated += len(steps)
            best = min([sources[cell], *(values[other] + cost for other, cost in steps)])
            if best < values[cell]:
                values[cell] = best
                heap.append((best, cell))
        heapq.heapify(heap)
        for wall in walls:
            values[wall] = -math.inf
        stats = PlanStats(len(raised), generated)
        stats += _spread_weighted(terrain, values, heap, most - generated)
        stats.repaired = stats.expanded
        stats.generated = budget.spend(stats.generated)
        for wall in walls:
            values[wall] = maximum
        return DijkstraMap(terrain, tuple(sources), tuple(values), maximum, stats)

    def _updated_compiled(self, terrain: Terrain, budget: Budget) -> DijkstraMap:
        """Run `updated` in a compiled kernel, which needs a step back for every step."""
        found: DijkstraMap = kernels.active.update_map(terrain, self.terrain.into, self, budget.left, _KINDS)
        found.stats.repaired = found.stats.expanded
        found.stats.generated = budget.spend(found.stats.generated)
        return found

    def downhill(self, cell: int, rng: random.Random) -> int:
        """Return the lowest of the cell and its neighbours; a tie is drawn by `rng`."""
        choices = [cell, *self.terrain.neighbours(cell)]
        lowest = min(self.values[choice] for choice in choices)
        lowest_cells = [choice for choice in choices if self.values[choice] == lowest]
        return lowest_cells[0] if len(lowest_cells) == 1 else rng.choice(lowest_cells)


def scan(
    terrain: Terrain,
    goals: Mapping[int, float],
    *,
    maximum: float = DEFAULT_MAXIMUM,
    budget: Budget = UNLIMITED,
) -> DijkstraMap:
    """Return the Dijkstra map of these goals and their start values (negative too); goals on walls are dropped.

    >>> from gridjoust.planners import open_terrain
    >>> scan(open_terrain(3, 2, walls=[1]), {0: 0}).values
    (0, 100.0, 4.0, 1.0, 2.0, 3.0)

    Args:
        terrain: the board
        goals: start value of each goal, by the number of its cell
        maximum: value of walls and of cells that no goal reaches
        budget: successors that may still be generated; by default there is no limit
    """
    if kernels.active is not None:
        chart: DijkstraMap = kernels.active.scan(terrain, terrain.packed(), goals, maximum, budget.left, _KINDS)
        chart.stats.generated = budget.spend(chart.stats.generated)
        return chart
    starts, walls = [maximum] * terrain.size, terrain.walls
    seeds = []
    for cell, value in goals.items():
        if value < maximum and cell not in walls:
            starts[cell] = value
            seeds.append((value, cell))
    seeds.sort()
    return _spread(terrain, starts, seeds, maximum, budget)


def scan_values(
    terrain: Terrain, sources: Sequence[float], *, maximum: float = DEFAULT_MAXIMUM, budget: Budget = UNLIMITED
) -> DijkstraMap:
    """Return the Dijkstra map from a start value for every cell.

    Each value falls to that of its lowest neighbour + cost until nothing changes.

    Args:
        terrain: the board
        sources: one value a cell
        maximum: value of walls and of cells that no goal reaches
        budget: successors that may still be generated; by default there is no limit
    """
    if kernels.active is not None:
        return _scan_compiled(terrain, sources, None, maximum, budget)
    starts = [value if value < maximum else maximum for value in sources]
    for wall in terrain.walls:
        starts[wall] = maximum
    seeds = sorted([(value, cell) for cell, value in enumerate(starts) if value < maximum])
    return _spread(terrain, starts, seeds, maximum, budget)


def weighted_sum(terms: Iterable[tuple[float, DijkstraMap]]) -> list[float]:
    """Return weight × value summed over the terms, cell by cell.

    Args:
        terms: pairs of a weight and a map, at least one
    """
    weights, maps = zip(*terms, strict=True)
    columns = zip(*[chart.values for chart in maps], strict=True)
    return [sum([weight * value for weight, value in zip(weights, column, strict=True)]) for column in columns]


def downhill_path(chart: DijkstraMap, cell: int, rng: random.Random) -> list[int]:
    """Return the cells from `cell` downhill to one without a lower neighbour, both included.

    Args:
        chart: the map
        cell: number of the first cell
        rng: decides between equal neighbours
    """
    path = [cell]
    while True:
        lower = chart.downhill(path[-1], rng)
        if chart.values[lower] >= chart.values[path[-1]]:
            return path
        path.append(lower)


_KINDS = (DijkstraMap, PlanStats)  # the classes that a kernel makes


def _scan_compiled(
    terrain: Terrain, sources: Sequence[float], factor: float | None, maximum: float, budget: Budget
) -> DijkstraMap:
    """Scan start values, times `factor` if it is not None, in a compiled kernel."""
    found: DijkstraMap = kernels.active.scan_values(
        terrain, terrain.packed(), sources, factor, maximum, budget.left, _KINDS
    )
    found.stats.generated = budget.spend(found.stats.generated)
    return found


def _spread(
    terrain: Terrain, starts: list[float], seeds: list[tuple[float, int]], maximum: float, budget: Budget
) -> DijkstraMap:
    """Compute the map of these start values; `seeds` are the (value, cell) pairs below the maximum, sorted."""
    values = starts.copy()
    for wall in terrain.walls:
        values[wall] = -math.inf  # a wall is never improved, so the loops below need no test for walls
    if terrain.into_costs is not None:
        stats = _spread_weighted(terrain, values, seeds, budget.left)
    elif len(seeds) == 1 or all(value % 1 == 0 for value, _ in seeds):
        stats = _spread_layers(terrain, values, seeds, budget.left)
    else:
        stats = _spread_unit(terrain, values, seeds, budget.left)
    stats.generated = budget.spend(stats.generated)
    for wall in terrain.walls:
        values[wall] = maximum
    return DijkstraMap(terrain, tuple(starts), tuple(values), maximum, stats)


def _spread_layers(terrain: Terrain, values: list[float], seeds: list[tuple[float, int]], most: int) -> PlanStats:
    """Lower `values` in place from `seeds`, sorted pairs (value, cell) whose values differ by whole numbers.

    All cells of one value are expanded together, until `most` successors are generated.

    A seed joins the layer of its value; a seed whose cell has meanwhile become lower is skipped. The frontier counts
    one layer and the seeds that are still waiting.
    """
    waiting, steps = seeds[::-1], _steps_in(terrain)
    layer: list[int] = []
    expanded, generated, peak, value = 0, 0, len(seeds), 0.0
    while waiting and generated < most:
        value = value if layer else float(waiting[-1][0])  # one type in all keys: mixed types compare more slowly
        while waiting and waiting[-1][0] == value:
            _, cell = waiting.pop()
            if values[cell] == value:
                layer.append(cell)
        upcoming = waiting[-1][0] if waiting else math.inf
        sizes = [len(layer)]
        layer, value, done, read = _flood(terrain.into, steps, values, layer, value, upcoming, sizes, most - generated)
        expanded += done
        generated += read
        peak = max(peak, max(sizes) + len(waiting))
    return PlanStats(expanded, generated, peak)


def _flood(
    into: Links,
    steps: list[int],
    values: list[float],
    layer: list[int],
    value: float,
    upcoming: float,
    sizes: list[int],
    most: int,
) -> tuple[list[int], float, int, int]:
    """Expand layers until none is left, the value is `upcoming` or `most` successors were generated.

    Return (next layer, its value, cells expanded, successors generated). `steps` are those of each cell; the size of
    each layer is appended to `sizes`.
    """
    expanded = generated = 0
    while layer and value < upcoming and generated < most:
        value += 1
        fresh: list[int] = []
        reached = generated + sum(map(steps.__getitem__, layer))
        if reached >= most:
            before = [*accumulate(map(steps.__getitem__, layer), initial=generated)]
            layer = [cell for cell, so_far in zip(layer, before, strict=False) if so_far < most]
            reached = before[len(layer)]
        generated = reached
        expanded += len(layer)
        for cell in layer:
            for other in into[cell]:
                if values[other] > value:
                    values[other] = value
                    fresh.append(other)
        layer = fresh
        sizes.append(len(layer))
    return layer, value, expanded, generated


def _spread_unit(terrain: Terrain, values: list[float], seeds: list[tuple[float, int]], most: int) -> PlanStats:
    """Lower `values` from sorted seeds, merged with a first-in first-out queue, which steps of 1 keep sorted.

    Cells leave in rising order of value, so a queued cell is never lowered again. A seed is skipped if its cell has
    meanwhile become lower.
    """
    into, steps = terrain.into, _steps_in(terrain)
    queue: list[int] = []
    append = queue.append
    head = taken = expanded = generated = peak = 0
    upcoming = [*seeds, (math.inf, -1)]
    seed_value, seed_cell = upcoming[0]
    while generated < most:
        if head < len(queue) and values[queue[head]] <= seed_value:
            cell = queue[head]
            head += 1
        elif seed_cell >= 0:
            value, cell = seed_value, seed_cell
            taken += 1
            seed_value, seed_cell = upcoming[taken]
            if value > values[cell]:
                continue
        else:
            break
        expanded += 1
        generated += steps[cell]
        value = values[cell] + 1
        for other in into[cell]:
            if values[other] > value:
                values[other] = value
                append(other)
        grown = len(queue) - head - taken
        if grown > peak:
            peak = grown
    return PlanStats(expanded, generated, len(seeds) + peak)


def _spread_weighted(terrain: Terrain, values: list[float], heap: list[tuple[float, int]], most: int) -> PlanStats:
    """Lower `values` from the cells on the heap; a cell may be on it more than once."""
    into, costs, steps_in = terrain.into, terrain.into_costs, _steps_in(terrain)
    expanded, generated, peak = 0, 0, len(heap)
    while heap and generated < most:
        value, cell = heapq.heappop(heap)
        if value > values[cell]:
            continue
        expanded += 1
        generated += steps_in[cell]
        steps = costs[cell] if costs else (1,) * len(into[cell])
        for other, cost in zip(into[cell], steps, strict=True):
            if values[other] > value + cost:
                values[other] = value + cost
                heapq.heappush(heap, (value + cost, other))
        peak = max(peak, len(heap))
    return PlanStats(expanded, generated, peak)


def _steps_in(terrain: Terrain) -> list[int]:
    """Return, per cell, the number of steps that lead to it from cells that are no walls."""
    steps = [*map(len, terrain.into)]
    for wall in terrain.walls:
        for cell in terrain.out[wall]:
            steps[cell] -= 1
    return steps


def _raise_unsupported(
    terrain: Terrain, values: list[float], sources: Sequence[float], changed: Iterable[int], maximum: float, most: int
) -> tuple[list[int], int]:
    """Set cells whose value nothing accounts for any more to the maximum; return (these cells, successors generated).

    A value is accounted for by a start value or by a lower neighbour, so low cells come first.
    """
    raised: list[int] = []
    generated = 0
    heap = [(values[cell], cell) for cell in changed]
    heapq.heapify(heap)
    while heap and generated < most:
        value, cell = heapq.heappop(heap)
        if values[cell] != value or value >= maximum:
            continue
        if cell not in terrain.walls:
            if sources[cell] == value:
                continue
            steps_out = terrain.arcs_out(cell)
            generated += len(steps_out)
            if any(values[other] + cost == value for other, cost in steps_out):
                continue
        values[cell] = maximum
        raised.append(cell)
        steps = terrain.arcs_in(cell)
        generated += len(steps)
        for other, cost in steps:
            if values[other] == value + cost:
                heapq.heappush(heap, (values[other], other))
    return raised, generated


def _around(before: Terrain, after: Terrain) -> set[int]:
    """Return cells that became or ceased to be walls, and their neighbours, whose steps changed too."""
    flipped = before.walls ^ after.walls
    return {*flipped} | {cell for wall in flipped for cell in (*before.into[wall], *after.into[wall])}
