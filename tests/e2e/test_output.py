"""Output where the terminal lacks signs, is full, or is not there: it degrades or is named, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import games
from tests.e2e.joust_process import JOUST, PATIENCE_S
from tests.joust_here import CUP
from tests.tiers import gate_but

pytestmark = pytest.mark.e2e

ROUNDS = CUP.replace("rounds: 1", "rounds: 5")  # enough pairs for an interval, which needs a plus-minus
ENCODINGS = ("ascii", "latin-1", "cp437")


def joust(*arguments: str, folder: Path, encoding: str = "utf-8", to: str = "") -> tuple[int, str, str]:
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
    code, shown, errors = joust("run", "cup.yaml", folder=folder, encoding="ascii")
    assert (code, errors) == (0, "")
    assert "+-" in shown
    return folder


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_leaderboard_is_shown_in_any_encoding(encoding: str, played: Path) -> None:
    code, shown, errors = joust("leaderboard", "results/cup", folder=played, encoding=encoding)
    assert (code, errors) == (0, "")
    assert ("±" if encoding == "latin-1" else "+-") in shown


def test_a_title_in_another_script_does_not_end_a_tournament(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP.replace("{name: a,", '{name: a, title: "Ада é",'), encoding="utf-8")
    code, shown, errors = joust("run", "cup.yaml", folder=tmp_path, encoding="ascii")
    assert (code, errors) == (0, "")
    assert "??? e" in shown


@pytest.mark.parametrize("game", gate_but(games.game_names(), ("heroquest", "navigation")))
def test_a_board_is_drawn_in_ascii(game: str, tmp_path: Path) -> None:
    code, shown, errors = joust("draw", game, folder=tmp_path, encoding="ascii")
    assert (code, errors) == (0, "")
    signs = joust("draw", game, folder=tmp_path)[1]
    assert [len(line) for line in shown.splitlines()] == [len(line) for line in signs.splitlines()]
    assert "?" not in shown


@pytest.mark.parametrize(
    ("to", "reason"), [("| true", "broken pipe"), (">/dev/full", "no space left on device")], ids=["pipe", "full"]
)
def test_output_that_cannot_be_written_is_named_and_what_was_played_is_kept(
    to: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "cup.yaml").write_text(ROUNDS)
    shell = f'"$@" {to}'
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *JOUST, "run", "cup.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    kept = "what was played is kept: continue with --resume"
    assert done.stderr == f"joust: standard output: {reason}; {kept}\n"


def test_without_standard_output_a_tournament_is_played_and_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    assert joust("run", "cup.yaml", folder=tmp_path, to=">&-") == (0, "", "")
    assert (tmp_path / "results" / "cup" / "report.html").is_file()
    assert joust("leaderboard", "results/cup", folder=tmp_path, to=">&- <&-") == (0, "", "")


def test_a_results_folder_that_is_a_link_to_nothing_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    (tmp_path / "results").symlink_to("nowhere")
    assert joust("run", "cup.yaml", folder=tmp_path) == (3, "", "joust: results: a link to nothing\n")
