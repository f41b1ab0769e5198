"""A match around its referee: bots that are lost while others get ready, and connections that break in its middle."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from gridjoust.bots.api import Bot, Observation
from gridjoust.bots.harness import Harness
from gridjoust.bots.random_bot import RandomBot
from gridjoust.in_process import InProcessLauncher
from gridjoust.runner.broker import allow_search, page_account
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.play.clock import LoopClock
from gridjoust.runner.play.link import BotLink, NotReady
from gridjoust.runner.play.match import MatchContext, MatchShell, play_on_bus
from gridjoust.runner.referee import no_lag
from gridjoust.runner.results.records.lines import EndLine, Fault, MatchRecord, Termination, TurnLine
from gridjoust.runner.spectate.spectators import Spectators
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Will
from gridjoust.runner.wire.bus.memory import MemoryBroker, MemoryBus
from gridjoust.runner.wire.errors import BrokerError
from gridjoust.runner.wire.protocol import bot_prefix, lines_topic
from tests.doubles.clock import ManualClock, settle
from tests.doubles.games.reference import Bids
from tests.doubles.virtual_time import in_virtual_time
from tests.runner.memory_cup import make_cup, play_cup
from tests.runner.play.played_link import CUP, PlayedLink


async def play(first: PlayedLink, second: PlayedLink, folder: Path) -> EndLine:
    plan = make_cup(CUP, folder)
    async with MemoryBroker().connect() as bus:
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, LoopClock(), no_lag)
        return (await MatchShell(next(plan.schedule(plan.loaded)), [first, second], context).run()).end


async def test_the_lines_of_a_match_are_sent_as_they_get_into_its_record(tmp_path: Path) -> None:
    plan, broker = make_cup(CUP, tmp_path), MemoryBroker()
    sent: list[bytes] = []
    async with broker.connect() as bus, broker.connect() as eye:
        await eye.subscribe(lines_topic("run", "+"), lambda _, payload: sent.extend(payload.split(b"\n")))
        spectators = Spectators(page=page_account("run"))
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, LoopClock(), no_lag, spectators)
        record = await play_on_bus(next(plan.schedule(plan.loaded)), [PlayedLink("a"), PlayedLink("b")], context, 1)
        await settle()
    assert sent == [msgspec.json.encode(line) for line in (record.header, *record.lines, record.end)]
    assert len(sent) == 7


class LeavingLink(PlayedLink):
    """Has left after the match before, and is started anew."""

    async def start_again(self) -> bool:
        assert self.listener is not None
        self._seated = lambda link: None
        return True


async def test_a_bot_that_left_after_the_match_before_plays_this_one(tmp_path: Path) -> None:
    def leave(link: PlayedLink) -> NotReady:
        assert link.listener is not None
        link.listener.on_gone(Fault.CRASHED, "exited with code 0")
        return NotReady(Fault.CRASHED, "exited with code 0")

    end = await play(LeavingLink("a", leave), PlayedLink("b"), tmp_path)
    assert (end.termination, end.faults) == (Termination.COMPLETED, [0, 0])
    left = await play(PlayedLink("a", leave), PlayedLink("b"), tmp_path / "again")
    assert left.termination is Termination("failed_to_start")


class ShowingLink(PlayedLink):
    """Says in its answers what it thinks."""

    starts: list[protocol.Start]

    async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
        self.starts = [start]
        return await super().seat(start, patience_ms=patience_ms)

    def packet(self, payload: bytes) -> tuple[str, bytes]:
        asked = protocol.decode_to_bot(payload)
        if isinstance(asked, protocol.TurnMessage) and self.listener is not None:
            answer = {"type": "action", "match": asked.match, "ask": asked.ask, "seat": asked.seat, "action": "wait"}
            self.listener.on_payload(msgspec.json.encode({**answer, "shown": [{"turn": asked.turn}]}))
        return BotLink.packet(self, payload)


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_what_an_answer_shows_goes_to_the_page_where_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_streamed: bool
) -> None:
    monkeypatch.setattr("gridjoust.runner.wire.inbox.SHOWN_EVERY_S", 1000.0)
    plan, broker = make_cup(CUP, tmp_path), MemoryBroker()
    told: list[tuple[str, bytes]] = []
    links = [ShowingLink("a"), PlayedLink("b")]
    if is_streamed:
        links[0].account = allow_search(links[0].account, "run", "a.0")
    async with broker.connect() as bus, broker.connect() as eye:
        await eye.subscribe("joust/run/#", lambda topic, payload: told.append((topic.split("/")[-1], payload)))
        spectators = Spectators(page=page_account("run"), stream_search=is_streamed)
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, LoopClock(), no_lag, spectators)
        record = await play_on_bus(next(plan.schedule(plan.loaded)), links, context, 1)
        await settle()
    assert (links[0].starts[0].lens is True) == is_streamed  # type: ignore[attr-defined]
    heard = [topic for topic, _ in told if topic in ("lines", "shown")]
    assert (
        heard == (["lines", "shown"] if is_streamed else ["lines"]) + ["lines"] * 6
    )  # and for a while no more of this seat
    shown = [msgspec.json.decode(payload)["shown"] for topic, payload in told if topic == "shown"]
    assert shown == [[{"turn": 1}]] * is_streamed
    assert b"shown" not in msgspec.json.encode((record.lines, record.answers))


async def test_lines_that_somebody_takes_are_not_sent_over_the_bus(tmp_path: Path) -> None:
    plan, broker = make_cup(CUP, tmp_path), MemoryBroker()
    sent: list[bytes] = []
    taken: list[tuple[str, bytes]] = []
    async with broker.connect() as bus, broker.connect() as eye:
        await eye.subscribe(lines_topic("run", "+"), lambda _, payload: sent.append(payload))
        spectators = Spectators(
            page=page_account("run"),
            on_lines=lambda match, lines: taken.extend((match, msgspec.json.encode(line)) for line in lines),
        )
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, LoopClock(), no_lag, spectators)
        record = await play_on_bus(next(plan.schedule(plan.loaded)), [PlayedLink("a"), PlayedLink("b")], context, 1)
        await settle()
    match_id = record.header.match_id
    assert taken == [(match_id, msgspec.json.encode(line)) for line in (record.header, *record.lines, record.end)]
    assert sent == []


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


async def test_bots_that_say_nothing_or_why_or_play_other_games_fail_to_start(tmp_path: Path) -> None:
    refusal = NotReady(Fault.CRASHED, "ValueError: not today")
    end = await play(PlayedLink("a", lambda _: NotReady(None)), PlayedLink("b", lambda _: refusal), tmp_path)
    assert end.termination.value == "failed_to_start"
    assert "seat 0 forfeits (failed_to_start): no ready within 300 ms of the start" in end.reason
    assert "seat 1 forfeits (failed_to_start): ValueError: not today" in end.reason
    end = await play(PlayedLink("a", plays=["chess", "go"]), PlayedLink("b"), tmp_path)
    assert end.reason.endswith("plays chess, go, not bomber")


async def test_an_error_while_a_match_is_played_ends_its_run(tmp_path: Path) -> None:
    class CutLink(PlayedLink):
        def packet(self, payload: bytes) -> tuple[str, bytes]:
            if b'"turn":3' in payload:
                bus.lose("cut")
            return super().packet(payload)

    plan = make_cup(CUP, tmp_path)
    async with MemoryBroker().connect() as bus:
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, LoopClock(), no_lag)
        with pytest.raises(BrokerError, match="expected an open connection, got a lost one"):
            await MatchShell(next(plan.schedule(plan.loaded)), [CutLink("a"), PlayedLink("b")], context).run()


class SilentLink(PlayedLink):
    """Answers nothing; keeps what its person is told, and since when it is asked what the bot has used."""

    def __init__(self, bot: str) -> None:
        super().__init__(bot)
        self.notices: list[str] = []
        self.asked: list[float] = []

    def packet(self, payload: bytes) -> tuple[str, bytes]:
        return BotLink.packet(self, payload)

    def notify(self, text: str) -> None:
        self.notices.append(text)

    def excess_since(self, when_ms: float) -> str:
        self.asked.append(when_ms)
        return ""

    async def place(self) -> str:
        return "still in act, a.py line 8"


@pytest.mark.parametrize(("lag_ms", "termination"), [(0.0, "completed"), (20_000.0, "void")])
async def test_a_match_begins_at_0_ms_asks_in_the_clocks_time_and_tells_faults_to_who_committed_them(
    lag_ms: float, termination: str, tmp_path: Path
) -> None:
    plan, clock, begun_ms = make_cup(CUP, tmp_path), ManualClock(), 500.0
    clock.advance(begun_ms)
    spans: list[tuple[float, float]] = []
    late, sound = SilentLink("a"), SilentLink("b")
    sound.packet = partial(PlayedLink.packet, sound)  # type: ignore[method-assign]

    def measure(since_ms: float, until_ms: float) -> float:
        spans.append((since_ms, until_ms))
        return lag_ms

    async with MemoryBroker().connect() as bus:
        context = MatchContext("run", "cup", b"key", FaultPolicy(limit=100), bus, clock, measure)
        playing = asyncio.create_task(MatchShell(next(plan.schedule(plan.loaded)), [late, sound], context).run())
        while not playing.done():
            await settle()
            clock.advance(0 if clock.next_ms is None else clock.next_ms - clock.now_ms())
        record = playing.result()
    turns = 5 if termination == "completed" else 0
    assert (record.end.termination.value, record.end.turns) == (termination, turns)
    assert spans[0] == (begun_ms, begun_ms + 30_000)
    assert record.usage.duration_ms == 30_000 * max(turns, 1)
    assert {answer.latency_ms for answer in record.answers if not answer.fault} == {0.0}
    why = "late: no answer within 30000 ms: still in act, a.py line 8"
    assert late.notices == [f"fault in turn {turn}: {why}" for turn in range(1, turns + 1)]
    assert late.asked == ([] if turns else [begun_ms])
    assert (sound.notices, sound.asked) == ([], [])


class BiddingLink(PlayedLink):
    """Bids at once, but is always read one pass of the loop later than a link before it."""

    def __init__(self, bot: str, passes: int, served: list[str]) -> None:
        super().__init__(bot)
        self._passes, self._served = passes, served

    def packet(self, payload: bytes) -> tuple[str, bytes]:
        message = protocol.decode_to_bot(payload)
        if isinstance(message, protocol.TurnMessage) and message.legal[0] == "bid 8":
            self._served.append(self.bot)
            bid = protocol.Action(match=message.match, ask=message.ask, seat=message.seat, action="bid 1")
            self._answer_after(self._passes, protocol.encode(bid))
        return BotLink.packet(self, payload)

    def _answer_after(self, passes: int, payload: bytes) -> None:
        assert self.listener is not None
        call = self.listener.on_payload if passes == 0 else self._answer_after
        asyncio.get_running_loop().call_soon(call, *((payload,) if passes == 0 else (passes - 1, payload)))


ROUNDS = 640


@pytest.mark.gate
@pytest.mark.parametrize("seats", [2, 3])
async def test_of_identical_bots_each_seat_is_served_and_bids_first_in_its_share_of_the_rounds(
    seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridjoust.games.make", lambda *_, **__: Bids(seats=seats))
    cup = CUP.replace("max_ticks: 5}", "max_ticks: 5}, seats: SEATS").replace("SEATS", str(seats))
    cup = cup.replace("{name: b, bot: random}", "{name: b, bot: random}, {name: c, bot: random}")
    plan, clock = make_cup(cup, tmp_path), ManualClock()
    pairing = next(plan.schedule(plan.loaded))
    served_first, bid_first = [0] * seats, [0] * seats
    async with MemoryBroker().connect() as bus:
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, clock, no_lag)
        for number in range(ROUNDS):
            served: list[str] = []
            links = [BiddingLink(str(seat), seat, served) for seat in range(seats)]
            match = MatchShell(replace(pairing, match_id=f"m{number}"), links, context)
            playing = asyncio.create_task(match.run())
            while not playing.done():
                await settle()
                clock.advance(2_000 if len(served) == seats else 0)
            record = playing.result()
            first = record.lines[0]
            assert isinstance(first, TurnLine)
            assert len(served) == len(record.answers) == seats
            served_first[int(served[0])] += 1
            bid_first[int(next(iter(first.actions)))] += 1
    share = 1 / seats
    margin = 3.3 * (ROUNDS * share * (1 - share)) ** 0.5  # one in a thousand; the draws are the same on every run
    assert served_first == pytest.approx([ROUNDS * share] * seats, abs=margin)
    assert bid_first == pytest.approx([ROUNDS * share] * seats, abs=margin)


REMOTE_CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 12}}]
format: {swap_seats: false}
time: {turn_ms: 150, start_ms: START_MS, grace_ms: 2000}
faults: {limit: 100}
execution: {patience_s: 0}
bots: [{name: far, remote: true}, {name: near, bot: bomber/wanderer}]
"""


