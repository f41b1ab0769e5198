"""Whole tournaments inside the test's process, from YAML text to a results folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from gridjoust.in_process import open_in_process
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import Backend, Plan, PreparedPlan, make_plan, prepare_folder
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import run_tournament

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 20}}]
format: {rounds: 2, swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 1}
bots: [{name: a, bot: random}, {name: b, bot: bomber/wanderer}]
"""
"""Two matches of one pair."""


def make_cup(text: str, folder: Path, *, strict: bool = True) -> Plan:
    """A plan for the tournament file `text`, its results below `folder`; not `strict`: bots may be broken."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "cup.yaml"
    file.write_text(text)
    loaded = load_tournament(file, strict=strict)
    return make_plan(loaded, make_schedule, folder / "results" / loaded.config.tournament)


Open = Callable[[Plan], AbstractAsyncContextManager[Backend]]


async def play_cup(plan: Plan, *, resume: bool = False, open_it: Open = open_in_process) -> list[Played]:
    """Play it in this process; what was played, in the order of the tables."""
    return await play_prepared(prepare_folder(plan, resume=resume), open_it=open_it)


async def play_prepared(plan: PreparedPlan, *, open_it: Open = open_in_process) -> list[Played]:
    """Play a cup whose folder is ready."""
    played: list[Played] = []
    async with open_it(plan) as backend:
        await run_tournament(plan, backend, on_played=played.append)
    return played
