"""PUBLISH packets of QoS 0 as MQTT 3.1.1 writes them: what passes while matches last. Moves nothing.

Source: OASIS MQTT 3.1.1, sections 2.2 (fixed header, remaining length) and 3.3 (PUBLISH).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

_PUBLISH = 0x30
_TYPE_AND_QOS = 0b1111_0110  # of a first byte: without the flags for duplicates and retained messages
_LONGEST_LENGTH = 4  # bytes of the remaining length at the most
_TOPIC_LIMIT = 0xFFFF


def publish_packet(topic: str, payload: bytes) -> bytes:
    """One message as a packet; ValueError for a topic above 65,535 bytes."""
    field = _topic_field(topic)
    return b"".join((b"\x30", remaining_length(len(field) + len(payload)), field, payload))


def is_publish(first_byte: int) -> bool:
    """Whether a packet that begins so is a PUBLISH of QoS 0."""
    return first_byte & _TYPE_AND_QOS == _PUBLISH


def packet_end(data: memoryview, start: int) -> int | None:
    """Where the packet ends that starts there, within `data` or beyond; None while its length is not there yet."""
    length = 0
    for place, byte in enumerate(data[start + 1 : start + 1 + _LONGEST_LENGTH]):
        length |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return start + 2 + place + length
    return None


def read_publish(data: memoryview, start: int, end: int) -> tuple[str, bytes]:
    """Topic and payload of a whole PUBLISH packet; ValueError for one that is none."""
    place = start + 2
    while data[place - 1] & 0x80:
        place += 1
    first = place + 2
    last = first + (data[place] << 8 | data[place + 1])
    if last > end:
        raise ValueError(f"PUBLISH: expected a topic within the packet, got one of {last - first} bytes")
    return str(data[first:last], "utf-8"), bytes(data[last:end])


def publishes(data: memoryview) -> Iterator[tuple[int, str, bytes]]:
    """End, topic and payload of each whole PUBLISH packet at the head of `data`."""
    start = 0
    while start < len(data) and is_publish(data[start]):
        end = packet_end(data, start)
        if end is None or end > len(data):
            return
        yield (end, *read_publish(data, start, end))
        start = end


def length_prefixed(data: bytes) -> bytes:
    """Bytes with their length before them."""
    return len(data).to_bytes(2, "big") + data


def remaining_length(length: int) -> bytes:
    """What a fixed header says of the bytes that follow it."""
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
