"""The line past paho: packets of QoS 0 whole and in order, however the bytes come, and paho's own left to paho."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.wire.bus.direct import DirectLine
from gridjoust.runner.wire.bus.packets import (
    Connect,
    format_connect,
    packet_end,
    parse_connect,
    publish_packet,
    read_publish,
)
from tests.e2e.joust_process import until

PING_RESPONSE, SUBSCRIBED = b"\xd0\x00", b"\x90\x03\x00\x01\x00"
RETAINED = b"\x31" + publish_packet("kept", b"yes")[1:]
WITH_RECEIPT = b"\x32\x09\x00\x03a/b\x00\x07xy"  # QoS 1: paho's to answer

Seen = list[tuple[str, bytes] | bytes]


class PlayedClient:
    """paho's side of a line: reads one packet when it is told to, and has packets of its own to write."""

    def __init__(self, sock: socket.socket, seen: Seen) -> None:
        self.on_socket_register_write: Any = None
        self.on_socket_unregister_write: Any = None
        self.on_socket_close: Any = lambda _client, _userdata, sock: asyncio.get_running_loop().remove_reader(sock)
        self.waiting: list[bytes] = []
        self._socket, self._seen = sock, seen

    def queue(self, packet: bytes) -> None:
        self.waiting.append(packet)
        self.on_socket_register_write(self, None, self._socket)

    def want_write(self) -> bool:
        return bool(self.waiting)

    def loop_write(self) -> None:
        """As paho does it: whole packets here, the rest of one later."""
        with contextlib.suppress(BlockingIOError):
            while self.waiting:
                sent = self._socket.send(self.waiting[0])
                self.waiting[0] = self.waiting[0][sent:]
                if self.waiting[0]:
                    break
                del self.waiting[0]
        (self.on_socket_register_write if self.waiting else self.on_socket_unregister_write)(self, None, self._socket)

    def loop_read(self) -> None:
        head = self._socket.recv(2)
        self._seen.append(head + (self._socket.recv(head[1]) if head else b""))
        if not head:
            self.on_socket_close(self, None, self._socket)
            self._socket.close()


@contextlib.contextmanager
def open_line(seen: Seen) -> Iterator[tuple[DirectLine, PlayedClient, socket.socket]]:
    near, far = socket.socketpair()
    near.setblocking(False)
    far.setblocking(False)
    loop = asyncio.get_running_loop()
    client: Any = PlayedClient(near, seen)
    handle = near.fileno()
    try:
        yield DirectLine(client, near, loop, lambda topic, payload: seen.append((topic, payload))), client, far
    finally:
        loop.remove_reader(handle)
        loop.remove_writer(handle)
        near.close()
        far.close()


async def read_all(far: socket.socket, count: int) -> bytes:
    loop, data = asyncio.get_running_loop(), b""
    while len(data) < count:
        data += await loop.sock_recv(far, 65536)
    return data


def messages_in(data: bytes) -> list[bytes]:
    view, start, found = memoryview(data), 0, []
    while start < len(data):
        end = packet_end(view, start)
        assert end is not None
        found.append(data[start:end])
        start = end
    return found


MESSAGES = st.tuples(st.text(min_size=1, max_size=9), st.binary(max_size=300))
STREAMS = st.lists(MESSAGES | st.sampled_from([PING_RESPONSE, SUBSCRIBED, WITH_RECEIPT]), min_size=1, max_size=12)


@pytest.mark.gate
@given(stream=STREAMS, cuts=st.lists(st.integers(0, 2000), max_size=12), together=st.booleans())
def test_messages_and_packets_of_others_arrive_whole_and_in_order_however_the_bytes_come(
    stream: list[tuple[str, bytes] | bytes], cuts: list[int], *, together: bool
) -> None:
    data = b"".join(item if isinstance(item, bytes) else publish_packet(*item) for item in stream)
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    seen: Seen = []

    async def play() -> None:
        with open_line(seen) as (line, _, far):
            if together:
                line.read_together(1e-4)
            for start, end in pairwise(places):
                far.send(data[start:end])
                for _ in range(3):
                    await asyncio.sleep(0)
            await until(lambda: len(seen) >= len(stream))

    asyncio.run(asyncio.wait_for(play(), 60))
    assert seen == stream


@pytest.mark.parametrize("together", [True, False])
async def test_between_two_readings_nobody_listens_where_messages_are_read_together(*, together: bool) -> None:
    seen: Seen = []
    with open_line(seen) as (line, _, far):
        if together:
            line.read_together(1000.0)
        far.send(publish_packet("a", b"1") + publish_packet("a", b"2"))
        await until(lambda: len(seen) == 2)
        assert asyncio.get_running_loop().remove_reader(line._handle) != together


