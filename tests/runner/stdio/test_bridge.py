"""A process on its pipes at one end, a bus at the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.process import BotProcess, start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.stdio import bridge as bridge_module
from gridjoust.runner.stdio import pipes as pipes_module
from gridjoust.runner.stdio.bridge import Bridge, Showing
from gridjoust.runner.stdio.pipes import Pipes, open_pipes
from gridjoust.runner.wire.bus.memory import MemoryBroker, MemoryBus
from gridjoust.runner.wire.inbox import SHOWN_EVERY_S, Pace
from gridjoust.runner.wire.protocol import SHOWN_LIMIT_BYTES

PREFIX = "joust/cup/bot/b.0"
PATIENCE_S = 60.0
READ = "import json, sys\nfor line in sys.stdin:\n    m = json.loads(line)\n"
LEAST = READ + "    if 'legal' in m: print(json.dumps({'action': m['legal'][0]}))\n"

StartProgram = Callable[[str], Awaitable[BotProcess]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[StartProgram]:
    """Starts Python code with pipes; ended when the test is."""
    started: list[BotProcess] = []

    async def start_program(code: str) -> BotProcess:
        command = (sys.executable, "-S", "-u", "-c", code)
        launch = Launch("b.0", command, {}, tmp_path / "b.log", ResourceLimits(), tmp_path, is_piped=True)
        started.append(await start_process(launch))
        return started[-1]

    yield start_program
    for process in started:
        process.kill()
        await process.wait()


async def until(is_so: Callable[[], bool]) -> None:
    """It comes true."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if is_so():
                return
            await asyncio.sleep(0.005)


async def pipes_of(process: BotProcess, *, streams_search: bool = False) -> Pipes:
    assert process.stdin is not None
    assert process.stdout is not None
    return await open_pipes(process.stdin, process.stdout, streams_search=streams_search)


@dataclass(slots=True)
class Referee:
    """The other end of the bus."""

    bus: MemoryBus
    heard: asyncio.Queue[dict[str, Any]]
    bridge: asyncio.Task[None]

    async def send(self, **message: Any) -> None:
        await self.bus.publish(f"{PREFIX}/in", json.dumps(message, separators=(",", ":")).encode())

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            return await self.heard.get()

    async def ask(self, number: int) -> None:
        await self.send(type="turn", match="m", ask=number, seat=0, legal=["up", "down"])


@contextlib.asynccontextmanager
async def refereed(process: BotProcess, *, streams_search: bool = False) -> AsyncIterator[Referee]:
    """A bridge that is up, its birth heard."""
    broker = MemoryBroker()
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    async with broker.connect() as bus:
        for topic in ("out", "status", "shown"):
            await bus.subscribe(f"{PREFIX}/{topic}", lambda _, payload: heard.put_nowait(json.loads(payload)))
        bridge = Bridge(
            process,
            await pipes_of(process, streams_search=streams_search),
            prefix=PREFIX,
            streams_search=streams_search,
        )
        task = asyncio.create_task(bridge.run(lambda on_lost: broker.connect(on_lost=on_lost)))
        referee = Referee(bus, heard, task)
        assert await referee.next() == {"online": True}
        yield referee
        process.kill()
        await task


async def test_a_bot_that_knows_actions_alone_plays_a_match_and_leaves_when_told(start: StartProgram) -> None:
    process = await start(LEAST)
    async with refereed(process) as referee:
        await referee.send(type="hello", protocol=1, run="cup", bot="b")
        assert (await referee.next())["match"] is None
        await referee.send(type="start", match="m", dynamics="sequential")
        ready = await referee.next()
        assert (ready["type"], ready["match"]) == ("ready", "m")
        for number in (3, 2):
            await referee.ask(number)
            answer = await referee.next()
            assert (answer["type"], answer["ask"], answer["action"]) == ("action", number, "up")
        await referee.send(type="stop")
        assert await referee.next() == {"online": False}
        assert (await process.wait()).reason == "exited with code 0"


async def test_who_says_ready_is_waited_for(start: StartProgram) -> None:
    code = READ + "    if m['type'] in ('hello', 'start'): print(json.dumps({'type': 'ready', 'version': '7'}))\n"
    async with refereed(await start(code)) as referee:
        await referee.send(type="hello", protocol=1, run="cup", bot="b")
        assert (await referee.next())["version"] == "7"
        await referee.send(type="start", match="m", dynamics="sequential")
        ready = await referee.next()
        assert (ready["version"], ready["match"]) == ("7", "m")


