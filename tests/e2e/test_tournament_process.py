"""What users run: tournaments to the end, interrupted, killed, resumed, tampered with; exit codes; a match by hand."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.results.tables.frames import load
from tests.e2e.bot_on_wire import BROKERS
from tests.e2e.joust_process import joust as joust_process
from tests.e2e.joust_process import start_joust, wait_until
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

CUP = """
tournament: cup
seed: 5
games: [{game: bomber, params: {max_ticks: 40, treasure_min_ticks: 5, treasure_max_ticks: 9}}]
format: {rounds: 2}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {parallel: 2}
broker: {use: BROKER}
bots:
  - {name: a, path: slow.py:Slow}
  - {name: b, bot: random}
  - {name: w, bot: bomber/wanderer}
"""

MATCHES = 12  # of the cup

SLOW = """
import time
from gridjoust.bots.api import Bot

class Slow(Bot):
    def act(self, observation):
        time.sleep(0.002)
        return self.rng.choice(observation.legal)
"""


@pytest.fixture(params=BROKERS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "cup.yaml").write_text(CUP.replace("BROKER", request.param))
    (tmp_path / "slow.py").write_text(SLOW)
    return tmp_path


def records(folder: Path, out: str) -> list[Path]:
    return sorted((folder / out / "cup" / "records").glob("*.jsonl"))


@pytest.mark.gate
def test_a_killed_referee_takes_its_children_along_and_resumes_to_the_same_tables(folder: Path) -> None:
    (folder / "cup.yaml").write_text((folder / "cup.yaml").read_text().replace("seed: 5", "seed: secret"))
    process = start_joust("run", "cup.yaml", "--out", "cut", folder=folder)
    wait_until(lambda: len(records(folder, "cut")) >= 4, "four records")
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 3
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    wait_until(lambda: not any(child.is_running() and child.status() != "zombie" for child in children), "no children")
    found = len(records(folder, "cut"))
    assert found < MATCHES
    unfinished = joust("rerun", "cut/cup", records(folder, "cut")[0].stem, folder=folder)
    assert (unfinished.returncode, "the seed is secret until the run ends" in unfinished.stderr) == (2, True)
    resumed = joust("run", "cup.yaml", "--out", "cut", "--resume", "--json", folder=folder)
    assert resumed.returncode == 0, resumed.stderr
    matches = [json.loads(line) for line in resumed.stdout.splitlines() if '"event": "match"' in line]
    assert sum(match["is_new"] for match in matches) == MATCHES - found
    assert joust("verify", "cut", folder=folder).returncode == 0
    assert joust("rerun", "cut/cup", records(folder, "cut")[0].stem, folder=folder).returncode == 0
    whole = joust("run", "cut/cup/tournament.yaml", "--out", "whole", folder=folder)  # on the published seed
    assert whole.returncode == 0, whole.stderr
    assert first_difference(folder / "whole" / "cup", folder / "cut" / "cup") is None


@pytest.mark.gate
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(folder: Path) -> None:
    options = ("cup.yaml", "--out", "cut", "--overwrite", "--trust", "--parallel", "2", "--only", "a")
    process = start_joust("run", *options, folder=folder)
    wait_until(lambda: len(records(folder, "cut")) >= 1, "a record")
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Continue with: joust run cup.yaml --out cut --parallel 2 --trust --only a --resume\n" in stderr
    assert "Traceback" not in stderr
    assert not list((folder / "cut" / "cup" / "records").glob("*.part"))
    assert joust("run", "cup.yaml", "--out", "cut", "--resume", folder=folder).returncode == 0
    assert joust("verify", "cut", folder=folder).returncode == 0


STUBBORN = "trap '' TERM; while :; do read -r line || exec tail -f /dev/null; done"
"""A bot that never leaves by itself."""

STUBBORN_CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 5}}]
format: {rounds: 500}
time: {start_ms: 60000}
execution: {isolation: process}
bots:
  - {name: a, bot: random}
  - {name: b, bot: random}
  - {name: stubborn, command: [/bin/sh, stubborn.sh], protocol: stdio}
"""


@pytest.fixture
def stubborn(tmp_path: Path) -> Path:
    """A folder with a tournament whose bots take seconds to end."""
    (tmp_path / "cup.yaml").write_text(STUBBORN_CUP)
    (tmp_path / "stubborn.sh").write_text(STUBBORN)
    return tmp_path


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where `joust` puts what is temporary: of a short name, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="jt-") as name:
        monkeypatch.setenv("TMPDIR", name)
        yield Path(name)


