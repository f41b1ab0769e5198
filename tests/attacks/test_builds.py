"""A `build:` command of somebody else's bot: it builds, and reaches nothing but the bot's own folder."""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.play import build
from gridjoust.runner.play.build import build_bots, is_build_confined
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in

pytestmark = pytest.mark.skipif(bool(why_not_built_in()), reason=why_not_built_in() or "it works")

SECRET = "for the owner's eyes"
TRIES = """
import os, pathlib, socket, sys
place, port = pathlib.Path(sys.argv[1]), int(sys.argv[2])

def attempt(what, act):
    try:
        act()
    except OSError:
        return
    print("COULD", what)

attempt("read", lambda: (place / "secret").read_text())
attempt("read rival", lambda: (place / "cup/rival/rival.py").read_text())
attempt("write rival", lambda: (place / "cup/rival/rival.py").write_text("lost"))
attempt("list", lambda: os.listdir(place))
attempt("write", lambda: (place / "cup/new").write_text("x"))
attempt("link", lambda: os.link(place / "secret", "alice/link"))
attempt("connect", lambda: socket.create_connection(("127.0.0.1", port), timeout=5))
attempt("signal", lambda: os.kill(os.getppid(), 0))
attempt("build", lambda: pathlib.Path("alice/bot").write_text("#!/bin/sh\\n"))
try:
    os.chmod("alice/bot", 0o755)
except OSError:  # in the sandbox the runner does it
    pass
"""
EVERYTHING = ["read", "read rival", "write rival", "list", "write", "link", "connect", "signal", "build"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A tournament in which each bot has a folder, beside a file that is nobody's business."""
    (tmp_path / "secret").write_text(SECRET)
    for bot in ("alice", "rival"):
        (tmp_path / "cup" / bot).mkdir(parents=True)
    (tmp_path / "cup" / "rival" / "rival.py").write_text("a secret plan")
    (tmp_path / "cup" / "alice" / "build.py").write_text(TRIES)
    return tmp_path


def umask() -> int:
    """Return this process's."""
    found = os.umask(0)
    os.umask(found)
    return found


async def build_in(place: Path, *, isolation: str = "auto", trust: bool = False) -> tuple[list[str], dict[str, str]]:
    """Build alice's bot: what her build could do, and who is broken."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        words = [sys.executable, "alice/build.py", place, listening.getsockname()[1]]
        command = ", ".join(json.dumps(str(word)) for word in words)
        (place / "cup" / "cup.yaml").write_text(
            f"tournament: cup\ngames: [{{game: bomber}}]\nexecution: {{isolation: {isolation}}}\nbots:\n"
            f"  - {{name: ours, bot: random}}\n  - {{name: alice, command: [alice/bot], build: [{command}]}}\n"
        )
        loaded = load_tournament(place / "cup" / "cup.yaml", strict=False)
        built = await build_bots(loaded, place / "logs", trust=trust)
    lines = (place / "logs" / "alice.0.log").read_text().splitlines()
    return [line.removeprefix("COULD ") for line in lines], dict(built.broken)


async def test_a_build_of_somebody_elses_bot_reaches_its_own_folder_alone(place: Path) -> None:
    could, broken = await build_in(place)
    assert (could, broken) == (["build"], {})
    assert (place / "cup" / "alice" / "bot").stat().st_mode & 0o555 == 0o555 & ~umask()
    assert (place / "cup" / "rival" / "rival.py").read_text() == "a secret plan"


@pytest.mark.parametrize(("isolation", "trust"), [("auto", True), ("process", False)])
async def test_a_build_of_ones_own_bot_and_where_no_sandbox_is_wanted_is_not_confined(
    isolation: str, trust: bool, place: Path
) -> None:
    could, broken = await build_in(place, isolation=isolation, trust=trust)
    assert (could, broken) == (EVERYTHING, {})


async def test_what_is_denied_is_said_with_the_way_out(place: Path) -> None:
    (place / "cup" / "alice" / "build.py").write_text(f"open({str(place / 'secret')!r})")
    _, broken = await build_in(place)
    assert broken["alice"].endswith("(built in a sandbox without network; --trust builds outside of it)")


def test_where_the_sandbox_does_not_work_builds_are_not_confined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [is_build_confined(isolation) for isolation in ("auto", "sandbox", "process")] == [True, True, False]
    monkeypatch.setattr(build, "why_not_built_in", lambda: "it needs Landlock 6")
    assert not is_build_confined("auto")
