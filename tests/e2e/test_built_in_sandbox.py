"""What a bot in the built-in sandbox can and cannot do, asked of a bot in it."""

from __future__ import annotations

import errno
import functools
import json
import os
import signal
import socket
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.broker import bot_account, open_broker, referee_account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import ProcessLauncher, bot_environment
from gridjoust.runner.processes.confinement import Confinement, Isolation
from gridjoust.runner.processes.process import BotProcess, start_process
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.processes.users import is_root, open_users, why_no_users
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.packets import Connect, format_connect
from gridjoust.runner.wire.protocol import Status, encode
from tests.e2e.asking_inside import Ask, ask_inside, place_inside
from tests.e2e.bot_on_wire import BROKERS, connect, needs_built_in
from tests.e2e.joust_process import is_running, until, use_tools_for_all

pytestmark = [pytest.mark.e2e, needs_built_in]

SLEEP = "import time; print('up', flush=True); time.sleep(600)"


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    for name in ("own", "scratch", "rival"):
        (tmp_path / name).mkdir()
    (tmp_path / "rival" / "secret").write_text("e4")
    return Launch(
        "knight.0",
        (sys.executable, "-S", "-c", ""),
        {},
        tmp_path / "knight.log",
        ResourceLimits(memory_mb=200, cpu_s=None),
        tmp_path / "own",
        sandbox=Sandbox.BUILT_IN,
        scratch=tmp_path / "scratch",
    )


@pytest.fixture
def ask(launch: Launch) -> Ask:
    return functools.partial(ask_inside, launch)


@pytest.fixture
async def rival(launch: Launch, tmp_path: Path) -> Any:
    (tmp_path / "rival scratch").mkdir()
    log = tmp_path / "rival.log"
    command = (sys.executable, "-S", "-c", SLEEP)
    process = await start_process(replace(launch, command=command, scratch=tmp_path / "rival scratch", stderr=log))
    await until(lambda: log.exists() and log.read_text() == "up\n")
    yield process
    process.kill()
    await process.wait()


@pytest.mark.gate
async def test_it_reads_what_is_named_and_the_system_and_nothing_else(ask: Ask, launch: Launch) -> None:
    own, secret = launch.folder / "book.txt", launch.folder.parent / "rival" / "secret"
    own.write_text("d4")
    assert await ask(f"open({str(own)!r}).read()", readable=(own,)) == "d4"
    assert await ask(f"open({str(own)!r}).read()") == "PermissionError"
    assert await ask(f"open({str(secret)!r}).read()") == "PermissionError"
    assert await ask("open('/etc/passwd').read()") == "PermissionError"
    assert await ask("bool(os.listdir('/usr/bin'))") is True
    assert await ask("open('/dev/null', 'w').write('x')") == 1


async def test_it_lists_no_folder_but_those_of_its_modules_and_reads_none_of_their_files(
    ask: Ask, launch: Launch
) -> None:
    (launch.folder / "rival.py").write_text("")
    folder = str(launch.folder)
    assert await ask(f"os.listdir({folder!r})") == "PermissionError"
    assert await ask(f"os.listdir({folder!r})", listed=(launch.folder,)) == ["rival.py"]
    assert await ask(f"open({folder!r} + '/rival.py').read()", listed=(launch.folder,)) == "PermissionError"
    assert await ask("os.listdir('/')") == "PermissionError"


@pytest.mark.gate
async def test_it_writes_into_its_scratch_alone(ask: Ask, launch: Launch) -> None:
    scratch, own, secret = launch.scratch, launch.folder / "book.txt", launch.folder.parent / "rival" / "secret"
    own.write_text("d4")
    assert await ask("[os.environ['HOME'], os.environ['TMPDIR']]") == [str(scratch), str(scratch)]
    assert await ask("pathlib.Path(os.environ['TMPDIR'], 'x').write_text('x')") == 1
    readable = {"readable": (own,)}
    for attempt in (
        f"open({str(own)!r}, 'w').write('x')",
        f"os.truncate({str(own)!r}, 0)",
        f"os.remove({str(own)!r})",
        f"os.chmod({str(own)!r}, 0)",
        f"os.utime({str(own)!r})",
        f"os.chmod({str(secret)!r}, 0o666)",
        f"os.mkdir({str(launch.folder / 'new')!r})",
        "open('/tmp/joust-was-here', 'w').write('x')",
    ):
        assert await ask(attempt, **readable) == "PermissionError", attempt
    assert own.read_text() == "d4"


