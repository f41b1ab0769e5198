"""Measure the speed of a match between two trivial bots, from `gridjoust.play` to processes over a broker.

`python -m benchmarks.play` plays the same matches of bomber by each method, in turns in one run. It prints seat-turns
per second of wall time, without the start of the bots, and this process's CPU time for one. Both bots always wait, so
it measures the rules, the referee and the connection between them. "the rules alone" parse, check and apply the same
actions. Goals: `gridjoust.play` at least 3 times as fast as the memory bus, and at most 2.5 times the CPU time of the
rules, 1.8 times if no record is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.report import print_table
from gridjoust import games
from gridjoust.games.api import Turn
from gridjoust.in_process import open_in_process, open_memory_bus
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import Backend, Plan, make_plan, prepare_folder
from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.simulation import prepare

REPEATS = 5
MATCHES = 6
TICKS = 300
RULES = "the rules alone"
BOT = "import gridjoust as joust\n\n\nclass Waiting(joust.Bot):\n    def act(self, seen):\n        return 'wait'\n"
CUP = f"""
tournament: benchmark
games: [{{game: bomber, params: {{max_ticks: {TICKS}}}}}]
format: {{rounds: {MATCHES // 2}}}
time: {{turn_ms: 5000}}
execution: {{parallel: 1}}
broker: {{use: mosquitto}}
bots: [{{name: a, path: "waiting.py:Waiting"}}, {{name: b, path: "waiting.py:Waiting"}}]
"""

Open = Callable[[Plan], AbstractAsyncContextManager[Backend]]
TOURNAMENTS: dict[str, Open] = {
    "isolation: none": open_in_process,
    "isolation: none, memory bus": open_memory_bus,
    "isolation: process, mosquitto": open_backend,
}


class Pace(NamedTuple):
    """The speed of one run."""

    per_s: float  # seat-turns per second
    cpu_us: float  # CPU time of this process per seat-turn


class Mark(NamedTuple):
    """An instant by both clocks."""

    wall_s: float
    cpu_s: float

    def pace(self, count: int, end: Mark) -> Pace:
        """Return the speed for `count` seat-turns between this instant and `end`."""
        return Pace(count / (end.wall_s - self.wall_s), (end.cpu_s - self.cpu_s) * 1e6 / count)


def now() -> Mark:
    """Return the present instant."""
    return Mark(perf_counter(), process_time())


def seat_turns(record: MatchRecord) -> int:
    """Return the number of answers that were applied."""
    return sum(len(line.actions) for line in record.lines if isinstance(line, TurnLine))


def play_pace(folder: Path, *, is_hashed: bool = True) -> Pace:
    """Measure the speed of `gridjoust.play`; without `is_hashed`, that of `play_many` without `out`: no hashes."""
    bot = f"{_write_bot(folder)}:Waiting"
    simulation = prepare("bomber", [bot, bot], params={"max_ticks": TICKS})
    began = now()
    count = sum(seat_turns(simulation.play(seed, is_hashed=is_hashed).record) for seed in range(MATCHES))
    return began.pace(count, now())


def rules_pace(_: Path) -> Pace:
    """Measure the speed of the rules with the same actions."""
    game = games.make("bomber", {"max_ticks": TICKS}, seats=2)
    began, count = now(), 0
    for seed in range(MATCHES):
        state, number = game.initial_state(seed), 0
        while not game.is_terminal(state):
            actions = {seat: game.parse_action("wait") for seat in game.seats_to_act(state)}
            assert all(game.is_legal(state, seat, action) for seat, action in actions.items())
            number += 1
            state = game.apply(state, Turn(actions, number))
            count += len(actions)
    return began.pace(count, now())


def tournament_pace(open_it: Open, folder: Path) -> Pace:
    """Measure the speed of a tournament after its first match."""
    return asyncio.run(_tournament_pace(open_it, folder))


async def _tournament_pace(open_it: Open, folder: Path) -> Pace:
    _write_bot(folder)
    file = folder / "cup.yaml"
    file.write_text(CUP)
    loaded = load_tournament(file)
    plan = prepare_folder(make_plan(loaded, make_schedule, folder / "out"), resume=False)
    marks: list[tuple[Mark, int]] = []  # when a match was entered, its seat-turns

    def note(played: Played) -> None:
        marks.append((now(), seat_turns(played.record)))

    async with open_it(plan) as backend:
        await run_tournament(plan, backend, on_played=note)
    (first, _), *rest = marks  # the first match includes the start of the bots
    return first.pace(sum(count for _, count in rest), rest[-1][0])


def _write_bot(folder: Path) -> Path:
    file = folder / "waiting.py"
    file.write_text(BOT)
    return file


def main() -> None:
    """Print the table of speeds."""
    argparse.ArgumentParser(prog="python -m benchmarks.play", description=__doc__).parse_args()
    ways: dict[str, Callable[[Path], Pace]] = {
        RULES: rules_pace,
        "gridjoust.play": play_pace,
        "gridjoust.play, no record": partial(play_pace, is_hashed=False),
        **{name: partial(tournament_pace, open_it) for name, open_it in TOURNAMENTS.items()},
    }
    paces: dict[str, list[Pace]] = {name: [] for name in ways}
    for _ in range(REPEATS):
        for name, measure in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                paces[name].append(measure(Path(folder)))
    base = median(pace.per_s for pace in paces["isolation: none, memory bus"])
    rows = [_row(name, own, base, paces[RULES]) for name, own in paces.items()]
    heading = ["way", "median", "min", "max", "x memory bus", "CPU us", "x rules"]
    print_table("Bomber, two trivial bots: seat-turns per s (goal for gridjoust.play: 3 x memory bus)", heading, rows)


def _row(name: str, own: list[Pace], base: float, rules: list[Pace]) -> list[str]:
    rates = [pace.per_s for pace in own]
    middle, cpu_us = median(rates), median(pace.cpu_us for pace in own)
    figures = [f"{rate:,.0f}" for rate in (middle, min(rates), max(rates))]
    ratio = median(pace.cpu_us / alone.cpu_us for pace, alone in zip(own, rules, strict=True))
    return [name, *figures, f"{middle / base:.2f}", f"{cpu_us:.0f}", f"{ratio:.2f}"]


if __name__ == "__main__":
    main()