async def test_a_line_without_end_is_a_fault_of_which_nothing_is_kept_and_the_next_line_counts(
    start: StartProgram,
) -> None:
    code = READ + "    print('x' * 500_000 if m['ask'] == 1 else json.dumps({'action': 'up', 'ask': m['ask']}))\n"
    async with refereed(await start(code)) as referee:
        await referee.ask(1)
        fault = await referee.next()
        assert (fault["type"], fault["ask"]) == ("error", 1)
        assert fault["message"].endswith("got a longer one")
        await referee.ask(2)
        assert (await referee.next())["action"] == "up"


SHOWING = READ + "    print(json.dumps({'action': 'up', 'shown': [{'data': 'x' * 1000 * m['ask']}]}))\n"


async def test_where_somebody_looks_what_an_answer_shows_follows_it_by_itself(start: StartProgram) -> None:
    async with refereed(await start(SHOWING), streams_search=True) as referee:
        await referee.ask(1)
        assert (await referee.next()).keys() == {"type", "match", "ask", "seat", "seq", "action"}
        assert await referee.next() == {"match": "", "seat": 0, "shown": [{"data": "x" * 1000}]}
        await referee.ask(200)  # more than an answer may have
        assert (await referee.next())["action"] == "up"


async def test_where_nobody_looks_an_answer_stays_as_it_is(start: StartProgram) -> None:
    async with refereed(await start(SHOWING)) as referee:
        await referee.ask(1)
        assert len((await referee.next())["shown"][0]["data"]) == 1000


async def test_a_line_that_is_no_answer_is_noted_in_the_log_and_the_answer_counts(start: StartProgram) -> None:
    process = await start(LEAST.replace("print(", "print('I go up'); print("))
    async with refereed(process) as referee:
        await referee.ask(1)
        assert (await referee.next())["action"] == "up"
        assert process._launch.stderr.read_text() == "==== standard output: I go up\n"


async def test_what_is_printed_without_a_line_end_at_last_counts(start: StartProgram) -> None:
    async with refereed(await start(READ + "    print('{\"action\": \"up\"}', end=''); break\n")) as referee:
        await referee.ask(1)
        assert (await referee.next())["action"] == "up"


async def test_who_closes_its_output_is_ended_with_the_reason(
    start: StartProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_module, "PARTING_S", 0.1)
    process = await start("import os, time\nos.close(1)\ntime.sleep(60)")
    async with refereed(process):
        ended = await process.wait()
        assert ended.reason == "killed: closed its standard output, where answers are expected"


async def test_a_bot_without_a_broker_is_ended_with_the_reason(start: StartProgram) -> None:
    process = await start(LEAST)
    broker = MemoryBroker()
    bridge = Bridge(process, await pipes_of(process), prefix=PREFIX)
    task = asyncio.create_task(bridge.run(lambda on_lost: broker.connect(on_lost=on_lost)))
    await until(lambda: bool(broker.buses))
    broker.stop("gone")
    await task
    assert (await process.wait()).reason == "killed: its connection to the broker was lost"


async def test_a_flood_is_read_as_fast_as_the_bot_may_send(
    start: StartProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes_module, "BURST_LINES", 5)
    monkeypatch.setattr(pipes_module, "LINES_PER_S", 1e-9)
    pipes = await pipes_of(await start("while True: print('{}')"))
    read: list[bytes | None] = []

    async def read_on() -> None:
        async for line in pipes.lines():
            read.append(line)

    reading = asyncio.create_task(read_on())
    await until(lambda: len(read) == 5)
    await asyncio.sleep(0.2)
    assert len(read) == 5
    assert pipes.written() < 2**20  # the rest is not even written: the bot waits
    for _ in range(10):  # each line that it is sent allows for more
        pipes.send(b"{}")
    await until(lambda: len(read) > 5)
    reading.cancel()


async def test_what_a_bot_does_not_read_is_bounded(start: StartProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes_module, "UNREAD_LIMIT", 200_000)
    process = await start("import time\ntime.sleep(60)")
    pipes = await pipes_of(process)
    line, sent = b"x" * 9_999, 0
    while pipes.can_take(len(line)):
        pipes.send(line)
        sent += 1
        await asyncio.sleep(0)
    assert pipes.has_unread()
    assert 200_000 <= sent * 10_000 <= 200_000 + 1_100_000  # what is kept here, and what fits into a pipe at the most


