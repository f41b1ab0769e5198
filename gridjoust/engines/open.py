"""Opens the engine that plays a plan on other machines; a tournament with `where: local` needs none."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from pathlib import Path

from gridjoust.runner.broker.listening import LOOPBACK, parse_place, reachable_hosts
from gridjoust.runner.engines.batch import Engine
from gridjoust.runner.engines.job import make_job
from gridjoust.runner.engines.player import WorkerRuntime
from gridjoust.runner.plan import Plan
from gridjoust.runner.results.secrets import write_private
from gridjoust.runner.wire.errors import ConfigError, format_os_error

TOKEN = "workers.token"  # noqa: S105 - file in the results folder until the run is complete

Say = Callable[[str], None]


@contextlib.asynccontextmanager
async def open_engine(plan: Plan, runtime: WorkerRuntime, *, say: Say) -> AsyncIterator[Engine]:
    """Open the engine of a plan that other machines play; `say` gets a line for people now and then."""
    where = plan.loaded.config.execution.where
    opened = _open_dask(plan, runtime) if where == "dask" else _open_server(plan, say)
    async with opened as engine:
        yield engine


@contextlib.asynccontextmanager
async def _open_dask(plan: Plan, runtime: WorkerRuntime) -> AsyncIterator[Engine]:
    if find_spec("distributed") is None:
        raise ConfigError("execution.where: dask: distributed is not installed: pip install 'gridjoust[dask]'")
    from gridjoust.engines.dask_cluster import open_cluster  # noqa: PLC0415 - an extra

    async with open_cluster(plan.loaded, runtime, trust=plan.trust) as engine:
        yield engine


@contextlib.asynccontextmanager
async def _open_server(plan: Plan, say: Say) -> AsyncIterator[Engine]:
    from gridjoust.engines.messages import Offer  # noqa: PLC0415
    from gridjoust.engines.registry import WorkerRegistry  # noqa: PLC0415
    from gridjoust.engines.self_test import record_self_test  # noqa: PLC0415
    from gridjoust.engines.server import WorkerServer, serving  # noqa: PLC0415

    config = plan.loaded.config
    host, port = parse_place(config.execution.listen or f"{LOOPBACK}:0", key="execution.listen")
    job, files = make_job(plan.loaded)
    recorded, hashes = record_self_test(plan.loaded)
    is_timed = config.execution.isolation != "none"
    registry = WorkerRegistry(hashes=hashes, job=job.digest, grace_ms=config.time.grace_ms, judges_lateness=is_timed)
    token = _token_of(plan.out)
    server = WorkerServer(registry, Offer(job=job, self_test=tuple(recorded)), files)
    with _listening(host, port) as opened:
        port = opened.getsockname()[1]
        for reachable in reachable_hosts(host)[:1]:
            shown = f"[{reachable}]" if ":" in reachable else reachable
            say(f"workers: joust work http://{shown}:{port} --token {token}")
        async with serving(server, opened, token=token):
            yield server
            server.is_complete = True
    (plan.out / TOKEN).unlink()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(f"execution.listen: {host}:{port}: {format_os_error(error)}") from None


def _token_of(out: Path) -> str:
    """Return the run's token for workers; a resumed run keeps its token, so that they can come back."""
    file = out / TOKEN
    if file.is_file():
        return file.read_text(encoding="utf-8").strip()
    token = secrets.token_urlsafe(24)
    write_private(file, token.encode())
    return token
