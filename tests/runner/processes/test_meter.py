"""What the kernel's clocks say of real, small processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridjoust.runner.processes.history import Spent
from gridjoust.runner.processes.meter import Meter
from gridjoust.runner.processes.tree import gives_way, sample_tree

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone shows these clocks")

BURN = """
import os, sys, time
def burn(ms):
    end = time.process_time() + ms / 1000
    while time.process_time() < end: pass
for line in sys.stdin:
    exec(line)
    print(time.process_time() * 1000, flush=True)
"""


class Worker:
    """A process that does what it is told, and says how much CPU time it has used."""

    def __init__(self) -> None:
        command = [sys.executable, "-S", "-c", BURN]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def do(self, code: str) -> float:
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        self.child.stdin.write(code + "\n")
        return float(self.child.stdout.readline())


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    with made.child:
        yield made
        made.child.kill()


def read(meter: Meter) -> Spent:
    time.sleep(0.01)  # the kernel's account of a process that still runs is up to a tick old
    spent = meter.read()
    assert spent is not None
    return spent


def test_cpu_time_is_that_of_the_process_to_a_fraction_of_a_millisecond(worker: Worker) -> None:
    meter = Meter(worker.child.pid)
    before_ms, began = worker.do("pass"), read(meter)
    after_ms, ended = worker.do("burn(20); time.sleep(0.03)"), read(meter)
    assert ended.cpu_ms - began.cpu_ms == pytest.approx(after_ms - before_ms, abs=1.0)
    assert ended.waited_ms >= began.waited_ms
    meter.close()


def test_children_count_while_they_run_and_once_they_have_ended(worker: Worker) -> None:
    meter = Meter(worker.child.pid)
    worker.do("pass")
    began = read(meter)
    worker.do("r, w = os.pipe(); pid = os.fork() or (burn(60), os.write(w, b'.'), time.sleep(9)); os.read(r, 1)")
    assert 55 < read(meter).cpu_ms - began.cpu_ms < 115
    worker.do("os.kill(pid, 9); os.waitpid(pid, 0)")
    assert 45 < read(meter).cpu_ms - began.cpu_ms < 115  # in steps of 10 ms; counted twice it were 120
    worker.do("pid = os.fork() or (burn(60), os._exit(0)); os.waitpid(pid, 0)")  # between two looks
    assert 100 < read(meter).cpu_ms - began.cpu_ms < 175
    seen = read(meter)
    worker.do("pid = os.fork() or (burn(60), os._exit(0)); os.waitpid(pid, 0)")
    quick = meter.read(exact=False)
    assert quick is not None
    assert quick.cpu_ms - seen.cpu_ms < 30
    meter.keep((worker.child.pid,))
    quick = meter.read(exact=False)
    assert quick is not None
    assert 45 < quick.cpu_ms - seen.cpu_ms < 90
    meter.close()


def test_files_are_closed_again_and_a_tree_that_is_gone_has_used_nothing_that_is_known(worker: Worker) -> None:
    opened = len(list(Path("/proc/self/fd").iterdir()))
    meter = Meter(worker.child.pid)
    meter.keep((worker.child.pid, os.getpid()))
    meter.keep((os.getpid(),))
    assert read(meter).cpu_ms > 0
    meter.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == opened
    assert meter.read() is None
    lost = Meter(worker.child.pid)
    worker.child.kill()
    worker.child.wait()
    assert lost.read() == Spent(0.0, 0.0)
    lost.close()


def test_who_shares_a_core_is_made_to_give_way_and_that_is_counted(worker: Worker) -> None:
    core = f"os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})"
    worker.do(core)
    meter, rival = Meter(worker.child.pid), Worker()
    try:
        rival.do(core)
        assert rival.child.stdin is not None
        rival.child.stdin.write("burn(2000)\n")
        began = read(meter)
        worker.do("burn(80)")
        ended = read(meter)
        assert ended.forced > began.forced
        assert ended.waited_ms - began.waited_ms > 1
    finally:
        rival.child.kill()
        rival.child.communicate()
        meter.close()


def test_who_lowers_its_own_priority_gives_way(worker: Worker) -> None:
    worker.do("pass")
    assert not gives_way(worker.child.pid)
    sample = sample_tree(worker.child.pid)
    assert sample is not None
    assert worker.child.pid in sample.waited_ms
    worker.do("os.nice(5)")
    assert gives_way(worker.child.pid)
    assert not gives_way(2**22 + 1)  # no such process
