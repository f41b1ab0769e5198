"""A broker that stands still: nobody is blamed, what it spoilt is played again, and one that stays so ends the run."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Sequence
from functools import reduce
from pathlib import Path

import psutil
import pytest

from gridjoust.in_process import InProcessLauncher
from gridjoust.runner.plan import Backend, Plan, prepare_folder
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.runner.wire.bus.memory import MemoryBroker
from gridjoust.runner.wire.errors import BrokerError
from tests.doubles.virtual_time import in_virtual_time
from tests.e2e.bot_on_wire import BROKERS
from tests.runner.memory_cup import Open, make_cup, play_cup

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 40}}]
format: {rounds: 4}
time: {turn_ms: TURN_MS, start_ms: START_MS}
faults: {limit: 1, on_limit: disqualify}
execution: {parallel: 2}
broker: {use: BROKER}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""
MATCHES = 8


def cup(folder: Path, *, turn_ms: int = 300, start_ms: int = 200, broker: str = "auto") -> Plan:
    words = {"TURN_MS": str(turn_ms), "START_MS": str(start_ms), "BROKER": broker}
    return make_cup(reduce(lambda text, word: text.replace(*word), words.items(), CUP), folder)


class StallingBroker(MemoryBroker):
    """Stands still once, from the first message that holds `on`: like a stopped process, it delivers all afterwards."""

    def __init__(self, on: str, stall_s: float) -> None:
        super().__init__()
        self.has_stalled = False
        self._on, self._stall_s = on.encode(), stall_s
        self._kept: list[tuple[str, bytes]] | None = None

    def deliver(self, topic: str, payload: bytes) -> None:
        if not self.has_stalled and self._on in payload:
            self.has_stalled, self._kept = True, []
            asyncio.get_running_loop().call_later(self._stall_s, self._go_on)
        if self._kept is None:
            super().deliver(topic, payload)
        else:
            self._kept.append((topic, payload))

    def _go_on(self) -> None:
        kept, self._kept = self._kept or [], None
        for topic, payload in kept:
            super().deliver(topic, payload)


def stalling(*, on: str, stall_s: float) -> Open:
    """A backend in this process, over a broker that stands still once."""

    @contextlib.asynccontextmanager
    async def open_it(plan: Plan) -> AsyncIterator[Backend]:
        broker = StallingBroker(on, stall_s)
        async with broker.connect() as bus:
            lost = asyncio.get_running_loop().create_future()
            yield Backend(plan.loaded, bus, InProcessLauncher(broker, plan.run), lost)
            assert broker.has_stalled

    return open_it


def check_innocence(played: list[Played]) -> None:
    """Every match ended by its rules without a fault; at least one had to be played again."""
    ends = [match.record.end for match in played]
    assert [end.termination.value for end in ends] == ["completed"] * MATCHES
    assert {fault for end in ends for fault in end.faults} == {0}
    assert max(match.record.usage.attempts for match in played) > 1


@pytest.mark.default("turn")
@pytest.mark.parametrize("message", ["hello", "start", "turn"])
@in_virtual_time
async def test_a_stall_in_starting_seating_or_playing_costs_nobody_anything(message: str, tmp_path: Path) -> None:
    plan = cup(tmp_path)
    check_innocence(await play_cup(plan, open_it=stalling(on=f'"type":"{message}"', stall_s=0.5)))


@pytest.mark.gate
@in_virtual_time
async def test_a_broker_that_stays_silent_ends_the_run_which_can_be_resumed(
    tmp_path: Path,
) -> None:
    open_it = stalling(on='"turn":7', stall_s=3_000)
    with pytest.raises(BaseExceptionGroup) as failed:
        await play_cup(cup(tmp_path), open_it=open_it)
    [error] = failed.value.exceptions
    assert isinstance(error, BrokerError)
    assert str(error) == "the broker has not answered for 60 s; continue with --resume"
    played = await play_cup(cup(tmp_path), resume=True)
    assert [match.record.end.faults for match in played] == [[0, 0]] * MATCHES


@pytest.mark.gate
@pytest.mark.e2e
@pytest.mark.parametrize("broker", BROKERS)
async def test_a_stopped_broker_process_costs_nobody_anything(
    broker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = cup(tmp_path, turn_ms=2_000, start_ms=60_000, broker=broker)  # longer than a busy machine takes
    stopped: list[psutil.Process] = []

    def stop_broker() -> None:
        [process] = [
            child
            for child in psutil.Process().children()
            if any(
                word.endswith(("mosquitto.conf", "gridjoust.runner.broker.embedded_server")) for word in child.cmdline()
            )
        ]
        process.send_signal(signal.SIGSTOP)
        asyncio.get_running_loop().call_later(2.5, process.send_signal, signal.SIGCONT)
        stopped.append(process)

    played: list[Played] = []
    prepared = prepare_folder(plan, resume=False)
    async with open_backend(prepared) as backend:
        post = backend.bus.post

        def post_once_stopped(messages: Sequence[tuple[str, bytes]]) -> None:
            if not stopped and any(b'"turn":7' in payload for _, payload in messages):
                stop_broker()  # somebody's time runs now, whatever the other match is at
            post(messages)

        monkeypatch.setattr(backend.bus, "post", post_once_stopped)
        await run_tournament(prepared, backend, on_played=played.append)
    assert stopped
    check_innocence(played)
