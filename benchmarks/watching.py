"""What watching costs: CPU of the referee without a page, with one nobody looks at and with 20 tabs; lag of the page.

`python -m benchmarks.watching` plays the same short matches of bomber in lockstep with 20 tabs and without a page, over
mosquitto, in pairs, the order within a pair changing from one to the next, and counts the referee's own CPU (the page
is another process). A pair's difference leaves out what the machine does to both; the mean of all is given with its
95 % interval. On few cores it also grows because processes disturb each other's caches, so what the referee does for
the page is measured alone, too. Then it plays in real time, and every tab notes when the drawing of a turn is there:
its lag is counted from the moment at which the referee sent that turn. `--only costs`, `work` or `lags` measures one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
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

import uvloop

import games
from benchmarks.report import print_table
from gridjoust.commands.watching import Door, let_in, open_door, watched
from gridjoust.simulation import play as simulate
from runner.broadcast import Broadcast
from runner.config.load import load_tournament
from runner.plan import Plan, Played, make_plan, prepare_folder
from runner.record.lines import FaultLine, TurnLine
from runner.schedule import make_schedule
from runner.tournament import open_backend, run_tournament
from runner.wire.bus import Bus, Handler
from runner.wire.bus.packets import publish_packet

PAIRS = 12
TABS = 20
NORMAL = 1.96  # standard errors on either side of a mean within which it is, 19 times of 20
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
LOCKSTEP = CUP.replace("GAME", "pace: lockstep").replace("ROUNDS", "3")
REAL_TIME = CUP.replace("GAME", "pace: realtime, tick_ms: 100").replace("ROUNDS", "3")

Seen = dict[tuple[str, int], float]  # match and turn -> the monotonic clock


@dataclass(slots=True)
class TimedBus:
    """A bus that notes when turns are sent to those who watch."""

    inner: Bus
    sent: Seen

    async def publish(self, topic: str, payload: bytes) -> None:
        """As the bus does."""
        await self.publish_all([(topic, payload)])

    async def publish_all(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """With a look at what it is."""
        for topic, payload in messages:
            if topic.endswith("/lines"):
                self._note(topic.split("/")[-2], payload)
        await self.inner.publish_all(messages)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """As the bus does."""
        await self.inner.subscribe(topic_filter, handler)

    def _note(self, match_id: str, payload: bytes) -> None:
        now_s = time.monotonic()
        for line in map(json.loads, payload.split(b"\n")):
            if line["type"] == "turn":
                self.sent[match_id, line["turn"]] = now_s


@asynccontextmanager
async def tabs_at(address: str, count: int) -> AsyncIterator[list[Seen]]:
    """So many tabs in a process of their own; what they have seen is there at the end."""
    found: list[Seen] = []
    if not count:
        yield found
        return
    command = (sys.executable, "-m", "benchmarks.watching", "--tabs", str(count), "--at", address)
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, limit=LINE_LIMIT)
    assert process.stdout is not None
    await process.stdout.readline()  # all are connected
    yield found
    text, _ = await process.communicate()
    found += [{(match, turn): at_s for match, turn, at_s in tab} for tab in json.loads(text)]


async def play(
    text: str, folder: Path, *, is_watched: bool, tabs: int, sent: Seen | None = None
) -> tuple[float, list[Seen]]:
    """Microseconds of the referee's CPU a seat-turn, and what the tabs have seen."""
    file = folder / "cup.yaml"
    file.write_text(text)
    plan = make_plan(load_tournament(file), make_schedule, Path(tempfile.mkdtemp(dir=folder)))
    prepare_folder(plan, resume=False)
    door = open_door("127.0.0.1:0") if is_watched else None
    if door is not None:
        let_in(plan)
    return await _play(plan, door, tabs, sent)


async def _play(plan: Plan, door: Door | None, tabs: int, sent: Seen | None) -> tuple[float, list[Seen]]:
    seat_turns = 0

    def count(played: Played) -> None:
        nonlocal seat_turns
        seat_turns += sum(len(line.actions) for line in played.record.lines if hasattr(line, "actions"))

    async with open_backend(plan) as backend, AsyncExitStack() as looking:
        seen: list[Seen] = []
        async with AsyncExitStack() as page:
            if door is not None:
                page.enter_context(door.listening)
                await page.enter_async_context(watched(plan, backend, door))
                seen = await looking.enter_async_context(tabs_at(door.address, tabs))
            timed = backend if sent is None else replace(backend, bus=TimedBus(backend.bus, sent))
            began_s = time.process_time()
            await run_tournament(plan, timed, on_played=count)
            spent_s = time.process_time() - began_s
    return spent_s * 1e6 / seat_turns, seen


