"""Quarantine and disqualification: decided in schedule order, whatever is over first and however often a run is cut."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from gridjoust.in_process import open_in_process, play_in_process
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.plan import Backend, Plan, prepare_folder
from gridjoust.runner.play.link import BotLink
from gridjoust.runner.play.match import MatchContext
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, Termination
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.table_sink import QUARANTINE_AFTER, Bans, Played
from gridjoust.runner.tournament import run_tournament
from tests.runner.memory_cup import make_cup, play_cup
from tests.runner.results.records.records_builder import make_record

BOTS = """
from gridjoust.bots.api import Bot

class Fragile(Bot):
    odds = 0.4
    def act(self, observation):
        if self.rng.random() < self.odds:
            return self.fail()
        return observation.legal[0]
    def fail(self):
        raise IndexError("my list was too short")

class Sound(Fragile):
    odds = 0.0

class Rude(Fragile):
    odds = 0.1
    def fail(self):
        return "what?"
"""
CUP = """
tournament: cup
seed: 1
games: [{game: placement, seats: SEATS, params: {max_game_rounds: 2}}]
format: {rounds: ROUNDS}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: PARALLEL}
faults: {limit: 1, on_limit: ON_LIMIT}
bots:
  - {name: a, path: bots.py:Fragile}
  - {name: b, path: bots.py:Rude}
  - {name: c, path: bots.py:Fragile}
  - {name: d, path: bots.py:Sound}
