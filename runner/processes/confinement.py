"""How the bots of one run are kept apart: what `isolation` comes to on this machine. Starts no bot.

| `isolation` | bots of ours alone, or `--trust` | else |
|---|---|---|
| `auto` | processes | the sandbox where bubblewrap works, else as `process`, and a line says so |
| `process` | processes | processes; where the runner is root, each slot with a user of its own |
| `sandbox` | the sandbox | the sandbox |

Where a control group is delegated to us, each bot has one of its own. In the sandbox too, bots of root have users of
their own. Bots of the runner's own user cannot look into its memory.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from runner.config.programs import readable_paths
from runner.config.values import RoleProgram
from runner.processes.control_groups import ControlGroups, delegated_group, open_groups
from runner.processes.not_dumpable import not_dumpable
from runner.processes.sandbox.bubblewrap import check_sandbox, package_paths
from runner.processes.users import Users, is_root, open_users, require_open
from runner.wire.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Confinement:
    """What bots are started with."""

    sandbox: bool = False
    users: Users | None = None  # None: bots are the runner's own user
    groups: ControlGroups | None = None  # None: no control group is delegated to us
    note: str = ""  # one line for the user, "" if there is nothing to say


PLAIN = Confinement()


@contextmanager
def open_confinement(
    isolation: str,
    programs: Iterable[RoleProgram],
    *,
    trust: bool,
    find_delegated: Callable[[], Path | None] = delegated_group,
) -> Iterator[Confinement]:
    """What an isolation means for these programs, resolved, as long as the context is open.

    ConfigError where it cannot be had. `find_delegated`: the control group that is ours to divide.
    """
    foreign = [program for program in programs if program.path is not None or program.command is not None]
    is_trusted = trust or not foreign
    reason = _why_no_sandbox() if isolation == "auto" and not is_trusted else ""
    sandbox = isolation == "sandbox" or (isolation == "auto" and not is_trusted and not reason)
    if isolation == "sandbox":
        check_sandbox()
    with ExitStack() as stack:
        users = None
        if not is_trusted:
            stack.enter_context(not_dumpable())
        if is_root() and (sandbox or not is_trusted):
            _require_open(foreign, sandbox=sandbox)
            users = stack.enter_context(open_users())
        groups = stack.enter_context(open_groups(find_delegated()))
        yield Confinement(sandbox, users, groups, note=_note(reason, users))


def require_apart(programs: Iterable[RoleProgram], results: Path) -> None:
    """ConfigError if a bot in the sandbox would see the results that are just being made, and their secrets."""
    out = results.resolve()
    for path in (path for program in programs for path in readable_paths(program)):
        if out.is_relative_to(path.resolve()) or path.resolve().is_relative_to(out):
            raise ConfigError(f"{path}: expected what a bot may read, got the results of this run ({results})")


def _why_no_sandbox() -> str:
    try:
        check_sandbox()
    except ConfigError as error:
        return str(error).partition("got ")[2] or str(error)
    return ""


def _note(reason: str, users: Users | None) -> str:
    if not reason:
        return ""
    means = "each with a user id of its own" if users else "which can read your files and disturb each other"
    ways = "install bubblewrap, or say --trust for bots that are your own"
    return f"no sandbox (bubblewrap: {reason}): bots are processes, {means}: {ways}"


def _require_open(programs: Iterable[RoleProgram], *, sandbox: bool) -> None:
    """ConfigError if a user of its own could not read what a bot needs; in the sandbox the way there is free."""
    own = [path for program in programs for path in readable_paths(program) if path.exists()]  # else it is told later
    if sandbox:
        for path in own:
            if not path.stat().st_mode & 0o004:
                raise ConfigError(
                    f"{path}: expected a file that bots may read, got mode {path.stat().st_mode & 0o777:o}"
                )
        return
    commands = (
        shutil.which(program.command[0], path=os.environ.get("PATH")) for program in programs if program.command
    )
    python = () if all(program.command for program in programs) else (sys.executable, sys.prefix, sys.base_prefix)
    packages = package_paths() if python else ()
    require_open([*map(Path, python), *packages, *own, *(Path(found) for found in commands if found)])
