"""What bots write, and what records and tables say they did, cannot drive the terminal of whoever reads it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gridjoust.leaderboard.report.source import load_source
from gridjoust.runner.results.records.chain import sealed_anew
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.results.tables.datapackage import write_datapackage
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

HOSTILE = """
import sys
from gridjoust.bots.api import Bot

class Hostile(Bot):
    version = "Zürich\\x1b[31m"
    def act(self, observation):
        print("\\x1b]0;owned\\x07 Zürich \\u202e", file=sys.stderr)
        if observation.turn == 2:
            raise ValueError("Zürich\\x1b[2J")
        return "wait"
"""
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 4}}]
format: {swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
bots: [{name: hostile, path: "hostile.py:Hostile"}, {name: honest, bot: random}]
"""
RECORD = "results/cup/records/altered.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that a hostile bot has lost; its record and table are altered so that they hold what it meant to say."""
    folder = tmp_path_factory.mktemp("escapes")
    (folder / "hostile.py").write_text(HOSTILE)
    (folder / "cup.yaml").write_text(CUP)
    done = joust("run", "cup.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    [record] = list_records(folder / "results" / "cup")
    assert "\\u001b" not in record.read_text()
    text = record.read_text().replace(record.stem, "altered").replace("Zürich?", "Zürich\\u001b")
    seal(folder / RECORD, text)
    text = text.replace("altered", "forged")
    seal((folder / RECORD).with_name("forged.jsonl"), text.replace('"hash":"', '"hash":"\\u001bZürich'))
    return folder


def seal(record: Path, text: str) -> None:
    """As it is after the run by whoever knows the published key."""
    secrets = load_secrets(record.parents[1])
    assert secrets is not None
    record.write_bytes(sealed_anew(text.encode(), secrets.keys[0]))


@pytest.mark.default("replay0")
@pytest.mark.parametrize(
    "command",
    [
        ("run", "cup.yaml", "--out", "again"),
        ("replay", RECORD, "--speed", "1000"),
        ("rerun", "results/cup", "altered"),
        ("verify", "results/cup"),
        ("ask", "--record", RECORD, "--seat", "0", "--turn", "1"),
        ("replay", "Zürich\x1b.jsonl"),
        ("doctor", "hostile.py:Hostile", "--game", "bomber", "--param", "max_ticks=4", "--matches", "1"),
    ],
    ids=lambda command: command[0],
)
def test_what_is_shown_holds_no_escape_and_ordinary_letters_stay(folder: Path, command: tuple[str, ...]) -> None:
    done = joust(*command, folder=folder)
    shown = done.stdout + done.stderr
    assert "Zürich" in shown
    assert [letter for letter in shown if not letter.isprintable() and letter != "\n"] == []


@pytest.mark.gate
def test_the_report_shows_reasons_and_versions_without_escapes(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "results" / "cup", tmp_path / "cup")
    table = tmp_path / "cup" / "results.csv"
    table.write_text(table.read_text().replace("Zürich?", "Zürich\x1b"))
    write_datapackage(table.parent)  # without checksums
    results = load_source(tmp_path / "cup").results
    assert results["reason"].str.contains("ValueError: Zürich?[2J", regex=False).all()
    assert results["bot_version"].tolist()[0] == "Zürich__31m"
