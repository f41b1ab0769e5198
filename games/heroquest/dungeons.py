"""Makes random dungeons that resemble a quest: the same board and the same things, in other places.

The printed board, the rounds, and number and kinds of all things stay. Stairs, doors, blocked and dark squares,
furniture, chests, traps and monsters move. Each random dungeon can be won: every room in play can be reached, even if
all falling blocks have fallen. If there are secret doors, a room with a chest is behind one of them. The walk from the
stairs to all goals and back is about as long as the quest's.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import cycle, islice
from typing import NamedTuple

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.heroquest.maps import wall_edges
from gridjoust.games.heroquest.sight.board import CORRIDOR, Board
from gridjoust.games.heroquest.sight.lines import EAST, NORTH, SOUTH, WEST
from gridjoust.games.heroquest.sight.tables import empty_board
from gridjoust.games.heroquest.state import Chest, Door, Dungeon, Furniture, Lurker, Trap, layout_of

MAX_DRAWS = 1000  # one in four to one in ten is like the quest
DRAWS_A_GROUND = 12  # draws with the same blocked squares
MAX_GAP = 0.25  # share of the quest's walk, or corridor, by which a drawn one may be smaller or larger
PLACE_TRIES = 40  # for a piece of furniture, or for all blocked squares
_SIDES = (NORTH, EAST, SOUTH, WEST)
_Walls = dict[tuple[int, int], tuple[Door, ...]]  # two regions, the smaller first -> the edges between them


class Ways(NamedTuple):
    """The steps on a board: for each direction, the bit set of the squares from which a step is open."""

    width: int
    north: int
    east: int
    south: int
    west: int

    def around(self, mask: int) -> int:
        """Return, as a bit set, the squares one open step away from these squares."""
        return (
            (mask & self.north) >> self.width
            | (mask & self.east) << 1
            | (mask & self.south) << self.width
            | (mask & self.west) >> 1
        )

    def reached(self, start: int, allowed: int) -> int:
        """Return, as a bit set, the start squares and all allowed squares that steps lead to from them."""
        reached, border = start, start
        while border:
            border = self.around(border) & allowed & ~reached
            reached |= border
        return reached

    def parts(self, mask: int) -> Iterator[int]:
        """Yield each connected part of these squares, as a bit set."""
        while mask:
            part = self.reached(mask & -mask, mask)
            yield part
            mask &= ~part

    def nearest(self, start: int, goals: int, allowed: int) -> tuple[int, int]:
        """Return the steps to the nearest goal, and its square as a bit set; ValueError if no goal is reached."""
        reached, border, steps = start, start, 0
        while not border & goals:
            border = self.around(border) & allowed & ~reached
            if not border:
                raise ValueError("quest: expected goals that can be reached, got one that cannot")
            reached |= border
            steps += 1
        found = border & goals
        return steps, found & -found

    def opened(self, doors: Iterable[Door]) -> Ways:
        """Return these steps with those through the doors added, as if the doors stood open."""
        beside = below = 0
        for one, other in doors:
            if other == one + 1:
                beside |= 1 << one
            else:
                below |= 1 << one
        sides = (self.north | below << self.width, self.east | beside, self.south | below, self.west | beside << 1)
        return Ways(self.width, *sides)


class Site(NamedTuple):
    """A printed board with nothing on it, as bit sets; `walls`: the wall edges for each pair of regions."""

    board: Board
    ways: Ways
    rooms: dict[int, int]  # room number -> its squares
    corridor: int
    walls: _Walls


class Model(NamedTuple):
    """The measures of a quest; random dungeons made from the quest must come near them."""

    walk: int  # steps
    room_count: int  # rooms in play: a board may have more
    corridor_size: int  # corridor squares in play


class Targets(NamedTuple):
    """The squares to which heroes must go, as bit sets: goals, and one square of each other room to explore."""

    goals: int
    rooms: int
    is_return: bool


class Ground(NamedTuple):
    """The corridor squares of one dungeon, as bit sets, and the walls where its doors can be."""

    blocked: int
    corridor: int  # the connected part that is in play
    walls: _Walls


@lru_cache(maxsize=16)
def site_of(width: int, regions: tuple[int, ...]) -> Site:
    """Return the board of these regions (as in `Board.regions`) with nothing on it."""
    board = empty_board(width, len(regions) // width, regions)
    sides = board.tables.sides
    ways = Ways(width, *(mask_of(cell for cell, on in enumerate(sides) if on & side) for side in _SIDES))
    walls: _Walls = {}
    for door in wall_edges(board):
        low, high = sorted((regions[door[0]], regions[door[1]]))
        walls[low, high] = (*walls.get((low, high), ()), door)
    layout = layout_of(regions)
    return Site(board, ways, layout.rooms, layout.corridor, walls)


@lru_cache(maxsize=16)
def model_of(quest: Dungeon) -> Model:
    """Return the measures of a quest, or of a dungeon drawn like it."""
    ways = site_of(quest.board.width, quest.board.regions).ways.opened((*quest.doors, *quest.secret_doors))
    reached = ways.reached(1 << quest.starts[0], quest.layout.everything & ~quest.things.blocked)
    room_count = sum(bool(room & reached) for room in quest.layout.rooms.values())
    targets = targets_of(quest, quest.chests, quest.monsters, reached)
    return Model(
        walk_length(ways, quest.starts[0], targets, reached), room_count, (quest.layout.corridor & reached).bit_count()
    )


def walk_length(ways: Ways, stairs: int, targets: Targets, allowed: int) -> int:
    """Return the number of steps of a greedy walk over the `allowed` squares, a bit set.

    It leads from the stairs always to the nearest goal or room that it has not visited, until all goals are reached,
    and back to the stairs if the quest asks for it.
    """
    here, length = 1 << stairs, 0
    left, goals = targets.goals | targets.rooms, targets.goals
    while goals:
        steps, here = ways.nearest(here, left, allowed)
        length, left, goals = length + steps, left & ~here, goals & ~here
    return length + (ways.nearest(here, 1 << stairs, allowed)[0] if targets.is_return else 0)


def targets_of(quest: Dungeon, chests: Iterable[Chest], monsters: Iterable[Lurker], allowed: int) -> Targets:
    """Return where heroes must go for the quest's goal if it has these chests and monsters; `allowed`: its floor."""
    goals = mask_of(monster.cell for monster in monsters if monster.kind == quest.goal.kill)
    rooms = [room & allowed for room in quest.layout.rooms.values() if goals and not room & goals]
    goals |= mask_of(chest.cell for chest in chests) if quest.goal.loot else 0
    return Targets(goals, sum(room & -room for room in rooms), quest.goal.back)


