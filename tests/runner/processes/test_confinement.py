"""What an isolation comes to, by who the bots are and what the machine has."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.processes import confinement
from gridjoust.runner.processes.confinement import Isolation, Places, open_confinement, require_apart
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.users import FIRST, LAST, is_dumpable, is_root
from gridjoust.runner.wire.errors import ConfigError

OURS = (RoleProgram(bot="random"), RoleProgram(remote=True))
THEIRS = (*OURS, RoleProgram(command=("/bin/sh",)))
NO_BUBBLEWRAP, NO_BUILT_IN, NO_USERS = "no bwrap", "no Landlock", "no setpriv"
BUBBLEWRAP, BUILT_IN, USERS, PLAIN = Isolation.BUBBLEWRAP, Isolation.BUILT_IN, Isolation.USERS, Isolation.PLAIN

Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Make this machine one on which the named isolations do not work; `closed`: strangers cannot read Python."""

    def become(*missing: str, root: bool = False, closed: str = "") -> None:
        for name, reason in (
            ("why_no_bubblewrap", NO_BUBBLEWRAP),
            ("why_not_built_in", NO_BUILT_IN),
            ("why_no_users", NO_USERS),
        ):
            monkeypatch.setattr(confinement, name, lambda reason=reason: reason if reason in missing else "")
        monkeypatch.setattr(confinement, "is_root", lambda: root)
        if not root:
            monkeypatch.setattr(confinement, "why_no_users", lambda: NO_USERS)

        def barrier(path: Path, *, for_root: bool = False) -> Path | None:
            is_closed = closed == "all" or (closed == "strangers" and not for_root)
            return Path("/bin") if is_closed and path == Path(sys.executable) else None

        monkeypatch.setattr(confinement, "barrier", barrier)

    return become


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ((), BUBBLEWRAP),
        ((NO_BUBBLEWRAP,), BUILT_IN),
        ((NO_BUBBLEWRAP, NO_BUILT_IN), USERS),
        ((NO_BUBBLEWRAP, NO_BUILT_IN, NO_USERS), PLAIN),
    ],
)
def test_auto_takes_the_first_that_works_and_names_those_that_do_not(
    machine: Machine, missing: tuple[str, ...], expected: Isolation
) -> None:
    machine(*missing, root=True)
    with open_confinement("auto", THEIRS, trust=False) as made:
        assert made.isolation is expected
        assert made.note.startswith(f"isolation: {expected.title}: ")
        assert [reason for reason in (NO_BUBBLEWRAP, NO_BUILT_IN, NO_USERS) if reason in made.note] == [*missing]
        assert (made.users is not None) == (expected is not PLAIN)


def test_without_root_plain_processes_follow_the_sandboxes(machine: Machine) -> None:
    machine(NO_BUBBLEWRAP, NO_BUILT_IN)
    with open_confinement("auto", THEIRS, trust=False) as made:
        assert made.isolation is PLAIN
        assert made.users is None
        assert "--trust" in made.note


@pytest.mark.parametrize(
    ("isolation", "programs", "trust"),
    [
        *(("auto", OURS, False), ("auto", THEIRS, True), ("process", OURS, False), ("process", THEIRS, True)),
        ("none", THEIRS, True),
    ],
)
def test_bots_that_are_trusted_are_plain_processes_without_a_word(
    machine: Machine, isolation: str, programs: tuple[RoleProgram, ...], trust: bool
) -> None:
    machine(root=True, closed="all")
    with open_confinement(isolation, programs, trust=trust) as made:
        assert (made.isolation, made.users, made.note) == (PLAIN, None, "")
        assert is_dumpable()


@pytest.mark.parametrize(("missing", "expected"), [((), BUBBLEWRAP), ((NO_BUBBLEWRAP,), BUILT_IN)])
@pytest.mark.parametrize("programs", [OURS, THEIRS])
def test_a_sandbox_that_is_asked_for_is_either_one(
    machine: Machine, missing: tuple[str, ...], expected: Isolation, programs: tuple[RoleProgram, ...]
) -> None:
    machine(*missing)
    with open_confinement("sandbox", programs, trust=True) as made:
        assert (made.isolation, made.note) == (expected, "")


def test_where_neither_sandbox_works_asking_for_one_is_refused_with_both_reasons(machine: Machine) -> None:
    machine(NO_BUBBLEWRAP, NO_BUILT_IN)
    with (
        pytest.raises(
            ConfigError,
            match=r"^execution.isolation: sandbox does not work here: "
            rf"bubblewrap: {NO_BUBBLEWRAP}; built-in sandbox: {NO_BUILT_IN}$",
        ),
        open_confinement("sandbox", OURS, trust=True),
    ):
        pass


def test_processes_of_root_that_are_asked_for_have_user_ids(machine: Machine) -> None:
    machine(root=True)
    with open_confinement("process", THEIRS, trust=False) as made:
        assert made.isolation is USERS
        assert FIRST <= (made.user_of("a.0", THEIRS[0]) or 0) <= LAST


@pytest.mark.parametrize("programs", [THEIRS, (RoleProgram(path="bot.py:Bot"),)])
def test_processes_that_could_not_read_what_a_bot_needs_are_refused_whatever_the_bots(
    machine: Machine, programs: tuple[RoleProgram, ...]
) -> None:
    machine(root=True, closed="strangers")
    with (
        pytest.raises(ConfigError, match=r"process does not work here: user ids: bots could not read /bin \(mode 7"),
        open_confinement("process", programs, trust=False),
    ):
        pass


