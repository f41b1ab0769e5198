"""Dijkstra maps: kernels, list code and tcod side by side; part of `benchmarks.planners`."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Any

from benchmarks.findings import Findings
from benchmarks.list_code import by_list_code
from benchmarks.report import print_table
from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.dijkstra_map import scan
from gridjoust.bots.planners.grid import open_terrain

BOARDS = ((12, 10, 200, 2.0), (64, 64, 20, 40.0), (512, 512, 1, 4000.0))  # width, height, calls, us wanted
LIST_LIMITS_US = (20.0, 2000.0, 200_000.0)
TIMES_TCOD = 5.0


def print_dijkstra_maps(findings: Findings) -> None:
    """Measure Dijkstra maps with one goal in a corner and print their times; making the terrain is not measured."""
    lines = []
    for (width, height, calls, wanted_us), listed_us in zip(BOARDS, LIST_LIMITS_US, strict=True):
        for density in (0.0, 0.2):
            rng = random.Random(f"board {density}")
            walls = [cell for cell in range(1, width * height) if rng.random() < density]
            contenders = _contenders(width, height, walls)
            times = {name: 1000 * median_ms(call, repeats=9, calls=calls) for name, call in contenders.items()}
            board = f"{width} x {height}, random {density:.0%}"
            lines.append([board, *(f"{times[name]:,.1f}" if name in times else "-" for name in COLUMNS)])
            limit = listed_us if kernels.active is None else wanted_us
            findings.at_most(f"Dijkstra map {board}", times[COLUMNS[0]], limit, "us")
            if kernels.active is not None and "tcod" in times:
                findings.at_least(f"tcod : ours, Dijkstra map {board}", times["tcod"] / times[COLUMNS[0]], TIMES_TCOD)
            findings.wrong += contenders["as installed"]() != contenders["list code"]()
    print_table("Dijkstra maps, one goal in a corner, 4-connected (CPU us, median)", ["map", *COLUMNS], lines)


COLUMNS = ("as installed", "list code", "tcod")


def _contenders(width: int, height: int, walls: list[int]) -> dict[str, Callable[[], Any]]:
    import numpy as np

    terrain, limit = open_terrain(width, height, walls=walls), float(width * height)
    blocked = np.zeros(width * height, dtype=bool)
    blocked[walls] = True
    board = blocked.reshape(height, width)
    ours = partial(scan, terrain, {0: 0}, maximum=limit)

    def listed() -> Any:
        with by_list_code():
            return ours()

    contenders: dict[str, Callable[[], Any]] = {"as installed": ours, "list code": listed}
    try:
        from tcod.path import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
            dijkstra2d,
            maxarray,
        )
    except ImportError:
        return contenders
    cost = (~board).astype("int8")

    def by_tcod() -> Any:
        distance = maxarray((height, width), dtype=np.int32)
        distance[0, 0] = 0
        dijkstra2d(distance, cost, cardinal=1, diagonal=0, out=distance)
        return distance

    return contenders | {"tcod": by_tcod}


def median_ms(call: Callable[[], object], *, repeats: int, calls: int) -> float:
    """Return the CPU ms of one call: the median over `repeats` of the mean of `calls` calls."""
    times = []
    for _ in range(repeats):
        begin_s = process_time()
        for _ in range(calls):
            call()
        times.append((process_time() - begin_s) * 1000 / calls)
    return median(times)
