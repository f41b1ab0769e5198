"""What a tree used since a moment, from samples that were taken before and after it."""

from __future__ import annotations

import pytest

from gridjoust.runner.processes.history import History, Load
from gridjoust.runner.processes.tree import TreeSample


def history(*samples: tuple[float, float, int, int]) -> History:
    """(at_ms, cpu_ms, processes, threads) each."""
    made = History()
    for at_ms, cpu_ms, processes, threads in samples:
        made.add(at_ms, TreeSample(tuple(range(processes)), cpu_ms, 1.0, threads))
    return made


BUSY = history((0, 0, 1, 1), (250, 10, 1, 1), (500, 60, 3, 40), (750, 90, 2, 7))


@pytest.mark.parametrize(
    ("when_ms", "load"),
    [
        (750, Load(0, 0, 7, 2)),
        (740, Load(250, 30, 40, 3)),
        (500, Load(250, 30, 40, 3)),
        (250, Load(500, 80, 40, 3)),
        (-9, Load(750, 90, 40, 3)),
    ],
)
def test_load_begins_at_the_last_sample_before_the_moment(when_ms: float, load: Load) -> None:
    assert BUSY.load_since(when_ms) == load


def test_a_descendant_that_vanishes_with_its_account_takes_nothing_off_the_load() -> None:
    assert history((0, 0, 1, 1), (250, 500, 2, 2), (500, 20, 1, 1), (750, 30, 1, 1)).load_since(0) == Load(
        750, 510, 2, 2
    )


def test_the_thread_that_waited_longest_tells_how_busy_the_machine_was() -> None:
    made = History()
    for at_ms, waited_ms in ((0, {1: 5.0, 2: 900.0}), (250, {1: 10.0}), (500, {1: 250.0, 2: 901.0, 3: 30.0})):
        made.add(at_ms, TreeSample((1,), 0.0, 1.0, 3, waited_ms))
    load = made.load_since(0)
    assert load is not None
    assert load.waited_ms == 245.0


def test_without_samples_nothing_is_known() -> None:
    assert History().load_since(0) is None
