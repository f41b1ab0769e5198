"""Logs of processes: their last line and their size, whatever was written into them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runner.processes import logs
from runner.processes.logs import bound_log, last_line


def test_the_last_line_is_the_process_s_own_and_a_hole_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    log.write_text("first\n  boom  \n\n==== match 7\n")
    assert last_line(log) == "boom"
    assert last_line(tmp_path / "none.log") == ""
    log.write_bytes(b"start\n")
    os.truncate(log, 3 << 30)
    with log.open("ab") as file:
        file.write(b"\nthe end\n")
    assert last_line(log) == "the end"
    bound_log(log)
    assert log.stat().st_size < logs.LIMIT_BYTES
    assert log.read_bytes().startswith(b"start\n")
    assert last_line(log) == "the end"


def test_beyond_the_limit_head_and_tail_are_kept_and_the_writer_goes_on_behind_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, limit in (("LIMIT_BYTES", 100), ("HEAD_BYTES", 10), ("TAIL_BYTES", 5)):
        monkeypatch.setattr(logs, name, limit)
    log = tmp_path / "bot.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"0123456789" + b"x" * 185 + b"01234")
        bound_log(log)
        writer.write(b"more")
    assert log.read_text() == "0123456789\n==== 185 bytes are left out here\n01234more"
    log.write_bytes(b"x" * 100)  # within the limit
    bound_log(log)
    bound_log(tmp_path / "none.log")
    assert log.read_bytes() == b"x" * 100
    assert not (tmp_path / "none.log").exists()
