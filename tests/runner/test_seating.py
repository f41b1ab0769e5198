"""Seating a match with links that are only played: what happens to bots that are lost while others get ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from runner.broker import bot_account
from runner.clock import LoopClock
from runner.config.values import FaultPolicy
from runner.match import MatchContext, MatchShell
from runner.pool import BotLink, NotReady
from runner.processes.process import Usage
from runner.record.lines import EndLine, Fault
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

Seated = Callable[["PlayedLink"], NotReady | None]


class PlayedLink(BotLink):
    """Answers "wait" to every question; `seated` is what comes of its start."""

    def __init__(self, bot: str, seated: Seated = lambda link: None, *, plays: list[str] | None = None) -> None:
        bus = MemoryBroker().connect()
        super().__init__(bot, f"{bot}.0", run="run", bus=bus, account=bot_account("run", f"{bot}.0"))
        self.ready = protocol.Ready(protocol=1, plays=plays or [])
        self._seated = seated

    def usage(self) -> Usage:
        return Usage(None, None)

    def mark(self, text: str) -> None:
        pass

    async def send(self, message: protocol.ToBot) -> None:
        if isinstance(message, protocol.TurnMessage) and self.listener is not None:
            answer = protocol.Action(match=message.match, ask=message.ask, seat=message.seat, action="wait")
            self.listener.on_payload(protocol.encode(answer))

    async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
        outcome = self._seated(self)
        await asyncio.sleep(0)
        return outcome


async def play(first: PlayedLink, second: PlayedLink, folder: Path) -> EndLine:
    plan = make_cup(CUP, folder)
    async with MemoryBroker().connect() as bus:
        context = MatchContext("run", "cup", 1, FaultPolicy(), bus, LoopClock(), no_lag)
        return (await MatchShell(next(plan.schedule()), [first, second], context).run()).end


async def test_a_bot_that_ends_while_others_get_ready_has_crashed(tmp_path: Path) -> None:
    first = PlayedLink("a")
    end = await play(first, PlayedLink("b", lambda _: first.fail(Fault.CRASHED, "exited with code 7")), tmp_path)
    assert (end.termination.value, end.forfeited, end.turns) == ("crashed", [0], 0)
    assert end.reason.endswith("exited with code 7")


async def test_what_a_bot_sends_before_the_first_question_is_no_answer(tmp_path: Path) -> None:
    def chat(link: PlayedLink) -> None:
        assert link.listener is not None
        link.listener.on_payload(b"what a nice day")

    end = await play(PlayedLink("a", chat), PlayedLink("b"), tmp_path)
    assert (end.termination.value, end.faults, end.turns) == ("completed", [0, 0], 5)


async def test_a_bot_that_says_nothing_and_one_that_says_why_fail_to_start(tmp_path: Path) -> None:
    refusal = NotReady(Fault.CRASHED, "ValueError: not today")
    end = await play(PlayedLink("a", lambda _: NotReady(None)), PlayedLink("b", lambda _: refusal), tmp_path)
    assert end.termination.value == "failed_to_start"
    assert "seat 0 forfeits (failed_to_start): no ready within 300 ms of the start" in end.reason
    assert "seat 1 forfeits (failed_to_start): ValueError: not today" in end.reason


async def test_a_game_that_a_bot_does_not_play_is_refused_before_the_start(tmp_path: Path) -> None:
    end = await play(PlayedLink("a", plays=["chess", "go"]), PlayedLink("b"), tmp_path)
    assert end.reason.endswith("plays chess, go, not bomber")
