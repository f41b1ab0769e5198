"""What an isolation comes to, by who the bots are and what the machine has."""

from __future__ import annotations

import contextlib
import shutil
import sys
from pathlib import Path

import pytest

from runner.config.values import RoleProgram
from runner.processes import confinement
from runner.processes.confinement import open_confinement, require_apart
from runner.processes.not_dumpable import is_dumpable
from runner.processes.users import FIRST, LAST
from runner.wire.errors import ConfigError

OURS = (RoleProgram(bot="random"), RoleProgram(remote=True))
THEIRS = (*OURS, RoleProgram(command=("/bin/sh",)))
NONE = "no bwrap"


@pytest.mark.parametrize(
    ("isolation", "programs", "trust", "missing", "sandbox", "has_note"),
    [
        ("auto", OURS, False, "", False, False),
        ("auto", THEIRS, False, "", True, False),
        ("auto", THEIRS, True, "", False, False),
        ("auto", OURS, False, NONE, False, False),
        ("auto", THEIRS, False, NONE, False, True),
        ("auto", THEIRS, True, NONE, False, False),
        ("process", THEIRS, False, "", False, False),
        ("process", THEIRS, False, NONE, False, False),
        ("sandbox", OURS, False, "", True, False),
        ("sandbox", THEIRS, True, "", True, False),
    ],
)
@pytest.mark.parametrize("is_root", [False, True])
def test_an_isolation_comes_to(
    isolation: str,
    programs: tuple[RoleProgram, ...],
    trust: bool,
    missing: str,
    sandbox: bool,
    has_note: bool,
    is_root: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check() -> None:
        if missing:
            raise ConfigError(f"expected bwrap, got {missing}")

    monkeypatch.setattr(confinement, "check_sandbox", check)
    monkeypatch.setattr(confinement, "is_root", lambda: is_root)
    monkeypatch.setattr("runner.processes.users.LOCKS", tmp_path / "users.lock")
    if is_root and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not on PATH")
    with open_confinement(isolation, programs, trust=trust) as made:
        is_foreign = programs is THEIRS and not trust
        assert (made.sandbox, bool(made.note)) == (sandbox, has_note)
        assert is_dumpable() != (is_foreign and sys.platform.startswith("linux"))
        assert not has_note or (NONE in made.note and "--trust" in made.note)
        assert (made.users is not None) == (is_root and (sandbox or is_foreign))
        assert made.users is None or FIRST <= made.users.of("a.0") <= LAST


def test_a_sandbox_that_was_asked_for_and_does_not_work_is_the_users_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(ConfigError, match="expected bwrap"), open_confinement("sandbox", OURS, trust=True):
        pass


@pytest.mark.parametrize(("named", "is_apart"), [("own", True), ("all", False), ("all/results/cup/records", False)])
def test_no_bot_in_the_sandbox_sees_the_results_that_are_being_made(
    tmp_path: Path, named: str, *, is_apart: bool
) -> None:
    for folder in ("own", "all/results/cup/records"):
        (tmp_path / folder).mkdir(parents=True)
    program = RoleProgram(command=("node",), files=(str(tmp_path / named),))
    with contextlib.nullcontext() if is_apart else pytest.raises(ConfigError, match="the results of this run"):
        require_apart([program], tmp_path / "all" / "results" / "cup")
