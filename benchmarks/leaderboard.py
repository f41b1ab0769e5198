"""Measure time and memory from results.csv, or its Parquet parts, to standings, for large tournaments.

`python -m benchmarks.leaderboard [--rows 1000000]` makes up the rows of three tournaments of 30 bots (two sides, four
sides, solo), each with all columns of the schema, and measures every method in its own process. Counting row by row
serves for comparison. Goals for a million rows: 10 s of CPU time, and 300 MB for two sides.

A second table is about tournaments of many bots that all meet once in a pair of matches: medians of the CPU time of the
leaderboard and of the report. Goals: 5 s for 200 bots, 20 s for 500, and twice that for the report.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import TextIO

from benchmarks.report import print_table
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, Row, Value
from gridjoust.runner.results.tables.datapackage import add_checksums, write_datapackage
from gridjoust.runner.results.tables.text import format_header, format_rows

BOTS = tuple(f"bot{number:02}" for number in range(30))
PLANNERS = ("astar", "dstar_lite", "dijkstra_map", "beam")
LINES_AT_ONCE = 2000
ALIKE: dict[str, Value] = dict.fromkeys(RESULTS.names) | {
    "tournament": "cup",
    "game": "bomber",
    "game_version": "1",
    "variant": "duel",
    "params_id": "f64660f0",
    "map": "",
    "role": "",
    "bot_version": "1",
    "bot_hash": "3c69baedc7f945e9",
    "turns": 60,
    "termination": "completed",
    "reason": "tick limit: 0 to 0 points",
    "faults": 0,
    "counted": True,
    "schedule_reason": "round_robin",
    "started_utc": "2026-11-21T09:00:17.882827Z",
    "duration_ms": 107.673,
    "runner_version": "0.1.0",
    "forfeited": False,
    "turns_acted": 60,
}
KINDS = {"two sides": 2, "four sides": 4, "solo": 1}


def make_rows(count: int, sides: int) -> Iterator[Row]:
    """Yield rows in the order of a tournament: seeds, groups of bots, rotations of the seats."""
    rng = random.Random(sides)
    strength = {bot: rng.gauss(0, 1) for bot in BOTS}
    made, number = 0, 0
    while made < count:
        number += 1
        bots = [BOTS[number % len(BOTS)]] if sides == 1 else rng.sample(BOTS, sides)
        seed = number // len(BOTS)
        for rotation in range(sides):
            seated = bots[rotation:] + bots[:rotation]
            returns = [round(strength[bot] + rng.gauss(0, 2), 3) for bot in seated]
            yield from _match_rows(f"{number:012x}{rotation:04x}", number, seed, seated, returns)
            made += sides


def _match_rows(match_id: str, number: int, seed: int, bots: list[str], returns: list[float]) -> Iterator[Row]:
    shared: dict[str, Value] = ALIKE | {
        "match_id": match_id,
        "round": seed + 1,
        "pair_id": f"{number:016x}",
        "seed": seed * 7919,
        "seats": len(bots),
        "record": f"records/{match_id}.jsonl",
        "actions_id": match_id[::-1],
    }
    for seat, (bot, own) in enumerate(zip(bots, returns, strict=True)):
        better = sum(value > own for value in returns)
        yield {
            **shared,
            "seat": seat,
            "team": seat,
            "bot": bot,
            "planner": PLANNERS[int(bot[3:]) % 4],
            "returns": own,
            "rank": 1 + better,
            "points": 1 - better / (len(bots) - 1) if len(bots) > 1 else None,
            "opponents": " ".join(other for other in bots if other != bot),
            "planning_ms_total": 12.25,
            "planning_ms_p95": 0.5,
            "latency_ms_p50": 0.7,
            "cpu_ms": 20.0,
            "peak_mb": 27.4,
            "nodes_expanded": 4321,
        }


def write_tables(folder: Path, rows: int, sides: int) -> None:
    """Write results.csv with `rows` rows; in solo play, metrics.csv says who won."""
    with (folder / RESULTS.file).open("w") as results, (folder / METRICS.file).open("w") as metrics:
        results.write(format_header(RESULTS))
        metrics.write(format_header(METRICS))
        chunk: list[Row] = []
        for row in make_rows(rows, sides):
            chunk.append(row)
            if len(chunk) == LINES_AT_ONCE:
                _write(results, metrics, chunk, sides)
                chunk = []
        _write(results, metrics, chunk, sides)


def _write(results: TextIO, metrics: TextIO, chunk: list[Row], sides: int) -> None:
    results.write(format_rows(RESULTS, chunk))
    if sides == 1:
        won: list[Row] = [
            {**row, "metric": "won", "value": float(float(row["returns"] or 0) > 0), "complete": True} for row in chunk
        ]
        metrics.write(format_rows(METRICS, won))


def write_league(folder: Path, bots: int) -> None:
    """Write results.csv of bots that all meet once in a pair; the standard deviation of strengths is 200 Elo points."""
    rng = random.Random(bots)
    strength = [rng.gauss(0, 200) for _ in range(bots)]
    rows: list[Row] = []
    for number, (one, other) in enumerate(combinations(range(bots), 2)):
        for turn, seated in enumerate(((one, other), (other, one))):
            chance = 1 / (1 + 10 ** ((strength[seated[1]] - strength[seated[0]]) / 400))
            won = rng.random() < chance
            names = [f"bot{at:03}" for at in seated]
            rows += _match_rows(f"{number:012x}{turn:04x}", number, 0, names, [float(won), float(not won)])
    (folder / RESULTS.file).write_text(format_header(RESULTS) + format_rows(RESULTS, rows), encoding="utf-8")
    (folder / METRICS.file).write_text(format_header(METRICS), encoding="utf-8")


def make_parts(folder: Path, rows: int) -> None:
    """Write the Parquet parts that a run leaves beside its tables."""
    from gridjoust.runner.results.tables.frames import load_batches
    from gridjoust.runner.results.tables.parquet import write_parts

    write_datapackage(folder)
    add_checksums(folder, {RESULTS.name: rows})
    write_parts(folder, {RESULTS.name: load_batches(folder, RESULTS.name)})


def by_columns(folder: Path) -> None:
    """Make a leaderboard as `joust leaderboard` does."""
    from gridjoust.leaderboard.board import make_leaderboard
    from gridjoust.leaderboard.frame.seats import read_seats

    make_leaderboard(read_seats(folder))


def report(folder: Path) -> None:
    """Write a report as `joust report` does."""
    from gridjoust.leaderboard.report.page import write_report
    from gridjoust.leaderboard.report.source import load_source

    write_report(load_source(folder))


def row_by_row(folder: Path) -> None:
    """Count points only, as the live table does: no ratings and no intervals."""
    from gridjoust.leaderboard.live import LiveStandings
    from gridjoust.runner.results.tables.text import read_rows

    live = LiveStandings()
    live.add(read_rows(folder / RESULTS.file))
    live.top()


def measure(way: Callable[[Path], None], folder: Path) -> tuple[float, float, float]:
    """Run a method in its own process; return seconds, CPU seconds and peak MB (nan = unknown), with imports."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (way, folder))


