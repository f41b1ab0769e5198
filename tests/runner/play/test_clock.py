"""How the runner notices that it was late itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from unittest import mock

import pytest

from gridjoust.runner.play.clock import LagMonitor, LoopClock
from gridjoust.runner.wire.bus.memory import MemoryBroker
from tests.doubles.clock import ManualClock, settle
from tests.doubles.virtual_time import in_virtual_time


async def pass_time(clock: ManualClock, by_ms: float, *, times: int = 1) -> None:
    for _ in range(times):
        clock.advance(by_ms)
        await settle()


@contextlib.asynccontextmanager
async def watched(
    read: Sequence[str] = ("#",), *, loses_the_first: bool = False, given_up: list[str] | None = None
) -> AsyncIterator[tuple[LagMonitor, ManualClock]]:
    """A monitor that has sent its first echo, and its clock."""
    clock, broker = ManualClock(), MemoryBroker()
    losing = mock.patch.object(broker, "deliver") if loses_the_first else contextlib.nullcontext()
    async with broker.connect(read=read) as bus, contextlib.AsyncExitStack() as stack:
        on_silent = None if given_up is None else given_up.append
        monitor = LagMonitor(bus=bus, clock=clock, echo_topic="echo", on_silent=on_silent)
        with losing:
            await stack.enter_async_context(monitor.watching())
            await settle()
        yield monitor, clock


@in_virtual_time
async def test_a_timer_goes_off_at_its_instant_and_at_once_if_that_has_passed() -> None:
    clock = LoopClock()
    await asyncio.sleep(3)
    gone_off: list[float] = []
    for when_ms in (2_000, 3_000, 3_250, 5_000):
        clock.call_at(when_ms, lambda: gone_off.append(clock.now_ms()))
    await asyncio.sleep(2.5)
    assert gone_off == [3_000, 3_000, 3_250, 5_000]


async def test_a_runner_on_time_has_no_lag_and_a_loop_that_missed_its_pulse_is_late() -> None:
    async with watched() as (monitor, clock):
        clock.advance(15)
        assert monitor.lag_ms(0, 15) == 0
        clock.advance(75)  # the pulse was due at 20
        assert monitor.lag_ms(0, 85) == 70


async def test_an_echo_that_is_out_or_lost_counts_until_a_later_one_has_come_back() -> None:
    async with watched(read=()) as (monitor, clock):
        clock.advance(15)
        assert (monitor.lag_ms(0, 0), monitor.lag_ms(-9, -1)) == (15, 0)  # it was sent at 0
        clock.advance(65)
        assert monitor.lag_ms(0, 80) == 80
    async with watched(loses_the_first=True) as (monitor, clock):
        await pass_time(clock, 20, times=4)  # the second echo goes out at 80
        assert monitor.lag_ms(0, 80) == 80
        await pass_time(clock, 20, times=10)
        assert monitor.lag_ms(180, 280) == 0


async def test_a_delay_is_seen_after_it_is_over_by_whoever_asks_about_its_time() -> None:
    async with watched() as (monitor, clock):
        await pass_time(clock, 300)  # the pulse of 20 comes at 300
        clock.advance(10)
        assert monitor.lag_ms(0, 305) == 280
        await settle()
        await pass_time(clock, 10, times=20)
        assert (monitor.lag_ms(0, 510), monitor.lag_ms(310, 510)) == (280, 0)
        assert monitor.lag_ms(0, 15) == 0  # it began after that


async def test_a_stall_is_remembered_for_as_long_as_it_is_asked_about() -> None:
    async with watched() as (monitor, clock):
        clock.advance(1520)
        assert monitor.stall_ms(10) == 1500  # still going on
        await settle()
        await pass_time(clock, 10, times=20)
        assert (monitor.stall_ms(300), monitor.stall_ms(100)) == (1500, 0)
        # whoever was asked after it has no excuse
        assert (monitor.lag_ms(0, 1720), monitor.lag_ms(1620, 1720)) == (1500, 0)


async def test_an_echo_that_was_not_even_sent_is_overdue() -> None:
    async with watched() as (monitor, clock):
        await pass_time(clock, 60, times=3)  # every pulse comes 40 ms late, so the next echo goes out after 240
        assert monitor.lag_ms(150, 180) == 100


@pytest.mark.gate
async def test_a_broker_that_is_silent_for_60_s_is_given_up_once_and_one_that_answers_before_is_not() -> None:
    given_up: list[str] = []
    async with watched(read=(), given_up=given_up) as (_, clock):
        await pass_time(clock, 20, times=2_999)
        assert given_up == []
        await pass_time(clock, 20)
        assert given_up == ["the broker has not answered for 60 s"]
        await pass_time(clock, 20, times=100)
    assert len(given_up) == 1
    given_up.clear()
    async with watched(given_up=given_up) as (_, clock):
        await pass_time(clock, 20, times=3_500)
    assert given_up == []


async def test_a_runner_that_stood_still_for_60_s_gives_up_and_blames_not_the_broker() -> None:
    said = "the runner itself stood still for {} s"  # a pulse was due after 20 ms
    for frozen_ms, reasons in ((60_019, []), (60_020, [said.format(60)]), (95_000, [said.format(95)])):
        given_up: list[str] = []
        async with watched(given_up=given_up) as (_, clock):
            await pass_time(clock, frozen_ms)
            await pass_time(clock, 20, times=20)
        assert given_up == reasons