async def watch(address: str, count: int) -> None:
    """So many tabs until the page ends; prints what each has seen and when."""
    parts = urlsplit(address)
    request = f"GET /events HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
    tabs = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=LINE_LIMIT)
        writer.write(request)
        await reader.readuntil(b"\r\n\r\n")
        tabs.append((reader, writer))  # a writer that nobody keeps closes its connection
    print("connected", flush=True)
    print(json.dumps(await asyncio.gather(*(_read(reader) for reader, _ in tabs))), flush=True)


async def _read(reader: asyncio.StreamReader) -> list[tuple[str, int, float]]:
    seen = []
    async for line in reader:
        if line.startswith(b'data: {"match"'):
            event = json.loads(line[6:])
            if "turn" in event:
                seen.append((event["match"], event["turn"], time.monotonic()))
    return seen


def run_once(text: str, *, is_watched: bool, tabs: int, sent: Seen | None = None) -> tuple[float, list[Seen]]:
    """One tournament on a loop and in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        return loop.run(play(text, Path(folder), is_watched=is_watched, tabs=tabs, sent=sent))


def print_costs(pairs: int) -> None:
    """With tabs and without a page in turn, and the mean of the differences."""
    figures: dict[int, list[float]] = {0: [], TABS: []}
    for number in range(pairs):
        for tabs in (0, TABS) if number % 2 else (TABS, 0):
            figures[tabs].append(run_once(LOCKSTEP, is_watched=tabs > 0, tabs=tabs)[0])
    more = [100 * (log(own) - log(without)) for without, own in zip(figures[0], figures[TABS], strict=True)]
    error = stdev(more) / sqrt(len(more))
    told = f"{mean(more):+.1f} % ({mean(more) - NORMAL * error:+.1f} to {mean(more) + NORMAL * error:+.1f} %)"
    rows = [
        ["no page", f"{min(figures[0]):.0f}", f"{median(figures[0]):.0f}", ""],
        [f"page, {TABS} tabs", f"{min(figures[TABS]):.0f}", f"{median(figures[TABS]):.0f}", told],
    ]
    heading = ["way", "least", "median", f"more, mean of {pairs} pairs"]
    print_table("Referee in bomber, watched: CPU µs per seat-turn", heading, rows)


def print_own_work() -> None:
    """What the referee does for the page itself, however many tabs there are: lines and packets, on recorded turns."""
    record = simulate("bomber", ["bomber/wanderer", "random"], seed=3, params={"max_ticks": 300}).record
    game = games.make("bomber", record.header.params, seats=2)

    def work() -> None:
        told: list[TurnLine | FaultLine] = []
        broadcast = Broadcast(run="cup", match_id="0" * 16, game=game, has_views=False, has_lines=True)
        for line in record.lines:
            told.append(line)
            for topic, payload in broadcast.turn(None, told):
                publish_packet(topic, payload)

    least_us = min(timeit.repeat(work, number=10, repeat=7)) / 10 / len(record.lines) * 1e6
    print_table("The referee's own work for the page", ["µs of CPU a turn"], [[f"{least_us:.1f}"]])


def print_lags() -> None:
    """Of all tabs, from the referee's message to the event in the tab."""
    sent: Seen = {}
    _, tabs = run_once(REAL_TIME, is_watched=True, tabs=TABS, sent=sent)
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
    parser.add_argument("--tabs", type=int, default=0, help="be so many tabs")
    parser.add_argument("--at", default="", help="of this page")
    parser.add_argument("--only", choices=("costs", "work", "lags"), help="measure this alone")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of runs with and without tabs")
    given = parser.parse_args()
    if given.tabs:
        asyncio.run(watch(given.at, given.tabs))
        return
    tables = {"costs": lambda: print_costs(given.pairs), "work": print_own_work, "lags": print_lags}
    for name, print_one in tables.items():
        if given.only in (None, name):
            print_one()


if __name__ == "__main__":
    main()
