"""A broker as a child process: where it listens, when it is ready, what it said when it failed. Knows no MQTT."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from runner.broker.accounts import Account, Broker
from runner.broker.private_folder import private_folder
from runner.config.values import ResourceLimits
from runner.processes.process import BotProcess, start_process
from runner.processes.start import Launch
from runner.wire.bus.address import Address
from runner.wire.errors import BrokerError, ConfigError

_READY_LIMIT_S = 15.0
_POLL_S = 0.005
_PORT_ATTEMPTS = 5
_SOCKET_PATH_BYTES = 100  # the system's limit is 104 to 108
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Places:
    """Where a broker child is to listen, and the private folder that is gone when it is."""

    folder: Path
    socket: Path | None
    port: int  # on loopback
    listen: tuple[str, int] | None  # for bots on other machines


@dataclass(frozen=True, slots=True)
class ChildCommand:
    """The command that listens at the given places."""

    command: tuple[str, ...]
    stdin: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)


@asynccontextmanager
async def open_child(
    kind: str,
    make: Callable[[Places, Sequence[Account]], ChildCommand],
    accounts: Sequence[Account],
    *,
    listen: str | None,
    run: str,
    folder: Path,
    note: str,
) -> AsyncIterator[Broker]:
    """The broker that `make`'s command starts, once it listens; ended when the context is left."""
    reachable = None if listen is None else parse_listen(listen)
    log = folder / "broker.log"
    with private_folder(lambda private: _socket_path(private) is not None) as private:
        for _ in range(_PORT_ATTEMPTS):  # a free port may be taken by somebody else before the child has it
            places = Places(private, _socket_path(private), _free_port(_LOOPBACK), reachable)
            async with _running(make(places, accounts), places, name=f"broker[{run}]", log=log) as problem:
                if not problem:
                    yield _describe(kind, places, note)
                    return
            if "in use" not in problem.lower():
                break
    raise BrokerError(f"{kind}: expected a broker that starts, got: {problem} (log: {log})")


def open_socket(address: Address) -> None:
    """Let every user of the machine connect to the broker's socket: bots that run as users of their own.

    They can enter its folder then, and read nothing there.
    """
    if address.socket is not None:
        socket_path = Path(address.socket)
        for secret in socket_path.parent.iterdir():
            secret.chmod(0o666 if secret == socket_path else 0o600)
        socket_path.parent.chmod(0o711)


def parse_listen(text: str) -> tuple[str, int]:
    """Host and port of `broker.listen`; port 0 means any free one.

    >>> parse_listen("0.0.0.0:1883")
    ('0.0.0.0', 1883)
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigError(f"broker.listen: expected host:port, got {text!r}")
    host = host.removeprefix("[").removesuffix("]")
    return host, int(port) or _free_port(host)


@asynccontextmanager
async def _running(child: ChildCommand, places: Places, *, name: str, log: Path) -> AsyncIterator[str]:
    """The command's process, ended when the context is left; why it does not listen, "" if it does."""
    log_start = _size(log)
    no_limits = ResourceLimits(memory_mb=None, cpu_s=None, open_files=None)
    launch = Launch(name, child.command, child.environment, log, no_limits, places.folder)
    process = await start_process(launch, stdin=child.stdin)
    try:
        if await _is_ready(process, places):
            yield ""
        else:
            exited = await process.stop(patience_s=0)
            yield _last_line(log, log_start) or exited.reason
    finally:
        await process.stop(patience_s=0)


async def _is_ready(process: BotProcess, places: Places) -> bool:
    """Whether it listens, as soon as it does; False when it has ended or the limit is over."""
    ended = asyncio.ensure_future(process.wait())
    try:
        async with asyncio.timeout(_READY_LIMIT_S):
            while not ended.done() and not await _accepts(places):
                await asyncio.wait([ended], timeout=_POLL_S)
            return not ended.done()
    except TimeoutError:
        return False
    finally:
        ended.cancel()


async def _accepts(places: Places) -> bool:
    # the socket in our private folder is nobody else's, and it is the listener that is opened last
    try:
        if places.socket is not None:
            _, writer = await asyncio.open_unix_connection(str(places.socket))
        else:
            _, writer = await asyncio.open_connection(_LOOPBACK, places.port)
    except OSError:
        return False
    writer.close()
    return True


def _describe(kind: str, places: Places, note: str) -> Broker:
    address = Address(_LOOPBACK, places.port, socket=str(places.socket) if places.socket else None)
    if places.listen is None:
        return Broker(kind, address, None, note)
    host, port = places.listen
    everywhere = host in ("0.0.0.0", "::", "*")  # noqa: S104 - the user's choice
    public = Address(socket.gethostname() if everywhere else host, port)
    where = f"remote bots connect to {public.url}, unencrypted"
    return Broker(kind, address, public, f"{note}; {where}" if note else where)


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _last_line(log: Path, start: int) -> str:
    """The last line that was written since the log had `start` bytes; runs on one folder share a log."""
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _socket_path(folder: Path) -> Path | None:
    path = folder / "mqtt.sock"
    return path if hasattr(socket, "AF_UNIX") and len(bytes(path)) <= _SOCKET_PATH_BYTES else None


def _free_port(host: str) -> int:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port
