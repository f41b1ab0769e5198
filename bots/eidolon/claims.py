"""What heroes tell each other about their plans, as words behind an action. Checks the form, believes the rest.

`rg>2,-1 NNEp`: this hero gathers red and green, its next goal is the cell (2, -1), its path leads north, north, east
and through the passage. Words in any other form are somebody else's and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.eidolon.actions import WORDS_LIMIT
from games.eidolon.state import Message, Seat
from games.eidolon.tiles import COLOURS, Colour
from games.grid import DIRECTIONS, Cell, Direction

_FORM = re.compile(r"(r?g?b?)>(-?[0-9]{1,3}),(-?[0-9]{1,3}) ([NESWp]*)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One hero's plan: the colours it gathers, the cell it goes to, the steps that lead there."""

    colours: tuple[Colour, ...]
    goal: Cell
    steps: str  # of NESWp

    def path(self, start: Cell, passages: Mapping[Cell, Cell]) -> list[Cell]:
        """The cells of the plan for a hero that stands at `start`; ends where a step leads nowhere."""
        cells = [start]
        for step in self.steps:
            if step == "p" and cells[-1] not in passages:
                break
            cells.append(passages[cells[-1]] if step == "p" else cells[-1].step(Direction[step]))
        return cells


def format_claim(colours: Iterable[Colour], path: Sequence[Cell], goal: Cell) -> str:
    """The words for a plan; a path that does not fit is cut."""
    signs = "".join(colour.sign for colour in sorted(colours))
    head = f"{signs}>{goal.x},{goal.y} "
    return head + "".join(map(_step, path, path[1:]))[: WORDS_LIMIT - len(head)]


def _step(here: Cell, there: Cell) -> str:
    return next((d.name for d in DIRECTIONS if here.step(d) == there), "p")


def parse_claim(words: str) -> Claim | None:
    """The plan that the words tell, if they tell one."""
    found = _FORM.fullmatch(words)
    if found is None:
        return None
    colours = tuple(colour for colour in COLOURS if colour.sign in found[1])
    return Claim(colours, Cell(int(found[2]), int(found[3])), found[4])


def claims_of(messages: Iterable[Message]) -> dict[Seat, Claim]:
    """The latest plan of every seat that has told one."""
    claims = {}
    for message in messages:
        if claim := parse_claim(message.words):
            claims[message.seat] = claim
    return claims
