"""The bus over an MQTT broker: one aiomqtt client whose messages go to handlers as soon as they are read.

It does not reconnect: a lost connection is reported once, and the owner decides if it opens a new bus. QoS 0 only, as
an answer that comes too late is useless, and a lost connection is noticed anyway.

Importing aiomqtt takes 80 ms, so code that may not need a broker imports this module late.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import aiomqtt

from gridjoust.runner.wire.bus import direct
from gridjoust.runner.wire.bus.address import TCP_OPTIONS, Address, Handler, Will
from gridjoust.runner.wire.bus.topics import Routes
from gridjoust.runner.wire.errors import BrokerError, RefusedError

T = TypeVar("T")

_REFUSED = 0x80  # SUBACK codes from here on


class MqttBus:
    """One connection to an MQTT broker; async context manager, used once.

    `on_lost` is called once, on the loop, if the connection ends before the context does. If a handler raises, which is
    a bug, the connection counts as lost, and leaving the context raises the handler's exception.
    """

    def __init__(
        self,
        address: Address,
        *,
        user: str | None,
        password: str | None,
        client_id: str,
        will: Will | None = None,
        on_lost: Callable[[str], None] | None = None,
        keepalive_s: int = 10,
        tls_context: ssl.SSLContext | None = None,
        gather_s: float = 0.0,
    ) -> None:
        """Prepare a connection.

        `tls_context`: checks the server in place of the system's certificate authorities. `gather_s`: time in s that
        messages may wait, to be read together.
        """
        self._address = address
        self._user = user
        self._password = password
        self._client_id = client_id
        self._will = will
        self._on_lost = on_lost
        self._keepalive_s = keepalive_s
        self._tls_context = tls_context
        self._gather_s = gather_s
        self._routes = Routes()
        self._client: aiomqtt.Client | None = None
        self._direct: direct.DirectLine | None = None
        self._unsent: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()  # without a direct line
        self._sender: asyncio.Task[None] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._failed = asyncio.Event()
        self._failure: Exception | None = None
        self._lost_reason: str | None = None

    async def __aenter__(self) -> Self:
        if self._client is not None:
            raise BrokerError(f"{self._address.url}: expected a new bus, got one that was used before")
        client = self._client = await self._make_client()
        try:
            await client.__aenter__()
        except (aiomqtt.MqttError, ValueError) as error:
            as_user = f" as {self._user}" if self._user else ""
            what = f"{self._where()}: cannot connect{as_user}: {error}"
            code = getattr(getattr(error, "rc", None), "value", None)
            raise (BrokerError(what) if code is None else RefusedError(what, code)) from error
        self._direct = direct.direct_line(client, self._receive)
        if self._direct is None:
            self._sender = asyncio.create_task(self._send_unsent(client), name=f"bus[{self._client_id}].send")
        elif self._gather_s:
            self._direct.read_together(self._gather_s)
        self._watcher = asyncio.create_task(self._watch(client), name=f"bus[{self._client_id}].watch")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._client is not None
        assert self._watcher is not None
        tasks = [self._watcher] if self._sender is None else [self._watcher, self._sender]
        for task in tasks:
            task.cancel()
        try:
            await asyncio.wait(tasks)
        finally:  # if this task is cancelled the client is closed too; otherwise asyncio would print a warning
            with contextlib.suppress(aiomqtt.MqttError):  # the connection is lost already
                await self._client.__aexit__(None, None, None)
        self._lost_reason = self._lost_reason or "closed"
        if error is None and self._failure is not None:
            raise self._failure
        if error is None and not self._watcher.cancelled():
            self._watcher.result()  # raises what `on_lost` raised

    async def publish(self, topic: str, payload: bytes) -> None:
        """Send a message; with a direct line this never waits. BrokerError if the connection is gone."""
        self.post([(topic, payload)])
        if self._direct is None:
            await self._unsent.join()
            self._open_client()

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Send several (topic, payload) messages together and do not wait; BrokerError if the connection is gone."""
        self._open_client()
        if self._direct is not None:
            self._direct.send(messages)
            return
        for message in messages:
            self._unsent.put_nowait(message)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Subscribe to a filter and wait for the broker's confirmation.

        For a filter outside the account's rights, some brokers confirm and send nothing; others refuse (BrokerError).
        """
        client = self._open_client()
        if not self._routes.add(topic_filter, handler):
            return
        try:
            granted = await _cancellable(client.subscribe(topic_filter))
        except aiomqtt.MqttError as error:
            raise BrokerError(f"{self._where()}: subscribe to {topic_filter}: {error}") from error
        if any(getattr(code, "value", code) >= _REFUSED for code in granted):
            raise BrokerError(f"{self._where()}: subscribe to {topic_filter}: refused by the broker")

    async def _make_client(self) -> aiomqtt.Client:
        address, will, tls_context = self._address, self._will, self._tls_context
        if address.tls and tls_context is None:  # loading the system's certificates blocks for tens of milliseconds
            tls_context = await asyncio.get_running_loop().run_in_executor(None, ssl.create_default_context)
        return aiomqtt.Client(
            address.socket or address.host,
            address.port or 1883,  # paho needs a port even if it uses the socket
            transport="unix" if address.socket else "tcp",
            socket_options=() if address.socket else TCP_OPTIONS,
            username=self._user,
            password=self._password,
            identifier=self._client_id,
            will=None if will is None else aiomqtt.Will(will.topic, will.payload),
            keepalive=self._keepalive_s,
            queue_type=_queue_type(self._receive, self._next_failure),
            tls_context=tls_context,
        )

    async def _send_unsent(self, client: aiomqtt.Client) -> None:
        """Publish the waiting messages one by one with aiomqtt; drop them once the connection is gone."""
        while True:
            topic, payload = await self._unsent.get()
            if self._lost_reason is None:
                try:
                    await _cancellable(client.publish(topic, payload))
                except (aiomqtt.MqttError, ValueError) as error:
                    self._lost_reason = f"publish to {topic}: {error}"
            self._unsent.task_done()

    def _receive(self, topic: str, payload: bytes) -> None:
        if self._failure is not None:
            return
        try:
            for handler in self._routes.find(topic):
                handler(topic, payload)
        except Exception as error:  # a handler's bug: raised when the owner leaves the context
            error.add_note(f"in a handler of {topic}")
            self._failure = error
            self._failed.set()

    async def _next_failure(self) -> aiomqtt.Message:
        await self._failed.wait()
        assert self._failure is not None
        raise self._failure

    async def _watch(self, client: aiomqtt.Client) -> None:
        """Wait for the end of the connection and report it; messages take another path, see `_queue_type`."""
        try:
            await anext(aiter(client.messages))
        except Exception as error:  # a lost connection or a handler's bug: the owner is told of both
            self._lost_reason = repr(error) if error is self._failure else str(error.__cause__ or error)
        if self._on_lost is not None and self._lost_reason is not None:
            self._on_lost(self._lost_reason)

    def _open_client(self) -> aiomqtt.Client:
        if self._client is None or self._watcher is None:
            raise BrokerError(f"{self._where()}: expected an open connection, got a bus that was not entered")
        if self._lost_reason is not None:
            raise BrokerError(f"{self._where()}: expected an open connection, got: {self._lost_reason}")
        return self._client

    def _where(self) -> str:
        return self._address.socket or self._address.url


async def _cancellable(waiting: Coroutine[Any, Any, T]) -> T:
    """Await and return the result; CancelledError even if `asyncio.wait_for` in aiomqtt drops it (Python 3.11)."""
    task = asyncio.current_task()
    assert task is not None
    asked = task.cancelling()
    result = await waiting
    if task.cancelling() > asked:
        raise asyncio.CancelledError
    return result


def _queue_type(
    receive: Callable[[str, bytes], None], wait: Callable[[], Awaitable[aiomqtt.Message]]
) -> type[asyncio.Queue[aiomqtt.Message]]:
    """Return a queue type that stores nothing: it passes each message to `receive`; its `get` awaits `wait`.

    The client's iterator needs a task and two wake-ups per message; its public `queue_type` avoids that.
    """

    class DispatchQueue(asyncio.Queue[aiomqtt.Message]):
        def put_nowait(self, item: aiomqtt.Message) -> None:
            receive(item.topic.value, item.payload)

        async def get(self) -> aiomqtt.Message:
            return await wait()

    return DispatchQueue