def draw_dungeon(quest: Dungeon, rng: random.Random) -> Dungeon:
    """Return a random dungeon with the quest's things in other places; ValueError if many draws find none."""
    for number in range(MAX_DRAWS):
        if number % DRAWS_A_GROUND == 0:
            ground = _draw_ground(quest, rng)
        if (dungeon := _Drawing(quest, ground, rng).dungeon()) is not None:
            return dungeon
    raise ValueError(f"quest: expected another dungeon like {quest.name} among {MAX_DRAWS}, got none")


def _draw_ground(quest: Dungeon, rng: random.Random) -> Ground:
    """Draw blocked squares that leave a connected corridor about as large as the quest's; return both."""
    site, wanted = site_of(quest.board.width, quest.board.regions), model_of(quest).corridor_size
    places = members(site.corridor)
    blocked = corridor = 0
    for _ in range(PLACE_TRIES):
        drawn = mask_of(rng.sample(places, len(quest.board.blocked)))
        part = min(site.ways.parts(site.corridor & ~drawn), key=lambda part: abs(part.bit_count() - wanted))
        if abs(part.bit_count() - wanted) < abs(corridor.bit_count() - wanted):
            blocked, corridor = drawn, part
        if abs(corridor.bit_count() - wanted) <= MAX_GAP * wanted:
            break
    allowed = corridor | sum(site.rooms.values())
    usable = {
        pair: tuple(door for door in doors if allowed >> door[0] & allowed >> door[1] & 1)
        for pair, doors in site.walls.items()
    }
    return Ground(blocked, corridor, {pair: doors for pair, doors in usable.items() if doors})


@lru_cache(maxsize=512)
def _board(site: Board, blocked: int) -> Board:
    """Return the board with these squares blocked; equal ones share their tables of sight."""
    return Board(site.width, site.height, site.regions, blocked=frozenset(site.squares(blocked)))


