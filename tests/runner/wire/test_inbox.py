"""The inbox of a bot: order, waiting, and what is no message."""

from __future__ import annotations

import asyncio

from gridjoust.runner.wire.inbox import Inbox
from gridjoust.runner.wire.protocol import End, Stop, encode

END = End(match="m1", termination="completed", reason="over", returns=[1.0], ranks=[1])


async def test_messages_come_in_order_and_can_be_looked_at_before_and_whoever_waits_is_woken() -> None:
    news = asyncio.Event()
    inbox = Inbox(arrived=news)
    waiting = asyncio.create_task(inbox.get(news.wait))
    await asyncio.sleep(0)
    assert not waiting.done()
    inbox.put(Stop())
    assert await waiting == Stop()
    inbox.on_message("any", encode(END))
    inbox.put(Stop())
    assert (inbox.peek(), await inbox.get(news.wait), inbox.take()) == (END, END, Stop())
    assert (inbox.peek(), inbox.take()) == (None, None)


async def test_what_is_no_message_is_noted_and_not_kept_and_an_event_of_others_may_be_set() -> None:
    notes, news = list[str](), asyncio.Event()
    inbox = Inbox(notes.append, arrived=news)
    inbox.on_message("any", b"up please")
    assert not news.is_set()
    inbox.on_message("any", encode(Stop()))
    assert [note.partition(": ")[0] for note in notes] == ["expected a message of protocol 1, got 'up please'"]
    assert inbox.take() == Stop()
    assert news.is_set()
