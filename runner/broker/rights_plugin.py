"""What amqtt asks about rights, answered from the accounts. amqtt loads it by name; importing it imports amqtt."""

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
    """Who may connect, publish, subscribe and receive."""

    @dataclass
    class Config:
        """Accounts as plain values."""

        accounts: list[dict[str, Any]] = field(default_factory=list)

    def __init__(self, context: BaseContext) -> None:
        super().__init__(context)
        accounts = msgspec.convert(self.config.accounts, list[Account])
        self._accounts = {account.user: account for account in accounts}

    async def authenticate(self, *, session: Session) -> bool | None:
        """Whether the connection is its account's own; the gate has asked already, this is the second lock."""
        account = self._accounts.get(session.username or "")
        if account is None or session.client_id != account.user:
            return False
        return hmac.compare_digest(account.password.encode(), (session.password or "").encode())

    async def topic_filtering(
        self, *, session: Session | None = None, topic: str | None = None, action: Action | None = None
    ) -> bool | None:
        """Whether the account may do this with the topic (or the filter, when it subscribes)."""
        if session is None or topic is None or action is None:
            return False
        account = self._accounts.get(session.username or "")
        return account is not None and may(account, action.value, topic)