@pytest.mark.gate
def test_who_presses_ctrl_c_until_the_end_reads_the_same(stubborn: Path, scratch: Path) -> None:
    process = start_joust("run", "cup.yaml", "--trust", folder=stubborn)
    wait_until(lambda: len(records(stubborn, "results")) >= 1, "a record")

    def has_ended() -> bool:
        process.send_signal(signal.SIGINT)
        return process.poll() is not None

    wait_until(has_ended, "the end")
    _, stderr = process.communicate()
    assert process.returncode == 130, stderr
    told = stderr[stderr.index("stopped; ") :]
    assert re.fullmatch(r"stopped; \d+ match(?:es)? recorded. Continue with: .* --resume\n", told)
    assert list(scratch.iterdir()) == []


@pytest.mark.gate
@pytest.mark.parametrize("number", [signal.SIGHUP, pytest.param(signal.SIGTERM, marks=pytest.mark.gate)])
def test_a_closed_terminal_and_a_polite_kill_stop_a_run_as_ctrl_c_does(
    stubborn: Path, scratch: Path, number: signal.Signals
) -> None:
    process = start_joust("run", "cup.yaml", "--trust", folder=stubborn)
    wait_until(lambda: len(records(stubborn, "results")) >= 1, "a record")
    assert [path.name[:6] for path in scratch.iterdir()] == ["joust-"]
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, "Continue with: joust run cup.yaml --trust --resume\n" in stderr) == (130, True), stderr
    assert list(scratch.iterdir()) == []


@pytest.mark.gate
def test_below_nohup_a_run_outlives_its_terminal(stubborn: Path) -> None:
    process = start_joust("run", "cup.yaml", "--trust", folder=stubborn, nohup=True)
    wait_until(lambda: len(records(stubborn, "results")) >= 1, "a record")
    process.send_signal(signal.SIGHUP)
    before = len(records(stubborn, "results"))
    wait_until(lambda: len(records(stubborn, "results")) >= before + 5, "five more")
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 130


@pytest.mark.gate
def test_a_second_run_leaves_the_folder_of_a_live_one_alone(folder: Path) -> None:
    first = start_joust("run", "cup.yaml", folder=folder)
    wait_until(lambda: len(records(folder, "results")) >= 1, "a record")
    for typed in (["run", "cup.yaml"], ["run", "cup.yaml", "--overwrite"], ["run", "cup.yaml", "--resume"]):
        second = joust(*typed, folder=folder)
        assert (second.returncode, second.stderr.count("\n")) == (2, 1)
        holder = f"process {first.pid} on {socket.gethostname()}, since 20"
        assert second.stderr.startswith(f"joust: another run is using results/cup: {holder}")
    assert "another run is using" in joust("verify", "results/cup", folder=folder).stderr
    assert first.poll() is None
    _, stderr = first.communicate(timeout=60)
    assert first.returncode == 0, stderr
    assert f"{MATCHES} records verified" in joust("verify", "results/cup", folder=folder).stdout
    assert joust("run", "cup.yaml", "--resume", folder=folder).returncode == 0


@pytest.mark.gate
def test_ctrl_c_while_modules_are_loaded_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "typer").mkdir()
    (tmp_path / "typer" / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    process = start_joust("games", folder=tmp_path, path=tmp_path)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "joust: stopped\n")


