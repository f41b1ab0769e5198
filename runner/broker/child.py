"""A broker as a child process: where it listens, when it is ready, what it said when it failed. Knows no MQTT."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gridjoust.runner.broker.accounts import Account, Broker
from gridjoust.runner.broker.listening import LOOPBACK, free_port
from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.private_folder import private_folder
from gridjoust.runner.processes.process import BotProcess, start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.bus.address import Address
from gridjoust.runner.wire.errors import BrokerError

_READY_LIMIT_S = 15.0
_POLL_S = 0.005
_PORT_ATTEMPTS = 5
_SOCKET_PATH_BYTES = 100  # the system's limit is 104 to 108


@dataclass(frozen=True, slots=True)
class Places:
    """Where a broker child is to listen, and the private folder that is gone when it is."""

    folder: Path
    socket: Path | None
    port: int  # on loopback


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
    run: str,
    folder: Path,
    note: str,
) -> AsyncIterator[Broker]:
    """The broker that `make`'s command starts, once it listens; ended when the context is left."""
    log = folder / "broker.log"
    with private_folder(lambda private: _socket_path(private) is not None) as private:
        for _ in range(_PORT_ATTEMPTS):  # a free port may be taken by somebody else before the child has it
            places = Places(private, _socket_path(private), free_port())
            # the socket in our private folder is nobody else's, and it is the listener that is opened last
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


@asynccontextmanager
async def running(
    child: ChildCommand, is_up: Callable[[], Awaitable[bool]], *, name: str, log: Path, folder: Path
) -> AsyncIterator[str]:
    """The command's process, ended when the context is left; why it does not listen, "" if it is up."""
    log_start = _size(log)
    no_limits = ResourceLimits(memory_mb=None, cpu_s=None, open_files=None)
    launch = Launch(name, child.command, child.environment, log, no_limits, folder)
    process = await start_process(launch, stdin=child.stdin)
    try:
        if await _is_ready(process, is_up):
            yield ""
        else:
            exited = await process.stop(patience_s=0)
            yield _last_line(log, log_start) or exited.reason
    finally:
        await process.stop(patience_s=0)


async def _is_ready(process: BotProcess, is_up: Callable[[], Awaitable[bool]]) -> bool:
    """Whether it is up, as soon as it is; False when it has ended or the limit is over."""
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
    """The last line that was written since the log had `start` bytes; runs on one folder share a log."""
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _socket_path(folder: Path) -> Path | None:
    path = folder / "mqtt.sock"
    return path if hasattr(socket, "AF_UNIX") and len(bytes(path)) <= _SOCKET_PATH_BYTES else None
