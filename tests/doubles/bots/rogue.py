"""A bot that misbehaves in one chosen way: `python rogue.py BEHAVIOUR`, or `Rogue(...).run()` on any bus.

Speaks the protocol by hand, because the harness would not let it do these things.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Bus, Will, parse_address
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.protocol import Action, BotError, Hello, Ready, Start, Stop, ToBot, TurnMessage

TROUBLE_TURN = 3  # from this turn on it misbehaves


class Rogue:
    """Well-behaved (it waits) but for what `behaviour` names."""

    def __init__(self, behaviour: str, *, bus: Bus, prefix: str) -> None:
        self._bus = bus
        self._prefix = prefix
        self._out = f"{prefix}/out"
        self._behaviour = behaviour
        self._inbox: asyncio.Queue[ToBot] = asyncio.Queue()
        self._turn_ms = 100
        self._old_ask = 0
        self._left: int | None = None

    async def run(self) -> int:
        """Serve until told to stop, or until the behaviour ends it; the exit code."""
        if self._behaviour == "crash_at_start":
            print("cannot find my opening book", flush=True)
            return 3
        await self._bus.subscribe(f"{self._prefix}/in", self._hear)
        await self._bus.publish(f"{self._prefix}/status", protocol.encode(protocol.Status(online=True)))
        while self._left is None:
            message = await self._inbox.get()
            if isinstance(message, Stop) and self._behaviour != "ignore_stop":
                return 0
            await self._serve(message)
        return self._left

    def _hear(self, topic: str, payload: bytes) -> None:
        self._inbox.put_nowait(protocol.decode_to_bot(payload))

    async def _serve(self, message: ToBot) -> None:
        match message:
            case Hello() if self._behaviour != "mute":
                await self._send(Ready(protocol=99 if self._behaviour == "old_protocol" else protocol.PROTOCOL))
            case Start() if self._behaviour != "never_ready":
                self._turn_ms = message.limits.turn_ms or 100
                await self._send(Ready(protocol=protocol.PROTOCOL, match=message.match))
            case TurnMessage() if message.turn < TROUBLE_TURN:
                self._old_ask = message.ask
                await self._send(_answer(message))
            case TurnMessage():
                trouble: Callable[[TurnMessage], Awaitable[None]] = getattr(self, f"on_{self._behaviour}", self._behave)
                await trouble(message)
            case _:
                pass

    async def _send(self, message: protocol.FromBot) -> None:
        await self._bus.publish(self._out, protocol.encode(message))

    async def _behave(self, turn: TurnMessage) -> None:
        await self._send(_answer(turn))

    async def on_crash_mid_match(self, turn: TurnMessage) -> None:
        print("IndexError: my list was too short", flush=True)
        self._left = 7

    async def on_leave_mid_match(self, turn: TurnMessage) -> None:
        self._left = 0

    async def on_confess(self, turn: TurnMessage) -> None:
        await self._send(BotError(match=turn.match, message="ValueError: no plan"))

    async def on_stall(self, turn: TurnMessage) -> None:
        """No answer, ever."""

    async def on_late(self, turn: TurnMessage) -> None:
        await asyncio.sleep(self._turn_ms * 1.25 / 1000)
        await self._send(_answer(turn))

    async def on_never_final(self, turn: TurnMessage) -> None:
        """One answer after a while, and not the word that it is the last: the question stays open to its deadline."""
        is_first = turn.turn == TROUBLE_TURN
        if is_first:
            await asyncio.sleep(0.02)
        await self._send(_answer(turn, final=not is_first))

    async def on_early(self, turn: TurnMessage) -> None:
        await self._send(_answer(turn, ask=turn.ask + 50))

    async def on_twice(self, turn: TurnMessage) -> None:
        for text in ("wait", "wait", "up"):
            await self._send(_answer(turn, text))

    async def on_stale(self, turn: TurnMessage) -> None:
        await self._send(_answer(turn, "bomb", ask=self._old_ask))
        await self._send(_answer(turn))

    async def on_flood(self, turn: TurnMessage) -> None:
        for seq in range(3000):
            await self._send(_answer(turn, seq=seq, final=False))
            if seq % 100 == 0:
                await asyncio.sleep(0)

    async def on_flood_status(self, turn: TurnMessage) -> None:
        """Births without end: each would be a task of the referee's."""
        for number in range(3000):
            await self._bus.publish(f"{self._prefix}/status", protocol.encode(protocol.Status(online=True)))
            if number % 100 == 0:
                await asyncio.sleep(0)

    async def on_flicker(self, turn: TurnMessage) -> None:
        """Deaths and births by turns: after each pair everything would be sent again."""
        for number in range(400):
            status = protocol.Status(online=bool(number % 2))
            await self._bus.publish(f"{self._prefix}/status", protocol.encode(status))

    async def on_garbage(self, turn: TurnMessage) -> None:
        await self._bus.publish(self._out, b"\xff\x00 up please")

    async def on_nest(self, turn: TurnMessage) -> None:
        await self._bus.publish(self._out, b'{"type":"action","x":' + b"[" * 5000 + b"]" * 5000 + b"}")

    async def on_slow_garbage(self, turn: TurnMessage) -> None:
        """Far into the bank, where there is one."""
        await asyncio.sleep(self._turn_ms * 2.5 / 1000)
        await self.on_garbage(turn)

    async def on_nonsense(self, turn: TurnMessage) -> None:
        await self._send(_answer(turn, "fly away"))

    async def on_oversize(self, turn: TurnMessage) -> None:
        await self._send(_answer(turn, "up" * protocol.ANSWER_LIMIT_BYTES))

    async def on_impersonate(self, turn: TurnMessage) -> None:
        forged = _answer(turn, "fly away", seat=1 - turn.seat)
        await self._bus.publish(f"{self._prefix.rpartition('/')[0]}/honest.0/out", protocol.encode(forged))
        await self._send(forged)


def _answer(turn: TurnMessage, text: str = "wait", **changes: Any) -> Action:
    fields: dict[str, Any] = {"match": turn.match, "ask": turn.ask, "seat": turn.seat, "action": text}
    return Action(**fields | changes)


async def _main(behaviour: str) -> int:
    if behaviour == "ignore_stop":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    address, _, _ = parse_address(os.environ["JOUST_URL"])
    prefix = os.environ["JOUST_TOPIC"]
    will = Will(f"{prefix}/status", protocol.encode(protocol.Status(online=False)))
    user = os.environ["JOUST_USER"]
    async with MqttBus(address, user=user, password=os.environ["JOUST_PASSWORD"], client_id=user, will=will) as bus:
        code = await Rogue(behaviour, bus=bus, prefix=prefix).run()
        if behaviour in ("crash_mid_match", "leave_mid_match"):
            os._exit(code)  # without a word to the broker
        return code


if __name__ == "__main__":
    sys.exit(asyncio.run(_main(sys.argv[1])))
