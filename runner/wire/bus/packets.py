"""Formats and parses packets of MQTT 3.1.1: CONNECT, and PUBLISH of QoS 0, which carries all messages of matches.

Source: OASIS MQTT 3.1.1, sections 2.2 (fixed header, remaining length), 3.1 (CONNECT) and 3.3 (PUBLISH).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache

import msgspec

_PUBLISH = 0x30
_TYPE_AND_QOS = 0b1111_0110  # mask for the first byte, without the flags for duplicates and retained messages
_LONGEST_LENGTH = 4  # the most bytes of the remaining length
_TOPIC_LIMIT = 0xFFFF


def publish_packet(topic: str, payload: bytes) -> bytes:
    """Format one message as a packet; ValueError for a topic of more than 65,535 bytes."""
    field = _topic_field(topic)
    return b"".join((b"\x30", remaining_length(len(field) + len(payload)), field, payload))


def is_publish(first_byte: int) -> bool:
    """Return True if a packet with this first byte is a PUBLISH of QoS 0."""
    return first_byte & _TYPE_AND_QOS == _PUBLISH


def packet_end(data: memoryview, start: int) -> int | None:
    """Return the end of the packet at `start`, perhaps beyond `data`; None if its length has not arrived yet."""
    length = 0
    for place, byte in enumerate(data[start + 1 : start + 1 + _LONGEST_LENGTH]):
        length |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return start + 2 + place + length
    return None


def read_publish(data: memoryview, start: int, end: int) -> tuple[str, bytes]:
    """Return topic and payload of a complete PUBLISH packet; ValueError if it is malformed."""
    place = start + 2
    while data[place - 1] & 0x80:
        place += 1
    first = place + 2
    last = first + (data[place] << 8 | data[place + 1])
    if last > end:
        raise ValueError(f"PUBLISH: expected a topic within the packet, got one of {last - first} bytes")
    return str(data[first:last], "utf-8"), bytes(data[last:end])


def publishes(data: memoryview) -> Iterator[tuple[int, str, bytes]]:
    """Yield (end, topic, payload) of each complete PUBLISH packet at the beginning of `data`."""
    start = 0
    while start < len(data) and is_publish(data[start]):
        end = packet_end(data, start)
        if end is None or end > len(data):
            return
        yield (end, *read_publish(data, start, end))
        start = end


def length_prefixed(data: bytes) -> bytes:
    """Return the data with its length, two bytes, in front."""
    return len(data).to_bytes(2, "big") + data


@lru_cache(maxsize=4096)
def remaining_length(length: int) -> bytes:
    """Encode the number of bytes after a fixed header, in one to four bytes."""
    digits = bytearray()
    while True:
        length, digit = divmod(length, 128)
        digits.append(digit | (0x80 if length else 0))
        if not length:
            return bytes(digits)


@lru_cache(maxsize=1024)
def _topic_field(topic: str) -> bytes:
    name = topic.encode()
    if len(name) > _TOPIC_LIMIT:
        raise ValueError(f"topic: expected at most {_TOPIC_LIMIT} bytes, got {len(name)}")
    return length_prefixed(name)


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
