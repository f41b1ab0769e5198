"""A small contest for tests: its file, people, and versions that play without an admission."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.records.lines import (
    FORMAT,
    EndLine,
    Header,
    MatchRecord,
    SeatEntry,
    Termination,
    UsageLine,
)
from gridjoust.serve.config import Folders, record_name
from gridjoust.serve.contest import Contest
from gridjoust.serve.store import Store, admit, insert
from gridjoust.serve.values import Person, Version

TOURNAMENT = """
tournament: class
games: [{game: bomber, params: {max_ticks: 12}}]
seed: 7
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 1}
bots: [{name: weak, bot: random}, {name: strong, bot: bomber/wanderer}]
"""
CONTEST = """contest:
  code: come-all-in
  deadline: 2026-12-01T12:00Z
  final_batches: 2
  grades: {pairs: 1, thresholds: [{grade: pass, score: 50}, {grade: first, score: 90, against: weak}]}
  quotas: {uploads_per_hour: 3, matches_per_hour: 1}
"""
CLASS = TOURNAMENT + CONTEST
CODE = "come-all-in"
DEADLINE_S = 1796126400.0
BOT = """
import gridjoust as joust


class Mine(joust.Bot):
    plays = ("bomber",)

    def act(self, observation: joust.Observation) -> str:
        return observation.legal[0]
"""


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, now_s: float = DEADLINE_S - 86_400) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


def class_file(folder: Path, text: str = CLASS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "class.yaml"
    file.write_text(text)
    return file


def open_class(folder: Path, text: str = CLASS, *, now_s: Callable[[], float] = time.time) -> Contest:
    """Open the contest; the bots of its people are trusted."""
    return Contest.open(class_file(folder, text), out=folder / "out", trust=True, now_s=now_s)


def joined(contest: Contest, *names: str) -> list[Person]:
    return [contest.join(CODE, name)[0] for name in names]


def staff_of(contest: Contest) -> Person:
    found = contest.sign_in(contest.staff_key)
    assert found is not None
    return found


def hand_in(contest: Contest, person: Person, text: str = BOT, *, filename: str = "bot.py") -> Version:
    upload = contest.uploads / f"{person.name}.part"
    upload.write_text(text)
    return contest.receive(person, upload, filename=filename)


def let_play(contest: Contest, person: Person, text: str = BOT) -> Version:
    """Hand in a version and admit it untested."""
    version = hand_in(contest, person, text)
    folders = Folders(contest.folder)
    home = folders.home(version.label)
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    (home / "bot.py").write_text(text)
    program = msgspec.json.encode(RoleProgram(path="bot.py:Mine")).decode()
    store = Store(contest.folder)
    store.write(lambda one: admit(one, version.label, program, time.time()))
    store.close()
    return contest.version(version.label)


def add_match(store: Store, first: str, second: str, match_id: str, **values: object) -> int:
    """Queue a match; return its number."""
    row = {
        "match_id": match_id,
        "kind": "ladder",
        "is_extra": 0,
        "batch": 0,
        "pair": 0,
        "pair_id": match_id[:-1],
        "first": first,
        "second": second,
        "purpose": "ladder",
        "queued_s": 0.0,
        "state": "queued",
        **values,
    }
    store.write(lambda one: insert(one, "matches", **row))
    found = store.one("SELECT number FROM matches WHERE match_id = ?", (match_id,))
    assert found is not None
    return int(found["number"])


def record_of(
    first: str,
    second: str,
    points: float,
    *,
    match_id: str = "m1",
    forfeited: tuple[int, ...] = (),
    counted: bool = True,
    duration_ms: float = 1000.0,
) -> MatchRecord:
    """A record without turns; `points`: of the first bot."""
    seats = [
        SeatEntry(bot=record_name(label), planner="", bot_version="", bot_hash="", team=team, role="")
        for team, label in enumerate((first, second))
    ]
    reason = "; ".join(f"seat {seat} forfeits (crashed): its own words" for seat in forfeited) or "done"
    ending = Termination("crashed") if forfeited else Termination.COMPLETED if counted else Termination.VOID
    both: dict[str, list[float | None]] = {"points": [points, 1 - points], "returns": [points, 1 - points]}
    return MatchRecord(
        header=Header(
            format=FORMAT,
            match_id=match_id,
            tournament="class",
            game="bomber",
            game_version="1",
            variant="bomber",
            params={},
            params_id="",
            map="",
            round=1,
            pair_id="p",
            seed=1,
            seats=seats,
            time={},
            schedule_reason="",
            runner_version="",
        ),
        lines=[],
        answers=[],
        usage=UsageLine(started_utc="", duration_ms=duration_ms, attempts=1, cpu_ms=[None, None], peak_mb=[None, None]),
        end=EndLine(
            termination=ending,
            reason=reason,
            counted=counted,
            **both,
            ranks=[1, 2],
            metrics=[{}, {}],
            faults=[int(seat in forfeited) for seat in range(2)],
            forfeited=[*forfeited],
            turns=1,
            hash="",
        ),
    )
