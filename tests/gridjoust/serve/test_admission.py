"""The admission of a version: which programs an upload may be, and which step refuses it."""

from __future__ import annotations

import asyncio
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gridjoust.runner.config.values import RoleProgram
from gridjoust.serve.config import load_contest
from gridjoust.serve.play.admission import Admission, RefusedError, Task, environment_of, program_in
from gridjoust.serve.values import STEPS, Outcome
from tests.gridjoust.serve.classroom import BOT, CLASS, class_file

SANDBOXED = CLASS.replace("execution: {isolation: none, parallel: 1}\n", "")


def folder_of(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def refused(folder: Path) -> str:
    with pytest.raises(RefusedError) as caught:
        program_in(folder)
    return str(caught.value)


def test_a_single_python_file_is_the_bot_whatever_its_name(tmp_path: Path) -> None:
    assert program_in(folder_of(tmp_path, mine__py=BOT)) == RoleProgram(path="mine.py:Mine")


def test_beside_other_files_the_bot_is_bot_py_and_may_read_them(tmp_path: Path) -> None:
    files = folder_of(tmp_path, bot__py=BOT, tools__py="", table__txt="")
    assert program_in(files) == RoleProgram(path="bot.py:Mine", files=("*",))


def test_several_files_without_a_bot_py_are_refused(tmp_path: Path) -> None:
    expected = "expected bot.py, a single Python file, or bot.yaml, got a.py, b.py"
    assert refused(folder_of(tmp_path, a__py=BOT, b__py=BOT)) == expected


def test_a_file_without_a_bot_is_refused_in_words(tmp_path: Path) -> None:
    expected = "bot.py contains no bot class; start with `class MyBot(joust.Bot):`"
    assert refused(folder_of(tmp_path, bot__py="x = 1\n")) == expected


def test_a_program_in_any_language_is_described_by_bot_yaml(tmp_path: Path) -> None:
    text = "command: [./bot]\nbuild: [gcc, -O2, -o, ./bot, bot.c]\nprotocol: stdio\n"
    found = program_in(folder_of(tmp_path, bot__yaml=text))
    assert (found.command, found.build, found.protocol) == (
        ("./bot",),
        ("gcc", "-O2", "-o", "./bot", "bot.c"),
        "stdio",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("command: [cat, /etc/passwd]", "expected names of files in the upload, got '/etc/passwd'"),
        ("command: [python3, ../bob-1/bot.py]", "expected names of files in the upload, got '../bob-1/bot.py'"),
        ("path: ../bob-1/bot.py:Mine", "expected names of files in the upload, got '../bob-1/bot.py:Mine'"),
        ("build: [cp, ~/key, .]\ncommand: [./bot]", "expected names of files in the upload, got '~/key'"),
        ("files: ['/**']\ncommand: [./bot]", "and no bot, remote or files"),
        ("remote: true", "and no bot, remote or files"),
        ("bot: random\ncommand: [./bot]", "and no bot, remote or files"),
        ("comand: [./bot]", "comand: expected command, got an unknown key"),
        ("path: a.py\ncommand: [./bot]", "expected path or command, one of them"),
        ("command: [", "expected"),
    ],
)
def test_a_description_that_reaches_beyond_the_upload_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert said in refused(folder_of(tmp_path, bot__yaml=text))


def test_the_environment_names_the_packages_that_a_bot_imports(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, bot__py="import os, numpy\nfrom nowhere_to_be import x\nimport tools\n", tools__py="")
    said = environment_of(RoleProgram(path="bot.py:Mine"), folder)
    assert said.startswith("Python 3.")
    assert "numpy " in said
    assert "nowhere_to_be (not installed here)" in said
    assert "tools" not in said


@dataclass(slots=True)
class Heard:
    """What an admission reports."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    refused: RefusedError | None = None

    def on_step(self, at: int, outcome: Outcome, sentence: str, refusal: RefusedError | None) -> None:
        self.outcomes[STEPS[at]] = outcome
        self.said[STEPS[at]] = sentence
        self.refused = refusal or self.refused

    @property
    def failed(self) -> list[str]:
        return [name for name, outcome in self.outcomes.items() if outcome is Outcome.FAILED]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder that a bot's own user could reach."""
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    return tmp_path


