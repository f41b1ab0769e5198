"""Real brokers: identity, rights, wills, limits. What both must do is asked of both."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import aiomqtt
import pytest

from gridjoust.runner.broker import (
    Account,
    Broker,
    bot_account,
    credentials,
    open_broker,
    page_account,
    referee_account,
)
from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.wire.bus import Address, Will
from gridjoust.runner.wire.bus.blocking import BlockingBus, run_blocking
from gridjoust.runner.wire.bus.direct import direct_line
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.bus.packets import Connect, format_connect
from gridjoust.runner.wire.errors import BrokerError, ConfigError
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES, lines_topic
from tests.e2e.bot_on_wire import BROKERS, needs_mosquitto, unforgiving  # noqa: F401 - a fixture
from tests.e2e.joust_process import until

pytestmark = pytest.mark.e2e

RUN = "cup"
REFEREE = referee_account(RUN)
KNIGHT, ROOK = bot_account(RUN, "knight.0"), bot_account(RUN, "rook.0")
KNIGHT_IN, KNIGHT_OUT, KNIGHT_STATUS = KNIGHT.read[0], *KNIGHT.write
ROOK_IN, ROOK_OUT, ROOK_STATUS = ROOK.read[0], *ROOK.write
WATCHER = page_account(RUN)
ACCOUNTS = (REFEREE, KNIGHT, ROOK, WATCHER)


@pytest.fixture(params=BROKERS)
async def broker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Broker]:
    config = BrokerConfig(use=request.param)
    async with open_broker(config, run=RUN, accounts=ACCOUNTS, folder=tmp_path) as opened:
        yield opened


embedded_only = pytest.mark.parametrize("broker", ["embedded"], indirect=True)


class Inbox:
    """Collects what arrives."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    def __call__(self, topic: str, payload: bytes) -> None:
        self._messages.put_nowait((topic, payload))

    async def next(self) -> tuple[str, bytes]:
        async with asyncio.timeout(60):
            return await self._messages.get()

    def is_empty(self) -> bool:
        return self._messages.empty()


def connect(broker: Broker, account: Account, *, address: Address | None = None, lost: Inbox | None = None) -> MqttBus:
    return MqttBus(
        address or broker.address,
        user=account.user,
        password=account.password,
        client_id=account.user,
        on_lost=None if lost is None else lambda reason: lost("lost", reason.encode()),
    )


def hostile(broker: Broker, account: Account, *, client_id: str | None = None) -> aiomqtt.Client:
    """A client that keeps to none of our bus's rules."""
    host, port = broker.address.host, broker.address.port
    return aiomqtt.Client(host, port, username=account.user, password=account.password, identifier=client_id)


async def next_message(client: aiomqtt.Client) -> aiomqtt.Message:
    async with asyncio.timeout(60):
        return await anext(aiter(client.messages))


def packed(text: str) -> bytes:
    return len(text).to_bytes(2, "big") + text.encode()


def log_in(account: Account) -> bytes:
    """What a client that speaks by hand sends first."""
    return format_connect(
        Connect(b"MQTT", 4, 0xC2, 0, b"x", b"", b"", account.user.encode(), account.password.encode())
    )


def flood(kind: int, body: bytes, count: int, *, numbered: bool = False) -> bytes:
    """The same packet again and again; `numbered`: with a number of its own behind the topic."""
    bodies = (body + number.to_bytes(2, "big") * numbered for number in range(1, count + 1))
    return b"".join(bytes([kind]) + length_of(len(body)) + body for body in bodies)


def length_of(size: int) -> bytes:
    return bytes([size]) if size < 128 else bytes([size & 0x7F | 0x80]) + length_of(size >> 7)


