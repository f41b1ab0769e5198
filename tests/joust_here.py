"""`joust` in this process: as a user types it, without the second that a process of its own takes to start."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterable
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

import pytest

from gridjoust.commands import main

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 5}}]
format: {rounds: 1}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""
"""Two short matches, played in this process too."""


def joust(*arguments: str, folder: Path, typed: str = "", encoding: str = "utf-8") -> CompletedProcess[str]:
    """Run to the end, in a folder, with lines on standard input; `encoding`: the only signs that the output takes."""
    raw = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(one, encoding=encoding, newline="", write_through=True) for one in raw)
    code = None
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch.object(sys, "stdin", io.StringIO(typed)),
    ):
        try:
            main(list(arguments))
        except SystemExit as left:
            code = left.code
    assert isinstance(code, int)
    shown, said = (one.getvalue().decode(encoding) for one in raw)
    return CompletedProcess(arguments, code, shown, said)


def skip_if_late(reasons: Iterable[str]) -> None:
    """Skip the test if a match was void as the machine was late: then nothing can be said of real time.

    This is the runner's own word, after three attempts.
    """
    if late := [reason for reason in reasons if " ms late " in reason]:
        pytest.skip(f"the machine was late: {late[0]}")
