"""`joust` as a user starts it, and waiting for what processes do: with a limit that fails the test."""

from __future__ import annotations

import asyncio
import getpass
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from gridjoust.runner.processes.users import barrier

JOUST = [sys.executable, "-P", "-c", "from gridjoust.commands import main; main()"]
PATIENCE_S = 60.0
LIMIT_S = 60.0  # within this process


def joust(
    *arguments: str,
    folder: Path,
    typed: str | None = None,
    path: str | None = None,
    patience_s: float = PATIENCE_S * 10,
) -> subprocess.CompletedProcess[str]:
    """Run to the end, with lines on standard input; `path`: its PATH, if it is another one."""
    return subprocess.run(
        [*JOUST, *arguments],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=patience_s,
        check=False,
        env=os.environ if path is None else os.environ | {"PATH": path},
    )


def path_without(program: str, folder: Path) -> str:
    """A PATH of links, in a new folder, to all programs on this one's but one."""
    folder.mkdir()
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        for file in Path(place).glob("*"):
            (link := folder / file.name).unlink(missing_ok=True)
            if file.name != program:
                link.symlink_to(file)
    return str(folder)


def use_tools_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a PATH of those tools that any user may run; skip the test if one of them is closed to others."""
    folders = dict.fromkeys((*os.get_exec_path(), "/usr/bin", "/bin"))
    found = dict[str, None]()
    for tool in ("cat", "env", "id", "ls", "prlimit", "seq", "setpriv", "setsid", "sleep", "true"):
        places = [folder for folder in folders if Path(folder, tool).is_file()]
        is_open = [folder for folder in places if barrier(Path(folder, tool)) is None]
        if places and not is_open:
            pytest.skip(f"users other than {getpass.getuser()} cannot reach {tool} in {places[0]}")
        found |= dict.fromkeys(is_open[:1])
    monkeypatch.setenv("PATH", os.pathsep.join(found))


def start_joust(
    *arguments: str, folder: Path, path: Path | None = None, files: int | None = None, nohup: bool = False
) -> subprocess.Popen[str]:
    """Start and leave it running, in a group of its own; `path`: modules found first, `files`: how many may be open.

    `nohup`: as the program of this name starts it.
    """

    def prepare() -> None:
        # as from a terminal: whoever runs the tests in the background has Ctrl-C ignored, and children inherit that
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_IGN if nohup else signal.SIG_DFL)
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    return subprocess.Popen(
        [*JOUST, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | ({} if path is None else {"PYTHONPATH": str(path)}),
    )


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Poll for something another process does; fails after a minute."""
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s, f"expected within {PATIENCE_S:.0f} s: {what}"
        time.sleep(0.02)


async def until(condition: Callable[[], bool]) -> None:
    """Return once the condition holds."""
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110 - files and processes set no event
            await asyncio.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether there is such a process and it is no zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
