"""Private folders: gone with their run, and those of killed runs with the next one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.processes.private_folder import LOCK, PREFIX, private_folder, remove_orphans

HOLD = """
import sys, tempfile
from runner.processes.private_folder import private_folder
tempfile.tempdir = sys.argv[1]
with private_folder(lambda folder: True) as folder:
    (folder / "passwords").write_text("secret")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's place for temporary files, in which even new folders count as old."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("runner.processes.private_folder.YOUNG_S", -1.0)
    return tmp_path


def hold(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another process with a private folder."""
    call = [sys.executable, "-c", HOLD, str(parent)]
    holder = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    return holder, Path(holder.stdout.readline().strip())


def test_a_folder_goes_with_its_run_and_stands_in_tmp_where_the_path_is_too_long_for_a_socket(parent: Path) -> None:
    for place in (parent, Path("/tmp")):
        with private_folder(lambda folder, place=place: folder.parent == place) as folder:  # type: ignore[misc]
            assert folder.parent == place
            assert folder.stat().st_mode & 0o777 == 0o700
        assert not folder.exists()


def test_only_the_folder_of_a_killed_run_is_removed_by_the_next_and_no_young_one_that_may_be_about_to_be_locked(
    parent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed, orphan = hold(parent)
    living, held = hold(parent)
    (parent / f"{PREFIX}somebody-else").mkdir()
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    with monkeypatch.context() as patched:
        patched.setattr("runner.processes.private_folder.YOUNG_S", 60.0)
        assert remove_orphans(parent) == []
    assert (orphan / "passwords").exists()
    with private_folder(lambda folder: True) as own:
        assert not orphan.exists()
        assert (held / "passwords").exists()
        assert remove_orphans(parent) == []
        assert (own / LOCK).exists()
    living.communicate("")
    assert [path.name for path in parent.iterdir()] == [f"{PREFIX}somebody-else"]
