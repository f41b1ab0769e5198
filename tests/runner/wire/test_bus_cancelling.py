"""A task that is cancelled while it waits for the library of MQTT ends."""

from __future__ import annotations

import asyncio

import pytest

from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.mqtt import MqttBus, _cancellable


async def losing(begun: asyncio.Event) -> str:
    """What is done when it is cancelled, and keeps that to itself."""
    begun.set()
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        return "done"
    return "slept"


async def test_a_cancellation_that_is_lost_on_the_way_is_not_lost() -> None:
    begun = asyncio.Event()
    task = asyncio.create_task(_cancellable(losing(begun)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_is_awaited_later_by_a_cancelled_task_comes_to_its_end() -> None:
    begun = asyncio.Event()

    async def cleaning_up() -> str:
        try:
            begun.set()
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return await _cancellable(asyncio.sleep(0, "clean"))
        return "slept"

    task = asyncio.create_task(cleaning_up())
    await begun.wait()
    task.cancel()
    assert await task == "clean"


class Leaving:
    """A client of the library that says whether it has been closed."""

    is_closed = False

    async def __aexit__(self, *_: object) -> None:
        self.is_closed = True


async def test_a_bus_that_is_being_closed_by_a_cancelled_task_is_closed() -> None:
    bus = MqttBus(Address("host", 1), user=None, password=None, client_id="knight")
    client, begun, may_end = Leaving(), asyncio.Event(), asyncio.Event()

    async def watch() -> None:
        try:
            begun.set()
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            await may_end.wait()

    bus._client, bus._watcher = client, asyncio.create_task(watch())  # type: ignore[assignment]
    await begun.wait()
    closing = asyncio.create_task(bus.__aexit__(None, None, None))
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert client.is_closed
    may_end.set()
