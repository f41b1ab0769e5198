"""A Python expression is evaluated by a process in a sandbox: what a bot there finds."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.start import Launch

Ask = Callable[..., Awaitable[Any]]
"""An expression, and what is changed in how the process is started."""


async def ask_inside(launch: Launch, expression: str, **changes: Any) -> Any:
    """Return the value of an expression, as a process in the sandbox finds it; of an OSError its class name."""
    code = f"""
import json, os, pathlib, signal, socket, subprocess, sys
try:
    print(json.dumps({expression}))
except OSError as error:
    print(json.dumps(type(error).__name__))
"""
    process = await start_process(replace(launch, command=(sys.executable, "-S", "-c", code), **changes))
    exited = await process.wait()
    assert exited.code == 0, (exited, launch.stderr.read_text())
    if launch.scratch is not None:
        launch.scratch.mkdir(exist_ok=True)  # it went with the process
    return json.loads(launch.stderr.read_text().splitlines()[-1])
