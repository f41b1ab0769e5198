"""What a bot has missed, by its last line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.runner.processes.missing import missing_file, package_hint


@pytest.mark.parametrize(
    ("said", "missed"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", "book.txt"),
        ("ModuleNotFoundError: No module named 'more.late'", "more/late.py"),
        ("joust: mine.py: expected a file that imports, got ModuleNotFoundError: No module named 'more'", "more"),
        ("Error: ENOENT: no such file or directory, open 'book.txt'", "book.txt"),
        ("python3: can't open file 'book.txt': [Errno 13] Permission denied", "book.txt"),
        ("sh: 0: cannot open more/late.py: No such file", "more/late.py"),
        ("bash: line 1: ./book.txt: Permission denied", "book.txt"),
        ("sh: 1: ./book.txt: not found", "book.txt"),
        ("/usr/bin/python3: No module named more.late", "more/late.py"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'nowhere.txt'", None),
        ("sh: 1: nowhere.txt: not found", None),
        ("ValueError: 'book.txt'", None),
    ],
)
def test_a_file_counts_as_missed_if_it_is_there(tmp_path: Path, said: str, missed: str | None) -> None:
    (tmp_path / "more").mkdir()
    for name in ("book.txt", "more/late.py"):
        (tmp_path / name).write_text("")
    assert missing_file(said, [tmp_path / "elsewhere", tmp_path]) == (tmp_path / missed if missed else None)


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'mqtt' imported from /x/bot.mjs",
            ": npm install mqtt, in the folder of the bot's file"),
        ("Error: Cannot find module '@scope/plan'", ": npm install @scope/plan, in the folder of the bot's file"),
        ("Error: Cannot find module './mine.js'", ""),
        ("ModuleNotFoundError: No module named 'mqtt'", ""),
    ],
)  # fmt: skip
def test_a_package_of_node_s_that_is_missing_is_named_with_the_remedy(said: str, hint: str) -> None:
    assert package_hint(said) == hint