def echoes(address: Address, account: Account, sent: list[bytes]) -> list[bytes]:
    """What a bot's own bus hears of what it says itself."""
    heard, topic = list[bytes](), f"joust/{RUN}/echo"

    async def talk(bus: BlockingBus) -> None:
        await bus.subscribe(topic, lambda _, payload: heard.append(payload))
        await bus.look()
        bus.post([(topic, payload) for payload in sent])
        while len(heard) < len(sent):
            await bus.wait()

    name, will = account.user, Will(topic, b"gone")
    with BlockingBus(
        address, user=name, password=account.password, client_id=name, will=will, on_lost=pytest.fail
    ) as bus:
        run_blocking(talk(bus))
    return heard


BOT = """
import asyncio, sys
from gridjoust.runner.wire.bus import Address, Will
from gridjoust.runner.wire.bus.mqtt import MqttBus

async def main():
    socket, host, port, user, password, topic, birth, keepalive_s = sys.argv[1:]
    address = Address(host, int(port), socket=socket or None)
    will = Will(topic, b"gone")
    who = dict(user=user, password=password, client_id=user)
    async with MqttBus(address, **who, will=will, keepalive_s=int(keepalive_s)) as bus:
        await bus.subscribe(birth.removesuffix("out") + "in", lambda topic, payload: None)
        await bus.publish(birth, b"here")
        await asyncio.Event().wait()

asyncio.run(main())
"""


