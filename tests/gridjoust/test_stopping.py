"""What signals do to an event loop: the first stops it in order, later ones only if that has not helped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from gridjoust.tournament import STOP_PATIENCE_S, STOP_SIGNALS, Stopping, run_loop


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Signals as they come to a program, and afterwards as they were."""
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    for number in before:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_what_a_signal_stops_tidies_up_and_hears_no_further_one(number: signal.Signals) -> None:
    done: list[str] = []

    async def main() -> None:
        try:
            signal.raise_signal(number)
            await asyncio.Event().wait()
        finally:
            for again in STOP_SIGNALS:
                signal.raise_signal(again)
                await asyncio.sleep(0)
            done.append("tidied up")

    with pytest.raises(KeyboardInterrupt):
        run_loop(main())
    for again in STOP_SIGNALS:  # until the process has ended
        signal.raise_signal(again)
    assert done == ["tidied up"]


def test_a_signal_that_is_ignored_stops_nothing() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def main() -> str:
        signal.raise_signal(signal.SIGHUP)
        await asyncio.sleep(0)
        return "done"

    assert run_loop(main()) == "done"
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_what_nothing_stops_leaves_signals_as_they_were() -> None:
    before = [signal.getsignal(number) for number in STOP_SIGNALS]
    assert run_loop(asyncio.sleep(0, "done")) == "done"
    assert [signal.getsignal(number) for number in STOP_SIGNALS] == before


def test_a_task_that_is_cancelled_by_itself_is_no_interrupt() -> None:
    async def main() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run_loop(main())


async def test_a_signal_interrupts_what_is_still_going_on_seconds_after_the_first() -> None:
    now_s = 100.0
    task = asyncio.create_task(asyncio.Event().wait())
    stopping = Stopping(task, now_s=lambda: now_s)
    stopping.on_signal(signal.SIGINT, None)
    assert task.cancelling() == 1
    now_s += STOP_PATIENCE_S
    stopping.on_signal(signal.SIGINT, None)
    now_s += 0.1
    with pytest.raises(KeyboardInterrupt):
        stopping.on_signal(signal.SIGINT, None)
    stopping.on_signal(signal.SIGINT, None)  # has its time again
    assert task.cancelling() == 1
