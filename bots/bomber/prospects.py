"""What is worth going to, and which of it first: the most value per step. Finds no ways and moves nobody.

A prospect is a cell with a value in points: what a bomb laid there would pay, what lies there, a rival whom a bomb
there would shut in, and, when all that is gone, places to wait at.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol, TypeVar

from bots.bomber.targets import (
    blast_counts,
    block_values,
    bomb_rewards,
    coming_fires,
    middle_cells,
    standing_cells,
)
from games.bomber.params import Rules
from games.bomber.stages import blast
from games.bomber.state import Seat, State

AMMO_VALUES = (4.0, 2.0, 1.0)  # of one more, by how much there is; the last counts from there on
DISARMED_FACTOR = 0.01  # of what a bomb would pay while there is none to lay: less than any ammo
CONTESTED_FACTOR = 0.3  # of what lies nearer to a rival
TRAP_CHANCE = 0.5  # that a rival who could be shut in is still there
MIDDLE_VALUE = 0.1
CHASE_VALUE = 0.5  # of a cell beside a rival, for who is behind with no block left
SETTLING_STEPS = 2  # counted with every way, so that a crumb next door does not beat a treasure two steps on


@dataclass(frozen=True, slots=True)
class Prospects:
    """Cell -> value of being there. `bombing` is the part of it that a bomb would bring."""

    values: Mapping[int, float]
    bombing: Mapping[int, float]


def find_prospects(
    rules: Rules,
    state: State,
    seat: Seat,
    *,
    barred: Collection[int] = (),
    bombless: Collection[int] = (),
    contested: Collection[int] = (),
) -> Prospects:
    """All that is worth something to the seat: nothing in `barred` cells, no bombs in `bombless` ones.

    What lies in `contested` cells counts little.
    """
    own = state.players[seat]
    blasts = coming_fires(rules, state)
    worths = block_values(state, blasts, pays_doomed_ore=False)
    bombing = bomb_rewards(rules, state, worths, blasts=blasts)
    for cell in trap_cells(rules, state, seat):
        bombing[cell] = bombing.get(cell, 0.0) + TRAP_CHANCE * rules.hit_points
    for cell in (*barred, *bombless, *(bomb.cell for bomb in state.bombs)):
        bombing.pop(cell, None)
    values = dict(bombing) if own.ammo else {cell: worth * DISARMED_FACTOR for cell, worth in bombing.items()}
    more_ammo = AMMO_VALUES[min(own.ammo, len(AMMO_VALUES) - 1)]
    lying = [(token.cell, more_ammo) for token in state.ammo]
    lying += [(cell, float(rules.treasure_points)) for cell in state.treasure]
    for cell, worth in lying:
        values[cell] = values.get(cell, 0.0) + worth * (CONTESTED_FACTOR if cell in contested else 1)
    if not worths:
        for cell, worth in _waiting_cells(rules, state, seat):
            values[cell] = values.get(cell, 0.0) + worth
    return Prospects({cell: worth for cell, worth in values.items() if cell not in barred}, bombing)


def contested_cells(rules: Rules, state: State, seat: Seat) -> set[int]:
    """Cells of ammo and treasure to which a living rival is nearer, as the crow flies."""
    here = state.players[seat].cell
    far = rules.board.distance
    lying = [*(token.cell for token in state.ammo), *state.treasure]
    return {cell for cell in lying if any(far(rival, cell) < far(here, cell) for rival in _rival_cells(state, seat))}


def has_shelter(rules: Rules, state: State, seat: Seat, cell: int) -> bool:
    """Whether feet lead from a bomb laid in `cell` to a cell outside all blasts, as things stand now."""
    dangers = blast_counts(rules, state, [*(bomb.cell for bomb in state.bombs), cell])
    return _leads_out(rules, cell, standing_cells(state, seat), dangers)


def _leads_out(rules: Rules, start: int, walls: Collection[int], dangers: Collection[int]) -> bool:
    """Whether some cell outside `dangers` can be reached from `start`."""
    return any(cell not in dangers for cell, _ in rules.board.flood(start, walls))


def _rival_cells(state: State, seat: Seat) -> list[int]:
    return [state.players[rival].cell for rival in state.living() if rival != seat]


def trap_cells(rules: Rules, state: State, seat: Seat) -> list[int]:
    """Free cells from which a bomb would burn all that a rival can reach."""
    if not state.players[seat].ammo:
        return []
    return [spot for rival in _rival_cells(state, seat) for spot in _shutting_cells(rules, state, seat, rival)]


def _shutting_cells(rules: Rules, state: State, seat: Seat, victim: int) -> list[int]:
    """Cells in which a bomb of the seat would burn all that can be reached from the victim's cell."""
    walls = standing_cells(state, seat)
    spots = [cell for cell in blast(victim, rules.rays, state.blocks, walls) if cell not in walls]
    bombs = [bomb.cell for bomb in state.bombs]
    return [
        spot
        for spot in spots
        if not _leads_out(rules, victim, {*walls, spot}, blast_counts(rules, state, [*bombs, spot]))
    ]


