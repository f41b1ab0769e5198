"""Who works for a run: entries, batches in hand, the dead and the late."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gridjoust.engines.messages import SILENT_S, Entry
from gridjoust.engines.registry import IN_HAND, LATEST, Worker, WorkerRegistry
from gridjoust.engines.self_test import Report
from gridjoust.runner.engines.batch import Batch, Finished, Lost

HASHES = ("aa", "bb")


def entry(name: str = "pc1", *, hashes: tuple[str, ...] = HASHES, late_ms: float = 1.0, job: str = "job") -> Entry:
    return Entry(name=name, job=job, report=Report(hashes=hashes, late_ms=late_ms, seconds=0.1), parallel=1)


def entered(registry: WorkerRegistry, name: str = "pc1", now_s: float = 0.0) -> Worker:
    assert registry.enter(entry(name), now_s) == ""
    return [*registry.workers.values()][-1]


@pytest.fixture
def registry() -> WorkerRegistry:
    made = WorkerRegistry(hashes=HASHES, job="job", grace_ms=50)
    made.queue.extend(Batch(number=number, items=()) for number in range(1, 9))
    return made


def finished(number: int, late_ms: float = 1.0) -> Finished:
    return Finished(number=number, worker="whatever it says", records=[b"record"], seconds=2.0, late_ms=late_ms)


def test_a_worker_with_other_rules_is_refused_and_named(registry: WorkerRegistry) -> None:
    assert "other states" in registry.enter(entry(hashes=("aa", "cc")), 0.0)
    assert registry.notes == [
        "worker pc1 refused: self-test failed: its rules or its Python compute other states for recorded turns"
    ]
    assert registry.present == []


def test_a_worker_that_is_late_when_idle_is_refused_where_clocks_count(registry: WorkerRegistry) -> None:
    assert "60 ms late" in registry.enter(entry(late_ms=60.0), 0.0)
    untimed = WorkerRegistry(hashes=HASHES, job="job", grace_ms=50, judges_lateness=False)
    assert untimed.enter(entry(late_ms=60.0), 0.0) == ""


def test_a_worker_of_another_tournament_is_refused(registry: WorkerRegistry) -> None:
    assert registry.enter(entry(job="other"), 0.0) == "the tournament has changed: restart the worker"


def test_two_workers_of_one_name_are_told_apart(registry: WorkerRegistry) -> None:
    entered(registry)
    assert entered(registry).entry.name == "pc1-2"


def test_a_worker_has_one_batch_to_play_and_one_to_come(registry: WorkerRegistry) -> None:
    worker = entered(registry)
    assert [registry.hand_out(worker) is None for _ in range(IN_HAND + 1)] == [False] * IN_HAND + [True]


def test_what_a_worker_hands_in_is_its_own_under_its_name(registry: WorkerRegistry) -> None:
    worker, other = entered(registry), entered(registry, "pc2")
    registry.hand_out(worker)
    registry.finish(other, finished(1))
    assert [*registry.outcomes] == []
    registry.finish(worker, finished(1))
    assert [outcome.worker for outcome in registry.outcomes] == ["pc1"]
    assert (worker.news().matches, worker.news().per_s) == (1, 0.5)


def test_batches_of_a_silent_worker_go_back_and_the_one_that_it_played_counts_as_a_death(
    registry: WorkerRegistry,
) -> None:
    worker = entered(registry)
    registry.hand_out(worker)
    registry.hand_out(worker)
    worker.playing = 1
    registry.bury(SILENT_S - 1)
    assert not registry.outcomes
    registry.bury(SILENT_S + 1)
    assert {one.number: one.deaths for one in registry.outcomes if isinstance(one, Lost)} == {
        1: 1,
        2: 0,
    }
    assert registry.hear(worker.id, SILENT_S + 2) is None


def test_a_batch_that_never_arrived_goes_back(registry: WorkerRegistry) -> None:
    worker = entered(registry)
    registry.hand_out(worker)
    registry.hand_out(worker)
    registry.reconcile(worker, [2])
    assert [(outcome.number, getattr(outcome, "deaths", None)) for outcome in registry.outcomes] == [(1, 0)]


def test_a_worker_that_is_far_later_than_the_others_is_dropped_and_named(registry: WorkerRegistry) -> None:
    usual, slow = entered(registry, "usual"), entered(registry, "slow")
    for _ in range(LATEST):
        for worker, late_ms in ((usual, 3.0), (slow, 400.0)):
            if (batch := registry.hand_out(worker)) is None:
                registry.queue.append(Batch(number=99, items=()))
                batch = registry.hand_out(worker)
                assert batch is not None
            registry.finish(worker, finished(batch.number, late_ms))
    assert registry.present == [usual]
    late = "its event loop was 400 ms late in each batch, those of other workers 3 ms"
    assert registry.notes[-1] == f"worker slow dropped: {late}"


def test_where_all_are_late_nobody_is_an_outlier(registry: WorkerRegistry) -> None:
    workers = [entered(registry, "one"), entered(registry, "two")]
    for number in range(100, 100 + LATEST):
        for worker in workers:
            worker.in_hand[number] = Batch(number=number, items=())
            registry.finish(worker, finished(number, 400.0))
    assert registry.present == workers


def test_a_cancelled_batch_is_not_handed_out(registry: WorkerRegistry) -> None:
    registry.cancel(1)
    batch = registry.hand_out(entered(registry))
    assert batch is not None
    assert batch.number == 2


def test_a_part_of_a_batch_counts_and_leaves_the_rest_in_hand(registry: WorkerRegistry) -> None:
    worker = entered(registry)
    registry.hand_out(worker)
    registry.finish(worker, replace(finished(1), is_whole=False))
    assert [getattr(outcome, "is_whole", None) for outcome in registry.outcomes] == [False]
    assert [*worker.in_hand] == [1]
