"""What a bot in the sandbox can and cannot do, asked of a bot in the sandbox."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.broker import Broker, bot_account, open_broker, referee_account
from runner.config.values import BrokerConfig, ResourceLimits
from runner.processes.process import Launch, start_process
from runner.processes.sandbox import check_sandbox, package_paths, sandbox_command
from runner.processes.tree import sample_tree
from runner.wire.bus.mqtt import MqttBus
from runner.wire.errors import ConfigError
from tests.e2e.waiting import is_running, until


def why_not() -> str:
    try:
        check_sandbox()
    except ConfigError as error:
        return str(error)
    return ""


pytestmark = [pytest.mark.e2e, pytest.mark.skipif(bool(why_not()), reason=f"no sandbox here: {why_not()}")]

Ask = Callable[..., Awaitable[Any]]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    (tmp_path / "own").mkdir()
    return Launch(
        "knight.0",
        (sys.executable, "-S", "-c", ""),
        {},
        tmp_path / "knight.log",
        ResourceLimits(memory_mb=200, cpu_s=None),
        tmp_path / "own",
        sandbox=True,
    )


@pytest.fixture
def ask(launch: Launch) -> Ask:
    """The value of a Python expression, as a process in the sandbox finds it; an OSError is its class name."""

    async def evaluate(expression: str, **changes: Any) -> Any:
        code = f"""
import json, os, pathlib, socket
try:
    print(json.dumps({expression}))
except OSError as error:
    print(json.dumps(type(error).__name__))
"""
        process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code), **changes))
        exited = await process.wait()
        assert exited.code == 0, (exited, launch.stderr.read_text())
        return json.loads(launch.stderr.read_text().splitlines()[-1])

    return evaluate


async def test_other_processes_are_invisible(ask: Ask) -> None:
    visible = await ask("[int(name) for name in os.listdir('/proc') if name.isdecimal()]")
    assert os.getpid() not in visible
    assert len(visible) == 2  # bubblewrap and the bot


async def test_a_tcp_connection_to_loopback_is_refused(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert await ask(f"str(socket.create_connection(('127.0.0.1', {port}), 5))") == "ConnectionRefusedError"


async def test_there_is_no_interface_but_loopback(ask: Ask) -> None:
    assert await ask("[name for _, name in socket.if_nameindex()]") == ["lo"]


OF_OTHERS = [
    ROOT / "pyproject.toml",
    ROOT / "tests",
    Path("/etc/passwd"),
    Path("/home"),
    Path("/proc/1/root", "etc", "passwd"),
]


@pytest.mark.parametrize("path", OF_OTHERS, ids=str)
async def test_files_of_others_are_not_there(ask: Ask, path: Path) -> None:
    assert await ask(f"[os.path.exists(path) for path in ({str(path)!r}, '/usr/bin')]") == [False, True]


async def test_of_home_only_the_python_installation_is_there(ask: Ask) -> None:
    home = Path.home()
    assert await ask("os.path.expanduser('~')") == "/tmp"
    inside = await ask(f"os.listdir({str(home)!r})")
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    needed = {path.relative_to(home).parts[0] for path in prefixes if path.is_relative_to(home)}
    assert inside == "FileNotFoundError" or set(inside) <= needed


async def test_its_own_files_can_be_read_but_not_written(ask: Ask, launch: Launch, tmp_path: Path) -> None:
    (tmp_path / "own" / "book.txt").write_text("e4")
    readable = {"sandbox_paths": (launch.folder,)}
    assert await ask("pathlib.Path('book.txt').read_text()", **readable) == "e4"
    assert await ask("pathlib.Path('book.txt').write_text('d4')", **readable) == "OSError"


async def test_its_folder_is_empty_unless_it_is_made_readable(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "own" / "secret.txt").write_text("x")
    assert await ask("[os.getcwd(), os.listdir()]") == [str(tmp_path / "own"), []]


async def test_the_system_cannot_be_written(ask: Ask) -> None:
    assert await ask("pathlib.Path('/usr/x').write_text('x')") == "OSError"


async def test_tmp_is_its_own(ask: Ask, tmp_path: Path) -> None:
    written, names = await ask("[pathlib.Path('/tmp/x').write_text('x'), os.listdir('/tmp')]")
    mounted = {path.parts[2] for path in (tmp_path, ROOT) if path.parts[:2] == ("/", "tmp")}
    assert written == 1
    assert "x" in names
    assert set(names) - {"x"} <= mounted


async def test_our_packages_can_be_made_readable(ask: Ask) -> None:
    paths = package_paths()
    assert {path.name for path in paths} == {"bots", "games", "gridjoust", "runner"}
    expression = "__import__('importlib').import_module('games.grid').__name__"
    changes = {"sandbox_paths": paths, "environment": {"PYTHONPATH": str(ROOT)}}
    assert await ask(expression, **changes) == "games.grid"


BOT = """
import asyncio, os
from runner.wire.bus import Address
from runner.wire.bus.mqtt import MqttBus

