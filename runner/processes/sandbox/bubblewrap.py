"""The bubblewrap command line that confines a bot. Starts nothing and limits neither memory nor time.

Inside there is no network at all (the broker's unix socket is bound in), no process but the bot's own, and no file but:
/usr and the libraries, a few files of /etc, the Python installation, the executable, and the paths that the caller
names, all read-only; /tmp and /dev/shm are empty, the bot's own, and no larger than they may be. Capabilities are
dropped, so root inside is nobody special. A bot of root becomes a user of its own inside, once root has mounted what
it may see: it reads what strangers may read, and needs no way to it.
"""

from __future__ import annotations

import functools
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from runner.config.sources import PACKAGES
from runner.processes.users import FIRST, as_user, is_root
from runner.wire.errors import ConfigError

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime")  # of /etc
OWN_MEMORY = ("/tmp", "/dev/shm")  # noqa: S108 - what a bot may write: file systems in memory, inside
_UNSHARE = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_CONFINE = ("--die-with-parent", "--hostname", "sandbox", "--cap-drop", "ALL")
_MAY_CHANGE_USER = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")  # gone once it has


def sandbox_command(
    command: tuple[str, ...],
    *,
    folder: Path,
    readable: Iterable[Path] = (),
    socket: Path | None = None,
    memory_mb: int | None = None,
    become: Sequence[str] = (),
) -> tuple[str, ...]:
    """The command, wrapped; its first word must be an absolute path. ConfigError if bubblewrap is missing.

    It starts in `folder`, may read `readable`, connect to `socket`, and write `memory_mb` into each of `OWN_MEMORY`.
    `become` comes before the command and makes it another user's, which root alone can have.
    """
    bwrap = _find_bwrap()
    home = str(folder.absolute())
    executable = Path(command[0])
    # this Python's installation and virtual environment: built-in bots run on them
    paths = [Path(sys.prefix), Path(sys.base_prefix), executable, executable.resolve(), *readable]
    arguments = [
        bwrap,
        *_confine(may_change_user=bool(become)),
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *_memory_arguments(memory_mb),
    ]
    arguments += _system_arguments()
    outermost = _outermost(paths)
    for above in _folders_above([*outermost, folder.absolute() / "x", *([socket] if socket else [])]):
        arguments += ["--perms", "0755", "--dir", str(above)]  # empty, unless it is in a path below
    for path in outermost:
        arguments += ["--ro-bind", str(path), str(path)]
    if socket is not None:
        arguments += ["--bind", str(socket), str(socket)]
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/"]
    arguments += ["--chdir", home, "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"]  # noqa: S108
    return (*arguments, "--", *become, *command)


def check_sandbox() -> None:
    """ConfigError, with what bubblewrap said, where it is missing or not allowed to work."""
    become = as_user(FIRST) if is_root() else ()
    confined = (*_confine(may_change_user=is_root()), "--ro-bind", "/", "/", *_memory_arguments(1))
    command = (_find_bwrap(), *confined, "--", *become, "true")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise ConfigError(f"execution.isolation: expected a bubblewrap that works here for 'sandbox', got {said!r}")


def package_paths(names: Iterable[str] = PACKAGES) -> tuple[Path, ...]:
    """The folders of importable packages, for bots that run in our harness. Imports none of them."""
    found = (importlib.util.find_spec(name) for name in names)
    return tuple(Path(folder) for spec in found if spec for folder in spec.submodule_search_locations or ())


def _find_bwrap() -> str:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise ConfigError("execution.isolation: expected bwrap (bubblewrap) on PATH for 'sandbox', got none")
    return bwrap


def _confine(*, may_change_user: bool) -> tuple[str, ...]:
    # in a namespace of users nobody can become a user that it does not have
    return (*_UNSHARE, *_CONFINE, *_MAY_CHANGE_USER) if may_change_user else ("--unshare-all", *_CONFINE)


def _folders_above(paths: Iterable[Path]) -> list[Path]:
    """Every folder on the way to a path, outer ones first, but for those that are mounted anyway."""
    above = {folder for path in paths for folder in path.parents}
    mounted = {Path("/"), *map(Path, _SYSTEM), *map(Path, OWN_MEMORY)}
    return sorted(folder for folder in above if folder not in mounted)


def _memory_arguments(memory_mb: int | None) -> Iterator[str]:
    size = () if memory_mb is None or not _knows_size() else ("--size", str(memory_mb << 20))
    for mount in OWN_MEMORY:
        yield from ("--perms", "1777", *size, "--tmpfs", mount)


@functools.cache
def _knows_size() -> bool:
    """bubblewrap 0.6 does not; there a look at what is used must do."""
    said = subprocess.run((_find_bwrap(), "--help"), capture_output=True, text=True, check=False)
    return "--size" in said.stdout + said.stderr


def _system_arguments() -> Iterator[str]:
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():  # /bin -> usr/bin
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    yield from ("--perms", "0755", "--dir", "/etc")
    for name in (*_SETTINGS, *(path.name for path in Path("/etc").glob("java-*-openjdk"))):  # Debian's Java reads them
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Each path once, without those inside another one or inside /usr; ConfigError if one does not exist."""
    wanted = sorted({path.absolute() for path in paths})
    for path in wanted:
        if not path.exists():
            raise ConfigError(f"sandbox: expected an existing file or folder, got {str(path)!r}")
    kept: list[Path] = []
    for path in wanted:
        if not any(path.is_relative_to(outer) for outer in (*kept, Path("/usr"), Path("/bin"), Path("/sbin"))):
            kept.append(path)
    return kept
