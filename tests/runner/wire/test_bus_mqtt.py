"""The bus over an MQTT broker that is played by hand, on the direct line and on aiomqtt's own path."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from unittest import mock

import aiomqtt
import pytest

from gridjoust.runner.wire.bus import Address, Will, direct
from gridjoust.runner.wire.bus.address import TCP_OPTIONS
from gridjoust.runner.wire.bus.mqtt import MqttBus, _cancellable
from gridjoust.runner.wire.bus.packets import Connect, parse_connect, publish_packet
from gridjoust.runner.wire.errors import BrokerError, RefusedError
from tests.runner.wire.played_broker import GOODBYE, LET_IN, SUBSCRIBE, SUBSCRIBED, Far, Heard, playing

CONNECT = Connect(b"MQTT", 4, 0xC6, 10, b"me", b"a/status", b"gone", b"joe", b"pw")


@pytest.fixture(params=["direct line", "aiomqtt"])
def line(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "aiomqtt":
        monkeypatch.setattr(direct, "direct_line", lambda client, receive: None)


def bus_at(address: Address, on_lost: Callable[[str], None] | None = None, *, user: str | None = "joe") -> MqttBus:
    return MqttBus(address, user=user, password="pw", client_id="me", will=Will("a/status", b"gone"), on_lost=on_lost)


@contextlib.asynccontextmanager
async def open_bus(folder: Path, play: Callable[[Far], object], **more: Any) -> AsyncIterator[MqttBus]:
    """A bus that is connected to a played broker."""
    with playing(folder, play) as address:
        async with asyncio.timeout(60), bus_at(address, **more) as bus:
            yield bus


def saying(*answers: bytes) -> Callable[[Far], None]:
    """Let a bus in, give these answers to what it asks, and wait until it leaves."""

    def play(far: Far) -> None:
        far.replying(LET_IN, *answers)
        while far.packet():
            pass

    return play


@pytest.mark.usefixtures("line")
async def test_it_logs_in_hears_what_it_asked_for_sends_and_says_goodbye_once(tmp_path: Path) -> None:
    came: list[bytes] = []
    heard: Heard = []
    answered = asyncio.Event()
    lost: list[str] = []

    def play(far: Far) -> None:
        came.extend(far.replying(LET_IN, publish_packet("a", b"early") + SUBSCRIBED, b"", publish_packet("a", b"1")))
        came.append(far.packet())

    def hear(topic: str, payload: bytes) -> None:
        heard.append((topic, payload))
        if payload == b"1":
            answered.set()

    async with open_bus(tmp_path, play, on_lost=lost.append) as bus:
        await bus.subscribe("a", hear)
        await bus.subscribe("a", lambda topic, payload: heard.append(("again", payload)))
        bus.post([("b", b"x")])
        await bus.publish("c", b"y" * 300)
        await answered.wait()
    hello, *others = came
    assert parse_connect(hello[2:]) == CONNECT
    assert others == [SUBSCRIBE, publish_packet("b", b"x"), publish_packet("c", b"y" * 300), GOODBYE]
    assert heard == [("a", b"early"), ("a", b"1"), ("again", b"1")]
    assert lost == []
    with pytest.raises(BrokerError, match="/s: expected an open connection, got: closed"):
        await bus.publish("b", b"late")
    with pytest.raises(BrokerError, match="expected a new bus, got one that was used before"):
        await bus.__aenter__()


async def test_a_bus_that_was_not_entered_sends_nothing() -> None:
    with pytest.raises(BrokerError, match="mqtt://h:7: expected an open connection, got a bus that was not entered"):
        bus_at(Address("h", 7)).post([("a", b"1")])


@pytest.mark.parametrize(("user", "who"), [("joe", " as joe"), (None, "")])
async def test_a_broker_that_lets_nobody_in_is_named_with_its_code(user: str | None, who: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as refused:
        async with open_bus(tmp_path, lambda far: far.replying(b"\x20\x02\x00\x05"), user=user):
            pass
    assert str(refused.value).startswith(f"{tmp_path / 's'}: cannot connect{who}: ")
    assert refused.value.code == 135  # not authorized, by its number in MQTT 5


async def test_no_broker_at_all_is_an_error_without_a_code(tmp_path: Path) -> None:
    with pytest.raises(BrokerError, match="none: cannot connect as joe: ") as error:
        await bus_at(Address("localhost", 1883, socket=str(tmp_path / "none"))).__aenter__()
    assert not isinstance(error.value, RefusedError)


async def test_a_refused_subscription_is_an_error(tmp_path: Path) -> None:
    async with open_bus(tmp_path, saying(SUBSCRIBED[:-1] + b"\x80")) as bus:
        with pytest.raises(BrokerError, match="subscribe to a: refused by the broker"):
            await bus.subscribe("a", lambda topic, payload: None)


def faulty(heard: list[bytes]) -> Callable[[str, bytes], None]:
    """A handler with a bug."""

    def hear(topic: str, payload: bytes) -> None:
        heard.append(payload)
        raise ValueError("no such cell")

    return hear


RAISED = pytest.raises(ValueError, match=r"^no such cell\nin a handler of a$")


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize(("own", "ended"), [(None, RAISED), (KeyError("of the owner"), contextlib.nullcontext())])
async def test_a_handlers_bug_loses_the_connection_and_is_raised_unless_the_owner_has_an_error(
    own: Exception | None, ended: contextlib.AbstractContextManager[object], tmp_path: Path
) -> None:
    heard: list[bytes] = []
    lost: asyncio.Queue[str] = asyncio.Queue()
    twice = publish_packet("a", b"1") + publish_packet("a", b"2")
    with playing(tmp_path, saying(SUBSCRIBED + twice)) as address:
        bus = await bus_at(address, lost.put_nowait).__aenter__()
        await bus.subscribe("a", faulty(heard))
        assert await lost.get() == "ValueError('no such cell')"
        with pytest.raises(BrokerError, match="expected an open connection, got: ValueError"):
            bus.post([("b", b"x")])
        with ended:
            await bus.__aexit__(None if own is None else type(own), own, None)
    assert heard == [b"1"]


def cut(far: Far) -> None:
    """Let a bus in, confirm its subscription, and end the connection."""
    far.replying(LET_IN, SUBSCRIBED)


@pytest.mark.usefixtures("line")
async def test_the_end_of_the_connection_is_told_once_and_nothing_goes_out_any_more(tmp_path: Path) -> None:
    lost: asyncio.Queue[str] = asyncio.Queue()
    async with open_bus(tmp_path, cut, on_lost=lost.put_nowait) as bus:
        await bus.subscribe("a", lambda topic, payload: None)
        reason = await lost.get()
        with pytest.raises(BrokerError, match="expected an open connection, got: ") as error:
            await bus.publish("b", b"x")
    assert str(error.value).endswith(f"got: {reason}")
    assert lost.empty()


async def test_what_goes_wrong_in_on_lost_is_raised_and_nobody_need_be_told(tmp_path: Path) -> None:
    def fail(reason: str) -> None:
        raise KeyError(reason)

    for on_lost, ended in ((fail, pytest.raises(KeyError)), (None, contextlib.nullcontext())):
        (tmp_path / "s").unlink(missing_ok=True)
        with ended:
            async with open_bus(tmp_path, cut, on_lost=on_lost) as bus:
                await bus.subscribe("a", lambda topic, payload: None)
                assert bus._watcher is not None
                await asyncio.wait([bus._watcher])


async def test_without_a_direct_line_the_first_message_that_cannot_be_sent_ends_the_bus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct, "direct_line", lambda client, receive: None)
    async with open_bus(tmp_path, saying()) as bus:
        assert bus._client is not None
        with mock.patch.object(bus._client, "publish", side_effect=aiomqtt.MqttError("cut")) as sent:
            bus.post([("a", b"1"), ("b", b"2")])
            with pytest.raises(BrokerError, match="got: publish to a: cut"):
                await bus.publish("c", b"3")
        assert sent.call_count == 1


@pytest.mark.parametrize(("more", "gathers"), [({}, []), ({"gather_s": 0.5}, [mock.call(0.5)])])
async def test_messages_are_read_together_if_they_may_wait(more: Any, gathers: list[object], tmp_path: Path) -> None:
    with (
        mock.patch.object(direct.DirectLine, "read_together") as gathered,
        playing(tmp_path, saying()) as address,
    ):
        async with MqttBus(address, user=None, password=None, client_id="me", **more):
            pass
    assert gathered.mock_calls == gathers


OWN, SYSTEM = object(), object()


@pytest.mark.parametrize(
    ("address", "given", "place", "expected"),
    [
        (Address("h", 7), None, ("h", 7), ("tcp", TCP_OPTIONS, None)),
        (Address("h", 0, socket="/tmp/s"), None, ("/tmp/s", 1883), ("unix", (), None)),
        (Address("h", 7, tls=True), None, ("h", 7), ("tcp", TCP_OPTIONS, SYSTEM)),
        (Address("h", 7, tls=True), OWN, ("h", 7), ("tcp", TCP_OPTIONS, OWN)),
    ],
)
async def test_where_and_how_it_connects(
    address: Address, given: Any, place: tuple[str, int], expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssl, "create_default_context", lambda: SYSTEM)
    with mock.patch.object(aiomqtt, "Client") as client:
        await MqttBus(address, user=None, password=None, client_id="me", tls_context=given)._make_client()
    [call] = client.call_args_list
    assert call.args == place
    assert tuple(call.kwargs[name] for name in ("transport", "socket_options", "tls_context")) == expected
    assert call.kwargs["will"] is None


async def losing(begun: asyncio.Event) -> str:
    """What is done when it is cancelled, and keeps that to itself."""
    begun.set()
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        return "done"
    return "slept"


async def test_a_cancellation_that_is_lost_on_the_way_is_not_lost() -> None:
    begun = asyncio.Event()
    task = asyncio.create_task(_cancellable(losing(begun)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_is_awaited_later_by_a_cancelled_task_comes_to_its_end() -> None:
    begun = asyncio.Event()

    async def cleaning_up() -> str:
        try:
            begun.set()
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return await _cancellable(asyncio.sleep(0, "clean"))
        return "slept"

    task = asyncio.create_task(cleaning_up())
    await begun.wait()
    task.cancel()
    assert await task == "clean"


class Leaving:
    """A client of the library that says whether it has been closed."""

    is_closed = False

    async def __aexit__(self, *_: object) -> None:
        self.is_closed = True


async def test_a_bus_that_is_being_closed_by_a_cancelled_task_is_closed() -> None:
    bus = MqttBus(Address("host", 1), user=None, password=None, client_id="knight")
    client, begun, may_end = Leaving(), asyncio.Event(), asyncio.Event()

    async def watch() -> None:
        try:
            begun.set()
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            await may_end.wait()

    bus._client, bus._watcher = client, asyncio.create_task(watch())  # type: ignore[assignment]
    await begun.wait()
    closing = asyncio.create_task(bus.__aexit__(None, None, None))
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert client.is_closed
    may_end.set()
