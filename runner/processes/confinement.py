"""Chooses how the bots of one run are isolated: the effect of `isolation` on this machine.

| `isolation` | built-in bots only, or `--trust` | other bots |
|---|---|---|
| `auto` | plain processes | the first that works: bubblewrap, built-in sandbox, user ids, plain processes |
| `process` | plain processes | plain processes; if the runner is root, user ids |
| `sandbox` | bubblewrap, else built-in sandbox | the same |

`auto` never refuses to play; a note tells the user which isolation it chose. If the user names an isolation that does
not work, the run is refused. If root runs the sandbox, bots have user ids too, as long as such a user can read the
bot's files; else they run as root without its privileges. If a control group is delegated to the runner, each bot has
one of its own. Bots of the runner's own user cannot read its memory.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from gridjoust.runner.config.programs import connects_itself, readable_paths
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.processes.control_groups import ControlGroups, delegated_group, open_groups
from gridjoust.runner.processes.private_folder import private_folder
from gridjoust.runner.processes.sandbox import SYSTEM, Sandbox, package_paths
from gridjoust.runner.processes.sandbox.bubblewrap import why_no_bubblewrap
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in
from gridjoust.runner.processes.users import Users, barrier, is_root, not_dumpable, open_users, why_no_users
from gridjoust.runner.wire.errors import ConfigError


class Isolation(Enum):
    """A kind of isolation: its name, and its effect in words for people who run other people's bots."""

    def __init__(self, title: str, meaning: str) -> None:
        self.title = title
        self.meaning = meaning

    BUBBLEWRAP = Sandbox.BUBBLEWRAP.value, "each bot reads its own files only, and has no network"
    BUILT_IN = Sandbox.BUILT_IN.value, "each bot reads its own files only, and has no network"
    USERS = "user ids", "each bot has a user id of its own; it can use the network and read what every user may"
    PLAIN = "plain processes", "bots can read your files, use the network and disturb each other"


_SANDBOXES = {Isolation.BUBBLEWRAP: Sandbox.BUBBLEWRAP, Isolation.BUILT_IN: Sandbox.BUILT_IN}


@dataclass(frozen=True, slots=True)
class Confinement:
    """The isolation of a run's bots, with the means to start them in it."""

    isolation: Isolation = Isolation.PLAIN
    users: Users | None = None  # None: bots run as the runner's own user
    groups: ControlGroups | None = None  # None: no control group is delegated to the runner
    scratches: Path | None = None  # in the built-in sandbox: the folder for each bot's writable folder
    note: str = ""  # one line for the user, "" if there is nothing to say

    @property
    def sandbox(self) -> Sandbox | None:
        """The sandbox, or None if bots are not in one."""
        return _SANDBOXES.get(self.isolation)

    def user_of(self, slot: str, program: RoleProgram) -> int | None:
        """Return the system's user id for the bot process `slot` with this program, None for the runner's own user."""
        if self.users is None or _unreadable(program, self.isolation, for_root=False) is not None:
            return None
        return self.users.of(slot)

    def make_scratch(self, slot: str, user: int | None) -> Path | None:
        """Return a new folder that a bot of the built-in sandbox may write into; None in any other isolation."""
        if self.scratches is None:
            return None
        scratch = Path(tempfile.mkdtemp(prefix=f"{slot}-", dir=self.scratches))
        if user is not None:
            os.chown(scratch, user, user)
        return scratch


