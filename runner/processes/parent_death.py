"""Makes children die with a killed parent. Linux only: elsewhere a killed runner leaves its children behind.

The child calls `prctl(PR_SET_PDEATHSIG)` before the real command: through `setpriv` of util-linux, or a short Python
program if that is missing. The kernel sends the signal when the *thread* ends that has started the child. So children
must be started from a thread that lives long, or wait until that thread has ended.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys

AT_OUR_DEATH = ("--pdeathsig", "KILL")  # options of setpriv
_ASK_AND_RUN = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""  # PR_SET_PDEATHSIG, SIGKILL; nothing is started if the parent is dead already


def dying_with_parent(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command that runs the given one and is killed when this process ends."""
    if not sys.platform.startswith("linux"):
        return command
    return (*(_find_setpriv() or (sys.executable, "-I", "-S", "-c", _ASK_AND_RUN, str(os.getpid()))), *command)


@functools.cache
def _find_setpriv() -> tuple[str, ...] | None:
    path = shutil.which("setpriv")
    if path is None:
        return None
    wrapper = (path, *AT_OUR_DEATH, "--")  # tested below, as busybox's setpriv does not have the option
    done = subprocess.run((*wrapper, "true"), capture_output=True, check=False)
    return wrapper if done.returncode == 0 else None
