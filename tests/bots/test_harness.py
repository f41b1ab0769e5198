"""The bot side of the wire, over the memory bus with a referee played by hand."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterator

import pytest
from msgspec import structs

from gridjoust.bots.api import AnytimeBot, Bot, Deadline, MatchResult, MatchSetup, Observation, SearchStats
from gridjoust.bots.harness import Harness
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus.memory import MemoryBroker

PREFIX = "joust/r/bot/b.0"
HELLO = protocol.Hello(protocol=1, run="r", bot="b")


class Desk:
    """The referee's end of one bot's conversation."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.bus = broker.connect()
        self.heard: asyncio.Queue[protocol.FromBot] = asyncio.Queue()
        self.code: asyncio.Task[int] | None = None

    async def send(self, message: protocol.ToBot) -> None:
        await self.bus.publish(f"{PREFIX}/in", protocol.encode(message))

    async def hear(self) -> protocol.FromBot:
        async with asyncio.timeout(60):
            return await self.heard.get()

    async def ask(self, message: protocol.ToBot) -> protocol.FromBot:
        await self.send(message)
        return await self.hear()

    async def answer(self, question: protocol.TurnMessage) -> protocol.Action:
        action = await self.ask(question)
        assert isinstance(action, protocol.Action)
        return action

    async def actions(self, count: int) -> list[protocol.Action]:
        heard = [await self.hear() for _ in range(count)]
        return [action for action in heard if isinstance(action, protocol.Action)]

    async def ends_with(self) -> int:
        assert self.code is not None
        return await self.code


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


NEWS = protocol.Event(match="m1", ask=0, seat=0, turn=8, view={}, legal=[], legal_complete=True)


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


async def test_a_bot_declares_itself_takes_its_options_and_answers_with_its_search_cost() -> None:
    async with desk_for(Plain) as desk:
        ready = protocol.Ready(protocol=1, planner="astar", plays=["bomber"], version="7", language="python")
        assert await desk.ask(HELLO) == ready
        assert await desk.ask(start(options={"word": "down"}, bot_seed=42)) == structs.replace(ready, match="m1")
        action = await desk.answer(turn(4))
        assert (action.ask, action.seat, action.final) == (4, 0, True)
        assert action.action == f"down 4 {random.Random(42).randrange(1000)}", "its chance comes from the seed alone"
        assert action.stats == protocol.Stats(expanded=5)
        assert action.planning_ms is not None
        assert action.planning_ms >= 0


class Undeclared(Bot):
    planner = "A*"

    def act(self, observation: Observation) -> str:
        return "wait"


END = protocol.End(match="m1", termination="completed", reason="", returns=[], ranks=[])
ERRORS: dict[str, tuple[type[Bot], list[protocol.ToBot], str]] = {
    "an unknown option": (Plain, [start(options={"wrod": "down"})], "wrod"),
    "a planner that is no name": (
        Undeclared,
        [HELLO],
        "Undeclared.planner: expected 1 to 30 letters, digits or _, got 'A*'",
    ),
    "an exception in the bot": (Plain, [start(), END], "ValueError: finished completed"),
}


