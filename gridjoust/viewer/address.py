"""Opens the address for pages, and defines the live page's task. Imports no web server, as every run imports this."""

from __future__ import annotations

import socket

import msgspec

from gridjoust.runner.wire.bus import Address

READY = "ready"  # what the process of the live page prints once it serves
_LOCAL = ["127.0.0.1", "localhost", "[::1]"]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The task of the live page's process. Without the broker's address, lines of matches come on standard input."""

    results: str
    socket: int  # file descriptor of the listening socket
    hosts: list[str]
    run: str = ""
    address: Address | None = None
    user: str | None = None
    password: str | None = None
    streams_search: bool = False  # show the bots' debug layers


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; `::` takes IPv4 too, if the system can. OSError if the port is in use."""
    takes_both = host == "::" and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, dualstack_ipv6=takes_both)


def address_of(listening: socket.socket, host: str) -> str:
    """Return the address for a browser on this machine."""
    shown = "127.0.0.1" if _is_open(host) else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}/"


def hosts_of(host: str) -> list[str]:
    """Return the host names that requests may use, `*` for any."""
    return ["*"] if _is_open(host) else [*_LOCAL, host]


def _is_open(host: str) -> bool:
    return host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound to
