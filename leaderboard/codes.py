"""Numbers for what occurs: arrays of small codes, by which rows are grouped. Knows no tables."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]

_LARGEST = np.iinfo(np.int64).max  # of a combined key


def code_ids(ids: Iterable[str]) -> Indices:
    """Index of each id among the sorted ids: eight bytes at a time as one number, which is quicker than as text."""
    texts = np.array([one.encode() for one in ids], dtype=np.bytes_)
    count = -(-texts.dtype.itemsize // 8)
    words = texts.astype(f"S{8 * count}").view(">u8").reshape(len(texts), count)
    codes = np.zeros(len(texts), dtype=np.int64)
    for word in words.T:
        codes = combine(codes, np.unique(word, return_inverse=True)[1].astype(np.int64))
    return codes


def combine(*keys: Indices) -> Indices:
    """One index per distinct combination of non-negative keys, in lexicographic order."""
    combined, size = keys[0], _width(keys[0])
    for key in keys[1:]:
        width = _width(key)
        if size * width >= _LARGEST:
            combined, key = _dense(combined), _dense(key)  # noqa: PLW2901
            size, width = _width(combined), _width(key)
        combined = combined * width + key
        size *= width
    return _dense(combined)


def first_of(codes: Indices) -> Indices:
    """Where each of the indices 0, 1, 2, ... first occurs; all of them do."""
    first = np.zeros(_width(codes) if len(codes) else 0, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def distinct(codes: Indices) -> Indices:
    """The codes that occur, sorted; codes are small numbers."""
    return np.flatnonzero(np.bincount(codes))


def _width(key: Indices) -> int:
    return int(key.max(initial=0)) + 1


def _dense(values: Indices) -> Indices:
    """0, 1, 2, ... in place of the values that occur, in their order; by counting where sorting would be slower."""
    if _width(values) <= 4 * len(values) + 1024:
        place = np.cumsum(np.bincount(values) > 0) - 1
        return place[values].astype(np.int64)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