def _measured(way: Callable[[Path], None], folder: Path) -> tuple[float, float, float]:
    from gridjoust.runner.processes.tree import peak_memory_mb

    began = time.perf_counter()
    way(folder)
    seconds, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    return seconds, used.ru_utime + used.ru_stime, peak_memory_mb(os.getpid()) or math.nan


def growth(bots: int) -> list[str]:
    """Return the table row for this number of bots: medians of three runs."""
    with tempfile.TemporaryDirectory() as folder:
        write_league(Path(folder), bots)
        spent = [median(measure(way, Path(folder))[1] for _ in range(3)) for way in (by_columns, report)]
    return [str(bots), f"{bots * (bots - 1):,}", *(f"{one:.1f}" for one in spent)]


def main() -> None:
    """Print the tables of times and sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--kind", choices=list(KINDS), action="append")
    parser.add_argument("--columns-only", action="store_true")
    parser.add_argument("--bots", type=int, nargs="*", default=[200, 500], help="sizes of the second table")
    options = parser.parse_args()
    lines = []
    ways = {
        "by columns, ratings and intervals": by_columns,
        "the same from Parquet": by_columns,
        "row by row, points only": row_by_row,
    }
    for kind in options.kind or list(KINDS):
        with tempfile.TemporaryDirectory() as folder:
            write_tables(Path(folder), options.rows, KINDS[kind])
            size_mb = (Path(folder) / RESULTS.file).stat().st_size / 2**20
            for name, way in list(ways.items())[: 2 if options.columns_only else None]:
                if "Parquet" in name:
                    make_parts(Path(folder), options.rows)
                measured = measure(way, Path(folder))
                figures = [f"{value:.{digits}f}" for value, digits in zip(measured, (1, 1, 0), strict=True)]
                lines.append([kind, f"{options.rows:,}", f"{size_mb:.0f}", name, *figures])
    heading = ["matches", "rows", "CSV MB", "how", "s", "CPU s", "peak MB"]
    print_table("From tables to a leaderboard", heading, lines)
    heading = ["bots", "matches", "leaderboard CPU s", "report CPU s"]
    print_table("Many bots, each pair of them once", heading, [growth(bots) for bots in options.bots])


if __name__ == "__main__":
    main()
