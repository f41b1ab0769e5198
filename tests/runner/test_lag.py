"""How the runner notices that it was late itself."""

from __future__ import annotations

import asyncio

from runner.lag import LagMonitor
from runner.wire.bus import MemoryBroker
from tests.doubles.clock import ManualClock


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_world_that_runs_on_time_has_no_lag() -> None:
    clock = ManualClock()
    async with MemoryBroker().connect() as bus:
        lag_monitor = LagMonitor(bus=bus, clock=clock, echo_topic="echo")
        async with lag_monitor.watching():
            await settle()
            clock.advance(15)
            assert lag_monitor.lag_ms(0, 15) == 0


async def test_an_echo_that_does_not_come_back_counts_while_it_is_out() -> None:
    clock = ManualClock()
    async with MemoryBroker().connect(read=()) as bus:  # nothing comes back
        lag_monitor = LagMonitor(bus=bus, clock=clock, echo_topic="echo")
        async with lag_monitor.watching():
            await settle()
            clock.advance(80)
            assert lag_monitor.lag_ms(0, 80) == 80


async def test_a_loop_that_missed_its_pulse_is_late() -> None:
    clock = ManualClock()
    async with MemoryBroker().connect() as bus:
        lag_monitor = LagMonitor(bus=bus, clock=clock, echo_topic="echo")
        async with lag_monitor.watching():
            await settle()
            clock.advance(90)  # the pulse was due at 20
            assert lag_monitor.lag_ms(0, 85) == 70


async def test_a_delay_just_before_the_deadline_is_seen_after_it_is_over() -> None:
    clock = ManualClock()
    async with MemoryBroker().connect() as bus:
        lag_monitor = LagMonitor(bus=bus, clock=clock, echo_topic="echo")
        async with lag_monitor.watching():
            await settle()
            clock.advance(300)
            await settle()  # the pulse of 20 comes at 300
            clock.advance(10)
            assert lag_monitor.lag_ms(0, 305) == 280


async def test_a_delay_long_before_the_deadline_excuses_nobody() -> None:
    clock = ManualClock()
    async with MemoryBroker().connect() as bus:
        lag_monitor = LagMonitor(bus=bus, clock=clock, echo_topic="echo")
        async with lag_monitor.watching():
            await settle()
            clock.advance(300)
            await settle()
            for _ in range(20):
                clock.advance(10)
                await settle()
            assert lag_monitor.lag_ms(0, 500) == 0