@pytest.mark.gate
def test_too_few_files_are_no_fault_of_a_bot(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(
        "tournament: cup\ngames: [{game: bomber, params: {max_ticks: 5}}]\n"
        "time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}\n"
        "bots: [{name: a, bot: random}, {name: b, bot: random}]\n"
    )
    process = start_joust("run", "cup.yaml", folder=tmp_path, files=24)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (
        3,
        "joust: too many open files: raise the limit (ulimit -n); finished matches are saved: continue with --resume\n",
    )
    assert joust("run", "cup.yaml", "--resume", folder=tmp_path).returncode == 0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished cup, for looking at."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "cup.yaml").write_text(CUP.replace("{use: BROKER}", "{}").replace("parallel: 2", "isolation: none"))
    (folder / "slow.py").write_text(SLOW)
    done = joust("run", "cup.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


def longest(results: Path) -> Path:
    """The record of the match with the most turns."""
    return max((results / "records").glob("*.jsonl"), key=lambda path: path.stat().st_size)


@pytest.mark.gate
def test_results_verify_and_what_was_changed_in_a_record_or_a_table_is_named(played: Path, tmp_path: Path) -> None:
    whole = joust("verify", "results/cup", folder=played)
    assert (whole.returncode, f"{MATCHES} records verified" in whole.stdout) == (0, True)
    copy = Path(shutil.copytree(played / "results", tmp_path / "results")) / "cup"
    table, record = copy / "results.csv", longest(copy)
    true_table = table.read_text()
    table.write_text(true_table.replace(",completed,", ",crashed,", 1))
    forged = joust("verify", "results/cup", folder=tmp_path)
    assert forged.returncode == 1
    assert "results.csv: row 1: termination: expected 'completed', got 'crashed'" in forged.stderr
    table.write_text(true_table)
    lines = record.read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if '"type":"turn","turn":20,' in line)
    turn = json.loads(lines[number])
    turn["actions"]["0"] = "wait" if turn["actions"]["0"] != "wait" else "up"
    lines[number] = json.dumps(turn, separators=(",", ":"))
    record.write_text("\n".join(lines) + "\n")
    changed = joust("verify", "results/cup", folder=tmp_path)
    assert changed.returncode == 1
    assert re.search(rf"{record.name}: first diverging turn (2\d|3[0-2]|17 to 32): ", changed.stderr)


@pytest.mark.gate
def test_replay_shows_every_turn_or_one(played: Path) -> None:
    record = longest(played / "results" / "cup")
    done = joust("replay", str(record), folder=played)
    assert done.returncode == 0, done.stderr
    for shown in ("turn 0: start position", "turn 40: seat 0", "completed: "):
        assert shown in done.stdout
    one = joust("replay", str(record), "--turn", "7", folder=played)
    assert "turn 7: seat 0" in one.stdout
    assert "turn 8" not in one.stdout


@pytest.mark.gate
def test_the_leaderboard_is_computed_from_the_csv_alone(played: Path, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    shutil.copy(played / "results" / "cup" / "results.csv", tmp_path / "bare")
    done = joust("leaderboard", "bare", "--json", folder=tmp_path)
    table = json.loads(done.stdout)["standings"]
    assert {row["bot"] for row in table} == {"a", "b", "w"}
    assert sum(row["points"] for row in table) == MATCHES


@pytest.mark.gate
def test_a_users_folders_named_like_ours_shadow_nothing(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(
        "tournament: cup\ngames: [{game: bomber, params: {max_ticks: 5}}]\n"
        "time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}\n"
        "bots: [{name: a, path: slow.py:Slow}, {name: b, bot: random}]\n"
    )
    (tmp_path / "slow.py").write_text(SLOW)
    for name in ("bots", "games", "runner", "leaderboard", "gridjoust"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('shadowed')\n")
    done = joust_process("run", "cup.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    verified = joust_process("verify", "results/cup", folder=tmp_path)
    assert "2 records verified" in verified.stdout, verified.stderr


def test_a_mistake_in_the_file_is_one_line_and_exit_code_2_and_help_and_version_answer(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text("turnament: cup\ngames: [{game: bomber}]\nbots: [{name: a, bot: random}]\n")
    done = joust_process("run", "cup.yaml", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "joust: cup.yaml: turnament: expected tournament, got an unknown key (line 1)\n"
    assert "Play a tournament" in joust("--help", folder=tmp_path).stdout
    assert joust("--version", folder=tmp_path).stdout.startswith("joust 0.")


@pytest.mark.gate
def test_a_person_plays_a_match_that_verifies(tmp_path: Path) -> None:
    done = joust_process("play", "bomber", "--param", "max_ticks=4", folder=tmp_path, typed="d\nb\n?\n\na\n")
    assert done.returncode == 0, done.stderr
    assert "You play bomber in seat 0" in done.stdout
    assert "w a s d move, b bomb" in done.stdout
    assert "tick 3   HP" in done.stdout
    assert set(load(tmp_path / "results" / "play-bomber-1").results["termination"]) == {"completed"}
    assert joust("verify", "results", folder=tmp_path).returncode == 0


@pytest.mark.gate
def test_a_bot_that_loops_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "inf.py").write_text(
        "import gridjoust as joust\n\n\nclass Inf(joust.Bot):\n    def act(self, observation):\n"
        "        while True:\n            pass\n"
    )
    (tmp_path / "cup.yaml").write_text(
        "tournament: cup\ngames: [{game: bomber, params: {max_ticks: 20}}]\nformat: {swap_seats: false}\n"
        "time: {turn_ms: 100, start_ms: 60000, grace_ms: 20000}\nfaults: {limit: 2}\n"
        "bots: [{name: inf, path: inf.py:Inf}, {name: random, bot: random}]\n"
    )
    done = joust_process("run", "cup.yaml", folder=tmp_path)
    assert re.search(r"inf forfeited .*no answer within 100 ms: still in act, inf\.py line [67]\n", done.stdout)
