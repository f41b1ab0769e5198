"""One question to one bot: from a record, from a file, with a debugger."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.results.records.file import list_records
from tests.e2e.joust_process import joust as joust_process
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

SAMPLE = Path(__file__).parents[2] / "results" / "sample"
RECORD = str(list_records(SAMPLE)[0])
BOTS = """
import sys, time
from gridjoust.bots.api import Bot, SearchStats

class Counts(Bot):
    asked = 0
    def act(self, observation):
        self.asked += 1
        print(f"asked {self.asked} times", file=sys.stderr)
        return "up"

class Crashes(Bot):
    def act(self, observation):
        return {1: "up", 2: "down"}[observation.turn]

class Expands(Bot):
    def act(self, observation):
        self.stats = SearchStats(generated=4, tactics=5)
        return "left"

class Sleeps(Bot):
    def act(self, observation):
        time.sleep(0.3)
        return observation.view["word"]

class Stops(Bot):
    def act(self, observation):
        if observation.turn == 3:
            breakpoint()
        return "wait"
"""
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 6}}]
format: {swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
bots:
  - {name: shaky, path: "bots.py:Crashes"}
  - {name: random, bot: random}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bots.py").write_text(BOTS)
    return tmp_path


def ask(folder: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    done = joust("ask", *arguments, "--json", folder=folder)
    assert done.returncode == code, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.gate
def test_the_bot_that_played_answers_as_it_did_and_people_read_answer_cost_and_verdict(folder: Path) -> None:
    told = ask(folder, "--record", RECORD, "--turn", "12", "--seat", "1")
    assert told["message"]["turn"] == 12
    assert (told["earlier"], told["differences"]) == (11, [])
    assert told["answers"][-1]["action"] == told["recorded"]["action"]
    assert told["verdict"] == "legal"
    done = joust("ask", "bomber/astar", "--record", RECORD, "--turn", "3", "--seat", "0", folder=folder)
    assert done.returncode == 0
    for part in ("bomber-astar in bomber", "expanded", "latency: "):  # what people read
        assert part in done.stdout
    assert done.stdout.endswith("verdict:   legal\n")


def test_another_bot_is_told_everything_before_the_question_and_its_words_are_shown(folder: Path) -> None:
    told = ask(folder, "bots.py:Counts", "--record", RECORD, "--turn", "5", "--seat", "0")
    assert told["output"] == [f"asked {number} times" for number in range(1, 6)]
    assert {"planning_ms", "action", "seat"} <= set(told["answers"][0])


@pytest.mark.gate
def test_every_forfeit_of_a_run_comes_with_the_command_that_shows_it_again(folder: Path) -> None:
    (folder / "cup.yaml").write_text(CUP)
    run = joust("run", "cup.yaml", folder=folder)
    assert "shaky forfeited in turn 3 (crashed): KeyError: 3" in run.stdout
    command = next(line for line in run.stdout.splitlines() if "joust ask" in line)
    again = joust(*shlex.split(command)[1:], folder=folder)
    assert again.returncode == 1
    assert '"turn": 3' in again.stdout
    assert "verdict:   crashed: KeyError: 3" in again.stdout
    assert "Traceback (most recent call last):" in again.stdout


@pytest.mark.gate
def test_a_saved_question_can_be_changed_and_put_again(folder: Path) -> None:
    ask(folder, "--record", RECORD, "--turn", "12", "--seat", "1", "--save", "q.json")
    question = json.loads((folder / "q.json").read_text())
    question["legal"] = ["bomb"]
    (folder / "q.json").write_text(json.dumps(question))
    told = ask(folder, "random", "--observation", "q.json")
    assert told["message"]["seat"] == 1
    assert told["answers"][0]["action"] == "bomb"
    assert ask(folder, "bots.py:Counts", "--observation", "q.json", code=1)["verdict"].startswith("illegal")


@pytest.mark.gate
@pytest.mark.parametrize(
    ("question", "code", "verdict"),
    [
        ('{"word": "left"}', 0, "legal"),
        ('{"observation": {"word": "left"}, "limit_ms": 100}', 1, r"late: .* ms, limit 100 ms"),
    ],
)
def test_an_observation_alone_is_enough_if_the_game_is_named_and_a_late_answer_is_shown(
    folder: Path, question: str, code: int, verdict: str
) -> None:
    (folder / "q.json").write_text(question)
    told = ask(folder, "bots.py:Sleeps", "--observation", "q.json", "--game", "bomber", "--seat", "1", code=code)
    assert (told["answers"][0]["action"], told["message"]["seat"]) == ("left", 1)
    assert re.fullmatch(verdict, told["verdict"])


@pytest.mark.parametrize(("limit", "code", "verdict"), [(9, 0, "legal"), (8, 1, "late: 9 of 8 successors generated")])
def test_work_above_the_limit_of_a_question_is_late(folder: Path, limit: int, code: int, verdict: str) -> None:
    question = {"observation": {"word": "left"}, "limit_work": limit}
    (folder / "q.json").write_text(json.dumps(question))
    told = ask(folder, "bots.py:Expands", "--observation", "q.json", "--game", "bomber", code=code)
    assert told["verdict"] == verdict


@pytest.mark.gate
def test_with_the_debugger_a_breakpoint_stops_on_this_terminal(folder: Path) -> None:
    arguments = ["bots.py:Stops", "--record", RECORD, "--turn", "3", "--seat", "0", "--debugger"]
    done = joust_process("ask", *arguments, folder=folder, typed="p 'turn', observation.turn\nc\n")
    assert done.returncode == 0, done.stderr
    assert "(Pdb) ('turn', 3)" in done.stdout
    assert "answer:    wait" in done.stdout
    assert "the bot runs in this process, pid " in done.stderr


@pytest.mark.gate
def test_with_the_debugger_a_command_tells_its_process(folder: Path) -> None:
    (folder / "q.json").write_text('{"observation": {"word": "left"}, "limit_ms": 100, "legal": ["left"]}')
    command = shlex.join([sys.executable, "-P", "-m", "gridjoust.bots", "bots.py:Sleeps"])
    arguments = ("--command", command, "--observation", "q.json", "--game", "bomber", "--debugger")
    done = joust("ask", *arguments, folder=folder)
    assert "the bot is process " in done.stderr
    assert "answer:    left" in done.stdout