async def test_what_is_dropped_is_noted_in_the_log(start: StartProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes_module, "UNREAD_LIMIT", 0)
    process = await start("import time\ntime.sleep(60)")
    async with refereed(process) as referee:
        await referee.ask(1)
        log = process._launch.stderr
        await until(lambda: "does not read its standard input" in log.read_text())


@contextlib.asynccontextmanager
async def both_ends() -> AsyncIterator[tuple[Pipes, tuple[IO[bytes], IO[bytes]], tuple[int, int]]]:
    """Pipes without a bot, our two files, and the ends that are the bot's: of its input and its output."""
    (bots_input, our_end), (other_end, bots_output) = os.pipe(), os.pipe()
    stdin, stdout = os.fdopen(our_end, "wb", buffering=0), os.fdopen(other_end, "rb", buffering=0)
    yield await open_pipes(stdin, stdout), (stdin, stdout), (bots_input, bots_output)
    os.close(bots_input)
    os.close(bots_output)


async def test_pipes_close_at_once_whatever_a_descendant_of_the_bot_holds_open() -> None:
    async with both_ends() as (pipes, (stdin, stdout), _):
        while pipes.can_take(1 << 16):
            pipes.send(b"x" * (1 << 16))
        pipes.close_input()  # waits for what is unread
        pipes.close()
        await until(lambda: stdin.closed and stdout.closed)


async def test_pipes_that_are_closed_are_not_asked_by_numbers_that_others_have_by_then() -> None:
    async with both_ends() as (pipes, (stdin, stdout), (_, bots_output)):
        numbers = stdin.fileno(), stdout.fileno()
        os.write(bots_output, b"12345")
        assert pipes.written() == 5
        pipes.close()
        await until(lambda: stdin.closed and stdout.closed)
        others = os.pipe()
        os.write(others[1], b"of another bot")
        for number in numbers:
            os.dup2(others[0], number)
        assert pipes.written() == 0
        assert not pipes.has_unread()
        for number in {*others, *numbers}:
            os.close(number)


LAYER = {"name": "way", "kind": "path", "data": [0, 0, 1, 0]}


def answer_with(shown: object, *, seat: int = 0) -> bytes:
    return json.dumps({"type": "action", "match": "m", "seat": seat, "ask": 7, "action": "up", "shown": shown}).encode()


def test_the_answer_goes_on_without_its_layers_and_they_go_on_with_match_and_seat() -> None:
    bare, shown = Showing(lambda _: None).split(answer_with([LAYER]))
    assert json.loads(bare) == {"type": "action", "match": "m", "seat": 0, "ask": 7, "action": "up"}
    assert shown is not None
    assert json.loads(shown) == {"match": "m", "seat": 0, "shown": [LAYER]}


@pytest.mark.parametrize("text", [b'{"action":"up"}', b'{"action":"\\"shown\\""}', b'{"action":"shown","shown'])
def test_what_shows_nothing_stays_as_it_is(text: bytes) -> None:
    assert Showing(lambda _: None).split(text) == (text, None)


def test_layers_above_the_limit_are_dropped_and_the_log_says_so_once() -> None:
    marked: list[str] = []
    showing, longest = Showing(marked.append), "x" * (SHOWN_LIMIT_BYTES - 2)
    assert showing.split(answer_with(longest))[1] is not None
    for _ in range(2):
        bare, shown = showing.split(answer_with(longest + "x", seat=1))
        assert (json.loads(bare)["action"], shown) == ("up", None)
    assert marked == ["shown: expected at most 65536 bytes, got 65537: dropped, like all larger ones"]


def test_each_seat_is_shown_a_few_times_a_second_however_many_seats_a_bot_makes_up() -> None:
    now_s = 0.0
    pace = Pace(lambda: now_s)
    assert [pace.is_due(b"0"), pace.is_due(b"1"), pace.is_due(b"0")] == [True, True, False]
    now_s = SHOWN_EVERY_S
    assert pace.is_due(b"0")
    assert all(pace.is_due(b"%d" % seat) for seat in range(100, 1100))
    assert len(pace._passed_s) <= 64


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing came on standard output: did you flush?"),
        ("{", "the last line on standard output has no end: write a newline"),
        ("{}\n", ""),
    ],
)
async def test_a_bot_whose_answer_cannot_be_read_is_told_why(start: StartProgram, text: str, why: str) -> None:
    process = await start(f"import sys\nsys.stdout.write({text!r})\nsys.stdin.read()")
    pipes = await pipes_of(process)
    process.silence = pipes.silence
    await until(lambda: pipes.silence() == why)
    assert await process.place() == why
    pipes.close()
