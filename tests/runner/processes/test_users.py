"""Users of their own for bots of root: what they keep a bot from, who gets which, and where they cannot go."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from runner.config.values import ResourceLimits
from runner.processes import users
from runner.processes.control_groups import CROWD
from runner.processes.process import BotProcess, start_process
from runner.processes.start import Launch
from runner.processes.users import FIRST, LAST, barrier, closed_to_others, is_root, open_users, require_open
from runner.wire.errors import ConfigError
from tests.e2e.joust_process import is_running, until

needs_setpriv = pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not on PATH")
needs_root = pytest.mark.skipif(not is_root(), reason="only root can start processes as other users")


@pytest.fixture
def _locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "LOCKS", tmp_path / "users.lock")


@needs_setpriv
@pytest.mark.usefixtures("_locks")
def test_every_slot_has_a_number_of_its_own_that_no_other_run_has_meanwhile() -> None:
    with open_users() as ours, open_users() as theirs:
        numbers = [ours.of("a.0"), ours.of("b.0"), theirs.of("a.0")]
        assert ours.of("a.0") == numbers[0]
    assert len(set(numbers)) == 3
    assert all(FIRST <= number <= LAST for number in numbers)
    with open_users() as later:
        assert later.of("c.0") == numbers[0]


@needs_setpriv
def test_a_lock_file_that_cannot_be_had_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "LOCKS", tmp_path / "nowhere" / "users.lock")
    with (
        pytest.raises(ConfigError, match=r"users\.lock: expected a file that root can lock, got No such file"),
        open_users(),
    ):
        pass


def test_what_strangers_cannot_reach_is_named_before_anything_starts(tmp_path: Path) -> None:
    (file := tmp_path / "bot.py").touch()
    tmp_path.chmod(0o700)
    folder = barrier(file)
    assert barrier(Path("/usr/bin/env")) is None
    assert folder in file.parents
    require_open([Path("/usr/bin/env")])
    with pytest.raises(ConfigError, match=rf"^{folder}: expected what everybody may read, .* mode 7.0 .* --trust"):
        require_open([Path("/usr/bin/env"), file])


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
def launch(tmp_path: Path) -> Iterator[Launch]:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.csv").touch()
    limits = ResourceLimits()
    with closed_to_others(tmp_path / "results"):
        yield Launch(
            "bot.0", ("/bin/sh", "-c", ""), {"JOUST_TOPIC": tmp_path.name}, tmp_path / "a.log", limits, Path("/")
        )


@needs_root
@needs_setpriv
@pytest.mark.usefixtures("_locks")
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
@pytest.mark.usefixtures("_locks")
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
@pytest.mark.usefixtures("_locks")
async def test_a_user_of_its_own_has_no_more_processes_than_the_kernel_grants_and_loses_all_at_the_end(
    launch: Launch,
) -> None:
    code = "for n in $(seq 60); do (setsid sleep 600 &) ; done 2> /dev/null; echo done; sleep 600"

    def crowd(user: int) -> list[int]:
        return [pid for pid, owner in users._running() if owner == user and is_running(pid)]

    with open_users() as given:
        user, limits = given.of("a.0"), ResourceLimits(threads=20)
        process = await start_process(replace(launch, command=("/bin/sh", "-c", code), user=user, limits=limits))
        await until(lambda: len(crowd(user)) > 20)
        assert len(crowd(user)) <= CROWD * 20
        process.kill()
        assert (await process.wait()).reason == "killed by the runner"
        await until(lambda: crowd(user) == [])  # killed; under load it takes a moment until they are gone
    assert os.getpid() in {pid for pid, _ in users._running()}
