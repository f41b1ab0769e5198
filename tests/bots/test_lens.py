"""What a bot shows of its search: kept where somebody looks, within bounds, and nothing at all in a match."""

from __future__ import annotations

import msgspec
import pytest

from gridjoust.bots import lens
from gridjoust.bots.api import Bot
from gridjoust.bots.lens import LIMIT_BYTES, MOST_LAYERS, Lens, Showcase, ShownLayer
from gridjoust.runner.wire.bus.memory import MemoryBroker
from gridjoust.runner.wire.protocol import Layer, Shown, TurnMessage
from tests.doubles.clock import settle


class Plain(Bot):
    """Only shows."""


def watched() -> tuple[Plain, Lens]:
    bot = Plain()
    bot.lens = Lens()
    return bot, bot.lens


def test_every_kind_of_layer_is_kept_as_numbers_or_words_and_taken_once() -> None:
    bot, lens = watched()
    bot.show("all", heat={(1, 2): 1 / 3}, path=[(0, 0), (1, 0)], nodes=[(2, 2)], frontier=[(3, 3)])
    bot.show("all", arrows=[((0, 0), (0, 1))], text="why")
    assert lens.take() == [
        ShownLayer("all", "heat", [1, 2, 0.333]),
        ShownLayer("all", "path", [0, 0, 1, 0]),
        ShownLayer("all", "nodes", [2, 2]),
        ShownLayer("all", "frontier", [3, 3]),
        ShownLayer("all", "arrows", [0, 0, 0, 1]),
        ShownLayer("all", "text", "why"),
    ]
    assert lens.take() == []


def test_a_layer_shown_again_for_the_same_answer_takes_the_place_of_the_first_and_gives_its_room_back() -> None:
    bot, lens = watched()
    for letter in "xyz":
        bot.show("long", text=letter * (LIMIT_BYTES - 100))
    bot.show("long", path=[(0, 0), (1, 0)])
    assert [(layer.kind, layer.data[0]) for layer in lens.take()] == [("text", "z"), ("path", 0)]
    assert lens.left_out == 0


def test_nothing_is_kept_where_nobody_looks() -> None:
    bot = Plain()
    bot.show("all", path=[(0, 0), (1, 0)])
    assert bot.lens is None


def test_what_is_too_much_for_one_answer_is_left_out_and_the_next_answer_has_room_again() -> None:
    bot, lens = watched()
    bot.show("long", text="x" * (LIMIT_BYTES - 100))
    bot.show("more", text="y" * 200)
    bot.show("less", text="z")
    assert [layer.name for layer in lens.take()] == ["long", "less"]
    assert lens.left_out == 1
    for number in range(MOST_LAYERS + 1):
        bot.show(str(number), text="x")
    assert len(lens.take()) == MOST_LAYERS
    assert lens.left_out == 2


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
    monkeypatch.setattr(lens, "perf_counter", lambda: now_s[0])
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
