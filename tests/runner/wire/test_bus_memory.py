"""The bus within a process: the same promises as over MQTT."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from gridjoust.runner.wire.bus import Will
from gridjoust.runner.wire.bus.memory import MemoryBroker
from gridjoust.runner.wire.errors import BrokerError


async def settle() -> None:
    """Let everything that is queued on the loop run."""
    for _ in range(5):
        await asyncio.sleep(0)


class Heard(list[tuple[str, bytes]]):
    """What a handler was called with."""

    def __call__(self, topic: str, payload: bytes) -> None:
        self.append((topic, payload))


async def test_a_message_reaches_every_bus_that_asked_and_its_sender_too_but_never_inside_publish() -> None:
    broker, heard, wrong = MemoryBroker(), Heard(), Heard()
    async with broker.connect() as one, broker.connect() as other, broker.connect() as deaf:
        for bus in (one, other):
            await bus.subscribe("a/+", heard)
        await deaf.subscribe("b", wrong)
        await one.publish("a/1", b"x")
        assert heard == []
        await settle()
    assert (heard, wrong) == ([("a/1", b"x")] * 2, [])


async def test_messages_arrive_in_the_order_they_were_published() -> None:
    heard = Heard()
    sent = [(f"topic/{number % 3}", b"%d" % number) for number in range(100)]
    async with MemoryBroker().connect() as bus:
        await bus.subscribe("#", heard)
        for topic, payload in sent:
            await bus.publish(topic, payload)
        await settle()
    assert heard == sent


async def test_who_asks_for_a_topic_that_was_published_before_hears_it_from_now_on_and_who_leaves_no_more() -> None:
    broker = MemoryBroker()
    early: list[bytes] = []
    late: list[bytes] = []
    async with broker.connect() as one:
        await one.subscribe("a", lambda _, payload: early.append(payload))
        await one.publish("a", b"1")
        async with broker.connect() as other:
            await other.subscribe("a", lambda _, payload: late.append(payload))
            await one.publish("a", b"2")
            await one.look()
        await one.publish("a", b"3")
        await one.look()
    assert (early, late) == ([b"1", b"2", b"3"], [b"2"])


async def test_what_lies_outside_the_rights_is_neither_written_nor_read() -> None:
    broker, heard, read = MemoryBroker(), Heard(), Heard()
    bot_bus = broker.connect(read=["bot/1/in"], write=["bot/1/out", "bot/1/+/x"])
    async with broker.connect() as referee, bot_bus as bot:
        await referee.subscribe("bot/+/out", heard)
        await referee.subscribe("bot/1/y/x", heard)
        await bot.subscribe("bot/+/in", read)
        for topic in ("bot/2/out", "bot/1/out", "bot/1/in", "bot/1/y/x"):
            await bot.publish(topic, b"")
        for topic in ("bot/2/in", "bot/1/in"):
            await referee.publish(topic, b"asked")
        await settle()
    assert heard == [("bot/1/out", b""), ("bot/1/y/x", b"")]
    assert read == [("bot/1/in", b"asked")]


async def test_a_will_is_published_when_a_connection_is_lost_and_only_then_and_needs_the_right_to_write() -> None:
    broker, heard, told = MemoryBroker(), Heard(), list[str]()
    async with broker.connect() as referee:
        await referee.subscribe("#", heard)
        async with broker.connect(will=Will("status", b"first")):
            pass
        async with broker.connect(will=Will("status", b"second"), on_lost=told.append) as bot:
            bot.lose("killed")
            bot.lose("killed again")
        async with broker.connect(write=["mine"], will=Will("yours", b"forged")) as forger:
            forger.lose("killed")
        await settle()
    assert (heard, told) == ([("status", b"second")], ["killed"])


async def test_a_stopped_broker_is_told_to_everyone_once() -> None:
    broker, told = MemoryBroker(), list[str]()
    async with broker.connect(on_lost=told.append) as bus:
        broker.stop("power cut")
        broker.stop("power cut")
        with pytest.raises(BrokerError, match="expected an open connection, got a lost one"):
            await bus.publish("a", b"")
    assert told == ["power cut"]


async def test_a_bus_that_is_closed_hears_and_says_nothing_and_is_not_used_again() -> None:
    broker, heard = MemoryBroker(), Heard()
    async with broker.connect() as referee:
        async with broker.connect() as bot:
            await bot.subscribe("a", heard)
            await referee.publish("a", b"too late")
        await settle()
        with pytest.raises(BrokerError, match="got a closed one"):
            await bot.publish("a", b"")
        with pytest.raises(BrokerError, match="expected a new bus"):
            await bot.__aenter__()
    assert heard == []


async def test_a_handlers_bug_loses_the_connection_and_is_raised() -> None:
    told = list[str]()
    async with AsyncExitStack() as stack:
        bus = await stack.enter_async_context(MemoryBroker().connect(on_lost=told.append))
        await bus.subscribe("a", lambda topic, payload: [0].remove(1))
        await bus.publish("a", b"")
        await settle()
        assert len(told) == 1
        with pytest.raises(ValueError, match="not in list"):
            await stack.aclose()