@pytest.mark.parametrize("size", [0, 127 - 6, 128 - 6, 16_383 - 6, 16_384 - 6, 65_536, 2_097_152])
async def test_messages_of_every_length_are_sent_whole_beside_packets_of_paho(size: int) -> None:
    sent = [("a/b", bytes([number]) * size) for number in range(3)]
    expected = [publish_packet(*message) for message in sent]
    with open_line([]) as (line, client, far):
        line.send(sent[:1])
        client.queue(PING_RESPONSE)
        line.send(sent[1:])
        client.queue(SUBSCRIBED)
        data = await read_all(far, sum(map(len, expected)) + len(PING_RESPONSE + SUBSCRIBED))
    found = messages_in(data)
    assert [packet for packet in found if packet[0] == 0x30] == expected
    assert [packet for packet in found if packet[0] != 0x30] == [PING_RESPONSE, SUBSCRIBED]


async def test_several_messages_leave_in_one_write() -> None:
    with open_line([]) as (line, _, far):
        line.send([("a", b"1"), ("b", b"2")])
        assert far.recv(100) == publish_packet("a", b"1") + publish_packet("b", b"2")


async def test_answers_to_messages_that_were_read_together_leave_in_one_write() -> None:
    with open_line([]) as (line, _, far):
        far.send(publish_packet("a", b"1") + publish_packet("b", b"2"))
        line._on_readable()
        line.send([("c", b"1")])
        line.send([("d", b"2")])
        with pytest.raises(BlockingIOError):
            far.recv(100)
        await asyncio.sleep(0)
        assert far.recv(100) == publish_packet("c", b"1") + publish_packet("d", b"2")


async def test_at_most_eight_answers_wait_for_each_other() -> None:
    answers = [(str(number), b"") for number in range(9)]
    with open_line([]) as (line, _, far):
        far.send(publish_packet("a", b"1"))
        line._on_readable()
        for answer in answers:
            line.send([answer])
        assert len(messages_in(far.recv(100))) == 8


async def test_a_message_that_the_broker_has_kept_is_a_message() -> None:
    seen: Seen = []
    with open_line(seen) as (_, _, far):
        far.send(RETAINED)
        await until(lambda: bool(seen))
    assert seen == [("kept", b"yes")]


@pytest.mark.parametrize("half", [b"", publish_packet("a", b"12345")[:-2]])
async def test_the_end_of_the_connection_is_for_paho_and_what_is_sent_then_is_lost(half: bytes) -> None:
    seen: Seen = []
    with open_line(seen) as (line, _, far):
        far.send(half)
        await asyncio.sleep(0.01)
        far.close()
        line.send([("a", b"1")])
        await until(lambda: bool(seen))
    assert seen == [b""]


async def test_after_the_end_of_the_connection_the_loop_waits_for_no_descriptor_of_that_number() -> None:
    seen: Seen = []
    with open_line(seen) as (line, _, far):
        handle = line._handle
        line.send([("a", bytes(2_097_152))])  # more than the socket takes
        far.shutdown(socket.SHUT_WR)
        await until(lambda: seen == [b""])
        assert not asyncio.get_running_loop().remove_writer(handle)
        assert not asyncio.get_running_loop().remove_reader(handle)


def test_a_topic_that_no_packet_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="topic: expected at most 65535 bytes, got 65536"):
        publish_packet("x" * 65_536, b"")
    assert publish_packet("é", b"1") == b"\x30\x05\x00\x02\xc3\xa91"


CONNECTS = [
    Connect(b"MQTT", 4, 0x02, 0, b"me", b"", b"", b"", b""),
    Connect(b"MQTT", 4, 0x06, 0x1234, b"", b"a/status", b"gone", b"", b""),
    Connect(b"MQTT", 4, 0xC6, 60, b"me", b"a", b"", b"joe", b"pw" * 200),
]


@pytest.mark.parametrize("connect", CONNECTS)
def test_a_connect_packet_says_what_it_was_made_from_and_is_refused_if_it_is_cut_or_longer(connect: Connect) -> None:
    packet = format_connect(connect)
    assert packet[0] == 0x10
    assert packet_end(memoryview(packet), 0) == len(packet)
    body = packet[3 if len(packet) > 129 else 2 :]
    assert parse_connect(body) == connect
    for wrong in (*(body[:size] for size in range(len(body))), body + b"x"):
        with pytest.raises(ValueError, match="connect: expected "):
            parse_connect(wrong)


def test_of_a_connect_packet_of_mqtt_5_only_the_beginning_is_read() -> None:
    assert parse_connect(b"\0\4MQTT\5\2\0\7\3xyz") == Connect(b"MQTT", 5, 2, 7, b"", b"", b"", b"", b"")


def test_a_message_whose_topic_is_longer_than_its_packet_is_refused() -> None:
    packet = publish_packet("abc", b"")
    assert read_publish(memoryview(packet), 0, len(packet)) == ("abc", b"")
    with pytest.raises(ValueError, match="PUBLISH: expected a topic within the packet, got one of 3 bytes"):
        read_publish(memoryview(packet), 0, len(packet) - 1)
