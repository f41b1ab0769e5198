"""A run that goes on takes over the tables that an earlier one has left, as far as they are as they were."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.commands.verify import verify
from gridjoust.runner.plan import Plan
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.tables import writer
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS
from gridjoust.runner.results.tables.kept import FILE, Extent, load_kept, new_digest, save_seal
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.results.tables.writer import TableWriter, result_rows
from tests.runner.memory_cup import make_cup, play_cup
from tests.runner.test_packed_results import keys_of

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 10}}]
format: {rounds: 3}
time: {turn_ms: 2000}
execution: {isolation: none, parallel: 1}
bots: [{name: a, bot: random}, {name: b, bot: bomber/wanderer}]
"""
ALL = (RESULTS, METRICS, TURNS)


async def played(folder: Path) -> Plan:
    plan = make_cup(CUP, folder)
    await play_cup(plan)
    return plan


async def folded(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Go on: how many matches are played, and how many records are made into rows."""
    count = 0

    def counted(record: object) -> object:
        nonlocal count
        count += 1
        return result_rows(record)  # type: ignore[arg-type]

    monkeypatch.setattr(writer, "result_rows", counted)
    again = await play_cup(make_cup(CUP, plan.out.parents[1]), resume=True)
    assert [one.pairing.index for one in again] == list(range(6))
    assert [one.record.header.match_id for one in again] == [one.pairing.match_id for one in again]
    return sum(one.is_new for one in again), count


def tables(plan: Plan) -> dict[str, list[dict[str, str]]]:
    return {table.file: list(read_rows(plan.out / table.file)) for table in ALL}


@pytest.mark.gate
async def test_whole_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = await played(tmp_path)
    before = tables(plan)
    for _ in range(2):  # the second time under another key
        assert await folded(plan, monkeypatch) == (0, 0)
        assert tables(plan) == before
        assert verify(plan.out) == 0
    kept = load_kept(plan.out, keys_of(plan))
    assert kept is not None
    rows = [row for path in list_records(plan.out) for row in result_rows(read_record(path))]
    by_seat = {(row["match_id"], row["seat"]): row for row in rows}
    for _, own in kept.matches():
        for row in own:
            whole = by_seat[row["match_id"], row["seat"]]
            measured = [name for name, column in RESULTS.by_name.items() if column.is_measured]
            assert {**row, **dict.fromkeys(measured)} == {**whole, **dict.fromkeys(measured)}


async def test_what_a_killed_run_has_left_is_kept_up_to_its_last_seal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await played(tmp_path)
    before = tables(plan)
    records = [read_record(plan.out / row["record"]) for row in before["results.csv"][::2]]
    monkeypatch.setattr(writer, "SEALED_EVERY", 2)
    killed = TableWriter(plan.out, key=keys_of(plan)[0])
    killed.__enter__()
    for record in records[:5]:
        killed.add(record)
    assert await folded(plan, monkeypatch) == (0, 2)
    assert tables(plan) == before
    assert gzip.decompress((plan.out / TURNS.file).read_bytes()).count(b"\n") == 1 + len(before[TURNS.file])
    assert verify(plan.out) == 0


def _lose(file: str) -> Callable[[Path], None]:
    return lambda results: (results / file).unlink()


def _change(file: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def change(results: Path) -> None:
        raw = (results / file).read_bytes()
        assert old in raw
        (results / file).write_bytes(raw.replace(old, new, 1))

    return change


CHANGES = {
    "a result": _change("results.csv", b",0.0,", b",1.0,"),
    "a metric": _change("metrics.csv", b",0.0,", b",1.0,"),
    "a table that is gone": _lose("turns.csv.gz"),
    "no seal": _lose(FILE),
    "a seal of others": _change(FILE, b'"mac":"', b'"mac":"0'),
    "a seal that is none": _change(FILE, b"{", b"["),
}


@pytest.mark.gate
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_tables_that_were_changed_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    plan = await played(tmp_path)
    before = tables(plan)
    change(plan.out)
    assert await folded(plan, monkeypatch) == (0, 6)
    assert tables(plan) == before


@pytest.mark.gate
async def test_from_a_record_that_is_gone_on_tables_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await played(tmp_path)
    before = tables(plan)
    (plan.out / before["results.csv"][6]["record"]).unlink()  # of the fourth match
    assert await folded(plan, monkeypatch) == (1, 6)
    assert [row["actions_id"] for row in tables(plan)["results.csv"]] == [
        row["actions_id"] for row in before["results.csv"]
    ]
    assert verify(plan.out) == 0


async def test_tables_of_another_schedule_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = await played(tmp_path)
    shutil.copytree(plan.out, tmp_path / "other" / "results" / "cup")
    short = make_cup(CUP.replace("rounds: 3", "rounds: 2"), tmp_path / "other")
    assert [one.is_new for one in await play_cup(short, resume=True)] == [False] * 4
    assert len(tables(short)["results.csv"]) == 8
    assert tables(short)["results.csv"] == tables(plan)["results.csv"][:8]


async def test_tables_with_the_columns_of_an_earlier_version_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = await played(tmp_path)
    before = tables(plan)
    kept = load_kept(plan.out, keys_of(plan))
    assert kept is not None
    file = plan.out / METRICS.file
    older = b"".join(line.rpartition(b",")[0] + b"\n" for line in file.read_bytes().splitlines())
    file.write_bytes(older)
    (digest := new_digest()).update(older)
    extent = Extent(size=len(older), digest=digest.hexdigest(), rows=kept.seal.tables[METRICS.name].rows)
    seal = replace(kept.seal, tables=kept.seal.tables | {METRICS.name: extent})
    save_seal(plan.out, seal, keys_of(plan)[0])
    assert load_kept(plan.out, keys_of(plan)) is not None

    assert await folded(plan, monkeypatch) == (0, 6)
    assert tables(plan) == before
