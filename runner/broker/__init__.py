"""The MQTT broker of one run: a private mosquitto, an embedded amqtt, or somebody's own. Carries no messages itself.

`open_broker` starts it, gives each account its rights, and ends it when the context is left.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from runner.broker.accounts import Account, Broker, bot_account, referee_account
from runner.broker.embedded import open_embedded
from runner.broker.external import credentials, open_external
from runner.broker.mosquitto import open_mosquitto
from runner.config.values import BrokerConfig

__all__ = ["Account", "Broker", "bot_account", "credentials", "open_broker", "referee_account"]

_OPEN = {"mosquitto": open_mosquitto, "embedded": open_embedded, "external": open_external}


@asynccontextmanager
async def open_broker(
    config: BrokerConfig, *, run: str, accounts: Sequence[Account], folder: Path
) -> AsyncIterator[Broker]:
    """A broker with these accounts, until the context is left; its log is `folder/broker.log`.

    `auto` takes mosquitto if it is on PATH, else the embedded one. BrokerError if it does not come up, ConfigError if
    the configuration is impossible.
    """
    use: str = config.use
    if use == "auto":
        use = "mosquitto" if shutil.which("mosquitto") else "embedded"
    async with _OPEN[use](config, run=run, accounts=accounts, folder=folder) as broker:
        yield broker
