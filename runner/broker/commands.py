"""Makes the commands that start a broker: a private mosquitto, 2.0 or 2.1, with its files, or the built-in amqtt.

The client id is always the user name, so that no bot can take over another one's session. mosquitto confirms
subscriptions outside an account's rights but delivers nothing, and silently drops messages outside them.

amqtt is for machines without mosquitto. It runs in a process of its own (`embedded_server`), is slower by half and
meant for trusted bots; `gate` closes its known security holes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from gridjoust.runner.broker.accounts import Account, ProxyConfig
from gridjoust.runner.broker.child import ChildCommand, Places
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import BrokerError, naming
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES

_PACKET_MARGIN_BYTES = 16 * 1024  # topic and headers
READY = "ready"  # a file that the TLS proxy makes in its folder once it listens
UNREAD_LIMIT_S = 10.0  # amqtt drops a bot that does not read, while its socket is full, for this long
# Beyond this limit mosquitto drops the next messages, of any sender. The runner ends a flooding bot before that.
_QUEUE_LIMIT = 100_000
_HASH_ROUNDS = 101  # as in mosquitto_passwd; the passwords are random, so more rounds add nothing


def mosquitto_command(places: Places, accounts: Sequence[Account]) -> ChildCommand:
    """Write the files of a mosquitto with these accounts and return its command; BrokerError if it is missing."""
    binary = shutil.which("mosquitto")
    if binary is None:
        raise BrokerError("mosquitto is not on the PATH (broker: {use: embedded} needs no installation)")
    files = {
        "mosquitto.conf": _format_settings(places),
        "passwords": "".join(f"{account.user}:{hash_password(account.password)}\n" for account in accounts),
        "rights": "".join(_format_rights(account) for account in accounts),
    }
    for name, text in files.items():
        path = places.folder / name
        path.touch(mode=0o600)
        with naming(path):
            path.write_text(text, encoding="utf-8")
    return ChildCommand((binary, "-c", str(places.folder / "mosquitto.conf")))


def embedded_command(places: Places, accounts: Sequence[Account]) -> ChildCommand:
    """Return the command of the built-in broker with these accounts."""
    settings = {
        "port": places.port,
        "socket": str(places.socket) if places.socket else None,
        "accounts": list(accounts),
        "unread_limit_s": UNREAD_LIMIT_S,
    }
    return _own_command("gridjoust.runner.broker.embedded_server", settings)


def proxy_command(proxy: ProxyConfig, inner: Address) -> ChildCommand:
    """Return the command of the TLS proxy for remote bots, in front of the broker at `inner`."""
    return _own_command("gridjoust.runner.broker.tls_proxy", {"proxy": proxy, "inner": inner})


def _own_command(module: str, settings: Mapping[str, object]) -> ChildCommand:
    # the source tree may not be installed, and -P keeps the working directory out of the path
    source = str(Path(__file__).parents[3])
    return ChildCommand((sys.executable, "-P", "-m", module), msgspec.json.encode(settings), {"PYTHONPATH": source})


def _format_settings(places: Places) -> str:
    lines = [
        "allow_anonymous false",
        f"password_file {places.folder / 'passwords'}",
        f"acl_file {places.folder / 'rights'}",
        "persistence false",
        "sys_interval 0",
        "set_tcp_nodelay true",
        f"max_packet_size {PACKET_LIMIT_BYTES + _PACKET_MARGIN_BYTES}",
        f"max_queued_messages {_QUEUE_LIMIT}",
        "log_dest stderr",
        *(f"log_type {kind}" for kind in ("error", "warning", "notice")),
        "log_timestamp_format %Y-%m-%dT%H:%M:%S",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        lines.insert(0, "user root")  # otherwise it becomes the user `mosquitto`, who cannot enter the private folder
    listeners = [f"{places.port} 127.0.0.1"]
    if places.socket is not None:
        listeners.append(f"0 {places.socket}")  # last: when it exists, all listeners are open
    for listener in listeners:
        lines += [f"listener {listener}", "use_username_as_clientid true"]  # this setting is per listener
    return "\n".join(lines) + "\n"


def _format_rights(account: Account) -> str:
    reads = [f"topic read {topic_filter}" for topic_filter in account.read]
    writes = [f"topic write {topic_filter}" for topic_filter in account.write]
    return "\n".join([f"user {account.user}", *reads, *writes, "", ""])


def hash_password(password: str) -> str:
    """Hash a password for mosquitto's password file: PBKDF2 with SHA-512, type 7."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _HASH_ROUNDS)
    return f"$7${_HASH_ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"
