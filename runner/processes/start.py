"""Starts one process: its full command line, its environment and its files.

If needed, these come before the real command: a shell that limits open files, `setpriv` for the user and for the signal
at the runner's death, and bubblewrap. If the process must not begin at once, the shell waits for a line. So the process
is in its control group, and the thread that started it has ended, before the real command runs.

Children die with a killed parent, on Linux only: elsewhere a killed runner leaves its children behind. The child calls
`prctl(PR_SET_PDEATHSIG)` before the real command: through `setpriv` of util-linux, or a short Python program if that is
missing. The kernel sends the signal when the *thread* ends that has started the child. So children must be started from
a thread that lives long, or wait until that thread has ended.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
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
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.users import as_user
from gridjoust.runner.wire.errors import ConfigError, naming

try:
    import resource
except ImportError:  # not Unix
    resource = None  # type: ignore[assignment]

INHERITED = ("PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "VIRTUAL_ENV", "JOUST_PURE")  # and LC_*
CONNECTION = "JOUST_CONNECTION"  # the number of an open file: the bot's connection to the broker
NO_HOME = "/tmp"  # noqa: S108 - the home of a user without one
_LIMIT_AND_RUN = (
    'ulimit -c 0 && ulimit -n "$0" && exec "$@"'  # no core dumps, which a handler of the machine would read
)
_WAIT_LIMIT_AND_RUN = f"read -r line && {_LIMIT_AND_RUN}"
_GO = b"\n"


class CommandError(ConfigError):
    """A command that cannot be started; `problem` says why, without the bot's name."""

    def __init__(self, bot: str, problem: str) -> None:
        super().__init__(f"bots: {bot}: command: {problem}")
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Launch:
    """The settings of one process. A command without a slash is looked up in PATH, else relative to `folder`."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]  # added to the inherited variables
    stderr: Path  # stdout and stderr are appended here
    limits: ResourceLimits
    folder: Path  # working directory
    sandbox: Sandbox | None = None
    readable: tuple[Path, ...] = ()  # in a sandbox: files and folders that it may read
    listed: tuple[Path, ...] = ()  # in the built-in sandbox: folders whose names it may list
    scratch: Path | None = None  # in the built-in sandbox: its writable folder, removed at its end
    writable: tuple[Path, ...] = ()  # in the built-in sandbox: further writable folders, which are kept
    socket: Path | None = None  # in bubblewrap: the broker's socket, to which it may connect
    may_use_tcp: bool = False  # in the built-in sandbox: a program that connects to the broker by itself
    connection: int | None = None  # an open file that the process inherits: its connection to the broker
    user: int | None = None  # its user id; None: the runner's
    group: ControlGroup | None = None  # the control group in which it starts
    orphans: Orphans | None = None  # finds descendants that have left its tree
    is_piped: bool = False  # stdin and stdout are pipes to the runner; only stderr goes to the file

    @property
    def is_built_in(self) -> bool:
        """True if it starts in the built-in sandbox."""
        return self.sandbox is Sandbox.BUILT_IN

    @property
    def is_bubblewrapped(self) -> bool:
        """True if it starts in bubblewrap."""
        return self.sandbox is Sandbox.BUBBLEWRAP


def start_child(launch: Launch, stdin: bytes) -> subprocess.Popen[bytes]:
    """Start a process that dies with this one; call it from a thread that lives as long as this process."""
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
    """Return the command with words before it that change its user or confine it; `calls`: an open filter file."""
    if not launch.is_bubblewrapped and launch.user is not None:
        # a change of user clears the request for the signal
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
    """Return an open file in memory with the filter of system calls for bubblewrap."""
    from gridjoust.runner.processes.sandbox.seccomp import Sockets, filter_program  # noqa: PLC0415 - where it is used

    file = os.fdopen(os.memfd_create("joust-calls"), "w+b", buffering=0)
    file.write(filter_program(Sockets.OWN_NETWORK, keeps_attributes=False))
    file.seek(0)
    return file


def _limiting(command: tuple[str, ...], launch: Launch, *, must_wait: bool) -> tuple[str, ...]:
    """Return the command behind a shell that limits the number of open files and then runs it.

    With `must_wait` the shell first waits for a line. A limit set from outside would come too late for processes that
    the bot has started by then.
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
    """Move the child process, which waits for a line on standard input, into its control group and let it begin."""
    if launch.group is not None:
        launch.group.enter(child.pid)
    assert child.stdin is not None
    try:
        child.stdin.write(_GO)
    except BrokenPipeError:  # it was killed meanwhile
        return
    finally:
        if not launch.is_piped:
            child.stdin.close()
            child.stdin = None


def _tasks(limits: ResourceLimits) -> int | None:
    """Return the kernel's limit of tasks for a bot's own user, None for no limit.

    Only such users have the limit, as for any other user the kernel would count the runner's tasks too.
    """
    return None if limits.threads is None else CROWD * limits.threads


def inherited_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that processes inherit: no tokens, no settings of other programs."""
    return {name: value for name, value in environment.items() if name in INHERITED or name.startswith("LC_")}


def _find_executable(launch: Launch, path: str) -> str:
    """Return the absolute path of a command's program.

    CommandError if it cannot be started, ConfigError if the start folder does not exist.
    """
    if not launch.folder.is_dir():
        raise ConfigError(f"bots: {launch.name}: folder: expected a folder, got {str(launch.folder)!r}")
    name = launch.command[0] if launch.command else ""
    # a name with a slash is relative to the folder, as in a shell there
    program = shutil.which(str(launch.folder.absolute() / name) if "/" in name else name, path=path) if name else None
    if program is None:
        raise CommandError(launch.name, f"expected an executable, got {name!r}")
    if (problem := script_problem(Path(program), Path(name).name)) is not None:
        raise CommandError(launch.name, f"expected {problem[0]}, got {problem[1]}")
    return str(Path(program).absolute())


def input_file(content: bytes) -> IO[bytes]:
    """Return an open file with this content for a process's standard input; an OSError names the temporary folder."""
    if not content:
        return Path(os.devnull).open("rb")
    folder = tempfile.gettempdir()
    with ExitStack() as stack, naming(folder):
        file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(buffering=0, dir=folder))
        left = memoryview(content)  # a file, as a pipe would have to be written while the process reads
        while left:
            left = left[file.write(left) :]
        file.seek(0)
        stack.pop_all()  # the caller closes it
    return file


AT_OUR_DEATH = ("--pdeathsig", "KILL")  # options of setpriv
_ASK_AND_RUN = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""  # PR_SET_PDEATHSIG, SIGKILL; nothing is started if the parent is dead already


def dying_with_parent(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command that runs the given one and is killed when this process ends."""
    if not sys.platform.startswith("linux"):
        return command
    return (*(_find_setpriv() or (sys.executable, "-I", "-S", "-c", _ASK_AND_RUN, str(os.getpid()))), *command)


@functools.cache
def _find_setpriv() -> tuple[str, ...] | None:
    path = shutil.which("setpriv")
    if path is None:
        return None
    wrapper = (path, *AT_OUR_DEATH, "--")  # tested below, as busybox's setpriv does not have the option
    done = subprocess.run((*wrapper, "true"), capture_output=True, check=False)
    return wrapper if done.returncode == 0 else None
