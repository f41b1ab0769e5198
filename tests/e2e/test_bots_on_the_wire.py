"""The example bots without our package keep every promise of protocol 1, over both brokers."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust.runner.wire import protocol
from tests.e2e.bot_on_wire import (
    BROKERS,
    JAVASCRIPT,
    PLAIN,
    Wire,
    needs_node,
    open_wire,
    start,
    start_message,
    turn_message,
)

pytestmark = pytest.mark.e2e

HELLO = {"type": "hello", "protocol": 1, "run": "cup", "bot": "guest"}
IN_PYTHON = pytest.param(PLAIN, id="plain")
COMMANDS = [IN_PYTHON, pytest.param(JAVASCRIPT, id="javascript", marks=needs_node)]
MOSTLY_PYTHON = [IN_PYTHON, pytest.param(JAVASCRIPT, id="javascript", marks=[needs_node, pytest.mark.gate])]


@pytest.fixture(params=MOSTLY_PYTHON)
def command(request: pytest.FixtureRequest) -> tuple[str, ...]:
    chosen: tuple[str, ...] = request.param
    return chosen


@pytest.fixture
async def wire(command: tuple[str, ...], tmp_path: Path) -> AsyncIterator[Wire]:
    """A bot that has reported for duty."""
    async with open_wire(command, broker="embedded", folder=tmp_path) as opened:
        assert await opened.next() == ("status", {"online": True})
        yield opened


async def seat(wire: Wire, match: str = "m1", **changed: Any) -> None:
    ready = await wire.ask(start_message(match, **changed))
    assert (ready["type"], ready["match"]) == ("ready", match)


@pytest.mark.default("javascript-socket-embedded", "javascript-tcp-embedded")
@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize("is_tcp", [False, True], ids=["socket", "tcp"])
@pytest.mark.parametrize("command", COMMANDS)
async def test_from_birth_to_stop(command: tuple[str, ...], broker: str, is_tcp: bool, tmp_path: Path) -> None:
    async with open_wire(command, broker=broker, folder=tmp_path, is_tcp=is_tcp) as wire:
        assert await wire.next() == ("status", {"online": True})
        ready = protocol.decode_from_bot(msgspec.json.encode(await wire.ask(HELLO)))
        assert isinstance(ready, protocol.Ready)
        assert (ready.match, ready.language) == (None, "python" if command is PLAIN else "javascript")
        await seat(wire)
        assert (await wire.ask(turn_message(1)))["ask"] == 1
        await wire.send({"type": "stop"})
        assert await wire.left() == (0, "")
        assert wire.heard.empty()  # no last will: it said goodbye


@pytest.mark.gate
async def test_an_answer_is_a_legal_action_for_the_seat_that_was_asked(wire: Wire) -> None:
    await seat(wire)
    for ask, asked in ((1, 0), (2, 2), (3, 0)):
        answer = await wire.ask(turn_message(ask, seat=asked))
        decoded = protocol.decode_from_bot(msgspec.json.encode(answer))
        assert isinstance(decoded, protocol.Action)
        assert (decoded.match, decoded.ask, decoded.seat, decoded.seq, decoded.final) == ("m1", ask, asked, 0, True)
        assert decoded.action in "abcd"
        assert decoded.planning_ms is not None


@pytest.mark.gate
async def test_the_same_seed_gives_the_same_answers_and_another_one_others(wire: Wire) -> None:
    answers = []
    for match, seed in (("m1", 5), ("m2", 5), ("m3", 6)):
        await seat(wire, match, bot_seed=seed)
        answers.append([(await wire.ask(turn_message(ask, match=match)))["action"] for ask in range(1, 21)])
        await wire.send({"type": "end", "match": match, "ranks": [1, 1, 1]})
    assert answers[0] == answers[1]
    assert answers[0] != answers[2]
    assert set(answers[0]) == set("abcd")


@pytest.mark.gate
async def test_questions_of_another_match_and_messages_and_keys_of_later_versions_are_ignored(wire: Wire) -> None:
    await seat(wire, weather="fine")
    await wire.send(turn_message(1, match="m0"))
    await wire.send({"type": "applause", "match": "m1"})
    await wire.send({**turn_message(2), "type": "event"})
    assert (await wire.ask({**turn_message(3), "mood": "good"}))["ask"] == 3


@pytest.mark.gate
async def test_its_own_failure_is_told_before_it_leaves(wire: Wire) -> None:
    await seat(wire)
    told = await wire.ask({**turn_message(1), "legal": None})
    error = protocol.decode_from_bot(msgspec.json.encode(told))
    assert isinstance(error, protocol.BotError)
    assert error.match == "m1"
    assert "TypeError" in error.message
    code, said = await wire.left()
    assert (code, "TypeError" in said) == (1, True)


@pytest.mark.gate
async def test_a_killed_bot_leaves_its_last_will(wire: Wire) -> None:
    wire.process.kill()
    assert await wire.next() == ("status", {"online": False})


@pytest.mark.gate
async def test_a_lost_connection_ends_it(command: tuple[str, ...], tmp_path: Path) -> None:
    async with open_wire(command, broker="embedded", folder=tmp_path) as wire:
        await wire.next()
        twin = await start(command, wire.environment)
        try:
            code, said = await wire.left()
            assert (code, "connection" in said) == (1, True)  # the twin has taken its place
        finally:
            twin.kill()
            await twin.wait()


@pytest.mark.gate
@pytest.mark.parametrize(
    ("extra", "code", "said"),
    [({"JOUST_PROTOCOL": "2"}, 2, "^expected protocol 1, got 2\n$"), ({"JOUST_PASSWORD": "guess"}, 1, ".")],
    ids=["another protocol", "a wrong password"],
)
async def test_what_it_cannot_connect_with_ends_it(
    command: tuple[str, ...], extra: dict[str, str], code: int, said: str, tmp_path: Path
) -> None:
    async with open_wire(command, broker="embedded", folder=tmp_path, extra=extra) as wire:
        left, stderr = await wire.left()
        assert left == code
        assert re.search(said, stderr)


async def test_started_by_hand_it_says_what_it_expects(command: tuple[str, ...]) -> None:
    process = await start(command, {"PATH": os.environ["PATH"]})
    _, stderr = await process.communicate()
    assert process.returncode == 2
    assert stderr.decode().startswith("expected JOUST_URL and JOUST_TOPIC in the environment")
