"""A match between a rogue and an honest bot, over whatever backend it is given; its record and its rows of the CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from runner.config.load import load_tournament
from runner.config.values import LoadedTournament
from runner.record.lines import MatchRecord
from runner.schedule import make_schedule
from runner.tournament import Backend, Plan, Played, make_plan, prepare_folder, run_tournament
from tests.doubles.bots.expectations import EXPECTED, FAULT_LIMIT

ROGUE = Path(__file__).parents[1] / "doubles" / "bots" / "rogue.py"

_FILE = """
tournament: rogues
games: [{{game: bomber, params: {{max_ticks: 12}}}}]
format: {{swap_seats: false}}
time: {{turn_ms: 300, start_ms: {start_ms}, grace_ms: 100}}
faults: {{limit: {limit}}}
execution: {{parallel: 1}}
broker: {{use: {broker}}}
bots:
  - {{name: rogue, command: [{python}, {rogue}, {behaviour}]}}
  - {{name: honest, bot: bomber/wanderer}}
"""

Open = Callable[[Plan], AbstractAsyncContextManager[Backend]]


@dataclass(frozen=True, slots=True)
class Result:
    """What one match against a rogue left behind."""

    record: MatchRecord
    rows: dict[str, dict[str, str]]  # bot -> row of results.csv


async def play_rogue(
    behaviour: str, folder: Path, open_backend: Open, *, broker: str = "auto", python: str, start_ms: int
) -> Result:
    """One match; the rogue sits in seat 0."""
    file = folder / "rogues.yaml"
    words = {"python": python, "rogue": ROGUE, "behaviour": behaviour}
    file.write_text(_FILE.format(limit=FAULT_LIMIT, broker=broker, start_ms=start_ms, **words))
    loaded: LoadedTournament = load_tournament(file)
    plan = make_plan(loaded, lambda: make_schedule(loaded), folder / "out")
    prepare_folder(plan, resume=False)
    played: list[Played] = []
    async with open_backend(plan) as backend:
        await run_tournament(plan, backend, on_played=played.append)
    with (plan.out / "results.csv").open(newline="") as lines:
        rows = {row["bot"]: row for row in csv.DictReader(lines)}
    return Result(played[0].record, rows)


def check_rogue(behaviour: str, result: Result) -> None:
    """Termination, faults, ranks and CSV rows are those of the table; the honest bot has none of the blame."""
    expected = EXPECTED[behaviour]
    end, rogue, honest = result.record.end, result.rows["rogue"], result.rows["honest"]
    termination = end.termination.value
    assert termination in {expected.termination, expected.if_choked}, end.reason
    assert expected.reason in end.reason
    assert end.faults[0] in expected.faults
    assert end.faults[1] == 0
    assert end.forfeited == ([0] if expected.forfeits else [])
    assert rogue["termination"] == honest["termination"] == termination
    assert (rogue["faults"], honest["faults"]) == (str(end.faults[0]), "0")
    if expected.forfeits:
        assert (rogue["rank"], honest["rank"]) == ("2", "1")
        assert (rogue["points"], honest["points"]) == ("0.0", "1.0")
