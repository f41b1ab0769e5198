"""Output where the terminal lacks signs, is full, or is not there: it degrades or is named, and nothing is lost."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import termios
from pathlib import Path

import pytest

from gridjoust import games
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.results.records.file import list_records
from tests.e2e.joust_process import JOUST, PATIENCE_S
from tests.joust_here import CUP, joust

pytestmark = pytest.mark.e2e

ROUNDS = CUP.replace("rounds: 1", "rounds: 5")  # enough pairs for an interval, which needs a plus-minus
ENCODINGS = ("ascii", "latin-1", "cp437")


def joust_process(*arguments: str, folder: Path, encoding: str = "utf-8", to: str = "") -> tuple[int, str, str]:
    """Exit code, output and errors of a process; `to`: what a shell adds, such as a redirection."""
    command = ["sh", "-c", f'exec "$@" {to}', "sh", *JOUST, *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": f"{encoding}:strict"},
        capture_output=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    return done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament that was run where output is ASCII."""
    folder = tmp_path_factory.mktemp("ascii")
    (folder / "cup.yaml").write_text(ROUNDS)
    code, shown, errors = joust_process("run", "cup.yaml", folder=folder, encoding="ascii")
    assert (code, errors) == (0, "")
    assert "+-" in shown
    return folder


