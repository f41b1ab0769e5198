"""Groups of bots: each once, evenly spread, lazily."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.runner.schedule.combinations import gauntlet_groups, spread_combinations


@settings(deadline=None)
@given(st.integers(0, 11), st.integers(1, 6))
def test_every_group_comes_exactly_once_and_every_prefix_is_near_balance(count: int, size: int) -> None:
    groups = list(spread_combinations(count, size))
    played = Counter(dict.fromkeys(range(count), 0))
    for group in groups:
        played.update(group)
        assert max(played.values()) - min(played.values()) <= max(2, size)

    assert sorted(tuple(sorted(group)) for group in groups) == list(combinations(range(count), size))


@settings(deadline=None)
@given(st.integers(2, 30))
def test_in_pairs_everyone_plays_once_before_anyone_plays_thrice(count: int) -> None:
    played: Counter[int] = Counter(dict.fromkeys(range(count), 0))
    for pair in spread_combinations(count, 2):
        played.update(pair)
        assert max(played.values()) - min(played.values()) <= 2


@settings(deadline=None)
@given(st.integers(1, 15).map(lambda half: 2 * half))
def test_an_even_number_of_bots_all_play_in_each_turn_of_the_circle(count: int) -> None:
    pairs = list(spread_combinations(count, 2))
    turns = [pairs[start : start + count // 2] for start in range(0, len(pairs), count // 2)]
    assert all(sorted(index for pair in turn for index in pair) == list(range(count)) for turn in turns)


def test_neighbouring_groups_share_no_bot_where_they_can_and_challengers_and_rivals_take_turns() -> None:
    assert list(islice(spread_combinations(6, 3), 4)) == [(0, 1, 2), (3, 4, 5), (1, 2, 3), (0, 4, 5)]
    assert list(spread_combinations(5, 3))[:5] == [(0, 1, 2), (0, 3, 4), (1, 2, 3), (0, 1, 4), (2, 3, 4)]
    assert list(gauntlet_groups(4, (0, 1), 2)) == [(0, 2), (1, 3), (1, 2), (0, 3)]
    assert list(gauntlet_groups(5, (0, 1, 2), 2)) == [(0, 3), (1, 4), (1, 3), (2, 4), (2, 3), (0, 4)]


def test_the_first_of_very_many_groups_comes_at_once() -> None:
    assert len(list(islice(spread_combinations(10_000, 5), 3))) == 3


@pytest.mark.gate
@settings(deadline=None)
@given(st.integers(2, 9), st.data())
def test_a_gauntlet_has_every_group_with_exactly_one_challenger(count: int, data: st.DataObject) -> None:
    challengers = tuple(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    size = data.draw(st.integers(2, 4))
    expected = [group for group in combinations(range(count), size) if len({*group} & {*challengers}) == 1]

    assert sorted(tuple(sorted(group)) for group in gauntlet_groups(count, challengers, size)) == sorted(expected)


def test_no_bots_make_no_group_but_the_empty_one() -> None:
    assert [list(spread_combinations(0, size)) for size in (0, 1, 2, 3)] == [[()], [], [], []]
