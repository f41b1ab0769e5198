"""The pool of bots with processes that are only played: who is started, kept, replaced, heard and banned."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from gridjoust.runner.broker import Account, bot_account
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.play import link as pool_link
from gridjoust.runner.play.link import MESSAGE_BYTES, RECONNECTIONS, STOP_PATIENCE_S, BotLink, NotReady, refusal_of
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.processes.history import Load, Spent
from gridjoust.runner.processes.process import Ending, Exit, Usage
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus.memory import MemoryBroker, MemoryBus
from gridjoust.runner.wire.errors import BrokerError, ConfigError
from gridjoust.runner.wire.protocol import CONNECTION_LOST, HARNESS_MARK, bot_prefix
from tests.doubles.clock import settle
from tests.doubles.games.reference import March
from tests.doubles.virtual_time import in_virtual_time

SOUND, OTHER, MUTE, OLD = (RoleProgram(bot=name) for name in ("sound", "other", "mute", "old"))
REMOTE = RoleProgram(remote=True)
LIMITS = ResourceLimits()
UP = "JSON is malformed: invalid character (byte 0)"


class PlayedProcess:
    """Answers hello and start unless its program is mute; ends when it is told how."""

    def __init__(self, program: RoleProgram, slot: str, bus: MemoryBus) -> None:
        self.program, self.slot = program, slot
        self.patience_s: float | None = None
        self.marks: list[str] = []
        self.kills = 0
        self.yields = False
        self.place_said = ""
        self.asked_ms: list[float] = []  # since when its load was asked for
        self.load: Load | None = Load(span_ms=250.0, cpu_ms=0.0, threads=3, processes=1)
        self.heard: list[protocol.ToBot] = []
        self.exited: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._bus, self._prefix = bus, bot_prefix("run", slot)

    async def say(self, message: protocol.FromBot | bytes) -> None:
        payload = message if isinstance(message, bytes) else protocol.encode(message)
        await self._bus.publish(f"{self._prefix}/out", payload)
        await settle()

    async def report(self, *, online: bool) -> None:
        await self._bus.publish(f"{self._prefix}/status", protocol.encode(protocol.Status(online=online)))
        await settle()

    def hear(self, topic: str, payload: bytes) -> None:
        message = protocol.decode_to_bot(payload)
        self.heard.append(message)
        if self.program != MUTE and isinstance(message, protocol.Hello | protocol.Start):
            match = message.match if isinstance(message, protocol.Start) else None
            ready = protocol.Ready(protocol=99 if self.program == OLD else protocol.PROTOCOL, match=match)
            asyncio.get_running_loop().create_task(self.say(ready))

    def usage(self) -> Usage:
        return Usage(12.5, 30.0)

    def load_since(self, when_ms: float) -> Load | None:
        self.asked_ms.append(when_ms)
        return self.load

    def spent(self, *, exact: bool) -> Spent | None:
        return Spent(12.5, 0.0, exact)

    def has_yielded(self) -> bool:
        return self.yields

    async def place(self) -> str:
        return self.place_said

    def mark(self, text: str) -> None:
        self.marks.append(text)

    async def wait(self) -> Exit:
        return await asyncio.shield(self.exited)

    async def stop(self, *, patience_s: float) -> Exit:
        self.patience_s = patience_s
        return Exit(0, "exited with code 0")

    def kill(self) -> None:
        self.kills += 1


class PlayedPool:
    """A pool with its bus, and every process that it has started."""

    def __init__(self, broker: MemoryBroker, bus: MemoryBus, stack: contextlib.AsyncExitStack, slots: int) -> None:
        self.started: list[PlayedProcess] = []
        self.last_words = ""
        self.bus = bus
        self._broker, self._stack = broker, stack
        accounts = {slot: bot_account("run", slot) for slot in (f"a.{number}" for number in range(slots))}
        self.pool = BotPool(run="run", bus=bus, launcher=self, accounts=accounts)

    async def start(
        self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits
    ) -> PlayedProcess:
        bus = await self._stack.enter_async_context(self._broker.connect(read=account.read, write=account.write))
        process = PlayedProcess(program, slot, bus)
        await bus.subscribe(f"{bot_prefix('run', slot)}/in", process.hear)
        if not program.remote:
            self.started.append(process)
        await process.report(online=True)
        return process

    def log_tail(self, slot: str) -> str:
        return self.last_words

    async def seat(self, *entrants: Entrant) -> list[tuple[str, tuple[Fault, str] | None]]:
        """One match: slot and fault of every link when it begins."""
        async with self.pool.seated(entrants) as links:
            return [(link.slot, link.fault) for link in links]


@contextlib.asynccontextmanager
async def open_pool(slots: int = 1) -> AsyncIterator[PlayedPool]:
    broker = MemoryBroker()
    async with broker.connect() as bus, contextlib.AsyncExitStack() as stack:
        made = PlayedPool(broker, bus, stack, slots)
        async with made.pool.open():
            yield made


def entrant(program: RoleProgram = SOUND, *, start_ms: int = 2_000) -> Entrant:
    return Entrant("a", program, "", (0,), TimeLimits(start_ms=start_ms), LIMITS)


def start(match: str) -> protocol.Start:
    state, limits = March().initial_state(0), TimeLimits()
    return start_message(
        March(), state, match_id=match, variant="march", seats=(0,), bot_seed=1, time=limits, options={}
    )


class Hearing(list[object]):
    """A match that only listens."""

    def on_payload(self, payload: bytes) -> None:
        self.append(payload)

    def on_online(self, *, online: bool) -> None:
        self.append(online)

    def on_gone(self, fault: Fault, detail: str) -> None:
        self.append((fault, detail))


@in_virtual_time
async def test_a_process_is_kept_for_the_next_match_and_replaced_by_another_program() -> None:
    async with open_pool() as made:
        for program in (SOUND, SOUND, OTHER):
            assert await made.seat(entrant(program)) == [("a.0", None)]
        assert [process.program for process in made.started] == [SOUND, OTHER]
        first, second = made.started
        assert (first.patience_s, second.patience_s) == (STOP_PATIENCE_S, None)
        assert first.heard[:2] == [protocol.Hello(protocol=1, run="run", bot="a"), protocol.Stop()]
    assert second.patience_s == STOP_PATIENCE_S


@pytest.mark.parametrize(
    ("code", "has_played", "is_started"), [(0, True, True), (1, True, False), (0, False, False), (-9, True, False)]
)
@in_virtual_time
async def test_a_process_that_left_by_itself_after_a_match_is_started_anew(
    code: int, has_played: bool, is_started: bool
) -> None:
    async with open_pool() as made, made.pool.seated([entrant()]) as [link]:
        if has_played:
            assert await link.seat(start("m1"), patience_ms=2_000) is None
        made.started[0].exited.set_result(Exit(code, f"exited with code {code}"))
        await settle()
        problem = await link.seat(start("m2"), patience_ms=2_000)
        assert problem is not None
        assert problem.fault is Fault.CRASHED
        assert await link.start_again() == is_started
        assert len(made.started) == 1 + is_started
        assert (await link.seat(start("m2"), patience_ms=2_000) is None) == is_started


@in_virtual_time
async def test_a_process_that_lost_its_connection_and_stays_is_not_started_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_link, "LEAVING_S", 0.0)
    async with open_pool() as made, made.pool.seated([entrant()]) as [link]:
        assert await link.seat(start("m1"), patience_ms=2_000) is None
        assert not await link.start_again()
        assert len(made.started) == 1


@in_virtual_time
async def test_a_process_that_does_not_get_ready_when_it_is_started_anew_fails_with_the_place_where_it_is() -> None:
    async with open_pool() as made, made.pool.seated([entrant(start_ms=30)]) as [link]:
        assert await link.seat(start("m1"), patience_ms=30) is None
        made.started[0].exited.set_result(Exit(0, "exited with code 0"))
        made.started[0].program = MUTE
        usual = made.start

        async def start_mute(*_: object, **more: Any) -> PlayedProcess:
            process = await usual(MUTE, **more)
            process.place_said = "still in start, a.py line 3"
            return process

        made.start = start_mute  # type: ignore[method-assign]
        assert not await link.start_again()
        detail = "no ready after hello within 30 ms: still in start, a.py line 3"
        assert link.fault == (Fault.FAILED_TO_START, detail)
        assert await link.place() == "still in start, a.py line 3"


@in_virtual_time
async def test_a_slot_that_runs_the_program_is_taken_before_an_empty_one_and_that_before_any_other() -> None:
    async with open_pool(3) as made:
        async with made.pool.seated([entrant(), entrant(OTHER)]) as links:
            assert [link.slot for link in links] == ["a.0", "a.1"]
        assert await made.seat(entrant(OTHER)) == [("a.1", None)]
        assert [slot for slot, _ in await made.seat(entrant(OLD))] == ["a.2"]


@in_virtual_time
async def test_who_finds_no_free_slot_waits_for_one() -> None:
    async with open_pool() as made:
        async with made.pool.seated([entrant()]) as [link]:
            second = asyncio.create_task(made.seat(entrant()))
            await settle()
            assert link.is_busy
            assert not second.done()
        assert await second == [("a.0", None)]
        assert not link.is_busy


@pytest.mark.parametrize(
    ("program", "detail"),
    [
        (MUTE, "no ready after hello within 30 ms"),
        (REMOTE, "no remote bot has connected within 30 ms"),
        (OLD, "expected protocol 1, got 99"),
    ],
)
@in_virtual_time
async def test_a_bot_that_does_not_get_ready_fails_to_start(program: RoleProgram, detail: str) -> None:
    async with open_pool() as made:
        found = await made.seat(entrant(program, start_ms=30))
    assert found == [("a.0", (Fault.FAILED_TO_START, detail))]


@pytest.mark.parametrize(
    ("exited", "said", "fault", "detail"),
    [
        (Exit(3, "exited with code 3"), "", Fault.CRASHED, "exited with code 3"),
        (Exit(3, "exited with code 3"), "boom", Fault.CRASHED, "exited with code 3: boom"),
        (Exit(1, "exited with code 1"), f"{HARNESS_MARK}no such cell", Fault.CRASHED, "no such cell"),
        (Exit(-9, "killed: too much memory", Ending.KILLED), "boom", Fault.CRASHED, "killed: too much memory"),
        (Exit(CONNECTION_LOST, "exited with code 69"), "", Fault.DISCONNECTED, "exited with code 69"),
    ],
)
@in_virtual_time
async def test_a_process_that_ends_has_crashed_or_lost_its_connection_and_the_first_reason_counts(
    exited: Exit, said: str, fault: Fault, detail: str
) -> None:
    async with open_pool() as made:
        made.last_words = said
        hearing = Hearing()
        async with made.pool.seated([entrant()]) as [link]:
            link.listener = hearing
            link.mark("match 7")
            assert link.usage() == Usage(12.5, 30.0)
            assert [link.spent(exact=exact) for exact in (True, False)] == [
                Spent(12.5, 0.0, True),
                Spent(12.5, 0.0, False),
            ]
            made.started[0].exited.set_result(exited)
            await settle()
            link.fail(Fault.LATE, "later")
            assert await link.seat(start("m"), patience_ms=10) == NotReady(fault, detail)
        assert hearing == [(fault, detail)]
        assert made.started[0].marks == ["match 7"]
        assert await made.seat(entrant()) == [("a.0", None)]
        assert made.started[0].patience_s == 0.0
        assert protocol.Stop() not in made.started[0].heard


@pytest.mark.parametrize(("late_ms", "excuse"), [(100.0, ""), (101.0, "this machine was 101 ms late")])
@in_virtual_time
async def test_a_stall_of_a_tenth_of_its_time_excuses_a_bot_that_is_not_ready_and_of_a_second_one_that_is_lost(
    late_ms: float, excuse: str
) -> None:
    async with open_pool() as made, made.pool.seated([entrant()]) as [link]:
        made.started[0].program = MUTE
        link._stall_ms = lambda within_ms: late_ms * within_ms / 1000
        assert await link.seat(start("m"), patience_ms=20) == NotReady(None, "", excuse.replace("101", "2"))
        link._stall_ms = lambda within_ms: late_ms + 900
        before_ms = time.monotonic() * 1000
        assert bool(link.excuse_of(5_000)) == bool(excuse)
        if excuse:
            assert before_ms <= made.started[0].asked_ms[-1] + 5_000 <= time.monotonic() * 1000
        made.started[0].load = Load(span_ms=20.0, cpu_ms=1.0, threads=129, processes=129)
        assert link.excuse_of() == ""  # it may have caused the stall
        assert await link.seat(start("n"), patience_ms=20) == NotReady(None)


@in_virtual_time
async def test_a_bot_that_is_banned_from_a_match_is_ended_and_starts_again_for_another() -> None:
    async with open_pool() as made:
        await made.seat(entrant())
        async with made.pool.seated([entrant()], {"a": "disqualified"}) as [link]:
            assert link.fault == (Fault.FAILED_TO_START, "disqualified")
        assert made.started[0].patience_s == STOP_PATIENCE_S
        assert await made.seat(entrant()) == [("a.0", None)]


@in_virtual_time
async def test_a_bot_gets_ready_for_its_match_and_no_other() -> None:
    async with open_pool() as made, made.pool.seated([entrant()]) as [link]:
        assert await link.seat(start("m1"), patience_ms=2_000) is None
        made.started[0].program = MUTE
        waiting = asyncio.create_task(link.seat(start("m2"), patience_ms=None))
        await settle()
        await made.started[0].say(protocol.Ready(protocol=1, match="m1"))
        assert not waiting.done()
        await made.started[0].say(protocol.Ready(protocol=1, match="m2"))
        assert await waiting is None
        assert await link.seat(start("m3"), patience_ms=5) == NotReady(None)


@pytest.mark.parametrize(
    ("said", "problem", "between"),
    [
        (protocol.BotError(message="no plan"), NotReady(Fault.CRASHED, "no plan"), (Fault.CRASHED, "no plan")),
        (b"up", NotReady(Fault.MALFORMED, f"expected a ready, action or error message, got 'up': {UP}"), None),
    ],
)
@in_virtual_time
async def test_what_a_bot_says_instead_of_ready_is_why_it_is_not_and_between_matches_an_error_is_a_crash(
    said: protocol.FromBot | bytes, problem: NotReady, between: tuple[Fault, str] | None
) -> None:
    async with open_pool() as made:
        async with made.pool.seated([entrant()]) as [link]:
            made.started[0].program = MUTE
            waiting = asyncio.create_task(link.seat(start("m"), patience_ms=None))
            await settle()
            await made.started[0].say(said)
            assert await waiting == problem
            assert link.fault is None
        await made.started[0].say(said)
        assert link.fault == between


WRONG_PLANNER = b'{"type":"ready","protocol":1,"planner":"A*"}'


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        (WRONG_PLANNER, "ready: planner: expected 1 to 30 letters, digits or _, got 'A*'"),
        (protocol.Ready(protocol=1, match="mine"), "ready: match: expected null, got 'mine'"),
        (b"up", f"expected a ready, action or error message, got 'up': {UP}"),
    ],
)
@in_virtual_time
async def test_a_wrong_answer_to_hello_is_named_at_once(said: protocol.FromBot | bytes, detail: str) -> None:
    async with open_pool() as made:
        seating = asyncio.create_task(made.seat(entrant(MUTE, start_ms=3_600_000)))
        await settle()
        await made.started[0].say(said)
        assert await seating == [("a.0", (Fault.FAILED_TO_START, detail))]


@in_virtual_time
async def test_a_ready_for_a_match_that_never_was_is_named_at_once_and_one_without_a_match_at_the_end() -> None:
    async with open_pool() as made, made.pool.seated([entrant()]) as [link]:
        made.started[0].program = MUTE
        waiting = asyncio.create_task(link.seat(start("m1"), patience_ms=None))
        await settle()
        await made.started[0].say(protocol.Ready(protocol=1, match="mine"))
        assert await waiting == NotReady(Fault.MALFORMED, "ready: match: expected 'm1', got 'mine'")
        waiting = asyncio.create_task(link.seat(start("m2"), patience_ms=30))
        await settle()
        await made.started[0].say(protocol.Ready(protocol=1))
        assert await waiting == NotReady(None, ": got one with match null")


@in_virtual_time
async def test_a_match_hears_the_bot_and_every_change_of_its_connection() -> None:
    async with open_pool() as made:
        hearing = Hearing()
        async with made.pool.seated([entrant()]) as [link]:
            link.listener = hearing
            await made.started[0].say(b"an answer")
            for online in (True, False, False, True):
                await made.started[0].report(online=online)
            made.pool._on_status("joust/run/bot/a.0/status", b"nonsense")
            made.pool._on_out("joust/run/bot/stranger.0/out", b"x")
            made.pool._on_status("joust/run/bot/stranger.0/status", b"x")
        assert hearing == [b"an answer", False, True]
        assert link.listener is None


@in_virtual_time
async def test_a_flood_on_any_topic_ends_the_bot_whatever_it_plays_and_answers_are_no_flood() -> None:
    async with open_pool(2) as made, made.pool.seated([entrant(), entrant()]) as [link, other]:
        for _ in range(20_000):
            await link.send(protocol.Stop())
            assert link.admits(b"x" * 100, MESSAGE_BYTES)
        status = protocol.encode(protocol.Status(online=True))
        for _ in range(200):
            made.pool._on_status("joust/run/bot/a.0/status", status)
        assert link.fault == (Fault.FLOODING, "expected at most 2 MB of messages a second")
        made.pool._on_charge("joust/run/bot/a.1/charge", b"expected less")
        made.pool._on_charge("joust/run/bot/stranger.0/charge", b"expected less")
        assert other.fault == (Fault.FLOODING, "expected less")
        assert [process.kills for process in made.started] == [1, 1]


@in_virtual_time
async def test_a_bot_that_loses_its_connection_too_often_is_lost_without_excuse_a_new_process_starts_afresh() -> None:
    async with open_pool() as made:
        for _ in range(2):
            async with made.pool.seated([entrant()]) as [link]:
                for _ in range(RECONNECTIONS):
                    await made.started[-1].report(online=False)
                    await made.started[-1].report(online=True)
                assert link.fault is None
                await made.started[-1].report(online=False)
                assert [link.fault, link.excuse] == [
                    (Fault.DISCONNECTED, "expected at most 6 lost connections a minute"),
                    "",
                ]
        assert len(made.started) == 2


@in_virtual_time
async def test_a_bot_answers_for_what_all_its_processes_used_above_their_share() -> None:
    async with open_pool(2) as made:
        async with made.pool.seated([entrant()]) as [first]:
            for cpu_ms, excess in ((375.0, ""), (400.0, "its processes kept 1.6 cores busy")):
                made.started[0].load = Load(span_ms=250.0, cpu_ms=cpu_ms, threads=3, processes=1)
                assert first.excess_since(0.0) == excess
        async with made.pool.seated([entrant(), entrant()]) as [_, second]:
            made.started[0].load = Load(span_ms=250.0, cpu_ms=9.0, threads=128, processes=1)
            assert second.excess_since(0.0) == ""
            made.started[0].load = Load(span_ms=250.0, cpu_ms=9.0, threads=129, processes=1)
            assert second.excess_since(0.0) == "its processes ran 129 threads"
            made.started[0].load = None
            assert second.excess_since(0.0) == ""


@in_virtual_time
async def test_a_bot_was_kept_waiting_by_the_machine_unless_it_gives_way_or_does_too_much_itself() -> None:
    async with open_pool() as made, made.pool.seated([entrant()]) as [link]:
        [process] = made.started
        process.load = Load(span_ms=500.0, cpu_ms=30.0, threads=2, processes=1, waited_ms=251.0)
        assert link.wait_since(0.0) == "the machine was busy for 251 of 500 ms"
        process.load = replace(process.load, waited_ms=250.0)
        assert link.wait_since(0.0) == ""
        process.load = replace(process.load, waited_ms=400.0, threads=129)
        assert link.wait_since(0.0) == ""
        process.load = replace(process.load, threads=2)
        process.yields = True
        assert link.wait_since(0.0) == ""


@in_virtual_time
async def test_a_remote_bot_may_come_first_and_leave_between_matches() -> None:
    async with open_pool() as made:
        far = await made.start(REMOTE, slot="a.0", account=bot_account("run", "a.0"), limits=LIMITS)
        link: BotLink = made.pool._by_slot["a.0"]
        assert link.ready is not None
        assert await made.seat(entrant(REMOTE)) == [("a.0", None)]
        assert (made.started, link.usage()) == ([], Usage(None, None))
        assert [type(message) for message in far.heard] == [protocol.Hello]  # not sent away before its first match
        await far.report(online=False)
        assert link.ready is None
        await far.report(online=True)
        assert link.ready is not None
        await link.end()
        await settle()
        assert isinstance(far.heard[-1], protocol.Stop)
        assert (link.is_online, link.ready, link.fault) == (False, None, None)


@pytest.mark.parametrize("program", [REMOTE, MUTE])
@in_virtual_time
async def test_a_remote_bot_that_was_never_heard_is_told_when_the_run_is_over(program: RoleProgram) -> None:
    async with open_pool() as made:
        far = PlayedProcess(program, "a.0", made.bus)  # it came before anybody listened to its birth
        await made.bus.subscribe(f"{bot_prefix('run', 'a.0')}/in", far.hear)
        [(_, fault)] = await made.seat(entrant(REMOTE, start_ms=50))
        assert (fault is not None) == (program == MUTE)
        assert not any(isinstance(message, protocol.Stop) for message in far.heard)
    await settle()
    assert isinstance(far.heard[-1], protocol.Stop)


@in_virtual_time
async def test_processes_are_ended_though_the_broker_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(topic: str, payload: bytes) -> None:
        raise BrokerError("connection to the broker lost")

    async with open_pool() as made:
        await made.seat(entrant())
        monkeypatch.setattr(type(made.bus), "publish", staticmethod(fail))
    assert made.started[0].patience_s == STOP_PATIENCE_S


@in_virtual_time
async def test_a_bot_that_cannot_be_started_leaves_none_behind_that_is_still_starting() -> None:
    async with open_pool(slots=2) as made:
        usual = made.start

        async def start(program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> PlayedProcess:
            await asyncio.sleep(1 if program == OTHER else 0)
            if program == OLD:
                raise ConfigError("no such command")
            return await usual(program, slot=slot, account=account, limits=limits)

        made.start = start  # type: ignore[method-assign]
        with pytest.raises(ConfigError, match="no such command"):
            await made.seat(entrant(OLD), entrant(OTHER))
        await asyncio.sleep(2)
        assert made.started == []
        assert [fault for _, fault in await made.seat(entrant(SOUND), entrant(OTHER))] == [None, None]


def test_a_game_is_refused_by_a_bot_that_names_others() -> None:
    some = protocol.Ready(protocol=1, plays=["chess", "go"])
    assert [refusal_of(ready, "go") for ready in (some, protocol.Ready(protocol=1), None)] == ["", "", ""]
    assert refusal_of(some, "bomber") == "plays chess, go, not bomber"


class WaitingLink(BotLink):
    """A link to a bot that waits for an interrupted run to go on."""

    outlives_the_run = True


@pytest.mark.parametrize(("error", "left"), [(None, ["a.0", "b.0"]), (KeyboardInterrupt, ["b.0"])])
async def test_a_bot_that_waits_for_the_run_to_go_on_is_told_to_leave_only_at_its_regular_end(
    error: type[BaseException] | None, left: list[str]
) -> None:
    ended: list[str] = []
    accounts = {slot: bot_account("run", slot) for slot in ("a.0", "b.0")}
    async with open_pool() as made:
        pool = BotPool(run="run", bus=made.bus, launcher=made, accounts=accounts, links={"a": WaitingLink})
        with (
            mock.patch.object(BotLink, "end", autospec=True, side_effect=lambda link, **_: ended.append(link.slot)),
            contextlib.nullcontext() if error is None else pytest.raises(error),
        ):
            async with pool.open():
                if error is not None:
                    raise error
    assert ended == left
