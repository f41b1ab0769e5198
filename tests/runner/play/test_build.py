"""Bots that are compiled before the first match: what fails keeps its own bot from starting and nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.play import build
from gridjoust.runner.play.build import _Work, build_bots, first_error
from gridjoust.runner.wire.errors import ConfigError

GCC = """\
rook.c: In function 'main':
rook.c:42:26: error: 'y' undeclared (first use in this function)
   42 | int main(void) { int x = y;
"""
GO = "# command-line-arguments\n./rook.go:7:2: undefined: x\n"
RUST = "error[E0425]: cannot find value `x`\n --> rook.rs:2:5\n  |\n"
JAVA = "rook.java:5: error: ';' expected\n    int x\n         ^\n1 error\n"


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (GCC, "rook.c:42:26: error: 'y' undeclared (first use in this function)"),
        (GO, "./rook.go:7:2: undefined: x"),
        (RUST, "error[E0425]: cannot find value `x` --> rook.rs:2:5"),
        (JAVA, "rook.java:5: error: ';' expected"),
        ("make: Nothing", "make: Nothing"),
        ("", ""),
    ],
)
def test_the_first_error_of_a_compiler_is_found(output: str, line: str) -> None:
    assert first_error(output) == line


def cup(folder: Path, **scripts: str) -> Path:
    """A tournament file with a bot for each build script, and one without."""
    bots = "".join(
        f"  - {{name: {name}, command: [./{name}], build: [/bin/sh, -c, {json.dumps(script)}]}}\n"
        for name, script in scripts.items()
    )
    file = folder / "cup.yaml"
    file.write_text(f"tournament: cup\ngames: [{{game: bomber}}]\nbots:\n  - {{name: ours, bot: random}}\n{bots}")
    return file


async def test_each_is_built_once_in_the_files_folder_and_its_output_is_in_its_log(tmp_path: Path) -> None:
    scripts = {
        "rook": "echo compiling; echo x >> rook; chmod +x rook || true",
        "bad": "echo bad.c:1:2: error: no; exit 1",
    }
    loaded = load_tournament(cup(tmp_path, **scripts), strict=False)
    built = await build_bots(loaded, tmp_path / "logs")
    assert (tmp_path / "rook").read_text() == "x\n"
    assert built.broken == {"bad": "build: bad.c:1:2: error: no"}
    assert (tmp_path / "logs" / "rook.0.log").read_text().splitlines()[0] == "compiling"
    assert await build_bots(built, tmp_path / "logs") is built
    assert (tmp_path / "rook").read_text() == "x\n"


async def test_a_build_that_leaves_no_program_that_can_start_keeps_its_bot_alone_from_starting(tmp_path: Path) -> None:
    scripts = {"gone": "true", "crlf": "printf '#!/bin/sh\\r\\n' > crlf; chmod +x crlf || true"}
    built = await build_bots(load_tournament(cup(tmp_path, **scripts), strict=False), tmp_path / "logs")
    line_ends = "a script saved with Unix line ends, got './crlf', whose first line ends in a carriage return"
    assert built.broken == {
        "gone": "build: file not found: ./gone",
        "crlf": f"build: expected {line_ends}",
    }


async def test_a_build_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "BUILD_S", 0.05)
    built = await build_bots(load_tournament(cup(tmp_path, slow="sleep 60"), strict=False), tmp_path / "logs")
    assert built.broken == {"slow": "build: not done after 0.05 s"}


async def test_a_silent_failure_says_how_it_ended(tmp_path: Path) -> None:
    built = await build_bots(load_tournament(cup(tmp_path, mute="exit 3"), strict=False), tmp_path / "logs")
    assert built.broken == {"mute": "build: exited with code 3"}


async def test_where_nobody_may_be_broken_it_is_the_users_mistake(tmp_path: Path) -> None:
    loaded = load_tournament(cup(tmp_path, mute="exit 3"), strict=True)
    with pytest.raises(ConfigError, match=r"^bots: mute: build: exited with code 3$"):
        await build_bots(loaded, tmp_path / "logs")


@pytest.mark.parametrize(
    ("command", "build", "writable"),
    [
        ("rook/bin/rook", "rook/src/main.c", "rook"),
        ("rook/rook", "rook/main.c", "rook"),
        ("rook/rook", "main.c", "."),
        ("./rook", "rook/main.c", "."),
        ("later/rook", "later/main.c", "."),  # the folder is not there yet
        ("/bin/sh", "rook/main.c", "rook"),
        (None, "rook/main.c", "rook"),
        ("rook", "none.c", "."),  # a name that is looked up in PATH
    ],
)
def test_a_confined_build_writes_into_the_innermost_folder_of_its_bot(
    command: str | None, build: str, writable: str, tmp_path: Path
) -> None:
    for name in ("rook/src/main.c", "rook/main.c", "main.c"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    program = RoleProgram(command=None if command is None else (command, "--fast"), build=("cc", build))
    work = _Work("rook", program, tmp_path, tmp_path / "log", is_confined=True)
    launch = work.launch(tmp_path / "scratch")
    assert launch.writable == ((tmp_path / writable).resolve(),)
    assert launch.environment == {"RUSTUP_HOME": str(Path.home() / ".rustup")}
    assert {Path.home() / ".cargo/bin", Path("/opt")} < {*launch.readable}
    assert launch.scratch == tmp_path / "scratch"
    work.make_executable()


def test_what_was_built_may_be_run_by_whoever_may_read_it(tmp_path: Path) -> None:
    for is_confined, mode in ((True, 0o750), (False, 0o640)):
        (tmp_path / "rook").touch()
        (tmp_path / "rook").chmod(0o640)
        program = RoleProgram(command=("./rook",), build=("cc", "rook.c"))
        _Work("rook", program, tmp_path, tmp_path / "log", is_confined).make_executable()
        assert (tmp_path / "rook").stat().st_mode & 0o777 == mode
