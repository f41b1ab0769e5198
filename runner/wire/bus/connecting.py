"""Formats and parses CONNECT packets of MQTT 3.1.1.

Source: OASIS MQTT 3.1.1, section 3.1.
"""

from __future__ import annotations

import struct

import msgspec

from gridjoust.runner.wire.bus.packets import length_prefixed, remaining_length

CLEAN_SESSION, HAS_WILL, HAS_PASSWORD, HAS_USER = 0x02, 0x04, 0x40, 0x80  # flags
_CONNECT = 0x10


class Connect(msgspec.Struct, frozen=True):
    """A CONNECT packet of MQTT 3.1.1."""

    protocol: bytes
    level: int
    flags: int
    keepalive_s: int
    client_id: bytes
    will_topic: bytes
    will_payload: bytes
    user: bytes
    password: bytes


def parse_connect(body: bytes) -> Connect:
    """Parse a packet after its fixed header; ValueError if it is too short or too long for its fields."""
    protocol, rest = _take_field(body)
    if len(rest) < 4:
        raise ValueError("connect: expected level, flags and keep-alive, got fewer bytes")
    level, flags, keepalive_s = struct.unpack(">BBH", rest[:4])
    if level >= 5:  # MQTT 5 has properties here; they do not matter, as the connection is refused
        return Connect(protocol, level, flags, keepalive_s, b"", b"", b"", b"", b"")
    fields: list[bytes] = []
    rest = rest[4:]
    for flag in (0, HAS_WILL, HAS_WILL, HAS_USER, HAS_PASSWORD):
        field, rest = _take_field(rest) if flag == 0 or flags & flag else (b"", rest)
        fields.append(field)
    if rest:
        raise ValueError(f"connect: expected the end, got {len(rest)} more bytes")
    return Connect(protocol, level, flags, keepalive_s, *fields)


def format_connect(connect: Connect) -> bytes:
    """Format a packet with its fixed header; `parse_connect` reads the rest of it."""
    flags = connect.flags
    fields = [connect.client_id]
    fields += [connect.will_topic, connect.will_payload] if flags & HAS_WILL else []
    fields += [connect.user] if flags & HAS_USER else []
    fields += [connect.password] if flags & HAS_PASSWORD else []
    head = length_prefixed(connect.protocol) + struct.pack(">BBH", connect.level, flags, connect.keepalive_s)
    body = head + b"".join(map(length_prefixed, fields))
    return bytes([_CONNECT]) + remaining_length(len(body)) + body


def _take_field(data: bytes) -> tuple[bytes, bytes]:
    end = 2 + int.from_bytes(data[:2], "big")
    if len(data) < max(2, end):
        raise ValueError("connect: expected a field with its length, got fewer bytes")
    return data[2:end], data[end:]