@pytest.mark.gate
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_leaderboard_is_shown_in_any_encoding(encoding: str, played: Path) -> None:
    done = joust("leaderboard", "results/cup", folder=played, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("±" if encoding == "latin-1" else "+-") in done.stdout


@pytest.mark.gate
def test_a_title_in_another_script_does_not_end_a_tournament(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP.replace("{name: a,", '{name: a, title: "Ада é",'), encoding="utf-8")
    done = joust("run", "cup.yaml", folder=tmp_path, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "??? e" in done.stdout


@pytest.mark.default("bomber")
@pytest.mark.parametrize("game", games.game_names())
def test_a_board_is_drawn_in_ascii(game: str, tmp_path: Path) -> None:
    done = joust("draw", game, folder=tmp_path, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    signs = joust("draw", game, folder=tmp_path).stdout
    assert [len(line) for line in done.stdout.splitlines()] == [len(line) for line in signs.splitlines()]
    assert "?" not in done.stdout


@pytest.mark.gate
def test_output_that_cannot_be_written_is_named_and_what_was_played_is_kept(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(ROUNDS)
    _, _, errors = joust_process("run", "cup.yaml", folder=tmp_path, to=">/dev/full")
    kept = "finished matches are saved: continue with --resume"
    assert errors == f"joust: standard output: no space left on device; {kept}\n"


@pytest.mark.gate
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_a_tournament_plays_on_when_the_reader_of_its_output_has_left(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "cup.yaml").write_text(ROUNDS)
    shell = '{ "$@"; echo "code $?" >&2; } | head -n 1'
    done = subprocess.run(
        ["bash", "-c", shell, "bash", *JOUST, "run", "cup.yaml", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    assert (done.stderr, len(done.stdout.splitlines())) == ("code 0\n", 1)
    assert len(list_records(tmp_path / "results" / "cup")) == 10
    assert (tmp_path / "results" / "cup" / "report.html").exists()


class Terminal:
    """A terminal with `joust` in it, until it is closed. `is_its_own`: the system sends SIGHUP then."""

    def __init__(self, *arguments: str, folder: Path, is_its_own: bool, errors: int | None = None) -> None:
        self._master, slave = os.openpty()

        def take() -> None:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            if is_its_own:
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.joust = subprocess.Popen(
            [*JOUST, *arguments],
            cwd=folder,
            env=os.environ | {"TERM": "xterm"},
            stdin=slave,
            stdout=slave,
            stderr=slave if errors is None else errors,
            start_new_session=True,
            preexec_fn=take,
        )
        os.close(slave)

    def close_at(self, sign: bytes) -> None:
        """Wait for a sign of the output, then close."""
        shown = b""
        while sign not in shown:
            shown += os.read(self._master, 65536)  # OSError where the process has ended
        os.close(self._master)


LONG = CUP.replace("rounds: 1", "rounds: 2000")


@pytest.mark.gate
@pytest.mark.parametrize("is_its_own", [True, False], ids=["its own", "another's"])
@pytest.mark.parametrize("errors", [None, subprocess.PIPE], ids=["errors there", "errors elsewhere"])
def test_a_run_whose_terminal_closes_is_stopped_as_by_a_signal(
    is_its_own: bool, errors: int | None, tmp_path: Path
) -> None:
    (tmp_path / "cup.yaml").write_text(LONG)
    terminal = Terminal("run", "cup.yaml", "--json", folder=tmp_path, is_its_own=is_its_own, errors=errors)
    terminal.close_at(b'"event": "match"')
    _, said = terminal.joust.communicate(timeout=PATIENCE_S * 2)
    records = len(list_records(tmp_path / "results" / "cup"))
    assert (terminal.joust.returncode, (tmp_path / "results" / "cup" / "report.html").exists()) == (130, False)
    assert records >= 1
    way_on = "Continue with: joust run cup.yaml --json --resume"
    expected = "" if errors is None else f"\nstopped; {plural(records, 'match')} recorded. {way_on}\n"
    assert (said or b"").decode() == expected


@pytest.mark.gate
def test_a_progress_bar_whose_terminal_closes_ends_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(LONG)
    terminal = Terminal("run", "cup.yaml", folder=tmp_path, is_its_own=True, errors=subprocess.PIPE)
    terminal.close_at(b"1/")
    _, said = terminal.joust.communicate(timeout=PATIENCE_S * 2)
    assert terminal.joust.returncode == 130
    assert said.startswith(b"\nstopped; ")
    assert said.count(b"\n") == 2


@pytest.mark.gate
@pytest.mark.parametrize("ways", [("play", "bomber"), ("replay", "RECORD")], ids=["play", "replay"])
def test_a_keyboard_that_goes_with_its_terminal_is_the_end_of_the_input(ways: tuple[str, ...], played: Path) -> None:
    record = list_records(played / "results" / "cup")[0]
    words = [str(record) if word == "RECORD" else word for word in ways]
    terminal = Terminal(*words, folder=played, is_its_own=False, errors=subprocess.PIPE)
    terminal.close_at(b"turn" if ways[0] == "replay" else b"\n")
    _, said = terminal.joust.communicate(timeout=PATIENCE_S * 2)
    assert terminal.joust.returncode in (0, 130)
    assert b"Error" not in said


@pytest.mark.gate
def test_who_ignores_that_a_terminal_closes_goes_on_in_silence(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    command = ["sh", "-c", "trap '' HUP; read -r line; exec \"$@\"", "sh", *JOUST, "run", "cup.yaml", "--json"]
    master, slave = os.openpty()
    read, write = os.pipe()
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=read, stdout=slave, stderr=subprocess.PIPE, start_new_session=True
    )
    os.close(slave)
    os.close(master)
    os.write(write, b"go\n")
    os.close(read)
    os.close(write)
    _, said = process.communicate(timeout=PATIENCE_S * 2)
    assert (process.returncode, said) == (0, b"")
    assert (tmp_path / "results" / "cup" / "report.html").is_file()


@pytest.mark.gate
def test_errors_that_cannot_be_written_leave_the_exit_code_as_it_is(tmp_path: Path) -> None:
    assert joust_process("games", "nowhere", folder=tmp_path, to="2>/dev/full") == (2, "", "")


@pytest.mark.gate
def test_without_standard_output_a_tournament_is_played_and_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    assert joust_process("run", "cup.yaml", folder=tmp_path, to=">&- <&-") == (0, "", "")
    assert (tmp_path / "results" / "cup" / "report.html").is_file()
    assert joust_process("games", folder=tmp_path, to=">&-") == (0, "", "")


def test_a_results_folder_that_is_a_link_to_nothing_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    (tmp_path / "results").symlink_to("nowhere")
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "joust: results: a link to nothing\n")