async def main():
    address = Address("127.0.0.1", int(os.environ["PORT"]), socket=os.environ["JOUST_SOCKET"])
    user, password = os.environ["JOUST_USER"], os.environ["JOUST_PASSWORD"]
    async with MqttBus(address, user=user, password=password, client_id=user) as bus:
        await bus.publish(os.environ["JOUST_TOPIC"] + "/out", b"hello from inside")

asyncio.run(main())
"""


@pytest.mark.parametrize("kind", ["mosquitto", "embedded"])
async def test_a_bot_inside_plays_over_the_unix_socket(kind: Any, launch: Launch, tmp_path: Path) -> None:
    if kind == "mosquitto" and not shutil.which("mosquitto"):
        pytest.skip("mosquitto is not on PATH")
    knight, referee = bot_account("cup", "knight.0"), referee_account("cup")
    config = BrokerConfig(use=kind)
    async with open_broker(config, run="cup", accounts=[knight, referee], folder=tmp_path) as broker:
        heard: list[bytes] = []
        bus = MqttBus(broker.address, user=referee.user, password=referee.password, client_id="referee")
        async with bus:
            await bus.subscribe(knight.write[0], lambda topic, payload: heard.append(payload))
            inside = replace(
                launch,
                command=(sys.executable, "-c", BOT),
                environment=environment_of(broker, knight.user, knight.password),
                sandbox_paths=package_paths(),
                socket=Path(broker.address.socket or ""),
            )
            exited = await (await start_process(inside)).wait()
            assert (exited.code, launch.stderr.read_text()) == (0, "")
            await until(lambda: bool(heard))
    assert heard == [b"hello from inside"]


def environment_of(broker: Broker, user: str, password: str) -> dict[str, str]:
    return {
        "PORT": str(broker.address.port),
        "JOUST_SOCKET": broker.address.socket or "",
        "JOUST_USER": user,
        "JOUST_PASSWORD": password,
        "JOUST_TOPIC": "joust/cup/bot/knight.0",
        "PYTHONPATH": str(ROOT),
    }


async def test_killing_it_kills_everything_inside(launch: Launch) -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', 'import time; time.sleep(600)'])"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    family: list[int] = []

    def is_complete() -> bool:
        sample = sample_tree(process.pid)
        family[:] = sample.pids if sample else ()
        return len(family) == 4  # bubblewrap outside and inside, the bot, its child

    await until(is_complete)
    process.kill()
    assert (await process.wait()).reason == "killed by the runner"
    await until(lambda: not any(is_running(pid) for pid in family))


async def test_a_crash_inside_is_named_by_its_signal(launch: Launch) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    assert (await process.wait()).reason == "killed by SIGSEGV"


async def test_memory_inside_is_limited(launch: Launch) -> None:
    code = "import time; block = bytearray(300 << 20); time.sleep(600)"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    assert (await process.wait()).reason.endswith(" of 200 MB")


def test_without_bubblewrap_the_user_is_told(launch: Launch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="expected bwrap"):
        sandbox_command((sys.executable,), folder=tmp_path)


def test_a_path_that_does_not_exist_is_named(launch: Launch, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"sandbox: expected an existing file or folder, got '.*nowhere'"):
        sandbox_command((sys.executable,), folder=tmp_path, readable=[tmp_path / "nowhere"])
