"""The page on nightly runs: its line for cron plays and mails what failed, and its units for systemd are valid."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.joust_here import CUP

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "nightly-runs.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
[COMMAND] = [text.strip() for language, text in BLOCKS if language == "sh"]
[CRONTAB] = [text for language, text in BLOCKS if language == "text"]
UNITS = [text for language, text in BLOCKS if language == "ini"]
JOUST, FOLDER = "/srv/joust/.venv/bin/joust", "/srv/cup"
MAIL = '#!/bin/sh\n{ echo "$@"; cat; } >>mail.txt\n'


def moved(text: str, folder: Path) -> str:
    """The text with the folders of this test in place of the page's."""
    return text.replace(JOUST, str(Path(sys.executable).parent / "joust")).replace(FOLDER, str(folder))


def night(folder: Path) -> int:
    """Do what cron does, with its short environment; return the exit code."""
    path, entry = CRONTAB.splitlines()
    command = moved(entry.split("  ", 1)[1], folder)
    environment = {"HOME": str(folder), "PATH": f"{folder}:{path.removeprefix('PATH=')}"}
    return subprocess.run(["/bin/sh", "-c", command], cwd="/", env=environment, check=False, timeout=600).returncode


@pytest.mark.gate
def test_the_line_for_cron_plays_what_is_missing_and_mails_a_failure_with_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text(MAIL, encoding="utf-8")
    (tmp_path / "mail").chmod(0o755)
    for rounds in (1, 2):
        (tmp_path / "cup.yaml").write_text(CUP.replace("rounds: 1", f"rounds: {rounds}"), encoding="utf-8")
        assert night(tmp_path) == 0
        assert f"{2 * rounds} matches" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert not (tmp_path / "mail.txt").exists()
    (tmp_path / "cup.yaml").write_text(CUP.replace("rounds:", "laps:"), encoding="utf-8")
    night(tmp_path)
    mail = (tmp_path / "mail.txt").read_text(encoding="utf-8").splitlines()
    assert mail[0] == "-s cup: exit code 2 me"
    assert "laps" in mail[1]


def test_cron_and_systemd_run_the_command_that_the_page_explains() -> None:
    service = configparser.ConfigParser()
    service.read_string(UNITS[0])
    own = COMMAND.replace("joust", JOUST, 1)
    assert service["Service"]["ExecStart"] == own
    assert service["Service"]["WorkingDirectory"] == FOLDER
    assert f"cd {FOLDER} && {own} >" in CRONTAB


@pytest.mark.gate
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd")
def test_systemd_accepts_the_units_and_refuses_a_misspelt_one(tmp_path: Path) -> None:
    for name, text in zip(("cup.service", "cup.timer"), UNITS, strict=True):
        (tmp_path / name).write_text(moved(text, tmp_path), encoding="utf-8")
    verify = ["systemd-analyze", "verify", "--man=no", "cup.service", "cup.timer"]
    environment = os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    accepted = subprocess.run(verify, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (accepted.returncode, accepted.stderr) == (0, "")
    (tmp_path / "cup.timer").write_text(UNITS[1].replace("OnCalendar=*", "OnCalendar=whenever"), encoding="utf-8")
    refused = subprocess.run(verify, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "whenever" in refused.stderr
