"""Batches under workers that die, answer late or never: every match comes back once, and none is lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from gridjoust.runner.engines.batch import Batch, Item
from gridjoust.runner.engines.dispatch import DEATHS, MOST_TRIES, PATIENCE_S, Dispatcher


def item(number: int, variant: int = 0) -> Item:
    return Item(f"m{number}", variant, ("a", "b"), number, 1, "")


def ids(batch: Batch) -> list[str]:
    return [one.match_id for one in batch.items]


def filled(count: int, *, seconds: float = 1.0, target_s: float = 10.0) -> Dispatcher:
    dispatcher = Dispatcher(target_s=target_s)
    dispatcher.measured(0, seconds, 1000)
    for number in range(count):
        dispatcher.add(item(number))
    return dispatcher


def take(dispatcher: Dispatcher, slots: int = 1, now_s: float = 0.0) -> Batch:
    batch = dispatcher.next_batch(slots, now_s)
    assert batch is not None
    return batch


class Simulation:
    """Workers on a simulated clock: a batch ends, or its worker dies on it, and a dead worker may answer all the same.

    Matches in `killers` kill whoever plays them.
    """

    def __init__(self, seed: int, *, death: float, killers: frozenset[str] = frozenset()) -> None:
        self.played: Counter[str] = Counter()
        self.given_up: list[str] = []
        self.deaths = self.batches = 0
        self._chance = random.Random(seed)
        self._death, self._killers = death, killers

    def run(self, dispatcher: Dispatcher, matches: int, workers: int) -> None:
        chance, now_s, coming, added = self._chance, 0.0, 0, 0
        out: list[tuple[float, Batch, bool]] = []
        while coming < matches:
            while added < matches and dispatcher.wants_more(workers):
                dispatcher.add(item(added, added % 3))
                added += 1
            while len(out) < 2 * workers:
                batch = dispatcher.next_batch(workers, now_s) or dispatcher.copy_of_oldest(now_s)
                if batch is None:
                    break
                self.batches += 1
                dies = bool(self._killers.intersection(ids(batch))) or chance.random() < self._death
                straggles = 20.0 if chance.random() < 0.05 else 1.0
                out.append((now_s + len(batch.items) * chance.uniform(0.5, 1.5) * straggles, batch, dies))
            if not out:
                now_s += PATIENCE_S
                continue
            out.sort(key=lambda one: one[0])
            when_s, batch, dies = out.pop(0)
            now_s = max(now_s, when_s)
            if dies:
                self.deaths += 1
                lost = dispatcher.lost(batch.number)
                self.given_up += lost
                coming += len(lost)
            if not dies or (chance.random() < 0.2 and not self._killers.intersection(ids(batch))):
                new, _ = dispatcher.came_back(batch.number, ids(batch))
                self.played.update(new)
                coming += len(new)
                dispatcher.measured(batch.items[0].variant, 1.0, 1000)


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("death", [0.0, 0.05, 0.3])
def test_every_match_comes_back_once_whoever_dies(workers: int, death: float) -> None:
    simulation = Simulation(seed=workers, death=death)
    simulation.run(Dispatcher(target_s=10.0), 3_000, workers)
    assert simulation.played == Counter(f"m{number}" for number in range(3_000))
    assert simulation.given_up == []
    assert simulation.deaths >= (60 if death else 0) * (death >= 0.3)


def test_over_two_hundred_kills_lose_nothing_and_double_nothing() -> None:
    simulations = [Simulation(seed, death=0.25) for seed in range(8)]
    for simulation in simulations:
        simulation.run(Dispatcher(target_s=4.0), 600, 3)
    assert sum(simulation.deaths for simulation in simulations) >= 200
    assert all(set(simulation.played.values()) == {1} for simulation in simulations)
    assert all(len(simulation.played) == 600 for simulation in simulations)


@pytest.mark.parametrize("death", [0.0, 0.05])
def test_only_the_match_that_kills_its_workers_is_given_up(death: float) -> None:
    simulation = Simulation(seed=1, death=death, killers=frozenset({"m77", "m301"}))
    simulation.run(Dispatcher(target_s=16.0), 400, 2)
    assert sorted(simulation.given_up) == ["m301", "m77"]
    assert simulation.played == Counter(f"m{number}" for number in range(400) if number not in (77, 301))
    if not death:  # three times whole, then about once for every halving, then alone
        assert simulation.deaths <= 2 * (DEATHS + 6 + MOST_TRIES)


def test_a_batch_is_worth_the_target_by_what_matches_took() -> None:
    assert len(take(filled(1000)).items) == 10
    assert len(take(filled(1000, seconds=0.1)).items) == 100
    assert len(take(filled(1000, seconds=30.0)).items) == 1


def test_the_last_matches_are_shared_out() -> None:
    assert len(take(filled(12), slots=2).items) == 3


def test_matches_of_unknown_length_go_out_in_small_batches() -> None:
    dispatcher = Dispatcher()
    for number in range(100):
        dispatcher.add(item(number))
    assert len(take(dispatcher).items) == 4


def test_a_batch_that_killed_three_workers_comes_in_halves() -> None:
    dispatcher = filled(40, target_s=8.0)
    whole = take(dispatcher)
    for _ in range(DEATHS - 1):
        assert dispatcher.lost(whole.number) == []
        again = take(dispatcher)
        assert ids(again) == ids(whole)
        whole = again
    dispatcher.lost(whole.number)
    assert ids(take(dispatcher)) + ids(take(dispatcher)) == ids(whole)


def test_a_batch_that_takes_too_long_is_given_out_once_more_and_who_is_first_counts() -> None:
    dispatcher = filled(2)
    slow = take(dispatcher)
    rest = take(dispatcher)
    dispatcher.came_back(rest.number, ids(rest))
    assert dispatcher.copy_of_oldest(PATIENCE_S / 2) is None
    copy = dispatcher.copy_of_oldest(PATIENCE_S * 2)
    assert copy is not None
    assert ids(copy) == ids(slow)
    assert dispatcher.copy_of_oldest(PATIENCE_S * 3) is None
    assert dispatcher.came_back(copy.number, ids(copy)) == (ids(slow), [slow.number])
    assert dispatcher.came_back(slow.number, ids(slow)) == ([], [])
    assert dispatcher.next_batch(1, 100.0) is None


def test_what_a_worker_left_out_goes_out_again() -> None:
    dispatcher = filled(5)
    batch = take(dispatcher)
    assert dispatcher.came_back(batch.number, ids(batch)[1:]) == (ids(batch)[1:], [])
    assert ids(take(dispatcher)) == ids(batch)[:1]


def test_a_match_that_is_withdrawn_and_added_again_is_played_again() -> None:
    dispatcher = filled(1)
    first = take(dispatcher)
    assert dispatcher.came_back(first.number, ids(first))[0] == ["m0"]
    dispatcher.withdraw("m0")
    dispatcher.add(item(0))
    assert ids(take(dispatcher)) == ["m0"]


def test_what_came_before_its_worker_died_is_not_played_again() -> None:
    dispatcher = filled(10, target_s=20.0)
    batch = take(dispatcher)
    assert dispatcher.came_partly(ids(batch)[:3]) == ids(batch)[:3]
    dispatcher.lost(batch.number)
    assert ids(take(dispatcher)) == ids(batch)[3:]