@contextlib.asynccontextmanager
async def knight_process(
    broker: Broker, will_topic: str = KNIGHT_STATUS, *, keepalive_s: int = 10
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The knight in a process of its own, with a last will."""
    place = (broker.address.socket or "", broker.address.host, str(broker.address.port))
    arguments = (*place, KNIGHT.user, KNIGHT.password, will_topic, KNIGHT_OUT, str(keepalive_s))
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, *arguments, stderr=asyncio.subprocess.DEVNULL)
    try:
        yield bot
    finally:
        with contextlib.suppress(ProcessLookupError):
            bot.kill()
        await bot.wait()


async def check_arrival(sender: MqttBus, topic: str, sent: list[bytes], inbox: Inbox) -> None:
    """What is sent arrives whole and in order."""
    for payload in sent:
        await sender.publish(topic, payload)
    assert [await inbox.next() for _ in sent] == [(topic, payload) for payload in sent]


@needs_mosquitto
async def test_a_bots_own_bus_hears_and_says_what_others_do(tmp_path: Path) -> None:
    sent = [b"%03d" % number + b"x" * 20_000 for number in range(20)]
    async with open_broker(BrokerConfig(), run=RUN, accounts=[REFEREE], folder=tmp_path) as opened:
        for address in (opened.address, Address(opened.address.host, opened.address.port)):
            assert await asyncio.to_thread(echoes, address, REFEREE, sent) == sent


SENT = {
    "over the unix socket": (False, [b"q" * 2048] * 20),
    "over tcp": (True, [b"q" * 2048] * 20),
    "more than a socket takes at once": (False, [b"%05d" % number + b"x" * 3000 for number in range(300)]),
    "the largest packet": (False, [b"m" * (PACKET_LIMIT_BYTES - 1024)]),
}


@pytest.mark.gate
@pytest.mark.parametrize(("is_tcp", "sent"), SENT.values(), ids=SENT)
async def test_messages_arrive_whole_and_in_order_on_both_sides(
    broker: Broker, is_tcp: bool, sent: list[bytes]
) -> None:
    address = Address(broker.address.host, broker.address.port) if is_tcp else broker.address
    asked, answered = Inbox(), Inbox()
    async with connect(broker, REFEREE, address=address) as referee, connect(broker, KNIGHT, address=address) as bot:
        await bot.subscribe(KNIGHT_IN, asked)
        await referee.subscribe(f"joust/{RUN}/bot/+/out", answered)
        await check_arrival(referee, KNIGHT_IN, sent, asked)
        await check_arrival(bot, KNIGHT_OUT, sent, answered)


@pytest.mark.gate
async def test_too_large_a_packet_ends_the_connection(broker: Broker) -> None:
    lost = Inbox()
    async with connect(broker, KNIGHT, lost=lost) as bot:
        await bot.publish(KNIGHT_OUT, b"m" * (PACKET_LIMIT_BYTES + 64 * 1024))
        await lost.next()


@pytest.mark.gate
async def test_nobody_enters_with_a_wrong_password_or_without_a_name(broker: Broker) -> None:
    wrong = Account(KNIGHT.user, ROOK.password, (), ())
    with pytest.raises(BrokerError, match=r"cannot connect as bot-knight\.0"):
        await connect(broker, wrong).__aenter__()
    with pytest.raises(BrokerError, match="cannot connect: "):
        await MqttBus(broker.address, user=None, password=None, client_id="x").__aenter__()


def ignore(topic: str, payload: bytes) -> None:
    """A handler."""


@pytest.mark.gate
async def test_messages_go_the_public_way_where_there_is_no_direct_one(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hostile(broker, REFEREE) as client:
        assert direct_line(client, ignore) is not None
    client._client = object()  # type: ignore[assignment]
    assert direct_line(client, ignore) is None  # a client that is built otherwise
    monkeypatch.setattr("gridjoust.runner.wire.bus.direct.direct_line", lambda *_: None)
    inbox = Inbox()
    async with connect(broker, REFEREE) as referee:
        await referee.subscribe(KNIGHT_IN, inbox)
        await check_arrival(referee, KNIGHT_IN, [b"%d" % number for number in range(20)], inbox)
        posted = [b"%d" % number for number in range(20, 40)]
        referee.post([(KNIGHT_IN, payload) for payload in posted])
        await referee.publish(KNIGHT_IN, b"last")
        assert [await inbox.next() for _ in range(21)] == [(KNIGHT_IN, payload) for payload in [*posted, b"last"]]
        referee.post([("a/+/wildcard", b"")])  # no topic that a message may have
        with pytest.raises(BrokerError, match=r"publish to a/\+/wildcard"):
            await referee.publish(KNIGHT_IN, b"after the end")


@pytest.mark.gate
async def test_a_message_may_be_sent_while_a_handler_runs_and_a_connection_that_breaks_there_is_reported(
    broker: Broker,
) -> None:
    inbox, lost = Inbox(), Inbox()
    async with connect(broker, REFEREE, lost=lost) as referee:

        def answer(topic: str, payload: bytes) -> None:
            if payload == b"break":
                cast(Any, referee)._client._client.socket().shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(StopIteration):  # what an eager task does: run until the first wait
                referee.publish(KNIGHT_OUT, payload).send(None)

        await referee.subscribe(KNIGHT_IN, answer)
        await referee.subscribe(KNIGHT_OUT, inbox)
        await referee.publish(KNIGHT_IN, b"1")
        assert await inbox.next() == (KNIGHT_OUT, b"1")
        await referee.publish(KNIGHT_IN, b"break")
        await lost.next()


@pytest.mark.gate
async def test_a_bot_reads_nothing_of_others_and_writes_nothing_for_them(broker: Broker) -> None:
    inbox = Inbox()
    async with connect(broker, REFEREE) as referee:
        async with hostile(broker, KNIGHT) as bot:
            for wanted in (ROOK_IN, ROOK_OUT, f"joust/{RUN}/bot/+/in", f"joust/{RUN}/bot/rook.0/#", "#", KNIGHT_IN):
                await bot.subscribe(wanted)
            for topic in (ROOK_IN, ROOK_OUT, KNIGHT_IN):
                await referee.publish(topic, b"secret")
            assert str((await next_message(bot)).topic) == KNIGHT_IN
        async with connect(broker, KNIGHT) as knight:
            await referee.subscribe(f"joust/{RUN}/#", inbox)
            for topic in (ROOK_IN, ROOK_OUT, ROOK_STATUS, KNIGHT_IN, f"joust/{RUN}/standings"):
                await knight.publish(topic, b"forged")
            await knight.publish(KNIGHT_OUT, b"mine")
            assert await inbox.next() == (KNIGHT_OUT, b"mine")


@pytest.mark.gate
async def test_the_live_page_hears_the_lines_of_matches_alone_and_says_nothing(broker: Broker) -> None:
    inbox, lines = Inbox(), lines_topic(RUN, "1")
    async with connect(broker, REFEREE) as referee, hostile(broker, WATCHER) as page, hostile(broker, KNIGHT) as bot:
        for wanted in (lines, KNIGHT_IN, "#", lines_topic(RUN, "+")):
            await page.subscribe(wanted)
            await bot.subscribe(wanted)
        for topic in (KNIGHT_IN, lines):
            await referee.publish(topic, b"secret")
        assert str((await next_message(page)).topic) == lines
        assert str((await next_message(bot)).topic) == KNIGHT_IN
        await referee.publish(KNIGHT_IN, b"more")
        assert (await next_message(bot)).payload == b"more"  # and no line before it
        await referee.subscribe(f"joust/{RUN}/#", inbox)
        for topic in (KNIGHT_IN, KNIGHT_OUT, lines):
            await page.publish(topic, b"forged")
        await bot.publish(KNIGHT_OUT, b"mine")
        assert await inbox.next() == (KNIGHT_OUT, b"mine")


@pytest.mark.gate
async def test_the_referee_of_one_run_hears_nothing_of_another(broker: Broker) -> None:
    async with hostile(broker, REFEREE) as referee:
        await referee.subscribe("#")  # the embedded broker refuses this one
        await referee.subscribe(f"joust/{RUN}/#")
        await referee.publish("joust/other/echo", b"forged")
        await referee.publish(f"joust/{RUN}/echo", b"mine")
        assert (await next_message(referee)).payload == b"mine"


@pytest.mark.gate
@pytest.mark.parametrize(("end", "keepalive_s"), [(signal.SIGKILL, 10), (signal.SIGSTOP, 1)], ids=["killed", "silent"])
async def test_a_will_is_published_when_a_bot_is_gone(broker: Broker, end: signal.Signals, keepalive_s: int) -> None:
    inbox = Inbox()
    async with connect(broker, REFEREE) as referee:
        await referee.subscribe(f"joust/{RUN}/bot/+/+", inbox)
        async with knight_process(broker, keepalive_s=keepalive_s) as bot:
            assert await inbox.next() == (KNIGHT_OUT, b"here")
            bot.send_signal(end)
            assert await inbox.next() == (KNIGHT_STATUS, b"gone")


@pytest.mark.gate
async def test_a_will_cannot_speak_for_another_bot(broker: Broker) -> None:
    statuses, births = Inbox(), Inbox()
    async with connect(broker, REFEREE) as referee:
        await referee.subscribe(f"joust/{RUN}/bot/+/status", statuses)
        await referee.subscribe(KNIGHT_OUT, births)
        async with knight_process(broker, ROOK_STATUS) as bot:
            await until(lambda: bot.returncode is not None or not births.is_empty())  # refused, or let in
        async with connect(broker, KNIGHT):  # now the broker has done with the dead connection
            await referee.publish(KNIGHT_STATUS, b"end")
            assert await statuses.next() == (KNIGHT_STATUS, b"end")


@pytest.mark.gate
async def test_a_client_id_of_another_bot_does_it_no_harm_and_a_second_connection_of_a_user_replaces_the_first(
    broker: Broker,
) -> None:
    lost, first, second = Inbox(), Inbox(), Inbox()
    async with connect(broker, REFEREE) as referee, connect(broker, KNIGHT, lost=lost) as bot:
        await bot.subscribe(KNIGHT_IN, first)
        async with hostile(broker, ROOK, client_id=KNIGHT.user):
            await referee.publish(KNIGHT_IN, b"still here?")
            assert await first.next() == (KNIGHT_IN, b"still here?")
        with pytest.raises(BrokerError):
            await connect(broker, Account(KNIGHT.user, "wrong", (), ())).__aenter__()
        await referee.publish(KNIGHT_IN, b"and now?")
        assert await first.next() == (KNIGHT_IN, b"and now?")
        async with connect(broker, KNIGHT) as again:
            await again.subscribe(KNIGHT_IN, second)
            await lost.next()
            await referee.publish(KNIGHT_IN, b"welcome back")
            assert await second.next() == (KNIGHT_IN, b"welcome back")


@pytest.mark.gate
async def test_the_embedded_broker_gives_up_on_a_bot_that_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridjoust.runner.broker.child.UNREAD_LIMIT_S", 0.3)
    inbox = Inbox()
    opening = open_broker(BrokerConfig(use="embedded"), run=RUN, accounts=ACCOUNTS, folder=tmp_path)
    async with opening as broker, connect(broker, REFEREE) as referee:
        await referee.subscribe(KNIGHT_OUT, inbox)
        await referee.subscribe(KNIGHT_STATUS, inbox)
        async with knight_process(broker, keepalive_s=600) as bot:
            assert await inbox.next() == (KNIGHT_OUT, b"here")
            bot.send_signal(signal.SIGSTOP)
            for _ in range(5):
                await referee.publish(KNIGHT_IN, b"m" * 1_000_000)
            assert await inbox.next() == (KNIGHT_STATUS, b"gone")


PUBLISH, QOS_2 = 0x30, 0x04
TOO_MUCH = {
    "messages on a topic without rights": flood(PUBLISH, packed(ROOK_OUT) + b"x", 1200),
    "pings": flood(0xC0, b"", 1200),
    "subscriptions": flood(0x82, b"\0\1" + packed("#") + b"\0", 1200),
    "large messages on the status": flood(PUBLISH, packed(KNIGHT_STATUS) + b"s" * 60_000, 90),
    "messages of QoS 2 that are never released": flood(PUBLISH | QOS_2, packed(KNIGHT_OUT), 40, numbered=True),
}


@pytest.mark.gate
@embedded_only
@pytest.mark.usefixtures("unforgiving")
@pytest.mark.parametrize("packets", TOO_MUCH.values(), ids=TOO_MUCH)
async def test_whoever_sends_the_embedded_broker_too_much_is_ended_and_charged_and_nobody_else(
    packets: bytes, broker: Broker
) -> None:
    charges, answers = Inbox(), Inbox()
    async with connect(broker, REFEREE) as referee, connect(broker, ROOK) as rook:
        await referee.subscribe(f"joust/{RUN}/bot/+/charge", charges)
        await referee.subscribe(ROOK_OUT, answers)
        reader, writer = await asyncio.open_unix_connection(broker.address.socket)
        writer.write(log_in(KNIGHT) + packets)
        topic, reason = await charges.next()
        assert (topic, reason[:16]) == (KNIGHT.charge, b"expected at most")
        with contextlib.suppress(ConnectionError):
            while await reader.read(65536):
                pass
        await rook.publish(ROOK_OUT, b"mine")
        assert await answers.next() == (ROOK_OUT, b"mine")
        assert charges.is_empty()
        writer.close()


@pytest.mark.gate
@embedded_only
async def test_connections_that_do_not_log_in_make_room_for_those_that_do(broker: Broker) -> None:
    hoard = [await asyncio.open_unix_connection(broker.address.socket) for _ in range(150)]
    async with connect(broker, KNIGHT) as knight, asyncio.timeout(60):
        await knight.publish(KNIGHT_OUT, b"here")
        for reader, _ in hoard[:80]:  # these had to make room at once
            with contextlib.suppress(OSError):
                assert await reader.read() == b""
    for _, writer in hoard:
        writer.close()


async def test_auto_needs_no_mosquitto_and_a_broker_s_socket_and_port_go_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    which = shutil.which
    monkeypatch.setattr("shutil.which", lambda name, **_: None if name == "mosquitto" else which(name, **_))
    async with open_broker(BrokerConfig(), run=RUN, accounts=[], folder=tmp_path) as opened:
        path = Path(opened.address.socket or "")
        assert (opened.kind, path.is_socket()) == ("embedded", True)  # noqa: ASYNC240 - nothing waits
    assert not path.exists()  # noqa: ASYNC240
    with pytest.raises(ConnectionRefusedError), socket.create_connection((opened.address.host, opened.address.port)):
        pass


async def test_losing_the_broker_is_told_once(tmp_path: Path) -> None:
    lost = Inbox()
    async with contextlib.AsyncExitStack() as stack:
        async with open_broker(BrokerConfig(), run=RUN, accounts=[REFEREE], folder=tmp_path) as opened:
            bus = await stack.enter_async_context(connect(opened, REFEREE, lost=lost))
        await lost.next()
        with pytest.raises(BrokerError):
            await bus.publish(f"joust/{RUN}/echo", b"")
        with pytest.raises(BrokerError):
            await bus.subscribe(f"joust/{RUN}/echo", Inbox())
    assert lost.is_empty()


@pytest.mark.gate
async def test_a_handlers_bug_ends_the_connection_and_is_raised(broker: Broker) -> None:
    lost = Inbox()

    def break_down(topic: str, payload: bytes) -> None:
        raise ZeroDivisionError(payload)

    async with contextlib.AsyncExitStack() as stack:
        referee = await stack.enter_async_context(connect(broker, REFEREE, lost=lost))
        await referee.subscribe(KNIGHT_STATUS, break_down)
        await referee.publish(KNIGHT_STATUS, b"1")
        await lost.next()
        with pytest.raises(ZeroDivisionError):
            await stack.aclose()


@pytest.mark.parametrize(
    ("use", "error", "said"),
    [("mosquitto", BrokerError, "mosquitto is not on the PATH"), ("external", ConfigError, "broker.url: expected")],
)
async def test_a_broker_that_is_missing_is_named_in_the_error(
    use: Any, error: type[Exception], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(error, match=said):
        await open_broker(BrokerConfig(use=use), run=RUN, accounts=[], folder=tmp_path).__aenter__()


async def test_an_external_broker_has_one_account_for_all(tmp_path: Path) -> None:
    config = BrokerConfig(use="external", url="mqtts://joe:pw@example.org")
    async with open_broker(config, run=RUN, accounts=[KNIGHT], folder=tmp_path) as opened:
        assert opened.address == Address("example.org", 8883, tls=True)
        assert "share one account" in opened.note
        assert credentials(config, KNIGHT) == ("joe", "pw")
    assert credentials(BrokerConfig(), KNIGHT) == (KNIGHT.user, KNIGHT.password)


@pytest.mark.gate
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not on PATH")
async def test_a_broker_behind_tls_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    sent = [b"%03d" % number + b"x" * 20_000 for number in range(50)]
    inbox = Inbox()
    async with open_broker(BrokerConfig(), run=RUN, accounts=[REFEREE], folder=tmp_path) as opened:
        proxy = await asyncio.start_server(forward_to(opened.address.port), "127.0.0.1", 0, ssl=context)
        address = Address("localhost", proxy.sockets[0].getsockname()[1], tls=True)
        async with proxy, connect(opened, REFEREE, address=address) as referee:
            await referee.subscribe(KNIGHT_OUT, inbox)
            await check_arrival(referee, KNIGHT_OUT, sent, inbox)
            assert await asyncio.to_thread(echoes, address, REFEREE, sent) == sent


def make_certificate(folder: Path) -> None:
    """A key and a certificate that it signed itself, for localhost."""
    wish = ("-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost")
    names = ("-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem")
    subprocess.run(["openssl", "req", "-x509", *wish, *names], cwd=folder, check=True, capture_output=True)


def forward_to(port: int) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer), return_exceptions=True)

    return forward
