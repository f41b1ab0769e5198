"""The connection of a remote bot to its host; a `Narrator` reads all messages and prints some for the user."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from gridjoust.remote.narrator import Narrator
from gridjoust.runner.wire.bus import Address, Handler, Will
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.errors import BrokerError, RefusedError
from gridjoust.runner.wire.protocol import Status, encode, notice_topic
from gridjoust.runner.wire.token import Token, pinned_context

KEEPALIVE_S = 600  # long, as nothing is read while the bot thinks; the kernel reports a lost host sooner
LOOK_LIMIT_S = 3.0  # for a TCP connection to a host
_BAD_PASSWORD, _ALREADY_IN = 134, 133  # reason codes of a CONNACK in MQTT 5


class Line:
    """A connection of a remote bot to its host, used once. `on_lost` is called once, with the reason, if it breaks."""

    def __init__(self, token: Token, address: Address, *, narrator: Narrator, client_id: str) -> None:
        self.on_lost: Callable[[str], None] | None = None
        self.lost_reason = ""
        self._status = f"{token.prefix}/status"
        self._notice = notice_topic(token.prefix)
        self._narrator = narrator
        self._news = asyncio.Event()
        self._bus = MqttBus(
            address,
            user=token.user,
            password=token.password,
            client_id=client_id,
            will=Will(self._status, encode(Status(online=False))),
            on_lost=self._lose,
            keepalive_s=KEEPALIVE_S,
            tls_context=pinned_context(token.pin) if token.pin else None,
        )

    async def __aenter__(self) -> Self:
        await self._bus.__aenter__()
        with contextlib.suppress(BrokerError):  # an external broker may forbid this topic: then no notices come
            await self._bus.subscribe(self._notice, self._narrator.on_notice)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(BrokerError):  # the broker sends no last will after a clean disconnect
            await self._bus.publish(self._status, encode(Status(online=False)))
        await self._bus.__aexit__(kind, error, trace)

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish one message."""
        await self._bus.publish(topic, payload)

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Publish several messages and do not wait."""
        self._bus.post(messages)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Subscribe to a topic; the narrator gets each message before the handler."""

        def overheard(topic: str, payload: bytes) -> None:
            self._narrator.on_message(topic, payload)
            handler(topic, payload)
            self._news.set()

        await self._bus.subscribe(topic_filter, overheard)

    async def look(self) -> None:
        """Run the handlers of messages that have arrived."""
        await asyncio.sleep(0)

    async def wait(self) -> None:
        """Wait for the next message, or for the loss of the connection."""
        self._news.clear()
        await self._news.wait()

    def _lose(self, reason: str) -> None:
        self.lost_reason = reason
        if self.on_lost is not None:
            self.on_lost(reason)
        self._news.set()


async def open_line(token: Token, addresses: Sequence[Address], *, narrator: Narrator, client_id: str) -> Line:
    """Connect to the first of the addresses that is the token's host; the caller closes the line with `__aexit__`.

    RefusedError if the host refuses this token; BrokerError if no host is found.
    """
    answering = await asyncio.gather(*map(_answers, addresses))
    found = [address for address, answers in zip(addresses, answering, strict=True) if answers]
    problem = f"cannot reach a host at {', '.join(_place(address) for address in addresses)}"
    for address in found:
        try:
            return await Line(token, address, narrator=narrator, client_id=client_id).__aenter__()
        except RefusedError as error:
            if (reason := _refusal(error.code)) is not None:
                raise RefusedError(f"{_place(address)}: {reason}", error.code) from None
            problem = str(error)
        except BrokerError as error:
            problem = str(error)
    raise BrokerError(problem)


def _refusal(code: int) -> str | None:
    """Return why a retry is useless after this reason code of the broker; None if it may help."""
    if code == _ALREADY_IN:
        return "another bot is already connected with this token"
    if code == _BAD_PASSWORD:
        return "the tournament does not know this token: `joust tokens` prints the valid one"
    return None


def _place(address: Address) -> str:
    return address.url.partition("://")[2]


async def _answers(address: Address) -> bool:
    """Return True if the address accepts TCP connections."""
    try:
        async with asyncio.timeout(LOOK_LIMIT_S):
            _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        return False
    writer.close()
    return True
