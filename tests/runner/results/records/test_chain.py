"""The hash chain: its values are fixed, since records on disk hold them, and every part of what is chained counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gridjoust.runner.results.records.chain import Chain, seal_end
from tests.runner.results.records.records_builder import make_record


def chain(*, game: str = "race", version: str = "1", length: int = 3, seats: int = 2, seed: int = 7) -> Chain:
    return Chain(game=game, game_version=version, params={"length": length, "map": ""}, seats=seats, seed=seed)


def test_the_links_of_a_small_match_are_always_the_same_and_only_the_end_tells_its_own() -> None:
    small = chain()
    assert small.head == "a6cadaa9ae121375528e27b531905a72"
    small.deal(b"state 0")
    assert small.head == "a46a8c048bc0ad21136003a368a050eb"
    assert small.turn(1, 1, {"0": "step", "1": "wait"}, b"state 1") == ""
    assert small.head == "de2c23b3a88b39437326a8616e080da5"
    small.fault(2, 1, "late", "no answer within 100 ms")
    assert small.head == "00b83e326ab22ebf911154cac6c08bcf"
    assert small.end({"termination": "late", "turns": 1}) == "09f5bfc71d9046c61e3890c9e64f7c65"


def test_each_sixteenth_turn_tells_its_link() -> None:
    long = chain()
    told = {number: link for number in range(1, 49) if (link := long.turn(number, number, {}, b"")) != ""}
    assert list(told) == [16, 32, 48]
    assert told[48] == long.head


@pytest.mark.parametrize("change", [{"game": "chase"}, {"version": "2"}, {"length": 4}, {"seats": 3}, {"seed": 8}])
def test_everything_that_decides_a_match_is_in_the_first_link(change: dict[str, str]) -> None:
    assert chain(**change).head != chain().head  # type: ignore[arg-type]
    assert chain().head == chain().head


@pytest.mark.parametrize(
    "other",
    [
        lambda chain: chain.turn(16, 2, {"0": "step"}, b"s"),
        lambda chain: chain.turn(16, 1, {"1": "step"}, b"s"),
        lambda chain: chain.turn(16, 1, {"0": "wait"}, b"s"),
        lambda chain: chain.turn(16, 1, {"0": "step"}, b"t"),
        lambda chain: chain.deal(b"s"),
        lambda chain: [chain.deal(b""), chain.turn(16, 1, {"0": "step"}, b"s")],
    ],
)
def test_every_part_of_a_turn_changes_its_link_but_not_the_order_of_seats(other: Callable[[Chain], object]) -> None:
    changed, same, swapped = chain(), chain(), chain()
    other(changed)
    same.turn(16, 1, {"0": "step"}, b"s")
    assert changed.head != same.head
    assert swapped.turn(16, 1, {"0": "a", "1": "b"}, b"s") == chain().turn(16, 1, {"1": "b", "0": "a"}, b"s")


def test_the_seal_of_an_end_covers_all_of_it_but_the_seal() -> None:
    end = make_record(returns=(1.0, -1.0)).end
    sealed = seal_end(chain(), end)
    assert sealed == seal_end(chain(), sealed)
    assert sealed != end
    other = make_record(returns=(1.0, -1.0), reason="over").end
    assert seal_end(chain(), other).hash != sealed.hash
