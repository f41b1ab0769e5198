"""The broker for machines without mosquitto: amqtt in a process of its own. See `embedded_server` for what runs there.

Slower than mosquitto by half and meant for friendly bots; `gate` closes the holes in amqtt that are known to us.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import msgspec

from runner.broker.accounts import Account, Broker
from runner.broker.child import ChildCommand, Places, open_child
from runner.config.values import BrokerConfig

_NOTE = "embedded broker: slower than mosquitto, and meant for bots that wish each other well"

UNREAD_LIMIT_S = 10.0  # a bot that leaves more than its socket holds unread for so long is dropped


def open_embedded(
    config: BrokerConfig, *, run: str, accounts: Sequence[Account], folder: Path
) -> AbstractAsyncContextManager[Broker]:
    """An amqtt child with these accounts."""

    def make(places: Places) -> ChildCommand:
        addresses = [("127.0.0.1", places.port), *([places.listen] if places.listen else [])]
        socket = str(places.socket) if places.socket else None
        settings = {
            "addresses": addresses,
            "socket": socket,
            "accounts": list(accounts),
            "unread_limit_s": UNREAD_LIMIT_S,
        }
        # the source tree may not be installed, and -P keeps the working directory out of the path
        source = str(Path(__file__).parents[2])
        command = (sys.executable, "-P", "-m", "runner.broker.embedded_server")
        return ChildCommand(command, msgspec.json.encode(settings), {"PYTHONPATH": source})

    return open_child("embedded", config, make, run=run, folder=folder, note=_NOTE)
