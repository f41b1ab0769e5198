"""What is left for one hero to do, and about how many AP it takes: tokens, seals, in a good order. Assigns nothing.

A tour goes to the nearest thing next, again and again; `rest_after` prices every first stop by such a tour behind it;
the cheapest of them is much better than nearest-first alone and exact where few stops are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bots.eidolon.roads import Roads
from games.eidolon.tiles import Colour
from games.grid import Cell

UNSEEN_AP = 3.0  # to find and reach something that has not been seen yet
FAR_AP = 60.0  # in place of a distance to what cannot be reached now


class Errand(NamedTuple):
    """What one hero has to do for one colour."""

    colour: Colour
    missing: int  # tokens
    cells: tuple[Cell, ...]  # where tokens lie
    price: int  # AP for one
    seal: Cell | None  # None: not seen yet


class Stop(NamedTuple):
    """A place on a tour; `colour` None: something other than a token or seal."""

    cell: Cell
    is_seal: bool
    colour: Colour


@dataclass(frozen=True, slots=True)
class Tour:
    """AP in all, and where it ends."""

    cost: float
    end: Cell


def tour(roads: Roads, start: Cell, errands: Sequence[Errand]) -> Tour:
    """Nearest stop first until everything is done; what is unseen or out of reach counts at a flat rate."""
    missing = {errand.colour: min(errand.missing, len(errand.cells)) for errand in errands}
    left = {errand.colour: list(errand.cells) for errand in errands}
    cost = sum((errand.missing - missing[errand.colour]) * (UNSEEN_AP + errand.price) for errand in errands)
    open_errands, here = list(errands), start
    while open_errands:
        ap, cell, errand = _nearest(roads.distances(here), open_errands, missing, left)
        if cell is None:
            cost += missing[errand.colour] * (FAR_AP + errand.price) + UNSEEN_AP + 1
            open_errands.remove(errand)
            continue
        here = cell
        if missing[errand.colour] > 0:
            cost += ap + errand.price
            missing[errand.colour] -= 1
            left[errand.colour].remove(cell)
        else:
            cost += ap + 1
            open_errands.remove(errand)
    return Tour(cost, here)


def _nearest(
    distances: Mapping[Cell, int],
    errands: Sequence[Errand],
    missing: Mapping[Colour, int],
    left: Mapping[Colour, Iterable[Cell]],
) -> tuple[float, Cell | None, Errand]:
    """AP to the nearest stop, the stop, its errand; no cell = the last errand has none that can be reached."""
    best: tuple[float, Cell | None, Errand] = (FAR_AP, None, errands[-1])
    for errand in errands:
        cells = left[errand.colour] if missing[errand.colour] > 0 else () if errand.seal is None else (errand.seal,)
        for cell in cells:
            ap = distances.get(cell, FAR_AP)
            if ap < best[0]:
                best = (ap, cell, errand)
    return best


def stops(errands: Iterable[Errand]) -> list[Stop]:
    """Where the hero could go next: tokens it lacks, seals it can break."""
    found = []
    for errand in errands:
        if errand.missing > 0:
            found += [Stop(cell, is_seal=False, colour=errand.colour) for cell in errand.cells]
        elif errand.seal is not None:
            found.append(Stop(errand.seal, is_seal=True, colour=errand.colour))
    return found


def after(stop: Stop, errands: Sequence[Errand]) -> list[Errand]:
    """The errands that are left once a stop is done."""
    left = []
    for errand in errands:
        if errand.colour is not stop.colour:
            left.append(errand)
        elif not stop.is_seal:
            cells = tuple(cell for cell in errand.cells if cell != stop.cell)
            left.append(errand._replace(missing=errand.missing - 1, cells=cells))
    return left


def rest_after(roads: Roads, errands: Sequence[Errand]) -> dict[Stop, float]:
    """For every possible next stop: AP from the arrival there to the end of the tour."""
    price = {errand.colour: errand.price for errand in errands}
    return {
        stop: (1 if stop.is_seal else price[stop.colour]) + tour(roads, stop.cell, after(stop, errands)).cost
        for stop in stops(errands)
    }
