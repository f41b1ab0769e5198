"""Workers with the token who hand in what they were not asked for, what is not true, or what no table can hold."""

from __future__ import annotations

import asyncio
import csv
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import pytest
from msgspec.structs import replace

from gridjoust.engines import messages
from gridjoust.engines.worker import Owner, Work
from gridjoust.leaderboard.report.sections.conditions import played_text
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Batch, Finished
from gridjoust.runner.engines.owner import FIRST, ONE_IN, Belief, LieError
from gridjoust.runner.results.records.file import format_record, list_records, parse_record, read_record
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, Termination
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.schedule import Pairing, make_schedule
from gridjoust.runner.wire.errors import RecordError
from tests.gridjoust.engines.test_workers import TEXT, opened, play, worker
from tests.runner.engines.test_owner import CUP, cup
from tests.runner.memory_cup import make_cup, play_cup

Tamper = Callable[[list[bytes]], list[bytes]]


@dataclass(frozen=True)
class LyingOwner(Owner):
    """The way to the owner, on which records are exchanged."""

    tamper: Tamper = list
    given: set[str] = field(default_factory=set)  # matches of the batches that came

    async def ask(self, path: str, message: object = None) -> bytes:
        """Ask as an honest worker does, but for the records."""
        if isinstance(message, Finished):
            message = replace(message, records=self.tamper(message.records))
        answer = await super().ask(path, message)
        if path.endswith(messages.NEXT) and answer:
            self.given.update(item.match_id for item in msgspec.msgpack.decode(answer, type=Batch).items)
        return answer


def liar(said: list[str], tamper: Tamper) -> tuple[Work, LyingOwner]:
    made = worker(said, "liar")
    owner = LyingOwner(made.owner.url, made.owner.token, tamper)
    made.owner = owner
    return made, owner


def machines(results: Path) -> dict[str, str]:
    with (results / "results.csv").open() as file:
        return {row["match_id"]: row["machine"] for row in csv.DictReader(file)}


@pytest.mark.gate
async def test_a_worker_hands_in_matches_of_its_own_batches_alone(tmp_path: Path) -> None:
    here = make_cup(TEXT, cup(tmp_path / "here"))
    await play_cup(here)
    every = [format_record(read_record(path)) for path in list_records(here.out)]
    async with opened(tmp_path / "there") as (plan, engine, said):
        greedy, owner = liar(said, lambda records: [*records, *every])
        working = [asyncio.create_task(one.run()) for one in (greedy, worker(said, "honest"))]
        await play(plan, engine)
    await asyncio.gather(*working)
    assert first_difference(here.out, plan.out) is None
    its = {match_id for match_id, machine in machines(plan.out).items() if machine == "liar"}
    assert its <= owner.given
    assert len(its) < len(every)


def other_winner(raw: bytes) -> bytes:
    record = parse_record(Path("lie"), raw)
    end = replace(
        record.end, ranks=record.end.ranks[::-1], returns=[(value or 0.0) + 1 for value in record.end.returns]
    )
    return format_record(replace(record, end=end))


@pytest.mark.gate
async def test_a_worker_whose_record_is_not_true_by_the_rules_is_dropped_and_its_matches_are_played_again(
    tmp_path: Path,
) -> None:
    here = make_cup(TEXT, cup(tmp_path / "here"))
    await play_cup(here)
    async with opened(tmp_path / "there") as (plan, engine, said):
        lying, _ = liar(said, lambda records: [other_winner(raw) for raw in records])
        lies = asyncio.create_task(lying.run())
        honest = asyncio.create_task(worker(said, "honest").run())
        await play(plan, engine)
        notes = engine.take_notes()
        lies.cancel()
    await asyncio.gather(honest, lies, return_exceptions=True)
    assert first_difference(here.out, plan.out) is None
    assert set(machines(plan.out).values()) == {"honest"}
    [note] = {note for note in notes if "liar dropped" in note}
    assert "its record contradicts the rules: match " in note


