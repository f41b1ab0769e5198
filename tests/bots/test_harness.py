"""The bot side of the wire, over the memory bus with a referee played by hand."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterator

import pytest

from bots.api import AnytimeBot, Bot, Deadline, MatchResult, MatchSetup, Observation, SearchStats
from bots.harness import Harness
from runner.wire import protocol
from runner.wire.bus import MemoryBroker

PREFIX = "joust/r/bot/b.0"


class Desk:
    """The referee's end of one bot's conversation."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.bus = broker.connect()
        self.heard: asyncio.Queue[protocol.FromBot] = asyncio.Queue()
        self.code: asyncio.Task[int] | None = None

    async def send(self, message: protocol.ToBot) -> None:
        await self.bus.publish(f"{PREFIX}/in", protocol.encode(message))

    async def hear(self) -> protocol.FromBot:
        async with asyncio.timeout(5):
            return await self.heard.get()

    async def answer(self, question: protocol.TurnMessage) -> protocol.Action:
        await self.send(question)
        action = await self.hear()
        assert isinstance(action, protocol.Action)
        return action

    async def begin(self, **changes: object) -> protocol.FromBot:
        await self.send(start(**changes))
        return await self.hear()


@contextlib.asynccontextmanager
async def desk_for(bot_class: type[Bot]) -> AsyncIterator[Desk]:
    broker = MemoryBroker()
    desk = Desk(broker)
    async with desk.bus:
        await desk.bus.subscribe(f"{PREFIX}/out", lambda _, p: desk.heard.put_nowait(protocol.decode_from_bot(p)))
        async with broker.connect() as bus:
            desk.code = asyncio.create_task(Harness(bot_class, bus=bus, prefix=PREFIX).run())
            await asyncio.sleep(0)
            yield desk
            desk.code.cancel()


def start(**changes: object) -> protocol.Start:
    fields: dict[str, object] = {
        "match": "m1",
        "game": "bomber",
        "game_version": "1",
        "variant": "bomber",
        "params": {},
        "seats": [0],
        "seat_count": 2,
        "teams": [0, 1],
        "roles": ["", ""],
        "dynamics": "simultaneous",
        "briefing": {"0": {"size": 3}},
        "bot_seed": 11,
        "limits": protocol.Limits(turn_ms=100, bank_ms=0, increment_ms=0, start_ms=1000),
        "options": {},
    }
    return protocol.Start(**(fields | changes))  # type: ignore[arg-type]


def turn(ask: int = 0, *, match: str = "m1", limit_ms: int | None = 100) -> protocol.TurnMessage:
    return protocol.TurnMessage(
        match=match,
        ask=ask,
        seat=0,
        turn=ask + 1,
        view={"tick": ask},
        legal=["up", "wait"],
        legal_complete=True,
        limit_ms=limit_ms,
    )


class Plain(Bot):
    plays = ("bomber",)
    planner = "astar"
    version = "7"

    def __init__(self, *, word: str = "up") -> None:
        self.word = word
        self.log: list[str] = []

    def start(self, setup: MatchSetup) -> None:
        self.log.append(f"{setup.game} {setup.briefing['0']['size']} {setup.turn_ms}")

    def act(self, observation: Observation) -> str:
        self.stats = SearchStats(expanded=5)
        return f"{self.word} {observation.view['tick']} {self.rng.randrange(1000)}"

    def hear(self, event: Observation) -> None:
        self.word = "heard"

    def finish(self, result: MatchResult) -> None:
        raise ValueError(f"finished {result.termination}")


async def test_hello_is_answered_with_what_the_bot_declares() -> None:
    async with desk_for(Plain) as desk:
        await desk.send(protocol.Hello(protocol=1, run="r", bot="b"))
        ready = await desk.hear()
        assert ready == protocol.Ready(protocol=1, planner="astar", plays=["bomber"], version="7", language="python")


async def test_start_is_answered_with_the_match() -> None:
    async with desk_for(Plain) as desk:
        ready = await desk.begin()
        assert isinstance(ready, protocol.Ready)
        assert ready.match == "m1"


async def test_an_answer_names_its_question_and_brings_the_search_cost() -> None:
    async with desk_for(Plain) as desk:
        await desk.begin()
        action = await desk.answer(turn(4))
        assert (action.ask, action.seat, action.final) == (4, 0, True)
        assert action.stats == protocol.Stats(expanded=5)
        assert action.planning_ms is not None
        assert action.planning_ms >= 0


async def test_the_bots_chance_comes_from_its_seed_alone() -> None:
    async with desk_for(Plain) as desk:
        await desk.begin(bot_seed=42)
        action = await desk.answer(turn())
        assert action.action == f"up 0 {random.Random(42).randrange(1000)}"


