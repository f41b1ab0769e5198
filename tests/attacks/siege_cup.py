"""A tournament of all attackers against one honest bot, by `joust run`; and what it left behind."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import STANDINGS
from gridjoust.runner.results.tables.text import read_rows
from tests.attacks.table import Attack
from tests.e2e.joust_process import joust, path_without

HOSTILE = Path(__file__).with_name("hostile.py")
HOSTILE_STDIO = Path(__file__).with_name("hostile_stdio.py")
HONEST_STDIO = Path(__file__).with_name("honest_stdio.py")
AROUND = Path(__file__).with_name("around.py")
HONEST = "honest"
WITNESSES = ("witness1", "witness2", "witness3", "witness4")

CUP = """
tournament: siege
seed: 5eed0000000000000000000000000001  # as `secret` draws one
games:
  - {{game: bomber, params: {{max_ticks: 16, bomb_ticks: 4, treasure_min_ticks: 2, treasure_max_ticks: 3}}}}
format: {{type: gauntlet, challengers: [honest], swap_seats: false}}
time: {{turn_ms: 800, start_ms: 60000, grace_ms: 200}}
faults: {{limit: 2}}
execution: {{parallel: {parallel}, isolation: {isolation}}}
broker: {{use: {broker}}}
bots:
  - {{name: honest, {honest}, time: {{turn_ms: 5000}}}}
"""
RESUMES = 3  # on a busy machine matches are void, and played again
IMPATIENT = ("mute", "never_ready", "nested_hello")  # bots that are waited for: not for long


@dataclass(frozen=True, slots=True)
class Siege:
    """What the tournament left: by the bot that the honest one met."""

    code: int
    shown: str
    records: dict[str, MatchRecord]
    standings: dict[str, dict[str, str]]
    folder: Path


def format_cup(
    attacks: Iterable[Attack],
    *,
    broker: str,
    isolation: str,
    parallel: int = 4,
    is_bridged: bool = False,
    is_harmless: bool = False,
) -> str:
    """The file: witnesses stand between the attackers, so that their matches run beside the attacks.

    `is_bridged`: the honest bot and the witnesses speak over standard input and output. `is_harmless`: other bots keep
    the attackers' places in the list, from which it follows who plays on which seed.
    """
    bots = [f"{{name: {attack.name}, bot: random}}" if is_harmless else _attacker(attack) for attack in attacks]
    for number, witness in enumerate(WITNESSES):
        place = len(bots) * number // len(WITNESSES) + number
        program = _ours("bomber/wanderer", is_bridged=is_bridged)
        bots.insert(place, f"{{name: {witness}, {program}, time: {{turn_ms: 5000}}}}")
    honest = _ours("bomber/dijkstra_map", is_bridged=is_bridged)
    head = CUP.format(broker=broker, isolation=isolation, parallel=parallel, honest=honest)
    return head + "".join(f"  - {bot}\n" for bot in bots)


def _ours(name: str, *, is_bridged: bool) -> str:
    return f"command: [{sys.executable}, {HONEST_STDIO}, {name}], protocol: stdio" if is_bridged else f"bot: {name}"


def _attacker(attack: Attack) -> str:
    name = attack.name
    patient = "" if "late" in attack.ends else ", time: {turn_ms: 5000}"  # a busy machine must not make it late
    time = ", time: {start_ms: 1500}" if name in IMPATIENT else patient
    limits = ", limits: {memory_mb: 150}" if name in ("hides_memory", "leaves_memory") else ""
    program = f"path: {AROUND}:Around" if name == "reads_around" else f"command: [{sys.executable}, {HOSTILE}, {name}]"
    if name.startswith("stdio_"):
        program = f"command: [{sys.executable}, {HOSTILE_STDIO}, {name}], protocol: stdio"
    return f"{{name: {name}, {program}{time}{limits}}}"


def besiege(folder: Path, attacks: Iterable[Attack], *, broker: str, isolation: str) -> Siege:
    """Play it as a user would.

    `isolation: users` is `process` for root, where every bot has a user of its own; `bridge` is `process` with the
    honest bots on standard input and output; `built-in` is `sandbox` where bubblewrap is not found.
    """
    kept = {"users": "process", "bridge": "process", "built-in": "sandbox"}.get(isolation, isolation)
    path = path_without("bwrap", folder / "path") if isolation == "built-in" else None
    (folder / "siege.yaml").write_text(
        format_cup(attacks, broker=broker, isolation=kept, is_bridged=isolation == "bridge")
    )
    trusted = [] if isolation == "users" or kept != "process" else ["--trust"]  # users could not read this folder
    done = joust("run", "siege.yaml", *trusted, folder=folder, path=path)
    siege, shown = gather(folder, code=done.returncode, shown=done.stdout + done.stderr), done.stdout + done.stderr
    for _ in range(RESUMES):
        if all(record.end.counted for record in siege.records.values()):
            break
        done = joust("run", "siege.yaml", "--resume", *trusted, folder=folder, path=path)
        shown += done.stdout + done.stderr
        siege = gather(folder, code=done.returncode, shown=shown)
    return siege


def gather(folder: Path, *, code: int = 0, shown: str = "") -> Siege:
    """Read what a tournament has left in a folder."""
    out = folder / "results" / "siege"
    records = {}
    for path in list_records(out):
        record = read_record(path)
        [other] = {seat.bot for seat in record.header.seats} - {HONEST}
        records[other] = record
    standings = {row["bot"]: row for row in read_rows(out / STANDINGS.file)}
    return Siege(code, shown, records, standings, out)
