"""A broker as a child process: where it listens, when it is ready, what it said when it failed. Knows no MQTT."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from runner.broker.accounts import Broker
from runner.broker.private_folder import private_folder
from runner.config.values import BrokerConfig, ResourceLimits
from runner.processes.process import BotProcess, Launch, start_process
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
    kind: str, config: BrokerConfig, make: Callable[[Places], ChildCommand], *, run: str, folder: Path, note: str
) -> AsyncIterator[Broker]:
    """The broker that `make`'s command starts, once it listens; ended when the context is left."""
    listen = None if config.listen is None else parse_listen(config.listen)
    with private_folder(_has_room_for_socket) as private:
        places, process = await _start(kind, make, private, listen, run=run, folder=folder)
        try:
            address = Address(_LOOPBACK, places.port, socket=str(places.socket) if places.socket else None)
            public = None if places.listen is None else Address(_reachable_host(places.listen[0]), places.listen[1])
            yield Broker(kind, address, public, "; ".join(filter(None, (note, _public_note(public)))))
        finally:
            await process.stop(patience_s=0)


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


async def _start(
    kind: str,
    make: Callable[[Places], ChildCommand],
    private: Path,
    listen: tuple[str, int] | None,
    *,
    run: str,
    folder: Path,
) -> tuple[Places, BotProcess]:
    log = folder / "broker.log"
    said = ""
    for _ in range(_PORT_ATTEMPTS):  # a free port may be taken by somebody else before the child has it
        places = Places(private, _socket_path(private), _free_port(_LOOPBACK), listen)
        log_start = log.stat().st_size if log.exists() else 0
        child = make(places)
        no_limits = ResourceLimits(memory_mb=None, cpu_s=None)
        launch = Launch(f"broker[{run}]", child.command, child.environment, log, no_limits, private)
        process = await start_process(launch, stdin=child.stdin)
        try:
            is_ready = await _is_ready(process, places)
        except BaseException:  # cancelled: nobody else knows the process yet
            process.kill()
            raise
        if is_ready:
            return places, process
        exited = await process.stop(patience_s=0)
        said = _last_line(log, log_start) or exited.reason
        if "in use" not in said.lower():
            break
    raise BrokerError(f"{kind}: expected a broker that starts, got: {said} (log: {log})")


async def _is_ready(process: BotProcess, places: Places) -> bool:
    """Whether it listens, as soon as it does; False when it has ended or the limit is over."""
    ended = asyncio.ensure_future(process.wait())
    try:
        async with asyncio.timeout(_READY_LIMIT_S):
            while not ended.done():
                if await _accepts(places):
                    return not ended.done()
                await asyncio.wait([ended], timeout=_POLL_S)
    except TimeoutError:
        pass
    finally:
        ended.cancel()
    return False


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


def _has_room_for_socket(folder: Path) -> bool:
    return _socket_path(folder) is not None


def _socket_path(folder: Path) -> Path | None:
    path = folder / "mqtt.sock"
    return path if hasattr(socket, "AF_UNIX") and len(bytes(path)) <= _SOCKET_PATH_BYTES else None


def _free_port(host: str) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def _reachable_host(host: str) -> str:
    return socket.gethostname() if host in ("0.0.0.0", "::", "*") else host  # noqa: S104 - the user's choice


def _public_note(public: Address | None) -> str:
    return "" if public is None else f"remote bots connect to {public.url}, unencrypted"


def _last_line(log: Path, start: int) -> str:
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
