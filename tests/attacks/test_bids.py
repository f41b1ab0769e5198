"""Real time over processes: no way to bid makes a rival's bid late, and no seat is heard first more often.

Every match takes seconds and depends on time, so it is played with the floods, on a machine with nothing else to do.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from tests.attacks.table import BIDS, Attack
from tests.attacks.test_attacks import SETTINGS
from tests.e2e.joust_process import joust, path_without
from tests.joust_here import skip_if_late

pytestmark = [pytest.mark.e2e, pytest.mark.gate, pytest.mark.flood]

HOSTILE = Path(__file__).with_name("hostile_bids.py")
CUP = """
tournament: bids
seed: 5
games: [{{game: ricochet, seats: 2, params: {{sand_s: 0.8, think_s: 20.0, {params}}}}}]
format: {{{form}}}
time: {{start_ms: 20000, grace_ms: 100}}
execution: {{isolation: {isolation}, parallel: 1}}
broker: {{use: {broker}}}
bots:
{bots}
"""
ROUNDS, MATCHES = 4, 6


def play(folder: Path, setting: tuple[str, str], *, form: str, params: str, bots: list[str]) -> list[MatchRecord]:
    broker, isolation = setting
    path = path_without("bwrap", folder / "path") if isolation == "built-in" else None
    kept = "sandbox" if isolation == "built-in" else isolation
    text = CUP.format(
        broker=broker, isolation=kept, form=form, params=params, bots="\n".join(f"  - {{{bot}}}" for bot in bots)
    )
    (folder / "bids.yaml").write_text(text)
    trusted = ["--trust"] if isolation == "process" else []
    done = joust("run", "bids.yaml", *trusted, folder=folder, path=path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    verified = joust("verify", "results/bids", folder=folder)
    assert verified.returncode == 0, verified.stderr
    records = [read_record(path) for path in list_records(folder / "results" / "bids")]
    skip_if_late(record.end.reason for record in records)
    return records


@pytest.mark.parametrize("attack", BIDS, ids=lambda attack: attack.name)
@pytest.mark.parametrize("setting", SETTINGS)
def test_who_bids_without_a_proof_wins_nothing_and_keeps_nobody_from_bidding(
    setting: tuple[str, str], attack: Attack, tmp_path: Path
) -> None:
    hostile = f"name: {attack.name}, command: [{sys.executable}, {HOSTILE}, {attack.name}]"
    [record] = play(
        tmp_path,
        setting,
        form="swap_seats: false",
        params=f"max_rounds: {ROUNDS}",
        bots=["name: honest, bot: ricochet/astar", hostile],
    )
    honest = [seat.bot for seat in record.header.seats].index("honest")
    assert record.end.termination.value in attack.ends, record.end.reason
    assert record.end.ranks[honest] == 1
    assert record.end.metrics[1 - honest]["chips"] == 0
    assert record.end.faults[honest] == 0
    if record.end.termination.value == "completed":
        assert record.end.metrics[honest]["chips"] == ROUNDS


@pytest.mark.parametrize("setting", SETTINGS)
def test_of_equal_bots_each_seat_is_heard_first_as_often(setting: tuple[str, str], tmp_path: Path) -> None:
    records = play(
        tmp_path,
        setting,
        form=f"rounds: {MATCHES // 2}",
        params="chips: 17",
        bots=["name: a, bot: ricochet/astar", "name: b, bot: ricochet/astar"],
    )
    first = [seat for record in records for seat in first_bids(record)]
    assert len(records) == MATCHES
    assert len(first) >= 17 * MATCHES
    # four and a half standard errors: one run in 100,000 differs as much by chance
    assert abs(sum(first) / len(first) - 0.5) < 4.5 * 0.5 / len(first) ** 0.5


def first_bids(record: MatchRecord) -> list[int]:
    """Who bid first in every round: after a proof, and at the start."""
    found, is_open = [], True
    for line in record.lines:
        for seat, action in line.actions.items() if isinstance(line, TurnLine) else ():
            if action.startswith("bid ") and is_open:
                found.append(int(seat))
            is_open = not action.startswith("bid ") and (is_open or action.startswith("solve "))
    return found
