"""Runs a broker as a child process: its addresses, the wait until it is ready, and the reason if it fails."""

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
    """The socket and port for a broker, and its private folder, which is deleted after it ends."""

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
    """Start the broker by `make`'s command and wait until it listens; stop it at the end of the context."""
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
            yield _last_line(log, log_start) or exited.reason
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
