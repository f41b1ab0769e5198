"""Measure how many answers a second the referee gets, and what one costs: `python -m benchmarks.messaging`.

16 bots, each in its own process, are asked all the time; a question has 2 KB, an answer 100 bytes, and the bots do not
think. All rows are measured in one run, interleaved, each in a fresh process; the table has the medians. Costs are CPU
time of the referee, the broker and the bots together, per answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import psutil

from gridjoust.runner.broker import Account, bot_account, open_broker, referee_account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.protocol import bot_prefix

RUN = "bench"
QUESTION, ANSWER = b"q" * 2048, b"a" * 100
WARM_UP_S, WINDOW_S = 0.4, 1.5

Exchange = Callable[[], Awaitable[None]]  # one question to one bot and its answer
Json = Any


@dataclass(frozen=True, slots=True)
class Row:
    """One method to carry messages, the same in the referee and in the bots."""

    name: str
    client: str  # naive, public, bus or streams
    broker: str  # mosquitto, embedded or none
    socket: bool  # unix socket instead of TCP


ROWS = (
    Row("aiomqtt as in its manual", "naive", "mosquitto", socket=True),
    Row("MqttBus, public interface only", "public", "mosquitto", socket=True),
    Row("MqttBus", "bus", "mosquitto", socket=True),
    Row("MqttBus", "bus", "mosquitto", socket=False),
    Row("MqttBus", "bus", "embedded", socket=True),
    Row("streams, no broker: the limit", "streams", "none", socket=True),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement: answers a second over all bots, CPU microseconds per answer."""

    answers_per_s: float
    referee_us: float
    broker_us: float
    bots_us: float


async def measure(row: Row, bot_count: int) -> Measured:
    """Start broker and bots, ask questions for a while; return the rate of answers and their cost."""
    names = [f"bot.{number}" for number in range(bot_count)]
    with tempfile.TemporaryDirectory(prefix="jb-") as scratch:
        opened = open_streams(row, names, Path(scratch)) if row.client == "streams" else open_mqtt(row, names, scratch)
        async with opened as (exchanges, bot_pids, broker_pids):
            answers = [0]
            askers = [asyncio.create_task(ask_for_ever(exchange, answers)) for exchange in exchanges]
            await asyncio.sleep(WARM_UP_S)
            before = (time.perf_counter(), answers[0], time.process_time(), cpu_s(broker_pids), cpu_s(bot_pids))
            await asyncio.sleep(WINDOW_S)
            after = (time.perf_counter(), answers[0], time.process_time(), cpu_s(broker_pids), cpu_s(bot_pids))
            for asker in askers:
                asker.cancel()
    passed_s, count, *costs_s = (end - start for start, end in zip(before, after, strict=True))
    return Measured(count / passed_s, *(1e6 * cost / max(count, 1) for cost in costs_s))


async def ask_for_ever(exchange: Exchange, answers: list[int]) -> None:
    """Ask questions and count answers for ever; several such loops run concurrently."""
    while True:
        await exchange()
        answers[0] += 1


