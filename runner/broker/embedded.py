"""The broker for machines without mosquitto: amqtt in a process of its own. See `embedded_server` for what runs there.

Slower than mosquitto by half and meant for friendly bots; `gate` closes the holes in amqtt that are known to us.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from runner.broker.accounts import Account
from runner.broker.child import ChildCommand, Places

UNREAD_LIMIT_S = 10.0  # a bot that leaves more than its socket holds unread for so long is dropped


def embedded_command(places: Places, accounts: Sequence[Account]) -> ChildCommand:
    """An amqtt with these accounts."""
    settings = {
        "addresses": [("127.0.0.1", places.port), *([places.listen] if places.listen else [])],
        "socket": str(places.socket) if places.socket else None,
        "accounts": list(accounts),
        "unread_limit_s": UNREAD_LIMIT_S,
    }
    # the source tree may not be installed, and -P keeps the working directory out of the path
    source = str(Path(__file__).parents[2])
    command = (sys.executable, "-P", "-m", "runner.broker.embedded_server")
    return ChildCommand(command, msgspec.json.encode(settings), {"PYTHONPATH": source})
