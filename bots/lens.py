"""What a bot shows of its search to people who look. Nothing of it reaches a match, its clock or its record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Place = tuple[int, int]

LIMIT_BYTES = 64 * 1024  # of one answer
MOST_LAYERS = 32


@dataclass(frozen=True, slots=True)
class ShownLayer:
    """One layer; `data` is text, or x, y, value of each cell of a heat map, else x, y of each cell in order."""

    name: str
    kind: str  # heat, path, nodes, frontier, arrows or text
    data: list[float] | str


class Lens:
    """The layers of the answer that the bot is working on; what is beyond the limit is left out, and counted."""

    def __init__(self) -> None:
        self.left_out = 0
        self._layers: list[ShownLayer] = []
        self._bytes = 0

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
        """Keep what is there of each kind."""
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
        size = len(name) + len(json.dumps(data))
        if self._bytes + size > LIMIT_BYTES or len(self._layers) == MOST_LAYERS:
            self.left_out += 1
            return
        self._bytes += size
        self._layers.append(ShownLayer(name, kind, data))

    def take(self) -> list[ShownLayer]:
        """What has been shown since the last call."""
        taken, self._layers, self._bytes = self._layers, [], 0
        return taken
