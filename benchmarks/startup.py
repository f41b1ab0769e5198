"""CPU time until a bot process has connected and answered hello (goal: at most 60 ms), beside its parts.

`python -m benchmarks.startup`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.report import print_table
from runner.broker import bot_account, open_broker, referee_account
from runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from runner.launch import ProcessLauncher
from runner.pool_link import BotLink
from runner.wire.bus.mqtt import MqttBus

REPEATS = 9
BOTS = ("random", "bomber/dijkstra_map")


async def ready_cpu_ms(bot: str, folder: Path) -> list[float]:
    """CPU of fresh processes when their `ready` has come."""
    names = [f"b.{number}" for number in range(REPEATS)]
    accounts = {name: bot_account("bench", name) for name in names}
    referee = referee_account("bench")
    config = BrokerConfig()
    async with open_broker(config, run="bench", accounts=[referee, *accounts.values()], folder=folder) as broker:
        bus = MqttBus(broker.address, user=referee.user, password=referee.password, client_id=referee.user)
        async with bus:
            launcher = ProcessLauncher(address=broker.address, broker=config, run="bench", logs=folder, folder=folder)
            return [
                await _one(BotLink("b", name, run="bench", bus=bus, account=accounts[name]), bot, bus, launcher)
                for name in names
            ]


async def _one(link: BotLink, bot: str, bus: MqttBus, launcher: ProcessLauncher) -> float:
    await bus.subscribe(f"joust/bench/bot/{link.slot}/out", lambda _, payload: link.on_payload(payload))
    tasks: list[asyncio.Task[None]] = []
    await bus.subscribe(
        f"joust/bench/bot/{link.slot}/status",
        lambda _, payload: tasks.append(asyncio.create_task(link.on_status(payload))),
    )
    await link.prepare(RoleProgram(bot=bot), launcher, ResourceLimits(), 10_000)
    assert link.fault is None, link.fault
    cpu_ms = link.usage().cpu_ms
    assert cpu_ms is not None
    await link.end()
    return cpu_ms


def child_cpu_ms(*code: str) -> float:
    """CPU of one Python child that does only this."""
    before = os.times()
    subprocess.run([sys.executable, "-P", "-c", *code], check=True)
    after = os.times()
    return (after.children_user + after.children_system - before.children_user - before.children_system) * 1000


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__).parse_args()
    rows: list[tuple[str, list[float]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for bot in BOTS:
            rows.append((f"{bot}: process ready", asyncio.run(ready_cpu_ms(bot, Path(folder)))))
    for name, code in (
        ("an empty Python", "pass"),
        ("import gridjoust (goal: at most 60 more than an empty Python)", "import gridjoust"),
        ("import gridjoust, its Bot", "import gridjoust; gridjoust.Bot"),
        ("import aiomqtt (never in a bot of ours)", "import aiomqtt"),
        ("import numpy (a bot that needs it pays this)", "import numpy"),
        ("import pandas (never in a bot)", "import pandas"),
    ):
        rows.append((name, [child_cpu_ms(code) for _ in range(REPEATS)]))
    table = [[name, f"{median(own):.0f}", f"{min(own):.0f}", f"{max(own):.0f}"] for name, own in rows]
    print_table("Bot start-up: CPU ms (goal for `ready`: at most 60)", ["what", "median", "min", "max"], table)


if __name__ == "__main__":
    main()
