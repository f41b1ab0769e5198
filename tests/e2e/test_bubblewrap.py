"""What a bot in the sandbox can and cannot do, asked of a bot in the sandbox."""

from __future__ import annotations

import functools
import os
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.broker import bot_account, open_broker, referee_account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits
from gridjoust.runner.play.launch import bot_environment
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.sandbox import OWN_MEMORY, Sandbox, package_paths
from gridjoust.runner.processes.sandbox.bubblewrap import sandbox_command
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.processes.tree import sample_tree
from gridjoust.runner.processes.users import FIRST, is_root
from gridjoust.runner.wire.errors import ConfigError
from tests.e2e.asking_inside import Ask, ask_inside, place_inside
from tests.e2e.bot_on_wire import BROKERS, connect, needs_bubblewrap
from tests.e2e.joust_process import is_running, until

pytestmark = [pytest.mark.e2e, needs_bubblewrap]

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
        sandbox=Sandbox.BUBBLEWRAP,
    )


@pytest.fixture
def ask(launch: Launch) -> Ask:
    return functools.partial(ask_inside, launch)


async def test_it_sees_no_other_process_no_interface_but_loopback_and_nobody_there(ask: Ask) -> None:
    visible = await ask("[int(name) for name in os.listdir('/proc') if name.isdecimal()]")
    assert os.getpid() not in visible
    assert len(visible) == 2  # bubblewrap and the bot
    assert await ask("[name for _, name in socket.if_nameindex()]") == ["lo"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert await ask(f"str(socket.create_connection(('127.0.0.1', {port}), 5))") == "ConnectionRefusedError"


async def test_files_of_others_are_not_there(ask: Ask) -> None:
    others = [ROOT / "pyproject.toml", ROOT / "tests", "/etc/passwd", "/var", "/proc/1/root/etc/passwd", "/usr/bin"]
    found = await ask(f"[path for path in {list(map(str, others))!r} if os.path.exists(path)]")
    assert found == ["/usr/bin"]


@pytest.mark.skipif(not Path("/etc/ssl/openssl.cnf").exists(), reason="there are no settings of OpenSSL here")
async def test_a_bot_with_a_user_id_reads_settings_that_lie_deeper(launch: Launch) -> None:
    command = ("/bin/sh", "-c", "cat /etc/ssl/openssl.cnf | wc -c")
    process = await start_process(replace(launch, command=command, user=FIRST if is_root() else None))
    await process.wait()
    assert int(launch.stderr.read_text()) == os.path.getsize("/etc/ssl/openssl.cnf")  # noqa: ASYNC240, PTH202


async def test_of_home_only_the_python_installation_is_there(ask: Ask) -> None:
    home = Path.home()
    assert await ask("os.path.expanduser('~')") == "/tmp"
    inside = await ask(f"os.listdir({str(home)!r})")
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    needed = {path.relative_to(home).parts[0] for path in prefixes if path.is_relative_to(home)}
    assert inside == "FileNotFoundError" or set(inside) <= needed


@pytest.mark.gate
async def test_its_folder_is_empty_unless_it_is_made_readable_and_only_tmp_can_be_written(
    ask: Ask, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "own" / "book.txt").write_text("e4")
    assert await ask("[os.getcwd(), os.listdir()]") == [str(tmp_path / "own"), []]
    readable = {"readable": (launch.folder,)}
    assert await ask("pathlib.Path('book.txt').read_text()", **readable) == "e4"
    assert await ask("pathlib.Path('book.txt').write_text('d4')", **readable) == "OSError"
    assert await ask("pathlib.Path('/usr/x').write_text('x')") == "OSError"
    written, names = await ask("[pathlib.Path('/tmp/x').write_text('x'), os.listdir('/tmp')]")
    mounted = {path.parts[2] for path in (tmp_path, ROOT) if path.parts[:2] == ("/", "tmp")}
    assert written == 1
    assert {"x"} <= set(names) <= {"x"} | mounted  # its own


FULL = """
import time
for place in ("/tmp", "/dev/shm"):
    open(place + "/x", "wb").write(bytes({mb} << 20))
print("full", flush=True)
time.sleep(600)
"""


@pytest.mark.gate
async def test_what_it_writes_is_memory_that_counts_and_has_an_end(ask: Ask, launch: Launch) -> None:
    size_mb = "(lambda found: found.f_blocks * found.f_frsize >> 20)(os.statvfs({mount!r}))"
    assert [await ask(size_mb.format(mount=mount)) for mount in OWN_MEMORY] == [200, 200]
    assert await ask("pathlib.Path('/x').write_text('x')") == "OSError"
    assert await ask("pathlib.Path('/dev/x').write_text('x')") == "OSError"

    def fill(mb: int) -> Launch:
        return replace(
            launch,
            command=(sys.executable, "-S", "-c", FULL.format(mb=mb)),
            stderr=launch.stderr.with_name(f"{mb}.log"),  # both may get to "full"
        )

    within, beyond = await start_process(fill(60)), await start_process(fill(110))
    assert (await beyond.wait()).reason.startswith("killed: used 2")
    await until(lambda: "full" in launch.stderr.with_name("60.log").read_text())
    await within.look()
    assert (within.usage().peak_mb or 0) > 120
    within.kill()
    assert (await within.wait()).reason == "killed by the runner"


async def test_its_open_files_are_limited_from_its_first_moment(ask: Ask) -> None:
    assert await ask("__import__('resource').getrlimit(__import__('resource').RLIMIT_NOFILE)") == [256, 256]


async def test_our_packages_can_be_made_readable(ask: Ask) -> None:
    paths = package_paths()
    assert {path.name for path in paths} == {"bots", "games", "gridjoust", "leaderboard", "runner"}
    expression = "__import__('importlib').import_module('gridjoust.games.grid').__name__"
    changes = {"readable": paths, "environment": {"PYTHONPATH": str(ROOT)}}
    assert await ask(expression, **changes) == "gridjoust.games.grid"


BOT = """
import asyncio, os
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.mqtt import MqttBus

async def main():
    address = Address("127.0.0.1", 1, socket=os.environ["JOUST_SOCKET"])
    user, password = os.environ["JOUST_USER"], os.environ["JOUST_PASSWORD"]
    async with MqttBus(address, user=user, password=password, client_id=user) as bus:
        await bus.publish(os.environ["JOUST_TOPIC"] + "/out", b"hello from inside")

asyncio.run(main())
"""


@pytest.mark.gate
@pytest.mark.parametrize("kind", BROKERS)
async def test_a_bot_inside_plays_over_the_unix_socket(kind: Any, launch: Launch, tmp_path: Path) -> None:
    knight, referee = bot_account("cup", "knight.0"), referee_account("cup")
    config, heard = BrokerConfig(use=kind), list[bytes]()
    async with (
        open_broker(config, run="cup", accounts=[knight, referee], folder=tmp_path) as broker,
        connect(broker, referee.user, referee.password) as bus,
    ):
        await bus.subscribe(knight.write[0], lambda topic, payload: heard.append(payload))
        given = bot_environment(broker.address, config, "cup", "knight.0", knight)
        inside = replace(
            launch,
            command=(sys.executable, "-c", BOT),
            environment={**given, "PYTHONPATH": str(ROOT)},
            readable=package_paths(),
            socket=Path(broker.address.socket or ""),
        )
        exited = await (await start_process(inside)).wait()
        assert (exited.code, launch.stderr.read_text()) == (0, "")
        await until(lambda: bool(heard))
    assert heard == [b"hello from inside"]


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


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("import time; block = bytearray(300 << 20); time.sleep(600)", " of 200 MB of memory"),
    ],
)
async def test_a_crash_inside_is_named_by_its_signal_and_memory_is_limited(
    launch: Launch, code: str, reason: str
) -> None:
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    assert (await process.wait()).reason.endswith(reason)


def test_a_path_that_does_not_exist_and_a_missing_bubblewrap_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"sandbox: expected an existing file or folder, got '.*nowhere'"):
        sandbox_command((sys.executable,), folder=tmp_path, readable=[tmp_path / "nowhere"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"bubblewrap \(bwrap\) is not on the PATH"):
        sandbox_command((sys.executable,), folder=tmp_path)


async def test_a_bot_that_loops_is_asked_for_its_line(launch: Launch) -> None:
    assert await place_inside(launch) in {f"still loading, inf.py line {line}, in act" for line in (4, 5)}
