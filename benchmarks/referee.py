"""CPU that the whole referee spends on one seat-turn of bomber: bus, protocol, rules, record, hash, tables.

`python -m benchmarks.referee [--profile]` plays real matches between bot processes over mosquitto and, in the same run,
without processes: over the memory bus, and as `isolation: none` plays them, past any bus. The bots' own CPU counts
there, over mosquitto it does not.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from statistics import median

import uvloop

from benchmarks.report import print_table
from gridjoust.in_process import open_in_process, open_memory_bus
from runner.config.load import load_tournament
from runner.plan import Backend, Plan, Played, make_plan, prepare_folder
from runner.schedule import make_schedule
from runner.tournament import open_backend, run_tournament

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

Open = Callable[[Plan], AbstractAsyncContextManager[Backend]]
WAYS: dict[str, tuple[str, Open]] = {
    "mosquitto": ("mosquitto", open_backend),
    "memory bus": ("auto", open_memory_bus),
    "isolation: none": ("auto", open_in_process),
}


async def measure(broker: str, open_it: Open, folder: Path, profile: cProfile.Profile | None) -> float:
    """Microseconds of this process's CPU per seat-turn, bot start-up left out."""
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("BROKER", broker))
    loaded = load_tournament(file)
    plan = make_plan(loaded, make_schedule, Path(tempfile.mkdtemp(dir=folder)))
    prepare_folder(plan, resume=False)
    seat_turns = 0

    def count(played: Played) -> None:
        nonlocal seat_turns
        seat_turns += sum(len(line.actions) for line in played.record.lines if hasattr(line, "actions"))

    async with open_it(plan) as backend:
        began_s = time.process_time()
        if profile is not None:
            profile.enable()
        await run_tournament(plan, backend, on_played=count)
        if profile is not None:
            profile.disable()
        return (time.process_time() - began_s) * 1e6 / seat_turns


def run_once(broker: str, open_it: Open, profile: cProfile.Profile | None = None) -> float:
    """One tournament on a loop and in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        return loop.run(measure(broker, open_it, Path(folder), profile))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", action="store_true", help="then, in a run that is not counted, where it goes")
    with_profile = parser.parse_args().profile
    figures: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(REPEATS):
        for name, (broker, open_it) in WAYS.items():
            figures[name].append(run_once(broker, open_it))
    rows = [[name, f"{median(own):.0f}", f"{min(own):.0f}", f"{max(own):.0f}"] for name, own in figures.items()]
    title = "Referee in bomber: CPU µs per seat-turn (without processes the bots' included)"
    print_table(title, ["way", "median", "min", "max"], rows)
    if with_profile:
        profile = cProfile.Profile()
        run_once("mosquitto", open_backend, profile)
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)


if __name__ == "__main__":
    main()