def can_be_shut_in(rules: Rules, state: State, seat: Seat, cell: int, *, reach: int) -> bool:
    """Whether a rival with ammo is within `reach` steps of a place where its bomb would shut in the seat in `cell`."""
    places = list(state.players)
    places[seat] = places[seat]._replace(cell=cell)
    moved = replace(state, players=tuple(places))
    for rival in state.living():
        start = state.players[rival].cell
        is_near = rival != seat and rules.board.distance(start, cell) <= reach + rules.blast_radius
        if is_near and state.players[rival].ammo:
            flood = rules.board.flood(start, standing_cells(moved, rival))
            within_reach = {there for there, _ in takewhile(lambda reached: reached[1] <= reach, flood)}
            if not within_reach.isdisjoint(_shutting_cells(rules, moved, rival, cell)):
                return True
    return False


def trap_value(rules: Rules, state: State, seat: Seat, burning: Collection[int]) -> float:
    """What a bomb of the seat that burns these cells is worth for the rivals it shuts in."""
    dangers = set(burning)
    walls = standing_cells(state, seat)
    rivals = _rival_cells(state, seat)
    shut_in = [cell for cell in rivals if cell in dangers and not _leads_out(rules, cell, walls, dangers)]
    return TRAP_CHANCE * rules.hit_points * len(shut_in)


def _waiting_cells(rules: Rules, state: State, seat: Seat) -> Iterable[tuple[int, float]]:
    """Where to be when no block is left: in the middle, where all that comes is near; at a rival's heels if behind."""
    yield from ((cell, MIDDLE_VALUE) for cell in middle_cells(rules))
    own = state.players[seat]
    for rival in state.living():
        if rival != seat and own.ammo and state.players[rival].score >= own.score:
            yield from ((cell, CHASE_VALUE) for cell in rules.board.neighbours[state.players[rival].cell])


class Way(Protocol):
    """A way to a cell, of whatever planner."""

    @property
    def cost(self) -> float:
        """In steps; infinite = there is none."""


W = TypeVar("W", bound=Way)


@dataclass(frozen=True, slots=True)
class Choice:
    """A prospect and what it brings per step."""

    cell: int
    rate: float


def rate(value: float, cost: float) -> float:
    """Value per step."""
    return value / (cost + SETTLING_STEPS)


def choose(
    values: Mapping[int, float],
    bounds: Mapping[int, int],
    *,
    find_way: Callable[[int], W],
    is_wanted: Callable[[int], bool],
    rng: random.Random,
) -> tuple[Choice, W] | None:
    """The prospect with the best rate and the way to it; ties are drawn.

    `bounds` holds the least number of steps to every cell that can be reached at all: prospects are looked at in the
    order of what they could bring at best, and no way is looked for that could not win.
    """
    cells = [cell for cell in values if cell in bounds]
    hopes = {cell: rate(values[cell], bounds[cell]) for cell in rng.sample(cells, len(cells))}
    best: tuple[Choice, W] | None = None
    for cell in sorted(hopes, key=hopes.__getitem__, reverse=True):
        if best is not None and hopes[cell] <= best[0].rate:
            break
        if is_wanted(cell):
            way = find_way(cell)
            reached = rate(values[cell], way.cost)
            if reached > (best[0].rate if best else 0.0):
                best = Choice(cell, reached), way
    return best
