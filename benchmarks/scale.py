"""Measure many matches on many machines: the scheduler at a million, efficiency on this machine, a large real run.

`python -m benchmarks.scale [simulate] [efficiency] [cores] [real] [--matches N]`. `simulate` runs the owner's side of a
tournament against fake workers that die, answer late and answer twice; its CPU time per match excludes the fakes.
`efficiency` plays the same tournament between bot processes with `--parallel 2`, with two HTTP workers and with two
Dask workers, in turns. `cores` runs `joust run` on one core and on two (`taskset`, with as many matches at once), with
bots that answer at once and bots that think 5 ms of CPU; goal for the slow ones: 1.8 times as many matches a second.
`real` plays in-process matches up to their leaderboard.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from msgspec.structs import replace

from benchmarks.report import print_table
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.engines.batch import Batch, Engine, Finished, Lost, Outcome, WorkerNews
from gridjoust.runner.engines.dispatch import Dispatcher
from gridjoust.runner.engines.job import PairingMaker
from gridjoust.runner.engines.owner import Owner, run_on_engine
from gridjoust.runner.plan import Plan, PreparedPlan, make_plan, prepare_folder
from gridjoust.runner.play.breakdown import broken_record
from gridjoust.runner.results.records.file import format_record, list_ids
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.schedule import Schedule, make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import run_tournament
from gridjoust.tournament import RUNTIME, KnownBots, open_engine, open_for, run_loop, settle

MILLION = 1_000_000
REAL = 100_000
DEATH, STRAGGLE, TWICE = 0.05, 0.02, 0.1  # shares of batches: worker dies, batch is late, lost batch comes back
WORKERS = 20  # number of fake workers
FAKE_MS = 1500.0  # length of a fake match; a batch has twenty
LATE_BATCHES = 200  # batches that come before a late one
EFFICIENCY_MATCHES = 120
PAIRS = 3
MB = 1024

SIMULATED = """
tournament: simulated
games: [{game: bomber, params: {max_ticks: 300}}]
format: {rounds: ROUNDS}
bots: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: random}, {name: d, bot: random},
       {name: e, bot: random}]
"""
PLAYED = """
tournament: played
games: [{game: bomber, params: {max_ticks: 100}}]
format: {rounds: ROUNDS}
time: {turn_ms: 5000}
execution: {where: WHERE}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}, {name: c, bot: bomber/wanderer}]
"""
CORES = """
tournament: cores
games: [{game: bomber, params: {max_ticks: 40}}]
format: {rounds: ROUNDS}
time: {turn_ms: 5000}
execution: {parallel: PARALLEL}
bots: [{name: a, path: "thinking.py:Thinking"}, {name: b, path: "thinking.py:Thinking"}]
"""
THINKING = """
import time
import gridjoust as joust

class Thinking(joust.Bot):
    def act(self, seen):
        end_s = time.process_time() + THINK_MS / 1000
        while time.process_time() < end_s:
            pass
        return "wait"
