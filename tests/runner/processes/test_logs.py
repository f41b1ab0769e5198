"""Logs of processes: their last line, where the bot is and their size, whatever was written into them."""

from __future__ import annotations

import ctypes
import os
import sysconfig
from pathlib import Path

import pytest

import gridjoust
from gridjoust.runner.processes import logs
from gridjoust.runner.processes.logs import (
    bound_log,
    is_whole,
    missing_file,
    package_hint,
    place_in,
    telling_line,
    without_stacks,
)


def test_the_telling_line_is_the_process_s_own_and_a_hole_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    log.write_text("first\n  boom  \n\n==== match 7\n")
    assert telling_line(log) == "boom"
    assert telling_line(tmp_path / "none.log") == ""
    log.write_bytes(b"start\n")
    os.truncate(log, 3 << 30)
    with log.open("ab") as file:
        file.write(b"\nthe end\n")
    assert telling_line(log) == "the end"
    bound_log(log)
    assert log.stat().st_size < logs.LIMIT_BYTES
    assert log.read_bytes().startswith(b"start\n")
    assert telling_line(log) == "the end"


def test_space_beyond_the_end_of_a_log_is_given_back(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    log.write_bytes(b"start\n")
    with log.open("ab") as file:
        keep_size, length = 1, ctypes.c_long(2 * logs.RESERVED_BYTES)
        if ctypes.CDLL(None).fallocate(file.fileno(), keep_size, ctypes.c_long(0), length) != 0:
            pytest.skip("this file system reserves no space")
    assert log.stat().st_blocks * 512 > logs.RESERVED_BYTES
    bound_log(log)
    assert log.stat().st_blocks * 512 < logs.LIMIT_BYTES
    assert log.read_bytes() == b"start\n"


NODE = """node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'mqtt' imported from /home/of/somebody/bot.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9)
    at ModuleLoader.resolve (node:internal/modules/esm/loader:323:25) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.10.0
"""
GO = "panic: no plan\n\ngoroutine 1 [running]:\nmain.main()\n\t/bot.go:4 +0x25\nexit status 2\n"
JAVA = 'Exception in thread "main" X: no plan\n\tat Bot.main(Bot.java:3)\n'
ENDS = {
    "Node": (NODE, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'mqtt' imported from /home/of/somebody/bot.mjs"),
    "Go": (
        "panic: no plan\n\ngoroutine 1 [running]:\nmain.main()\n\t/bot.go:4 +0x25\nexit status 2\n",
        "panic: no plan",
    ),
    "Java": (
        'Exception in thread "main" X: no plan\n\tat Bot.main(Bot.java:3)\n',
        'Exception in thread "main" X: no plan',
    ),
    "Rust": ("thread 'main' panicked at src/main.rs:2:5:\nno plan\nnote: run with `RUST_BACKTRACE=1`\n", "no plan"),
    "Python": ('Traceback (most recent call last):\n  File "bot.py", line 2\nKeyError: 3\n', "KeyError: 3"),
    "an indented line": ("  one\n  two\n", "two"),
}


@pytest.mark.parametrize(("text", "line"), ENDS.values(), ids=ENDS)
def test_the_telling_line_is_no_part_of_a_stack(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "bot.log").write_text(f"thinking\n{text}")
    assert telling_line(tmp_path / "bot.log") == line


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


HEAD = "Stack (most recent call first):"
PACKAGE = Path(gridjoust.__file__).parent
LIBRARY = sysconfig.get_path("stdlib")
OWN = '/home/ada/cup/inf.py"'
HARNESS = [
    f'  File "{PACKAGE}/bots/harness.py", line 220 in act',
    f'  File "{PACKAGE}/bots/__main__.py", line 90 in <module>',
    '  File "<frozen runpy>", line 198 in _run_module_as_main',
]
PLACES = {
    "in the method itself": ([f'  File "{OWN}, line 8 in act'], "still in act, inf.py line 8"),
    "in a helper": (
        [f'  File "{OWN}, line 5 in search', f'  File "{OWN}, line 8 in act'],
        "still in act, inf.py line 5, in search",
    ),
    "in a library that it calls": (
        [f'  File "{LIBRARY}/random.py", line 3 in shuffle', f'  File "{OWN}, line 8 in start'],
        "still in start, inf.py line 8",
    ),
    "while its file is loaded": (
        [f'  File "{OWN}, line 30 in <module>', '  File "<frozen importlib._bootstrap>", line 1 in _load'],
        "still loading, inf.py line 30",
    ),
    "in a bot of this package": (
        [f'  File "{PACKAGE}/bots/bomber/beam.py", line 9 in act'],
        "still in act, beam.py line 9",
    ),
    "waiting for a message": ([f'  File "{LIBRARY}/selectors.py", line 9 in select'], ""),
}


@pytest.mark.parametrize(("calls", "place"), PLACES.values(), ids=PLACES)
def test_the_innermost_line_of_the_author_is_named_with_the_method(calls: list[str], place: str) -> None:
    assert place_in("\n".join(["what it printed", HEAD, *calls, *HARNESS])) == place


def test_of_several_stacks_the_last_counts() -> None:
    first, last = (f'{HEAD}\n  File "{OWN}, line {line} in act\n' for line in (8, 9))
    assert place_in(first + last) == "still in act, inf.py line 9"
    assert place_in("nothing") == ""


def test_a_stack_is_whole_with_its_outermost_call_or_if_it_has_too_many() -> None:
    text = "\n".join([HEAD, f'  File "{OWN}, line 8 in act', *HARNESS])
    assert is_whole(text)
    assert not is_whole(text[:-20])
    assert is_whole(f'{HEAD}\n  File "{OWN}, line 8 in act\n  ...')


def test_a_log_without_its_stacks_is_what_the_bot_wrote() -> None:
    assert list(without_stacks(["one", HEAD, f'  File "{OWN}, line 8 in act', *HARNESS, "two"])) == ["one", "two"]