class _Drawing:
    """One attempt to draw a dungeon; things are placed one after another, and none may cut a room in two."""

    def __init__(self, quest: Dungeon, ground: Ground, rng: random.Random) -> None:
        self._quest, self._ground, self._rng = quest, ground, rng
        self._site = site_of(quest.board.width, quest.board.regions)
        self._rooms: list[int] = []  # in play, in the order in which doors join them; heroes start in the first
        self._solid = 0  # furniture, chests, and where blocks may fall
        self._kept_free = 0  # stairs and squares at doors
        self._monsters = 0

    def dungeon(self) -> Dungeon | None:
        """Return the drawn dungeon; None if something does not fit, or if the walk is too short or too long."""
        doors = self._draw_doors()
        starts = () if doors is None else self._draw_starts()
        chests = self._draw_chests() if starts else None
        if doors is None or chests is None:
            return None
        prey = self._draw_monsters(is_prey=True)
        if not self._is_like(doors, starts, chests, prey):
            return None
        furniture = self._draw_furniture()
        monsters = (*prey, *self._draw_monsters(is_prey=False))
        traps = None if furniture is None else self._draw_traps(mask_of(starts))
        if furniture is None or traps is None:
            return None
        secret, corridor = len(self._quest.secret_doors), members(self._ground.corridor)
        return replace(
            self._quest,
            board=_board(self._site.board, self._ground.blocked),
            starts=starts,
            doors=tuple(sorted(doors[secret:])),
            secret_doors=tuple(sorted(doors[:secret])),
            furniture=furniture,
            chests=chests,
            traps=traps,
            monsters=tuple(sorted(monsters, key=lambda one: one.cell)),
            dark=mask_of(self._rng.sample(corridor, self._quest.dark.bit_count())),
        )

    def _is_like(
        self, doors: list[Door], starts: tuple[int, ...], chests: Iterable[Chest], prey: Iterable[Lurker]
    ) -> bool:
        """Return True if the walk to the goals of this dungeon is about as long as that of the quest."""
        in_play = sum(self._site.rooms[number] for number in self._rooms) | self._ground.corridor
        targets = targets_of(self._quest, chests, prey, in_play)
        walk = walk_length(self._site.ways.opened(doors), starts[0], targets, in_play)
        wanted = model_of(self._quest).walk
        return abs(walk - wanted) <= MAX_GAP * wanted

    def _draw_doors(self) -> list[Door] | None:
        """Draw as many doors as the quest has, secret ones first; None if they do not join corridor and rooms.

        Doors join regions one after another; further doors join regions a second time. With secret doors, the room that
        was joined last has no other door than the first of them.
        """
        quest, rng, walls = self._quest, self._rng, dict(self._ground.walls)
        joined = [rng.choice([*self._site.rooms])]
        doors: list[Door] = []
        while len(joined) <= model_of(quest).room_count:
            pairs = [pair for pair in walls if (pair[0] in joined) != (pair[1] in joined)]
            if not pairs:
                return None
            pair = rng.choice(pairs)
            joined.append(pair[0] if pair[1] in joined else pair[1])
            doors.append(rng.choice(walls.pop(pair)))
        secret = len(quest.secret_doors)
        circles = joined[:-1] if secret else joined
        pairs = [pair for pair in walls if pair[0] in circles and pair[1] in circles]
        missing = len(quest.doors) + secret - len(doors)
        if CORRIDOR not in circles or missing > len(pairs):
            return None
        further = [rng.choice(walls[pair]) for pair in rng.sample(pairs, missing)]
        doors = [doors[-1], *further, *doors[:-1]]
        self._rooms = [region for region in joined if region != CORRIDOR]
        self._kept_free |= mask_of(cell for door in doors for cell in door)
        return doors

    def _draw_starts(self) -> tuple[int, ...]:
        """Draw the start squares, a block of two by two squares in the first room; () if it has no such block."""
        width, room = self._site.ways.width, self._site.rooms[self._rooms[0]]
        blocks = room & room >> 1 & room >> width & room >> width + 1
        if not blocks:
            return ()
        first = self._rng.choice(members(blocks))
        starts = (first, first + 1, first + width, first + width + 1)[: len(self._quest.starts)]
        self._kept_free |= mask_of(starts)
        return starts

    def _fits(self, mask: int, floor: int) -> bool:
        """Return True if a thing fits on these squares: they are free, and the rest of the floor stays in one piece."""
        rest = floor & ~self._solid & ~mask
        is_free = mask & floor & ~self._solid & ~self._kept_free & ~self._monsters == mask
        return is_free and rest > 0 and self._site.ways.reached(rest & -rest, rest) == rest

    def _draw_chests(self) -> tuple[Chest, ...] | None:
        """Draw a square for each chest, in different rooms if possible; None if there are too few.

        With secret doors, the first chest is in the room behind one of them.
        """
        rng, chests, numbers = self._rng, self._quest.chests, self._rooms[1:]
        rng.shuffle(numbers)
        if self._quest.secret_doors:
            numbers.sort(key=lambda number: number != self._rooms[-1])
        rooms = cycle([self._site.rooms[number] for number in numbers])
        drawn = []
        for chest in rng.sample(chests, len(chests)):
            places = (self._place_in(room) for room in islice(rooms, len(numbers)))
            cell = next((cell for cell in places if cell is not None), None)
            if cell is None:
                return None
            drawn.append(Chest(cell, chest.gold))
            self._solid |= 1 << cell
        return tuple(sorted(drawn))

    def _place_in(self, room: int) -> int | None:
        """Return a square of a room where a chest fits, or None."""
        cells = members(room)
        self._rng.shuffle(cells)
        return next((cell for cell in cells if self._fits(1 << cell, room)), None)

    def _draw_monsters(self, *, is_prey: bool) -> tuple[Lurker, ...]:
        """Place the monsters that have to be killed (`is_prey`), or the others, in rooms where no hero starts."""
        monsters = [one for one in self._quest.monsters if (one.kind == self._quest.goal.kill) == is_prey]
        free = sum(self._site.rooms[number] for number in self._rooms[1:]) & ~self._solid & ~self._monsters
        cells = self._rng.sample(members(free), len(monsters))
        self._monsters |= mask_of(cells)
        return tuple(one._replace(cell=cell) for one, cell in zip(monsters, cells, strict=True))

    def _draw_furniture(self) -> tuple[Furniture, ...] | None:
        """Draw a place for each piece of furniture, turned or not; None if a piece has no place."""
        pieces = []
        for piece in self._quest.furniture:
            mask = self._draw_place(piece)
            if not mask:
                return None
            self._solid |= mask
            pieces.append(Furniture(piece.kind, tuple(members(mask))))
        return tuple(pieces)

    def _draw_place(self, piece: Furniture) -> int:
        """Return the squares of a random place for the piece, as a bit set; 0 if none is found."""
        width, rng = self._site.ways.width, self._rng
        columns = len({cell % width for cell in piece.cells})
        sizes = (columns, len(piece.cells) // columns)
        for _ in range(PLACE_TRIES):
            across, down = sizes if rng.random() < 0.5 else sizes[::-1]
            room = self._site.rooms[rng.choice(self._rooms)]
            row = (1 << across) - 1 << rng.choice(members(room))
            mask = sum(row << width * line for line in range(down))
            if self._fits(mask, room):
                return mask
        return 0

    def _draw_traps(self, stairs: int) -> tuple[Trap, ...] | None:
        """Draw a square for each trap; all free squares off the stairs have equal chances.

        Falling blocks come only where they cut nothing off; None if there is no such square.
        """
        floors = [*(self._site.rooms[number] for number in self._rooms), self._ground.corridor]
        places = members(sum(floors) & ~self._solid & ~stairs)
        self._rng.shuffle(places)
        traps = []
        for kind in sorted(trap.kind for trap in self._quest.traps):  # "block" is the first
            cell = next((cell for cell in places if kind != "block" or self._may_fall(cell, floors)), None)
            if cell is None:
                return None
            places.remove(cell)
            self._solid |= (kind == "block") << cell
            traps.append(Trap(kind, cell))
        return tuple(sorted(traps, key=lambda trap: trap.cell))

    def _may_fall(self, cell: int, floors: list[int]) -> bool:
        """Return True if a falling block on the square cuts nothing off."""
        return any(floor >> cell & 1 and self._fits(1 << cell, floor) for floor in floors)
