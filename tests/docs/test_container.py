"""The Dockerfile names what there is: the command, and no file that `.dockerignore` keeps from the build."""

from __future__ import annotations

import json
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def instructions(name: str) -> list[str]:
    """Return the arguments of every instruction of a kind, lines that go on joined."""
    return re.findall(rf"^{name} (.*)$", DOCKERFILE.replace("\\\n", " "), re.MULTILINE)


def is_ignored(path: str) -> bool:
    """Tell whether `.dockerignore` leaves out a path, or a folder above it."""
    parts = [PurePosixPath(path), *PurePosixPath(path).parents]
    plain = [pattern.removeprefix("**/") for pattern in IGNORED]
    anywhere = [pattern for pattern, whole in zip(plain, IGNORED, strict=True) if whole.startswith("**/")]
    return any(fnmatch(str(part), pattern) for part in parts for pattern in plain) or any(
        fnmatch(part, pattern) for part in PurePosixPath(path).parts for pattern in anywhere
    )


def test_the_image_starts_the_command_as_a_user_without_rights() -> None:
    assert [json.loads(words) for words in instructions("ENTRYPOINT")] == [["joust"]]
    assert "joust" in PROJECT["scripts"]
    [user] = instructions("USER")
    assert int(user) > 0
    assert f"useradd --create-home --uid {user} joust " in instructions("RUN")[-1]
    assert DOCKERFILE.index("\nUSER ") > DOCKERFILE.rindex("\nRUN ")


def test_the_build_gets_everything_that_the_package_is_made_of_and_no_results() -> None:
    needed = ["pyproject.toml", "setup.py", PROJECT["readme"], *PROJECT["license-files"], "configs/quickstart.yaml"]
    needed += [f"gridjoust/{name}" for name in ("games", "bots", "runner", "leaderboard", "examples/quickstart.yaml")]
    needed += ["bots/bomber/_kernels/field.py", "gridjoust/viewer/static/viewer.css", "runner/results/maker.py"]
    assert [path for path in needed if not (ROOT / path).exists() or is_ignored(path)] == []
    unwanted = (".git/config", ".venv/bin/python", "results/cup/records/x.jsonl", "games/__pycache__/x.pyc")
    assert all(map(is_ignored, unwanted))
