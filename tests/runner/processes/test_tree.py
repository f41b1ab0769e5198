"""What is held in memory without being mapped, by processes that are looked at here."""

from __future__ import annotations

import os
import sys

import pytest

from gridjoust.runner.processes.tree import held_memory_mb

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory files are known on Linux only")


def test_a_memory_file_counts_once_however_often_it_is_open_and_a_mount_that_is_the_machines_does_not() -> None:
    before = held_memory_mb([os.getpid()])
    with os.fdopen(os.memfd_create("block"), "wb") as file:
        file.write(bytes(3 << 20))
        file.flush()
        twin = os.dup(file.fileno())
        assert held_memory_mb([os.getpid(), os.getpid()], mounts=("/tmp", "/dev/shm")) - before == 3
        os.close(twin)
    assert held_memory_mb([os.getpid()]) == before
