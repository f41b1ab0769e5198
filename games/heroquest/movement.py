"""Walking: where a hero or a monster can go, and what happens on the way.

Heroes may pass heroes, and monsters may pass monsters. A figure may end on the square of another one only on stairs and
in pits.

A hero's path is checked against what the heroes know. If the dungeon differs, the walk ends there without a fault. A
walk also ends if something new appears: a monster, a door, a blocked square, furniture, a trap. Bare floor does not
stop it. On a square with another hero the walk goes on if it can; otherwise the hero returns to the last square where
it may stand.

With Pass Through Rock, walls, doors and blocked squares are no obstacles; with Veil of Mist, monsters are none.
Monsters never open doors and never spring traps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gridjoust.games.bitset import mask_of
from gridjoust.games.grid import DIRECTIONS, Direction
from gridjoust.games.heroquest.sight.board import edges_of
from gridjoust.games.heroquest.situation import SIDES, Situation, SituationDraft
from gridjoust.games.heroquest.state import Event
from gridjoust.games.heroquest.traps import spring
from gridjoust.games.heroquest.visibility import look, reveal

ROCK_SPELL = "pass through rock"
MIST_SPELL = "veil of mist"
Paths = Mapping[int, tuple[Direction, ...]]


@cache
def exits(width: int, cell: int, sides: int) -> tuple[tuple[Direction, int], ...]:
    """Return (direction, neighbouring square) for each side of the square whose bit is set in `sides`."""
    offsets = (-width, 1, width, -1)
    steps = zip(SIDES, DIRECTIONS, offsets, strict=True)
    return tuple((direction, cell + offset) for side, direction, offset in steps if sides & side)


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground of one figure: bit sets of the squares that it may not pass and of those where it may not end."""

    situation: Situation
    no_passing: int
    no_ending: int
    through_walls: bool = False

    def next_cell(self, cell: int, direction: int) -> int:
        """Return the square one step away, or -1 if that step is impossible."""
        target = self.situation.step(cell, direction)
        if target < 0 or self.no_passing >> target & 1:
            return -1
        return target if self.through_walls or self.situation.is_open(cell, direction) else -1

    def steps(self, cell: int) -> list[tuple[Direction, int]]:
        """Return (direction, square) of each step that is possible from this square, in the order N, E, S, W."""
        board, no_passing = self.situation.board, self.no_passing
        sides = (edges_of(board.width, board.height) if self.through_walls else board.tables.sides)[cell]
        return [step for step in exits(board.width, cell, sides) if not no_passing >> step[1] & 1]

    def may_end(self, cell: int) -> bool:
        """Return True if the figure may stand on the square."""
        return not self.no_ending >> cell & 1


def hero_ground(situation: Situation) -> Ground:
    """Return where the hero whose turn it is can walk, as far as the heroes know."""
    hero = situation.hero
    obstacles = situation.known_obstacles()
    monsters = mask_of(situation.monster_cells())
    heroes, own = situation.state.heroes, situation.state.seat
    others = mask_of(other.cell for seat, other in enumerate(heroes) if seat != own and other.body > 0)
    passing = obstacles
    through_walls = ROCK_SPELL in hero.effects
    if through_walls:
        passing = (situation.things.furniture & situation.state.seen) & ~situation.things.blocked
    if MIST_SPELL not in hero.effects:
        passing |= monsters
    ending = obstacles | monsters | others & ~situation.shared_cells()
    return Ground(situation, passing, ending, through_walls)


def monster_ground(situation: Situation, number: int) -> Ground:
    """Return where this monster can walk, with all that only Zargon knows."""
    own = 1 << situation.state.monsters[number].cell
    obstacles = situation.obstacles()
    heroes = mask_of(situation.hero_cells())
    monsters = (mask_of(situation.monster_cells()) | mask_of(situation.lurker_cells())) & ~own
    return Ground(situation, obstacles | heroes, obstacles | heroes | monsters)


def shortest_paths(ground: Ground, start: int, points: int, *, avoid: int = 0) -> Paths:
    """Return square -> shortest path for each square within `points` steps where the figure may end, nearest first.

    Ties prefer N, E, S, W in this order; no path leads over the bit set `avoid`.
    """
    paths: dict[int, tuple[Direction, ...]] = {start: ()}
    layer = [start]
    for _ in range(points):
        following: list[int] = []
        for cell in layer:
            for direction, target in ground.steps(cell):
                if target not in paths and not avoid >> target & 1:
                    paths[target] = (*paths[cell], direction)
                    following.append(target)
        layer = following
    no_ending = ground.no_ending
    return {cell: path for cell, path in paths.items() if path and not no_ending >> cell & 1}


def is_path(ground: Ground, start: int, steps: tuple[Direction, ...], points: int) -> bool:
    """Return True if the figure can walk these steps, at most `points`, and may end after them."""
    if not 1 <= len(steps) <= points:
        return False
    cell = start
    for step in steps:
        cell = ground.next_cell(cell, DIRECTIONS.index(step))
        if cell < 0:
            return False
    return ground.may_end(cell)


def walk(draft: SituationDraft, steps: tuple[Direction, ...]) -> None:
    """Walk with the acting hero until the path ends or something stops it."""
    draft.set(has_moved=True)
    last_free = draft.hero.cell
    is_stopped = False
    ground = hero_ground(draft)
    for step in steps:
        number = DIRECTIONS.index(step)
        if ground.may_end(draft.hero.cell):
            last_free = draft.hero.cell
            if is_stopped:
                break
        target = ground.next_cell(draft.hero.cell, number)
        if target < 0 or _bumps(draft, target):
            break
        if _enter(draft, target, last_free):
            is_stopped = True
            ground = hero_ground(draft)  # if only floor came into sight, it stays the same
        if draft.hero.body <= 0 or draft.state.points <= 0:
            break
    if draft.hero.body > 0 and not hero_ground(draft).may_end(draft.hero.cell):
        draft.move_hero(last_free)


def _bumps(draft: SituationDraft, target: int) -> bool:
    """Reveal an obstacle that the heroes did not know on the next square; return True if there is one."""
    unknown = (draft.things.blocked | draft.things.furniture) & ~draft.state.seen & ~draft.fallen & ~draft.layout.rock
    is_solid = unknown >> target & 1
    can_pass = ROCK_SPELL in draft.hero.effects and not draft.things.furniture >> target & 1
    if target not in draft.lurker_cells() and (not is_solid or can_pass):
        return False
    reveal(draft, draft.state.seat, 1 << target | draft.layout.rooms.get(draft.region(target), 0) & ~draft.dungeon.dark)
    return True


def _enter(draft: SituationDraft, target: int, last_free: int) -> bool:
    """Take one step; return True if something new or a trap appears: the walk then ends once the hero may stand."""
    draft.move_hero(target, is_in_pit=False, steps=draft.hero.steps + 1)
    draft.set(points=draft.state.points - 1)
    is_new = look(draft, draft.state.seat)
    trap = draft.trap(target)
    if trap is None:
        return is_new
    spring(draft, trap)
    if trap.kind == "block" and draft.hero.body > 0:
        draft.move_hero(last_free)
    return True


def walk_monster(draft: SituationDraft, number: int, steps: tuple[Direction, ...]) -> None:
    """Walk the whole path with a monster; nothing can stop it."""
    cell = draft.state.monsters[number].cell
    for step in steps:
        cell = draft.step(cell, DIRECTIONS.index(step))
        draft.record(Event("step", str(number), cell))
    draft.set_monster(number, cell=cell, has_moved=True)
