"""A broker inside this process, for trusted bots and tests, with the guarantees of MQTT but without sockets.

A handler runs from the event loop, never inside the `publish` that caused it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from gridjoust.runner.wire.bus.address import Handler, Will
from gridjoust.runner.wire.bus.topics import ByTopic, Levels, Routes, check_topic, matches_any, split_filter
from gridjoust.runner.wire.errors import BrokerError

EVERYTHING = ("#",)


class MemoryBroker:
    """A broker without network: carries messages between the buses of this process that are connected to it."""

    def __init__(self) -> None:
        self.buses: list[MemoryBus] = []  # open buses in the order of connection, which is the order of delivery
        self._hearers = ByTopic(self._look_for_hearers)
        self._waiting: list[tuple[MemoryBus, str, bytes]] = []  # messages for the loop's next pass

    def connect(
        self,
        *,
        read: Sequence[str] = EVERYTHING,
        write: Sequence[str] = EVERYTHING,
        will: Will | None = None,
        on_lost: Callable[[str], None] | None = None,
    ) -> MemoryBus:
        """Return a bus, to be entered with `async with`. Messages outside its rights are silently dropped."""
        return MemoryBus(self, read=read, write=write, will=will, on_lost=on_lost)

    def stop(self, reason: str = "broker stopped") -> None:
        """End every connection as if the broker had died: no will is published."""
        buses, self.buses = self.buses, []
        self.forget_hearers()
        for bus in buses:
            bus.drop(reason)

    def add(self, bus: MemoryBus) -> None:
        """Add a bus that has opened, so that it receives messages."""
        self.buses.append(bus)

    def remove(self, bus: MemoryBus) -> None:
        """Remove a bus that is closed or lost."""
        self.buses.remove(bus)
        self.forget_hearers()

    def forget_hearers(self) -> None:
        """Clear the cache of each topic's receivers, as a subscription or a bus has changed."""
        self._hearers.clear()

    def deliver(self, topic: str, payload: bytes) -> None:
        """Queue the message for every bus with a subscription and the right to read it."""
        for bus in self._hearers[topic]:
            if not self._waiting:
                asyncio.get_running_loop().call_soon(self._hand_over)
            self._waiting.append((bus, topic, payload))

    def _hand_over(self) -> None:
        """Run the handlers of all messages that wait; what they send waits for the pass after this one."""
        waiting, self._waiting = self._waiting, []
        for bus, topic, payload in waiting:
            bus.receive(topic, payload)

    def _look_for_hearers(self, topic: str) -> list[MemoryBus]:
        levels = tuple(topic.split("/"))
        return [bus for bus in self.buses if bus.wants(topic, levels)]


class MemoryBus:
    """One connection to a MemoryBroker; async context manager."""

    def __init__(
        self,
        broker: MemoryBroker,
        *,
        read: Sequence[str],
        write: Sequence[str],
        will: Will | None,
        on_lost: Callable[[str], None] | None,
    ) -> None:
        self._broker = broker
        self._read = tuple(split_filter(right) for right in read)
        self._write = tuple(split_filter(right) for right in write)
        self._will = will
        self._on_lost = on_lost
        self._routes = Routes()
        self._may_write = ByTopic(self._has_right_to_write)
        self._state = "new"
        self._failure: Exception | None = None
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        if self._state != "new":
            raise BrokerError("memory bus: expected a new bus, got one that was used before")
        self._state = "open"
        self._broker.add(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._state == "open":
            self._broker.remove(self)
        self._state = "closed"
        if self._failure is not None and error is None:
            raise self._failure

    async def publish(self, topic: str, payload: bytes) -> None:
        """Send a message; it is dropped if the topic is outside the bus's rights."""
        self.post([(topic, payload)])

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Send several (topic, payload) messages; those outside the bus's rights are dropped."""
        self._check_open()
        for topic, payload in messages:
            if self._may_write[topic]:
                self._broker.deliver(topic, payload)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Call the handler for messages that match the filter, within the bus's rights."""
        self._check_open()
        self._routes.add(topic_filter, handler)
        self._broker.forget_hearers()

    async def look(self) -> None:
        """Let the handlers of messages that have arrived run."""
        await asyncio.sleep(0)

    async def wait(self) -> None:
        """Wait until a message arrives and is handled, or the connection is lost."""
        self._news.clear()
        await self._news.wait()

    def lose(self, reason: str) -> None:
        """End the connection like a crash: publish the will and call `on_lost`."""
        if self._state == "open":
            self._broker.remove(self)
            if self._will is not None and self._may_write[self._will.topic]:
                self._broker.deliver(self._will.topic, self._will.payload)
            self.drop(reason)

    def drop(self, reason: str) -> None:
        """Mark the connection as lost and call `on_lost`; no more messages arrive."""
        self._state = "lost"
        self._news.set()
        if self._on_lost is not None:
            self._on_lost(reason)

    def _has_right_to_write(self, topic: str) -> bool:
        return matches_any(self._write, tuple(check_topic(topic).split("/")))

    def wants(self, topic: str, levels: Levels) -> bool:
        """Return True if the bus has a handler for the topic and the right to read it; `levels`: the topic, split."""
        return bool(self._routes.find(topic)) and matches_any(self._read, levels)

    def receive(self, topic: str, payload: bytes) -> None:
        """Run the handlers of a message; the broker calls this from the event loop."""
        if self._state != "open":
            return
        self._news.set()
        try:
            for handler in self._routes.find(topic):
                handler(topic, payload)
        except Exception as error:  # a handler's bug: raised when the owner leaves the context
            self._failure = error
            self.lose(f"handler of {topic} failed: {error!r}")

    def _check_open(self) -> None:
        if self._state != "open":
            raise BrokerError(f"memory bus: expected an open connection, got a {self._state} one")
