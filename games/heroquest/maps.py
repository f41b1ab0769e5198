"""Random boards and random quests.

A random board is a ring of corridor around blocks. Each block is cut in two, by a corridor or by a wall, until only
rooms are left. A random quest starts in a random room, connects all rooms by doors, spends a budget of body points on
monsters, and puts the strongest monster, the goal, into the room with the longest walk to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from gridjoust.games.bitset import members
from gridjoust.games.heroquest.catalogue import MONSTERS_US
from gridjoust.games.heroquest.sight.board import CORRIDOR, Board, make_edge
from gridjoust.games.heroquest.sight.lines import EAST, NORTH, SOUTH, WEST, directions_of
from gridjoust.games.heroquest.state import Chest, Door, Dungeon, Goal, Lurker, Trap, layout_of

MIN_SIDE, MAX_WIDTH, MAX_HEIGHT = 13, 26, 19
MAX_ROOM_SIDE = 5
MIN_ROOM_SIDE = 2
CORRIDOR_CHANCE = 0.5
EXTRA_DOOR_CHANCE = 0.25
MIN_START_ROOM = 4  # squares, so that all heroes have room
MIN_CHEST_ROOM = 6
GOAL_KINDS = ("gargoyle", "chaos warrior", "fimir", "mummy")
COMMON_KINDS = ("goblin", "orc", "skeleton", "zombie", "mummy", "fimir", "chaos warrior")
TRAP_KINDS = ("pit", "spear", "block")
MIN_ROOMS = 3
MAX_DRAWS = 100

Block = tuple[int, int, int, int]  # x, y, width, height


def random_board(rng: random.Random) -> Board:
    """Draw a board of random size."""
    width, height = rng.randint(MIN_SIDE, MAX_WIDTH), rng.randint(MIN_SIDE, MAX_HEIGHT)
    regions = [CORRIDOR] * (width * height)
    rooms = _cut((1, 1, width - 2, height - 2), rng)
    for number, (x, y, across, down) in enumerate(rooms, start=1):
        for row in range(y, y + down):
            regions[row * width + x : row * width + x + across] = [number] * across
    return Board(width, height, tuple(regions))


def _cut(block: Block, rng: random.Random) -> list[Block]:
    """Return the rooms, as rectangles, into which a block is cut at random."""
    x, y, width, height = block
    if width <= MAX_ROOM_SIDE and height <= MAX_ROOM_SIDE:
        return [block]
    is_wide = width > height
    side = width if is_wide else height
    gap = int(side >= 2 * MIN_ROOM_SIDE + 1 and rng.random() < CORRIDOR_CHANCE)
    first = rng.randint(MIN_ROOM_SIDE, side - gap - MIN_ROOM_SIDE)
    rest = side - gap - first
    if is_wide:
        halves = ((x, y, first, height), (x + first + gap, y, rest, height))
    else:
        halves = ((x, y, width, first), (x, y + first + gap, width, rest))
    return [room for half in halves for room in _cut(half, rng)]


def random_quest(board: Board, *, budget: int, rng: random.Random) -> Dungeon:
    """Draw a quest on the board; ValueError if the board has too few rooms or is not connected."""
    rooms = layout_of(board.regions).rooms
    roomy = [room for room, mask in rooms.items() if mask.bit_count() >= MIN_START_ROOM]
    if len(rooms) < MIN_ROOMS or not roomy:
        raise ValueError(f"board: expected at least {MIN_ROOMS} rooms, one of them with {MIN_START_ROOM} squares")
    start_room = rng.choice(roomy)
    doors = _draw_doors(board, rng)
    if len(walking_distances(board, doors, members(rooms[start_room])[0])) < len(board.regions):
        raise ValueError("board: expected doors and corridors to connect all squares, got a part by itself")
    starts = _square_block(board, members(rooms[start_room]))
    goal_room = _farthest_room(board, doors, starts[0], start_room)
    # the strongest monster that leaves at least half of the budget
    goal_kind = next((kind for kind in GOAL_KINDS if 2 * MONSTERS_US[kind].body <= budget), "orc")
    goal_cell = rng.choice(members(rooms[goal_room]))
    free = [cell for room, mask in rooms.items() if room != start_room for cell in members(mask) if cell != goal_cell]
    rng.shuffle(free)
    monsters = [Lurker(goal_kind, goal_cell)]
    left = budget - MONSTERS_US[goal_kind].body
    while left > 0 and free:
        kind = rng.choice([kind for kind in COMMON_KINDS if kind != goal_kind and MONSTERS_US[kind].body <= left])
        monsters.append(Lurker(kind, free.pop()))
        left -= MONSTERS_US[kind].body
    corridor = members(layout_of(board.regions).corridor)
    traps = [Trap(rng.choice(TRAP_KINDS), cell) for cell in rng.sample(corridor, min(3, len(corridor) // 20))]
    chests = [Chest(cell, 25 * rng.randint(1, 6)) for cell in free[:4] if _is_by_the_wall(board, cell, doors)][:1]
    return Dungeon(
        name="random",
        board=board,
        starts=tuple(starts),
        goal=Goal(goal_kind, loot=False, back=False),
        wandering="orc",
        doors=doors,
        chests=tuple(sorted(chests)),
        traps=tuple(sorted(traps, key=lambda trap: trap.cell)),
        monsters=tuple(sorted(monsters, key=lambda monster: monster.cell)),
    )


def _is_by_the_wall(board: Board, cell: int, doors: tuple[Door, ...]) -> bool:
    """Return True if the square is in a corner of a large room, away from doors, so that a chest blocks nothing."""
    x, y = board.square(cell)
    walls = [board.is_wall((x, y), (x + dx, y + dy)) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    room = layout_of(board.regions).rooms[board.regions[cell]]
    is_corner = (walls[0] or walls[2]) and (walls[1] or walls[3]) and sum(walls) == 2
    return is_corner and room.bit_count() >= MIN_CHEST_ROOM and all(cell not in door for door in doors)


def _square_block(board: Board, cells: list[int]) -> list[int]:
    """Return four squares of a room close together, near its upper left."""
    return sorted(
        cells,
        key=lambda cell: (max(cell % board.width - cells[0] % board.width, (cell - cells[0]) // board.width), cell),
    )[:4]


@lru_cache(maxsize=64)
def wall_edges(board: Board) -> tuple[Door, ...]:
    """Return every wall edge on which a door can be, sorted."""
    regions, width = board.regions, board.width
    across = ((cell, cell + 1) for cell in range(len(regions)) if (cell + 1) % width)
    down = ((cell, cell + width) for cell in range(len(regions) - width))
    parted = (door for door in (*across, *down) if regions[door[0]] != regions[door[1]])
    return tuple(sorted(door for door in parted if min(regions[door[0]], regions[door[1]]) >= 0))


def _draw_doors(board: Board, rng: random.Random) -> tuple[Door, ...]:
    """Draw doors in random order until corridor and rooms are connected, and a few more."""
    edges = list(wall_edges(board))
    rng.shuffle(edges)
    group = list(range(max(board.regions) + 1))
    joined: set[tuple[int, int]] = set()
    doors: list[Door] = []
    for one, other in edges:
        low, high = sorted((board.regions[one], board.regions[other]))
        is_new = group[low] != group[high]
        if (low, high) not in joined and (is_new or rng.random() < EXTRA_DOOR_CHANCE / 4):
            joined.add((low, high))
            doors.append((one, other))
            group = [group[low] if number == group[high] else number for number in group]
    return tuple(sorted(doors))


def walking_distances(board: Board, doors: Iterable[Door], start: int) -> dict[int, int]:
    """Return reachable square -> steps from the start, with these doors open and nothing standing on the board."""
    edges = (make_edge(board.square(one), board.square(other)) for one, other in doors)
    sides = replace(board, open_doors=frozenset(edges)).tables.sides
    steps = directions_of(board.width, (NORTH, EAST, SOUTH, WEST))
    distances, border = {start: 0}, [start]
    for cell in border:  # the list grows while the loop runs
        for side, offset in steps:
            other = cell + offset
            if sides[cell] & side and other not in distances and not board.tables.solid[other]:
                distances[other] = distances[cell] + 1
                border.append(other)
    return distances


def _farthest_room(board: Board, doors: tuple[Door, ...], start: int, start_room: int) -> int:
    distances = walking_distances(board, doors, start)
    rooms = {board.regions[cell] for cell in distances if board.regions[cell] not in (CORRIDOR, start_room)}
    nearest = {room: min(steps for cell, steps in distances.items() if board.regions[cell] == room) for room in rooms}
    return max(sorted(nearest), key=lambda room: nearest[room])


def draw_quest(*, is_random_board: bool, budget: int, rng: random.Random) -> Dungeon:
    """Draw a random quest on the printed board or on a random one; boards with too few rooms are drawn again."""
    for _ in range(MAX_DRAWS):
        board = random_board(rng) if is_random_board else Board.standard()
        try:
            return random_quest(board, budget=budget, rng=rng)
        except ValueError:
            continue
    raise ValueError(f"board: expected one with {MIN_ROOMS} rooms among {MAX_DRAWS}, got none")
