"""Who may read and write what on the broker, and with which credentials one connects. Starts no broker."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.wire.bus.address import Address, parse_address
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import bot_prefix, charge_topic, lines_topic, notice_topic
from gridjoust.runner.wire.shown import shown_topic


@dataclass(frozen=True, slots=True)
class Account:
    """One user of the broker: topic filters it may read and write; everything else is silently kept from it."""

    user: str
    password: str = field(repr=False)
    read: tuple[str, ...]
    write: tuple[str, ...]
    charge: str = ""  # topic on which the embedded broker says that it floods; without one it may
    secret: str = field(default="", repr=False)  # what a remote bot shows at the door, instead of the password


@dataclass(frozen=True, slots=True)
class Door:
    """Where remote bots are let in, and who: what they show there is worth nothing at the broker itself."""

    listen: tuple[str, int]
    certificate: str  # PEM
    key: str = field(repr=False)
    guests: tuple[Account, ...]


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker that is up."""

    kind: str  # mosquitto, embedded or external
    address: Address  # for the referee and local bots
    public: Address | None  # where remote bots connect, if there are any
    note: str  # one line for the user, "" if there is nothing to say


def bot_account(run: str, name: str, *, secret: str = "") -> Account:
    """The account of the bot process `<name>`: reads its own `in`, writes its own `out` and `status`.

    With a `secret` it is a remote bot's, which also hears what people are told: its `notice`.
    """
    prefix = bot_prefix(run, name)
    # the prefix keeps a bot that is called `referee` apart from the referee
    read = (f"{prefix}/in", *([notice_topic(prefix)] if secret else []))
    write = (f"{prefix}/out", f"{prefix}/status")
    return Account(f"bot-{name}", secrets.token_urlsafe(16), read, write, charge_topic(prefix), secret)


def referee_account(run: str) -> Account:
    """The referee's account: everything of its run, nothing of another."""
    return Account("referee", secrets.token_urlsafe(16), (f"joust/{run}/#",), (f"joust/{run}/#",))


def watcher_account(run: str, *, lens: bool = False) -> Account:
    """The live page's account: reads the lines of all matches, with `lens` what bots show too; writes nothing."""
    shown = (shown_topic(bot_prefix(run, "+")),) if lens else ()
    return Account("watcher", secrets.token_urlsafe(16), (lines_topic(run, "+"), *shown), ())


def credentials(config: BrokerConfig, account: Account) -> tuple[str | None, str | None]:
    """User and password to connect with: the account's own, except on an external broker, where all share the url's."""
    if config.use != "external":
        return account.user, account.password
    _, user, password = _parse_url(config)
    return user, password


def external_broker(config: BrokerConfig) -> Broker:
    """The broker of the url. We can create no accounts there: nothing keeps bots from reading or posing as others."""
    address, _, _ = _parse_url(config)
    note = "external broker: all bots share one account, so they could read and imitate each other"
    return Broker("external", address, address, note)


def _parse_url(config: BrokerConfig) -> tuple[Address, str | None, str | None]:
    if config.url is None:
        raise ConfigError("broker.url: expected mqtt(s)://user:password@host:port for an external broker, got nothing")
    return parse_address(config.url)
