"""Measure what watching costs: the referee's CPU without a page, with an unwatched page, with 20 tabs; the page's lag.

`python -m benchmarks.watching` plays the same matches of bomber in lockstep over mosquitto in these three ways, in
rounds with a changing order, and counts the CPU time of the referee. (The page is another process; its CPU time has its
own column.) Differences within a round cancel out the load of the machine; the mean of all rounds has its 95 %
interval.

The tabs stand for other machines: they only read bytes, and run only while a core is idle. On few cores the referee's
CPU time also grows because processes disturb each other's caches. So its own work for the page is also measured alone.
Then it plays in real time, and every tab notes when the drawing of a turn arrives; the lag counts from the moment at
which the referee sent that turn. `--only costs`, `work` or `lags` measures one part.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import timeit
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from math import log, sqrt
from pathlib import Path
from statistics import mean, median, stdev
from urllib.parse import urlsplit

import psutil

from benchmarks.report import print_table
from gridjoust.commands.shared.watching import PageListener, let_in, open_page_listener, watched
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import PreparedPlan, make_plan, prepare_folder
from gridjoust.runner.results.records.lines import FaultLine, TurnLine
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.spectate.spectators import LinePublisher, ObserverGroup
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.runner.wire.bus import Bus, Handler
from gridjoust.runner.wire.bus.packets import publish_packet
from gridjoust.runner.wire.protocol import lines_topic
from gridjoust.simulation import play as simulate

ROUNDS = 12
TABS = 20
NORMAL = 1.96  # the mean lies within so many standard errors 19 times of 20
LINE_LIMIT = 1 << 24

CUP = """
tournament: benchmark
games: [{game: bomber, params: {max_ticks: 300, GAME}}]
format: {rounds: ROUNDS}
time: {turn_ms: 5000}
execution: {parallel: 4}
broker: {use: mosquitto}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""
LOCKSTEP = CUP.replace("GAME", "pace: lockstep").replace("ROUNDS", "24")
REAL_TIME = CUP.replace("GAME", "pace: realtime, tick_ms: 100").replace("ROUNDS", "3")

Seen = dict[tuple[str, int], float]  # match and turn -> the monotonic clock


@dataclass(slots=True)
class TimedBus:
    """A bus that notes when turns are sent to spectators."""

    inner: Bus
    sent: Seen

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish one message through the inner bus."""
        self.post([(topic, payload)])

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Publish messages through the inner bus, and note the turns among them."""
        for topic, payload in messages:
            if topic.endswith("/lines"):
                self._note(topic.split("/")[-2], payload)
        self.inner.post(messages)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Subscribe through the inner bus."""
        await self.inner.subscribe(topic_filter, handler)

    def _note(self, match_id: str, payload: bytes) -> None:
        now_s = time.monotonic()
        for line in map(json.loads, payload.split(b"\n")):
            if line["type"] == "turn":
                self.sent[match_id, line["turn"]] = now_s


@dataclass(frozen=True, slots=True)
class Way:
    """One way to watch a run."""

    name: str
    has_page: bool = True
    tabs: int = 0
    idle: bool = False  # the tabs only read bytes, while a core is idle


NO_PAGE = Way("no page", has_page=False)
COSTS = (NO_PAGE, Way("page, nobody looks"), Way(f"page, {TABS} tabs", tabs=TABS, idle=True))
LAGS = Way(f"page, {TABS} tabs", tabs=TABS)


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU time per seat-turn in µs, and the share of a core that the page took."""

    referee_us: float
    page_us: float
    page_share: float


@asynccontextmanager
async def tabs_at(address: str, way: Way) -> AsyncIterator[list[Seen]]:
    """Open tabs in a process of their own; the list holds what they saw when the process has ended."""
    found: list[Seen] = []
    if not way.tabs:
        yield found
        return
    command = [sys.executable, "-m", "benchmarks.watching", "--tabs", str(way.tabs), "--at", address]
    command += ["--idle"] * way.idle
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, limit=LINE_LIMIT)
    assert process.stdout is not None
    await process.stdout.readline()  # all tabs are connected
    yield found
    text, _ = await process.communicate()
    found += [{(match, turn): at_s for match, turn, at_s in tab} for tab in json.loads(text)]


