"""How many files (hence connections) a process may have open: the kernel's own limit, set before its command begins.

The shell sets it on the way to the real command. Set from outside, once the child runs, it would come too late for
what the child has started itself: a bot in a sandbox is bubblewrap's child.
"""

from __future__ import annotations

try:
    import resource
except ImportError:  # no unix
    resource = None  # type: ignore[assignment]

_LIMIT_AND_RUN = 'ulimit -n "$0" && exec "$@"'


def limiting_files(command: tuple[str, ...], limit: int | None) -> tuple[str, ...]:
    """The command, so that it may have so many files open; None: as many as the system allows."""
    if resource is None:
        return command
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_endless = most == resource.RLIM_INFINITY
    words = str(min(limit or most, most) if not is_endless else limit or "unlimited")
    return ("/bin/sh", "-c", _LIMIT_AND_RUN, words, *command)
