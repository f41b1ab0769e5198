"""The start of one process: its command line in full, its environment and files. Watches nothing afterwards.

Before the real command come, if they are needed, a shell that sets the limit of open files, `setpriv` for the user that
it becomes and the signal at our death, and bubblewrap. If the process must not begin at once, the shell waits for a
line: until the process is in its control group, and until the thread that started it has ended.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gridjoust.runner.config.programs import script_problem
from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.control_groups import CROWD, ControlGroup
from gridjoust.runner.processes.orphans import Orphans
from gridjoust.runner.processes.parent_death import AT_OUR_DEATH, dying_with_parent
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.users import as_user
from gridjoust.runner.wire.errors import ConfigError, naming

try:
    import resource
except ImportError:  # no unix
    resource = None  # type: ignore[assignment]

INHERITED = ("PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "VIRTUAL_ENV", "JOUST_PURE")  # and LC_*
CONNECTION = "JOUST_CONNECTION"  # the number of an open file: the bot's connection to the broker
NO_HOME = "/tmp"  # noqa: S108 - of a user that has none
_LIMIT_AND_RUN = 'ulimit -c 0 && ulimit -n "$0" && exec "$@"'  # no images of memory for the machine's handler
_WAIT_LIMIT_AND_RUN = f"read -r line && {_LIMIT_AND_RUN}"
_GO = b"\n"


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start one process. A command without a slash is looked up in PATH, else relative to `folder`."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]  # added to what is inherited
    stderr: Path  # stdout and stderr are appended here
    limits: ResourceLimits
    folder: Path  # working directory
    sandbox: Sandbox | None = None
    readable: tuple[Path, ...] = ()  # in a sandbox: what it may read
    listed: tuple[Path, ...] = ()  # in the built-in sandbox: folders whose names it may list
    scratch: Path | None = None  # in the built-in sandbox: the folder that it may write into
    writable: tuple[Path, ...] = ()  # and further ones, which stay
    socket: Path | None = None  # in bubblewrap: the broker's, which it may connect to
    may_use_tcp: bool = False  # in the built-in sandbox: a program that connects to the broker by itself
    connection: int | None = None  # an open file, handed to the process: its connection to the broker
    user: int | None = None  # whom it runs as; None: as we do
    group: ControlGroup | None = None  # the kernel's, which it starts in
    orphans: Orphans | None = None  # who finds what has left its tree
    is_piped: bool = False  # stdin and stdout are pipes to us; only stderr is in the file

    @property
    def is_built_in(self) -> bool:
        """True if it starts in the built-in sandbox."""
        return self.sandbox is Sandbox.BUILT_IN

    @property
    def is_bubblewrapped(self) -> bool:
        """True if it starts in bubblewrap."""
        return self.sandbox is Sandbox.BUBBLEWRAP


def start_child(launch: Launch, stdin: bytes) -> subprocess.Popen[bytes]:
    """Start it; it dies with this process. Must be called from a thread that lives as long as this process."""
    must_wait = launch.group is not None or launch.is_built_in
    environment = _environment(launch)
    command = (_find_executable(launch, environment.get("PATH", os.defpath)), *launch.command[1:])
    launch.stderr.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        calls = stack.enter_context(_call_filter()).fileno() if launch.is_bubblewrapped else None
        words = _limiting(_confined(command, launch, calls=calls), launch, must_wait=must_wait)
        output = stack.enter_context(launch.stderr.open("ab"))
        source = subprocess.PIPE if launch.is_piped or must_wait else stack.enter_context(input_file(stdin))

        def begin() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                words,
                cwd=launch.folder,
                env=environment,
                stdin=source,
                stdout=subprocess.PIPE if launch.is_piped else output,
                stderr=output,
                bufsize=0,
                start_new_session=True,
                pass_fds=[file for file in (calls, launch.connection) if file is not None],
            )

        child = _start_restricted(command, launch, begin) if launch.is_built_in else begin()
    if must_wait:
        _let_go(child, launch)
    return child


def _environment(launch: Launch) -> dict[str, str]:
    environment = {**inherited_environment(os.environ), **launch.environment}
    if launch.user is not None:
        environment["HOME"] = NO_HOME
    if launch.scratch is not None:
        environment |= {"HOME": str(launch.scratch), "TMPDIR": str(launch.scratch)}
    if launch.connection is not None:
        environment[CONNECTION] = str(launch.connection)
    return environment


def _confined(command: tuple[str, ...], launch: Launch, *, calls: int | None) -> tuple[str, ...]:
    """Return the command behind what makes it another user's or confines it; `calls`: an open file with a filter."""
    if not launch.is_bubblewrapped and launch.user is not None:
        # as another user it must ask anew for the signal
        return (*as_user(launch.user, *AT_OUR_DEATH, tasks=_tasks(launch.limits)), *command)
    if launch.is_bubblewrapped:
        from gridjoust.runner.processes.sandbox.bubblewrap import sandbox_command  # noqa: PLC0415 - where it is used

        command = sandbox_command(
            command,
            folder=launch.folder,
            readable=launch.readable,
            socket=launch.socket,
            memory_mb=launch.limits.memory_mb,
            become=() if launch.user is None else as_user(launch.user, tasks=_tasks(launch.limits)),
            calls=calls,
        )
    return dying_with_parent(command)


