"""Shares the cells of the dungeon out among heroes.

`voronoi`: every cell goes to the nearest hero. `equal`: parts of equal size, in the spirit of DARP (Kapoutsis,
Chatzichristofis, Kosmatopoulos, "DARP: Divide Areas Algorithm for Optimal Multi-Robot Coverage Path Planning", 2017):
starting from the Voronoi parts of each connected component, cells are handed on along chains of neighbouring parts
from the largest to the smallest, as long as every part stays connected with its hero. The iteration is bounded; if it
does not reach sizes within one of each other, the Voronoi parts are used.

Heroes on one cell share it: it belongs to the first of them, and counts for each when connection is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gridjoust.games.grid import Cell

Neighbours = Callable[[Cell], Iterable[Cell]]
Parts = dict[Cell, int]  # cell -> index of its hero

ROUNDS_PER_CELL = 4  # hand-overs to try per cell before giving up


def divide(neighbours: Neighbours, heroes: Sequence[Cell], *, method: str) -> Parts:
    """Return cell -> index of the hero to whose part it belongs, for all cells that some hero can reach.

    `method` is `voronoi` or `equal`.
    """
    parts = voronoi(neighbours, heroes)
    if method == "voronoi":
        return parts
    equal: Parts = {}
    for component in _components(neighbours, heroes):
        own = {cell: parts[cell] for cell in component}
        equal |= equalised(neighbours, heroes, own) or own
    return equal


def voronoi(neighbours: Neighbours, heroes: Sequence[Cell]) -> Parts:
    """Return cell -> index of the nearest hero; of equally near ones the hero with the fewest cells gets it."""
    parts: Parts = {}
    for index, cell in enumerate(heroes):
        parts.setdefault(cell, index)
    sizes = [int(parts[cell] == index) for index, cell in enumerate(heroes)]
    layer: dict[Cell, list[int]] = {}
    for index, cell in enumerate(heroes):
        layer.setdefault(cell, []).append(index)
    while layer:
        wanted: dict[Cell, list[int]] = {}
        for cell, owners in layer.items():
            for other in neighbours(cell):
                if other not in parts:
                    candidates = wanted.setdefault(other, [])
                    candidates += [owner for owner in owners if owner not in candidates]
        layer = {}
        for cell, candidates in wanted.items():
            owner = min(candidates, key=lambda index: (sizes[index], index))
            parts[cell] = owner
            sizes[owner] += 1
            layer[cell] = [owner]
    return parts


def _components(neighbours: Neighbours, heroes: Sequence[Cell]) -> list[list[Cell]]:
    """Return the cells of each connected component that has a hero in it."""
    seen: set[Cell] = set()
    found = []
    for hero in heroes:
        if hero not in seen:
            component = _flood(neighbours, hero, lambda _: True)
            seen.update(component)
            found.append(component)
    return found


def _flood(neighbours: Neighbours, start: Cell, is_inside: Callable[[Cell], bool]) -> list[Cell]:
    reached = {start: None}
    for cell in (queue := [start]):
        for other in neighbours(cell):
            if other not in reached and is_inside(other):
                reached[other] = None
                queue.append(other)
    return list(reached)


def equalised(neighbours: Neighbours, heroes: Sequence[Cell], parts: Parts) -> Parts | None:
    """Return parts of one component whose sizes differ by at most 1; None if the iteration gets stuck."""
    parts = dict(parts)
    owners = [index for index, cell in enumerate(heroes) if cell in parts]
    for _ in range(ROUNDS_PER_CELL * len(parts)):
        sizes = dict.fromkeys(owners, 0)
        for owner in parts.values():
            sizes[owner] += 1
        large = sorted(owners, key=lambda owner: -sizes[owner])
        if sizes[large[0]] - sizes[large[-1]] <= 1:
            return parts
        if not any(
            _hand_on(neighbours, heroes, parts, giver, taker)
            for giver in large
            for taker in reversed(large)
            if sizes[giver] - sizes[taker] >= 2
        ):
            return None
    return None


def _hand_on(neighbours: Neighbours, heroes: Sequence[Cell], parts: Parts, giver: int, taker: int) -> bool:
    """Change `parts` so that the giver loses one cell and the taker gains one; return True if it worked.

    Cells are handed on along the shortest chain of neighbouring parts.
    """
    trail: dict[int, tuple[int, Cell]] = {}
    queue = [giver]
    for owner in queue:
        if owner == taker:
            break
        for other, cell in _offers(neighbours, heroes, parts, owner).items():
            if other not in trail and other != giver:
                trail[other] = (owner, cell)
                queue.append(other)
    if taker not in trail:
        return False
    changed = dict(parts)
    while taker != giver:
        owner, cell = trail[taker]
        changed[cell] = taker
        taker = owner
    if not all(is_connected(neighbours, heroes, changed, owner) for owner in set(trail) | {giver}):
        return False
    parts.update(changed)
    return True


def _offers(neighbours: Neighbours, heroes: Sequence[Cell], parts: Parts, owner: int) -> dict[int, Cell]:
    """Return, for each part beside the owner's, its hero's index -> a cell that the owner could give to it."""
    offers: dict[int, Cell] = {}
    for cell in [cell for cell, own in parts.items() if own == owner and cell not in heroes]:
        takers = {parts[other] for other in neighbours(cell) if other in parts} - {owner}
        takers |= {index for index, hero in enumerate(heroes) if hero in neighbours(cell)} - {owner}
        new = sorted(takers - set(offers))
        if new and is_connected(neighbours, heroes, {**parts, cell: new[0]}, owner):
            offers.update(dict.fromkeys(new, cell))
    return offers


def is_connected(neighbours: Neighbours, heroes: Sequence[Cell], parts: Mapping[Cell, int], owner: int) -> bool:
    """Return True if the owner's hero can reach all cells of its part without leaving the part."""
    own = [cell for cell, part in parts.items() if part == owner]
    reached = _flood(neighbours, heroes[owner], lambda cell: parts.get(cell) == owner)
    return set(own) <= set(reached)
