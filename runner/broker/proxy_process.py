"""Starts and stops the process of the TLS proxy, which is in `gridjoust.runner.broker.tls_proxy`."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gridjoust.runner.broker.accounts import Broker, ProxyConfig
from gridjoust.runner.broker.child import running
from gridjoust.runner.broker.commands import READY, proxy_command
from gridjoust.runner.broker.listening import reachable_hosts
from gridjoust.runner.processes.private_folder import private_folder
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import BrokerError


@asynccontextmanager
async def open_tls_proxy(proxy: ProxyConfig | None, broker: Broker, folder: Path) -> AsyncIterator[Broker]:
    """Run the TLS proxy, if any, in front of a broker while the context is open; its log is `folder/tls_proxy.log`."""
    if proxy is None:
        yield broker
        return
    host, port = proxy.listen
    public, log = Address(reachable_hosts(host)[0], port, tls=True), folder / "tls_proxy.log"
    with private_folder(lambda _: True) as private:

        async def is_up() -> bool:
            return (private / READY).exists()  # a test of the port could reach another process

        command = proxy_command(proxy, broker.address)
        async with running(command, is_up, name="tls_proxy", log=log, folder=private) as problem:
            if problem:
                raise BrokerError(f"broker.listen: cannot open the port: {problem} (log: {log})")
            note = f"remote bots connect to {public.url}"
            yield dataclasses.replace(broker, public=public, note=f"{broker.note}; {note}" if broker.note else note)