@dataclass(frozen=True)
class Asked:
    """A match that was played as it was asked."""

    loaded: LoadedTournament
    pairing: Pairing
    record: MatchRecord

    def check(self, record: MatchRecord, seed: int = 0) -> None:
        Belief(self.loaded, random.Random(seed)).check(
            parse_record(Path("w"), format_record(record)), self.pairing, worker="w"
        )


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    plan = make_cup(CUP.replace("FORMAT", "format: {rounds: 1}"), cup(tmp_path_factory.mktemp("asked") / "cup"))
    asyncio.run(play_cup(plan))
    pairing = next(make_schedule(plan.loaded))
    return Asked(plan.loaded, pairing, read_record(plan.out / "records" / f"{pairing.match_id}.jsonl"))


def test_a_true_record_is_believed(asked: Asked) -> None:
    asked.check(asked.record)


def changed(part: str, **values: Any) -> Callable[[MatchRecord], MatchRecord]:
    return lambda record: replace(record, **{part: replace(getattr(record, part), **values)})


def declared(**values: str) -> Callable[[MatchRecord], MatchRecord]:
    def change(record: MatchRecord) -> MatchRecord:
        first, *others = record.header.seats
        return replace(record, header=replace(record.header, seats=[replace(first, **values), *others]))

    return change


def blamed(record: MatchRecord) -> MatchRecord:
    fault = msgspec.convert({"type": "fault", "turn": 1, "seat": 0, "fault": "late", "detail": "\x1b[2J"}, FaultLine)
    return replace(record, lines=[fault, *record.lines])


UNBELIEVABLE = {
    "a duration of 1e308 ms": changed("usage", duration_ms=1e308),
    "a CPU time of 1e308 ms": changed("usage", cpu_ms=[1e308, 0.0]),
    "attempts beyond 64 bits": changed("usage", attempts=10**30),
    "no time": changed("usage", started_utc="yesterday"),
    "a time that no table holds": changed("usage", started_utc="9999-12-31T00:00:00.0Z"),
    "fewer values than seats": changed("end", ranks=[1]),
    "a seat too many": changed("end", forfeited=[7]),
    "another round": changed("header", round=10**6),
    "other limits": changed("header", time={}),
    "another seed": changed("header", seed=1),
    "another game": changed("header", params={}),
    "escapes in a reason": changed("end", reason="\x1b[2J"),
    "a reason of 1 MB": changed("end", reason="x" * 1_000_000),
    "escapes in a fault": blamed,
    "a version of 1 MB": declared(bot_version="x" * 1_000_000),
    "escapes in a version": declared(bot_version="\x1b[2J"),
    "a planner that is none": declared(planner="=cmd()"),
    "another program": declared(bot_hash="0"),
    "void and counted": changed("end", termination=Termination.VOID, counted=True),
}


@pytest.mark.parametrize("what", UNBELIEVABLE)
def test_a_record_beyond_what_was_asked_is_not_believed(what: str, asked: Asked) -> None:
    with pytest.raises(RecordError):
        asked.check(UNBELIEVABLE[what](asked.record))


def test_the_first_records_of_a_worker_and_a_sample_of_the_others_are_applied_again(asked: Asked) -> None:
    belief = Belief(asked.loaded, random.Random(4))
    lie = parse_record(Path("lie"), other_winner(format_record(asked.record)))
    caught = []
    for number in range(320):
        try:
            belief.check(lie, asked.pairing, worker="w")
        except LieError:
            caught.append(number)
    assert caught[:FIRST] == [*range(FIRST)]
    assert 320 / ONE_IN / 2 < len(caught) < 320 / ONE_IN * 2
    with pytest.raises(LieError):
        belief.check(lie, asked.pairing, worker="a new one")


def test_a_folder_that_claims_endless_matches_still_has_a_report() -> None:
    times = pd.to_datetime(["2026-01-01T10:00:00Z", "2026-01-01T10:01:00Z"], utc=True)
    told = [
        played_text(pd.DataFrame({"match_id": ["a", "b"], "started_utc": times, "duration_ms": [0.0, duration_ms]}))
        for duration_ms in (30_000.0, 1e308)
    ]
    assert told == ["1 January 2026, 10:00 UTC, 90 s", "1 January 2026, 10:00 UTC, 277777.8 h"]


@pytest.mark.parametrize("field", ["seconds", "late_ms"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e308, -1.0])
def test_what_a_worker_says_of_itself_is_bounded(field: str, value: float) -> None:
    said = {"number": 1, "worker": "w", "records": []}
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(said | {field: 2.0}), type=Finished)
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(said | {field: value}), type=Finished)