class Cable:
    """A remote bot's line: cut at the fourth question; the bot may plug in again, as a new process would."""

    def __init__(self, *, comes_back: bool) -> None:
        self._comes_back = comes_back
        self.connections = 0

    @contextlib.asynccontextmanager
    async def open(self, plan: Plan) -> AsyncIterator[Backend]:
        """A backend in this process with the remote bot at the other end of the line."""
        broker = MemoryBroker()
        async with broker.connect() as bus:
            far = asyncio.create_task(self._play(broker, plan))
            lost = asyncio.get_running_loop().create_future()
            yield Backend(plan.loaded, bus, InProcessLauncher(broker, plan.run), lost)
            far.cancel()

    async def _play(self, broker: MemoryBroker, plan: Plan) -> None:
        account, prefix = plan.accounts["far.0"], bot_prefix(plan.run, "far.0")
        will = Will(f"{prefix}/status", protocol.encode(protocol.Status(online=False)))
        for make_class in (_cutting_bot, lambda bus, cut: RandomBot)[: 1 + self._comes_back]:
            self.connections += 1
            cut = asyncio.Event()
            async with broker.connect(read=account.read, write=account.write, will=will) as bus:
                serving = asyncio.create_task(Harness(make_class(bus, cut), bus=bus, prefix=prefix).run())
                await cut.wait()
                serving.cancel()


