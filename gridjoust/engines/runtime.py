"""The functions that an engine needs on a worker's machine. They are pickled by reference."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from gridjoust.runner.config.values import BotInfo
from gridjoust.runner.engines.player import OpenBackend


@dataclass(frozen=True, slots=True)
class WorkerRuntime:
    """A worker's ways to find bots, start them, and run an event loop."""

    known_bots: Mapping[str, BotInfo]
    open_backend: OpenBackend
    run_loop: Callable[[Coroutine[None, None, None]], Any]
