"""The bus of a bot's process, with the broker's side of the line played by hand."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path

import pytest

from gridjoust.runner.wire.bus import Address, Will
from gridjoust.runner.wire.bus.blocking import BlockingBus, connect, run_blocking, send_log_in
from gridjoust.runner.wire.bus.packets import Connect, parse_connect, publish_packet
from gridjoust.runner.wire.errors import BrokerError
from tests.runner.wire.played_broker import GOODBYE, LET_IN, PING, PONG, SUBSCRIBE, SUBSCRIBED, Far, Heard, playing

CONNECT = Connect(b"MQTT", 4, 0xC6, 0, b"me", b"a/status", b"gone", b"joe", b"pw")

Told = list[str]


def bus_at(address: Address, told: Told | None = None, *, ping_after_s: float = 5.0) -> BlockingBus:
    lost = [] if told is None else told
    will = Will("a/status", b"gone")
    return BlockingBus(
        address, user="joe", password="pw", client_id="me", will=will, on_lost=lost.append, ping_after_s=ping_after_s
    )


def test_it_reports_for_duty_hears_what_it_asked_for_answers_and_says_goodbye(tmp_path: Path) -> None:
    came: list[bytes] = []
    heard: Heard = []

    def play(far: Far) -> None:
        came.extend(far.replying(LET_IN, publish_packet("a", b"early") + SUBSCRIBED, publish_packet("a", b"1"), b""))
        came.append(far.packet())

    async def talk(bus: BlockingBus) -> None:
        await bus.subscribe("a", lambda topic, payload: heard.append((topic, payload)))
        bus.post([("b", b"x"), ("c", b"y" * 300)])
        await bus.wait()

    with playing(tmp_path, play) as address, bus_at(address) as bus:
        run_blocking(talk(bus))
    hello, *others = came
    assert parse_connect(hello[2:]) == CONNECT
    assert others == [SUBSCRIBE, publish_packet("b", b"x"), publish_packet("c", b"y" * 300), GOODBYE]
    assert heard == [("a", b"early"), ("a", b"1")]


def test_over_a_connection_it_is_handed_it_reads_the_answer_to_the_log_in_that_was_sent(tmp_path: Path) -> None:
    came: list[bytes] = []

    def play(far: Far) -> None:
        came.extend(far.replying(LET_IN, b""))

    will = Will("a/status", b"gone")
    with playing(tmp_path, play) as address:
        line = connect(address)
        send_log_in(line, address, user="joe", password="pw", client_id="me", will=will)
        with BlockingBus(address, user="joe", password="pw", client_id="me", will=will, on_lost=print, connection=line):
            pass
    hello, *others = came
    assert parse_connect(hello[2:]) == CONNECT
    assert others == [GOODBYE]


@pytest.mark.parametrize("cut", [1, 3, 200])
def test_a_message_in_pieces_is_heard_once_it_is_whole(cut: int, tmp_path: Path) -> None:
    packet = publish_packet("a", bytes(300))
    heard: Heard = []

    def play(far: Far) -> None:
        far.replying(LET_IN, SUBSCRIBED + packet[:cut], packet[cut:] + packet)
        far.packet()

    async def talk(bus: BlockingBus) -> None:
        await bus.subscribe("a", lambda topic, payload: heard.append((topic, payload)))
        await bus.look()
        assert heard == []
        await bus.publish("b", b"more")
        while len(heard) < 2:
            await bus.wait()

    with playing(tmp_path, play) as address, bus_at(address) as bus:
        run_blocking(talk(bus))
    assert heard == [("a", bytes(300))] * 2


def test_looking_does_not_wait(tmp_path: Path) -> None:
    heard: Heard = []
    looked = threading.Event()

    def play(far: Far) -> None:
        far.replying(LET_IN, SUBSCRIBED)
        looked.wait(20)
        far.line.sendall(publish_packet("a", b"1"))
        far.packet()

    async def talk(bus: BlockingBus) -> None:
        await bus.subscribe("a", lambda topic, payload: heard.append((topic, payload)))
        await bus.look()
        assert heard == []
        looked.set()
        while not heard:
            await bus.look()

    with playing(tmp_path, play) as address, bus_at(address) as bus:
        run_blocking(talk(bus))
    assert heard == [("a", b"1")]


def test_a_connection_that_ends_while_subscribing_is_an_error(tmp_path: Path) -> None:
    def play(far: Far) -> None:
        far.replying(LET_IN)
        far.packet()

    ended = pytest.raises(BrokerError, match="subscribe to a: closed by the broker")
    with playing(tmp_path, play) as address, bus_at(address) as bus, ended:
        run_blocking(bus.subscribe("a", lambda topic, payload: None))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"\x20\x02\x00\x04", "bad user name or password"),
        (b"\x20\x02\x00\x05", "not authorized"),
        (b"\x20\x02\x00\x09", "code 9"),
        (b"", "closed by the broker"),
    ],
)
def test_a_broker_that_lets_nobody_in_is_named_with_its_reason(answer: bytes, why: str, tmp_path: Path) -> None:
    with (
        playing(tmp_path, lambda far: far.replying(answer)) as address,
        pytest.raises(BrokerError) as refused,
    ):
        bus_at(address).__enter__()
    assert str(refused.value) == f"{address.socket}: cannot connect as joe: {why}"


def test_no_broker_at_all_is_an_error_of_the_world(tmp_path: Path) -> None:
    with pytest.raises(BrokerError, match=r"none: cannot connect as joe: .*No such file"):
        bus_at(Address("localhost", 1883, socket=str(tmp_path / "none"))).__enter__()


def test_a_refused_subscription_is_an_error(tmp_path: Path) -> None:
    def play(far: Far) -> None:
        far.replying(LET_IN, SUBSCRIBED[:-1] + b"\x80")
        far.packet()

    refusal = pytest.raises(BrokerError, match="subscribe to a: refused by the broker")
    with playing(tmp_path, play) as address, bus_at(address) as bus, refusal:
        run_blocking(bus.subscribe("a", lambda topic, payload: None))


def test_the_end_of_the_connection_is_told_once_and_nothing_goes_out_any_more(tmp_path: Path) -> None:
    told: Told = []
    with playing(tmp_path, lambda far: far.replying(LET_IN)) as address, bus_at(address, told) as bus:
        run_blocking(bus.wait())
        for use in (bus.publish("b", b"x"), bus.wait(), bus.look()):
            with pytest.raises(BrokerError, match="expected an open connection, got: closed by the broker"):
                run_blocking(use)
    assert told == ["closed by the broker"]


def test_who_has_nothing_to_say_pings_and_a_broker_that_does_not_answer_is_lost(tmp_path: Path) -> None:
    told: Told = []
    came: list[bytes] = []

    def play(far: Far) -> None:
        came.extend(far.replying(LET_IN, PONG))
        while packet := far.packet():
            came.append(packet)

    with playing(tmp_path, play) as address, bus_at(address, told, ping_after_s=0.01) as bus:
        while not told:
            run_blocking(bus.wait())
    assert set(came[1:]) == {PING}
    assert len(came) > 3
    assert told == ["the broker does not answer"]


@pytest.mark.parametrize(
    ("address", "keepalive_s"),
    {
        Address("127.0.0.1", 1, socket="/tmp/broker"): 0,
        Address("127.0.0.1", 1): 0,
        Address("localhost", 1): 0,
        Address("referee.example", 1): 600,
    }.items(),
)
def test_a_broker_here_never_gives_up_on_a_bot_that_thinks_a_far_one_after_minutes(
    address: Address, keepalive_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = socket.socketpair()
    monkeypatch.setattr(BlockingBus, "_open_socket", lambda bus: here)
    there.sendall(LET_IN)
    with there, bus_at(address):
        hello = there.recv(65536)
    assert parse_connect(hello[2:]).keepalive_s == keepalive_s


def test_who_only_listens_pings_too(tmp_path: Path) -> None:
    came: list[bytes] = []

    def play(far: Far) -> None:
        came.extend(far.replying(LET_IN))
        came.append(far.packet())

    with playing(tmp_path, play) as address, bus_at(address, ping_after_s=0.0) as bus:
        run_blocking(bus.look())
    assert came[1:] == [PING]


def test_a_coroutine_that_waits_for_an_event_loop_is_refused() -> None:
    async def two() -> int:
        return 2

    assert run_blocking(two()) == 2
    with pytest.raises(RuntimeError, match="expected a coroutine that never suspends"):
        run_blocking(asyncio.sleep(0))
