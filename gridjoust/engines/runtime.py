"""What an engine must be given to play on a machine, as it stands above this room. Goes to workers by reference."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from gridjoust.runner.config.values import BotInfo
from gridjoust.runner.engines.player import OpenBackend


@dataclass(frozen=True, slots=True)
class WorkerRuntime:
    """How bots are found and started, and how an event loop is run."""

    known_bots: Mapping[str, BotInfo]
    open_backend: OpenBackend
    run_loop: Callable[[Coroutine[None, None, None]], Any]
