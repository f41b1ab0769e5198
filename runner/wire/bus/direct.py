"""The one place that reaches past aiomqtt's public interface, to send without waiting. Has a fallback: not using it.

`aiomqtt.Client.publish` waits until a packet has left, even at QoS 0: a task, an event and two passes of the loop per
message. paho, the client beneath it, can write at once. With 16 bots this halves what an answer costs the referee and
the bots (`benchmarks/messaging.py` prints both). paho's side of it is public: `publish`, `loop_write`, `want_write`
and the two socket callbacks; only the attribute that holds the paho client is aiomqtt's own.
"""

from __future__ import annotations

import asyncio

import aiomqtt
import paho.mqtt.client as paho

from runner.wire.errors import BrokerError


class DirectSender:
    """Writes messages to paho's socket at once; what the socket does not take follows when it is writable."""

    def __init__(self, client: paho.Client, loop: asyncio.AbstractEventLoop) -> None:
        self._client = client
        self._loop = loop
        self._is_sending = False
        self.is_receiving = False  # set while a handler runs: paho holds a lock then that writing may need
        # aiomqtt registers through `call_soon_threadsafe`, because its connecting runs in a thread; from here on all
        # is on the loop, so registering can be immediate and unregistering cannot overtake it
        client.on_socket_register_write = self._on_register
        client.on_socket_unregister_write = self._on_unregister
        client.on_publish = None  # nobody waits for it now

    def send(self, topic: str, payload: bytes) -> None:
        """Queue one QoS 0 message and write what the socket takes now."""
        self._is_sending = True
        try:
            info = self._client.publish(topic, payload)
        finally:
            self._is_sending = False
        if info.rc != paho.MQTT_ERR_SUCCESS:
            raise BrokerError(f"publish to {topic}: {paho.error_string(info.rc)}")
        if not self.is_receiving:
            self._client.loop_write()
        if self._client.want_write():
            self._add_writer()

    def _on_register(self, *_: object) -> None:
        if not self._is_sending:
            self._add_writer()

    def _on_unregister(self, _client: paho.Client, _userdata: object, sock: paho.SocketLike) -> None:
        if sock.fileno() >= 0:
            self._loop.remove_writer(sock.fileno())

    def _add_writer(self) -> None:
        sock = self._client.socket()
        if sock is not None:
            self._loop.add_writer(sock.fileno(), self._client.loop_write)


def direct_sender(client: aiomqtt.Client) -> DirectSender | None:
    """The sender for a connected client, or None where aiomqtt is not built as expected: publish its way then."""
    inner = getattr(client, "_client", None)
    if not isinstance(inner, paho.Client) or inner.socket() is None:
        return None
    return DirectSender(inner, asyncio.get_running_loop())
