"""Measure the CPU time until a bot process has answered hello, and the time to start a process in each isolation.

`python -m benchmarks.startup`. Goals: at most 60 ms of CPU until `ready`; at most 5 ms more in the built-in sandbox
than without a sandbox.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.report import print_table
from gridjoust.runner.broker import bot_account, open_broker, referee_account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import ProcessLauncher
from gridjoust.runner.play.link import BotLink
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.sandbox.bubblewrap import why_no_bubblewrap
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.bus.mqtt import MqttBus

REPEATS = 9
STARTS = 30  # in each isolation
BOTS = ("random", "bomber/dijkstra_map")


async def ready_cpu_ms(bot: str, folder: Path) -> list[float]:
    """Return the CPU time in ms that each fresh process has used until its `ready`."""
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


async def isolation_ms(folder: Path) -> dict[str, list[float]]:
    """Return the times in ms from start to end of an empty Python process, for each isolation that works here."""
    (scratch := folder / "scratch").mkdir()
    command = (sys.executable, "-I", "-S", "-c", "pass")
    plain = Launch("a.0", command, {}, folder / "a.log", ResourceLimits(), folder)
    launches = {"plain process": plain}
    if not why_not_built_in():
        launches["built-in sandbox"] = replace(plain, sandbox=Sandbox.BUILT_IN, scratch=scratch)
    if not why_no_bubblewrap():
        launches["bubblewrap"] = replace(plain, sandbox=Sandbox.BUBBLEWRAP)
    taken: dict[str, list[float]] = {name: [] for name in launches}
    for _ in range(STARTS):
        for name, launch in launches.items():
            scratch.mkdir(exist_ok=True)
            began_s = perf_counter()
            await (await start_process(launch)).wait()
            taken[name].append(1000 * (perf_counter() - began_s))
    return taken


def child_cpu_ms(*code: str) -> float:
    """Return the CPU time in ms of a Python process that runs only this code."""
    before = os.times()
    subprocess.run([sys.executable, "-P", "-c", *code], check=True)
    after = os.times()
    return (after.children_user + after.children_system - before.children_user - before.children_system) * 1000


def main() -> None:
    """Print the tables of start-up times."""
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
    with tempfile.TemporaryDirectory() as folder:
        taken = asyncio.run(isolation_ms(Path(folder)))
    print_table("Bot start-up: CPU ms (goal for `ready`: at most 60)", ["what", "median", "min", "max"], table)
    lines = []
    for name, own in taken.items():
        more = median(ours - plain for ours, plain in zip(own, taken["plain process"], strict=True))
        lines.append([name, f"{median(own):.1f}", f"{min(own):.1f}", f"{more:+.1f}"])
    title = f"An empty Python from its start to its end, {STARTS} times in turn: ms"
    print_table(title, ["isolation", "median", "min", "median difference"], lines)


if __name__ == "__main__":
    main()
