"""Collects what a bot shows of its search to spectators; it never enters a match, its clock or its record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Place = tuple[int, int]

LIMIT_BYTES = 64 * 1024  # of all layers of one answer, as JSON
MOST_LAYERS = 32


@dataclass(frozen=True, slots=True)
class ShownLayer:
    """One layer; `data` is a text, or x, y, value per cell of a heat map, or x, y per cell in order for other kinds."""

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
        """Store each kind that is not empty; it replaces what this answer showed under the same name and kind."""
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
