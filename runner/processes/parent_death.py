"""Children that die with a killed parent. Linux only: elsewhere a killed runner leaves its children behind.

The kernel is asked by `prctl(PR_SET_PDEATHSIG)` in the child. util-linux's `setpriv` does that on the way to the real
command; Python would need a `preexec_fn`, hence a real fork, which takes tens of milliseconds in a process of some
hundred megabytes, and everybody's clock runs meanwhile. So that is only the way out where `setpriv` is missing.
The signal comes when the *thread* that started the child ends: start children from a thread that lives long.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable

AT_OUR_DEATH = ("--pdeathsig", "KILL")  # of setpriv
_PR_SET_PDEATHSIG = 1


def dying_with_parent(command: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[], None] | None]:
    """The command, and the `preexec_fn` to start it with, so that it is killed when this process ends."""
    if not sys.platform.startswith("linux"):
        return command, None
    setpriv = _find_setpriv()
    return (command, _asks_for_signal()) if setpriv is None else ((*setpriv, *command), None)


@functools.cache
def _find_setpriv() -> tuple[str, ...] | None:
    path = shutil.which("setpriv")
    if path is None:
        return None
    wrapper = (path, *AT_OUR_DEATH, "--")  # busybox's does not know it
    done = subprocess.run((*wrapper, "true"), capture_output=True, check=False)
    return wrapper if done.returncode == 0 else None


def _asks_for_signal() -> Callable[[], None]:
    # safe between fork and exec: the pointer is looked up here, and PyDLL keeps the interpreter's lock, so the child
    # waits for nothing
    prctl = ctypes.PyDLL(None).prctl
    parent = os.getpid()

    def ask_for_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:  # it died before the call above
            os._exit(1)

    return ask_for_signal
