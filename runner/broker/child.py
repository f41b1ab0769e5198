"""Runs a broker as a child process: a private mosquitto, 2.0 or 2.1, with its files, or the built-in amqtt.

It makes the broker's command and addresses, waits until it is ready, and says why it failed. The client id is always
the user name, so that no bot can take over another one's session. mosquitto confirms subscriptions outside an account's
rights but delivers nothing, and silently drops messages outside them.

amqtt is for machines without mosquitto. It runs in a process of its own (`embedded_server`), is slower by half and
meant for trusted bots; `gate` closes its known security holes.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import secrets
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from gridjoust.runner.broker.accounts import Account, Broker, ProxyConfig
from gridjoust.runner.broker.listening import LOOPBACK, free_port
from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.private_folder import private_folder
from gridjoust.runner.processes.process import BotProcess, Ending, start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.bus.address import Address
from gridjoust.runner.wire.errors import BrokerError, naming
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES

_READY_LIMIT_S = 60.0  # reached by a broker that hangs; one that fails ends before
_POLL_S = 0.005
_PORT_ATTEMPTS = 5
_SOCKET_PATH_BYTES = 100  # the system's limit is 104 to 108


@dataclass(frozen=True, slots=True)
class Places:
    """The socket and port for a broker, and its private folder; the folder is deleted after the broker has ended."""

    folder: Path
    socket: Path | None
    port: int  # on loopback


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """The command of a child process, with its standard input and environment."""

    command: tuple[str, ...]
    stdin: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)


@asynccontextmanager
async def open_child(
    kind: str,
    make: Callable[[Places, Sequence[Account]], ChildCommand],
    accounts: Sequence[Account],
    *,
    run: str,
    folder: Path,
    note: str,
) -> AsyncIterator[Broker]:
    """Start the broker by `make`'s command and wait until it listens; stop it at the end of the context.

    BrokerError if it does not start.
    """
    log = folder / "broker.log"
    with private_folder(lambda private: _socket_path(private) is not None) as private:
        for _ in range(_PORT_ATTEMPTS):  # another process may take a free port before the child does
            places = Places(private, _socket_path(private), free_port())
            # the socket is in a private folder, and the broker opens it last: if it accepts, the broker is ready
            address = Address(LOOPBACK, places.port, socket=str(places.socket) if places.socket else None)
            is_up = partial(_accepts, address)
            async with running(
                make(places, accounts), is_up, name=f"broker[{run}]", log=log, folder=private
            ) as problem:
                if not problem:
                    yield Broker(kind, address, None, note)
                    return
            if "in use" not in problem.lower():
                break
    raise BrokerError(f"{kind} broker did not start: {problem} (log: {log})")


def open_socket(address: Address) -> None:
    """Let every user of the machine connect to the broker's socket, as bots may run as users of their own.

    These users can then enter its folder but read no other file in it.
    """
    if address.socket is not None:
        socket_path = Path(address.socket)
        for secret in socket_path.parent.iterdir():
            secret.chmod(0o666 if secret == socket_path else 0o600)
        socket_path.parent.chmod(0o711)


@asynccontextmanager
async def running(
    child: ChildCommand, is_up: Callable[[], Awaitable[bool]], *, name: str, log: Path, folder: Path
) -> AsyncIterator[str]:
    """Run the command until the end of the context; yield "" once it is up, or the reason why it is not."""
    log_start = _size(log)
    no_limits = ResourceLimits(memory_mb=None, cpu_s=None, open_files=None)
    launch = Launch(name, child.command, child.environment, log, no_limits, folder)
    process = await start_process(launch, stdin=child.stdin)
    try:
        if await _is_ready(process, is_up):
            yield ""
        else:
            exited = await process.stop(patience_s=0)
            hung = f"not ready after {_READY_LIMIT_S:g} s"
            yield _last_line(log, log_start) or (hung if exited.ending is Ending.STOPPED else exited.reason)
    finally:
        await process.stop(patience_s=0)


async def _is_ready(process: BotProcess, is_up: Callable[[], Awaitable[bool]]) -> bool:
    """Wait until the process is up and return True; False if it ends or takes longer than the limit."""
    ended = asyncio.ensure_future(process.wait())
    try:
        async with asyncio.timeout(_READY_LIMIT_S):
            while not ended.done() and not await is_up():
                await asyncio.wait([ended], timeout=_POLL_S)
            return not ended.done()
    except TimeoutError:
        return False
    finally:
        ended.cancel()


async def _accepts(address: Address) -> bool:
    try:
        if address.socket is not None:
            _, writer = await asyncio.open_unix_connection(address.socket)
        else:
            _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        return False
    writer.close()
    return True


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _last_line(log: Path, start: int) -> str:
    """Return the last line of the log after its first `start` bytes, as earlier runs may have written those."""
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _socket_path(folder: Path) -> Path | None:
    path = folder / "mqtt.sock"
    return path if hasattr(socket, "AF_UNIX") and len(bytes(path)) <= _SOCKET_PATH_BYTES else None


_PACKET_MARGIN_BYTES = 16 * 1024  # topic and headers
UNREAD_LIMIT_S = 10.0  # amqtt drops a bot that does not read, while its socket is full, for this long
# Beyond this limit mosquitto drops the next messages, of any sender. The runner ends a flooding bot before that.
_QUEUE_LIMIT = 100_000
_HASH_ROUNDS = 101  # as in mosquitto_passwd; the passwords are random, so more rounds add nothing


def mosquitto_command(places: Places, accounts: Sequence[Account]) -> ChildCommand:
    """Write mosquitto's configuration for these accounts and return its command; BrokerError without mosquitto."""
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
