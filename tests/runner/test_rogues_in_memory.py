"""Every way to misbehave, over the memory bus: what it costs, to whom, and what the CSV says."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gridjoust.commands.in_process import InProcessLauncher
from gridjoust.commands.task_bot import TaskBot
from runner.broker import Account
from runner.config.values import ResourceLimits, RoleProgram
from runner.processes.launch import Running
from runner.tournament import Backend, Plan
from runner.wire.bus import MemoryBroker, MemoryBus
from runner.wire.protocol import bot_prefix
from tests.doubles.bots.expectations import EXPECTED
from tests.doubles.bots.rogue import Rogue
from tests.runner.rogue_cup import check_rogue, play_rogue


async def _serve(behaviour: str, bus: MemoryBus, prefix: str) -> int:
    async with bus:
        return await Rogue(behaviour, bus=bus, prefix=prefix).run()


class RogueLauncher:
    """Commands are rogues, all else is as it is in this process."""

    def __init__(self, broker: MemoryBroker, run: str, behaviour: str) -> None:
        self._broker, self._run, self._behaviour = broker, run, behaviour
        self._honest = InProcessLauncher(broker, run)

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        if program.command is None:
            return await self._honest.start(program, slot=slot, account=account, limits=limits)
        bus = self._broker.connect(read=account.read, write=account.write)
        return TaskBot(asyncio.create_task(_serve(program.command[-1], bus, bot_prefix(self._run, slot))))

    def log_tail(self, slot: str) -> str:
        last_words = {
            "crash_at_start": "cannot find my opening book",
            "crash_mid_match": "IndexError: my list was too short",
        }
        return last_words.get(self._behaviour, "")


@pytest.mark.parametrize("behaviour", EXPECTED)
async def test_a_rogue_pays_what_the_table_says(behaviour: str, tmp_path: Path) -> None:
    @contextlib.asynccontextmanager
    async def open_memory(plan: Plan) -> AsyncIterator[Backend]:
        broker = MemoryBroker()
        launcher = RogueLauncher(broker, plan.run, behaviour)
        async with broker.connect() as bus:
            yield Backend(bus, launcher, asyncio.get_running_loop().create_future())

    result = await play_rogue(behaviour, tmp_path, open_memory, python="python", start_ms=400)
    check_rogue(behaviour, result)
