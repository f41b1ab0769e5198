"""Private folders: gone with their run, and those of killed runs with the next one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gridjoust.runner.processes.private_folder import LOCK, PREFIX, private_folder, remove_folder, remove_orphans

HOLD = """
import sys, tempfile
from gridjoust.runner.processes.private_folder import private_folder
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
    monkeypatch.setattr("gridjoust.runner.processes.private_folder.YOUNG_S", -1.0)
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
        patched.setattr("gridjoust.runner.processes.private_folder.YOUNG_S", 60.0)
        assert remove_orphans(parent) == []
    assert (orphan / "passwords").exists()
    with private_folder(lambda folder: True) as own:
        assert not orphan.exists()
        assert (held / "passwords").exists()
        assert remove_orphans(parent) == []
        assert (own / LOCK).exists()
    living.communicate("")
    assert [path.name for path in parent.iterdir()] == [f"{PREFIX}somebody-else"]


NEST = """
import os, sys
os.chdir(sys.argv[1])
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
open("file", "w").close()
"""


@pytest.mark.gate
def test_a_folder_goes_however_deep_it_is(parent: Path) -> None:
    with private_folder(lambda folder: True) as folder:
        subprocess.run((sys.executable, "-c", NEST, folder), check=True)
    assert not folder.exists()


def test_a_folder_goes_with_folders_in_it_that_nobody_may_list(tmp_path: Path) -> None:
    (top := tmp_path / "top").mkdir()
    for name in ("a", "b"):
        (top / name / "inner" / "last").mkdir(parents=True)
        (top / name / "inner" / "file").write_text("x")
        (top / name / "inner").chmod(0)
        (top / name).chmod(0o300)
    remove_folder(top)
    assert not top.exists()


def test_what_a_link_in_a_folder_leads_to_stays(tmp_path: Path) -> None:
    (outside := tmp_path / "outside").mkdir(mode=0o755)
    (outside / "file").write_text("x")
    (top := tmp_path / "top").mkdir()
    (top / "link").symlink_to(outside)
    (tmp_path / "to top").symlink_to(outside)
    remove_folder(top)
    remove_folder(tmp_path / "to top")
    assert not top.exists()
    assert (outside / "file").read_text() == "x"
    assert outside.stat().st_mode & 0o777 == 0o755


def test_a_folder_that_is_not_there_is_no_matter(tmp_path: Path) -> None:
    remove_folder(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
