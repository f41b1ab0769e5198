"""A Python expression is evaluated by a process in a sandbox: what a bot there finds; and where a bot there is."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from gridjoust.runner.config.programs import BOT_RUNNER
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.start import Launch
from tests.e2e.joust_process import until

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


_LOOPING = """import faulthandler, signal
def act():
    print("up", flush=True)
    while True:
        pass
faulthandler.register(signal.SIGURG, all_threads=False)
act()
"""


async def place_inside(launch: Launch) -> str:
    """Return where a bot that loops in line 4 and 5 of `act` is, as its process is asked from outside."""
    file = launch.folder / "inf.py"
    file.write_text(_LOOPING)
    command = (sys.executable, "-S", str(file), BOT_RUNNER)
    process = await start_process(replace(launch, command=command, readable=(file,)))
    try:
        await until(lambda: launch.stderr.exists() and launch.stderr.read_text().startswith("up"))
        while not (place := await process.place()):  # a busy machine may need longer than one question waits
            pass
        return place
    finally:
        process.kill()
        await process.wait()
