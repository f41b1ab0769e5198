"""`joust` in this process: as a user types it, without the second that a process of its own takes to start."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from gridjoust.commands import main


def joust(*arguments: str, folder: Path, typed: str = "") -> CompletedProcess[str]:
    """Run to the end, in a folder, with lines on standard input."""
    out, err, code = io.StringIO(), io.StringIO(), None
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
    return CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