def cpu_s(pids: list[int]) -> float:
    """Return the user and system time of these processes, summed, in s."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return float(sum(time.user + time.system for time in times))


Opened = tuple[list[Exchange], list[int], list[int]]


@asynccontextmanager
async def open_mqtt(row: Row, names: list[str], scratch: str) -> AsyncIterator[Opened]:
    """Open a broker with the bots on it, and one exchange per bot."""
    accounts = [bot_account(RUN, name) for name in names]
    referee = referee_account(RUN)
    config = BrokerConfig(use=row.broker)  # type: ignore[arg-type]
    async with AsyncExitStack() as stack:
        opened = open_broker(config, run=RUN, accounts=[referee, *accounts], folder=Path(scratch))
        broker = await stack.enter_async_context(opened)
        broker_pids = [child.pid for child in psutil.Process().children()]
        address = broker.address if row.socket else Address(broker.address.host, broker.address.port)
        connect = naive_referee if row.client == "naive" else bus_referee
        exchanges, ready = await stack.enter_async_context(connect(row, address, referee, names))
        bots = [
            await start_bot(stack, row, address, account, name, scratch)
            for account, name in zip(accounts, names, strict=True)
        ]
        await ready()
        yield exchanges, bots, broker_pids


async def start_bot(
    stack: AsyncExitStack, row: Row, address: Address, account: Account | None, name: str, scratch: str
) -> int:
    """Start one bot process, which is killed when the stack closes; return its process number."""
    user, password = (account.user, account.password) if account else ("", "")
    settings = {
        "row": asdict(row),
        "address": msgspec.structs.asdict(address),
        "user": user,
        "password": password,
        "name": name,
    }
    command = (sys.executable, "-m", "benchmarks.messaging", "--as-bot", json.dumps(settings))
    source = {"PYTHONPATH": str(Path(__file__).parents[1])}
    no_limits = ResourceLimits(memory_mb=None, cpu_s=None)
    launch = Launch(name, command, source, Path(scratch, f"{name}.log"), no_limits, Path(scratch))
    process = await start_process(launch)
    stack.push_async_callback(process.stop, patience_s=0)
    return process.pid


class Mailboxes:
    """The futures of the next answers, by bot."""

    def __init__(self, bot_count: int) -> None:
        self._bot_count = bot_count
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._born: set[str] = set()
        self._all_born = asyncio.Event()

    def on_message(self, topic: str, payload: bytes) -> None:
        """Note an answer, or the first message of a bot."""
        if payload == b"born":
            self._born.add(topic)
            if len(self._born) == self._bot_count:
                self._all_born.set()
            return
        waiting = self._waiting.get(topic)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def expect(self, topic: str) -> asyncio.Future[None]:
        """Return a future for the next answer on a topic."""
        future = self._waiting[topic] = asyncio.get_running_loop().create_future()
        return future

    async def all_born(self) -> None:
        """Wait until every bot has connected; TimeoutError after a minute."""
        async with asyncio.timeout(60):
            await self._all_born.wait()


Referee = AsyncIterator[tuple[list[Exchange], Callable[[], Coroutine[Any, Any, None]]]]


@asynccontextmanager
async def bus_referee(row: Row, address: Address, account: Account, names: list[str]) -> Referee:
    """Connect a referee by the project's bus."""
    mailboxes = Mailboxes(len(names))
    async with make_bus(row, address, account.user, account.password) as bus:
        await bus.subscribe(f"{bot_prefix(RUN, '+')}/out", mailboxes.on_message)

        def exchange_with(prefix: str) -> Exchange:
            async def exchange() -> None:
                answered = mailboxes.expect(f"{prefix}/out")
                await bus.publish(f"{prefix}/in", QUESTION)
                await answered

            return exchange

        yield [exchange_with(bot_prefix(RUN, name)) for name in names], mailboxes.all_born


@asynccontextmanager
async def naive_referee(_row: Row, address: Address, account: Account, names: list[str]) -> Referee:
    """Connect a referee with aiomqtt as in its manual: the messages iterator and `publish`."""
    import aiomqtt

    mailboxes = Mailboxes(len(names))
    async with make_client(address, account.user, account.password) as client:
        await client.subscribe(f"{bot_prefix(RUN, '+')}/out")

        async def listen() -> None:
            async for message in client.messages:
                assert isinstance(message, aiomqtt.Message)
                mailboxes.on_message(message.topic.value, bytes(message.payload))

        def exchange_with(prefix: str) -> Exchange:
            async def exchange() -> None:
                answered = mailboxes.expect(f"{prefix}/out")
                await client.publish(f"{prefix}/in", QUESTION)
                await answered

            return exchange

        listener = asyncio.create_task(listen())
        yield [exchange_with(bot_prefix(RUN, name)) for name in names], mailboxes.all_born
        listener.cancel()


