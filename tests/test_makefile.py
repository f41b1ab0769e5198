"""What `make run` and `make test` say before they install, and about a Python that will not do. Installs nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not on PATH")

ROOT = Path(__file__).parents[1]
WANTED = "install Python 3.11 or newer, or choose one: make PYTHON=python3.12"
THIS = f'exec {sys.executable} "$@"\n'


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with all that `make` reads before it installs."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def python(folder: Path, script: str) -> str:
    """An interpreter that is a shell script."""
    path = folder / "python3"
    path.write_text(f"#!/bin/sh\n{script}")
    path.chmod(0o755)
    return str(path)


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`make`, as nobody's child: the `make test` that runs these tests hands nothing on."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *words], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_a_python_that_is_not_there_is_named(copy: Path) -> None:
    done = make(copy, "run", "PYTHON=python3.999")
    assert (done.returncode, done.stdout) == (2, f"make: cannot run python3.999; {WANTED}\n")


def test_a_python_that_cannot_start_is_named_without_what_it_prints(copy: Path) -> None:
    broken = python(copy, "echo no such version >&2\nexit 127\n")
    done = make(copy, "run", f"PYTHON={broken}")
    assert done.stdout == f"make: cannot run {broken}; {WANTED}\n"
    assert "no such version" not in done.stderr


def test_a_python_that_is_too_old_is_named_with_its_version(copy: Path) -> None:
    old = python(copy, f'case "$*" in --version) echo Python 3.10.4; exit;; *version_info*) exit 1;; esac\n{THIS}')
    done = make(copy, "test", f"PYTHON={old}")
    assert (done.returncode, done.stdout) == (2, f"make: {old} is Python 3.10.4; {WANTED}\n")


def test_a_python_without_ensurepip_is_told_what_to_install_and_leaves_nothing(copy: Path) -> None:
    """Debian's Python without python3-venv."""
    poor = python(copy, f'case "$*" in *ensurepip*) exit 1;; esac\n{THIS}')
    done = make(copy, "run", f"PYTHON={poor}")
    apt = "(Debian and Ubuntu: apt install python3-venv)"
    assert (done.returncode, done.stdout) == (2, f"make: {poor} lacks venv or ensurepip; install them {apt}\n")
    assert not (copy / ".venv").exists()


def test_an_environment_that_could_not_be_finished_is_removed(copy: Path) -> None:
    script = "mkdir -p .venv/bin; touch .venv/bin/python; echo disk full >&2; exit 1\n"
    failing = python(copy, f'if [ "$2" = venv ]; then {script}fi\n{THIS}')
    done = make(copy, "run", f"PYTHON={failing}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "disk full" in done.stderr
    assert not (copy / ".venv").exists()


def test_an_environment_without_pip_is_made_again(copy: Path) -> None:
    (copy / ".venv" / "bin").mkdir(parents=True)
    (copy / ".venv" / "bin" / "python").touch()
    assert "-m venv --clear .venv" in make(copy, "--dry-run", "run").stdout


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("run", "make: installing into .venv, about a minute"),
        ("test", "make: installing into .venv with what the tests need, about two minutes"),
    ],
)
def test_make_says_that_it_installs_and_for_how_long_only_when_it_does(copy: Path, target: str, line: str) -> None:
    made = copy / ".venv" / "bin"
    made.mkdir(parents=True)
    (made / "python").write_text("#!/bin/sh\n")
    (made / "joust").write_text("#!/bin/sh\necho plays\n")
    (made / "pytest").write_text("#!/bin/sh\necho tests\n")
    (made / "pip").touch()
    for program in made.iterdir():
        program.chmod(0o755)
    first, second = make(copy, target), make(copy, target)
    assert first.stdout.splitlines()[0] == line
    assert "installing" not in second.stdout
    assert second.returncode == 0