def _start_restricted(
    command: tuple[str, ...], launch: Launch, begin: Callable[[], subprocess.Popen[bytes]]
) -> subprocess.Popen[bytes]:
    from gridjoust.runner.processes.sandbox.built_in import rules_of, start_restricted  # noqa: PLC0415 - where it is used
    from gridjoust.runner.processes.sandbox.seccomp import Sockets, filter_program  # noqa: PLC0415

    assert launch.scratch is not None
    rules = rules_of(
        command,
        folder=launch.folder,
        readable=launch.readable,
        listed=launch.listed,
        writable=(launch.scratch, *launch.writable),
        may_use_tcp=launch.may_use_tcp,
    )
    has_own_user = launch.user is not None
    sockets = Sockets.TCP if launch.may_use_tcp else Sockets.NONE
    calls = filter_program(sockets, keeps_attributes=not has_own_user)
    return start_restricted(begin, rules, calls, keeps_capabilities=has_own_user)


def _call_filter() -> IO[bytes]:
    """Return an open file in memory with the filter of system calls that bubblewrap reads."""
    from gridjoust.runner.processes.sandbox.seccomp import Sockets, filter_program  # noqa: PLC0415 - where it is used

    file = os.fdopen(os.memfd_create("joust-calls"), "w+b", buffering=0)
    file.write(filter_program(Sockets.OWN_NETWORK, keeps_attributes=False))
    file.seek(0)
    return file


def _limiting(command: tuple[str, ...], launch: Launch, *, must_wait: bool) -> tuple[str, ...]:
    """Return the command behind a shell that limits its open files, and waits for a line before if it must.

    A limit that is set from outside comes too late for what the process has started by then.
    """
    if resource is None:
        return command
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_endless = most == resource.RLIM_INFINITY
    limit = launch.limits.open_files
    words = str(min(limit or most, most) if not is_endless else limit or "unlimited")
    script = _LIMIT_AND_RUN if not must_wait else _WAIT_LIMIT_AND_RUN
    if must_wait and not launch.is_piped:
        script += f" < {os.devnull}"
    return ("/bin/sh", "-c", script, words, *command)


def _let_go(child: subprocess.Popen[bytes], launch: Launch) -> None:
    """Put the waiting process into its group and let it begin."""
    if launch.group is not None:
        launch.group.enter(child.pid)
    assert child.stdin is not None
    try:
        child.stdin.write(_GO)
    except BrokenPipeError:  # somebody has killed it meanwhile
        return
    finally:
        if not launch.is_piped:
            child.stdin.close()
            child.stdin = None


def _tasks(limits: ResourceLimits) -> int | None:
    """Return how many tasks the kernel lets a bot's own user have at once, None for any number.

    It is asked only for such a user: of any other it would count the runner's tasks too.
    """
    return None if limits.threads is None else CROWD * limits.threads


def inherited_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the part of an environment that processes get: no tokens, no settings of other programs."""
    return {name: value for name, value in environment.items() if name in INHERITED or name.startswith("LC_")}


def _find_executable(launch: Launch, path: str) -> str:
    """Return the absolute path of a command's program; ConfigError if there is none, or no folder to start in."""
    if not launch.folder.is_dir():
        raise ConfigError(f"bots: {launch.name}: folder: expected a folder, got {str(launch.folder)!r}")
    name = launch.command[0] if launch.command else ""
    # a name with a slash is the folder's, as a shell that stands there would see it
    found = shutil.which(str(launch.folder.absolute() / name) if "/" in name else name, path=path) if name else None
    if found is None:
        raise ConfigError(f"bots: {launch.name}: command: expected an executable, got {name!r}")
    if (problem := script_problem(Path(found), Path(name).name)) is not None:
        raise ConfigError(f"bots: {launch.name}: command: expected {problem[0]}, got {problem[1]}")
    return str(Path(found).absolute())


def input_file(content: bytes) -> IO[bytes]:
    """Return an open file from which a process reads this as its standard input; an OSError names its folder."""
    if not content:
        return Path(os.devnull).open("rb")
    folder = tempfile.gettempdir()
    with ExitStack() as stack, naming(folder):
        file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(buffering=0, dir=folder))
        left = memoryview(content)  # not a pipe, which would have to be fed
        while left:
            left = left[file.write(left) :]
        file.seek(0)
        stack.pop_all()  # the caller closes it
    return file
