"""The inbox of a bot: order, waiting, and what is no message; and how much a sender may send, and show."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from gridjoust.runner.wire.inbox import SHOWN_EVERY_S, Allowance, Inbox, Pace
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


@dataclass
class Seconds:
    """A clock that tests set."""

    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_an_allowance_fills_with_time_up_to_its_burst_and_a_flood_owes_one_burst_at_most() -> None:
    clock = Seconds()
    allowance = Allowance(8, per_s=2, now_s=clock)
    assert [allowance.spend(amount) for amount in (7, 1, 1)] == [True, True, False]
    clock.now_s += 1  # it owes 1 and gets 2
    assert [allowance.spend(amount) for amount in (1, 1)] == [True, False]
    clock.now_s += 3600
    assert [allowance.spend(amount) for amount in (0.5, 8, 1)] == [True, True, False]
    assert not allowance.spend(10**9)
    clock.now_s += 4
    assert [allowance.spend(amount) for amount in (0, 1)] == [True, False]


def test_what_is_granted_is_added_unless_the_allowance_is_full() -> None:
    allowance = Allowance(8, per_s=0, now_s=Seconds())
    allowance.grant(5)
    assert [allowance.spend(amount) for amount in (8, 0)] == [True, True]
    allowance.grant(5)
    allowance.grant(5)
    assert [allowance.spend(amount) for amount in (10, 1)] == [True, False]


def test_a_seat_shows_its_search_once_in_a_while_whatever_others_show_and_however_many_it_claims() -> None:
    clock = Seconds()
    pace = Pace(clock)
    assert [pace.is_due(seat) for seat in (b"0", b"1", b"0")] == [True, True, False]
    clock.now_s += SHOWN_EVERY_S
    assert [pace.is_due(seat) for seat in (b"0", b"0")] == [True, False]
    assert all(pace.is_due(b"%d" % seat) for seat in range(2, 200))
    assert len(pace._passed_s) <= 64
    assert not pace.is_due(b"199")
