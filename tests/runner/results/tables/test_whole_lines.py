"""A table that is being written is read up to its last whole line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from gridjoust.runner.results.tables.text import WholeLines

LONG = b"x" * 100_000


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (b"", b""),
        (b"a,b\n1,2\n", b"a,b\n1,2\n"),
        (b"a,b\n1,", b"a,b\n"),
        (b"a,b\n1,2\n" + LONG, b"a,b\n1,2\n"),
        (LONG + b"\n" + LONG + b"\n3", LONG + b"\n" + LONG + b"\n"),
        (LONG, b""),
    ],
)
def test_a_last_line_that_was_cut_short_is_left_out(tmp_path: Path, content: bytes, whole: bytes) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    with WholeLines(path) as raw, io.BufferedReader(raw) as lines:
        path.open("ab").write(b"more\n")
        assert lines.read() == whole
