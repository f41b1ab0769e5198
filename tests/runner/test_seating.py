"""Seating a match with links that are only played: what happens to bots that are lost while others get ready."""

from __future__ import annotations

import asyncio
from pathlib import Path

from runner.broker import bot_account
from runner.clock import LoopClock
from runner.config.values import FaultPolicy
from runner.match import MatchContext, MatchShell
from runner.pool import BotLink, NotReady
from runner.processes.process import Usage
from runner.record.lines import Fault, MatchRecord
from runner.referee import no_lag
from runner.wire import protocol
from runner.wire.bus import MemoryBroker
from tests.runner.memory_cup import make_cup

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 5}}]
format: {swap_seats: false}
time: {turn_ms: 50, start_ms: 300, grace_ms: 5000}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


class PlayedLink(BotLink):
    """Answers "wait" to every question."""

    def __init__(self, bot: str) -> None:
        bus = MemoryBroker().connect()
        super().__init__(bot, f"{bot}.0", run="run", bus=bus, account=bot_account("run", f"{bot}.0"))
        self.ready = protocol.Ready(protocol=1)

    def usage(self) -> Usage:
        return Usage(None, None)

    def mark(self, text: str) -> None:
        pass

    async def send(self, message: protocol.ToBot) -> None:
        if isinstance(message, protocol.TurnMessage) and self.listener is not None:
            answer = protocol.Action(match=message.match, ask=message.ask, seat=message.seat, action="wait")
            self.listener.on_payload(protocol.encode(answer))

    async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
        return None


async def play(first: PlayedLink, second: PlayedLink, folder: Path) -> MatchRecord:
    plan = make_cup(CUP, folder)
    async with MemoryBroker().connect() as bus:
        context = MatchContext("run", "cup", 1, FaultPolicy(), bus, LoopClock(), no_lag)
        return await MatchShell(next(plan.schedule()), [first, second], context).run()


async def test_a_bot_that_ends_while_others_get_ready_has_crashed(tmp_path: Path) -> None:
    first = PlayedLink("a")

    class Slow(PlayedLink):
        async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
            first.fail(Fault.CRASHED, "exited with code 7")
            await asyncio.sleep(0)
            return None

    record = await play(first, Slow("b"), tmp_path)
    assert (record.end.termination.value, record.end.forfeited, record.end.turns) == ("crashed", [0], 0)
    assert record.end.reason.endswith("exited with code 7")


async def test_what_a_bot_sends_before_the_first_question_is_no_answer(tmp_path: Path) -> None:
    class Hasty(PlayedLink):
        async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
            assert self.listener is not None
            self.listener.on_payload(b"what a nice day")
            return None

    record = await play(Hasty("a"), PlayedLink("b"), tmp_path)
    assert (record.end.termination.value, record.end.faults, record.end.turns) == ("completed", [0, 0], 5)


async def test_a_bot_that_says_nothing_and_one_that_says_why_fail_to_start(tmp_path: Path) -> None:
    class Mute(PlayedLink):
        async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
            return NotReady(None)

    class Refuses(PlayedLink):
        async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
            return NotReady(Fault.CRASHED, "ValueError: not today")

    record = await play(Mute("a"), Refuses("b"), tmp_path)
    assert record.end.termination.value == "failed_to_start"
    assert "seat 0 forfeits (failed_to_start): no ready within 300 ms of the start" in record.end.reason
    assert "seat 1 forfeits (failed_to_start): ValueError: not today" in record.end.reason


async def test_a_game_that_a_bot_does_not_play_is_refused_before_the_start(tmp_path: Path) -> None:
    chess = PlayedLink("a")
    chess.ready = protocol.Ready(protocol=1, plays=["chess", "go"])
    record = await play(chess, PlayedLink("b"), tmp_path)
    assert record.end.reason.endswith("plays chess, go, not bomber")
