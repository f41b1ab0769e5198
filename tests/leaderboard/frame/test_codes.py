"""Small numbers for rows: none is changed by being held in few bytes, and groups stay whole."""

from __future__ import annotations

import numpy as np
import pytest

from gridjoust.leaderboard.frame.codes import Growing, groups, rows_by, shrunk, stretches

KEYS = np.array([3, 1, 3, 0, 1, 3, 3])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], "int8"),
        ([-128, 127], "int8"),
        ([128], "int16"),
        ([-129], "int16"),
        ([2**31 - 1], "int32"),
        ([2**53], "int64"),
        ([0.5, -3.0, np.nan], "float32"),
        ([1e300], "float64"),
        ([1 / 3], "float64"),
        ([2.0**24 + 1], "float64"),
    ],
)
def test_numbers_take_the_fewest_bytes_that_hold_them_exactly(values: list[float], kind: str) -> None:
    given = np.array(values) if values else np.zeros(0, dtype=np.int64)
    found = shrunk(given)
    assert found.dtype == kind
    np.testing.assert_array_equal(found, given)


def test_an_array_that_grows_takes_the_type_of_its_widest_piece() -> None:
    growing = Growing()
    pieces: list[list[float]] = [[1, 2], [], [3] * 100, [70_000], [0.5], [np.nan]]
    for piece in pieces:
        growing.add(shrunk(np.array(piece)))
    found = growing.taken()
    np.testing.assert_array_equal(found, np.concatenate(pieces))
    assert found.dtype == np.float64  # as numpy joins 32 bits of whole numbers and of others
    assert len(growing.taken()) == 0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [(1, [[3], [1, 4], [0, 2, 5, 6]]), (2, [[1, 3, 4], [0, 2, 5, 6]]), (4, [[0, 1, 2, 3, 4, 5, 6]])],
)
def test_rows_with_equal_keys_come_together_whatever_their_number(
    monkeypatch: pytest.MonkeyPatch, rows: int, expected: list[list[int]]
) -> None:
    monkeypatch.setattr("gridjoust.leaderboard.frame.codes.ROWS_AT_ONCE", rows)
    assert [one.tolist() for one in rows_by(KEYS)] == expected
    assert [one.tolist() for one in groups(KEYS)] == [[3], [1, 4], [0, 2, 5, 6]]
    assert [(one.start, one.stop) for one in stretches(np.sort(KEYS))][-1] == (7 - len(expected[-1]), 7)
    assert list(stretches(KEYS[:0])) == [slice(0, 0)]