@pytest.mark.gate
async def test_it_opens_no_socket_but_pairs_and_uses_tcp_alone_where_it_connects_by_itself(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        reach = f"socket.create_connection(('127.0.0.1', {server.getsockname()[1]})).getpeername()[0]"
        assert await ask(reach) == "PermissionError"
        assert await ask(reach, may_use_tcp=True) == "127.0.0.1"
    for kind in ("AF_UNIX", "AF_INET, socket.SOCK_DGRAM", "AF_NETLINK"):
        assert await ask(f"socket.socket(socket.{kind}).fileno() > 0", may_use_tcp=True) == "PermissionError"
    assert await ask("len(socket.socketpair())") == 2


@pytest.mark.parametrize("attempt", ["connect(('127.0.0.1', {port}))", "listen()", "bind(('127.0.0.1', 0))"])
async def test_it_leads_the_connection_it_was_given_nowhere_else(ask: Ask, attempt: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as given:
        number, port = given.fileno(), server.getsockname()[1]
        connection = f"socket.socket(fileno={number})"
        cut = f"__import__('ctypes').CDLL(None).connect({number}, bytes(16), 16)"  # to no address: that ends it
        assert await ask(f"{connection}.{attempt.format(port=port)}", connection=number) == "PermissionError"
        assert await ask(f"[{cut}, {connection}.getpeername()[1]]", connection=number) == [-1, port]


async def test_it_sends_nothing_to_unix_sockets_of_others(ask: Ask, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind(path := str(tmp_path / "other"))
        pair = "socket.socketpair(socket.AF_UNIX, socket.{kind})[0].sendto(b'x', {path!r})"
        assert await ask(pair.format(kind="SOCK_DGRAM", path=path)) == "PermissionError"
        sent = f"[ends[0].sendto(b'x', {path!r}), ends[1].recv(9).decode()]"
        ends = "socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)"
        assert await ask(f"(lambda ends: {sent})({ends})") == [1, "x"]  # the address is ignored
        connected = f"ends[0].connect_ex({path!r})"
        assert await ask(f"(lambda ends: {connected})({ends})", may_use_tcp=True) == errno.EPROTOTYPE
        assert await ask("socket.socketpair()[0].bind('\\0joust-uid-61183')") == "PermissionError"


async def test_it_keeps_nobody_from_opening_a_file(ask: Ask, launch: Launch) -> None:
    (own := launch.folder / "book.txt").write_text("d4")
    lease = f"__import__('fcntl').fcntl(os.open({str(own)!r}, os.O_RDONLY), 1024, 1)"
    assert await ask(lease, readable=(own,)) == "PermissionError"


async def test_its_log_takes_no_space_that_nobody_counts(ask: Ask, launch: Launch) -> None:
    keep_size = "__import__('ctypes').CDLL(None).fallocate(1, 1, 0, 64 << 20)"
    assert await ask(keep_size) == -1
    assert launch.stderr.stat().st_blocks * 512 < 1 << 20


@pytest.mark.gate
async def test_it_signals_nobody_else_nor_changes_their_priority_or_limits(ask: Ask, rival: BotProcess) -> None:
    for pid in (rival.pid, os.getpid()):
        assert await ask(f"os.kill({pid}, 0)") == "PermissionError"
        assert await ask(f"os.setpriority(os.PRIO_PROCESS, {pid}, 5)") == "PermissionError"
        assert await ask(f"__import__('resource').prlimit({pid}, 7)") == "PermissionError"
        assert await ask(f"open('/proc/{pid}/cmdline').read()") == "PermissionError"
    assert await ask("os.kill(os.getpid(), 0)") is None
    assert is_running(rival.pid)


async def test_no_thread_of_the_runner_can_be_signalled(ask: Ask) -> None:
    threads = [thread.native_id for thread in threading.enumerate()]
    assert await ask(f"[n for n in {threads} if __import__('ctypes').CDLL(None).kill(n, 0) == 0]") == []


async def test_a_kill_of_everything_ends_its_own_processes_alone(launch: Launch, rival: BotProcess) -> None:
    code = "import os, signal; os.kill(-1, signal.SIGKILL); print('on')"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    await process.wait()
    assert is_running(rival.pid)


CAPABILITIES = """
import ctypes
data = (ctypes.c_uint32 * 6)()
print(ctypes.CDLL(None).capget((ctypes.c_uint32 * 2)(0x20080522), data), list(data), flush=True)
print(ctypes.CDLL(None).prctl(23, 6, 0, 0, 0), ctypes.CDLL(None).prctl(39, 0, 0, 0, 0), flush=True)
"""  # PR_CAPBSET_READ of CAP_SETGID, PR_GET_NO_NEW_PRIVS


@pytest.mark.skipif(not is_root(), reason="only root has privileges to give up")
async def test_its_privileges_are_gone(launch: Launch) -> None:
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", CAPABILITIES)))
    await process.wait()
    assert launch.stderr.read_text().splitlines() == ["0 [0, 0, 0, 0, 0, 0]", "0 1"]


async def test_its_open_files_are_limited_from_its_first_moment(ask: Ask) -> None:
    assert await ask("__import__('resource').getrlimit(__import__('resource').RLIMIT_NOFILE)") == [256, 256]


@pytest.mark.gate
async def test_its_scratch_goes_with_it_and_counts_as_memory(launch: Launch) -> None:
    assert launch.scratch is not None
    code = "import os, time; open(os.environ['TMPDIR'] + '/x', 'wb').write(bytes(210 << 20)); time.sleep(600)"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    assert (await process.wait()).reason.endswith(" of 200 MB of memory")
    assert not launch.scratch.exists()


@pytest.mark.gate
async def test_a_deleted_file_that_it_holds_open_counts_too(launch: Launch) -> None:
    code = """
import os, time
file = open(os.environ["TMPDIR"] + "/x", "wb")
os.remove(file.name)
file.write(bytes(210 << 20))
file.flush()
time.sleep(600)
"""
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    assert (await process.wait()).reason.endswith(" of 200 MB of memory")


MANY = "[open(f'{number}', 'w').close() for number in range(10_050)]"
DEEP = "[(os.mkdir('d' * 240), os.chdir('d' * 240)) for _ in range(20)]; open('x', 'w').close()"


@pytest.mark.gate
@pytest.mark.parametrize("hide", [MANY, DEEP])
async def test_files_that_cannot_be_counted_end_it(launch: Launch, hide: str) -> None:
    code = f"import os, time; os.chdir(os.environ['TMPDIR']); {hide}; time.sleep(600)"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    expected = "killed: had more than 10,000 files in its own folder, or hid some there"
    assert (await process.wait()).reason == expected
    assert (process.usage().peak_mb or 0) < 200
    assert launch.scratch is not None
    assert not launch.scratch.exists()


async def test_killing_it_kills_its_children(launch: Launch) -> None:
    code = "import subprocess, time; print(subprocess.Popen(['sleep', '600']).pid, flush=True); time.sleep(600)"
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code)))
    await until(lambda: launch.stderr.read_text().endswith("\n"))
    child = int(launch.stderr.read_text())
    process.kill()
    assert (await process.wait()).code == -signal.SIGKILL
    await until(lambda: not is_running(child))


