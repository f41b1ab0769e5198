"""The connection of a remote bot to its host: found among the token's addresses, overheard by a narrator."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from gridjoust.remote.narrator import Narrator
from gridjoust.runner.wire.bus import Address, Handler, Will
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.bus.pinned import pinned_context
from gridjoust.runner.wire.errors import BrokerError, RefusedError
from gridjoust.runner.wire.protocol import Status, encode, notice_topic
from gridjoust.runner.wire.token import Token

KEEPALIVE_S = 600  # nothing is heard while the bot thinks; the kernel notices sooner that the host is gone
LOOK_LIMIT_S = 3.0  # for a host to answer at all
_BAD_PASSWORD, _ALREADY_IN = 134, 133  # of a CONNACK, as MQTT 5 numbers them


class Line:
    """One connection, used once: a bus for the bot's side; `on_lost` hears once when it breaks."""

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
        with contextlib.suppress(BrokerError):  # an external broker may keep it from us: then nothing is told
            await self._bus.subscribe(self._notice, self._narrator.on_notice)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(BrokerError):  # who leaves by itself has no last will
            await self._bus.publish(self._status, encode(Status(online=False)))
        await self._bus.__aexit__(kind, error, trace)

    async def publish(self, topic: str, payload: bytes) -> None:
        """Hand the message over."""
        await self._bus.publish(topic, payload)

    async def publish_all(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """The same with several."""
        await self._bus.publish_all(messages)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Hear a topic; what comes is overheard first."""

        def overheard(topic: str, payload: bytes) -> None:
            self._narrator.on_message(topic, payload)
            handler(topic, payload)
            self._news.set()

        await self._bus.subscribe(topic_filter, overheard)

    async def look(self) -> None:
        """Hear what has arrived by now."""
        await asyncio.sleep(0)

    async def wait(self) -> None:
        """Hear what comes next, or that the connection is lost."""
        self._news.clear()
        await self._news.wait()

    def _lose(self, reason: str) -> None:
        self.lost_reason = reason
        if self.on_lost is not None:
            self.on_lost(reason)
        self._news.set()


async def open_line(token: Token, addresses: Sequence[Address], *, narrator: Narrator, client_id: str) -> Line:
    """A line to the first of the addresses that is the token's host, to be left with `__aexit__`.

    RefusedError where the host lets nobody in with this token; BrokerError where no host is found.
    """
    answering = await asyncio.gather(*map(_answers, addresses))
    found = [address for address, answers in zip(addresses, answering, strict=True) if answers]
    problem = f"expected a host at {', '.join(_place(address) for address in addresses)}, got no answer"
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
    """Why there is no use in trying again, None if there is."""
    if code == _ALREADY_IN:
        return "expected one bot with this token, got a second: another one is connected with it"
    if code == _BAD_PASSWORD:
        return "expected a token of this tournament, got one that it does not know: `joust tokens` prints the valid one"
    return None


def _place(address: Address) -> str:
    return address.url.partition("://")[2]


async def _answers(address: Address) -> bool:
    """Whether anybody listens there."""
    try:
        async with asyncio.timeout(LOOK_LIMIT_S):
            _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        return False
    writer.close()
    return True
