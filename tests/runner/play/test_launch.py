"""What a bot's process may do: how the launcher starts each kind of program, and what it says of its log."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from gridjoust.runner.broker import allow_search, bot_account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from gridjoust.runner.play import launch as launching
from gridjoust.runner.play.launch import ProcessLauncher, command_of
from gridjoust.runner.processes.confinement import Confinement, Isolation
from gridjoust.runner.processes.logs import FILE_HINT
from gridjoust.runner.processes.sandbox import package_paths
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.bus.address import Address
from gridjoust.runner.wire.errors import BrokerError

SPEAKER = RoleProgram(command=("bot",))
PIPED = RoleProgram(command=("bot",), protocol="stdio")
OURS = RoleProgram(bot="bomber/astar")
ADDRESS = Address("127.0.0.1", 1883, socket="/tmp/broker")
ACCOUNT = bot_account("run", "a.0")
OF_BROKER = {"JOUST_URL": ADDRESS.url, "JOUST_USER": "bot-a.0", "JOUST_PASSWORD": ACCOUNT.password}
SOCKET, HINT = {"JOUST_SOCKET": "/tmp/broker"}, {"JOUST_FILE_HINT": FILE_HINT}
OF_ALL = {"JOUST_TOPIC": "joust/run/bot/a.0", "JOUST_PROTOCOL": "1", "PYTHONUNBUFFERED": "1"}


def launcher_in(folder: Path, isolation: Isolation = Isolation.PLAIN, **more: Any) -> ProcessLauncher:
    return ProcessLauncher(
        address=ADDRESS,
        broker=BrokerConfig(),
        run="run",
        logs=folder,
        folder=folder,
        confinement=Confinement(isolation, scratches=folder, **more),
    )


def launch_of(program: RoleProgram, launcher: ProcessLauncher) -> Launch:
    return launcher._launch(program, slot="a.0", account=ACCOUNT, limits=ResourceLimits())


@pytest.mark.parametrize(
    ("program", "isolation", "may_use_tcp", "given"),
    [
        (SPEAKER, Isolation.BUILT_IN, True, OF_BROKER | HINT),
        (PIPED, Isolation.BUILT_IN, False, HINT),
        (OURS, Isolation.BUILT_IN, False, OF_BROKER | SOCKET | HINT),
        (SPEAKER, Isolation.PLAIN, False, OF_BROKER | SOCKET),
        (PIPED, Isolation.PLAIN, False, {}),
    ],
)
def test_a_program_is_told_of_the_broker_what_it_needs_and_alone_may_use_tcp_if_it_connects_by_itself(
    program: RoleProgram, isolation: Isolation, may_use_tcp: bool, given: dict[str, str], tmp_path: Path
) -> None:
    launch = launch_of(program, launcher_in(tmp_path, isolation))
    assert launch.may_use_tcp is may_use_tcp
    assert launch.environment == OF_ALL | given
    assert launch.is_piped is (program is PIPED)
    assert launch.socket == (None if program is PIPED else Path("/tmp/broker"))
    assert (launch.stderr, launch.group) == (tmp_path / "a.0.log", None)


def test_a_broker_without_a_socket_a_bot_that_shows_its_search_and_a_group_of_its_own(tmp_path: Path) -> None:
    groups = mock.Mock()
    launcher = replace(launcher_in(tmp_path, groups=groups), address=Address("127.0.0.1", 1883))
    account, limits = allow_search(ACCOUNT, "run", "a.0"), ResourceLimits()
    launch = launcher._launch(OURS, slot="a.0", account=account, limits=limits)
    assert launch.environment == OF_ALL | OF_BROKER | {"JOUST_LENS": "1"}
    assert launch.socket is None
    assert launch.group is groups.of.return_value
    groups.of.assert_called_once_with("a.0", limits)


@pytest.mark.parametrize("isolation", [Isolation.PLAIN, Isolation.BUBBLEWRAP, Isolation.BUILT_IN])
def test_a_sandboxed_bot_reads_its_files_and_a_python_bot_the_package_too(isolation: Isolation, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import helper\n")
    (tmp_path / "helper.py").touch()
    launcher, file = launcher_in(tmp_path, isolation), str(tmp_path / "bot.py")
    in_sandbox, built_in = isolation is not Isolation.PLAIN, isolation is Isolation.BUILT_IN
    of_class = launch_of(RoleProgram(path=f"{file}:Bot"), launcher)
    of_command = launch_of(RoleProgram(command=("python3", file)), launcher)
    own = {tmp_path / "bot.py", tmp_path / "helper.py"} if in_sandbox else set()
    assert set(of_class.readable) == own | set(package_paths() if in_sandbox else ())
    assert set(of_command.readable) == own
    assert set(of_command.listed) == ({tmp_path} if built_in else set())


def test_a_command_runs_as_it_is_and_classes_in_this_interpreter_without_the_folder_it_starts_in() -> None:
    assert command_of(SPEAKER) == ("bot",)
    for program in (OURS, RoleProgram(path="bomber/astar")):
        assert command_of(program) == (sys.executable, "-P", "-m", "gridjoust.bots", "bomber/astar")
    with pytest.raises(ValueError, match="expected a program with bot, path or command, got a remote bot"):
        command_of(RoleProgram(remote=True))


class Started:
    """Stands for the operating system and the broker: keeps what is to start, and how long each bridge lasts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.launches: list[Launch] = []
        self.bridge_s = 0.0
        self.near, self.far = socket.socketpair()
        monkeypatch.setattr(launching, "start_process", self.start)
        monkeypatch.setattr(launching, "connect", lambda address: self.near)
        monkeypatch.setattr("gridjoust.runner.stdio.bridge.run_bridge", self.bridge)

    async def start(self, launch: Launch) -> object:
        assert launch.connection is None or launch.connection == self.near.fileno() >= 0
        self.launches.append(launch)
        return self

    async def bridge(self, *_: object, streams_search: bool, **__: object) -> None:
        assert not streams_search
        await asyncio.sleep(self.bridge_s)


