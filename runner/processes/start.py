"""The start of one process: its command line in full, its environment and files. Watches nothing afterwards.

On the way to the real command stand, where they apply: the user it becomes and the signal at our death (`setpriv`), the
limit of open files (a shell), the sandbox (`bwrap`), and before them all the control group (a shell).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from runner.config.values import ResourceLimits
from runner.processes.control_groups import CROWD, ControlGroup
from runner.processes.open_files import limiting_files
from runner.processes.orphans import Orphans
from runner.processes.parent_death import AT_OUR_DEATH, dying_with_parent
from runner.processes.sandbox.bubblewrap import sandbox_command
from runner.processes.users import as_user
from runner.wire.errors import ConfigError

INHERITED = ("PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "VIRTUAL_ENV", "JOUST_PURE")  # and LC_*
NO_HOME = "/tmp"  # noqa: S108 - of a user that has none


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start one process. A command without a slash is looked up in PATH, else relative to `folder`."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]  # added to what is inherited
    stderr: Path  # stdout and stderr are appended here
    limits: ResourceLimits
    folder: Path  # working directory
    sandbox: bool = False
    sandbox_paths: tuple[Path, ...] = ()  # readable in the sandbox
    socket: Path | None = None  # the broker's, reachable in the sandbox
    user: int | None = None  # whom it runs as; None: as we do
    group: ControlGroup | None = None  # the kernel's, which it starts in
    orphans: Orphans | None = None  # who finds what has left its tree
    is_piped: bool = False  # stdin and stdout are pipes to us; only stderr is in the file


def start_child(launch: Launch, stdin: bytes) -> subprocess.Popen[bytes]:
    """Start it from this thread: see `runner.processes.parent_death` for why not from another one."""
    environment = {**inherited_environment(os.environ), **launch.environment}
    if launch.user is not None:
        environment["HOME"] = NO_HOME
    command, preexec = _whole_command(launch, environment.get("PATH", os.defpath)), None
    if launch.user is not None and not launch.sandbox:
        # as another user it must ask anew for the signal
        command = (*as_user(launch.user, *AT_OUR_DEATH, tasks=_tasks(launch.limits)), *command)
    else:
        command, preexec = dying_with_parent(command)
    if launch.group is not None:
        command = launch.group.entering(command)
    launch.stderr.parent.mkdir(parents=True, exist_ok=True)
    with launch.stderr.open("ab") as output, _input_file(stdin) as source:
        return subprocess.Popen(
            command,
            cwd=launch.folder,
            env=environment,
            stdin=subprocess.PIPE if launch.is_piped else source,
            stdout=subprocess.PIPE if launch.is_piped else output,
            stderr=output,
            bufsize=0,
            start_new_session=True,
            preexec_fn=preexec,  # noqa: PLW1509 - see `runner.processes.parent_death`
        )


def _whole_command(launch: Launch, path: str) -> tuple[str, ...]:
    if not launch.folder.is_dir():
        raise ConfigError(f"bots: {launch.name}: folder: expected a folder, got {str(launch.folder)!r}")
    command = (_find_executable(launch, path), *launch.command[1:])
    if launch.sandbox:
        command = sandbox_command(
            command,
            folder=launch.folder,
            readable=launch.sandbox_paths,
            socket=launch.socket,
            memory_mb=launch.limits.memory_mb,
            become=() if launch.user is None else as_user(launch.user, tasks=_tasks(launch.limits)),
        )
    return limiting_files(command, launch.limits.open_files)


def _tasks(limits: ResourceLimits) -> int | None:
    """What a user of its own can have between two looks, by the kernel: of other users it would count us all."""
    return None if limits.threads is None else CROWD * limits.threads


def inherited_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that processes get: no tokens, no settings of other programs."""
    return {name: value for name, value in environment.items() if name in INHERITED or name.startswith("LC_")}


def _find_executable(launch: Launch, path: str) -> str:
    name = launch.command[0] if launch.command else ""
    # a name with a slash is the folder's, as a shell that stands there would see it
    found = shutil.which(str(launch.folder.absolute() / name) if "/" in name else name, path=path) if name else None
    if found is None:
        raise ConfigError(f"bots: {launch.name}: command: expected an executable, got {name!r}")
    return str(Path(found).absolute())


def _input_file(content: bytes) -> IO[Any]:
    if not content:
        return Path(os.devnull).open("rb")
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it; a pipe would have to be fed
    file.write(content)
    file.seek(0)
    return file
