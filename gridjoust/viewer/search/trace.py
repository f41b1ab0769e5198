"""The debug layers that a bot gave when it was asked a match's questions again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from gridjoust.bots.lens import ShownLayer
from gridjoust.games.api import Seat
from gridjoust.recorded.transcript import Exchange
from gridjoust.runner.wire.text import plain_text

_MOST_LETTERS = 200


@dataclass(slots=True)
class Looked:
    """Layers by seat and turn, and the answers that differ from the recorded ones."""

    bot: str
    layers: dict[Seat, dict[int, list[Any]]] = field(default_factory=dict)
    answered: int = 0
    differences: list[tuple[int, Seat, str, str]] = field(default_factory=list)  # turn, seat, recorded, now
    left_out: int = 0
    crash: str = ""  # `turn 3: KeyError: 'ammo'`; after it the bot was asked nothing more

    def as_json(self) -> dict[str, Any]:
        """Return the trace as JSON data for the page."""
        return asdict(self)

    def keep(
        self, told: Exchange, answers: Sequence[str], shown: list[Any], *, is_wanted: bool, is_timed: bool
    ) -> None:
        """Store the layers of a question and compare its answers; `is_timed`: any of them may be the recorded one."""
        message = told.message
        self.answered += 1
        if is_wanted:
            self.layers.setdefault(message.seat, {})[message.turn] = shown
        recorded = "" if told.recorded is None else told.recorded.action
        if recorded and recorded not in (answers if is_timed else answers[-1:]):
            now = answers[-1] if answers else "nothing"
            before, after = (plain_text(text, limit=_MOST_LETTERS) for text in (recorded, now))
            self.differences.append((message.turn, message.seat, before, after))

    def layers_of(self, seat: Seat) -> dict[int, list[ShownLayer]]:
        """Return a seat's layers, by turn."""
        return {turn: [ShownLayer(**one) for one in shown] for turn, shown in self.layers.get(seat, {}).items()}