async def test_its_input_begins_with_what_it_is_sent(launch: Launch) -> None:
    command = (sys.executable, "-S", "-c", "print(repr(input()), flush=True)")
    process = await start_process(replace(launch, command=command, is_piped=True))
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"first\n")
    assert process.stdout.readline() == b"'first'\n"
    await process.wait()


async def test_a_program_that_does_not_start_says_why(launch: Launch) -> None:
    (script := launch.folder / "bot.sh").write_text("#!/nowhere/sh\n")
    script.chmod(0o755)
    process = await start_process(replace(launch, command=(str(script),)))
    exited = await process.wait()
    assert exited.code not in (0, None)
    assert "bot.sh" in launch.stderr.read_text()


@pytest.mark.skipif(bool(why_no_users()), reason=f"no user ids here: {why_no_users()}")
async def test_a_bot_with_a_user_id_has_it_inside(launch: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    use_tools_for_all(monkeypatch)
    with open_users() as users, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        user, scratch = users.of("knight.0"), Path(folder, "scratch")  # pytest's folders are closed to it
        os.chmod(folder, 0o711)  # noqa: PTH101
        os.mkdir(scratch)  # noqa: PTH102
        os.chown(scratch, user, user)
        command = ("/bin/sh", "-c", "id -u; echo x > $TMPDIR/x && cat $TMPDIR/x; cat /etc/passwd")
        process = await start_process(replace(launch, command=command, user=user, scratch=scratch))
        await process.wait()
    assert launch.stderr.read_text().splitlines()[:2] == [str(user), "x"]
    assert launch.stderr.read_text().endswith("Permission denied\n")


@pytest.fixture
def confinement(tmp_path: Path) -> Confinement:
    (tmp_path / "scratches").mkdir()
    return Confinement(Isolation.BUILT_IN, scratches=tmp_path / "scratches")


OWN_BOT = """
import gridjoust as joust

class Mine(joust.Bot):
    def act(self, observation):
        return observation.legal[0]
"""


@pytest.mark.gate
@pytest.mark.parametrize("kind", BROKERS)
async def test_a_bot_of_the_harness_uses_the_connection_it_is_given_and_says_when_that_is_lost(
    kind: Any, confinement: Confinement, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(OWN_BOT)
    knight, referee = bot_account("cup", "knight.0"), referee_account("cup")
    config, heard = BrokerConfig(use=kind), list[bytes]()
    async with open_broker(config, run="cup", accounts=[knight, referee], folder=tmp_path) as broker:
        launcher = ProcessLauncher(broker.address, config, "cup", tmp_path / "logs", tmp_path, confinement=confinement)
        async with connect(broker, referee.user, referee.password) as bus:
            await bus.subscribe("joust/cup/bot/knight.0/status", lambda topic, payload: heard.append(payload))
            program = RoleProgram(path=f"{tmp_path / 'mine.py'}:Mine")
            running = await launcher.start(program, slot="knight.0", account=knight, limits=ResourceLimits())
            await until(lambda: bool(heard))
            assert json.loads(heard[0])["online"] is True
    exited = await running.wait()
    assert exited.code == 69
    assert launcher.log_tail("knight.0").startswith("joust: connection lost: ")


async def test_a_bot_is_logged_in_before_it_runs_as_brokers_do_not_wait_for_long(
    confinement: Confinement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    knight = bot_account("cup", "knight.0")
    with socket.socket(socket.AF_UNIX) as broker:
        broker.bind(path := str(tmp_path / "socket"))
        broker.listen()
        address = Address("127.0.0.1", 1883, socket=path)
        launcher = ProcessLauncher(address, BrokerConfig(), "cup", tmp_path, tmp_path, confinement=confinement)
        running = await launcher.start(
            RoleProgram(bot="random"), slot="knight.0", account=knight, limits=ResourceLimits()
        )
        await running.wait()
        with broker.accept()[0] as connection:
            sent = connection.recv(1024)
    names = b"joust-cup-bot-knight.0", b"joust/cup/bot/knight.0/status", encode(Status(online=False))
    assert sent == format_connect(Connect(b"MQTT", 4, 0xC6, 0, *names, knight.user.encode(), knight.password.encode()))


def test_a_bot_that_connects_by_itself_is_told_no_unix_socket(confinement: Confinement, tmp_path: Path) -> None:
    address = Address("127.0.0.1", 1883, socket="/run/mqtt.sock")
    launcher = ProcessLauncher(address, BrokerConfig(), "cup", tmp_path, tmp_path, confinement=confinement)
    knight = bot_account("cup", "knight.0")
    given = bot_environment(address, BrokerConfig(), "cup", "knight.0", knight)
    program = RoleProgram(command=("/usr/bin/env",))
    made = launcher._launch(program, slot="knight.0", account=knight, limits=ResourceLimits())
    assert made.may_use_tcp
    assert set(given) - set(made.environment) == {"JOUST_SOCKET"}


async def test_a_bot_that_loops_is_asked_for_its_line(launch: Launch) -> None:
    assert await place_inside(launch) in {f"still loading, inf.py line {line}, in act" for line in (4, 5)}
