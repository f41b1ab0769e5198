"""Streams of events: lossless after a break, none waits for another, all end together."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

import pytest

from gridjoust.viewer.live_page import events
from gridjoust.viewer.live_page.events import EventLog


async def read(stream: AsyncIterator[bytes], count: int) -> tuple[list[int], str]:
    """Numbers of the next events, and the id of the last one."""
    text = ""
    while text.count("event: board") < count:
        text += (await anext(stream)).decode()
    found = [json.loads(data)["n"] for data in re.findall(r'data: (\{"n".*)', text)]
    return found, re.findall(r"id: (\S+)", text)[-1]


async def test_a_reader_that_comes_back_reads_on_where_it_stopped() -> None:
    log = EventLog()
    for number in range(5):
        log.add("match", {"n": number})
    first = log.stream("")
    seen, last = await read(first, 5)
    await first.aclose()  # type: ignore[attr-defined]
    for number in range(5, 300):
        log.add("match", {"n": number})
    later, _ = await read(log.stream(last), 295)
    assert seen + later == list(range(300))


@pytest.mark.parametrize("last", ["", "other.3", "x", ".", "1"])
async def test_an_id_of_another_server_leads_to_the_beginning(last: str) -> None:
    log = EventLog()
    log.add("match", {"n": 0})
    assert (await read(log.stream(last), 1))[0] == [0]


async def test_a_reader_that_reads_nothing_keeps_nobody_waiting_and_may_read_it_all_later() -> None:
    log = EventLog()
    slow, quick = log.stream(""), log.stream("")
    await anext(slow)
    for number in range(1000):
        log.add("match", {"n": number})
    assert (await read(quick, 1000))[0] == list(range(1000))
    assert (await read(slow, 1000))[0] == list(range(1000))
    assert log.readers == 2


async def test_what_is_forgotten_or_too_much_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_BYTES", 110)
    log = EventLog()
    for number in range(9):
        log.add("long", {"n": number})
    log.add("other", {"n": 77})
    kept, _ = await read(log.stream(""), 3)
    assert kept == [0, 1, 77]
    log.forget("long")
    assert (await read(log.stream(""), 1))[0] == [77]


async def test_the_state_is_sent_first_and_again_only_when_it_is_another_one() -> None:
    log = EventLog()
    log.set_state({"done": 1})
    stream = log.stream("")
    await anext(stream)
    assert (await anext(stream)).decode() == 'event: state\ndata: {"done":1}\n\n'
    waiting = asyncio.ensure_future(anext(stream))
    log.set_state({"done": 1})
    await asyncio.sleep(0)
    assert not waiting.done()
    log.set_state({"done": 2})
    assert b'{"done":2}' in await waiting


async def test_a_quiet_stream_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "QUIET_S", 0.01)
    stream = EventLog().stream("")
    await anext(stream)
    assert (await anext(stream)).startswith(b": ")


async def test_all_streams_end_when_the_log_is_closed_with_what_there_was() -> None:
    log = EventLog()
    streams = [log.stream("") for _ in range(3)]
    for stream in streams:
        await anext(stream)
    log.add("match", {"n": 1})
    log.close()
    assert [len([part async for part in stream]) for stream in streams] == [1, 1, 1]
    assert log.readers == 0


async def test_who_comes_later_is_not_sent_what_was_over_but_who_comes_back_is() -> None:
    log = EventLog()
    log.add("old", {"n": 0})
    _, last = await read(log.stream(""), 1)
    log.add("old", {"n": 1})
    log.end("old")
    log.add("new", {"n": 2})
    assert (await read(log.stream(""), 1))[0] == [2]
    assert (await read(log.stream(last), 2))[0] == [1, 2]
