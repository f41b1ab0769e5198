"""Finds prospects and chooses the one of most value per step.

A prospect is a cell with a value in points: the pay of a bomb there, an item that lies there, a rival whom a bomb there
would trap, and, when all these are gone, a place to wait.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Protocol, TypeVar

from gridjoust.bots.bomber import maps
from gridjoust.bots.bomber.situation import Situation, middle_cells
from gridjoust.games.bomber.stages import blast

AMMO_VALUES = (4.0, 2.0, 1.0)  # value of one more, by the number held; the last value also holds for more
DISARMED_FACTOR = 0.01  # factor on a bomb's pay while the seat has none: any ammo is worth more
CONTESTED_FACTOR = 0.3  # factor on items that are nearer to a rival
TRAP_CHANCE = 0.5  # chance that a trapped rival is hit
CORNER_WAYS = 2.0  # number of free cells that halves the chance
HOLD_CHANCE = 0.35  # chance that a rival takes a hit rather than leave the cell that closes last
BOLD_FACTOR = 1.5  # factor on hits for a seat with more HP than its rivals
REFUGE_VALUE = 30.0  # value of the cell that closes last, when all others are about to close
REFUGE_FACTOR = 0.95  # factor for every tick before that
REFUGE_TICKS = 20  # ticks before the last cells close from which the full value counts
BESIDE_REFUGE = 0.4
MIDDLE_VALUE = 0.1
CHASE_VALUE = 0.5  # value of a cell beside a rival, for a seat that is behind with no block left
SETTLING_STEPS = 2  # added to every path, so that a crumb next door does not beat a treasure two steps on


@dataclass(frozen=True, slots=True)
class Prospects:
    """The cells that are worth going to for one seat.

    `values`: cell -> points for being there. `bombing`: cell -> points that a bomb there would pay.
    """

    values: Mapping[int, float]
    bombing: Mapping[int, float]


def find_prospects(
    now: Situation, *, barred: Collection[int] = (), bombless: Collection[int] = (), contested: Collection[int] = ()
) -> Prospects:
    """Return the cells that are worth going to for the seat, each with its points.

    `barred` cells are left out. Bombs in `bombless` cells count nothing, items in `contested` cells little.
    """
    own, state = now.own, now.state
    worths = now.block_values(now.coming_fires)
    bombing = now.bomb_rewards(worths, blasts=now.coming_fires)
    boldness = BOLD_FACTOR if now.is_ahead else 1.0
    for cell, chance in bomb_chances(now).items():
        bombing[cell] = bombing.get(cell, 0.0) + boldness * chance * now.rules.hit_points
    for cell in (*barred, *bombless, *now.bomb_cells):
        bombing.pop(cell, None)
    values = dict(bombing) if own.ammo else {cell: worth * DISARMED_FACTOR for cell, worth in bombing.items()}
    more_ammo = AMMO_VALUES[min(own.ammo, len(AMMO_VALUES) - 1)]
    lying = [(token.cell, more_ammo) for token in state.ammo]
    lying += [(cell, float(now.rules.treasure_points)) for cell in state.treasure]
    found = [(cell, worth * (CONTESTED_FACTOR if cell in contested else 1)) for cell, worth in lying]
    for cell, worth in (*found, *_refuge_cells(now), *(() if worths else _waiting_cells(now))):
        values[cell] = values.get(cell, 0.0) + worth
    return Prospects({cell: worth for cell, worth in values.items() if cell not in barred}, bombing)


def contested_cells(now: Situation) -> set[int]:
    """Return cells of ammo and treasure to which a living rival is nearer, by Manhattan distance."""
    far = now.rules.board.distance
    lying = [*(token.cell for token in now.state.ammo), *now.state.treasure]
    return {cell for cell in lying if any(far(rival.cell, cell) < far(now.here, cell) for _, rival in now.rivals)}


def has_shelter(now: Situation, cell: int) -> bool:
    """Return True if a path leads from a bomb laid in `cell` to a cell outside all blasts, on the present board."""
    return _leads_out(now, cell, now.blast_counts([*now.bomb_cells, cell]))


def _leads_out(now: Situation, start: int, dangers: Collection[int]) -> bool:
    """Return True if some cell outside `dangers` can be reached from `start`."""
    is_out, generated, is_whole = False, 0, True
    if (fast := maps.active()) is not None:
        shape = maps.shape_of(now.rules)
        is_out, generated, is_whole = fast.leads_out(shape, start, now.standing, dangers, now.work.left)
    else:
        for cell, _ in now.rules.board.flood(start, now.standing):
            is_out = cell not in dangers
            is_whole = is_out or generated < now.work.left
            if is_out or not is_whole:
                break
            generated += maps.open_steps(now.rules, cell, now.standing)
    maps.count(now.work, generated, is_whole=is_whole)
    return bool(is_out)


def bomb_chances(now: Situation) -> dict[int, float]:
    """Return free cell -> chance that a bomb there hits some rival: the fewer escapes it leaves, the higher."""
    chances: dict[int, float] = {}
    if now.own.ammo:
        for _, rival in now.rivals:
            held = HOLD_CHANCE if rival.cell == now.refuge and now.is_closing else 0.0
            for spot, ways_out in pressures(now, rival.cell):
                chance = max(held, TRAP_CHANCE / (1 + ways_out / CORNER_WAYS))
                chances[spot] = chances.get(spot, 0.0) + chance
    return chances


def pressures(now: Situation, victim: int) -> list[tuple[int, int]]:
    """Return (cell from which the seat's bomb would hit the victim, number of safe cells then left to the victim)."""
    if (fast := maps.active()) is not None:
        board = maps.shape_of(now.rules), now.state.blocks
        found: list[tuple[int, int]]
        found, generated, is_whole = fast.pressures(
            *board, now.standing, now.bomb_cells, now.closings, victim, now.work.left
        )
        maps.count(now.work, generated, is_whole=is_whole)
        return found
    spots = [cell for cell in blast(victim, now.rules.rays, now.state.blocks, now.standing) if cell not in now.standing]
    return [(spot, _ways_out(now, victim, spot)) for spot in spots]


def _ways_out(now: Situation, victim: int, spot: int) -> int:
    dangers = now.blast_counts([*now.bomb_cells, spot]).keys() | now.closings.keys()
    reached = maps.flood(now.rules, victim, now.standing | {spot}, now.work)
    return sum(cell not in dangers for cell, _ in reached)


def can_be_shut_in(now: Situation, cell: int, *, reach: int) -> bool:
    """Return True if an armed rival is within `reach` steps of a cell where its bomb would trap the seat in `cell`."""
    players = list(now.state.players)
    players[now.seat] = now.own._replace(cell=cell)
    moved = now.state._replace(players=tuple(players))
    board = now.rules.board
    for seat, rival in now.rivals:
        if rival.ammo and board.distance(rival.cell, cell) <= reach + now.rules.blast_radius:
            theirs = Situation(now.rules, moved, seat, work=now.work)
            flood = maps.flood(now.rules, rival.cell, theirs.standing, now.work)
            within_reach = {there for there, _ in takewhile(lambda reached: reached[1] <= reach, flood)}
            if any(not ways_out and spot in within_reach for spot, ways_out in pressures(theirs, cell)):
                return True
    return False


def trap_value(now: Situation, burning: Collection[int]) -> float:
    """Return the points expected for rivals in the cells that the seat's bomb burns: more if they have few escapes."""
    dangers = {*burning, *now.closings}
    found = 0.0
    for _, rival in now.rivals:
        if rival.cell in dangers:
            reached = maps.flood(now.rules, rival.cell, now.standing, now.work)
            ways_out = sum(cell not in dangers for cell, _ in reached)
            found += TRAP_CHANCE * now.rules.hit_points / (1 + ways_out / CORNER_WAYS)
    return found


def _waiting_cells(now: Situation) -> Iterable[tuple[int, float]]:
    """Yield (cell, value) of places to wait when no block is left.

    They are the middle, which is near all that appears, and the cells beside rivals if the seat is not ahead of them.
    """
    yield from ((cell, MIDDLE_VALUE) for cell in middle_cells(now.rules))
    for _, rival in now.rivals:
        if now.own.ammo and rival.score >= now.own.score:
            yield from ((cell, CHASE_VALUE) for cell in now.rules.board.neighbours[rival.cell])


def _refuge_cells(now: Situation) -> Iterable[tuple[int, float]]:
    """Yield (cell, value) of the last cell to close, worth more from tick to tick, and of the cells beside it."""
    if now.refuge is not None:
        worth = REFUGE_VALUE * REFUGE_FACTOR ** max(0, now.closing_in - REFUGE_TICKS)
        yield now.refuge, worth
        yield from ((cell, worth * BESIDE_REFUGE) for cell in now.rules.board.neighbours[now.refuge])


class Way(Protocol):
    """A path to a cell, made by any planner; only its cost is needed here."""

    @property
    def cost(self) -> float:
        """Cost in steps; infinite if there is no path."""


W = TypeVar("W", bound=Way)


def rate(value: float, cost: float) -> float:
    """Return the value per step; some steps are added, so that a small value near by does not beat a large one."""
    return value / (cost + SETTLING_STEPS)


def choose(
    values: Mapping[int, float],
    bounds: Mapping[int, int],
    *,
    find_way: Callable[[int], W],
    is_wanted: Callable[[int], bool],
    rng: random.Random,
) -> tuple[int, W] | None:
    """Return (cell of the prospect of most value per step, path to it), or None without one; ties are broken at random.

    `bounds` holds the least number of steps to every cell that can be reached at all. Prospects are tried in the order
    of their best possible rate, and no path is searched for one that cannot win.
    """
    cells = [cell for cell in values if cell in bounds]
    hopes = {cell: rate(values[cell], bounds[cell]) for cell in rng.sample(cells, len(cells))}
    best: tuple[int, W] | None = None
    best_rate = 0.0
    for cell in sorted(hopes, key=hopes.__getitem__, reverse=True):
        if best is not None and hopes[cell] <= best_rate:
            break
        if is_wanted(cell):
            way = find_way(cell)
            reached = rate(values[cell], way.cost)
            if reached > best_rate:
                best, best_rate = (cell, way), reached
    return best