"""  # all in one file: ids, and with them chance, do not change with the bots of ours


def cup(folder: Path, parallel: int, *, seats: int = 2, on_limit: str = "forfeit") -> Plan:
    folder.mkdir()
    (folder / "bots.py").write_text(BOTS)
    text = CUP.replace("PARALLEL", str(parallel)).replace("SEATS", str(seats)).replace("ON_LIMIT", on_limit)
    text = text.replace("ROUNDS", "2" if seats == 2 else "1")
    return make_cup(text, folder)


@contextlib.asynccontextmanager
async def open_out_of_order(plan: Plan) -> AsyncIterator[Backend]:
    """Matches take long or short as chance will have it, so that others overtake them."""

    async def play(pairing: Pairing, links: Sequence[BotLink], context: MatchContext, attempt: int) -> MatchRecord:
        record = await play_in_process(pairing, links, context, attempt)
        for _ in range(random.Random(pairing.match_id).choice([0, 0, 200])):
            await asyncio.sleep(0)
        return record

    async with open_in_process(plan) as backend:
        yield replace(backend, play=play)


def check_same(one: Path, other: Path) -> None:
    assert first_difference(one, other) is None
    for paths in zip(list_records(one), list_records(other), strict=True):
        left, right = map(read_record, paths)
        assert (left.header, left.lines, left.end) == (right.header, right.lines, right.end)


@pytest.mark.gate
@pytest.mark.parametrize(
    ("seats", "on_limit", "why"),
    [(2, "forfeit", "quarantined"), (3, "disqualify", "disqualified")],
)
async def test_matches_at_once_and_a_cut_run_ban_the_same_bots_from_the_same_matches(
    tmp_path: Path, seats: int, on_limit: str, why: str
) -> None:
    one, four, cut = (
        cup(tmp_path / name, parallel, seats=seats, on_limit=on_limit)
        for name, parallel in (("one", 1), ("four", 4), ("cut", 4))
    )
    played = await play_cup(one)
    banned = [match.record.end.reason for match in played if why in match.record.end.reason]
    assert 3 < len(banned) < len(played)
    await play_cup(four, open_it=open_out_of_order)
    check_same(one.out, four.out)

    class CutError(Exception):
        pass

    entered: list[Played] = []

    def count(match: Played) -> None:
        entered.append(match)
        if len(entered) == len(played) // 3:
            raise CutError

    prepared = prepare_folder(cut, resume=False)
    with pytest.raises(BaseExceptionGroup):
        async with open_out_of_order(prepared) as backend:
            await run_tournament(prepared, backend, on_played=count)
    await play_cup(cut, resume=True, open_it=open_out_of_order)
    check_same(one.out, cut.out)


def crashed(match_id: str, fault: Fault = Fault.CRASHED, detail: str = "why", *, bot: str = "a") -> MatchRecord:
    """A match of `a` and `b` that one of them forfeits by this fault."""
    record = make_record(match_id, bots=["a", "b"], returns=[0.0, 0.0])
    seat = "ab".index(bot)
    line = FaultLine(turn=1, seat=seat, fault=fault, detail=detail)
    end = structs.replace(record.end, faults=[1 - seat, seat], forfeited=[seat], termination=Termination(fault.value))
    return structs.replace(record, lines=[*record.lines, line], end=end)


@pytest.mark.parametrize("remote", [[], ["a"]])
def test_only_crashes_in_a_row_are_quarantined_and_of_a_remote_bot_none_that_left(remote: list[str]) -> None:
    for fault in Fault:
        bans = Bans(FaultPolicy(), remote=remote)
        for number in range(2 * QUARANTINE_AFTER):
            assert bans.among("ab") == {}
            is_sound = number == QUARANTINE_AFTER - 1
            bans.enter(crashed(f"m{number}", fault, bot="b" if is_sound else "a"))
        counts = fault.is_crash and not (remote and fault in (Fault.FAILED_TO_START, Fault.DISCONNECTED))
        assert bans.among("ab") == ({"a": "quarantined after 3 crashes in a row, the last: why"} if counts else {})


def test_a_void_match_neither_counts_nor_ends_a_row_and_the_first_reason_stays() -> None:
    bans = Bans(FaultPolicy(on_limit="disqualify"))
    lost = crashed("m")
    bans.enter(structs.replace(lost, end=structs.replace(lost.end, termination=Termination.VOID)))
    assert bans.among("ab") == {}
    for number in range(5):
        bans.enter(crashed(f"m{number}"))
    assert list(bans.among("ab")) == ["a"]
    assert bans.among("ab")["a"].startswith("disqualified in match m0: ")


def test_a_match_keeps_to_the_bans_if_who_is_banned_failed_to_start_for_that_reason_and_nobody_else_did() -> None:
    bans = Bans(FaultPolicy())
    sound = make_record("m", bots=["a", "b"], returns=[0.0, 0.0])
    for number in range(QUARANTINE_AFTER):
        assert bans.are_kept_by(sound)
        bans.enter(crashed(f"m{number}"))
    reason = bans.among("a")["a"]
    kept_out = crashed("m", Fault.FAILED_TO_START, reason)
    assert [bans.are_kept_by(record) for record in (sound, crashed("m"), kept_out)] == [False, False, True]
    assert not bans.are_kept_by(crashed("m", Fault.FAILED_TO_START, reason.replace("why", "another")))
    assert not Bans(FaultPolicy()).are_kept_by(kept_out)


def test_a_match_is_worth_another_try_if_a_bot_did_not_start_in_it_that_is_neither_banned_nor_broken() -> None:
    failed = crashed("m", Fault.FAILED_TO_START)
    kept_out = crashed("m", Fault.FAILED_TO_START, "quarantined after 3 crashes in a row, the last: why")
    sound = make_record("m", bots=["a", "b"], returns=[0.0, 0.0])
    for broken, expected in (({}, True), ({"b": "build: no"}, True), ({"a": "build: no"}, False)):
        bans = Bans(FaultPolicy(), broken)
        tries = [bans.is_worth_another_try(record) for record in (sound, crashed("m"), kept_out, failed)]
        assert tries == [False, False, False, expected]


def test_a_broken_bot_is_kept_out_for_that_reason_and_never_banned() -> None:
    bans = Bans(FaultPolicy(on_limit="disqualify"), {"a": "build: no"})
    for number in range(QUARANTINE_AFTER):
        bans.enter(crashed(f"m{number}"))
    assert (bans.count, bans.among("ab")) == (0, {"a": "build: no"})
