"""Letters and pools from the one decision of a table."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np

from gridjoust.leaderboard.frame.contests import pairs_between
from gridjoust.leaderboard.strengths.separations import Separations, letters, pools, separate_by_holm
from tests.leaderboard.seats_builder import entries_of_records, met


def _decided(*apart: str, bots: int, unmet: tuple[str, ...] = ()) -> Separations:
    """Bots 0, 1, 2, ...; `apart` and `unmet` name two of them each: "02"."""
    is_compared, is_separated = ~np.eye(bots, dtype=bool), np.zeros((bots, bots), dtype=bool)
    for array, named, value in ((is_separated, apart, True), (is_compared, unmet, False)):
        for one, two in (map(int, own) for own in named):
            array[one, two] = array[two, one] = value
    return Separations(tuple(range(bots)), is_compared, is_separated)


def test_bots_that_cannot_be_separated_share_a_letter() -> None:
    assert letters(_decided(bots=3), range(3)) == ("a", "a", "a")
    assert letters(_decided("02", bots=3), range(3)) == ("a", "ab", "b")
    assert letters(_decided("01", "02", "12", bots=3), range(3)) == ("a", "b", "c")
    assert letters(_decided("02", bots=3), (2, 1, 0)) == ("a", "ab", "b")


def test_a_letter_is_shared_by_two_bots_exactly_if_they_are_compared_and_not_separated() -> None:
    rng = random.Random(3)
    for _ in range(200):
        bots = rng.randint(1, 8)
        every = [f"{one}{two}" for one, two in combinations(range(bots), 2)]
        found = _decided(
            *(two for two in every if rng.random() < 0.5),
            bots=bots,
            unmet=tuple(two for two in every if rng.random() < 0.2),
        )
        marks = letters(found, range(bots))
        for one, two in combinations(range(bots), 2):
            assert bool(set(marks[one]) & set(marks[two])) == (found.of(one, two) is False)


def test_bots_that_never_met_share_no_letter_and_are_in_pools_of_their_own() -> None:
    found = _decided(bots=4, unmet=("02", "03", "12", "13"))
    assert letters(found, range(4)) == ("a", "a", "b", "b")
    assert pools(found, (3, 0, 1, 2)) == ((3, 2), (0, 1))
    assert found.of(0, 2) is None
    assert letters(found, (0, 1, 7)) == ("a", "a", "")


def test_after_fifty_two_letters_they_are_numbered() -> None:
    apart = Separations(tuple(range(60)), ~np.eye(60, dtype=bool), ~np.eye(60, dtype=bool))
    assert letters(apart, range(60))[25:27] + letters(apart, range(60))[51:54] == ("z", "A", "Z", "a2", "b2")


def test_two_hundred_equal_bots_share_one_letter() -> None:
    assert set(letters(_equal(200), range(200))) == {"a"}


def _equal(bots: int) -> Separations:
    return Separations(tuple(range(bots)), ~np.eye(bots, dtype=bool), np.zeros((bots, bots), dtype=bool))


def test_holm_decides_about_all_pairs_together() -> None:
    p_values = np.full((3, 3), np.nan)
    p_values[0, 1], p_values[0, 2] = 0.03, 0.01
    found = separate_by_holm(p_values, bots=(5, 7, 9))
    assert (found.of(5, 9), found.of(5, 7), found.of(7, 9)) == (True, True, None)
    p_values[1, 2] = 0.9
    assert separate_by_holm(p_values, bots=(5, 7, 9)).of(5, 7) is False  # 2 x 0.03 is above 0.05


def test_the_record_of_two_bots_counts_its_pairs_from_the_side_of_either() -> None:
    entries, _, _ = entries_of_records(*met(ab=[1, 1] * 6 + [1, 0], ac=[1, 0.5, 0, 0]))
    found = pairs_between(entries)
    assert {two: (one.won, one.even, one.lost) for two, one in found.items()} == {(0, 1): (6, 1, 0), (0, 2): (1, 0, 1)}
    one = found[0, 2]
    assert (one.matches, one.pentanomial) == ((1, 1, 2), (1, 0, 0, 1, 0))
    other = one.turned()
    assert (other.matches, other.pentanomial, other.won, other.lost) == ((2, 1, 1), (0, 1, 0, 0, 1), 1, 1)
