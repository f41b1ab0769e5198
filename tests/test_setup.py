"""What setup.py asks to be compiled. Compiles nothing itself."""

from __future__ import annotations

import os
import runpy
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

setuptools = pytest.importorskip("setuptools")
ROOT = Path(__file__).parents[1]
ROOMS = sorted(folder.parent.name for folder in (ROOT / "bots").glob("*/_kernels"))


def asked_of_setup(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What setup.py hands to setuptools, run in a copy of its sources."""
    for room in ROOMS:
        shutil.copytree(
            ROOT / "bots" / room / "_kernels", folder / "gridjoust/bots" / room / "_kernels", dirs_exist_ok=True
        )
    shutil.copy(ROOT / "setup.py", folder)
    asked: dict[str, Any] = {}
    monkeypatch.setattr(setuptools, "setup", lambda **options: asked.update(options))
    runpy.run_path(str(folder / "setup.py"))
    return asked


def test_without_cython_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    assert asked_of_setup(tmp_path, monkeypatch)["ext_modules"] == []


@pytest.fixture(autouse=True)
def has_cython(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cython makes extensions of its own, with the names and sources of those that it was given."""
    cython = ModuleType("Cython.Build")
    cython.cythonize = lambda wanted, **options: [setuptools.Extension(w.name, w.sources) for w in wanted]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "Cython", ModuleType("Cython"))
    monkeypatch.setitem(sys.modules, "Cython.Build", cython)
    monkeypatch.setenv("CC", f"{sys.executable} -Wall")  # any program that is there


def test_without_a_compiler_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    assert asked_of_setup(tmp_path, monkeypatch)["ext_modules"] == []


def test_a_compiler_that_fails_does_not_end_the_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = asked_of_setup(tmp_path, monkeypatch)["ext_modules"]
    assert [extension.name for extension in made] == [f"gridjoust.bots.{room}._compiled" for room in ROOMS]
    assert all(extension.optional for extension in made)


def test_a_room_is_joined_after_what_it_imports_and_without_the_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_of_setup(tmp_path, monkeypatch)
    joined = (tmp_path / "build" / "kernels" / "ricochet.py").read_text(encoding="utf-8")
    assert "from gridjoust." not in joined
    assert joined.index("def _ints(") < joined.index("def _stop(") < joined.index("def begin(")
    assert "gridjoust/bots/planners/_kernels/memory.py" in joined[joined.index("SOURCES = ") :]


def test_a_room_is_written_only_if_its_kernels_have_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cython compiles what is newer than its C."""
    asked_of_setup(tmp_path, monkeypatch)
    joined = tmp_path / "build" / "kernels" / "ricochet.py"
    text = joined.read_text(encoding="utf-8")
    os.utime(joined, (0, 0))
    asked_of_setup(tmp_path, monkeypatch)
    assert joined.stat().st_mtime == 0
    joined.write_text("x = 1\n")
    asked_of_setup(tmp_path, monkeypatch)
    assert joined.read_text(encoding="utf-8") == text
