"""CPU that the whole referee spends on one seat-turn of bomber: bus, protocol, rules, record, hash, tables.

`python -m benchmarks.referee [--profile]` plays real matches between bot processes over mosquitto and, in the same run,
over the memory bus without processes; the bots' own CPU is not counted over mosquitto.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import cProfile
import pstats
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from statistics import median

import uvloop

from benchmarks.report import print_table
from runner.cli.in_process import open_in_process
from runner.config.load import load_tournament
from runner.schedule import make_schedule
from runner.tournament import Plan, Played, Venue, make_plan, open_venue, prepare_folder, run_tournament

REPEATS = 3

CUP = """
tournament: benchmark
games: [{game: bomber, params: {max_ticks: 300}}]
format: {rounds: 6}
time: {turn_ms: 5000}
execution: {parallel: 4}
broker: {use: BROKER}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""

Open = Callable[[Plan], AbstractAsyncContextManager[Venue]]


async def measure(broker: str, open_it: Open, folder: Path, profile: cProfile.Profile | None) -> float:
    """Microseconds of this process's CPU per seat-turn, bot start-up left out."""
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("BROKER", broker))
    loaded = load_tournament(file)
    plan = make_plan(loaded, lambda: make_schedule(loaded), Path(tempfile.mkdtemp(dir=folder)))
    prepare_folder(plan, resume=False)
    seat_turns = 0

    def count(played: Played) -> None:
        nonlocal seat_turns
        seat_turns += sum(len(line.actions) for line in played.record.lines if hasattr(line, "actions"))

    async with open_it(plan) as venue:
        began_s = time.process_time()
        if profile is not None:
            profile.enable()
        await run_tournament(plan, venue, on_played=count)
        if profile is not None:
            profile.disable()
        return (time.process_time() - began_s) * 1e6 / seat_turns


@contextlib.asynccontextmanager
async def in_memory(plan: Plan) -> AsyncIterator[Venue]:
    """No broker, bots in this process (their CPU counts here)."""
    async with open_in_process(plan) as venue:
        yield venue


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", action="store_true", help="where the time over mosquitto goes")
    profile = cProfile.Profile() if parser.parse_args().profile else None
    figures: dict[str, list[float]] = {"mosquitto": [], "memory": []}
    ways: dict[str, Open] = {"mosquitto": open_venue, "memory": in_memory}
    for _ in range(REPEATS):
        for name, open_it in ways.items():
            with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
                broker = "mosquitto" if name == "mosquitto" else "auto"
                run = measure(broker, open_it, Path(folder), profile if name == "mosquitto" else None)
                figures[name].append(loop.run(run))
    rows = [[name, f"{median(own):.0f}", f"{min(own):.0f}", f"{max(own):.0f}"] for name, own in figures.items()]
    print_table(
        "Referee in bomber: CPU µs per seat-turn (goal over mosquitto: at most 300)",
        ["bus", "median", "min", "max"],
        rows,
    )
    if profile is not None:
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)


if __name__ == "__main__":
    main()
