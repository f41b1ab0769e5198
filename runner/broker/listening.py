"""Finds the addresses by which bots on other machines can reach this host, and free ports."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator

from gridjoust.runner.wire.errors import ConfigError

LOOPBACK = "127.0.0.1"
_EVERYWHERE = ("0.0.0.0", "::", "*")  # noqa: S104 - the user's choice
_MOST_HOSTS = 4  # the most hosts of a token
_PASSING = ("docker", "veth", "br-", "virbr", "vmnet", "cni", "flannel")  # networks inside this machine


def parse_place(text: str, *, key: str) -> tuple[str, int]:
    """Split `host:port`, the value of `key`, into host and port; port 0 becomes a free one. ConfigError if malformed.

    >>> parse_place("0.0.0.0:1883", key="broker.listen")
    ('0.0.0.0', 1883)
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigError(f"{key}: expected host:port, got {text!r}")
    host = host.removeprefix("[").removesuffix("]")
    return host, int(port) or free_port(host)


def free_port(host: str = LOOPBACK) -> int:
    """Return a port that is free at this moment."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def reachable_hosts(listen_host: str) -> tuple[str, ...]:
    """Return the addresses for a listener on `listen_host`, the likeliest for other machines first, loopback last."""
    if listen_host not in _EVERYWHERE:
        return (listen_host,)
    hosts = [LOOPBACK, *sorted(_own_addresses())]
    first = _towards_others()
    hosts.sort(key=lambda host: (host == LOOPBACK, host != first, ":" in host))
    return (*hosts[: _MOST_HOSTS - 1], LOOPBACK) if len(hosts) > _MOST_HOSTS else tuple(hosts)


def _own_addresses() -> Iterator[str]:
    """Yield this machine's addresses in networks that other machines may be in."""
    import psutil  # noqa: PLC0415 - needed only with remote bots

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
    """Return the address that this machine uses towards other machines, "" without a network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of the range for examples
        except OSError:
            return ""
        host: str = probe.getsockname()[0]
        return host
