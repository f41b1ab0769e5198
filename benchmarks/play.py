"""How fast a match of two trivial bots goes, from `gridjoust.play` to processes over a broker.

`python -m benchmarks.play` plays the same matches of bomber each way, in turn and in one run, and prints seat-turns a
second of wall time, starting the bots left out. Goal: `gridjoust.play` at least 3 times the memory bus.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from statistics import median
from time import perf_counter

import uvloop

from benchmarks.report import print_table
from gridjoust.in_process import open_in_process, open_memory_bus
from gridjoust.simulation import play
from runner.config.load import load_tournament
from runner.record.lines import MatchRecord, TurnLine
from runner.schedule import make_schedule
from runner.tournament import Backend, Plan, Played, make_plan, open_backend, prepare_folder, run_tournament

REPEATS = 5
MATCHES = 6
TICKS = 300
BOTS = ("random", "random")
CUP = f"""
tournament: benchmark
games: [{{game: bomber, params: {{max_ticks: {TICKS}}}}}]
format: {{rounds: {MATCHES // 2}}}
time: {{turn_ms: 5000}}
execution: {{parallel: 1}}
broker: {{use: mosquitto}}
bots: [{{name: a, bot: {BOTS[0]}}}, {{name: b, bot: {BOTS[1]}}}]
"""

Open = Callable[[Plan], AbstractAsyncContextManager[Backend]]
TOURNAMENTS: dict[str, Open] = {
    "isolation: none": open_in_process,
    "isolation: none, memory bus": open_memory_bus,
    "isolation: process, mosquitto": open_backend,
}


def seat_turns(record: MatchRecord) -> int:
    """Answers that were applied."""
    return sum(len(line.actions) for line in record.lines if isinstance(line, TurnLine))


def played_per_s() -> float:
    """Seat-turns a second of `gridjoust.play`."""
    began_s = perf_counter()
    count = sum(
        seat_turns(play("bomber", BOTS, seed=seed, params={"max_ticks": TICKS}).record) for seed in range(MATCHES)
    )
    return count / (perf_counter() - began_s)


async def _tournament_per_s(open_it: Open, folder: Path) -> float:
    file = folder / "cup.yaml"
    file.write_text(CUP)
    loaded = load_tournament(file)
    plan = make_plan(loaded, lambda: make_schedule(loaded), folder / "out")
    prepare_folder(plan, resume=False)
    marks: list[tuple[float, int]] = []  # when a match was entered, its seat-turns

    def note(played: Played) -> None:
        marks.append((perf_counter(), seat_turns(played.record)))

    async with open_it(plan) as backend:
        await run_tournament(plan, backend, on_played=note)
    (first_s, _), *rest = marks  # the first match pays for the start of the bots
    return sum(count for _, count in rest) / (rest[-1][0] - first_s)


def tournament_per_s(open_it: Open) -> float:
    """Seat-turns a second of a tournament, after its first match."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        return loop.run(_tournament_per_s(open_it, Path(folder)))


def main() -> None:
    """Print the table."""
    figures: dict[str, list[float]] = {"gridjoust.play": [], **{name: [] for name in TOURNAMENTS}}
    for _ in range(REPEATS):
        figures["gridjoust.play"].append(played_per_s())
        for name, open_it in TOURNAMENTS.items():
            figures[name].append(tournament_per_s(open_it))
    base = median(figures["isolation: none, memory bus"])
    rows = [
        [name, f"{median(own):,.0f}", f"{min(own):,.0f}", f"{max(own):,.0f}", f"{median(own) / base:.2f}"]
        for name, own in figures.items()
    ]
    heading = ["way", "median", "min", "max", "x memory bus"]
    print_table("Bomber, two trivial bots: seat-turns per s (goal for gridjoust.play: 3 x memory bus)", heading, rows)


if __name__ == "__main__":
    main()
