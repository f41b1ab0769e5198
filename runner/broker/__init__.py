"""The MQTT broker of one run: a private mosquitto, the built-in amqtt, or an external broker.

`open_broker` starts it, gives each account its rights, and ends it when the context is left.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from gridjoust.runner.broker.accounts import (
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
from gridjoust.runner.broker.child import open_child, open_socket
from gridjoust.runner.broker.commands import embedded_command, mosquitto_command
from gridjoust.runner.broker.proxy_process import open_tls_proxy
from gridjoust.runner.config.values import BrokerConfig

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
