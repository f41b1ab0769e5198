"""An amqtt plugin that answers questions about rights from the accounts. amqtt loads it by name."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Any

import msgspec
from amqtt.contexts import Action, BaseContext
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from gridjoust.runner.broker.accounts import Account
from gridjoust.runner.broker.gate import may


class RightsPlugin(BaseAuthPlugin, BaseTopicPlugin):  # type: ignore[misc] # amqtt has no types
    """Decides which account may connect, publish, subscribe and receive."""

    @dataclass
    class Config:
        """The plugin's configuration: accounts as plain values."""

        accounts: list[dict[str, Any]] = field(default_factory=list)

    def __init__(self, context: BaseContext) -> None:
        super().__init__(context)
        accounts = msgspec.convert(self.config.accounts, list[Account])
        self._accounts = {account.user: account for account in accounts}

    async def authenticate(self, *, session: Session) -> bool | None:
        """Return True if user, client id and password fit; a second check after the gate's."""
        account = self._accounts.get(session.username or "")
        if account is None or session.client_id != account.user:
            return False
        return hmac.compare_digest(account.password.encode(), (session.password or "").encode())

    async def topic_filtering(
        self, *, session: Session | None = None, topic: str | None = None, action: Action | None = None
    ) -> bool | None:
        """Return True if the account may do this with the topic (or with the filter, if it subscribes)."""
        if session is None or topic is None or action is None:
            return False
        account = self._accounts.get(session.username or "")
        return account is not None and may(account, action.value, topic)