async def test_options_reach_the_constructor() -> None:
    async with desk_for(Plain) as desk:
        await desk.begin(options={"word": "down"})
        assert (await desk.answer(turn())).action.startswith("down")


async def test_an_unknown_option_is_reported() -> None:
    async with desk_for(Plain) as desk:
        error = await desk.begin(options={"wrod": "down"})
        assert isinstance(error, protocol.BotError)
        assert "wrod" in error.message


async def test_every_match_gets_a_fresh_bot() -> None:
    async with desk_for(Plain) as desk:
        await desk.begin()
        await desk.send(protocol.Event(match="m1", ask=0, seat=0, turn=1, view={}, legal=[], legal_complete=True))
        assert (await desk.answer(turn())).action.startswith("heard")
        await desk.begin(match="m2")
        assert (await desk.answer(turn(match="m2"))).action.startswith("up")


async def test_a_question_of_another_match_is_left_alone() -> None:
    async with desk_for(Plain) as desk:
        await desk.begin()
        await desk.send(turn(9, match="old"))
        assert (await desk.answer(turn(1))).ask == 1


async def test_an_exception_in_the_bot_is_told_and_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    async with desk_for(Plain) as desk:
        await desk.begin()
        await desk.send(protocol.End(match="m1", termination="completed", reason="", returns=[], ranks=[]))
        error = await desk.hear()
        assert isinstance(error, protocol.BotError)
        assert error.message == "ValueError: finished completed"
        assert desk.code is not None
        assert await desk.code == 1
    assert "Traceback" in capsys.readouterr().err


async def test_stop_ends_it_with_code_0() -> None:
    async with desk_for(Plain) as desk:
        await desk.send(protocol.Stop())
        assert desk.code is not None
        assert await desk.code == 0


async def test_rubbish_is_ignored_and_logged(capsys: pytest.CaptureFixture[str]) -> None:
    async with desk_for(Plain) as desk:
        await desk.bus.publish(f"{PREFIX}/in", b"rubbish")
        await desk.begin()
    assert "ignored: expected a message of protocol 1" in capsys.readouterr().err


class Better(AnytimeBot):
    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        for number in range(3):
            self.stats = SearchStats(expanded=number)
            yield f"plan {number}"
            yield None


async def test_an_anytime_bot_sends_every_answer_and_the_last_as_final() -> None:
    async with desk_for(Better) as desk:
        await desk.begin()
        await desk.send(turn())
        sent = [await desk.hear() for _ in range(4)]
        actions = [action for action in sent if isinstance(action, protocol.Action)]
        assert [(a.seq, a.action, a.final) for a in actions] == [
            (0, "plan 0", False),
            (1, "plan 1", False),
            (2, "plan 2", False),
            (3, "plan 2", True),
        ]
        assert actions[-1].stats == protocol.Stats(expanded=2)


async def test_in_a_real_time_game_nothing_is_sent_twice() -> None:
    async with desk_for(Better) as desk:
        await desk.begin(dynamics="real_time")
        await desk.send(turn(limit_ms=None))
        for _ in range(3):
            await desk.hear()
        await desk.send(protocol.Hello(protocol=1, run="r", bot="b"))
        assert isinstance(await desk.hear(), protocol.Ready)


class Endless(AnytimeBot):
    heard = ""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        yield f"first {observation.turn}"
        while True:
            yield f"heard {self.heard}" if self.heard else None

    def hear(self, event: Observation) -> None:
        self.heard = str(event.turn)


async def test_news_reaches_a_bot_in_the_middle_of_its_search() -> None:
    async with desk_for(Endless) as desk:
        await desk.begin(dynamics="real_time")
        await desk.send(turn())
        await desk.hear()
        await desk.send(protocol.Event(match="m1", ask=0, seat=0, turn=8, view={}, legal=[], legal_complete=True))
        action = await desk.hear()
        assert isinstance(action, protocol.Action)
        assert action.action == "heard 8"


async def test_the_next_question_ends_a_search_that_never_ends() -> None:
    async with desk_for(Endless) as desk:
        await desk.begin()
        await desk.send(turn(0))
        await desk.hear()
        await desk.send(turn(1))
        answers = [await desk.hear() for _ in range(2)]
        assert [(a.ask, a.action) for a in answers if isinstance(a, protocol.Action)] == [
            (0, "first 1"),
            (1, "first 2"),
        ]


class Undeclared(Bot):
    planner = "magic"

    def act(self, observation: Observation) -> str:
        return "wait"


async def test_a_planner_outside_the_families_is_refused() -> None:
    async with desk_for(Undeclared) as desk:
        await desk.send(protocol.Hello(protocol=1, run="r", bot="b"))
        error = await desk.hear()
        assert isinstance(error, protocol.BotError)
        assert "Undeclared.planner: expected one of astar" in error.message