PLAIN = Confinement()


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of one run: in which bots start, and the results (None if there are none)."""

    start: Path | None = None
    results: Path | None = None


@contextmanager
def open_confinement(
    isolation: str,
    programs: Iterable[RoleProgram],
    *,
    trust: bool,
    places: Places = Places(),
    find_delegated: Callable[[], Path | None] = delegated_group,
) -> Iterator[Confinement]:
    """Open the isolation for these resolved programs, and yield it for the time of the context.

    ConfigError if an isolation that the user named does not work. `find_delegated` returns the control group that is
    delegated to the runner.
    """
    programs = [program for program in programs if not program.remote]
    is_trusted = trust or not any(program.path is not None or program.command is not None for program in programs)
    chosen, reasons = _choose(isolation, programs, places, is_trusted=is_trusted)
    with ExitStack() as stack:
        users, scratches = None, None
        if not is_trusted:
            stack.enter_context(not_dumpable())
        if chosen is not Isolation.PLAIN and not why_no_users():
            users = stack.enter_context(open_users())
        if chosen is Isolation.BUILT_IN:
            scratches = stack.enter_context(private_folder(_is_open_to_bots))
            scratches.chmod(0o711)
        groups = stack.enter_context(open_groups(find_delegated()))
        has_network = chosen is Isolation.BUILT_IN and any(map(connects_itself, programs))
        note = "" if is_trusted or isolation != "auto" else _note(chosen, reasons, has_network=has_network)
        yield Confinement(chosen, users, groups, scratches, note)


def require_apart(programs: Iterable[RoleProgram], results: Path) -> None:
    """Raise a ConfigError if a bot in the sandbox could read the results of its own run and their secrets."""
    out = results.resolve()
    for path in (path for program in programs for path in readable_paths(program)):
        if out.is_relative_to(path.resolve()) or path.resolve().is_relative_to(out):
            raise ConfigError(
                f"{results}: bots may read {path}, so they would see the results of this run: choose another --out"
            )


def _choose(
    isolation: str, programs: list[RoleProgram], places: Places, *, is_trusted: bool
) -> tuple[Isolation, list[tuple[Isolation, str]]]:
    """Return the isolation, and the reasons against better ones; ConfigError if one named by the user fails."""
    checks: dict[Isolation, Callable[[], str]] = {
        Isolation.BUBBLEWRAP: lambda: why_no_bubblewrap() or _why_seen(places),
        Isolation.BUILT_IN: lambda: (
            why_not_built_in() or _why_seen(places) or _why_unreadable(programs, places, Isolation.BUILT_IN)
        ),
        Isolation.USERS: lambda: why_no_users() or _why_unreadable(programs, places, Isolation.USERS),
    }
    if isolation == "none":  # the tournament ran in one process, but this command starts processes
        return Isolation.PLAIN, []
    if isolation == "process" or (isolation == "auto" and is_trusted):
        if is_trusted or not is_root():
            return Isolation.PLAIN, []
        wanted = [Isolation.USERS]
    else:
        wanted = [*_SANDBOXES] if isolation == "sandbox" else [*checks]
    reasons: list[tuple[Isolation, str]] = []
    for kind in wanted:
        if not (reason := checks[kind]()):
            return kind, reasons
        reasons.append((kind, reason))
    if isolation == "auto":
        return Isolation.PLAIN, reasons
    raise ConfigError(f"execution.isolation: {isolation} does not work here: {_reasons_text(reasons)}")


def _why_seen(places: Places) -> str:
    """Return why bots in a sandbox could read the results folder, "" if they cannot."""
    if places.results is None:
        return ""
    out = places.results.resolve()
    read_by_all = (*map(Path, SYSTEM), Path(sys.prefix), Path(sys.base_prefix))
    shared = next((path for path in read_by_all if out.is_relative_to(path.resolve())), None)
    return "" if shared is None else f"bots read {shared}, which holds the results: choose another --out"


def _why_unreadable(programs: list[RoleProgram], places: Places, isolation: Isolation) -> str:
    """Return why bots could not read their files if root runs the tournament; "" if they can, or if it is not root."""
    for program in programs if is_root() else ():
        found = _unreadable(program, isolation, for_root=False)
        if found is not None and isolation is Isolation.BUILT_IN:  # root without privileges may be able to
            found = _unreadable(program, isolation, for_root=True)
            if found is None and places.start is not None:  # it must reach its start folder
                found = barrier(places.start, for_root=True)
        if found is not None:
            return f"bots could not read {found} (mode {found.stat().st_mode & 0o777:o})"
    return ""


def _unreadable(program: RoleProgram, isolation: Isolation, *, for_root: bool) -> Path | None:
    """Return a path that a program needs but its user cannot read; None if there is none.

    The user is the bot's own, or with `for_root` root without privileges.
    """
    own = [path for path in readable_paths(program) if path.exists()]  # missing files are reported later
    if isolation is Isolation.BUBBLEWRAP:  # root mounts the path itself, so the folders above do not matter
        return next((path for path in own if not path.stat().st_mode & 0o004), None)
    if program.command is None:
        needed = [Path(sys.executable), Path(sys.prefix), Path(sys.base_prefix), *package_paths()]
    else:
        found = shutil.which(program.command[0], path=os.environ.get("PATH")) if program.command else None
        needed = [Path(found)] if found else []
    barriers = (barrier(path, for_root=for_root) for path in dict.fromkeys((*needed, *own)))
    return next((found for found in barriers if found is not None), None)


def _is_open_to_bots(folder: Path) -> bool:
    """Return True if bots can reach a folder; those of root have other user ids or no privileges."""
    return not is_root() or barrier(folder.parent) is None


def _note(chosen: Isolation, reasons: list[tuple[Isolation, str]], *, has_network: bool) -> str:
    passed = f" ({_reasons_text(reasons)})" if reasons else ""
    advice = "" if chosen is not Isolation.PLAIN else "; install bubblewrap, or say --trust if all bots are yours"
    but = ", but programs that connect to the broker by themselves can use TCP" if has_network else ""
    return f"isolation: {chosen.title}: {chosen.meaning}{but}{advice}{passed}"


def _reasons_text(reasons: list[tuple[Isolation, str]]) -> str:
    return "; ".join(f"{kind.title}: {reason}" for kind, reason in reasons)