def test_in_the_built_in_sandbox_a_bot_has_a_user_id_only_where_that_can_read_what_it_needs(machine: Machine) -> None:
    machine(NO_BUBBLEWRAP, root=True, closed="strangers")
    with open_confinement("auto", THEIRS, trust=False) as made:
        assert made.isolation is BUILT_IN
        assert made.user_of("a.0", RoleProgram(bot="random")) is None
        assert made.user_of("b.0", RoleProgram(command=("/bin/sh",))) is not None


def test_where_not_even_root_without_privileges_could_read_it_bots_are_plain_processes(machine: Machine) -> None:
    machine(NO_BUBBLEWRAP, root=True, closed="all")
    with open_confinement("auto", THEIRS, trust=False) as made:
        assert made.isolation is PLAIN
        assert "could not read /bin" in made.note


@pytest.mark.skipif(not is_root(), reason="only root starts bots as other users")
def test_a_file_that_strangers_may_not_read_leaves_its_bot_without_a_user_id_in_bubblewrap(
    machine: Machine, tmp_path: Path
) -> None:
    machine(root=True)
    files = [tmp_path / "mine.py", tmp_path / "open.py"]
    for file, mode in zip(files, (0o600, 0o644), strict=True):
        file.touch()
        file.chmod(mode)
    mine, other = (RoleProgram(path=f"{file}:Bot") for file in files)
    with open_confinement("auto", (mine, other), trust=False) as made:
        assert made.isolation is BUBBLEWRAP
        assert made.user_of("mine.0", mine) is None
        assert made.user_of("open.0", other) is not None


@pytest.mark.parametrize(("protocol", "is_said"), [("mqtt", True), ("stdio", False)])
def test_the_line_says_when_programs_may_use_the_network(machine: Machine, protocol: str, is_said: bool) -> None:
    machine(NO_BUBBLEWRAP)
    program = RoleProgram(command=("/bin/sh",), protocol=protocol)  # type: ignore[arg-type]
    with open_confinement("auto", [program], trust=False) as made:
        assert ("can use TCP" in made.note) == is_said


def test_each_bot_of_the_built_in_sandbox_has_a_folder_which_goes_at_the_end(machine: Machine) -> None:
    machine(NO_BUBBLEWRAP)
    with open_confinement("auto", THEIRS, trust=False) as made:
        assert made.sandbox is Sandbox.BUILT_IN
        folders = [made.make_scratch("a.0", None), made.make_scratch("a.0", None)]
        assert all(folder is not None and list(folder.iterdir()) == [] for folder in folders)
        assert folders[0] != folders[1]
    assert not any(folder is not None and folder.exists() for folder in folders)


@pytest.mark.parametrize(("root", "is_used"), [(True, False), (False, True)])
def test_folders_of_roots_bots_are_where_bots_can_reach_them(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, root: bool, is_used: bool
) -> None:
    machine(NO_BUBBLEWRAP, root=root)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(confinement, "barrier", lambda path, for_root=False: path if path == tmp_path else None)
    with open_confinement("auto", THEIRS, trust=False) as made:
        assert made.scratches is not None
        assert (made.scratches.parent == tmp_path) == is_used


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are not dumpable on Linux only")
def test_bots_of_others_cannot_look_into_the_runner(machine: Machine) -> None:
    machine()
    with open_confinement("auto", THEIRS, trust=False):
        assert not is_dumpable()
    assert is_dumpable()


@pytest.mark.parametrize(("named", "is_apart"), [("own", True), ("all", False), ("all/results/cup/records", False)])
def test_no_bot_in_the_sandbox_sees_the_results_that_are_being_made(
    tmp_path: Path, named: str, *, is_apart: bool
) -> None:
    for folder in ("own", "all/results/cup/records"):
        (tmp_path / folder).mkdir(parents=True)
    program = RoleProgram(command=("node",), files=(str(tmp_path / named),))
    with contextlib.nullcontext() if is_apart else pytest.raises(ConfigError, match="the results of this run"):
        require_apart([program], tmp_path / "all" / "results" / "cup")


@pytest.mark.parametrize("attribute", ["prefix", "base_prefix"])
def test_results_within_the_python_that_all_bots_read_leave_no_sandbox(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attribute: str
) -> None:
    machine(root=True)
    monkeypatch.setattr(sys, attribute, str(tmp_path))
    places = Places(results=tmp_path / "results" / "cup")
    with open_confinement("auto", THEIRS, trust=False, places=places) as made:
        assert made.isolation is USERS
        assert f"bots read {tmp_path}, which holds the results" in made.note


def test_a_sandbox_that_is_asked_for_is_refused_where_its_bots_would_see_the_results(machine: Machine) -> None:
    machine()
    places = Places(results=Path("/usr/src/app/results/cup"))
    with (
        pytest.raises(ConfigError, match="bots read /usr, which holds the results: choose another --out"),
        open_confinement("sandbox", THEIRS, trust=False, places=places),
    ):
        pass
    with open_confinement("sandbox", THEIRS, trust=False, places=Places(results=Path("/home/ada/results"))) as made:
        assert made.isolation is BUBBLEWRAP


def test_a_folder_that_root_without_privileges_cannot_enter_leaves_no_built_in_sandbox(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine(NO_BUBBLEWRAP, root=True)

    def barrier(path: Path, *, for_root: bool = False) -> Path | None:
        return path if path == tmp_path or (path == Path(sys.executable) and not for_root) else None

    monkeypatch.setattr(confinement, "barrier", barrier)
    with open_confinement("auto", THEIRS, trust=False, places=Places(start=tmp_path)) as made:
        assert made.isolation is PLAIN
        assert f"bots could not read {tmp_path}" in made.note
    with open_confinement("auto", THEIRS, trust=False, places=Places(start=Path("/srv"))) as made:
        assert made.isolation is BUILT_IN