def _cutting_bot(bus: MemoryBus, cut: asyncio.Event) -> type[Bot]:
    class Cutting(RandomBot):
        def act(self, observation: Observation) -> str:
            if observation.turn == 4:
                bus.lose("cable cut")
                cut.set()
            return super().act(observation)

    return Cutting


async def play_remote(folder: Path, cable: Cable, *, start_ms: int) -> MatchRecord:
    [played] = await play_cup(make_cup(REMOTE_CUP.replace("START_MS", str(start_ms)), folder), open_it=cable.open)
    return played.record


@in_virtual_time
async def test_a_bot_that_does_not_come_back_loses_by_disconnection(tmp_path: Path) -> None:
    record = await play_remote(tmp_path, Cable(comes_back=False), start_ms=400)
    assert record.end.termination.value == "disconnected"
    assert "did not come back in 400 ms" in record.end.reason
    far = next(seat for seat, entry in enumerate(record.header.seats) if entry.bot == "far")
    assert (record.end.forfeited, record.end.ranks[far]) == ([far], 2)


@in_virtual_time
async def test_a_bot_that_comes_back_plays_on(tmp_path: Path) -> None:
    cable = Cable(comes_back=True)
    end = (await play_remote(tmp_path, cable, start_ms=5_000)).end
    assert cable.connections == 2
    assert (end.termination.value, end.turns, end.forfeited) == ("completed", 12, [])
