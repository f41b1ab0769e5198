"""Whether another process of the same user can look into one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from gridjoust.runner.processes.not_dumpable import is_dumpable, not_dumpable
from gridjoust.runner.processes.users import LAST

# root may look into everything, so there both are an ordinary user
BECOME = f"os.setgroups([]); os.setgid({LAST}); os.setuid({LAST}); set_dumpable(dumpable=True)"
SHOWN = f"""
import os
from gridjoust.runner.processes.not_dumpable import not_dumpable, set_dumpable
if os.getuid() == 0:
    {BECOME}
print(flush=True)
input()
with not_dumpable():
    print(flush=True)
    input()
print(flush=True)
input()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_nobody_of_the_same_user_looks_into_a_process_that_is_not_dumpable() -> None:
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not on PATH")
    as_user = ("setpriv", f"--reuid={LAST}", f"--regid={LAST}", "--clear-groups") if os.getuid() == 0 else ()
    command = (sys.executable, "-c", SHOWN)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shown:
        assert shown.stdin is not None
        assert shown.stdout is not None
        seen = []
        for _ in range(3):
            shown.stdout.readline()
            look = (*as_user, "cat", f"/proc/{shown.pid}/environ")
            seen.append(subprocess.run(look, capture_output=True, check=False).returncode == 0)
            shown.stdin.write("\n")
            shown.stdin.flush()
    assert seen == [True, False, True]
    assert shown.returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_it_is_as_before_when_the_context_is_left() -> None:
    before = is_dumpable()
    with not_dumpable():
        assert not is_dumpable()
        with not_dumpable():
            pass
        assert not is_dumpable()
    assert is_dumpable() == before
