"""Users of their own for bots of root: what they keep a bot from, who gets which, and where they cannot go."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.control_groups import CROWD
from gridjoust.runner.processes.process import BotProcess, start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.processes.users import (
    FIRST,
    LAST,
    _running,
    barrier,
    closed_to_others,
    is_dumpable,
    is_root,
    not_dumpable,
    open_users,
)
from tests.e2e.joust_process import is_running, until, use_tools_for_all

needs_setpriv = pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not on PATH")
needs_root = pytest.mark.skipif(not is_root(), reason="only root can start processes as other users")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sockets have abstract names on Linux only")
def test_every_slot_has_a_number_of_its_own_that_no_other_run_has_meanwhile() -> None:
    with open_users() as ours, open_users() as theirs:
        numbers = [ours.of("a.0"), ours.of("b.0"), theirs.of("a.0")]
        assert ours.of("a.0") == numbers[0]
    assert len(set(numbers)) == 3
    assert all(FIRST <= number <= LAST for number in numbers)
    with open_users() as later:
        assert later.of("c.0") == numbers[0]


HOLD = f"""
import socket
held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
try:
    held.bind("\\0joust-uid-{FIRST}")
except OSError:
    pass  # somebody else holds it, which will do
print(flush=True)
input()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sockets have abstract names on Linux only")
def test_a_number_that_another_process_holds_is_passed_over() -> None:
    command = (sys.executable, "-S", "-c", HOLD)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other, open_users() as given:
        assert other.stdout is not None
        other.stdout.readline()
        assert given.of("a.0") > FIRST
        other.kill()


def test_what_keeps_strangers_from_a_file_is_named(tmp_path: Path) -> None:
    (file := tmp_path / "bot.py").touch()
    tmp_path.chmod(0o700)
    assert barrier(Path("/usr/bin/env")) is None
    assert barrier(file) in file.parents
    file.chmod(0o600)
    assert barrier(Path("/usr/bin/env"), for_root=True) is None


@needs_root
def test_root_without_privileges_reads_what_root_owns_and_what_strangers_may_read(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o700)
    (file := folder / "bot.py").touch(mode=0o600)
    assert barrier(file, for_root=True) is None
    os.chown(folder, 1000, 1000)
    assert barrier(file, for_root=True) == folder
    folder.chmod(0o755)
    assert barrier(file, for_root=True) is None
    os.chown(file, 1000, 1000)
    assert barrier(file, for_root=True) == file


def test_a_folder_is_closed_to_others_for_a_while(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with closed_to_others(tmp_path):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


ATTACK = """
id -u; id -G
cat /proc/{rival}/environ > /dev/null 2>&1 && echo read
for name in STOP KILL; do kill -$name {rival} 2> /dev/null && echo $name; done
echo forged 2> /dev/null >> {results} && echo wrote
ls {folder} > /dev/null 2>&1 && echo listed
echo done
"""


@pytest.fixture
def launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launch]:
    use_tools_for_all(monkeypatch)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.csv").touch()
    limits = ResourceLimits()
    with closed_to_others(tmp_path / "results"):
        yield Launch(
            "bot.0", ("/bin/sh", "-c", ""), {"JOUST_TOPIC": tmp_path.name}, tmp_path / "a.log", limits, Path("/")
        )


@needs_root
@needs_setpriv
async def test_a_bot_with_a_user_of_its_own_reads_stops_ends_and_writes_nothing_of_others(
    launch: Launch, tmp_path: Path
) -> None:
    folder = tmp_path / "results"

    async def attack(user: int | None, rival: BotProcess) -> list[str]:
        code = ATTACK.format(rival=rival.pid, results=folder / "results.csv", folder=folder)
        log = tmp_path / f"{user}.log"
        attacker = await start_process(replace(launch, command=("/bin/sh", "-c", code), user=user, stderr=log))
        await attacker.wait()
        return log.read_text().splitlines()

    with open_users() as given:
        mine, rivals = given.of("a.0"), given.of("b.0")
        rival = await start_process(replace(launch, command=("/bin/sleep", "600"), user=rivals))
        assert await attack(mine, rival) == [str(mine), str(mine), "done"]
        assert is_running(rival.pid)
        trusted = await attack(None, rival)
        assert trusted[-6:] == ["read", "STOP", "KILL", "wrote", "listed", "done"]
        await rival.wait()


@pytest.mark.parametrize("has_user", [pytest.param(True, marks=[needs_root, needs_setpriv]), False])
async def test_what_a_bot_has_put_out_of_its_tree_ends_with_it(launch: Launch, has_user: bool) -> None:
    code = "for n in 1 2; do (setsid sleep 600 & echo $!) ; done"
    started = replace(launch, command=("/bin/sh", "-c", code))
    other = await start_process(replace(started, command=("/bin/sleep", "600"), environment={"JOUST_TOPIC": "other"}))
    with open_users() as given:
        process = await start_process(replace(started, user=given.of("a.0") if has_user else None))
        await process.wait()
    left = [int(line) for line in launch.stderr.read_text().splitlines()]
    await until(lambda: not any(map(is_running, left)))
    assert len(left) == 2
    assert is_running(other.pid)
    other.kill()
    await other.wait()


@needs_root
@needs_setpriv
async def test_a_user_of_its_own_has_no_more_processes_than_the_kernel_grants_and_loses_all_at_the_end(
    launch: Launch,
) -> None:
    code = "for n in $(seq 60); do (setsid sleep 600 &) ; done 2> /dev/null; echo done; sleep 600"

    def crowd(user: int) -> list[int]:
        return [pid for pid, owner in _running() if owner == user and is_running(pid)]

    with open_users() as given:
        user, limits = given.of("a.0"), ResourceLimits(threads=20)
        process = await start_process(replace(launch, command=("/bin/sh", "-c", code), user=user, limits=limits))
        await until(lambda: len(crowd(user)) > 20)
        assert len(crowd(user)) <= CROWD * 20
        process.kill()
        assert (await process.wait()).reason == "killed by the runner"
        await until(lambda: crowd(user) == [])  # killed; under load it takes a moment until they are gone
    assert os.getpid() in {pid for pid, _ in _running()}


# root may look into everything, so there both are an ordinary user
BECOME = f"os.setgroups([]); os.setgid({LAST}); os.setuid({LAST}); set_dumpable(dumpable=True)"
SHOWN = f"""
import os
from gridjoust.runner.processes.users import not_dumpable, set_dumpable
if os.getuid() == 0:
    {BECOME}
print(flush=True)
input()
with not_dumpable():
    print(flush=True)
    input()
print(flush=True)
input()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_nobody_of_the_same_user_looks_into_a_process_that_is_not_dumpable() -> None:
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not on PATH")
    as_user = ("setpriv", f"--reuid={LAST}", f"--regid={LAST}", "--clear-groups") if os.getuid() == 0 else ()
    command = (sys.executable, "-c", SHOWN)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shown:
        assert shown.stdin is not None
        assert shown.stdout is not None
        seen = []
        for _ in range(3):
            shown.stdout.readline()
            look = (*as_user, "cat", f"/proc/{shown.pid}/environ")
            seen.append(subprocess.run(look, capture_output=True, check=False).returncode == 0)
            shown.stdin.write("\n")
            shown.stdin.flush()
    assert seen == [True, False, True]
    assert shown.returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_it_is_as_before_when_the_context_is_left() -> None:
    before = is_dumpable()
    with not_dumpable():
        assert not is_dumpable()
        with not_dumpable():
            pass
        assert not is_dumpable()
    assert is_dumpable() == before
