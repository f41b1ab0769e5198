"""The sets of citable instances: how each is made from a seed, and how its hardness is measured by A*."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from gridjoust import games
from gridjoust.bots.navigation.walker import make_grid
from gridjoust.bots.placement.astar import plan_astar
from gridjoust.bots.placement.task import Found, Task
from gridjoust.bots.planners.astar import astar, grid_astar
from gridjoust.bots.planners.stats import Plan, PlanStats
from gridjoust.bots.ricochet.optimum import shortest_steps
from gridjoust.bots.ricochet.plans import Task as RicochetTask
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.chance import rng_for
from gridjoust.games.eidolon.dungeon import Dungeon
from gridjoust.games.eidolon.rules import Eidolon
from gridjoust.games.eidolon.tiles import ENDS, FIRE, TILES, VESTIBULE
from gridjoust.games.grid import Cell
from gridjoust.games.heroquest.dungeons import site_of, targets_of
from gridjoust.games.heroquest.quest_text import format_quest
from gridjoust.games.heroquest.rules import HeroQuest
from gridjoust.games.heroquest.state import Dungeon as Quest
from gridjoust.games.navigation.board import MOVES, Board
from gridjoust.games.navigation.movingai import ScenRow, format_map, format_scen
from gridjoust.games.placement.apply import Position as Turn
from gridjoust.games.placement.board import make_board
from gridjoust.games.placement.maps import generate
from gridjoust.games.placement.rules import Placement
from gridjoust.games.ricochet.ascii import format_board
from gridjoust.games.ricochet.board import COLOURS, sorted_edges
from gridjoust.games.ricochet.deal import deal_board, deal_robots
from gridjoust.games.ricochet.optimum import finish_search
from gridjoust.games.ricochet.proof import Position
from gridjoust.games.ricochet.rules import Ricochet
from gridjoust.games.ricochet.slides import slides_of

DRAWN_GOALS = 8  # the query of a map leads to the farthest of so many cells
PLACEMENT_STATES = 6_000  # that A* may generate for a turn of placement


class BoardKind(NamedTuple):
    """Boards for the ricochet sets whose optimum is at least `least_optimum`; fewer walls make longer solutions."""

    least_optimum: int
    walls: int  # drawn at random; 0: boards of printed tiles
    most_positions: int  # that the proof of an optimum may keep


BOARD_KINDS = (BoardKind(2, 0, 3_000_000), BoardKind(12, 48, 3_000_000), BoardKind(16, 12, 8_000_000))


class Hardness(NamedTuple):
    """How hard an instance is for A*: cost of its path, nodes expanded, and nodes generated per expanded one."""

    cost: float
    nodes: int
    branching: float


class Instance(NamedTuple):
    """The files of an instance: ending of the name -> text; `case` is its part of a file for `joust solve`."""

    files: Mapping[str, str]
    case: Mapping[str, Any] | None = None


class InstanceSet(Protocol):
    """A set of instances of one game."""

    @property
    def game(self) -> str:
        """Name of the game."""

    @property
    def about(self) -> str:
        """What the set holds."""

    def make(self, name: str, seed: int) -> Instance:
        """Make the instance of a seed; `name` is its id."""

    def measure(self, seed: int) -> Hardness:
        """Solve the instance of a seed by A* and return its hardness."""


def digest(instance: Instance) -> str:
    """Return the first 16 hex digits of the SHA-256 of the instance's files."""
    text = json.dumps([sorted(instance.files.items()), instance.case], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def hardness_of(cost: float, stats: PlanStats) -> Hardness:
    """Return the hardness that a search with these statistics has shown, rounded as in the manifest."""
    return Hardness(round(cost, 3), stats.expanded, round(stats.generated / max(1, stats.expanded), 2))


@dataclass(frozen=True, slots=True)
class Maps:
    """Maps of one kind and size with one query each; the cost is octile, without corner cutting."""

    kind: str  # of `generator`
    side: int  # cells
    params: Mapping[str, Any] = field(default_factory=dict)
    game: str = "navigation"

    @property
    def about(self) -> str:
        """What the set holds."""
        return f"{self.kind}, {self.side} x {self.side}, and a query; cost: octile length"

    def make(self, name: str, seed: int) -> Instance:
        """Make the `.map` and its `.scen`."""
        board, start, goal, plan = self._draw(seed)
        ends = (Cell(*board.place(start)), Cell(*board.place(goal)))
        row = ScenRow(int(plan.cost / 4), f"{name}.map", board.width, board.height, *ends, plan.cost)
        return Instance({".map": format_map(board), ".map.scen": format_scen([row])})

    def measure(self, seed: int) -> Hardness:
        """Return what A* with eight neighbours needs for the query."""
        *_, plan = self._draw(seed)
        return hardness_of(plan.cost, plan.stats)

    def _draw(self, seed: int) -> tuple[Board, int, int, Plan[int]]:
        size: dict[str, Any] = {"generator": self.kind, "width": self.side, "height": self.side}
        board: Board = games.make("navigation", {**size, **self.params}).initial_state(seed).board
        free = [cell for cell, is_blocked in enumerate(board.blocked) if not is_blocked]
        grid = make_grid(board.width, board.height, MOVES["8"], members(mask_of(set(range(board.size)) - set(free))))
        start, *goals = rng_for(seed, 0, "instance").sample(free, 1 + DRAWN_GOALS)
        plans = [(grid_astar(grid, start, {goal}), goal) for goal in goals]
        plan, goal = max(plans, key=lambda one: one[0].cost if one[0].found else 0)
        return board, start, goal, plan


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of ricochet whose shortest solutions have `optimum` moves; that is also the cost."""

    optimum: int
    game: str = "ricochet"

    @property
    def about(self) -> str:
        """What the set holds."""
        return f"positions that take {self.optimum} moves; cost: moves"

    @property
    def kind(self) -> BoardKind:
        """The boards of the set."""
        return [kind for kind in BOARD_KINDS if kind.least_optimum <= max(2, self.optimum)][-1]

    def make(self, name: str, seed: int) -> Instance:
        """Make the board as text, for tournaments, and the position for `joust solve`."""
        position = self._draw(seed)
        board, target = position.board, position.target
        names = [str(colour) for colour in COLOURS]
        edges = [(cell, cell.step(side)) for cell, side in sorted_edges(board.walls) if side.name in "ES"]
        entry = {
            "id": name,
            "board": name,
            "robots": {names[number]: list(cell) for number, cell in enumerate(position.robots)},
            "active": str(target.colour) if target.colour else "any",
            "target": list(target.cell),
        }
        blocked = sorted(map(list, board.blocked))
        drawn = {
            "size": [board.width, board.height],
            "walls": [[*one, *other] for one, other in edges],
            "blocked_cells": blocked,
        }
        text = format_board(board, position.robots)
        return Instance({".txt": f"{text}\n"}, {"boards": {name: drawn}, "positions": [entry]})

    def measure(self, seed: int) -> Hardness:
        """Return what A* needs to prove the optimum."""
        position = self._draw(seed)
        task = RicochetTask(slides_of(position.board), position, max_states=self.kind.most_positions)
        plan = finish_search(shortest_steps(task))
        return hardness_of(len(plan.moves or ()), PlanStats(plan.expanded, plan.generated))

    def _draw(self, seed: int) -> Position:
        walls = self.kind.walls
        game, rng = Ricochet({"random_walls": walls} if walls else {}), rng_for(seed, 0, "instance")
        board, _ = deal_board(game.params, rng)
        target = rng.choice(board.targets)
        robots = deal_robots(board, game.rules, rng)
        return Position(replace(board, targets=(target,)).wanting(target), robots, target)


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns of placement that reach the goal only with all `pieces` of the hand; the cost is in steps of the figure."""

    pieces: int
    game: str = "placement"

    @property
    def about(self) -> str:
        """What the set holds."""
        return f"turns that need all pieces of the hand ({self.pieces}); cost: steps"

    def make(self, name: str, seed: int) -> Instance:
        """Make the case for `joust solve`."""
        task = self._draw(seed)
        position = task.position
        board = position.board
        case = {
            "id": name,
            "size": [board.width, board.height],
            "floor": [list(cell) for cell in board.cells(position.floor)],
            "start": list(board.cell(position.cell)),
            "goal": list(board.cells(task.goals)[0]),
            "moves": position.moves,
            "pieces": [[list(cell) for cell in shape] for shape in position.hand],
        }
        return Instance({}, {"cases": [case]})

    def measure(self, seed: int) -> Hardness:
        """Return what A* needs for a plan with the fewest steps."""
        found = self._solve(seed)
        return hardness_of(found.steps, found.cost)

    def needs_all(self, seed: int) -> bool:
        """Return True if a plan reaches the goal, and none could with fewer pieces than the hand has."""
        return self._least_pieces(seed) == self.pieces and self._solve(seed).distance == 0

    def _solve(self, seed: int) -> Found:
        return plan_astar(self._draw(seed), node_budget=PLACEMENT_STATES)

    def _draw(self, seed: int) -> Task:
        """Draw a turn from a seed: a board, and a hand of `pieces` pieces."""
        side, rng = 9 + 4 * self.pieces, rng_for(seed, 0, "instance")
        game = Placement({"width": side, "height": side, "goals": 1, "islands": 6})
        layout = generate(game.rules, seats=2, rng=rng)
        hand = tuple(rng.choice(game.pieces) for _ in range(self.pieces))
        board = make_board(layout.width, layout.height)
        turn = Turn(board, layout.floor, layout.walls, layout.starts[0], hand, 2 * board.width, reflect=False)
        return Task(turn, mask_of(layout.goals[0]))

    def _least_pieces(self, seed: int) -> int:
        """Return a lower bound on the pieces of a plan: how many of the largest cover the least Void on a path."""
        task = self._draw(seed)
        position = task.position
        reached, void = 1 << position.cell, 0
        while True:
            while grown := position.board.spread(reached) & position.floor & ~reached:
                reached |= grown
            if reached & task.goals:
                break
            reached |= position.board.spread(reached) & ~position.walls
            void += 1
        sizes = sorted((len(shape) for shape in position.hand), reverse=True)
        return next((count for count in range(len(sizes) + 1) if sum(sizes[:count]) >= void), len(sizes) + 1)


@dataclass(frozen=True, slots=True)
class Quests:
    """Dungeons like one quest of heroquest; the cost is the walk from the stairs to the farthest goal, in steps."""

    quest: str
    game: str = "heroquest"

    @property
    def about(self) -> str:
        """What the set holds."""
        return f"dungeons like {self.quest}; cost: steps from the stairs to the farthest goal"

    def make(self, name: str, seed: int) -> Instance:  # noqa: ARG002 - heroes are told no id
        """Make the quest file."""
        return Instance({".yaml": format_quest(self._draw(seed))})

    def measure(self, seed: int) -> Hardness:
        """Return what A* needs for the walk if all doors are open and no figure is in the way."""
        quest = self._draw(seed)
        width = quest.board.width
        ways = site_of(width, quest.board.regions).ways.opened((*quest.doors, *quest.secret_doors))
        allowed = quest.layout.everything & ~quest.things.blocked
        goals = members(targets_of(quest, quest.chests, quest.monsters, allowed).goals)
        goal = max(goals, key=lambda cell: ways.nearest(1 << quest.starts[0], 1 << cell, allowed)[0])
        plan = astar(
            quest.starts[0],
            {goal},
            neighbours=lambda cell: members(ways.around(1 << cell) & allowed),
            heuristic=lambda cell: abs(cell % width - goal % width) + abs(cell // width - goal // width),
        )
        return hardness_of(plan.cost, plan.stats)

    def _draw(self, seed: int) -> Quest:
        return HeroQuest({"quest": self.quest}).initial_state(seed).dungeon


@dataclass(frozen=True, slots=True)
class Dungeons:
    """Known maps of eidolon; the cost is the walk from the Vestibule to the Fire and on to the End, in steps."""

    preset: str
    game: str = "eidolon"

    @property
    def about(self) -> str:
        """What the set holds."""
        return f"dungeons of {self.preset}, by seed; cost: steps to the Fire and to the End"

    def make(self, name: str, seed: int) -> Instance:
        """Return a description of the dungeon as JSON; a match with this preset and seed is played in it."""
        dungeon = self._draw(seed)
        tiles = [[TILES[one.tile].name, *one.cell, one.quarters] for one in dungeon.placed]
        barriers = sorted([*cell, side.name] for cell, side in dungeon.barriers)
        described = {"id": name, "preset": self.preset, "seed": seed, "tiles": tiles, "barriers": barriers}
        return Instance({".json": f"{json.dumps(described)}\n"})

    def measure(self, seed: int) -> Hardness:
        """Return what A* needs for both walks; as passages jump, its estimate is 0. Barriers can be cleared."""
        dungeon = self._draw(seed)
        end = next(tile for tile in ENDS if tile in dungeon.where)
        stops = [dungeon.where[tile] for tile in (VESTIBULE, FIRE, end)]
        steps = dungeon.neighbours("doors")
        plans = [
            astar(here, {there}, neighbours=steps.__getitem__, heuristic=lambda cell: 0)  # noqa: ARG005
            for here, there in pairwise(stops)
        ]
        stats = PlanStats(sum(p.stats.expanded for p in plans), sum(p.stats.generated for p in plans))
        return hardness_of(sum(plan.cost for plan in plans), stats)

    def _draw(self, seed: int) -> Dungeon:
        return Eidolon({"preset": self.preset}).initial_state(seed).dungeon


_SIDES = (32, 64, 128)
SETS: Mapping[str, InstanceSet] = {
    **{f"rooms-{side}": Maps("rooms", side, {"room": side // 8}) for side in _SIDES},
    **{f"maze-{side}": Maps("maze", side) for side in _SIDES},
    **{f"streets-{side}": Maps("streets", side) for side in _SIDES},
    **{f"caves-{side}": Maps("caves", side) for side in _SIDES},
    **{f"ricochet-{optimum:02}": Positions(optimum) for optimum in range(2, 18)},
    **{f"placement-{pieces}": Turns(pieces) for pieces in range(1, 5)},
    **{f"heroquest-{quest}": Quests(quest) for quest in ("crypt", "watch_house", "vault", "the_trial")},
    **{f"eidolon-{preset}": Dungeons(preset) for preset in ("sim1", "sim2")},
}
