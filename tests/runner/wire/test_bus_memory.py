from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from runner.wire.bus import MemoryBroker, Will
from runner.wire.errors import BrokerError

Messages = list[tuple[str, bytes]]


async def settle() -> None:
    """Let everything that is queued on the loop run."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_message_reaches_every_bus_that_asked_and_its_sender_too() -> None:
    broker, heard = MemoryBroker(), Messages()
    async with broker.connect() as one, broker.connect() as other, broker.connect() as deaf:
        for bus in (one, other):
            await bus.subscribe("a/+", lambda topic, payload: heard.append((topic, payload)))
        await deaf.subscribe("b", lambda topic, payload: heard.append((topic, b"wrong")))
        await one.publish("a/1", b"x")
        await settle()
    assert heard == [("a/1", b"x")] * 2


async def test_messages_arrive_in_the_order_they_were_published() -> None:
    broker, heard = MemoryBroker(), list[bytes]()
    async with broker.connect() as bus:
        await bus.subscribe("#", lambda topic, payload: heard.append(payload))
        for number in range(100):
            await bus.publish(f"topic/{number % 3}", b"%d" % number)
        await settle()
    assert heard == [b"%d" % number for number in range(100)]


async def test_a_handler_never_runs_inside_publish() -> None:
    broker, heard = MemoryBroker(), list[bytes]()
    async with broker.connect() as bus:
        await bus.subscribe("a", lambda topic, payload: heard.append(payload))
        await bus.publish("a", b"x")
        assert heard == []
        await settle()
        assert heard == [b"x"]


async def test_what_lies_outside_the_write_rights_is_dropped() -> None:
    broker, heard = MemoryBroker(), list[str]()
    async with broker.connect() as referee, broker.connect(write=["bot/1/out", "bot/1/+/x"]) as bot:
        await referee.subscribe("#", lambda topic, payload: heard.append(topic))
        for topic in ("bot/2/out", "bot/1/out", "bot/1/in", "bot/1/y/x"):
            await bot.publish(topic, b"")
        await settle()
    assert heard == ["bot/1/out", "bot/1/y/x"]


async def test_what_lies_outside_the_read_rights_is_not_delivered() -> None:
    broker, heard = MemoryBroker(), list[str]()
    async with broker.connect() as referee, broker.connect(read=["bot/1/in"]) as bot:
        await bot.subscribe("bot/+/in", lambda topic, payload: heard.append(topic))
        for topic in ("bot/2/in", "bot/1/in"):
            await referee.publish(topic, b"")
        await settle()
    assert heard == ["bot/1/in"]


async def test_a_will_is_published_when_a_connection_is_lost_and_only_then() -> None:
    broker, heard, told = MemoryBroker(), list[bytes](), list[str]()
    async with broker.connect() as referee:
        await referee.subscribe("status", lambda topic, payload: heard.append(payload))
        async with broker.connect(will=Will("status", b"first")):
            pass
        async with broker.connect(will=Will("status", b"second"), on_lost=told.append) as bot:
            bot.lose("killed")
            bot.lose("killed again")
            await settle()
    assert (heard, told) == ([b"second"], ["killed"])


async def test_a_will_needs_the_right_to_write() -> None:
    broker, heard = MemoryBroker(), list[bytes]()
    async with broker.connect() as referee:
        await referee.subscribe("#", lambda topic, payload: heard.append(payload))
        async with broker.connect(write=["mine"], will=Will("yours", b"forged")) as bot:
            bot.lose("killed")
            await settle()
    assert heard == []


async def test_a_stopped_broker_is_told_to_everyone_once() -> None:
    broker, told = MemoryBroker(), list[str]()
    async with broker.connect(on_lost=told.append) as bus:
        broker.stop("power cut")
        broker.stop("power cut")
        with pytest.raises(BrokerError, match="expected an open connection, got a lost one"):
            await bus.publish("a", b"")
    assert told == ["power cut"]


async def test_a_bus_that_is_closed_hears_and_says_nothing() -> None:
    broker, heard = MemoryBroker(), list[bytes]()
    async with broker.connect() as referee:
        async with broker.connect() as bot:
            await bot.subscribe("a", lambda topic, payload: heard.append(payload))
            await referee.publish("a", b"too late")
        await settle()
        with pytest.raises(BrokerError):
            await bot.publish("a", b"")
    assert heard == []


async def test_a_handlers_bug_loses_the_connection_and_is_raised() -> None:
    broker, told = MemoryBroker(), list[str]()
    async with AsyncExitStack() as stack:
        bus = await stack.enter_async_context(broker.connect(on_lost=told.append))
        await bus.subscribe("a", lambda topic, payload: [0].remove(1))
        await bus.publish("a", b"")
        await settle()
        assert len(told) == 1
        with pytest.raises(ValueError, match="not in list"):
            await stack.aclose()


async def test_a_bus_is_used_once() -> None:
    bus = MemoryBroker().connect()
    async with bus:
        pass
    with pytest.raises(BrokerError, match="expected a new bus"):
        await bus.__aenter__()


async def test_overlapping_filters_are_refused_as_over_mqtt() -> None:
    async with MemoryBroker().connect() as bus:
        await bus.subscribe("a/#", lambda topic, payload: None)
        with pytest.raises(ValueError, match="do not overlap"):
            await bus.subscribe("a/+", lambda topic, payload: None)
