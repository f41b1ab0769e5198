"""Tournaments by CPU time and by work, through processes and broker: what is late, and what stays the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from gridjoust.bots import BOTS
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.results.tables.frames import load
from tests.joust_here import joust, skip_if_late

pytestmark = pytest.mark.e2e

CUP = """
tournament: cup
seed: 5
games: [{game: bomber, params: {max_ticks: 6}}]
format: {rounds: 1, swap_seats: false}
faults: {limit: 100}
execution: {isolation: process, parallel: 1}
"""
BOTS_FILE = """
import time
from gridjoust.bots.api import AnytimeBot, Bot, SearchStats

class Burner(Bot):
    def act(self, observation):
        # what is left when it is late, of the next answer too, is well below the limit
        end = time.process_time() + (0.09 if observation.turn % 3 == 0 else 0)
        while time.process_time() < end:
            pass
        return "wait"

class Sleeper(Bot):
    def act(self, observation):
        time.sleep(0.12 if observation.turn % 3 == 0 else 0)
        return "wait"

class Greedy(Bot):
    def act(self, observation):
        self.stats = SearchStats(expanded=99, generated=13, tactics=8 if observation.turn % 3 == 0 else 7)
        return "wait"

class Silent(Bot):
    def act(self, observation):
        return "wait"

class Counting(AnytimeBot):
    def improve(self, observation, deadline):
        while not deadline.is_over():
            self.work.spend()
            yield "wait"
"""


def play(folder: Path, text: str, *, out: str = "results") -> tuple[pd.DataFrame, str]:
    """The answers with the bot that gave them, and what the run said."""
    (folder / "cup.yaml").write_text(CUP + text)
    (folder / "mine.py").write_text(BOTS_FILE)
    run = joust("run", "cup.yaml", "--trust", "--out", out, folder=folder)
    assert run.returncode == 0, run.stderr
    tables = load(folder / out / "cup")
    skip_if_late(tables.results["reason"])
    return tables.turns.merge(tables.results[["match_id", "seat", "bot"]]), run.stdout + run.stderr


def late_turns(answers: pd.DataFrame, bot: str) -> set[int]:
    return set(answers[(answers["bot"] == bot) & (answers["fault"] == "late")]["turn"])


@pytest.mark.gate
def test_by_cpu_time_who_burns_too_much_is_late_and_who_sleeps_longer_is_not(tmp_path: Path) -> None:
    answers, _ = play(
        tmp_path,
        """
time: {turn_ms: 60, clock: cpu, wall_factor: 500, start_ms: 60000}
bots: [{name: burns, path: "mine.py:Burner"}, {name: sleeps, path: "mine.py:Sleeper"}]
""",
    )
    assert (late_turns(answers, "burns"), late_turns(answers, "sleeps")) == ({3, 6}, set())
    slept = answers[(answers["bot"] == "sleeps") & (answers["turn"] == 3)].iloc[0]
    assert slept["latency_ms"] > 100 > slept["cpu_ms"]
    assert slept["forced"] >= 0


def test_by_work_a_bot_is_late_for_what_it_declares_and_named_for_declaring_nothing(tmp_path: Path) -> None:
    answers, said = play(
        tmp_path,
        """
time: {clock: work, turn_work: 20, turn_ms: 30000, start_ms: 60000}
bots:
  - {name: greedy, path: "mine.py:Greedy"}
  - {name: counts, path: "mine.py:Counting"}
  - {name: silent, path: "mine.py:Silent"}
""",
    )
    assert [late_turns(answers, bot) for bot in ("greedy", "counts", "silent")] == [{3, 6}, set(), set()]
    declared = answers[["generated", "tactics"]].sum(axis="columns", min_count=1)
    work = declared.groupby(answers["bot"])
    assert (work.max()["greedy"], work.max()["counts"], work.count()["silent"]) == (21, 20, 0)
    assert "silent: work not counted" in said


ALL = """
  - {game: bomber, params: {max_ticks: 15, bomb_ticks: 6}}
  - {game: placement, params: {width: 9, height: 9, max_cells: 4, islands: 2, max_game_rounds: 3}}
  - {game: navigation, params: {width: 12, height: 10, max_turns: 15, knowledge: unknown}}
"""
BURN = "while True: pass"


@pytest.mark.gate
@pytest.mark.slow
def test_by_work_all_planners_get_the_same_results_however_many_play_at_once_and_beside_a_burner(
    tmp_path: Path,
) -> None:
    planners = ("astar", "beam", "dijkstra_map", "dstar_lite")
    assert {f"{game}/{planner}" for game in ("bomber", "placement", "navigation") for planner in planners} <= {*BOTS}
    text = f"""
tournament: cup
seed: 5
games: {ALL}
format: {{rounds: 1, swap_seats: false}}
time: {{clock: work, turn_work: 600, turn_ms: 30000, start_ms: 60000}}
execution: {{isolation: ISOLATION, parallel: PARALLEL}}
bots: [{", ".join(f"{{name: {planner}, bot: '*/{planner}'}}" for planner in planners)}]
"""
    works = []
    for out, parallel, isolation in (("one", "1", "none"), ("busy", "4", "process")):
        (tmp_path / "cup.yaml").write_text(text.replace("PARALLEL", parallel).replace("ISOLATION", isolation))
        burner = subprocess.Popen([sys.executable, "-S", "-c", BURN]) if out == "busy" else None
        try:
            run = joust("run", "cup.yaml", "--trust", "--out", out, folder=tmp_path)
        finally:
            if burner is not None:
                burner.kill()
                burner.wait()
        assert run.returncode == 0, run.stderr
        works.append(
            load(tmp_path / out / "cup").turns[["match_id", "turn", "seat", "action", "generated", "tactics", "fault"]]
        )
        assert first_difference(tmp_path / "one" / "cup", tmp_path / out / "cup") is None
    assert works[0].equals(works[1])
    assert works[0]["fault"].isna().all()
    assert works[0][["generated", "tactics"]].sum(axis="columns").max() == 600
