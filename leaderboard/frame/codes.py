"""Codes: small numbers in place of ids and texts, to group rows of arrays quickly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]

ROWS_AT_ONCE = 1 << 15  # what is computed from rows takes memory for so many, whatever their number
_LARGEST = np.iinfo(np.int64).max  # of a combined key
_HEX = b"0123456789abcdef"
_HEX_WIDTH = 16  # digits that fit into eight bytes
_DIGITS = np.full(256, len(_HEX), dtype=np.uint8)
_DIGITS[list(_HEX)] = np.arange(len(_HEX))


def pack_ids(ids: ArrayLike) -> NDArray[Any]:
    """Pack ids into values that sort as the ids do: numbers if all have 16 hexadecimal digits, else bytes."""
    given = np.asarray(ids, dtype=object)
    try:
        texts = given.astype(np.bytes_)
    except UnicodeEncodeError:  # not ASCII
        texts = np.array([one.encode() for one in given], dtype=np.bytes_)
    if texts.itemsize != _HEX_WIDTH:
        return texts
    digits = _DIGITS[texts.view(np.uint8)]
    if digits.max(initial=0) == len(_HEX):
        return texts
    return (digits[::2] << 4 | digits[1::2]).view(">u8").astype(np.uint64)


def code_ids(ids: NDArray[Any]) -> Indices:
    """Return the number of each id, 0, 1, 2, ... in the order of the sorted distinct ids."""
    order = np.argsort(ids)
    is_new = np.zeros(len(ids), dtype=bool)
    ordered = ids[order]
    is_new[1:] = ordered[1:] != ordered[:-1]
    del ordered  # it is as large as the ids
    codes = np.empty(len(ids), dtype=np.int32)
    codes[order] = np.cumsum(is_new, dtype=np.int32)
    return codes


def unpack_ids(ids: NDArray[Any]) -> NDArray[Any]:
    """Return the ids that `pack_ids` has packed, as bytes; packed ids are numbers or bytes."""
    if ids.dtype.kind == "S":
        return ids
    pairs = ids.astype(">u8").view(np.uint8)
    digits = np.frombuffer(_HEX, dtype=np.uint8)[np.stack([pairs >> 4, pairs & 15], axis=1)]
    return digits.reshape(-1).view(f"S{_HEX_WIDTH}")


class Growing:
    """An array that grows piece by piece. Its type is the smallest that holds all pieces; `taken` empties it."""

    def __init__(self) -> None:
        self._values: NDArray[Any] = np.zeros(0, dtype=np.int8)
        self._count = 0

    def add(self, piece: NDArray[Any]) -> None:
        """Append the values of one more piece of the table."""
        if not self._count:
            self._values = np.zeros(0, dtype=piece.dtype)
        elif (self._values.dtype.kind == "S") != (piece.dtype.kind == "S"):
            self._values, piece = np.array(unpack_ids(self._values[: self._count])), unpack_ids(piece)
        count = self._count + len(piece)
        if (dtype := np.promote_types(self._values.dtype, piece.dtype)) != self._values.dtype:
            self._values = self._values.astype(dtype)
        if count > len(self._values):
            self._values.resize(count + count // 8, refcheck=False)  # in its place, where there is room
        self._values[self._count : count] = piece
        self._count = count

    def taken(self) -> NDArray[Any]:
        """Return all pieces as one array, and keep none."""
        values, self._values = self._values, np.zeros(0, dtype=np.int8)
        values.resize(self._count, refcheck=False)
        self._count = 0
        return values


def shrunk(values: NDArray[Any]) -> NDArray[Any]:
    """Return the numbers in the type of fewest bytes that holds all of them exactly."""
    if values.dtype.kind == "f":
        with np.errstate(over="ignore"):  # what is too large becomes infinite, which is not equal
            halved = values.astype(np.float32)
        return halved if np.array_equal(halved, values, equal_nan=True) else values
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    kinds = (np.int8, np.int16, np.int32, np.int64)
    least = next(one for one in kinds if np.iinfo(one).min <= low and high <= np.iinfo(one).max)
    return values.astype(least)


def stretches(keys: Indices) -> Iterator[slice]:
    """Yield slices of many rows each, to save memory; rows of equal keys stay in one slice. Keys are sorted.

    Without rows, yield one empty slice.
    """
    start = 0
    if not len(keys):
        yield slice(0, 0)
    while start < len(keys):
        last = keys[min(start + ROWS_AT_ONCE, len(keys)) - 1]
        end = int(np.searchsorted(keys, last, side="right"))
        yield slice(start, end)
        start = end


def rows_by(keys: Indices) -> Iterator[Indices]:
    """Yield the row numbers in parts of many rows, keys ascending; rows of equal keys stay in one part."""
    return map(np.sort, _cut(keys, ROWS_AT_ONCE))


def groups(keys: Indices) -> Iterator[Indices]:
    """Yield the row numbers of each key, keys ascending."""
    return _cut(keys, 1)


def _cut(keys: Indices, rows: int) -> Iterator[Indices]:
    order = np.argsort(keys, kind="stable")
    start = 0
    while start < len(keys):
        last = keys[order[min(start + rows, len(keys)) - 1]]
        end = int(np.searchsorted(keys, last, side="right", sorter=order))
        yield order[start:end]
        start = end


def find_ids(wanted: NDArray[Any], ids: NDArray[Any]) -> Indices:
    """Return the position of each wanted id among the sorted `ids`, -1 if it is missing."""
    if wanted.dtype.kind != ids.dtype.kind:
        wanted, ids = unpack_ids(wanted), unpack_ids(ids)
    at = np.full(len(wanted), -1, dtype=np.int32)
    for start in range(0, len(wanted) if len(ids) else 0, ROWS_AT_ONCE):
        some = wanted[start : start + ROWS_AT_ONCE]
        place = np.minimum(np.searchsorted(ids, some), len(ids) - 1)
        at[start : start + ROWS_AT_ONCE] = np.where(ids[place] == some, place, -1)
    return at


def combine(*keys: Indices) -> Indices:
    """Return a number 0, 1, 2, ... for each row's combination of keys, in lexicographic order; no key is negative."""
    combined, size = keys[0], _width(keys[0])
    for key in keys[1:]:
        width = _width(key)
        if size * width >= _LARGEST:
            combined, key = _dense(combined), _dense(key)  # noqa: PLW2901
            size, width = _width(combined), _width(key)
        combined = combined.astype(np.int64, copy=False) * width + key
        size *= width
    return _dense(combined)


