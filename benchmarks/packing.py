"""Measure records as files and in packs: bytes, reading, verifying, resuming.

`python -m benchmarks.packing [--scale 100000]` plays matches of all six games in this process, and gives their answers
times like those of bots in processes. The size of a packed match is the mean over games, for matches that are not in
the dictionary, with the share of the dictionary in a full pack. Then a results folder of `--scale` made-up matches
(copies of short ones under the ids of their schedule) is resumed and its tables are verified; `--files` of them are
also stored as files. Times are CPU time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

import gridjoust
from benchmarks.report import print_table
from gridjoust.commands.verify import verify
from gridjoust.in_process import open_in_process
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import Plan, make_plan, prepare_folder
from gridjoust.runner.play.heading import make_header
from gridjoust.runner.results.packs import pack as packs
from gridjoust.runner.results.packs.folder import PACKS, pack_paths, write_pack_seal
from gridjoust.runner.results.packs.packing import pack_records
from gridjoust.runner.results.records.file import (
    RECORDS,
    format_record,
    list_records,
    read_bytes,
    read_record,
    record_path,
    write_all,
    write_record,
)
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.results.replay import verify_file
from gridjoust.runner.results.secrets import publish_secrets
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.tournament import run_tournament

KEY = b"benchmark" * 3
BOTS = {
    "bomber": ("bomber/wanderer", "bomber/dijkstra_map"),
    "ricochet": ("ricochet/dijkstra_map", "ricochet/beam"),
    "navigation": ("navigation/astar",),
    "eidolon": ("eidolon/dijkstra_map",),
    "heroquest": ("heroquest/dijkstra_map", "heroquest/zargon_random"),
    "placement": ("placement/dijkstra_map", "placement/astar"),
}
LIMITS = {"bytes": 2500, "read µs": 50, "resume s": 10, "verify s": 10}
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 10}}]
format: {rounds: ROUNDS}
time: {turn_ms: 5000}
execution: {isolation: none}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""


def play_game(game: str, matches: int, budget_s: float, results: Path) -> None:
    """Write records of one game as files; fewer than asked for if they take too long."""
    (results / RECORDS).mkdir(parents=True)
    rng, began = random.Random(game), time.process_time()
    for seed in range(matches):
        if seed >= 8 and time.process_time() - began > budget_s:
            return
        record = gridjoust.play(game, list(BOTS[game]), seed=seed).record
        record = replace(record, answers=[_as_measured(answer, rng) for answer in record.answers])
        write_record(record_path(results, record.header.match_id), record, key=KEY)


def _as_measured(answer: AnswerLine, rng: random.Random) -> AnswerLine:
    """Return the answer with times like those of a bot in a process."""
    planning_ms = round(rng.lognormvariate(-1, 1), 3)
    waited_ms = round(rng.expovariate(50), 3)
    times = {"latency_ms": round(planning_ms + rng.lognormvariate(-0.7, 0.4), 3), "cpu_ms": round(planning_ms * 1.2, 3)}
    return replace(answer, planning_ms=planning_ms, waited_ms=waited_ms, forced=int(waited_ms > 0.08), **times)


def measure_reading(paths: Sequence[Path]) -> float:
    """Return the mean CPU time to read a record, in µs."""
    for path in paths[:3]:
        read_bytes(path)
    began = time.process_time()
    for path in paths:
        read_bytes(path)
    return (time.process_time() - began) / len(paths) * 1e6


def packed_bytes(pack: Path) -> float:
    """Return the bytes of a match outside the dictionary, with its share of the dictionary and index in a full pack."""
    with contextlib.closing(sqlite3.connect(pack)) as db:
        sizes = dict(db.execute("SELECT match_id, length(head) + length(body) FROM match ORDER BY match_id").fetchall())
        ((dictionary,),) = db.execute("SELECT sum(length(head) + length(body)) FROM kind").fetchall()
    ids = list(sizes)
    step = max(1, len(ids) // packs.SAMPLED)
    sampled = set(ids[::step][: packs.SAMPLED])
    own = [size for match_id, size in sizes.items() if match_id not in sampled] or list(sizes.values())
    return float(sum(own)) / len(own) + float(dictionary) / packs.MOST + 2 * len(ids[0])


def measure_game(game: str, matches: int, budget_s: float, folder: Path) -> list[float]:
    """Return matches, bytes raw and packed, microseconds to read both and to write, and the number verified."""
    results = folder / game
    play_game(game, matches, budget_s, results)
    paths = list_records(results)
    raw = sum(path.stat().st_size for path in paths) / len(paths)
    read_raw = measure_reading(paths)
    began = time.process_time()
    pack_records(results, [KEY])
    write = (time.process_time() - began) / len(paths) * 1e6
    [pack] = pack_paths(results / RECORDS)
    verified = sum(verify_file(path, [KEY]) is None for path in paths)
    return [len(paths), raw, packed_bytes(pack), read_raw, measure_reading(paths), write, verified]


def make_folder(folder: Path, matches: int, *, is_packed: bool) -> Plan:
    """Make a finished tournament of copies; the time for their rows is not measured."""
    first = _plan(folder / "first", 1)
    asyncio.run(_go_on(first, resume=False))
    copies = {tuple(seat.bot for seat in one.header.seats): one for one in map(read_record, list_records(first.out))}
    plan = prepare_folder(_plan(folder, matches // 2), resume=False)
    made = {pairing.match_id: pairing for pairing in make_schedule(plan.loaded)}
    game, key = plan.loaded.variants[0].game, plan.kept.key

    def record_of(match_id: str) -> bytes:
        pairing = made[match_id]
        copied = copies[tuple(entrant.bot for entrant in pairing.entrants)]
        header = make_header(pairing, game, tournament="cup", ready=[None] * len(pairing.entrants))
        return format_record(replace(copied, header=header), key=key)

    if not is_packed:
        write_all((record_path(plan.out, match_id), record_of(match_id)) for match_id in made)
        return plan
    place = plan.out / RECORDS / PACKS
    place.mkdir()
    for number, batch in enumerate(_batches(list(made), 25_000), 1):
        raw = {match_id: record_of(match_id) for match_id in batch}
        packs.write_pack(place / f"{number:04}.pack", batch, raw.__getitem__)
        write_pack_seal(place / f"{number:04}.pack", key=key)
    return plan


def _batches(ids: Sequence[str], size: int) -> Sequence[Sequence[str]]:
    return [ids[start : start + size] for start in range(0, len(ids), size)]


def _plan(folder: Path, rounds: int) -> Plan:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("ROUNDS", str(rounds)))
    loaded = load_tournament(file)
    return make_plan(loaded, make_schedule, folder / "results" / "cup")


async def _go_on(plan: Plan, *, resume: bool) -> int:
    """Continue the run and return how many matches were played anew."""
    prepared = prepare_folder(plan, resume=resume)
    new: list[bool] = []
    async with open_in_process(prepared) as backend:
        await run_tournament(prepared, backend, on_played=lambda played: new.append(played.is_new))
    return sum(new)


def measure_scale(matches: int, folder: Path, *, is_packed: bool) -> list[float]:
    """Return matches, MB, and CPU seconds to make the tables from all records, to resume, and to verify quickly."""
    plan = make_folder(folder, matches, is_packed=is_packed)
    again = _plan(folder, matches // 2)

    def timed(work: Callable[[], int]) -> float:
        began = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            failed = work()
        assert not failed
        return time.process_time() - began

    whole_s = timed(lambda: asyncio.run(_go_on(again, resume=True)))
    resume_s = timed(lambda: asyncio.run(_go_on(again, resume=True)))
    publish_secrets(plan.out)
    verify_s = timed(lambda: verify(plan.out, tables_only=True))
    size = sum(path.stat().st_size for path in (plan.out / RECORDS).rglob("*") if path.is_file()) / 1e6
    return [len(list_records(plan.out)), size, whole_s, resume_s, verify_s]


def main() -> None:
    """Print the tables of sizes and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=150, help="matches of each game")
    parser.add_argument("--budget-s", type=float, default=20, help="CPU seconds for the matches of a game")
    parser.add_argument("--scale", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        games = {game: measure_game(game, options.matches, options.budget_s, folder) for game in BOTS}
        games["mean"] = [sum(column) / len(games) for column in zip(*games.values(), strict=True)]
        heading = ["game", "matches", "bytes raw", "packed", "read µs raw", "packed", "write µs", "verified"]
        lines = [[game, *(f"{value:.0f}" for value in values)] for game, values in games.items()]
        print_table(f"A match (wanted: {LIMITS['bytes']} bytes, {LIMITS['read µs']} µs a read, all)", heading, lines)
        scaled = [("packed", options.scale, True), ("files", options.files, False)]
        lines = []
        for name, matches, is_packed in scaled:
            values = measure_scale(matches, folder / name, is_packed=is_packed)
            lines.append(
                [name, *(f"{value:.{digits}f}" for value, digits in zip(values, (0, 1, 1, 1, 1), strict=True))]
            )
        heading = ["records", "matches", "MB", "all rows s", "--resume s", "verify --tables-only s"]
        wanted = f"wanted for 100,000: {LIMITS['resume s']} s and {LIMITS['verify s']} s"
        print_table(f"A results folder, CPU seconds ({wanted})", heading, lines)


if __name__ == "__main__":
    main()
