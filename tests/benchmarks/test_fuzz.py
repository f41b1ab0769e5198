"""A few mutated messages to everything that reads; `python -m benchmarks.fuzz` sends a million."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.figures import Figures
from benchmarks.fuzz import Reader, fuzz, readers
from benchmarks.mutations import mutate
from runner.wire import protocol
from runner.wire.errors import ProtocolFault


@pytest.fixture(scope="module")
def everything_that_reads(tmp_path_factory: pytest.TempPathFactory) -> list[Reader]:
    return readers(tmp_path_factory.mktemp("fuzz"), random.Random(1))


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_nothing_raises_what_it_should_not(everything_that_reads: list[Reader], seed: int) -> None:
    figures = Figures()
    for reader in everything_that_reads:
        fuzz(reader, 10, random.Random(seed), figures)
    assert figures.details == []


def test_an_undocumented_exception_is_found_and_a_documented_one_is_not() -> None:
    def read(message: bytes) -> None:
        protocol.decode_status(message)
        raise ValueError("online")

    figures, reader = Figures(), Reader("status", 1, lambda rng: b'{"online":true}', read, (ProtocolFault,))
    fuzz(reader, 50, random.Random(1), figures)
    refused = figures.done["status: refused"]
    assert figures.problems["status"] == 50 - refused
    assert 0 < refused < 50


def test_a_mutated_message_is_nearly_always_another_one_and_the_same_for_the_same_seed() -> None:
    message = b'{"type":"action","match":"m","ask":3,"seat":0,"action":"wait"}'
    mutated = [mutate(message, random.Random(seed)) for seed in range(100)]
    assert mutated == [mutate(message, random.Random(seed)) for seed in range(100)]
    assert len({*mutated} - {message}) > 60
