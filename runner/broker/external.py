"""Somebody else's broker, named by a url. Starts nothing and can create no accounts there.

Everyone connects with the url's credentials, so nothing keeps one bot from reading or posing as another.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from runner.broker.accounts import Account, Broker
from runner.config.values import BrokerConfig
from runner.wire.bus.address import parse_address
from runner.wire.errors import ConfigError

_NOTE = "external broker: all bots share one account, so they could read and imitate each other"


@asynccontextmanager
async def open_external(
    config: BrokerConfig,
    *,
    run: str,  # noqa: ARG001 - the signature that all brokers share
    accounts: Sequence[Account],  # noqa: ARG001
    folder: Path,  # noqa: ARG001
) -> AsyncIterator[Broker]:
    """The broker of the url; whether it is there shows when the first bus connects."""
    address, _, _ = parse_address(_url(config))
    yield Broker("external", address, address, _NOTE)


def credentials(config: BrokerConfig, account: Account) -> tuple[str | None, str | None]:
    """User and password to connect with: the account's own, except on an external broker, where all share the url's."""
    if config.use != "external":
        return account.user, account.password
    _, user, password = parse_address(_url(config))
    return user, password


def _url(config: BrokerConfig) -> str:
    if config.url is None:
        raise ConfigError("broker.url: expected mqtt(s)://user:password@host:port for an external broker, got nothing")
    return config.url
