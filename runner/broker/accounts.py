"""The accounts of a broker: the topics that each may read and write, and the credentials."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace

from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.wire.bus.address import Address, parse_address
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import bot_prefix, charge_topic, lines_topic, notice_topic, shown_topic

READY = "ready"  # a file that the TLS proxy makes in its folder once it listens


@dataclass(frozen=True, slots=True)
class Account:
    """One user of the broker and the topic filters that it may read and write; all other messages are dropped.

    `charge`: topic on which the built-in broker reports that the user floods it; "" = no limit. `secret`: password of a
    remote bot at the TLS proxy.
    """

    user: str
    password: str = field(repr=False)
    read: tuple[str, ...]
    write: tuple[str, ...]
    charge: str = ""  # topic on which the built-in broker reports that it floods; "" = it may send without limit
    secret: str = field(default="", repr=False)  # password of a remote bot at the TLS proxy

    @property
    def streams_search(self) -> bool:
        """True if the account's bot may publish what it searches; it is then started with that option."""
        return any(topic == shown_topic(topic.rpartition("/")[0]) for topic in self.write)


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """Settings of the TLS proxy for remote bots; their secrets are valid at the proxy only, not at the broker."""

    listen: tuple[str, int]
    certificate: str  # PEM
    key: str = field(repr=False)
    guests: tuple[Account, ...]


@dataclass(frozen=True, slots=True)
class Broker:
    """A running broker: its kind, and the addresses for local and remote bots."""

    kind: str  # mosquitto, embedded or external
    address: Address  # for the referee and local bots
    public: Address | None  # where remote bots connect, if there are any
    note: str  # one line for the user, "" if there is nothing to say


def bot_account(run: str, name: str, *, secret: str = "") -> Account:
    """Return the account of the bot process `<name>`, which reads its own `in` and writes its own `out` and `status`.

    With a `secret` the account is a remote bot's, which also reads `notice`, the messages for the person who runs it.
    """
    prefix = bot_prefix(run, name)
    # the prefix of the user name distinguishes a bot called `referee` from the referee
    read = (f"{prefix}/in", *([notice_topic(prefix)] if secret else []))
    write = (f"{prefix}/out", f"{prefix}/status")
    return Account(f"bot-{name}", secrets.token_urlsafe(16), read, write, charge_topic(prefix), secret)


def referee_account(run: str) -> Account:
    """Return the referee's account, which may read and write all topics of its run and no others."""
    return Account("referee", secrets.token_urlsafe(16), (f"joust/{run}/#",), (f"joust/{run}/#",))


def allow_search(account: Account, run: str, name: str) -> Account:
    """Return the account of the bot process `<name>` with the right to publish what it searches."""
    return replace(account, write=(*account.write, shown_topic(bot_prefix(run, name))))


def page_account(run: str, *, stream_search: bool = False) -> Account:
    """Return the live page's account: it reads the lines of all matches, and the bots' searches if they stream them."""
    searches = (shown_topic(bot_prefix(run, "+")),) if stream_search else ()
    return Account("watcher", secrets.token_urlsafe(16), (lines_topic(run, "+"), *searches), ())


def credentials(config: BrokerConfig, account: Account) -> tuple[str | None, str | None]:
    """Return user and password: the account's own, or those of the URL for an external broker, which all bots share."""
    if config.use != "external":
        return account.user, account.password
    _, user, password = _parse_url(config)
    return user, password


def external_broker(config: BrokerConfig) -> Broker:
    """Return the broker of the URL; it has no accounts of its own for bots, so they can imitate each other."""
    address, _, _ = _parse_url(config)
    note = "external broker: all bots share one account, so they could read and imitate each other"
    return Broker("external", address, address, note)


def _parse_url(config: BrokerConfig) -> tuple[Address, str | None, str | None]:
    if config.url is None:
        raise ConfigError("broker.url: expected mqtt(s)://user:password@host:port for an external broker, got nothing")
    return parse_address(config.url)