@pytest.mark.parametrize(("bot", "messages", "text"), ERRORS.values(), ids=ERRORS)
async def test_what_goes_wrong_in_a_bot_is_reported_and_ends_it(
    bot: type[Bot], messages: list[protocol.ToBot], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with desk_for(bot) as desk:
        *_, error = [await desk.ask(message) for message in messages]
        assert isinstance(error, protocol.BotError)
        assert text in error.message
        assert await desk.ends_with() == 1
    assert "Traceback" in capsys.readouterr().err


async def test_every_match_gets_a_fresh_bot_and_questions_of_another_match_are_left_alone() -> None:
    async with desk_for(Plain) as desk:
        await desk.ask(start())
        await desk.send(NEWS)
        await desk.send(turn(9, match="old"))
        heard = await desk.answer(turn(1))
        assert (heard.ask, heard.action[:5]) == (1, "heard")
        await desk.ask(start(match="m2"))
        assert (await desk.answer(turn(match="m2"))).action.startswith("up")


async def test_rubbish_is_ignored_and_logged_and_stop_ends_a_bot_with_code_0(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with desk_for(Plain) as desk:
        await desk.bus.publish(f"{PREFIX}/in", b"rubbish")
        await desk.send(protocol.Stop())
        assert await desk.ends_with() == 0
    assert "ignored: expected a message of protocol 1" in capsys.readouterr().err


class Better(AnytimeBot):
    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        for number in range(3):
            self.stats = SearchStats(expanded=number)
            yield f"plan {number}"
            yield None


async def test_an_anytime_bot_sends_every_answer_and_in_turns_the_last_again_as_final() -> None:
    async with desk_for(Better) as desk:
        await desk.ask(start())
        await desk.send(turn())
        actions = await desk.actions(4)
        assert [(a.seq, a.action, a.final) for a in actions] == [
            (0, "plan 0", False), (1, "plan 1", False), (2, "plan 2", False), (3, "plan 2", True),
        ]  # fmt: skip
        assert actions[-1].stats == protocol.Stats(expanded=2)
    async with desk_for(Better) as desk:
        await desk.ask(start(dynamics="real_time"))
        await desk.send(turn(limit_ms=None))
        assert len(await desk.actions(3)) == 3
        assert isinstance(await desk.ask(HELLO), protocol.Ready)


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
        await desk.ask(start(dynamics="real_time"))
        await desk.answer(turn())
        await desk.send(NEWS)
        assert [action.action for action in await desk.actions(1)] == ["heard 8"]


async def test_the_next_question_ends_a_search_that_never_ends() -> None:
    async with desk_for(Endless) as desk:
        await desk.ask(start())
        await desk.answer(turn(0))
        await desk.send(turn(1))
        assert [(a.ask, a.action) for a in await desk.actions(2)] == [(0, "first 1"), (1, "first 2")]


WORK = protocol.Limits(turn_ms=100, bank_ms=0, increment_ms=0, start_ms=1000, clock="work", turn_work=3, bank_work=2)


class Counting(AnytimeBot):
    """Yields after every successor that it counts, until its work is spent."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        while not deadline.is_over():
            self.work.spend()
            yield f"plan {self.work.spent} of {self.work.limit}"


class Reporting(AnytimeBot):
    """Counts by itself, two at a time."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        for number in range(2, 100, 2):
            self.stats = SearchStats(generated=number - 1, tactics=1, frontier=7)
            yield f"plan {number}"
            if deadline.is_over():
                return


class OneSearch(Bot):
    def act(self, observation: Observation) -> str:
        self.stats = SearchStats(generated=1, frontier=4)
        self.work.spend(self.work.left)
        return "up"


async def answers_to(bot_class: type[Bot], *, count: int) -> list[tuple[str, int | None]]:
    """What the bot says to a question of 3 successors and a bank of 2: actions, and the work that they declare."""
    async with desk_for(bot_class) as desk:
        await desk.ask(start(limits=WORK))
        await desk.send(structs.replace(turn(), limit_work=5))
        actions = await desk.actions(count)
    return [(action.action, action.stats.work if action.stats else None) for action in actions]


async def test_the_deadline_of_an_anytime_bot_runs_out_by_the_successors_that_it_counts_and_spares_the_bank() -> None:
    last = "plan 3 of 3", 3
    assert await answers_to(Counting, count=4) == [("plan 1 of 3", 1), ("plan 2 of 3", 2), last, last]


async def test_successors_that_a_bot_only_reports_are_counted_too() -> None:
    assert await answers_to(Reporting, count=3) == [("plan 2", 2), ("plan 4", 4), ("plan 4", 4)]


async def test_a_bot_with_one_answer_may_use_its_bank_and_declares_what_it_spent() -> None:
    assert await answers_to(OneSearch, count=1) == [("up", 5)]


class Weighing(Bot):
    """Weighs its goals, and searches only for its first answer."""

    def act(self, observation: Observation) -> str:
        self.work.count_tactics(4)
        self.work.part(0.5).count_tactics(3)
        self.stats = SearchStats(expanded=1, generated=2) if observation.ask == 0 else None
        return "up"


class Improving(AnytimeBot):
    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        for _ in range(2):
            self.work.count_tactics(5)
            yield "up"


async def test_tactics_are_added_to_what_a_bot_reports_anew_for_every_answer() -> None:
    async with desk_for(Weighing) as desk:
        await desk.ask(start())
        answers = [await desk.answer(turn(number)) for number in range(2)]
    assert [answer.stats for answer in answers] == [
        SearchStats(expanded=1, generated=2, tactics=7), SearchStats(tactics=7)
    ]  # fmt: skip
    async with desk_for(Improving) as desk:
        await desk.ask(start())
        await desk.send(turn(0))
        found = await desk.actions(3)
        await desk.send(turn(1))
        found += await desk.actions(3)
    assert [action.stats and action.stats.tactics for action in found] == [5, 10, 10] * 2


class Lavish(Bot):
    """Weighs more than it may before it decides."""

    def act(self, observation: Observation) -> str:
        for _ in range(3):
            self.work.count_tactics(4)
        return "wait"


class LavishLater(AnytimeBot):
    """Weighs more than it may, before its first answer or, in later questions, after it."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        if observation.turn > 1:
            yield "wait"
        for _ in range(3):
            self.work.count_tactics(4)
        yield "left"


@pytest.mark.parametrize("bot_class", [Lavish, LavishLater])
async def test_a_bot_whose_tactics_spend_all_work_plays_the_first_legal_action_within_it(bot_class: type[Bot]) -> None:
    assert await answers_to(bot_class, count=1) == [("up", 5 if bot_class is Lavish else 3)]


async def test_the_answer_before_the_work_was_spent_counts() -> None:
    async with desk_for(LavishLater) as desk:
        await desk.ask(start(limits=WORK))
        await desk.send(structs.replace(turn(1), limit_work=5))
        early, last = await desk.actions(2)
    assert [(one.action, one.final, one.stats and one.stats.work) for one in (early, last)] == [
        ("wait", False, None), ("wait", True, 3)
    ]  # fmt: skip


async def test_work_has_no_end_where_it_is_not_the_limit() -> None:
    class Asking(Bot):
        def act(self, observation: Observation) -> str:
            self.work.spend(10**9)
            return "up" if self.work.is_limited or self.work.is_spent else "wait"

    async with desk_for(Asking) as desk:
        await desk.ask(start())
        answer = await desk.answer(turn())
        assert (answer.action, answer.stats) == ("wait", None)
