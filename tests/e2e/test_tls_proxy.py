"""The proxy for remote bots, before both brokers: who is let in, what each may do there, what it costs the others."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.broker import Account, Broker, ProxyConfig, bot_account, open_broker, referee_account
from gridjoust.runner.broker.gate import Refusal, format_refusal
from gridjoust.runner.broker.listening import LOOPBACK, free_port
from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.remote.access import make_certificate, pin_of
from gridjoust.runner.wire.bus import Address, Will
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.errors import BrokerError, RefusedError
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES
from gridjoust.runner.wire.token import pinned_context
from tests.e2e.bot_on_wire import BROKERS, unforgiving  # noqa: F401 - a fixture
from tests.e2e.test_broker import PUBLISH, Inbox, check_arrival, flood, log_in, packed

pytestmark = pytest.mark.e2e

RUN = "cup-1"
REFEREE = referee_account(RUN)
ADA, BEN = (bot_account(RUN, f"{name}.0", secret=f"secret of {name}") for name in ("ada", "ben"))
LOCAL = bot_account(RUN, "local.0")
ADA_IN, ADA_NOTICE, ADA_OUT, ADA_STATUS = *ADA.read, *ADA.write
BAD_PASSWORD, ALREADY_IN = 134, 133  # as MQTT 5 numbers what is refused


@functools.cache
def certificate() -> tuple[str, str]:
    return make_certificate()


def proxy_at(port: int) -> ProxyConfig:
    return ProxyConfig((LOOPBACK, port), *certificate(), guests=(ADA, BEN))


@pytest.fixture(params=BROKERS)
async def broker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Broker]:
    accounts, proxy = [REFEREE, ADA, BEN, LOCAL], proxy_at(free_port())
    opening = open_broker(BrokerConfig(use=request.param), run=RUN, accounts=accounts, folder=tmp_path, proxy=proxy)
    async with opening as opened:
        yield opened


one_broker = pytest.mark.parametrize("broker", ["auto"], indirect=True)  # where it is the proxy's doing alone


def with_token(account: Account) -> Account:
    """As it is at the proxy."""
    return replace(account, password=account.secret)


def connect(
    address: Address | None, account: Account, *, client_id: str = "me", pin: bytes | None = None, **more: Any
) -> MqttBus:
    assert address is not None
    context = pinned_context(pin_of(certificate()[0]) if pin is None else pin) if address.tls else None
    user, password = account.user, account.password
    return MqttBus(address, user=user, password=password, client_id=client_id, tls_context=context, **more)


def referee(broker: Broker) -> MqttBus:
    return connect(broker.address, REFEREE, client_id=REFEREE.user)


@pytest.mark.gate
async def test_a_remote_bot_hears_its_referee_and_answers_and_hears_what_people_are_told(broker: Broker) -> None:
    asked, noticed, answered = Inbox(), Inbox(), Inbox()
    sent = [b"q" * 2048, b"m" * (PACKET_LIMIT_BYTES - 1024), *(b"%d" % number for number in range(20))]
    async with referee(broker) as host, connect(broker.public, with_token(ADA)) as ada:
        await ada.subscribe(ADA_IN, asked)
        await ada.subscribe(ADA_NOTICE, noticed)
        await host.subscribe(ADA_OUT, answered)
        await check_arrival(host, ADA_IN, sent, asked)
        await check_arrival(ada, ADA_OUT, [b"a" * 2048, b"1", b"2"], answered)
        await host.publish(ADA_NOTICE, b"match 1 of 2")
        assert await noticed.next() == (ADA_NOTICE, b"match 1 of 2")


@pytest.mark.gate
@one_broker
async def test_only_who_shows_the_token_of_a_remote_bot_is_let_in_and_only_at_the_door(broker: Broker) -> None:
    strangers = {
        "a wrong secret": replace(ADA, password="secret of eve"),
        "the secret of another bot": replace(ADA, password=BEN.secret),
        "no secret": replace(ADA, password=""),
        "what the broker itself wants": ADA,
        "a bot that plays on the host": LOCAL,
        "the referee": REFEREE,
        "a bot of another tournament": replace(with_token(ADA), user="bot-eve.0"),
    }
    for stranger in strangers.values():
        with pytest.raises(RefusedError) as refused:
            await connect(broker.public, stranger).__aenter__()
        assert refused.value.code == BAD_PASSWORD
    with pytest.raises(RefusedError):  # beside the proxy a token is worth nothing
        await connect(broker.address, with_token(ADA), client_id=ADA.user).__aenter__()
    async with connect(broker.public, with_token(ADA)), connect(broker.public, with_token(BEN)):
        pass


@pytest.mark.gate
@one_broker
async def test_a_bot_sends_its_secret_to_no_host_but_that_of_its_token(broker: Broker, tmp_path: Path) -> None:
    heard: list[bytes] = []
    other, key = make_certificate()
    (tmp_path / "other.pem").write_text(other + key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "other.pem")

    async def impostor(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            heard.append(await reader.read(4096))
            writer.write(format_refusal(Refusal.NOT_AUTHORIZED))
        writer.close()

    async with await asyncio.start_server(impostor, LOOPBACK, 0, ssl=context) as server:
        address = Address(LOOPBACK, server.sockets[0].getsockname()[1], tls=True)
        with pytest.raises(BrokerError, match="not the host of this token"):
            await connect(address, with_token(ADA)).__aenter__()
        with pytest.raises(BrokerError):  # the twin: who takes any host tells it everything
            await connect(address, with_token(ADA), pin=pin_of(other)).__aenter__()
    assert [ADA.secret.encode() in said for said in heard if said] == [True]
    async with connect(broker.public, with_token(ADA)):
        pass


@pytest.mark.gate
async def test_a_remote_bot_reads_nothing_of_others_and_writes_nothing_for_them(broker: Broker) -> None:
    heard, secrets = Inbox(), Inbox()
    async with (
        referee(broker) as host,
        connect(broker.public, with_token(ADA)) as ada,
        connect(broker.public, with_token(BEN)) as ben,
    ):
        for wanted in (*BEN.read, *BEN.write, f"joust/{RUN}/echo"):
            with contextlib.suppress(BrokerError):  # brokers refuse it, or say nothing and deliver nothing
                await ada.subscribe(wanted, secrets)
        await ada.subscribe(ADA_IN, secrets)
        await host.subscribe(f"joust/{RUN}/#", heard)
        for topic in (*BEN.read, *BEN.write, ADA_IN, ADA_NOTICE, f"joust/{RUN}/echo"):
            await ada.publish(topic, b"forged")
        await ada.publish(ADA_OUT, b"mine")
        assert await heard.next() == (ADA_OUT, b"mine")
        await ben.publish(BEN.write[0], b"ben's")
        assert await heard.next() == (BEN.write[0], b"ben's")
        for topic in (*BEN.read, *BEN.write, ADA_IN):
            await host.publish(topic, b"told")
        assert await secrets.next() == (ADA_IN, b"told")


@pytest.mark.gate
@one_broker
async def test_a_second_bot_with_a_token_is_refused_while_the_first_is_in_and_the_first_may_come_back(
    broker: Broker,
) -> None:
    asked, lost = Inbox(), Inbox()
    async with referee(broker) as host:
        async with connect(broker.public, with_token(ADA), client_id="first") as first:
            await first.subscribe(ADA_IN, asked)
            with pytest.raises(RefusedError) as refused:
                await connect(broker.public, with_token(ADA), client_id="second").__aenter__()
            assert refused.value.code == ALREADY_IN
            await host.publish(ADA_IN, b"still you")
            assert await asked.next() == (ADA_IN, b"still you")
        async with (
            connect(
                broker.public, with_token(ADA), client_id="second", on_lost=lambda reason: lost("lost", reason.encode())
            ),
            connect(broker.public, with_token(ADA), client_id="second"),
        ):  # whose connection broke unheard
            await lost.next()


@pytest.mark.gate
@one_broker
async def test_a_will_is_published_when_a_remote_bot_is_cut_off(broker: Broker) -> None:
    statuses = Inbox()
    async with referee(broker) as host:
        await host.subscribe(ADA_STATUS, statuses)
        ada = connect(broker.public, with_token(ADA), will=Will(ADA_STATUS, b"gone"))
        async with ada:
            await ada.publish(ADA_STATUS, b"here")
            assert await statuses.next() == (ADA_STATUS, b"here")
            client: Any = ada
            client._client._client.socket().shutdown(socket.SHUT_RDWR)
            assert await statuses.next() == (ADA_STATUS, b"gone")


@pytest.mark.gate
@one_broker
@pytest.mark.usefixtures("unforgiving")
async def test_who_floods_the_door_is_ended_there_and_nobody_else(broker: Broker) -> None:
    answers = Inbox()
    assert broker.public is not None
    async with referee(broker) as host, connect(broker.public, with_token(BEN)) as ben:
        await host.subscribe(BEN.write[0], answers)
        context = pinned_context(pin_of(certificate()[0]))
        reader, writer = await asyncio.open_connection(broker.public.host, broker.public.port, ssl=context)
        writer.write(log_in(with_token(ADA)) + flood(PUBLISH, packed(BEN.write[0]) + b"x", 20_000))
        async with asyncio.timeout(60):
            with contextlib.suppress(ConnectionError):
                while await reader.read(65536):
                    pass
        writer.transport.abort()
        await ben.publish(BEN.write[0], b"mine")
        assert await answers.next() == (BEN.write[0], b"mine")


@pytest.mark.gate
@one_broker
async def test_who_says_nothing_or_speaks_no_tls_is_shown_out_and_keeps_nobody_from_coming(broker: Broker) -> None:
    assert broker.public is not None
    plain = [await asyncio.open_connection(broker.public.host, broker.public.port) for _ in range(100)]
    plain[0][1].write(log_in(with_token(ADA)))
    async with connect(broker.public, with_token(ADA)), asyncio.timeout(50):  # asyncio itself gives up after 60 s
        for reader, _ in plain:
            with contextlib.suppress(OSError):
                assert await reader.read() == b""
    for _, writer in plain:
        writer.close()


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        opening = open_broker(BrokerConfig(), run=RUN, accounts=[ADA, BEN], folder=tmp_path, proxy=proxy_at(port))
        with pytest.raises(BrokerError, match=rf"broker.listen: .*{port}: .*in use"):
            await opening.__aenter__()
