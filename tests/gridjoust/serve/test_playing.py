"""The process that plays a contest: what it queues, plays and enters. Bots run in this process here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.results.records.file import list_ids, read_record, record_path
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.serve.config import Folders, load_contest
from gridjoust.serve.contest import Contest
from gridjoust.serve.play.batches import Planned, make_batch
from gridjoust.serve.play.playing import Player
from gridjoust.serve.store import Store
from gridjoust.serve.values import Kind, MatchFilter, State
from tests.gridjoust.serve.classroom import BOT, CLASS, DEADLINE_S, Clock, joined, let_play, open_class, staff_of

pytestmark = pytest.mark.gate

FALLS = """
import gridjoust as joust


class Mine(joust.Bot):
    plays = ("bomber",)

    def act(self, observation: joust.Observation) -> str:
        raise ValueError("my secret plan")
"""


@contextmanager
def player_of(contest: Contest, *, now_s: Callable[[], float] = time.time) -> Iterator[Player]:
    folders = Folders(contest.folder)
    secrets = load_secrets(folders.results)
    assert secrets is not None
    file = load_contest(contest.folder.parents[1] / "class.yaml", trust=True)
    store = Store(contest.folder)
    try:
        yield Player(file, folders, store, file.loaded.config.seed, secrets.keys[0], now_s=now_s)
    finally:
        store.close()


@asynccontextmanager
async def playing(contest: Contest, *, now_s: Callable[[], float] = time.time) -> AsyncIterator[None]:
    with player_of(contest, now_s=now_s) as player:
        task = asyncio.create_task(player.run(asyncio.Event()))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def until(is_so: Callable[[], bool], *, within_s: float = 60.0) -> None:
    async with asyncio.timeout(within_s):
        while not is_so():  # noqa: ASYNC110 - it waits for another thread's or process's writes
            await asyncio.sleep(0.02)


def played(contest: Contest, kind: Kind | None = None) -> int:
    return len(contest.matches(MatchFilter(kind=kind), viewer=staff_of(contest), limit=1000).matches)


async def test_versions_that_play_get_pairs_and_a_rating(tmp_path: Path) -> None:
    with open_class(tmp_path) as contest:
        for person in joined(contest, "ada", "bob", "cid"):
            let_play(contest, person)
        async with playing(contest):
            await until(lambda: [row.is_complete for row in contest.grades().rows] == [True] * 3)
            await until(lambda: all(row.spread < 200 for row in contest.ladder()))
        row = contest.matches(MatchFilter(kind=Kind.LADDER), viewer=None).matches[-1]
        assert contest.record_of(row.match_id, viewer=None).is_file()


async def test_each_match_has_one_record_and_the_tables_are_those_of_the_records(tmp_path: Path) -> None:
    with open_class(tmp_path) as contest:
        for person in joined(contest, "ada", "bob"):
            let_play(contest, person)
        async with playing(contest):
            await until(lambda: played(contest) >= 12)
        with player_of(contest) as player:
            player.recover()  # the end may have come between a record and its result
        listed = contest.matches(MatchFilter(), viewer=None, limit=1000).matches
        assert {row.match_id for row in listed} == list_ids(contest.results)
        games = {row.label: row.games for row in contest.ladder()}
        assert games == {
            label: sum(label in [side.label for side in row.sides] for row in listed) for label in ("ada@1", "bob@1")
        }


async def test_a_match_whose_record_was_complete_when_the_process_ended_is_entered_not_played_again(
    tmp_path: Path,
) -> None:
    with open_class(tmp_path) as contest:
        for person in joined(contest, "ada", "bob"):
            let_play(contest, person)
        async with playing(contest):
            await until(lambda: played(contest) >= 4)
        row = contest.matches(MatchFilter(), viewer=None).matches[0]
        written = record_path(contest.results, row.match_id).stat().st_mtime_ns
        store = Store(contest.folder)
        store.write(lambda one: one.execute("UPDATE matches SET state = 'running' WHERE match_id = ?", (row.match_id,)))
        with player_of(contest) as player:
            player.recover()
        assert contest.match(row.match_id, viewer=None).state == "played"
        assert record_path(contest.results, row.match_id).stat().st_mtime_ns == written
        store.write(lambda one: one.execute("UPDATE matches SET state = 'running' WHERE match_id = ?", (row.match_id,)))
        record_path(contest.results, row.match_id).unlink()
        with player_of(contest) as player:
            player.recover()
        assert contest.match(row.match_id, viewer=None).state == "queued"
        store.close()


async def test_a_bot_that_crashes_is_suspended_and_the_others_play_on(tmp_path: Path) -> None:
    with open_class(tmp_path) as contest:
        ada, bob, eve = joined(contest, "ada", "bob", "eve")
        for person in (ada, bob):
            let_play(contest, person)
        let_play(contest, eve, FALLS)
        async with playing(contest):
            await until(lambda: bool(contest.suspended()))
            before = contest.person("eve"), played(contest)
            await until(lambda: played(contest) >= before[1] + 8)
        [suspended] = contest.suspended()
        assert (suspended.label, suspended.state) == ("eve@1", State.SUSPENDED)
        row = contest.match(suspended.record, viewer=None)
        assert "my secret plan" not in row.reason
        assert next(side.forfeit for side in row.sides if side.label == "eve@1") == "crashed"
        assert contest.next_match("eve") is None


async def test_a_match_on_demand_is_played_and_moves_no_rating(tmp_path: Path) -> None:
    with open_class(tmp_path) as contest:
        ada, bob = joined(contest, "ada", "bob")
        for person in (ada, bob):
            let_play(contest, person)
        asked = contest.request_match(ada, "bob", seed=11)
        async with playing(contest):
            await until(lambda: contest.match(asked.match_id, viewer=None).state == "played")
        store = Store(contest.folder)
        assert store.read("SELECT * FROM scores WHERE kind = 'on demand'") == []
        store.close()


async def test_matches_beyond_the_batches_get_every_second_turn(tmp_path: Path) -> None:
    with open_class(tmp_path) as contest:
        people = joined(contest, "ada", "bob")
        for person in people:
            let_play(contest, person)
        asked = {contest.request_match(person, "weak").match_id for person in people}
        async with playing(contest):
            await until(lambda: played(contest) >= 5)
        rows = contest.matches(MatchFilter(), viewer=None).matches
        began = {
            row.match_id: read_record(record_path(contest.results, row.match_id)).usage.started_utc for row in rows
        }
    first = sorted(began, key=lambda match_id: began[match_id])[:4]
    assert [match_id in asked for match_id in first] == [True, False, True, False]


async def test_a_new_version_plays_in_place_of_the_old_one(tmp_path: Path) -> None:
    with open_class(tmp_path) as contest:
        ada, bob = joined(contest, "ada", "bob")
        for person in (ada, bob):
            let_play(contest, person)
        async with playing(contest):
            await until(lambda: played(contest) >= 4)
            let_play(contest, ada, FALLS.replace('raise ValueError("my secret plan")', "return observation.legal[-1]"))
            await until(lambda: next(row.games for row in contest.ladder() if row.name == "ada") >= 4)
        first, second = contest.history("ada")
        assert (first.version.is_active, second.version.is_active) == (False, True)
        assert second.gain is not None
        assert first.elo is not None


async def test_the_final_is_played_on_its_own_seed_to_its_end(tmp_path: Path) -> None:
    clock = Clock(DEADLINE_S + 61)
    with open_class(tmp_path, CLASS, now_s=Clock()) as contest:
        for person in joined(contest, "ada", "bob", "cid"):
            let_play(contest, person)
    with open_class(tmp_path, CLASS, now_s=clock) as contest:
        staff = contest.person("staff")
        contest.start_final(staff)
        async with playing(contest):
            await until(lambda: contest.final(viewer=staff).is_played)
        final = contest.final(viewer=staff)
        assert (final.played, final.planned, final.places) == (8, 8, 3)
        assert {row.games for row in final.rows} == {4}
        assert contest.matches(MatchFilter(kind=Kind.FINAL), viewer=None).matches == ()


async def test_a_contest_that_has_nothing_to_play_does_not_plan_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridjoust.serve.play.playing.IDLE_S", 1e6)
    clock, planned, looks = Clock(), list[int](), list[bool]()
    plan, look = make_batch, Player._waiting

    def counted_plan(*given: Any, **named: Any) -> list[Planned]:
        made = plan(*given, **named)
        planned.append(len(made))
        return made

    def counted_look(player: Player, *, is_extra: bool) -> bool:
        looks.append(is_extra)
        return look(player, is_extra=is_extra)

    monkeypatch.setattr("gridjoust.serve.play.playing.make_batch", counted_plan)
    monkeypatch.setattr(Player, "_waiting", counted_look)
    with open_class(tmp_path, CLASS, now_s=clock) as contest:
        [ada] = joined(contest, "ada")
        clock.now_s = DEADLINE_S + 61
        let_play(contest, ada)
        async with playing(contest, now_s=clock):
            await until(lambda: planned[-1:] == [0])
            before = len(looks)
            await until(lambda: len(looks) > before + 2)
    assert planned == [1, 1, 0]


async def test_after_the_deadline_a_late_version_and_the_others_meet_staff_until_all_grades_are_complete(
    tmp_path: Path,
) -> None:
    clock = Clock()
    with open_class(tmp_path, CLASS, now_s=clock) as contest:
        ada, bob = joined(contest, "ada", "bob")
        for person in (ada, bob):
            let_play(contest, person)
        store = Store(contest.folder)
        store.write(lambda one: one.execute("UPDATE versions SET games = 40"))  # they are no newcomers
        store.close()
        clock.now_s = DEADLINE_S + 61
        let_play(contest, ada, f"{BOT}# late\n")
        async with playing(contest, now_s=clock):
            await until(lambda: all(row.is_complete for row in (*contest.grades().rows, *contest.grades().late)))
        assert [row.label for row in contest.grades().late] == ["ada@2"]
        assert (played(contest), played(contest, Kind.STAFF), played(contest, Kind.LADDER)) == (12, 12, 0)
