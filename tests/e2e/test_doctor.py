"""A bot is examined: what is said of good ones, and of each kind of trouble."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.joust_here import joust
from tests.runner.rogue_cup import ROGUE

pytestmark = pytest.mark.e2e

SHORT = ("--game", "bomber", "--param", "max_ticks=8", "--matches", "2", "--turn-ms", "10000")
TROUBLED = """
import random, subprocess
from gridjoust.bots.api import Bot

class Parent(Bot):
    def start(self, setup):
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    def act(self, observation):
        print("moving on")
        return random.choice(observation.legal)
"""


def rogue(behaviour: str) -> tuple[str, ...]:
    return "--trust", "--command", shlex.join([sys.executable, str(ROGUE), behaviour])


def findings(done: subprocess.CompletedProcess[str], key: str = "sentence") -> dict[str, str]:
    """What is said of every check."""
    assert done.stderr == ""
    return {finding["check"]: finding[key] for finding in json.loads(done.stdout)["findings"]}


@pytest.mark.gate
def test_a_good_bot_passes_and_leaves_records_that_verify(tmp_path: Path) -> None:
    done = joust("doctor", "bomber/wanderer", *SHORT, "--json", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    told = json.loads(done.stdout)
    assert told["is_fit"]
    assert set(findings(done, "verdict").values()) == {"pass"}
    assert findings(done)["determinism"].startswith("16 questions asked again")
    assert joust("verify", told["results"], folder=tmp_path).returncode == 0


@pytest.mark.gate
def test_a_role_can_be_examined_alone(tmp_path: Path) -> None:
    rules = ("--game", "heroquest", "--param", "max_game_rounds=2", "--matches", "1", "--turn-ms", "10000")
    done = joust("doctor", "heroquest/zargon_random", *rules, "--role", "zargon", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    record = next((tmp_path / "results" / "doctor-heroquest-zargon_random" / "records").iterdir())
    seats = json.loads(record.read_text().splitlines()[0])["seats"]
    roles = {seat["bot"]: seat["role"] for seat in seats}
    assert roles == {"heroquest-zargon_random": "zargon", "opponent-1": "heroes"}


@pytest.mark.gate
def test_a_refused_answer_is_shown_and_the_command_beside_it_repeats_it(tmp_path: Path) -> None:
    done = joust("doctor", *rogue("nonsense"), *SHORT, folder=tmp_path)
    assert done.returncode == 1
    assert "result: FAILED (answers)" in done.stdout
    assert "FAIL  answers     12 refused, 16 answers in 2 matches" in done.stdout
    lines = done.stdout.splitlines()
    saw = lines.index("        it saw")
    numbers = next(at for at, line in enumerate(lines) if line.strip().startswith("tick 2   HP"))
    assert numbers - saw > 5  # a board lies between
    assert lines[numbers + 1].strip() == "legal: up, down, left, right, bomb, wait"
    assert "match 2 of 2 ..." in done.stderr
    assert any(line.split() == ["it", "answered", "fly", "away"] for line in lines)
    command = next(line for line in lines if "ask again" in line).split(maxsplit=2)[2]
    again = joust(*shlex.split(command)[1:], folder=tmp_path)
    assert again.returncode == 1
    assert "answer:    fly away" in again.stdout
    assert "verdict:   malformed: " in again.stdout


@pytest.mark.gate
def test_chance_of_its_own_a_child_left_behind_and_a_noisy_output_are_found(tmp_path: Path) -> None:
    (tmp_path / "troubled.py").write_text(TROUBLED)
    done = joust("doctor", "troubled.py:Parent", *SHORT, "--json", folder=tmp_path)
    assert done.returncode == 1
    found = findings(done, "verdict")
    assert [check for check, verdict in found.items() if verdict == "fail"] == ["shutdown"]
    assert (found["determinism"], found["log"]) == ("warn", "warn")
    assert findings(done)["determinism"].endswith("from self.rng (troubled.py line 10: random.choice)")
    assert findings(done)["log"].startswith("32 lines on standard output, such as 'moving on' (troubled.py line 9)")
    children = findings(done)["shutdown"].partition(": ")[2].split(", ")
    assert [child.split()[1] for child in children] == ["sleep"] * len(children)
    for child in children:
        assert not Path("/proc", child.split()[0], "exe").exists() or os.name != "posix"


@pytest.mark.parametrize(
    ("behaviour", "check", "part"),
    [
        ("crash_at_start", "startup", "exited with code 3: cannot find my opening book"),
        pytest.param("old_protocol", "protocol", "expected protocol 1, got 99", marks=pytest.mark.gate),
        pytest.param("crash_mid_match", "crashes", "crashed: 2 faults, 2 matches", marks=pytest.mark.gate),
        pytest.param("stall", "time", "late, limit 300 ms", marks=pytest.mark.gate),
        pytest.param("ignore_stop", "shutdown", "stopped: had not left after 2 s", marks=pytest.mark.gate),
    ],
)
def test_trouble_is_found_where_it_is(tmp_path: Path, behaviour: str, check: str, part: str) -> None:
    limit = ("--turn-ms", "300") if check == "time" else ()
    done = joust("doctor", *rogue(behaviour), *SHORT, *limit, "--json", folder=tmp_path)
    assert done.returncode == 1
    assert [one for one, verdict in findings(done, "verdict").items() if verdict == "fail"] == [check]
    assert part in findings(done)[check]


@pytest.mark.gate
def test_an_examination_replaces_the_one_before_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "results" / "doctor-random").mkdir(parents=True)
    (tmp_path / "results" / "doctor-random" / "thesis.txt").write_text("forty years of work")
    refused = joust("doctor", "random", *SHORT, folder=tmp_path)
    assert refused.returncode == 2
    assert "is not from an earlier `joust doctor` run" in refused.stderr
    (tmp_path / "results" / "doctor-random" / "thesis.txt").rename(tmp_path / "thesis.txt")
    assert joust("doctor", "random", *SHORT, "--out", "other", folder=tmp_path).returncode == 0
    assert joust("doctor", "random", *SHORT, "--out", "other", folder=tmp_path).returncode == 0