"""
THINK_MS = {"quick": 0, "slow, 5 ms": 5}
FEW_ROUNDS = 2  # a run so short is subtracted, because the start of a run does not count
PER_ROUND = {"SIMULATED": 20, "PLAYED": 6}
WAYS = {
    "local": "local, parallel: 2",
    "workers": "workers, parallel: 1",
    "dask": "dask, workers: 2, parallel: 1",
}


class Fakes:
    """An engine of workers that make up records; `spent_s` is the CPU time that this has taken."""

    def __init__(self, plan: Plan) -> None:
        self.spent_s = 0.0
        self.deaths = self.batches = 0
        self._make = PairingMaker(plan.loaded)
        self._tournament = plan.loaded.config.tournament
        self._chance = random.Random(1)
        self._flying: deque[Batch] = deque()
        self._late: deque[tuple[int, Batch]] = deque()
        self._twice: deque[Batch] = deque()
        self._model: MatchRecord | None = None

    @property
    def room(self) -> int:
        """Number of further batches that the engine would take."""
        return 2 * WORKERS - len(self._flying) - len(self._late)

    @property
    def slots(self) -> int:
        """Number of workers."""
        return WORKERS

    def workers(self) -> Sequence[WorkerNews]:
        """Return no news, because no page asks for them."""
        return []

    def take_notes(self) -> list[str]:
        """Return no notes."""
        return []

    async def submit(self, batch: Batch) -> None:
        """Take a batch from the owner."""
        self.batches += 1
        self._flying.append(batch)

    async def reject(self, worker: str, reason: str) -> None:
        """Raise AssertionError, because all made-up records are valid."""
        raise AssertionError(f"{worker}: {reason}")

    async def cancel(self, number: int) -> None:
        """Ignore the request; the batch is returned anyway."""

    async def next_finished(self, timeout_s: float) -> Outcome | None:  # noqa: ARG002 - fakes are fast
        """Return the next batch that is finished or lost."""
        began_s = time.process_time()
        try:
            return self._next()
        finally:
            self.spent_s += time.process_time() - began_s

    def _next(self) -> Outcome | None:
        if self._twice:
            return self._finished(self._twice.popleft())
        if self._late and (self._late[0][0] < self.batches or not self._flying):
            return self._finished(self._late.popleft()[1])
        if not self._flying:
            return None
        batch = self._flying.popleft()
        drawn = self._chance.random()
        if drawn < STRAGGLE:
            self._late.append((self.batches + LATE_BATCHES, batch))
            return None
        if drawn < STRAGGLE + DEATH:
            self.deaths += 1
            if self._chance.random() < TWICE:
                self._twice.append(batch)
            return Lost(number=batch.number, worker="fake", reason="killed")
        return self._finished(batch)

    def _finished(self, batch: Batch) -> Finished:
        records = [self._record(at, batch) for at in range(len(batch.items))]
        return Finished(number=batch.number, worker="fake", records=records, seconds=FAKE_MS * len(records) / 1000)

    def _record(self, at: int, batch: Batch) -> bytes:
        """Return the shortest possible record: header, usage, end."""
        pairing = self._make.make(batch.items[at])
        if self._model is None:
            started = datetime.now(UTC)
            ready = [None] * len(pairing.entrants)
            self._model = broken_record(
                pairing, "made up", tournament=self._tournament, ready=ready, started=started, attempt=1
            )
        model = self._model
        by_seat = {seat: one for one in pairing.entrants for seat in one.seats}
        seats = [
            replace(entry, bot=by_seat[seat].bot, bot_hash=by_seat[seat].program_hash)
            for seat, entry in enumerate(model.header.seats)
        ]
        own = {name: getattr(pairing, name) for name in ("match_id", "pair_id", "seed", "round")}
        usage = replace(model.usage, duration_ms=FAKE_MS)
        return format_record(replace(model, header=replace(model.header, seats=seats, **own), usage=usage))


class Shelf:
    """A store of records in memory; a million files would measure the disk."""

    def __init__(self) -> None:
        self._records: dict[str, MatchRecord] = {}
        self.written = 0

    def find(self, match_id: str) -> MatchRecord | None:
        """Return the record that waits for its turn, or None."""
        return self._records.get(match_id)

    def write(self, record: MatchRecord) -> None:
        """Keep a record and count it."""
        self._records[record.header.match_id] = record
        self.written += 1

    def drop(self, match_id: str) -> None:
        """Forget a record that has entered the tables."""
        del self._records[match_id]


class NoTables:
    """The tables of a run that has just begun."""

    def kept_matches(self) -> list[tuple[str, list[Row]]]:
        """Return no matches."""
        return []


@dataclass(slots=True)
class Counted:
    """A table sink that writes no tables: it checks the order of matches and counts them."""

    schedule: Schedule
    kept: Shelf
    tables: NoTables = field(default_factory=NoTables)
    entered: int = 0

    def add(self, played: Played) -> None:
        """Count the next match; matches come in schedule order."""
        assert played.pairing.index == self.entered, "expected matches in schedule order, each once"
        self.kept.drop(played.pairing.match_id)
        self.entered += 1


def simulate(matches: int) -> None:
    """Print the CPU time and memory of the owner's side alone, beside fake workers."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Shelf()
        planned = _plan(SIMULATED, Path(folder), matches // PER_ROUND["SIMULATED"])
        plan = dataclasses.replace(prepare_folder(planned, resume=False), kept=kept)  # type: ignore[arg-type]
        fakes, sink = Fakes(plan), Counted(plan.schedule(plan.loaded), kept)
        began_s, cpu_s = time.monotonic(), time.process_time()
        run_loop(Owner(plan, fakes, sink, Dispatcher()).run())  # type: ignore[arg-type]
        spent_s, took_s = time.process_time() - cpu_s - fakes.spent_s, time.monotonic() - began_s
    assert sink.entered == matches // PER_ROUND["SIMULATED"] * PER_ROUND["SIMULATED"] <= kept.written
    print_table(
        "The scheduler",
        ["matches", "batches", "deaths", "scheduler CPU ms a match", "peak MB", "seconds, fakes included"],
        [
            [
                f"{sink.entered:,}",
                f"{fakes.batches:,}",
                f"{fakes.deaths:,}",
                f"{spent_s / sink.entered * 1000:.3f}",
                f"{_peak_mb():.0f}",
                f"{took_s:.0f}",
            ]
        ],
    )


def efficiency(matches: int) -> None:
    """Print matches per second and CPU time of all processes, for each method; the methods alternate."""
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    costs: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(PAIRS):
        for way in WAYS:
            before = _cpu_of_children()
            command = [sys.executable, "-m", "benchmarks.scale", "one", "--way", way, "--matches", str(matches)]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            rates[way].append(float(said.split()[-1]))
            costs[way].append((_cpu_of_children() - before) / matches * 1000)
    shares = {way: median(own / local for own, local in zip(rates[way], rates["local"], strict=True)) for way in WAYS}
    print_table(
        "Two workers against --parallel 2",
        ["where", "matches a second", "of --parallel 2", "CPU ms a match, start-up included"],
        [[way, f"{median(rates[way]):.2f}", f"{shares[way]:.2f}", f"{median(costs[way]):.0f}"] for way in WAYS],
    )


def play_one(way: str, matches: int) -> None:
    """Play one tournament by one method and print its matches per second, once all workers are connected."""
    with tempfile.TemporaryDirectory() as folder:
        plan = _plan(PLAYED.replace("WHERE", WAYS[way]), Path(folder), matches // PER_ROUND["PLAYED"])
        print(run_loop(_rate(prepare_folder(plan, resume=False), way, matches)))


async def _rate(plan: PreparedPlan, way: str, matches: int) -> float:
    if way == "local":
        async with open_for(plan) as backend:
            began_s = time.monotonic()
            await run_tournament(plan, backend, on_played=lambda _: None)
            return matches / (time.monotonic() - began_s)
    said: list[str] = []
    async with open_engine(plan, RUNTIME, say=said.append) as engine, _two_workers(engine, said):
        began_s = time.monotonic()
        await run_on_engine(plan, engine, on_played=lambda _: None)
        return matches / (time.monotonic() - began_s)


@contextlib.asynccontextmanager
async def _two_workers(engine: Engine, said: Sequence[str]) -> AsyncIterator[None]:
    """Run two workers; those of Dask start by themselves."""
    working: list[asyncio.subprocess.Process] = []
    if said:
        command = _command(*said[0].split()[2:])
        for number in range(2):
            named = [*command, "--name", f"pc{number}"]
            working.append(await asyncio.create_subprocess_exec(*named, stdout=subprocess.DEVNULL))
    while engine.slots < 2:
        await engine.next_finished(0.2)
    yield
    for process in working:
        process.terminate()
        await process.wait()


def cores(matches: int) -> None:
    """Print matches per second of `joust run` on one core and on two; the two alternate."""
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in THINK_MS}
    for _ in range(PAIRS):
        for name, think_ms in THINK_MS.items():
            pairs[name].append((_rate_on(1, think_ms, matches), _rate_on(2, think_ms, matches)))
    rows = []
    for name, own in pairs.items():
        ratios = [two / one for one, two in own]
        middles = [f"{median(rates):.2f}" for rates in zip(*own, strict=True)]
        rows.append([name, *middles, f"{median(ratios):.2f}", f"{min(ratios):.2f} to {max(ratios):.2f}"])
    print_table("Matches a second on one core and on two", ["bots", "1 core", "2 cores", "ratio", "range"], rows)


def _rate_on(count: int, think_ms: int, matches: int) -> float:
    """Return the matches per second of `joust run` without its start: from the difference of a long and a short run."""
    seconds, rounds = [], [FEW_ROUNDS, FEW_ROUNDS + matches // 2]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cup.yaml"
        file.with_name("thinking.py").write_text(THINKING.replace("THINK_MS", str(think_ms)))
        for number in rounds:
            file.write_text(CORES.replace("ROUNDS", str(number)).replace("PARALLEL", str(count)))
            pinned = ["taskset", "-c", "0" if count == 1 else "0,1", *_command("run", str(file), "--overwrite")]
            began_s = time.monotonic()
            subprocess.run([*pinned, "--out", folder], capture_output=True, check=True)
            seconds.append(time.monotonic() - began_s)
    return (rounds[1] - rounds[0]) * 2 / (seconds[1] - seconds[0])


def real(matches: int) -> None:
    """Play in-process matches into packs, tables, standings and report; then measure further commands on them."""
    with tempfile.TemporaryDirectory() as folder:
        text = f"{PLAYED}records: packed\n".replace("max_ticks: 100", "max_ticks: 10")
        text, rounds = text.replace("where: WHERE", "isolation: none"), matches // PER_ROUND["PLAYED"]
        plan = prepare_folder(_plan(text, Path(folder), rounds), resume=False)
        began_s, played_cpu_s = time.monotonic(), _cpu_s(lambda: run_loop(_play_here(plan)))
        played_s, played_mb = time.monotonic() - began_s, _peak_mb()
        ranked_cpu_s = _cpu_s(lambda: settle(plan, ""))
        size = sum(file.stat().st_size for file in plan.out.rglob("*") if file.is_file())
        again = _plan(text, Path(folder), rounds)
        resumed_cpu_s = _cpu_s(lambda: run_loop(_play_here(prepare_folder(again, resume=True))))
        settle(again, "")
        commands = [["verify", "--tables-only"], ["leaderboard"]]
        cpu_s = [_cpu_of_command(*command, str(plan.out)) for command in commands]
        count = len(list_ids(plan.out))
    figures = {
        "matches": f"{count:,}",
        "seconds": f"{played_s:.0f}",
        "CPU ms a match": f"{played_cpu_s / count * 1000:.2f}",
        "peak MB": f"{played_mb:.0f}",
        "KB on disk a match": f"{size / count / 1000:.2f}",
        "CPU s of standings and report": f"{ranked_cpu_s:.1f}",
        "CPU s of `--resume`": f"{resumed_cpu_s:.1f}",
        "`verify --tables-only`": f"{cpu_s[0]:.1f}",
        "`leaderboard`": f"{cpu_s[1]:.1f}",
    }
    print_table("In-process matches", [*figures], [[*figures.values()]])


def _cpu_s(work: Callable[[], object]) -> float:
    began_s = time.process_time()
    work()
    return time.process_time() - began_s


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from gridjoust.commands import main; main()", *arguments]


def _cpu_of_command(*arguments: str) -> float:
    before = _cpu_of_children()
    subprocess.run(_command(*arguments), stdout=subprocess.DEVNULL, check=True)
    return _cpu_of_children() - before


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB


async def _play_here(plan: PreparedPlan) -> None:
    async with open_for(plan) as backend:
        await run_tournament(plan, backend, on_played=lambda _: None)


def _plan(text: str, folder: Path, rounds: int) -> Plan:
    file = folder / "cup.yaml"
    file.write_text(text.replace("ROUNDS", str(rounds)))
    loaded = load_tournament(file, known_bots=KnownBots())
    return make_plan(loaded, make_schedule, folder / "results", trust=True)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Run the named parts, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="simulate, efficiency, cores, real; default: all")
    parser.add_argument("--matches", type=int, help="number of matches in place of a million, 120, 120 and 100,000")
    parser.add_argument("--way", choices=WAYS, default="local")
    given = parser.parse_args()
    for part in given.parts or ["simulate", "efficiency", "cores", "real"]:
        if part == "one":
            play_one(given.way, given.matches)
        elif part == "simulate":
            simulate(given.matches or MILLION)
        elif part == "efficiency":
            efficiency(given.matches or EFFICIENCY_MATCHES)
        elif part == "cores":
            cores(given.matches or EFFICIENCY_MATCHES)
        else:
            real(given.matches or REAL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
