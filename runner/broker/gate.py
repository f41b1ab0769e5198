"""Admission to the built-in broker: checks the CONNECT packet of a connection, and limits what an account sends.

amqtt itself checks passwords only after it has cleared the session of the claimed client id, and never checks the topic
of a last will. So the CONNECT is checked here, before amqtt sees it, and rewritten: the client id is the user name, the
session is clean, and keep-alive is off because the listener checks it.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache

from msgspec import structs

from gridjoust.runner.broker.accounts import Account
from gridjoust.runner.wire.bus.packets import CLEAN_SESSION, HAS_WILL, Connect, format_connect
from gridjoust.runner.wire.bus.topics import covers, matches, split_filter
from gridjoust.runner.wire.inbox import Allowance

_REMEMBERED = 4096  # cached answers of `may`, so that a topic is split and matched once
BURST_PACKETS, PACKETS_PER_S = 1000, 1000  # limits of one account for all its packets
BURST_BYTES, BYTES_PER_S = 4 * 1024 * 1024, 1024 * 1024
GRANT_BYTES = 4096  # bytes that an account may send in addition, with one packet, for every message that it receives
OPEN_LIMIT = 32  # unreleased messages of QoS 2 of a client, which the broker has to store
_PUBLISH, _PUBREL, _QOS_2 = 0x30, 0x60, 0x04


class Meter:
    """Counts how many bytes and messages one broker account may still send."""

    def __init__(self) -> None:
        self._packets = Allowance(BURST_PACKETS, per_s=PACKETS_PER_S)
        self._bytes = Allowance(BURST_BYTES, per_s=BYTES_PER_S)
        self._open: set[bytes] = set()

    def excess(self, packet: bytes, size: int) -> str:
        """Count a packet from the client; return a sentence about the limit that it exceeds, or "".

        Limits are packets a second, bytes a second, and messages of QoS 2 open at once. The packet's last `size` bytes
        are its body.
        """
        if not self._packets.spend(1):
            return f"expected at most {PACKETS_PER_S} packets a second"
        if not self._bytes.spend(len(packet)):
            return f"expected at most {BYTES_PER_S // 2**20} MB a second"
        kind, body = packet[0] & 0xF0, len(packet) - size
        if kind == _PUBREL:
            self._open.discard(packet[body : body + 2])
        elif kind == _PUBLISH and packet[0] & _QOS_2:
            number = body + 2 + int.from_bytes(packet[body : body + 2], "big")  # it follows the topic
            self._open.add(packet[number : number + 2])
        return "" if len(self._open) <= OPEN_LIMIT else f"expected at most {OPEN_LIMIT} messages of QoS 2 at once"

    def on_sent(self, packet: bytes) -> None:
        """Note a packet from the broker to the client: for each message that it gets, the client may send more."""
        if packet and packet[0] & 0xF0 == _PUBLISH:
            self._packets.grant(1)
            self._bytes.grant(GRANT_BYTES)

    def on_connect(self) -> bool:
        """Note a new connection, which has no open messages; return False if the account may send no packet now."""
        self._open.clear()
        return self._packets.spend(1)


class Refusal(IntEnum):
    """Reasons for refusing an MQTT connection, as return codes of the CONNACK packet."""

    UNACCEPTABLE_PROTOCOL = 1
    IDENTIFIER_REJECTED = 2  # another program is connected with that token
    SERVER_UNAVAILABLE = 3
    BAD_CREDENTIALS = 4
    NOT_AUTHORIZED = 5


def judge(connect: Connect, accounts: Mapping[str, Account]) -> Account | Refusal:
    """Return the account of a connection, or the reason for refusing it; passwords are compared in constant time."""
    if connect.protocol != b"MQTT" or connect.level != 4:
        return Refusal.UNACCEPTABLE_PROTOCOL
    account = accounts.get(connect.user.decode("utf-8", "replace"))
    expected = account.password.encode() if account else b"\0"
    if not hmac.compare_digest(expected, connect.password) or account is None:
        return Refusal.BAD_CREDENTIALS
    if connect.flags & HAS_WILL and not may(account, "publish", connect.will_topic.decode("utf-8", "replace")):
        return Refusal.NOT_AUTHORIZED
    return account


def rewrite(connect: Connect, *, keepalive_s: int = 0) -> bytes:
    """Return the CONNECT packet that the broker gets for an accepted connection."""
    flags = connect.flags | CLEAN_SESSION
    safe = structs.replace(connect, client_id=connect.user, flags=flags, keepalive_s=keepalive_s)
    return format_connect(safe)


def format_refusal(refusal: Refusal) -> bytes:
    """Return the CONNACK packet of a refusal."""
    return bytes([0x20, 2, 0, refusal])


@lru_cache(_REMEMBERED)
def may(account: Account, action: str, topic: str) -> bool:
    """Return True if the account may `publish` to or `receive` a topic, or `subscribe` to all topics of a filter."""
    rights = account.write if action == "publish" else account.read
    means = covers if action == "subscribe" else matches
    return any(means(split_filter(right), tuple(topic.split("/"))) for right in rights)
