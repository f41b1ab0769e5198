"""What a bot can do in each isolation, as a table: each right is a short program that tries it."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = ("bubblewrap", "built-in sandbox", "built-in, own MQTT", "user ids", "plain processes")
"""`own MQTT`: a program that connects to the broker with a library of its own."""

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Right:
    """What a bot tries: `code` raises OSError where it may not. `outcomes` are in the order of the columns.

    The code may use `rival` and `outside`, a process and a folder with an open `file` that are not the bot's, `own`,
    a file that it may read, `port` and `path` of sockets that are open to all, and everything in `os` and `socket`.
    """

    name: str
    code: str
    outcomes: tuple[str, str, str, str, str]


_SYSTEMS = "as the system allows"
_NO_CALL = (NO, NO, NO, _SYSTEMS, _SYSTEMS)
_ENCLOSED = (NO, NO, NO, YES, YES)
_CALL = "done = ctypes.CDLL(None, use_errno=True).{call}\nif done < 0: raise OSError(ctypes.get_errno(), 'no')"

RIGHTS = (
    Right("read its own files", "open(own).read()", (YES, YES, YES, YES, YES)),
    Right("use TCP", "socket.create_connection(('127.0.0.1', port))", (NO, NO, YES, YES, YES)),
    Right(
        "use UDP",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', port))",
        ("within its own network", NO, NO, YES, YES),
    ),
    Right("connect to an open unix socket", "socket.socket(socket.AF_UNIX).connect(path)", _ENCLOSED),
    Right("read files that every user may read", "open(outside + '/file').read()", _ENCLOSED),
    Right("list folders of others", "os.listdir(outside)", _ENCLOSED),
    Right("see that a path exists", "os.stat(outside + '/file')", (NO, YES, YES, YES, YES)),
    Right("write where every user may write", "open(outside + '/new', 'w')", _ENCLOSED),
    Right("see command lines of other processes", "open(f'/proc/{rival}/cmdline').read()", _ENCLOSED),
    Right("signal a rival", "os.kill(rival, signal.SIGCONT)", (NO, NO, NO, NO, YES)),
    Right("read the environment of a rival", "open(f'/proc/{rival}/environ').read()", (NO, NO, NO, NO, YES)),
    Right("trace a rival", _CALL.format(call="ptrace(16, rival, None, None)"), (NO, NO, NO, NO, _SYSTEMS)),
    Right("change a rival's priority", "os.setpriority(os.PRIO_PROCESS, rival, 1)", (NO, NO, NO, NO, YES)),
    Right("change the mode of the host's files", "os.chmod(outside + '/file', 0o644)", (NO, NO, NO, NO, YES)),
    Right("use io_uring", _CALL.format(call="syscall(425, 1, params)"), _NO_CALL),
    Right("make a namespace of users", _CALL.format(call="unshare(0x10000000)"), _NO_CALL),
)  # fmt: skip


def program(right: Right) -> str:
    """Return a Python program that says whether it may; its arguments are what `Right.code` uses."""
    return f"""
import ctypes, os, signal, socket, sys
own, outside, path, port, rival = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
params = ctypes.create_string_buffer(120)
try:
{_indented(right.code)}
except OSError as error:
    print("no", error)
else:
    print("yes")
"""


def _indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.splitlines())