async def play(text: str, folder: Path, way: Way, sent: Seen | None = None) -> tuple[Spent, list[Seen]]:
    """Play a tournament; return what referee and page spent, and what the tabs saw."""
    file = folder / "cup.yaml"
    file.write_text(text)
    planned = make_plan(load_tournament(file), make_schedule, Path(tempfile.mkdtemp(dir=folder)))
    plan = prepare_folder(planned, resume=False)
    listener = open_page_listener("127.0.0.1:0") if way.has_page else None
    if listener is not None:
        plan = let_in(plan)
    return await _play(plan, listener, way, sent)


async def _play(
    plan: PreparedPlan, listener: PageListener | None, way: Way, sent: Seen | None
) -> tuple[Spent, list[Seen]]:
    seat_turns = 0

    def count(played: Played) -> None:
        nonlocal seat_turns
        seat_turns += sum(len(line.actions) for line in played.record.lines if hasattr(line, "actions"))

    async with open_backend(plan) as backend, AsyncExitStack() as looking:
        seen: list[Seen] = []
        async with AsyncExitStack() as page:
            if listener is not None:
                page.enter_context(listener.listening)
                watcher = await page.enter_async_context(watched(plan, backend, listener))
                plan = replace(plan, spectators=watcher.spectators)
                seen = await looking.enter_async_context(tabs_at(listener.address, way))
            timed = backend if sent is None else replace(backend, bus=TimedBus(backend.bus, sent))
            before_s = time.process_time(), page_s(), time.perf_counter()
            await run_tournament(plan, timed, on_played=count)
            after_s = time.process_time(), page_s(), time.perf_counter()
    referee_s, shown_s, wall_s = (after - before for before, after in zip(before_s, after_s, strict=True))
    return Spent(referee_s * 1e6 / seat_turns, shown_s * 1e6 / seat_turns, shown_s / wall_s), seen


def page_s() -> float:
    """Return the CPU time of the page's process so far, or 0 if there is none."""
    for child in psutil.Process().children():
        if "gridjoust.viewer.live_page.watcher" in child.cmdline():
            times = child.cpu_times()
            return float(times.user + times.system)
    return 0.0


def run_when_idle() -> None:
    """Give this process the lowest priority on the machine."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


async def watch(address: str, count: int, *, idle: bool) -> None:
    """Keep `count` tabs open until the page ends; print what each saw and when (`idle` ones note nothing)."""
    if idle:
        run_when_idle()
    read = _drain if idle else _read
    parts = urlsplit(address)
    request = f"GET /events HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
    tabs = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=LINE_LIMIT)
        writer.write(request)
        await reader.readuntil(b"\r\n\r\n")
        tabs.append((reader, writer))  # a writer without a reference closes its connection
    print("connected", flush=True)
    print(json.dumps(await asyncio.gather(*(read(reader) for reader, _ in tabs))), flush=True)


async def _read(reader: asyncio.StreamReader) -> list[tuple[str, int, float]]:
    seen = []
    async for line in reader:
        if line.startswith(b'data: {"match"'):
            event = json.loads(line[6:])
            if "turn" in event:
                seen.append((event["match"], event["turn"], time.monotonic()))
    return seen


async def _drain(reader: asyncio.StreamReader) -> list[tuple[str, int, float]]:
    while await reader.read(LINE_LIMIT):
        pass
    return []


def run_once(text: str, way: Way, sent: Seen | None = None) -> tuple[Spent, list[Seen]]:
    """Play one tournament on its own event loop and in its own folder."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(play(text, Path(folder), way, sent))


