"""Measure what a bot on standard input and output costs compared with one that speaks MQTT, both in plain Python.

`python -m benchmarks.stdio` measures the time from the start of the process to its `ready` (goal: at most 15 ms more),
and from the referee's question to the answer of a turn (goal: at most 60 µs more), with the CPU time of the runner.
Both kinds of bot are measured in turns in one process, with a fresh bot in every round.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.report import print_table
from gridjoust.runner.broker import Account, bot_account, open_broker, referee_account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import ProcessLauncher
from gridjoust.runner.play.link import BotLink
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.tournament import run_loop

ROUNDS, TURNS, WARM_UP = 9, 1000, 100
EXAMPLES = Path(__file__).parents[1] / "bots" / "examples"
LEAST = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "legal" in told:
        print(json.dumps({"action": told["legal"][0]}))
"""
PROGRAMS = {
    "MQTT: plain.py with paho": RoleProgram(command=(sys.executable, str(EXAMPLES / "plain.py"))),
    "stdio: stdio.py, says ready": RoleProgram(command=(sys.executable, str(EXAMPLES / "stdio.py")), protocol="stdio"),
    "stdio: five lines, ready said for it": RoleProgram(command=(sys.executable, "-c", LEAST), protocol="stdio"),
}
OBSERVATION = {"cells": list(range(450))}  # about 2 KB


@dataclass(slots=True)
class Costs:
    """The costs of one kind of bot, by round."""

    start_ms: list[float] = field(default_factory=list)
    turn_us: list[float] = field(default_factory=list)
    cpu_us: list[float] = field(default_factory=list)


class _Answers:
    """A listener that signals the next answer."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()

    def on_payload(self, payload: bytes) -> None:  # noqa: ARG002 - the link's signature
        self.arrived.set()

    def on_online(self, *, online: bool) -> None:
        """Ignore the status of the bot."""

    def on_gone(self, fault: object, detail: str) -> None:
        raise RuntimeError(f"{fault}: {detail}")


def start_message(number: int) -> protocol.Start:
    """Return the start message of a match with one seat and generous limits."""
    limits = protocol.Limits(turn_ms=1000, bank_ms=0, increment_ms=0, start_ms=10_000)
    return protocol.Start(
        match=f"m{number}",
        game="bench",
        game_version="1",
        variant="bench",
        params={},
        seats=[0],
        seat_count=1,
        teams=[0],
        roles=[""],
        dynamics="sequential",
        briefing={"0": {}},
        bot_seed=1,
        limits=limits,
        options={},
    )


def question(match: str, ask: int) -> protocol.TurnMessage:
    """Return the message of one turn, of 2 KB."""
    return protocol.TurnMessage(
        match=match,
        ask=ask,
        seat=0,
        turn=ask,
        view=OBSERVATION,
        legal=["up", "down"],
        legal_complete=True,
        limit_ms=1000,
    )


async def measure(link: BotLink, program: RoleProgram, launcher: ProcessLauncher, costs: Costs) -> None:
    """Start a fresh process; note its start and the median turn of one match."""
    began_s = time.perf_counter()
    await link.prepare(program, launcher, ResourceLimits(), 10_000)
    costs.start_ms.append((time.perf_counter() - began_s) * 1000)
    if link.fault is not None:
        raise RuntimeError(link.fault[1])
    start = start_message(len(costs.start_ms))
    if (problem := await link.seat(start, patience_ms=10_000)) is not None:
        raise RuntimeError(problem.detail)
    answers = link.listener = _Answers()
    turns_us: list[float] = []
    cpu_s = 0.0
    for ask in range(1, TURNS + WARM_UP + 1):
        if ask == WARM_UP + 1:
            cpu_s = time.process_time()
        message = question(start.match, ask)
        answers.arrived.clear()
        began_s = time.perf_counter()
        await link.send(message)
        await answers.arrived.wait()
        turns_us.append((time.perf_counter() - began_s) * 1e6)
    costs.cpu_us.append((time.process_time() - cpu_s) / TURNS * 1e6)
    costs.turn_us.append(median(turns_us[WARM_UP:]))
    link.listener = None
    await link.end()


async def measure_all(folder: Path, show: Callable[[str], object]) -> dict[str, Costs]:
    """Measure every kind of bot in each round; return the costs by kind."""
    names = [f"b.{number}" for number in range(len(PROGRAMS))]
    accounts: dict[str, Account] = {name: bot_account("bench", name) for name in names}
    referee, config = referee_account("bench"), BrokerConfig()
    costs = {kind: Costs() for kind in PROGRAMS}
    async with open_broker(config, run="bench", accounts=[referee, *accounts.values()], folder=folder) as broker:
        bus = MqttBus(broker.address, user=referee.user, password=referee.password, client_id=referee.user)
        async with bus:
            launcher = ProcessLauncher(address=broker.address, broker=config, run="bench", logs=folder, folder=folder)
            links = [await open_link(name, bus, accounts[name]) for name in names]
            for number in range(ROUNDS):
                show(f"round {number + 1} of {ROUNDS}")
                for link, (kind, program) in zip(links, PROGRAMS.items(), strict=True):
                    await measure(link, program, launcher, costs[kind])
            await launcher.close()
    return costs


async def open_link(slot: str, bus: MqttBus, account: Account) -> BotLink:
    """Open the link to one slot, as the pool does."""
    link = BotLink("b", slot, run="bench", bus=bus, account=account)
    statuses: set[asyncio.Task[None]] = set()

    def on_status(_: str, payload: bytes) -> None:
        task = asyncio.create_task(link.on_status(payload))
        statuses.add(task)
        task.add_done_callback(statuses.discard)

    await bus.subscribe(f"joust/bench/bot/{slot}/out", lambda _, payload: link.on_payload(payload))
    await bus.subscribe(f"joust/bench/bot/{slot}/status", on_status)
    return link


def main() -> None:
    """Print the table of costs."""
    argparse.ArgumentParser(prog="python -m benchmarks.stdio", description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        costs = run_loop(measure_all(Path(folder), lambda text: print(text, file=sys.stderr)))
    baseline = next(iter(costs.values()))
    rows = []
    for kind, cost in costs.items():
        start_ms, turn_us = median(cost.start_ms), median(cost.turn_us)
        more_ms, more_us = start_ms - median(baseline.start_ms), turn_us - median(baseline.turn_us)
        cpu_us = median(cost.cpu_us)
        rows.append([kind, f"{start_ms:.0f}", f"{more_ms:+.0f}", f"{turn_us:.0f}", f"{more_us:+.0f}", f"{cpu_us:.0f}"])
    header = ["bot", "start ms", "more", "turn us", "more", "CPU us a turn of the runner"]
    print_table(f"stdio beside MQTT, medians of {ROUNDS} rounds of {TURNS} turns", header, rows)


if __name__ == "__main__":
    main()
