"""What `joust run` says about formats whose length or outcome depends on results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridjoust.commands.progress import PlainReporter
from gridjoust.commands.run import run as run_tournament_file
from tests.runner.record.records_builder import make_record

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 20}}]
FORMAT
time: {turn_ms: 2000}
execution: {isolation: none, parallel: 2}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


def run(form: str, folder: Path, *, as_json: bool = False) -> int:
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("FORMAT", form))
    return run_tournament_file(file, out=folder, as_json=as_json)


def test_a_length_that_depends_on_results_is_said_to_be_at_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("format: {type: knockout}", tmp_path) == 0
    assert "cup: at most 6 matches" in capsys.readouterr().out.splitlines()


def test_a_known_length_is_said_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("format: {type: ladder, rounds: 2}", tmp_path) == 0
    assert "cup: 4 matches" in capsys.readouterr().out.splitlines()


def test_progress_also_says_at_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reporter = PlainReporter(tmp_path)
    reporter.begin("cup", 1, [], is_exact=False)
    reporter.played(make_record(), [], is_new=True)
    assert capsys.readouterr().out.splitlines()[1].startswith("1 of at most 1 matches, ")


def test_why_it_stopped_stands_below_the_standings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stop: {max_matches: 6}", tmp_path) == 0
    *_, verdict, results, report = capsys.readouterr().out.splitlines()
    assert verdict.startswith("stopped after 6 matches: no more fit into max_matches")
    assert (results, report) == (f"results: {tmp_path / 'cup'}", f"report: {tmp_path / 'cup' / 'report.html'}")


def test_why_it_stopped_is_kept_with_the_results_and_shown_in_the_report(tmp_path: Path) -> None:
    run("stop: {max_matches: 6}", tmp_path)
    kept = (tmp_path / "cup" / "verdict.txt").read_text().strip()
    assert kept.startswith("stopped after 6 matches: no more fit into max_matches")
    assert kept in (tmp_path / "cup" / "report.html").read_text()


def test_a_round_robin_has_no_verdict_and_that_of_an_earlier_run_does_not_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "verdict.txt").write_text("old\n")
    assert run("format: {type: round_robin}", tmp_path) == 0
    *_, ranked_by, results, report = capsys.readouterr().out.splitlines()
    assert ranked_by.startswith("- ")
    assert (results, report) == (f"results: {tmp_path / 'cup'}", f"report: {tmp_path / 'cup' / 'report.html'}")
    assert {"results.csv", "report.html"} <= {path.name for path in (tmp_path / "cup").iterdir()}
    assert not (tmp_path / "cup" / "verdict.txt").exists()


def test_machines_read_length_and_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("format: {type: knockout, replays: 0}", tmp_path, as_json=True) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith('{"event"')]
    by_name = {event["event"]: event for event in events}
    assert (by_name["started"]["matches"], by_name["started"]["is_exact"]) == (2, True)
    assert by_name["ended"]["verdict"].startswith("knockout: 1. ")
