"""Where a host can be reached by bots on other machines: what a token names. Opens no port but to find a free one."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator

from gridjoust.runner.wire.errors import ConfigError

LOOPBACK = "127.0.0.1"
_EVERYWHERE = ("0.0.0.0", "::", "*")  # noqa: S104 - the user's choice
_MOST_HOSTS = 4  # that a token names
_PASSING = ("docker", "veth", "br-", "virbr", "vmnet", "cni", "flannel")  # networks within this machine


def parse_place(text: str, *, key: str) -> tuple[str, int]:
    """Host and port of `host:port`, which stands at `key`; port 0 means any free one.

    >>> parse_place("0.0.0.0:1883", key="broker.listen")
    ('0.0.0.0', 1883)
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigError(f"{key}: expected host:port, got {text!r}")
    host = host.removeprefix("[").removesuffix("]")
    return host, int(port) or free_port(host)


def free_port(host: str = LOOPBACK) -> int:
    """A port that nobody listens on, at this moment."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def reachable_hosts(listen_host: str) -> tuple[str, ...]:
    """Where a bot on another machine finds one that listens there, the likeliest first; this machine itself last."""
    if listen_host not in _EVERYWHERE:
        return (listen_host,)
    found = [LOOPBACK, *sorted(_own_addresses())]
    first = _towards_others()
    found.sort(key=lambda host: (host == LOOPBACK, host != first, ":" in host))
    return (*found[: _MOST_HOSTS - 1], LOOPBACK) if len(found) > _MOST_HOSTS else tuple(found)


def _own_addresses() -> Iterator[str]:
    """Of this machine's networks that others may be in."""
    import psutil  # noqa: PLC0415 - not needed where nobody comes from outside

    states = psutil.net_if_stats()
    for name, addresses in psutil.net_if_addrs().items():
        if name.startswith(_PASSING) or (name in states and not states[name].isup):
            continue
        for address in addresses:
            if address.family in (socket.AF_INET, socket.AF_INET6) and "%" not in address.address:
                parsed = ipaddress.ip_address(address.address)
                if not (parsed.is_loopback or parsed.is_link_local):
                    yield address.address


def _towards_others() -> str:
    """The address that this machine would use towards others, "" without a network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of a range that is kept for examples
        except OSError:
            return ""
        host: str = probe.getsockname()[0]
        return host
