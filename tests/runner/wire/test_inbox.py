"""The inbox of a bot: order, waiting, and what is no message."""

from __future__ import annotations

import asyncio

from runner.wire.inbox import Inbox
from runner.wire.protocol import End, Stop, encode

END = End(match="m1", termination="completed", reason="over", returns=[1.0], ranks=[1])


async def test_messages_come_in_order_and_can_be_looked_at_before() -> None:
    inbox = Inbox()
    inbox.on_message("any", encode(END))
    inbox.put(Stop())
    assert (inbox.peek(), await inbox.get(), inbox.take()) == (END, END, Stop())
    assert (inbox.peek(), inbox.take()) == (None, None)


async def test_who_waits_is_woken_by_the_next_message() -> None:
    inbox = Inbox()
    waiting = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    assert not waiting.done()
    inbox.put(Stop())
    assert await waiting == Stop()


async def test_what_is_no_message_is_noted_and_not_kept() -> None:
    notes: list[str] = []
    inbox = Inbox(notes.append)
    inbox.on_message("any", b"up please")
    inbox.on_message("any", encode(Stop()))
    assert len(notes) == 1
    assert notes[0].startswith("expected a message of protocol 1, got 'up please'")
    assert inbox.take() == Stop()


async def test_the_event_of_someone_who_waits_for_other_things_too_is_set() -> None:
    news = asyncio.Event()
    Inbox(arrived=news).put(Stop())
    assert news.is_set()
