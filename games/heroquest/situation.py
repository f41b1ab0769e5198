"""Views of a state for the rules: `Situation` answers questions about it, `SituationDraft` builds the next one."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from gridjoust.games.bitset import mask_of
from gridjoust.games.chance import rng_for
from gridjoust.games.draft import Draft
from gridjoust.games.heroquest.params import Rules
from gridjoust.games.heroquest.sight import repair
from gridjoust.games.heroquest.sight.board import Board
from gridjoust.games.heroquest.sight.lines import EAST, NORTH, SOUTH, WEST
from gridjoust.games.heroquest.state import Change, Chest, Door, Dungeon, Event, Hero, Monster, Seat, State, Trap

SIDES = (NORTH, EAST, SOUTH, WEST)  # in the order of gridjoust.games.grid.DIRECTIONS


@lru_cache(maxsize=512)
def board_of(dungeon: Dungeon, changes: tuple[Change, ...]) -> Board:
    """Return the dungeon's board after these changes; its sight tables are repaired, not computed again."""
    if not changes:
        return dungeon.board
    before, last = board_of(dungeon, changes[:-1]), changes[-1]
    if isinstance(last, int):
        return repair.block(before, before.square(last))
    return repair.open_door(before, before.square(last[0]), before.square(last[1]))


class Situation:
    """A state, for reading only, with boards and bit sets that follow from it; squares are numbers."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.dungeon = state.dungeon
        self.board = board_of(state.dungeon, state.changes)
        self.layout = state.dungeon.layout
        self.things = state.dungeon.things
        self.offsets = (-self.board.width, 1, self.board.width, -1)

    @property
    def zargon_seat(self) -> Seat:
        """The seat of Zargon, after the heroes."""
        return len(self.state.heroes)

    @property
    def hero(self) -> Hero:
        """The hero whose turn it is."""
        return self.state.heroes[self.state.seat]

    @property
    def fallen(self) -> int:
        """Bit set of the squares that falling blocks have closed."""
        return mask_of(change for change in self.state.changes if isinstance(change, int))

    def obstacles(self) -> int:
        """Return the squares, as a bit set, that no figure can stand on."""
        return self.layout.rock | self.things.blocked | self.things.furniture | self.fallen

    def known_obstacles(self) -> int:
        """Return the squares, as a bit set, that no figure can stand on as far as the heroes know."""
        return self.layout.rock | self.fallen | (self.things.blocked | self.things.furniture) & self.state.seen

    def hero_cells(self) -> dict[int, Seat]:
        """Return square -> seat for the living heroes; of several on one square, the last seat."""
        return {hero.cell: seat for seat, hero in enumerate(self.state.heroes) if hero.body > 0}

    def monster_cells(self) -> dict[int, int]:
        """Return square -> number for the living monsters that have come into sight."""
        return {monster.cell: number for number, monster in enumerate(self.state.monsters) if monster.body > 0}

    def lurker_cells(self) -> set[int]:
        """Return the squares of monsters that no hero has seen."""
        return {lurker.cell for lurker in self.state.lurkers}

    def traps(self) -> dict[int, Trap]:
        """Return the traps that are still there, by square."""
        return {trap.cell: trap for trap in self.dungeon.traps if not self.state.gone_traps >> trap.cell & 1}

    def known_traps(self) -> int:
        """Return the squares, as a bit set, of traps that the heroes know and that are still there."""
        return self.state.found_traps & ~self.state.gone_traps

    def trap(self, cell: int) -> Trap | None:
        """Return the trap on the square, or None if there is none or it is gone."""
        return None if self.state.gone_traps >> cell & 1 else self.things.traps.get(cell)

    def shared_cells(self) -> int:
        """Return the squares, as a bit set, on which several heroes may stand: the stairs and known pits."""
        return self.things.stairs | self.things.pits & self.known_traps()

    def open_doors(self) -> set[Door]:
        """Return the doors that stand open."""
        return {change for change in self.state.changes if not isinstance(change, int)}

    def known_closed_doors(self) -> list[Door]:
        """Return the closed doors that the heroes know: ordinary ones in the dungeon's order, then secret ones."""
        open_doors, seen = self.open_doors(), self.state.seen
        in_sight = [door for door in self.dungeon.doors if (seen >> door[0] | seen >> door[1]) & 1]
        return [door for door in (*in_sight, *self.state.found_doors) if door not in open_doors]

    def full_chests(self) -> list[Chest]:
        """Return the chests that no hero has emptied."""
        return [chest for chest in self.dungeon.chests if not self.state.looted >> chest.cell & 1]

    def goal_parts(self) -> list[tuple[str, bool]]:
        """Return (part, is it done now) for each part of the goal: `kill`, `loot`, `return`."""
        goal, state = self.dungeon.goal, self.state
        parts: list[tuple[str, bool]] = []
        if goal.kill:
            is_alive = any(monster.kind == goal.kill and monster.body > 0 for monster in state.monsters)
            is_lurking = any(lurker.kind == goal.kill for lurker in state.lurkers)
            parts.append(("kill", not is_alive and not is_lurking))
        if goal.loot:
            parts.append(("loot", not self.full_chests()))
        if goal.back:
            stairs = self.dungeon.starts
            parts.append(("return", all(hero.cell in stairs for hero in state.heroes if hero.body > 0)))
        return parts

    def region(self, cell: int) -> int:
        """Return 0 in a corridor, the room's number in a room, -1 in rock."""
        return self.board.regions[cell]

    def step(self, cell: int, direction: int) -> int:
        """Return the neighbour in the direction (0 N, 1 E, 2 S, 3 W), even behind a wall; -1 off the board."""
        target = cell + self.offsets[direction]
        if direction in (1, 3) and target // self.board.width != cell // self.board.width:
            return -1
        return target if 0 <= target < len(self.board.regions) else -1

    def beside(self, cell: int) -> list[int]:
        """Return the neighbouring squares in the order N, E, S, W, even behind walls."""
        steps = (self.step(cell, direction) for direction in range(4))
        return [target for target in steps if target >= 0]

    def open_beside(self, cell: int) -> list[int]:
        """Return the neighbouring squares that no wall or closed door separates from this one."""
        return [self.step(cell, direction) for direction in range(4) if self.is_open(cell, direction)]

    def distance(self, one: int, other: int) -> int:
        """Return the steps between two squares on an empty board."""
        width = self.board.width
        return abs(one % width - other % width) + abs(one // width - other // width)

    def is_open(self, cell: int, direction: int) -> bool:
        """Return True if neither a wall nor a closed door is on that side."""
        return bool(self.board.tables.sides[cell] & SIDES[direction])


class SituationDraft(Situation, Draft[State]):
    """The situation that one action changes step by step into the next."""

    def __init__(self, rules: Rules, state: State) -> None:
        Draft.__init__(self, state)
        super().__init__(rules, self.state)
        self._chance: dict[str, random.Random] = {}
        self.set(turn=state.turn + 1, events=())

    def rng(self, purpose: str) -> random.Random:
        """Return this action's random generator for one purpose; later calls continue it."""
        if purpose not in self._chance:
            self._chance[purpose] = rng_for(self.state.seed, self.state.turn, purpose)
        return self._chance[purpose]

    def change_board(self, change: Change) -> None:
        """Open a door, or close a square on which a block fell."""
        self.set(changes=(*self.state.changes, change))
        self.board = board_of(self.dungeon, self.state.changes)

    def set_hero(self, seat: Seat, **fields: Any) -> None:
        """Set fields of one hero."""
        self.set_item("heroes", seat, **fields)

    def move_hero(self, cell: int, **fields: Any) -> None:
        """Move the acting hero to another square, and record the step."""
        self.set_hero(self.state.seat, cell=cell, **fields)
        self.set(proven=self.state.proven | 1 << cell)
        self.record(Event("step", self.hero.kind, cell))

    def set_monster(self, number: int, **fields: Any) -> None:
        """Set fields of one monster."""
        self.set_item("monsters", number, **fields)

    def add_monster(self, monster: Monster) -> int:
        """Add a monster that comes into sight; return its number."""
        self.set(monsters=(*self.state.monsters, monster))
        return len(self.state.monsters) - 1

    def record(self, event: Event) -> None:
        """Record an event that everyone sees."""
        self.set(events=(*self.state.events, event))
