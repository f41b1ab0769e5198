"""The listener of the built-in broker, the accounts and what they may."""

from __future__ import annotations

import contextlib
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gridjoust.runner.broker import Account, bot_account, referee_account
from gridjoust.runner.broker.child import hash_password
from gridjoust.runner.broker.gate import (
    BURST_PACKETS,
    OPEN_LIMIT,
    Meter,
    Refusal,
    format_refusal,
    judge,
    rewrite,
)
from gridjoust.runner.broker.listening import parse_place
from gridjoust.runner.wire.bus.packets import Connect, format_connect, parse_connect
from gridjoust.runner.wire.errors import ConfigError

KNIGHT = bot_account("cup", "knight.0")
ACCOUNTS = {KNIGHT.user: KNIGHT}
USER_AND_PASSWORD, WILL, CLEAN = 0xC0, 0x04, 0x02


def connect(**changes: object) -> Connect:
    honest = Connect(
        b"MQTT", 4, USER_AND_PASSWORD, 10, b"whatever", b"", b"", KNIGHT.user.encode(), KNIGHT.password.encode()
    )
    return structs.replace(honest, **changes)


def body(packet: bytes) -> bytes:
    """A packet without its fixed header."""
    end = next(place for place in range(1, 5) if packet[place] < 0x80)
    return packet[end + 1 :]


WITH_WILL = USER_AND_PASSWORD | WILL


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, KNIGHT),
        ({"flags": WITH_WILL, "will_topic": b"joust/cup/bot/knight.0/status"}, KNIGHT),
        ({"password": b"wrong"}, Refusal.BAD_CREDENTIALS),
        ({"password": b""}, Refusal.BAD_CREDENTIALS),
        ({"user": b"bot-rook.0"}, Refusal.BAD_CREDENTIALS),
        ({"user": b"", "password": b"\0"}, Refusal.BAD_CREDENTIALS),
        ({"user": b"\xff"}, Refusal.BAD_CREDENTIALS),
        ({"level": 5}, Refusal.UNACCEPTABLE_PROTOCOL),
        ({"protocol": b"MQIsdp", "level": 3}, Refusal.UNACCEPTABLE_PROTOCOL),
        ({"flags": WITH_WILL, "will_topic": b"joust/cup/bot/rook.0/out"}, Refusal.NOT_AUTHORIZED),
        ({"flags": WITH_WILL, "will_topic": b"joust/cup/bot/knight.0/in"}, Refusal.NOT_AUTHORIZED),
    ],
)
def test_only_the_owner_is_let_in_with_a_will_on_its_own_status_at_most(
    changes: dict[str, object], verdict: Account | Refusal
) -> None:
    assert judge(connect(**changes), ACCOUNTS) == verdict


def test_amqtt_sees_the_users_name_as_client_id_and_no_old_session_and_a_refusal_is_a_connack() -> None:
    seen = parse_connect(body(rewrite(connect(client_id=b"bot-rook.0", keepalive_s=10))))
    assert seen == connect(client_id=KNIGHT.user.encode(), keepalive_s=0, flags=USER_AND_PASSWORD | CLEAN)
    assert format_refusal(Refusal.BAD_CREDENTIALS) == bytes([0x20, 2, 0, 4])


TEXT = st.binary(max_size=200)


@given(TEXT, TEXT, TEXT, TEXT, TEXT, st.integers(0, 65535), st.integers(0, 255))
def test_a_packet_is_read_as_it_was_written(
    client: bytes, topic: bytes, will: bytes, user: bytes, password: bytes, keepalive_s: int, flags: int
) -> None:
    topic, will = (topic, will) if flags & WILL else (b"", b"")
    user, password = user if flags & 0x80 else b"", password if flags & 0x40 else b""
    written = Connect(b"MQTT", 4, flags, keepalive_s, client, topic, will, user, password)
    packet = format_connect(written)
    assert parse_connect(body(packet)) == written
    assert packet[0] == 0x10


@given(st.binary(max_size=60), st.integers(1, 20))
def test_a_packet_of_rubbish_or_cut_short_or_with_more_than_it_says_is_refused_with_a_value_error(
    rubbish: bytes, cut: int
) -> None:
    with contextlib.suppress(ValueError):
        parse_connect(rubbish)
    with pytest.raises(ValueError, match="connect: expected"):
        parse_connect(body(format_connect(connect()))[:-cut])
    with pytest.raises(ValueError, match="got 1 more bytes"):
        parse_connect(body(format_connect(connect())) + b"x")


def test_a_newer_protocol_is_recognised_by_its_level_alone() -> None:
    assert parse_connect(b"\x00\x04MQTT" + struct.pack(">BBH", 5, 0, 0) + b"\x05rest").level == 5


def test_a_bot_reads_its_in_and_writes_its_out_and_status_under_a_name_and_secret_password_of_its_own() -> None:
    assert KNIGHT.read == ("joust/cup/bot/knight.0/in",)
    assert KNIGHT.write == ("joust/cup/bot/knight.0/out", "joust/cup/bot/knight.0/status")
    assert KNIGHT.password != bot_account("cup", "knight.0").password
    assert KNIGHT.password not in repr(KNIGHT)
    assert bot_account("cup", "referee").user != referee_account("cup").user


@pytest.mark.parametrize("wrong", ["", "1883", ":1883", "host", "host:x", "host:70000", "host:-1"])
def test_a_wrong_listen_address_is_the_users_mistake_and_ipv6_is_not(wrong: str) -> None:
    with pytest.raises(ConfigError, match=r"broker\.listen: expected host:port"):
        parse_place(wrong, key="broker.listen")
    assert parse_place("[::1]:1883", key="broker.listen") == ("::1", 1883)


@pytest.mark.e2e
@pytest.mark.skipif(not shutil.which("mosquitto_passwd"), reason="mosquitto_passwd is not on PATH")
def test_a_password_hash_has_the_form_of_mosquittos_own(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(file), "knight", "pw"], check=True)
    theirs = file.read_text().strip().removeprefix("knight:").split("$")
    ours = hash_password("pw").split("$")
    assert [len(part) for part in ours] == [len(part) for part in theirs]
    assert ours[:3] == theirs[:3]


QUESTION, ANSWER = b"\x30\x05\0\1qhi", b"\x30\x05\0\1ahi"


def test_answers_are_free_however_fast_questions_come_and_what_nobody_asked_for_is_not() -> None:
    asked, chatty = Meter(), Meter()
    for _ in range(5 * BURST_PACKETS):
        asked.on_sent(QUESTION)
        assert asked.excess(ANSWER, 5) == ""
        chatty.on_sent(b"\xd0\0")  # the answer to a ping asks for nothing
    assert any(chatty.excess(b"\xc0\0", 0) for _ in range(2 * BURST_PACKETS))
    assert not chatty.on_connect()


def test_messages_of_qos_2_are_within_the_limit_when_they_are_released() -> None:
    meter = Meter()
    begun = [b"\x34\x05\0\1a" + number.to_bytes(2, "big") for number in range(OPEN_LIMIT + 1)]
    for packet in begun:
        assert meter.excess(packet, 5) == ""
        assert meter.excess(b"\x62\2" + packet[-2:], 2) == ""
    assert [bool(meter.excess(packet, 5)) for packet in begun] == [False] * OPEN_LIMIT + [True]
