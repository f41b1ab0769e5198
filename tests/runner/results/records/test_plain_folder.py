"""Plain folders: what is refused in a results folder from anybody, and what is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gridjoust.runner.results.records.plain_folder import MOST_BYTES, is_plain, require_plain
from gridjoust.runner.wire.errors import ConfigError


def of_holes(path: Path, size: int) -> Path:
    """A file of this size that takes no room on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)
    return path


def test_files_that_are_read_as_a_whole_may_have_64_mib_and_others_any_size(tmp_path: Path) -> None:
    of_holes(tmp_path / "schedule.json", MOST_BYTES)
    of_holes(tmp_path / "records" / "m1.jsonl", MOST_BYTES + 1)
    require_plain(tmp_path)
    of_holes(tmp_path / "logs" / "a.0.log", MOST_BYTES + 1)
    with pytest.raises(ConfigError, match=r"a\.0\.log: expected at most 67108864 bytes, got 67108865"):
        require_plain(tmp_path)


def test_a_link_or_a_pipe_at_any_depth_is_refused_by_name(tmp_path: Path) -> None:
    deep = tmp_path / "cup" / "records" / "old"
    deep.mkdir(parents=True)
    (deep / "m1.jsonl").symlink_to(tmp_path / "cup")
    with pytest.raises(ConfigError, match=r"m1\.jsonl: expected a plain file, got a link"):
        require_plain(tmp_path / "cup")
    (deep / "m1.jsonl").unlink()
    (deep / "a.json").symlink_to(of_holes(tmp_path / "large", MOST_BYTES + 1))
    with pytest.raises(ConfigError, match=r"a\.json: expected a plain file, got a link"):
        require_plain(tmp_path / "cup")
    (deep / "a.json").unlink()
    os.mkfifo(deep / "m2.jsonl")
    with pytest.raises(ConfigError, match=r"m2\.jsonl: expected a plain file, got something else"):
        require_plain(tmp_path / "cup")


def test_the_folder_itself_may_be_a_link_or_be_missing(tmp_path: Path) -> None:
    of_holes(tmp_path / "cup" / "schedule.json", 1)
    (tmp_path / "latest").symlink_to("cup")
    require_plain(tmp_path / "latest")
    require_plain(tmp_path / "other")


def test_a_page_is_plain_if_neither_it_nor_its_folder_is_a_link(tmp_path: Path) -> None:
    page = of_holes(tmp_path / "cup" / "report.html", 1)
    (tmp_path / "cup" / "linked.html").symlink_to(page)
    (tmp_path / "latest").symlink_to("cup")
    assert is_plain(page)
    for path in (page.parent, page.parent / "linked.html", page.parent / "none.html", tmp_path / "latest" / page.name):
        assert not is_plain(path)
