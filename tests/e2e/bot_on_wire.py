"""A bot process at the other end of a real broker, talked to message by message as the referee would."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust.runner.broker import Broker, bot_account, child, open_broker, referee_account
from gridjoust.runner.broker.child import ChildCommand
from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.play.launch import bot_environment
from gridjoust.runner.processes.sandbox.bubblewrap import why_no_bubblewrap
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.mqtt import MqttBus

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "bots" / "examples"
NODE_MODULES = EXAMPLES / "node_modules"
PLAIN = (sys.executable, str(EXAMPLES / "plain.py"))
JAVASCRIPT = ("node", str(EXAMPLES / "random.mjs"))
RUN, SLOT = "cup", "guest.0"
PATIENCE_S = 180.0

needs_mosquitto = pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not on PATH")
BROKERS = [pytest.param("mosquitto", marks=[needs_mosquitto, pytest.mark.gate]), "embedded"]
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (NODE_MODULES / "mqtt").is_dir(),
    reason="expected node on PATH and `npm install --prefix bots/examples`",
)


NO_BUBBLEWRAP, NO_BUILT_IN = why_no_bubblewrap(), why_not_built_in()
needs_bubblewrap = pytest.mark.skipif(bool(NO_BUBBLEWRAP), reason=f"no bubblewrap here: {NO_BUBBLEWRAP}")
needs_built_in = pytest.mark.skipif(bool(NO_BUILT_IN), reason=f"no built-in sandbox here: {NO_BUILT_IN}")
needs_sandbox = pytest.mark.skipif(
    bool(NO_BUBBLEWRAP and NO_BUILT_IN), reason=f"no sandbox here: {NO_BUBBLEWRAP}; {NO_BUILT_IN}"
)

Message = dict[str, Any]


@pytest.fixture
def unforgiving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the broker and the proxy no allowance that grows with time: on slow machines it is never used up."""
    own_command = child._own_command

    def command(module: str, settings: Mapping[str, object]) -> ChildCommand:
        code = "from gridjoust.runner.broker import gate; gate.PACKETS_PER_S = gate.BYTES_PER_S = 0"
        code += f"; import {module} as m; m.main()"
        return replace(own_command(module, settings), command=(sys.executable, "-P", "-c", code))

    monkeypatch.setattr(child, "_own_command", command)


@dataclass(slots=True)
class Wire:
    """The referee's side: sends to one bot, takes what it says."""

    bus: MqttBus
    environment: Mapping[str, str]  # of the process
    process: asyncio.subprocess.Process
    heard: asyncio.Queue[tuple[str, Message]]

    async def send(self, message: Message) -> None:
        """To the bot."""
        await self.bus.publish(f"joust/{RUN}/bot/{SLOT}/in", json.dumps(message).encode())

    async def next(self) -> tuple[str, Message]:
        """What the bot says next: `out` or `status`, and the message."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.heard.get()

    async def ask(self, message: Message) -> Message:
        """Send, and take the answer."""
        await self.send(message)
        topic, answer = await self.next()
        assert topic == "out"
        return answer

    async def left(self) -> tuple[int, str]:
        """Exit code and all of stderr, once the process has left."""
        async with asyncio.timeout(PATIENCE_S):
            _, stderr = await self.process.communicate()
            return await self.process.wait(), stderr.decode()


@contextlib.asynccontextmanager
async def open_wire(
    command: tuple[str, ...], *, broker: str, folder: Path, is_tcp: bool = False, extra: Mapping[str, str] | None = None
) -> AsyncIterator[Wire]:
    """A broker and a bot process that has just been started."""
    config = msgspec.convert({"use": broker}, BrokerConfig)
    bot, referee = bot_account(RUN, SLOT), referee_account(RUN)
    async with open_broker(config, run=RUN, accounts=[referee, bot], folder=folder) as opened:
        heard: asyncio.Queue[tuple[str, Message]] = asyncio.Queue()

        def hear(topic: str, payload: bytes) -> None:
            heard.put_nowait((topic.rpartition("/")[2], json.loads(payload)))

        address = Address(opened.address.host, opened.address.port) if is_tcp else opened.address
        variables = {**bot_environment(address, config, RUN, SLOT, bot), **(extra or {})}
        async with connect(opened, referee.user, referee.password) as bus:
            for topic in ("out", "status"):
                await bus.subscribe(f"joust/{RUN}/bot/{SLOT}/{topic}", hear)
            environment = {"PATH": os.environ["PATH"], **variables}
            process = await start(command, environment)
            try:
                yield Wire(bus, environment, process, heard)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


async def start(command: tuple[str, ...], environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    """A bot process."""
    return await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.PIPE)


def connect(broker: Broker, user: str, password: str) -> MqttBus:
    """The referee's connection."""
    return MqttBus(broker.address, user=user, password=password, client_id=user)


def start_message(match: str = "m1", **changed: Any) -> Message:
    """A match of which the bot holds seats 0 and 2."""
    about = {"game": "eidolon", "game_version": "1", "variant": "sim1", "params": {}, "dynamics": "sequential"}
    seats = {"seats": [0, 2], "seat_count": 3, "teams": [0, 0, 0], "roles": ["", "", ""], "briefing": {"0": {}}}
    limits = {"turn_ms": 100, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000, "answer_bytes": 65536}
    given = {"bot_seed": 7_391_046_825_113, "options": {}, "limits": limits}
    return {"type": "start", "match": match, **about, **seats, **given, **changed}


def turn_message(ask: int, *, match: str = "m1", seat: int = 0) -> Message:
    """A question."""
    asked = {"match": match, "ask": ask, "seat": seat, "turn": ask, "observation": {}, "legal": ["a", "b", "c", "d"]}
    return {"type": "turn", **asked, "legal_complete": True, "limit_ms": 100}