@asynccontextmanager
async def open_streams(row: Row, names: list[str], scratch: Path) -> AsyncIterator[Opened]:
    """Open a server without a broker: every bot connects to the referee's unix socket."""
    connections: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

    def exchange_over(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Exchange:
        async def exchange() -> None:
            writer.write(QUESTION)
            await reader.readexactly(len(ANSWER))

        return exchange

    path = str(scratch / "s")
    server = await asyncio.start_unix_server(lambda *connection: connections.put_nowait(connection), path)
    async with server, AsyncExitStack() as stack:
        address = Address("", 0, socket=path)
        bots = [await start_bot(stack, row, address, None, name, str(scratch)) for name in names]
        pairs = [await connections.get() for _ in names]
        yield [exchange_over(*pair) for pair in pairs], bots, []
        for _, writer in pairs:
            writer.close()


def make_client(address: Address, user: str, password: str) -> Any:
    """Return an aiomqtt client on the fastest connection to the broker."""
    import aiomqtt

    if address.socket:
        return aiomqtt.Client(address.socket, 1883, transport="unix", username=user, password=password)
    return aiomqtt.Client(address.host, address.port, username=user, password=password)


def no_direct_line(client: Any, receive: Any) -> None:
    """Do nothing; it takes the place of `direct_line`, so that the bus uses only the public interface of aiomqtt."""


def make_bus(row: Row, address: Address, user: str, password: str) -> MqttBus:
    """Return the project's bus; `public` switches off what goes beyond aiomqtt's public interface."""
    if row.client == "public":
        import gridjoust.runner.wire.bus.direct as bus_direct

        bus_direct.direct_line = no_direct_line
    return MqttBus(address, user=user, password=password, client_id=user)


async def run_bot(settings: Json) -> None:
    """Answer for ever, by the row's method."""
    row, address = Row(**settings["row"]), Address(**settings["address"])
    prefix = bot_prefix(RUN, settings["name"])
    if row.client == "streams":
        await run_stream_bot(address)
    elif row.client == "naive":
        await run_naive_bot(make_client(address, settings["user"], settings["password"]), prefix)
    else:
        await run_bus_bot(make_bus(row, address, settings["user"], settings["password"]), prefix)


async def run_bus_bot(bus: MqttBus, prefix: str) -> None:
    """Run a bot on the project's bus."""
    arrived: asyncio.Queue[bytes] = asyncio.Queue()
    async with bus:
        await bus.subscribe(f"{prefix}/in", lambda _topic, payload: arrived.put_nowait(payload))
        await bus.publish(f"{prefix}/out", b"born")
        while True:
            await arrived.get()
            await bus.publish(f"{prefix}/out", ANSWER)


async def run_naive_bot(client: Any, prefix: str) -> None:
    """Run a bot with aiomqtt as in its manual."""
    async with client:
        await client.subscribe(f"{prefix}/in")
        await client.publish(f"{prefix}/out", b"born")
        async for _ in client.messages:
            await client.publish(f"{prefix}/out", ANSWER)


async def run_stream_bot(address: Address) -> None:
    """Run a bot on a plain stream."""
    reader, writer = await asyncio.open_unix_connection(address.socket)
    while True:
        await reader.readexactly(len(QUESTION))
        writer.write(ANSWER)


def measure_in_child(row: Row, bot_count: int) -> Measured:
    """Return what one row measures in a fresh process."""
    settings = json.dumps({"row": asdict(row), "bots": bot_count})
    command = [sys.executable, "-m", "benchmarks.messaging", "--as-referee", settings]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{row}: {done.stderr}")
    return Measured(**json.loads(done.stdout))


def print_table(results: dict[Row, list[Measured]]) -> None:
    """Print a table with the medians of every row."""
    print("| messages carried by | broker, over | answers/s | referee µs | broker µs | bots µs |")
    print("|---|---|---|---|---|---|")
    for row, measured in results.items():
        over = f"{row.broker}, {'unix socket' if row.socket else 'TCP'}"
        medians = (
            statistics.median(getattr(one, column) for one in measured)
            for column in ("answers_per_s", "referee_us", "broker_us", "bots_us")
        )
        print(f"| {row.name} | {over} | " + " | ".join(f"{value:,.0f}" for value in medians) + " |")


def main() -> None:
    """Measure all rows, interleaved, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--bots", type=int, default=16)
    parser.add_argument("--as-bot", help=argparse.SUPPRESS)
    parser.add_argument("--as-referee", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.as_bot:
        settings = json.loads(arguments.as_bot)
        asyncio.run(run_bot(settings))
    elif arguments.as_referee:
        settings = json.loads(arguments.as_referee)
        row = Row(**settings["row"])
        print(json.dumps(asdict(asyncio.run(measure(row, settings["bots"])))))
    else:
        results: dict[Row, list[Measured]] = {row: [] for row in ROWS}
        for _ in range(arguments.repeats):
            for row in ROWS:
                results[row].append(measure_in_child(row, arguments.bots))
        print_table(results)


if __name__ == "__main__":
    main()
