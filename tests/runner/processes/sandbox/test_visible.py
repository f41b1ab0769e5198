"""What a bot may read besides its own files: the program of its command, and what is installed with that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gridjoust.runner.processes.sandbox import needed_paths


def needed(program: Path, folder: Path = Path("/home/ada/cup")) -> set[Path]:
    """What this program needs and our own Python does not; the bots start in `folder`."""
    return set(needed_paths((str(program),), folder=folder)) - {Path(sys.prefix), Path(sys.base_prefix)}


@pytest.mark.parametrize(
    ("program", "beside", "folder"),
    [
        (".pyenv/shims/python3", ".pyenv/versions/", ".pyenv"),
        (".nvm/versions/node/v20/bin/node", ".nvm/versions/node/v20/lib/", ".nvm/versions/node/v20"),
        ("venv/bin/python", "venv/pyvenv.cfg", "venv"),
        ("my_bots/run.sh", "my_bots/lib/", None),
        ("bin/bot", "lib/", None),  # of the home folder
        (".local/bin/bot", ".local/lib/", None),
    ],
)
def test_what_is_installed_with_a_program_is_needed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, beside: str, folder: str | None
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in (program, beside):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    expected = {tmp_path / program} | ({tmp_path / folder} if folder else set())
    assert needed(tmp_path / program) == expected


def test_the_program_behind_a_link_brings_its_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for folder in ("python/bin", "python/lib", ".local/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (real := tmp_path / "python/bin/python3").touch()
    (link := tmp_path / ".local/bin/python3").symlink_to(real)
    assert needed(link) == {link, real, tmp_path / "python"}


def test_an_installation_that_holds_the_bots_own_folder_is_not_opened_to_them(tmp_path: Path) -> None:
    (program := tmp_path / "bin" / "run").parent.mkdir()
    program.touch()
    (tmp_path / "lib").mkdir()
    (tmp_path / "entries").mkdir()
    assert needed(program) == {program, tmp_path}
    assert needed(program, tmp_path) == {program}
    assert needed(program, tmp_path / "entries") == {program}
