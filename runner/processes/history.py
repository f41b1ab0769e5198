"""Keeps samples of a process tree of the last minute, and computes the use of resources since a moment."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from gridjoust.runner.processes.tree import TreeSample

KEPT = 240  # samples: one minute at one every 250 ms; each question adds one


@dataclass(frozen=True, slots=True)
class Load:
    """The use of resources in a time span that ends now and begins at the last sample before a given moment."""

    span_ms: float
    cpu_ms: float
    threads: int  # the most at once
    processes: int
    waited_ms: float = 0.0  # time ready to run while others ran, of the thread that waited longest


class Spent(NamedTuple):
    """CPU time of a process tree, and how long its main threads were ready to run while others ran, both in ms.

    `forced`: number of their forced context switches.
    """

    cpu_ms: float
    waited_ms: float
    forced: int = 0


class History:
    """Samples of one process tree, in order of time."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, TreeSample]] = deque(maxlen=KEPT)

    def add(self, now_ms: float, sample: TreeSample) -> None:
        """Add a sample that was taken now."""
        self._samples.append((now_ms, sample))

    def load_since(self, when_ms: float) -> Load | None:
        """Return the use of resources since a moment, or None without samples."""
        if not self._samples:
            return None
        now_ms, later = self._samples[-1]
        began_ms, cpu_ms, threads, processes = now_ms, 0.0, 0, 0
        for at_ms, sample in reversed(self._samples):
            began_ms = at_ms
            cpu_ms += max(0.0, later.cpu_ms - sample.cpu_ms)  # a descendant that ended unseen may lower the sum
            threads, processes = max(threads, sample.threads), max(processes, len(sample.pids))
            later = sample
            if at_ms <= when_ms:
                break
        waited_ms = _longest_wait(since=later, until=self._samples[-1][1])
        return Load(now_ms - began_ms, cpu_ms, threads, processes, waited_ms)


def _longest_wait(*, since: TreeSample, until: TreeSample) -> float:
    waits = (waited_ms - since.waited_ms.get(thread, 0.0) for thread, waited_ms in until.waited_ms.items())
    return max(waits, default=0.0)
