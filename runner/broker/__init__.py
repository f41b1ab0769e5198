"""The MQTT broker of one run: a private mosquitto, the built-in amqtt, or an external broker.

`open_broker` starts it, gives each account its rights, and ends it when the context is left.
"""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from gridjoust.runner.broker.accounts import (
    READY,
    Account,
    Broker,
    ProxyConfig,
    allow_search,
    bot_account,
    credentials,
    external_broker,
    page_account,
    referee_account,
)
from gridjoust.runner.broker.child import (
    embedded_command,
    mosquitto_command,
    open_child,
    open_socket,
    proxy_command,
    running,
)
from gridjoust.runner.broker.listening import reachable_hosts
from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.processes.private_folder import private_folder
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import BrokerError

__all__ = [
    "Account",
    "Broker",
    "ProxyConfig",
    "allow_search",
    "bot_account",
    "credentials",
    "open_broker",
    "open_socket",
    "page_account",
    "referee_account",
]

_COMMANDS = {"mosquitto": mosquitto_command, "embedded": embedded_command}
_BUILT_IN = (
    "using the built-in broker: slower, and it does not protect bots from each other; install mosquitto for contests"
)
_NOTES = {"embedded": _BUILT_IN}


@asynccontextmanager
async def open_broker(
    config: BrokerConfig, *, run: str, accounts: Sequence[Account], folder: Path, proxy: ProxyConfig | None = None
) -> AsyncIterator[Broker]:
    """Start a broker with these accounts, stop it at the end of the context; its log is `folder/broker.log`.

    `proxy`: settings of the TLS proxy for remote bots, None if there are none; its log is `folder/tls_proxy.log`.
    `auto` takes mosquitto if it is on PATH, else the built-in broker. BrokerError if the broker does not start,
    ConfigError for an impossible configuration. An external broker is tried only when the first bus connects.
    """
    kind: str = config.use
    if kind == "external":
        yield external_broker(config)
        return
    if kind == "auto":
        kind = "mosquitto" if shutil.which("mosquitto") else "embedded"
    async with (
        open_child(kind, _COMMANDS[kind], accounts, run=run, folder=folder, note=_NOTES.get(kind, "")) as broker,
        open_tls_proxy(proxy, broker, folder) as reachable,
    ):
        yield reachable


@asynccontextmanager
async def open_tls_proxy(proxy: ProxyConfig | None, broker: Broker, folder: Path) -> AsyncIterator[Broker]:
    """Run the TLS proxy in front of a broker while the context is open; yield the broker with its public address.

    Without `proxy`, yield the broker as it is. The log is `folder/tls_proxy.log`. BrokerError if the port is not free.
    """
    if proxy is None:
        yield broker
        return
    host, port = proxy.listen
    public, log = Address(reachable_hosts(host)[0], port, tls=True), folder / "tls_proxy.log"
    with private_folder(lambda _: True) as private:

        async def is_up() -> bool:
            return (private / READY).exists()  # a test of the port could reach another process

        command = proxy_command(proxy, broker.address)
        async with running(command, is_up, name="tls_proxy", log=log, folder=private) as problem:
            if problem:
                raise BrokerError(f"broker.listen: cannot open the port: {problem} (log: {log})")
            note = f"remote bots connect to {public.url}"
            yield dataclasses.replace(broker, public=public, note=f"{broker.note}; {note}" if broker.note else note)
