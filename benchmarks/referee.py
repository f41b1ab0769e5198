"""Measure the CPU time of the whole referee per seat-turn of bomber: bus, protocol, rules, record, hash, tables.

`python -m benchmarks.referee [--profile]` plays real matches between bot processes over mosquitto. In the same run it
plays them without processes: over the memory bus, and with `isolation: none` without any bus. There the CPU time of the
bots counts too; over mosquitto and the embedded broker it does not.

The CPU time of a seat-turn is the difference between a long and a short tournament, divided by the difference of their
seat-turns. Costs that occur once per run cancel out (the start of the bots, and the key that is stretched from the
seed, about 0.1 s). The last column includes them, for the long tournament.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.report import print_table
from gridjoust.in_process import open_in_process, open_memory_bus
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import Backend, Plan, make_plan, prepare_folder
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament

REPEATS = 5
SHORT, LONG = 2, 14  # rounds of two matches; even the short tournament starts every process

CUP = """
tournament: benchmark
games: [{game: bomber, params: {max_ticks: 300}}]
format: {rounds: ROUNDS}
time: {turn_ms: 5000}
execution: {parallel: 4}
broker: {use: BROKER}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""

Open = Callable[[Plan], AbstractAsyncContextManager[Backend]]
WAYS: dict[str, tuple[str, Open]] = {
    "mosquitto": ("mosquitto", open_backend),
    "embedded broker": ("embedded", open_backend),
    "memory bus": ("auto", open_memory_bus),
    "isolation: none": ("auto", open_in_process),
}


class Cost(NamedTuple):
    """The cost of one tournament."""

    cpu_us: float
    seat_turns: int

    def each(self) -> float:
        """Return the CPU time per seat-turn, in µs."""
        return self.cpu_us / self.seat_turns

    def beyond(self, shorter: Cost) -> float:
        """Return the CPU time of each seat-turn that a shorter tournament does not have, in µs."""
        return (self.cpu_us - shorter.cpu_us) / (self.seat_turns - shorter.seat_turns)


async def measure(broker: str, rounds: int, open_it: Open, folder: Path, profile: cProfile.Profile | None) -> Cost:
    """Return this process's CPU time for the matches, with the start of the bots."""
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("BROKER", broker).replace("ROUNDS", str(rounds)))
    loaded = load_tournament(file)
    plan = prepare_folder(make_plan(loaded, make_schedule, Path(tempfile.mkdtemp(dir=folder))), resume=False)
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
        return Cost((time.process_time() - began_s) * 1e6, seat_turns)


def run_once(broker: str, open_it: Open, *, rounds: int, profile: cProfile.Profile | None = None) -> Cost:
    """Play one tournament on its own event loop and in its own folder."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measure(broker, rounds, open_it, Path(folder), profile))


def main() -> None:
    """Print the table of costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", action="store_true", help="add an uncounted run that shows where the time goes")
    with_profile = parser.parse_args().profile
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in WAYS}  # cost of one more seat-turn, mean
    for _ in range(REPEATS):
        for name, (broker, open_it) in WAYS.items():
            short, long = (run_once(broker, open_it, rounds=rounds) for rounds in (SHORT, LONG))
            figures[name].append((long.beyond(short), long.each()))
    rows = [_row(name, *zip(*own, strict=True)) for name, own in figures.items()]
    title = "Referee in bomber: CPU µs per seat-turn (without processes the bots' included)"
    print_table(title, ["way", "median", "min", "max", "with the start"], rows)
    if with_profile:
        profile = cProfile.Profile()
        run_once("mosquitto", open_backend, rounds=LONG, profile=profile)
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)


def _row(name: str, each: Sequence[float], whole: Sequence[float]) -> list[str]:
    return [name, *(f"{figure:.0f}" for figure in (median(each), min(each), max(each), median(whole)))]


if __name__ == "__main__":
    main()
