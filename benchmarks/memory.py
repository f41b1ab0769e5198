"""Measure the memory of the referee over 2000 short matches; it must not grow: `python -m benchmarks.memory`."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

import psutil

from benchmarks.report import print_table
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import make_plan, prepare_folder
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament

CUP = """
tournament: benchmark
games: [{game: bomber, params: {max_ticks: 5}}]
format: {rounds: ROUNDS}
time: {turn_ms: 5000}
execution: {parallel: 4}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""


async def sample(matches: int, folder: Path) -> list[tuple[int, float]]:
    """Return (matches done, resident MB) at ten points of one tournament over a real broker."""
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("ROUNDS", str(matches // 2)))
    loaded = load_tournament(file)
    plan = prepare_folder(make_plan(loaded, make_schedule, folder / "out"), resume=False)
    process = psutil.Process()
    samples: list[tuple[int, float]] = []
    done = 0

    def count(_: Played) -> None:
        nonlocal done
        done += 1
        if done % max(1, matches // 10) == 0:
            samples.append((done, process.memory_info().rss / 2**20))

    async with open_backend(plan) as backend:
        await run_tournament(plan, backend, on_played=count)
    return samples


def main() -> None:
    """Print the table of memory sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        samples = asyncio.run(sample(matches, Path(folder)))
    rows = [[str(done), f"{size_mb:.1f}"] for done, size_mb in samples]
    print_table("Resident memory of the referee's process", ["matches", "MB"], rows)
    if len(samples) > 2:
        growth = samples[-1][1] - samples[1][1]
        print(f"\nfrom {samples[1][0]} to {samples[-1][0]} matches: {growth:+.1f} MB")


if __name__ == "__main__":
    main()