def first_of(codes: Indices) -> Indices:
    """Return the first position of each of the numbers 0, 1, 2, ..., all of which occur in `codes`."""
    first = np.zeros(_width(codes) if len(codes) else 0, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def places_of(codes: NDArray[Any], *, count: int) -> Indices:
    """Return an array by code, of length `count`: the code's position in `codes`, 0 for codes that are not in it."""
    place = np.zeros(count, dtype=np.int64)
    place[codes] = np.arange(len(codes))
    return shrunk(place)


def distinct(codes: Indices) -> Indices:
    """Return the codes that occur, sorted; they are small numbers."""
    return np.flatnonzero(np.bincount(codes))


def match_count(seats: pd.DataFrame) -> int:
    """Return the number of matches in these seats; their match codes must have no gaps, as in a whole table."""
    return int(seats["match"].max()) + 1 if len(seats) else 0


def codes_of(seats: pd.DataFrame, column: str) -> Indices:
    """Return the texts of a column as numbers: indices into `names_of` this column."""
    return seats[column].cat.codes.to_numpy()


def names_of(seats: pd.DataFrame, column: str) -> tuple[str, ...]:
    """Return the sorted texts of a column; for a part of a table, also texts that do not occur in this part."""
    return tuple(seats[column].cat.categories)


def without_absent(seats: pd.DataFrame) -> pd.DataFrame:
    """Return a part of the seats, with only the bots that occur in it as categories of `bot`."""
    return seats.assign(bot=seats["bot"].cat.remove_unused_categories())


def distinct_texts(seats: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return the combinations of texts in these columns that occur, sorted."""
    pieces = [
        seats[list(columns)].iloc[start : start + ROWS_AT_ONCE].drop_duplicates()
        for start in range(0, len(seats), ROWS_AT_ONCE)
    ]
    found = pd.concat([seats[list(columns)].iloc[:0], *pieces]).drop_duplicates()
    return found.astype(str).sort_values(list(columns))


def _width(key: Indices) -> int:
    return int(key.max(initial=0)) + 1


def _dense(values: Indices) -> Indices:
    """Replace values by 0, 1, 2, ... in their order, equal ones by the same number.

    It counts instead of sorting if that is faster.
    """
    if _width(values) <= 4 * len(values) + 1024:
        place = np.cumsum(np.bincount(values) > 0, dtype=np.int32) - 1
        return place[values]
    return code_ids(values)
