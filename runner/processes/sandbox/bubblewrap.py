"""Makes the bubblewrap command line that confines a bot.

Inside there is no network (the broker's unix socket is mounted), and no process except the bot's own. The only files
are /usr and the libraries, a few files of /etc, the Python installation, the executable, and the paths that the caller
names, all read-only. /tmp and /dev/shm are empty, private and of limited size. Capabilities are dropped, so root inside
has no privileges. If the runner is root, the bot becomes a user of its own inside, after root has mounted its files: it
can read files that every user may read, even if the folders above them are closed.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gridjoust.runner.processes.sandbox import OWN_MEMORY, SYSTEM, needed_paths, settings
from gridjoust.runner.processes.users import FIRST, as_user, why_no_users
from gridjoust.runner.wire.errors import ConfigError

_UNSHARE = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_CONFINE = ("--die-with-parent", "--hostname", "sandbox", "--cap-drop", "ALL")
_MAY_CHANGE_USER = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")  # lost with the change of user


def sandbox_command(
    command: tuple[str, ...],
    *,
    folder: Path,
    readable: Iterable[Path] = (),
    socket: Path | None = None,
    memory_mb: int | None = None,
    become: Sequence[str] = (),
    calls: int | None = None,
) -> tuple[str, ...]:
    """Return the command wrapped in bubblewrap; its first word must be an absolute path.

    It starts in `folder`, may read `readable`, connect to `socket`, and write `memory_mb` into each of `OWN_MEMORY`.
    `become`: words before the command that change its user, only for root. `calls`: an open file with a filter of
    system calls. ConfigError if bubblewrap is missing.
    """
    bwrap = _find_bwrap()
    home = str(folder.absolute())
    paths = [*needed_paths(command, folder=folder), *readable]
    arguments = [
        bwrap,
        *_confine(may_change_user=bool(become)),
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *_memory_arguments(memory_mb),
        *(() if calls is None else ("--seccomp", str(calls))),
    ]
    arguments += _system_arguments()
    outermost = _outermost(paths)
    for above in _folders_above([*outermost, folder.absolute() / "x", *([socket] if socket else [])]):
        arguments += ["--perms", "0755", "--dir", str(above)]  # an empty folder, unless a path below is mounted
    for path in outermost:
        arguments += ["--ro-bind", str(path), str(path)]
    if socket is not None:
        arguments += ["--ro-bind", str(socket), str(socket)]  # read-only is enough to connect, and keeps its mode
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/"]
    arguments += ["--chdir", home, "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"]  # noqa: S108
    return (*arguments, "--", *become, *command)


def why_no_bubblewrap() -> str:
    """Return why bubblewrap does not work here, "" if it does; a test command is run with the mounts of bots."""
    if shutil.which("bwrap") is None:
        return "not installed"
    become = () if why_no_users() else as_user(FIRST)
    command = sandbox_command(("/bin/true",), folder=Path("/"), memory_mb=1, become=become)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["bwrap failed"])[-1]


def _find_bwrap() -> str:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise ConfigError("execution.isolation: bubblewrap (bwrap) is not on the PATH")
    return bwrap


def _confine(*, may_change_user: bool) -> tuple[str, ...]:
    # in a user namespace a process cannot become a user that the namespace does not have
    return (*_UNSHARE, *_CONFINE, *_MAY_CHANGE_USER) if may_change_user else ("--unshare-all", *_CONFINE)


def _folders_above(paths: Iterable[Path]) -> list[Path]:
    """Return every folder above the paths, outer ones first, without those that are mounted anyway."""
    above = {folder for path in paths for folder in path.parents}
    mounted = {Path("/"), *map(Path, SYSTEM), *map(Path, OWN_MEMORY)}
    return sorted(folder for folder in above if folder not in mounted)


def _memory_arguments(memory_mb: int | None) -> Iterator[str]:
    size = () if memory_mb is None or not _knows_size() else ("--size", str(memory_mb << 20))
    for mount in OWN_MEMORY:
        yield from ("--perms", "1777", *size, "--tmpfs", mount)


@functools.cache
def _knows_size() -> bool:
    """Return True if bubblewrap can limit sizes; 0.6 cannot, so there only the runner's samples limit them."""
    usage = subprocess.run((_find_bwrap(), "--help"), capture_output=True, text=True, check=False)
    return "--size" in usage.stdout + usage.stderr


def _system_arguments() -> Iterator[str]:
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():  # /bin -> usr/bin
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for folder in sorted({path.parent for path in settings()}):
        yield from ("--perms", "0755", "--dir", str(folder))
    for path in settings():
        yield from ("--ro-bind-try", str(path), str(path))


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return each path once, without those inside another one or /usr; ConfigError if one does not exist."""
    wanted = sorted({path.absolute() for path in paths})
    for path in wanted:
        if not path.exists():
            raise ConfigError(f"sandbox: expected an existing file or folder, got {str(path)!r}")
    outermost: list[Path] = []
    for path in wanted:
        if not any(path.is_relative_to(outer) for outer in (*outermost, Path("/usr"), Path("/bin"), Path("/sbin"))):
            outermost.append(path)
    return outermost