def admit(folder: Path, upload: bytes, *, filename: str = "bot.py") -> tuple[RoleProgram | None, Heard]:
    """Take an upload through its admission, in the sandbox."""
    for name in ("bots", "work"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "upload").write_bytes(upload)
    file = load_contest(class_file(folder, SANDBOXED))
    task = Task(file, "ada@1", folder / "upload", filename, folder / "bots" / "ada-1", folder / "work" / "ada-1", 7)
    heard = Heard()
    return asyncio.run(Admission(task, heard.on_step).run()), heard


@pytest.mark.gate
@pytest.mark.e2e
class TestAdmissionInTheSandbox:
    """Each plays real matches between real processes."""

    def test_a_bot_without_a_fault_passes_every_step(self, shared: Path) -> None:
        program, heard = admit(shared, BOT.encode())
        assert heard.outcomes == dict.fromkeys(STEPS, Outcome.PASSED), heard
        assert program == RoleProgram(path="bot.py:Mine")
        assert heard.said["self-match"] == "2 matches against itself without a fault"

    def test_a_bot_that_crashes_is_refused_with_its_log_and_the_question(self, shared: Path) -> None:
        text = BOT.replace("return observation.legal[0]", 'print("at the wall")\n        raise KeyError("plan")')
        program, heard = admit(shared, text.encode())
        assert (program, heard.failed) == (None, ["doctor"])
        assert heard.refused is not None
        assert "KeyError" in heard.refused.log
        assert (shared / "work" / "ada-1" / "failed.jsonl").is_file() == bool(heard.refused.ask)

    def test_a_bot_that_crashes_only_in_the_other_seat_is_refused_in_the_match_against_itself(
        self, shared: Path
    ) -> None:
        text = BOT.replace(
            "return observation", 'assert observation.seat == 0, "not my side"\n        return observation'
        )
        program, heard = admit(shared, text.encode())
        assert (program, heard.failed) == (None, ["self-match"])
        assert heard.refused is not None
        assert heard.refused.ask.startswith("joust ask bot.py:Mine --record ada-1-failed.jsonl --turn 1 --seat 1")

    def test_a_syntax_error_is_refused_before_anything_runs(self, shared: Path) -> None:
        _, heard = admit(shared, b"class Mine(joust.Bot)\n    pass\n")
        assert heard.failed == ["unpack"]
        assert "syntax error in bot.py line 1" in heard.said["unpack"]

    def test_an_archive_that_lies_is_refused_by_the_unpacking(self, shared: Path) -> None:
        path = shared / "bomb.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("bot.py", BOT)
            archive.writestr("zeros", b"\0" * 60_000_000)
        _, heard = admit(shared, path.read_bytes(), filename="bomb.zip")
        assert heard.said["unpack"] == "more than 200 times its size when unpacked"

    def test_a_build_that_makes_a_link_is_refused_as_the_sandbox_would_open_its_target(self, shared: Path) -> None:
        path = shared / "link.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("bot.yaml", "command: [./bot]\nbuild: [sh, ./make.sh]\nprotocol: stdio\n")
            archive.writestr("make.sh", 'cd "$(dirname "$0")" && echo "#!/bin/sh" > bot && ln -s /etc/hostname x\n')
        _, heard = admit(shared, path.read_bytes(), filename="link.zip")
        assert heard.failed == ["build"], heard
        assert heard.said["build"] == "the build made a link: x"

    def test_a_bot_cannot_read_another_version(self, shared: Path) -> None:
        text = BOT.replace(
            "return observation.legal[0]",
            'open(__file__.replace("ada-1", "bob-1")).read()\n        return observation.legal[0]',
        )
        other = shared / "bots" / "bob-1" / "bot.py"
        other.parent.mkdir(parents=True)
        other.write_text("secret = 1\n")
        other.chmod(0o644)
        program, heard = admit(shared, text.encode())
        assert program is None
        assert heard.refused is not None
        assert any(f"Error: [Errno {number}]" in heard.refused.log for number in (2, 13)), heard.refused.log