def print_costs(rounds: int) -> None:
    """Run all ways in turn; print their costs, and how much more than without a page."""
    spent: dict[Way, list[Spent]] = {way: [] for way in COSTS}
    for number in range(rounds):
        for place in range(len(COSTS)):
            way = COSTS[(number + place) % len(COSTS)]
            spent[way].append(run_once(LOCKSTEP, way)[0])
    rows = []
    for way, own in spent.items():
        referee = [one.referee_us for one in own]
        page = median(one.page_us for one in own), median(one.page_share for one in own)
        told = [f"{page[0]:.0f}", f"{100 * page[1]:.0f} %", _more(own, spent[NO_PAGE])] if way.has_page else [""] * 3
        rows.append([way.name, f"{min(referee):.0f}", f"{median(referee):.0f}", *told])
    heading = ["way", "least", "median", "page", "of a core", f"referee more, mean of {rounds} rounds"]
    print_table("Bomber, watched: CPU µs per seat-turn of the referee and of the page's process", heading, rows)


def _more(own: Sequence[Spent], without: Sequence[Spent]) -> str:
    """Return as text by how many percent the referee's CPU time grows, with the 95 % interval."""
    more = [100 * (log(one.referee_us) - log(other.referee_us)) for one, other in zip(own, without, strict=True)]
    error = NORMAL * stdev(more) / sqrt(len(more))
    return f"{mean(more):+.1f} % ({mean(more) - error:+.1f} to {mean(more) + error:+.1f} %)"


def print_own_work() -> None:
    """Print the referee's own work for the page, for any number of tabs: lines and packets, on recorded turns."""
    record = simulate("bomber", ["bomber/wanderer", "random"], seed=3, params={"max_ticks": 300}).record

    def work() -> None:
        told: list[TurnLine | FaultLine] = []
        observers = ObserverGroup([LinePublisher(lines_topic("cup", "0" * 16))])
        for line in record.lines:
            told.append(line)
            for topic, payload in observers.turn(None, told):
                publish_packet(topic, payload)

    least_us = min(timeit.repeat(work, number=10, repeat=7)) / 10 / len(record.lines) * 1e6
    print_table("The referee's own work for the page", ["µs of CPU a turn"], [[f"{least_us:.1f}"]])


def print_lags() -> None:
    """Print the lags of all tabs, from the referee's message to the event in the tab."""
    sent: Seen = {}
    _, tabs = run_once(REAL_TIME, LAGS, sent)
    if not all(tabs):
        raise RuntimeError("expected drawings in every tab, got tabs without any")
    lags = sorted(1000 * (at_s - sent[turn]) for tab in tabs for turn, at_s in tab.items() if turn in sent)
    shown = len({turn for tab in tabs for turn in tab if turn in sent})
    rows = [
        [
            f"{lags[len(lags) // 2]:.0f}",
            f"{lags[len(lags) * 95 // 100]:.0f}",
            f"{lags[-1]:.0f}",
            f"{shown} of {len(sent)}",
        ]
    ]
    print_table(f"Page with {TABS} tabs, ticks of 100 ms: lag in ms", ["median", "95 %", "most", "turns drawn"], rows)


def main() -> None:
    """Print the tables; with `--tabs`, be the tabs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tabs", type=int, default=0, help="run as so many tabs")
    parser.add_argument("--at", default="", help="address of the page")
    parser.add_argument("--only", choices=("costs", "work", "lags"), help="measure only this part")
    parser.add_argument("--idle", action="store_true", help="run only while a core is idle")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="rounds of runs without a page, with it and with tabs"
    )
    given = parser.parse_args()
    if given.tabs:
        asyncio.run(watch(given.at, given.tabs, idle=given.idle))
        return
    tables = {"costs": lambda: print_costs(given.rounds), "work": print_own_work, "lags": print_lags}
    for name, print_one in tables.items():
        if given.only in (None, name):
            print_one()


if __name__ == "__main__":
    main()
