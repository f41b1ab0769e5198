"""amqtt's questions about rights, answered from the accounts. Loaded by amqtt, by name, in the embedded server."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Any

from amqtt.contexts import Action, BaseContext
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from runner.broker.accounts import Account
from runner.wire.bus.topics import covers, matches_any, split_filter

_REMEMBERED = 4096  # answers, so that a topic is split and matched once


class RightsPlugin(BaseAuthPlugin, BaseTopicPlugin):  # type: ignore[misc] # amqtt has no types
    """Who may connect, publish, subscribe and receive."""

    @dataclass
    class Config:
        """Accounts as plain values."""

        accounts: list[dict[str, Any]] = field(default_factory=list)

    def __init__(self, context: BaseContext) -> None:
        super().__init__(context)
        accounts = [Account(**values) for values in self.config.accounts]
        self._accounts = {account.user: account for account in accounts}
        self._known: dict[tuple[str, str, str], bool] = {}

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
        key = (session.username or "", action.value, topic)
        answer = self._known.get(key)
        if answer is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            answer = self._known[key] = self._decide(*key)
        return answer

    def _decide(self, user: str, action: str, topic: str) -> bool:
        account = self._accounts.get(user)
        if account is None:
            return False
        rights = [split_filter(right) for right in (account.write if action == "publish" else account.read)]
        levels = tuple(topic.split("/"))
        if action == "subscribe":
            return any(covers(right, levels) for right in rights)
        return matches_any(rights, levels)
