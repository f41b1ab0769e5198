"""TCP options for connections between machines: small packets leave at once, and a vanished peer is noticed.

The kernel probes a silent peer, so a bot may think for longer than MQTT's own keep-alive would allow.
"""

from __future__ import annotations

import socket

NO_DELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # without it a small packet may wait 40 ms for an ACK
_PROBES = {"TCP_KEEPIDLE": 10, "TCP_KEEPALIVE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}  # s, s, s, number
OPTIONS: tuple[tuple[int, int, int], ...] = (
    NO_DELAY,
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *((socket.IPPROTO_TCP, getattr(socket, name), value) for name, value in _PROBES.items() if hasattr(socket, name)),
)
