"""Workers that are killed: `python -m tests.gridjoust.engines.nursery URL TOKEN SEED KILLS WORKERS`.

Each is a process of its own that runs `joust work`'s code, forked from this one, where everything is imported already:
one costs a few hundredths of a second. SIGKILL ends it at a random moment of its life, loading, playing or handing in,
and the next one is forked; after so many kills they live on. When standard input ends, all end, and this process prints
how many it had killed by then.
"""

from __future__ import annotations

import asyncio
import os
import random
import selectors
import signal
import sys
import time

from gridjoust.engines import messages, self_test
from gridjoust.engines.worker import Owner, Work
from gridjoust.in_process import open_in_process
from gridjoust.tournament import RUNTIME

LIFE_S = 0.6  # at most
TICK_S = 0.01
BEAT_S = 0.05

assert open_in_process is not None  # what workers import late is imported before they are forked


def main() -> None:
    """Until standard input ends."""
    url, token, *numbers = sys.argv[1:]
    seed, kills, workers = map(int, numbers)
    nursery = Nursery(Owner(url, token), random.Random(seed), kills)
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        while not selector.select(TICK_S):
            nursery.look_after(workers)
    print(nursery.killed)
    for pid in nursery.ends_s:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


class Nursery:
    """`look_after` so many workers. A process is waited for only here, so that a number stands for no other one."""

    def __init__(self, owner: Owner, chance: random.Random, kills: int) -> None:
        self.ends_s: dict[int, float] = {}
        self.killed = 0
        self._owner, self._chance, self._kills = owner, chance, kills
        self._count = 0

    def look_after(self, workers: int) -> None:
        """Those whose time has come are killed; others take the places of those that have ended."""
        now_s = time.monotonic()
        for pid, end_s in [*self.ends_s.items()]:
            has_ended = os.waitpid(pid, os.WNOHANG)[0] == pid
            if not has_ended and now_s > end_s and self.killed < self._kills:
                os.kill(pid, signal.SIGKILL)
                self.killed += 1
                has_ended = os.waitpid(pid, 0)[0] == pid
            if has_ended:
                del self.ends_s[pid]
        while len(self.ends_s) < workers:
            self._count += 1
            self.ends_s[self._fork()] = time.monotonic() + self._chance.uniform(0, LIFE_S)

    def _fork(self) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                asyncio.run(self._worker().run())
            finally:
                os._exit(0)
        return pid

    def _worker(self) -> Work:
        self_test.PULSES, messages.BEAT_S = 1, BEAT_S
        return Work(
            owner=self._owner,
            name=f"pc{self._count}",
            say=lambda _: None,
            runtime=RUNTIME,
            show_program=lambda one: str(one),
        )


if __name__ == "__main__":
    main()
