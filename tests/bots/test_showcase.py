"""What goes to the live page: the layers of an answer, of each seat now and then."""

from __future__ import annotations

import msgspec
import pytest

from gridjoust.bots import showcase
from gridjoust.bots.api import Bot
from gridjoust.bots.showcase import Showcase
from gridjoust.runner.wire.bus.memory import MemoryBroker
from gridjoust.runner.wire.protocol import TurnMessage
from gridjoust.runner.wire.shown import Layer, Shown
from tests.doubles.clock import settle

PREFIX = "joust/r/bot/b.0"


def question(turn: int, *, seat: int = 0) -> TurnMessage:
    return TurnMessage(
        match="m", ask=turn, seat=seat, turn=turn, view={}, legal=["up"], legal_complete=True, limit_ms=None
    )


async def answer(shown: Showcase, asked: TurnMessage) -> None:
    bot = Bot()
    bot.lens = shown.lens_for(asked.seat)
    bot.show("way", path=[(0, 0), (asked.turn, 0)])
    await shown.show(asked)


async def test_layers_of_an_answer_go_to_their_own_topic_and_those_of_the_next_moment_are_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [100.0]
    monkeypatch.setattr(showcase, "perf_counter", lambda: now_s[0])
    broker, heard = MemoryBroker(), list[Shown]()
    async with broker.connect() as bus, broker.connect() as eye:
        take = msgspec.json.Decoder(Shown).decode
        await eye.subscribe(f"{PREFIX}/shown", lambda _, payload: heard.append(take(payload)))
        shown = Showcase(bus, PREFIX)
        for wait_s, asked in ((0, question(1)), (0.1, question(2)), (0, question(2, seat=1)), (0.2, question(3))):
            now_s[0] += wait_s
            await answer(shown, asked)
        await settle()
    assert [(one.match, one.seat, one.turn) for one in heard] == [("m", 0, 1), ("m", 1, 2), ("m", 0, 3)]
    assert heard[0].layers == [Layer("way", "path", [0, 0, 1, 0])]
