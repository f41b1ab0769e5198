"""What a process tree did lately: samples of the last minute, and what was used since a moment. Looks at nothing."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from gridjoust.runner.processes.tree import TreeSample

KEPT = 240  # samples, at one every 250 ms the last minute; questions add some


@dataclass(frozen=True, slots=True)
class Load:
    """What a tree used within a span that ends now and began at the last sample before the moment asked for."""

    span_ms: float
    cpu_ms: float
    threads: int  # the most that were seen at once
    processes: int
    waited_ms: float = 0.0  # ready to run while others ran: the thread that waited longest


class Spent(NamedTuple):
    """What a tree has used: CPU time, and time that its main threads were ready to run while others ran.

    `forced`: how often they had to give way to others before they were done.
    """

    cpu_ms: float
    waited_ms: float
    forced: int = 0


class History:
    """Samples in the order in which they were taken."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, TreeSample]] = deque(maxlen=KEPT)

    def add(self, now_ms: float, sample: TreeSample) -> None:
        """One more sample, of this moment."""
        self._samples.append((now_ms, sample))

    def load_since(self, when_ms: float) -> Load | None:
        """What was used since then, None if nothing is known of it."""
        if not self._samples:
            return None
        now_ms, later = self._samples[-1]
        began_ms, cpu_ms, threads, processes = now_ms, 0.0, 0, 0
        for at_ms, sample in reversed(self._samples):
            began_ms = at_ms
            cpu_ms += max(0.0, later.cpu_ms - sample.cpu_ms)  # less than before: a descendant took its account along
            threads, processes = max(threads, sample.threads), max(processes, len(sample.pids))
            later = sample
            if at_ms <= when_ms:
                break
        waited_ms = _longest_wait(since=later, until=self._samples[-1][1])
        return Load(now_ms - began_ms, cpu_ms, threads, processes, waited_ms)


def _longest_wait(*, since: TreeSample, until: TreeSample) -> float:
    waits = (waited_ms - since.waited_ms.get(thread, 0.0) for thread, waited_ms in until.waited_ms.items())
    return max(waits, default=0.0)
