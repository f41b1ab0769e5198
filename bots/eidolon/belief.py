"""Parses an observation into a state of the rules, and team-mates' messages into plans.

The observation shows all but the seed (chance is drawn when it is needed), so the rules are the bots' forward model.

A hero announces its plan in words after an action: `rg>2,-1 NNEp` means that it gathers red and green, its next goal is
the cell (2, -1), and its path leads north, north, east and through the passage. Words of any other form are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gridjoust.games.bitset import mask_of
from gridjoust.games.eidolon.actions import WORDS_LIMIT
from gridjoust.games.eidolon.dungeon import Dungeon, Placed
from gridjoust.games.eidolon.state import Hero, Message, Phase, Ritual, Seat, State
from gridjoust.games.eidolon.tiles import CHAMBERS, COLOURS, NUMBERS, Colour, TileSet
from gridjoust.games.eidolon.view import SHOWN_AS_IT_IS
from gridjoust.games.grid import DIRECTIONS, Cell, Direction, parse_direction

View = Mapping[str, Any]


def parse_view(view: View, *, known: Dungeon | None = None) -> State:
    """Return the state that a view shows; its dungeon is the object `known` if that has not changed.

    What no view shows has its first value: the seed is 0, and most counts of the heroes.
    """
    dungeon = _dungeon(view)
    is_drawn = {tile["tile"]: tile["token"] for tile in (*view["tiles"], *view["void"])}
    taken = mask_of([NUMBERS[name] for name, has_token in is_drawn.items() if not has_token])
    return State(
        **{name: view[name] for name in SHOWN_AS_IT_IS},
        seed=0,
        dungeon=known if known == dungeon else dungeon,
        heroes=tuple(_hero(shown) for shown in view["heroes"]),
        tokens=CHAMBERS & ~taken,
        phase=Phase(view["phase"]),
        ritual=_ritual(view),
        cultists=mask_of([NUMBERS[tile["tile"]] for tile in view["tiles"] if tile["cultists"]]),
        discards=_tiles(view["discards"]),
        removed_cards=_tiles(view["removed_cards"]),
        void=_tiles(tile["tile"] for tile in view["void"]),
        broken=sum(1 << "rgb".index(sign) for sign in view["broken"]),
        messages=tuple(Message(said["seat"], said["words"]) for said in view.get("messages", ())),
    )


def _dungeon(view: View) -> Dungeon:
    return Dungeon(
        placed=tuple(Placed(NUMBERS[tile["tile"]], Cell(*tile["at"]), tile["turned"] // 90) for tile in view["tiles"]),
        stack=_tiles(view["stack"]),
        barriers=frozenset((Cell(x, y), parse_direction(side)) for x, y, side in view["barriers"]),
    )


def _tiles(names: Iterable[str]) -> TileSet:
    return mask_of([NUMBERS[name] for name in names])


def _hero(shown: View) -> Hero:
    red, green, blue = shown["tokens"]
    return Hero(
        cell=None if shown["at"] is None else Cell(*shown["at"]),
        tokens=(red, green, blue),
        is_lying=shown["lying"],
        is_master_used=shown["master_used"],
        ap_spent=shown["ap_spent"],
    )


def _ritual(view: View) -> Ritual | None:
    if "drawn" not in view:
        return None
    return Ritual(
        cards_left=view["cards_left"],
        tile=NUMBERS[view["drawn"]],
        divers=tuple(view["divers"]),
        is_redirect_used=view["is_redirect_used"],
        is_reshuffled=view["is_reshuffled"],
    )


_FORM = re.compile(r"(r?g?b?)>(-?[0-9]{1,3}),(-?[0-9]{1,3}) ([NESWp]*)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One hero's plan: the colours it gathers, its goal, and the steps of its path."""

    colours: tuple[Colour, ...]
    goal: Cell
    steps: str  # letters of NESWp

    def path(self, start: Cell, passages: Mapping[Cell, Cell]) -> list[Cell]:
        """Return the cells of the plan for a hero at `start`; they end at a step that leads nowhere."""
        cells = [start]
        for step in self.steps:
            if step == "p" and cells[-1] not in passages:
                break
            cells.append(passages[cells[-1]] if step == "p" else cells[-1].step(Direction[step]))
        return cells


def format_claim(colours: Iterable[Colour], path: Sequence[Cell], goal: Cell) -> str:
    """Return a plan as the words of a message; a path that is too long for one is cut."""
    signs = "".join(colour.sign for colour in sorted(colours))
    head = f"{signs}>{goal.x},{goal.y} "
    return head + "".join(map(_step, path, path[1:]))[: WORDS_LIMIT - len(head)]


def _step(here: Cell, there: Cell) -> str:
    return next((d.name for d in DIRECTIONS if here.step(d) == there), "p")


def claims_of(messages: Iterable[Message]) -> dict[Seat, Claim]:
    """Return the latest plan of every seat that has announced one."""
    claims = {}
    for message in messages:
        if found := _FORM.fullmatch(message.words):
            colours = tuple(colour for colour in COLOURS if colour.sign in found[1])
            claims[message.seat] = Claim(colours, Cell(int(found[2]), int(found[3])), found[4])
    return claims
