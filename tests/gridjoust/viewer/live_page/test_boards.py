"""Boards of running matches: drawn only for somebody, never more often than one can look, forgotten in time."""

from __future__ import annotations

import asyncio
import json

import msgspec
import pytest

from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.wire.protocol import lines_topic
from gridjoust.simulation import play
from gridjoust.viewer.live_page import boards as boards_module
from gridjoust.viewer.live_page.boards import Boards
from gridjoust.viewer.live_page.events import EventLog
from tests.e2e.joust_process import until


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return play("bomber", ["random", "random"], seed=3, params={"max_ticks": 20}).record


def send(boards: Boards, record: MatchRecord, *lines: msgspec.Struct) -> None:
    payload = b"\n".join(map(msgspec.json.encode, lines))
    boards.on_message(lines_topic("run", record.header.match_id), payload)


def turns(log: EventLog) -> list[int]:
    """Of the drawings so far."""
    events = [json.loads(entry.text.partition(b"data: ")[2]) for entry in log._entries]
    return [event["turn"] for event in events if "turn" in event]


async def drawn(log: EventLog, turn: int) -> list[int]:
    """The turns that were drawn, once this one is."""
    await until(lambda: turn in turns(log))
    return turns(log)


async def test_nothing_is_drawn_before_somebody_reads_and_then_all_stands_as_it_is(record: MatchRecord) -> None:
    boards = Boards(log := EventLog())
    send(boards, record, record.header)
    send(boards, record, *record.lines[:7])
    await asyncio.sleep(0)
    assert not turns(log)
    assert boards.running == 1
    boards.look()
    assert await drawn(log, 7) == [7]


async def test_a_match_that_was_over_before_somebody_reads_is_not_drawn(record: MatchRecord) -> None:
    boards = Boards(log := EventLog())
    send(boards, record, record.header)
    send(boards, record, *record.lines, record.end)
    running = msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, match_id="running"))
    send(boards, running, running.header)
    boards.look()
    await drawn(log, 0)
    assert {entry.topic for entry in log._entries} == {"running"}


async def test_turns_that_come_faster_than_one_can_look_go_into_one_drawing(record: MatchRecord) -> None:
    boards = Boards(log := EventLog())
    boards.look()
    send(boards, record, record.header)
    await drawn(log, 0)
    for line in record.lines:
        send(boards, record, line)
    send(boards, record, record.end)
    assert await drawn(log, record.end.turns) == [0, record.end.turns]
    assert (boards.running, boards.shown) == (0, [])


async def test_a_match_that_begins_anew_starts_from_its_deal(record: MatchRecord) -> None:
    boards = Boards(log := EventLog())
    boards.look()
    send(boards, record, record.header)
    send(boards, record, *record.lines[:9])
    await drawn(log, 9)
    send(boards, record, record.header)
    assert await drawn(log, 0) == [0]


async def test_a_match_is_forgotten_when_its_record_is_there_or_some_time_after_its_end(
    record: MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards_module, "KEPT_S", 0.01)
    boards = Boards(log := EventLog())
    boards.look()
    for close in (True, False):
        send(boards, record, record.header)
        await drawn(log, 0)
        if close:
            boards.close_match(record.header.match_id)
        else:
            send(boards, record, *record.lines, record.end)
        await until(lambda: not turns(log))
        assert boards.running == 0


async def test_lines_of_a_match_whose_beginning_was_missed_or_that_needs_other_rules_are_passed_over(
    record: MatchRecord,
) -> None:
    boards = Boards(log := EventLog())
    send(boards, record, *record.lines)
    assert boards.running == 0
    send(boards, record, msgspec.structs.replace(record.header, game_version="0"))
    boards.look()
    await until(lambda: boards.running == 0)
    assert (boards.shown, log._entries) == ([], [])


async def test_what_nobody_looks_at_is_kept_unread_and_not_beyond_its_end(record: MatchRecord) -> None:
    boards = Boards(EventLog())
    send(boards, record, record.header)
    send(boards, record, *record.lines)
    match_id = record.header.match_id
    assert boards._boards[match_id].unread == [msgspec.json.encode(line) for line in record.lines]
    assert boards.turn_of(match_id) == record.end.turns
    assert boards._boards[match_id].unread == []
    send(boards, record, record.end)
    assert boards.bot_at(match_id, 0) is None


async def test_only_so_many_boards_are_drawn_at_once(record: MatchRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards_module, "MOST_BOARDS", 2)
    boards = Boards(log := EventLog())
    boards.look()
    for number in range(4):
        other = msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, match_id=f"m{number}"))
        send(boards, other, other.header)
        await asyncio.sleep(0.03)
    await drawn(log, 0)
    assert {entry.topic for entry in log._entries} == {"m0", "m1"}
    assert boards.running == 4
