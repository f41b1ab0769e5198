"""Collects what a bot shows of its search, and publishes it for spectators; it never enters a match or its record.

The live page of a run gets the search a few times a second at most; the referee takes no part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter

import msgspec

from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import BotBus
from gridjoust.runner.wire.protocol import shown_topic

Place = tuple[int, int]

LIMIT_BYTES = 64 * 1024  # of all layers of one answer, as JSON
MOST_LAYERS = 32


@dataclass(frozen=True, slots=True)
class ShownLayer:
    """A named drawing of one `kind` that a bot shows of its search.

    `data` is a text, or x, y, value per cell of a heat map, or x, y per cell in order for other kinds.
    """

    name: str
    kind: str  # heat, path, nodes, frontier, arrows or text
    data: list[float] | str


class Lens:
    """The layers of the answer that the bot is working on; layers beyond the limits are dropped and counted."""

    def __init__(self) -> None:
        self.left_out = 0
        self._layers: dict[tuple[str, str], ShownLayer] = {}  # by name and kind
        self._sizes: dict[tuple[str, str], int] = {}

    def add(
        self,
        name: str,
        *,
        heat: Mapping[Place, float] | None,
        path: Iterable[Place],
        nodes: Iterable[Place],
        frontier: Iterable[Place],
        arrows: Iterable[tuple[Place, Place]],
        text: str,
    ) -> None:
        """Store each drawing that is not empty; it replaces the one that this answer showed with its name and kind."""
        self._keep(
            name, "heat", [round(float(one), 3) for place, value in (heat or {}).items() for one in (*place, value)]
        )
        for kind, places in (("path", path), ("nodes", nodes), ("frontier", frontier)):
            self._keep(name, kind, [at for place in places for at in place])
        self._keep(name, "arrows", [at for tail, head in arrows for at in (*tail, *head)])
        self._keep(name, "text", text)

    def _keep(self, name: str, kind: str, data: list[float] | str) -> None:
        if not data:
            return
        key, size = (name, kind), len(name) + len(json.dumps(data))
        self._layers.pop(key, None)
        self._sizes.pop(key, None)
        if sum(self._sizes.values()) + size > LIMIT_BYTES or len(self._layers) == MOST_LAYERS:
            self.left_out += 1
            return
        self._sizes[key] = size
        self._layers[key] = ShownLayer(name, kind, data)

    def take(self) -> list[ShownLayer]:
        """Return and forget the layers shown since the last call."""
        taken = list(self._layers.values())
        self._layers.clear()
        self._sizes.clear()
        return taken


SHOW_EVERY_S = 0.25  # per seat, because showing costs the bot time


class Showcase:
    """Publishes the search layers that the bots of one process show, for each seat every SHOW_EVERY_S at most."""

    def __init__(self, bus: BotBus, prefix: str) -> None:
        self.lens = Lens()
        self._bus = bus
        self._topic = shown_topic(prefix)
        self._shown_s: dict[int, float] = {}  # time of the last publication, by seat

    def lens_for(self, seat: int) -> Lens | None:
        """Return the lens for the layers of the seat's next answer, or None if the seat published too recently."""
        is_due = perf_counter() - self._shown_s.get(seat, 0.0) >= SHOW_EVERY_S
        return self.lens if is_due else None

    async def show(self, question: protocol.TurnMessage) -> None:
        """Publish what the answer has shown; called after it has been sent."""
        if layers := self.lens.take():
            self._shown_s[question.seat] = perf_counter()
            told = {"match": question.match, "seat": question.seat, "turn": question.turn, "layers": layers}
            await self._bus.publish(self._topic, msgspec.json.encode(told))
