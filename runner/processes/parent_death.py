"""Children that die with a killed parent. Linux only: elsewhere a killed runner leaves its children behind.

The kernel is asked by `prctl(PR_SET_PDEATHSIG)` in the child, on the way to the real command: by `setpriv` of
util-linux, or by a short Python program where that is missing. The kernel sends the signal when the *thread* ends that
the child is a child of: start children from a thread that lives long, or let them wait until that thread has ended.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys

AT_OUR_DEATH = ("--pdeathsig", "KILL")  # of setpriv
_ASK_AND_RUN = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""  # PR_SET_PDEATHSIG, SIGKILL; a parent that is already dead starts nothing


def dying_with_parent(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that is killed when this process ends."""
    if not sys.platform.startswith("linux"):
        return command
    return (*(_find_setpriv() or (sys.executable, "-I", "-S", "-c", _ASK_AND_RUN, str(os.getpid()))), *command)


@functools.cache
def _find_setpriv() -> tuple[str, ...] | None:
    path = shutil.which("setpriv")
    if path is None:
        return None
    wrapper = (path, *AT_OUR_DEATH, "--")  # busybox's does not know it
    done = subprocess.run((*wrapper, "true"), capture_output=True, check=False)
    return wrapper if done.returncode == 0 else None
