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
        """Keep what is there of each kind, in place of what was shown under the same name for the same answer."""
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
        """What has been shown since the last call."""
        taken = list(self._layers.values())
        self._layers.clear()
        self._sizes.clear()
        return taken
