"""The worked example of the paper, value by value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gridjoust.bots.planners.budget import ENDLESS
from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from tests.bots.planners.plain_dstar_lite import PlainDStarLite
from tests.bots.planners.replanning import values_of

INF = float("inf")
EXAMPLE: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "dstar_lite_worked_example.json").read_text(encoding="utf-8")
)
NAMES = [row + column for row in EXAMPLE["rows"] for column in EXAMPLE["columns"]]
BLOCKED = {NAMES[cell] for cell, sign in enumerate("".join(EXAMPLE["board"])) if sign == "#"}


def number(value: float) -> str:
    return "-" if value == INF else f"{value:g}"


def entry(g: float, rhs: float, key: tuple[float, float] | None) -> str:
    """As the data file writes it."""
    return f"{number(g)} {number(rhs)} " + ("-" if key is None else f"[{number(key[0])};{number(key[1])}]")


def distance(a: str, b: str) -> float:
    """max(|dx|, |dy|)."""
    return max(abs(ord(a[0]) - ord(b[0])), abs(ord(a[1]) - ord(b[1])))


class World:
    """Named cells, some of them blocked."""

    def __init__(self) -> None:
        self.blocked = set(BLOCKED)

    def cost(self, tail: str, head: str) -> float:
        return 1 if distance(tail, head) == 1 and not {tail, head} & self.blocked else INF

    def neighbours(self, name: str) -> list[str]:
        return [other for other in NAMES if self.cost(name, other) == 1]


def test_the_plain_version_prints_the_figures_of_the_paper() -> None:
    world = World()
    plain = PlainDStarLite(set(NAMES) - BLOCKED, EXAMPLE["start"], EXAMPLE["goal"], world.cost, distance)

    def states(printed: list[dict[str, Any]], first: str) -> list[tuple[str, dict[str, str]]]:
        def state() -> dict[str, str]:
            return {s: entry(plain.g[s], plain.rhs[s], plain.queue.get(s)) for s in printed[0]["state"]}

        return [(first, state()), *((u, state()) for u in plain.compute_shortest_path())]

    first, second = EXAMPLE["printed"]["first"], EXAMPLE["printed"]["second"]
    assert states(first, "init") == [(step["after"], step["state"]) for step in first]
    world.blocked.add(EXAMPLE["then_blocked"])
    dropped = EXAMPLE["then_blocked"]
    plain.costs_changed(EXAMPLE["moves_to"], [s for s in plain.nodes if distance(s, dropped) <= 1])
    assert states(second, "edge-cost-changes") == [(step["after"], step["state"]) for step in second]


def grid_cell(name: str) -> int:
    return NAMES.index(name)


def make_grid_planner() -> GridDStarLite:
    grid = SearchGrid(3, 5, blocked=map(grid_cell, BLOCKED), connectivity=8, diagonal_cost=1, cut_corners=True)
    return GridDStarLite(grid, grid_cell(EXAMPLE["start"]), grid_cell(EXAMPLE["goal"]))


def state_of(planner: GridDStarLite, like: dict[str, str]) -> dict[str, str]:
    cells = {name: grid_cell(name) for name in like}
    return {name: entry(*values_of(planner, cell)) for name, cell in cells.items()}


def names(path: tuple[int, ...]) -> list[str]:
    return [NAMES[cell] for cell in path]


def test_the_optimised_version_reaches_every_value_of_the_example() -> None:
    optimised = EXAMPLE["optimised"]
    planner = make_grid_planner()

    plan = planner.plan()
    assert (names(plan.path), plan.cost) == (EXAMPLE["first_path"], 3)
    assert plan.stats.expanded == optimised["first_plan"]["expansions"]
    assert state_of(planner, optimised["first_plan"]["state"]) == optimised["first_plan"]["state"]

    planner.move_start(grid_cell(EXAMPLE["moves_to"]))
    planner.change({grid_cell(EXAMPLE["then_blocked"]): INF})
    planner._rebase()
    planner._take_news(ENDLESS)
    assert planner._km == EXAMPLE["km_after"]
    assert state_of(planner, optimised["after_the_change"]) == optimised["after_the_change"]

    plan = planner.plan()
    assert (names(plan.path), plan.cost) == (EXAMPLE["second_path"], 3)
    assert plan.stats.expanded == optimised["second_plan"]["expansions"]
    assert state_of(planner, optimised["second_plan"]["state"]) == optimised["second_plan"]["state"]


def test_a_general_graph_reaches_the_same_values() -> None:
    world = World()
    optimised = EXAMPLE["optimised"]
    planner = DStarLite(EXAMPLE["start"], EXAMPLE["goal"], neighbours=world.neighbours, heuristic=distance)
    assert planner.plan().path == tuple(EXAMPLE["first_path"])
    planner.move_start(EXAMPLE["moves_to"])
    dropped = EXAMPLE["then_blocked"]
    around = world.neighbours(dropped)
    world.blocked.add(dropped)
    planner.update(ArcChange(tail, head, 1, INF) for a in around for tail, head in ((a, dropped), (dropped, a)))
    plan = planner.plan()
    expected = optimised["second_plan"]
    assert (list(plan.path), plan.stats.expanded) == (EXAMPLE["second_path"], expected["expansions"])
    assert {s: entry(*values_of(planner, s)) for s in expected["state"]} == expected["state"]