@pytest.mark.parametrize(
    ("program", "isolation", "is_connected", "bridges"),
    [
        (OURS, Isolation.BUILT_IN, True, 0),
        (SPEAKER, Isolation.BUILT_IN, False, 0),
        (OURS, Isolation.PLAIN, False, 0),
        (PIPED, Isolation.BUILT_IN, False, 1),
    ],
)
async def test_a_python_bot_in_the_built_in_sandbox_inherits_a_connection_and_a_bot_on_pipes_gets_a_bridge(
    program: RoleProgram,
    isolation: Isolation,
    is_connected: bool,
    bridges: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started, launcher = Started(monkeypatch), launcher_in(tmp_path, isolation)
    await launcher.start(program, slot="a.0", account=ACCOUNT, limits=ResourceLimits())
    [launch] = started.launches
    assert (launch.connection is not None, len(launcher.bridges)) == (is_connected, bridges)
    assert (started.near.fileno() < 0) == is_connected  # the runner has closed its own end
    if is_connected:
        said = started.far.recv(4096)
        assert said.endswith(b"\x07bot-a.0\x00\x16" + ACCOUNT.password.encode())
        assert b"joust/run/bot/a.0/status" + b'\x00\x10{"online":false}' in said
    await launcher.close()
    assert all(bridge.done() and not bridge.cancelled() for bridge in launcher.bridges)


async def test_a_broker_that_does_not_answer_when_a_bot_starts_is_an_error_of_the_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Started(monkeypatch)
    monkeypatch.setattr(launching, "connect", mock.Mock(side_effect=ConnectionRefusedError("refused")))
    with pytest.raises(BrokerError, match=r"^mqtt://127\.0\.0\.1:1883: no connection for a bot: refused$"):
        await launcher_in(tmp_path, Isolation.BUILT_IN)._open_connection("a.0", ACCOUNT)


async def test_bridges_that_do_not_end_are_cancelled_and_what_goes_wrong_in_others_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "BRIDGES_S", 0.01)
    launcher = launcher_in(tmp_path)
    await launcher.close()  # there are none
    waiting = asyncio.create_task(asyncio.sleep(3600))
    failing = asyncio.get_running_loop().create_future()
    failing.set_exception(BrokerError("lost"))
    launcher.bridges.extend((waiting, failing))  # type: ignore[arg-type]
    with pytest.raises(BrokerError, match="lost"):
        await launcher.close()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    assert waiting.cancelled()


MISSING = "FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'"
NPM = "Error: Cannot find package 'mqtt' imported from bot.mjs"


@pytest.mark.parametrize(
    ("said", "isolation", "place", "expected"),
    [
        (MISSING, Isolation.BUILT_IN, "book.txt", MISSING + FILE_HINT),
        (MISSING, Isolation.BUILT_IN, "bot/book.txt", MISSING + FILE_HINT),
        (MISSING + FILE_HINT, Isolation.BUILT_IN, "book.txt", MISSING + FILE_HINT),
        (MISSING, Isolation.BUILT_IN, "other.txt", MISSING),
        (MISSING, Isolation.PLAIN, "book.txt", MISSING),
        (NPM, Isolation.PLAIN, "book.txt", f"{NPM}: npm install mqtt, in the folder of the bot's file"),
        ("", Isolation.BUILT_IN, "book.txt", ""),
    ],
)
def test_the_end_of_a_log_says_what_to_do_about_a_file_that_is_there_but_may_not_be_read(
    said: str, isolation: Isolation, place: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "bot").mkdir()
    for name in ("bot/bot.py", place):
        (tmp_path / name).touch()
    (tmp_path / "a.0.log").write_text(f"loading\n{said}\n" if said else "")
    launcher = launcher_in(tmp_path, isolation)
    launcher.started["a.0"] = RoleProgram(command=("python3", str(tmp_path / "bot" / "bot.py")))
    assert launcher.log_tail("a.0") == expected
    assert launcher.log_tail("b.0") == ""
