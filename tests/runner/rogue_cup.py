"""A match between a rogue and an honest bot over the memory bus; its record and its rows of the CSV."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from gridjoust.in_process import InProcessLauncher, TaskBot
from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import ResourceLimits, RoleProgram
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.wire.bus.memory import MemoryBroker, MemoryBus
from gridjoust.runner.wire.protocol import bot_prefix
from tests.doubles.bots.expectations import EXPECTED, FAULT_LIMIT
from tests.doubles.bots.rogue import Rogue
from tests.runner.memory_cup import make_cup, play_cup

ROGUE = Path(__file__).parents[1] / "doubles" / "bots" / "rogue.py"

CUP = """
tournament: rogues
games: [{{game: bomber, params: {{max_ticks: 12}}}}]
format: {{swap_seats: false}}
time: {{turn_ms: 300, start_ms: 400, grace_ms: 100}}
faults: {{limit: {limit}}}
execution: {{parallel: 1}}
bots:
  - {{name: rogue, command: [{python}, {rogue}, {behaviour}]}}
  - {{name: honest, bot: bomber/wanderer}}
"""


async def _serve(behaviour: str, bus: MemoryBus, prefix: str) -> int:
    async with bus:
        return await Rogue(behaviour, bus=bus, prefix=prefix).run()


LAST_WORDS = {
    "crash_at_start": "cannot find my opening book",
    "crash_mid_match": "IndexError: my list was too short",
}


class RogueLauncher(InProcessLauncher):
    """Commands are rogues, all else is as it is in this process."""

    last_words = ""

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> TaskBot:
        if program.command is None:
            return await super().start(program, slot=slot, account=account, limits=limits)
        self.last_words = LAST_WORDS.get(program.command[-1], "")
        bus = self._broker.connect(read=account.read, write=account.write)
        return TaskBot(asyncio.create_task(_serve(program.command[-1], bus, bot_prefix(self._run, slot))))

    def log_tail(self, slot: str) -> str:
        return self.last_words


@contextlib.asynccontextmanager
async def open_with_rogue(plan: Plan) -> AsyncIterator[Backend]:
    """The memory bus; every bot that is a command is a rogue."""
    broker = MemoryBroker()
    async with broker.connect() as bus:
        yield Backend(plan.loaded, bus, RogueLauncher(broker, plan.run), asyncio.get_running_loop().create_future())


@dataclass(frozen=True, slots=True)
class Result:
    """What one match against a rogue left behind."""

    record: MatchRecord
    rows: dict[str, dict[str, str]]  # bot -> row of results.csv


async def play_rogue(behaviour: str, folder: Path) -> Result:
    """One match; the rogue sits in seat 0."""
    words = {"python": sys.executable, "rogue": ROGUE, "behaviour": behaviour}
    plan = make_cup(CUP.format(limit=FAULT_LIMIT, **words), folder)
    [played] = await play_cup(plan, open_it=open_with_rogue)
    with (plan.out / "results.csv").open(newline="") as lines:
        return Result(played.record, {row["bot"]: row for row in csv.DictReader(lines)})


def check_rogue(behaviour: str, result: Result) -> None:
    """Termination, faults, ranks and CSV rows are those of the table; the honest bot has none of the blame."""
    expected = EXPECTED[behaviour]
    end, rogue, honest = result.record.end, result.rows["rogue"], result.rows["honest"]
    termination = end.termination.value
    assert termination == expected.termination, end.reason
    assert expected.reason in end.reason
    assert end.faults[0] in expected.faults
    assert end.faults[1] == 0
    assert end.forfeited == ([0] if expected.forfeits else [])
    assert rogue["termination"] == honest["termination"] == termination
    assert (rogue["faults"], honest["faults"]) == (str(end.faults[0]), "0")
    if expected.forfeits:
        assert (rogue["rank"], honest["rank"]) == ("2", "1")
        assert (rogue["points"], honest["points"]) == ("0.0", "1.0")
