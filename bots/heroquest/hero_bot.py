"""The frame of all hero bots: `tactics` sets the goals, each bot's planner finds the path.

Figures walk on a graph of known ground and possible ground, with prices. Seated as Zargon, a bot leads the monsters by
its planner to the prey that `zargon` names, so that one bot can play both sides.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar

import msgspec

from gridjoust.bots.api import Bot, MatchSetup, Observation
from gridjoust.bots.heroquest.knowledge import Knowledge
from gridjoust.bots.heroquest.tactics import Goals, Scene, deed_value, door_to_open, search_goals, walk_goals
from gridjoust.bots.heroquest.zargon import best_strike, points_of, prey, waiting
from gridjoust.bots.planners.stats import Plan, PlanStats, no_plan
from gridjoust.bots.planners.trail import Trail
from gridjoust.bots.reported import search_stats
from gridjoust.games.bitset import members
from gridjoust.games.grid import DIRECTIONS, Direction
from gridjoust.games.heroquest.actions import Action, Disarm, End, Jump, Move, Search
from gridjoust.games.heroquest.legal import deeds
from gridjoust.games.heroquest.movement import hero_ground, monster_ground
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.visibility import squares_in_sight

TRAP_COST = 8.0  # price of a square with a known trap: worth a detour of seven steps
FRIEND_COST = 1.25  # price of passing a figure of the own side
PATIENCE = 5  # rounds without news after which the leader stops waiting: the others may never come
SINK = -1  # the node behind every goal: one goal for planners that need a single one


class Field:
    """The graph of the acting hero, or of a monster: impassable squares are walls, goals have prices of their own.

    `walker` names the figure, for searches that are kept: its seat, or -1 minus a monster's number.
    """

    def __init__(self, situation: Situation, *, monster: int | None = None, start: int | None = None) -> None:
        """Set up the graph of a monster, or of the acting hero.

        `start`: the square from which tactics ask for a path, if it is not the hero's own question.
        """
        self.situation = situation
        state = situation.state
        self.walker: int | str
        if monster is None:
            self.walker, self.start, self.ground = state.seat, situation.hero.cell, hero_ground(situation)
            if start is not None:
                self.walker, self.start = f"tactics of seat {state.seat}", start
            self._traps = state.found_traps & ~state.gone_traps
            self._friends = {cell for cell in situation.hero_cells() if cell != self.start}
        else:
            self.walker, self.start = -1 - monster, state.monsters[monster].cell
            self.ground = monster_ground(situation, monster)
            self._traps = 0  # monsters never spring them
            self._friends = {cell for cell in situation.monster_cells() if cell != self.start}
        self._near: dict[int, tuple[int, ...]] = {}

    @property
    def size(self) -> int:
        """Number of squares."""
        return len(self.situation.board.regions)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the squares one step away, in the order N, E, S, W."""
        near = self._near.get(cell)
        if near is None:
            steps = (self.ground.next_cell(cell, direction) for direction in range(4))
            near = self._near[cell] = tuple(target for target in steps if target >= 0)
        return near

    def cost(self, tail: int, head: int) -> float:  # noqa: ARG002 - the signature of a cost function
        """Return the price of stepping onto the square `head`."""
        if self._traps >> head & 1:
            return TRAP_COST
        return FRIEND_COST if head in self._friends else 1

    def steps_to(self, goals: Goals) -> tuple[Callable[[int], tuple[int, ...]], Callable[[int, int], float]]:
        """Return (function from a square to its neighbours, cost function) of the graph with a sink behind these goals.

        Each goal has an arc to the sink, at the goal's price.
        """

        def neighbours(cell: int) -> tuple[int, ...]:
            return (*self.neighbours(cell), SINK) if cell in goals else self.neighbours(cell)

        def cost(tail: int, head: int) -> float:
            return goals[tail] if head == SINK else self.cost(tail, head)

        return neighbours, cost

    def place(self, cell: int) -> tuple[int, int] | None:
        """Return (x, y) of a square; None for the sink."""
        return None if cell == SINK else self.situation.board.square(cell)

    def is_trap(self, cell: int) -> bool:
        """Return True if a known trap lies there."""
        return bool(self._traps >> cell & 1)

    def arcs(self, goals: Mapping[int, float]) -> dict[tuple[int, int], float]:
        """Return (square, next square) -> price of each arc, including those from goals to the sink behind them."""
        found = {
            (cell, other): self.cost(cell, other)
            for cell in range(self.size)
            if cell == self.start or not self.ground.no_passing >> cell & 1
            for other in self.neighbours(cell)
        }
        found |= {(cell, SINK): max(price, 0.001) for cell, price in goals.items()}
        return found


class HeroBot(Bot):
    """Plays all its seats by the same tactics; subclasses find the paths."""

    plays: ClassVar[tuple[str, ...]] = ("heroquest",)

    def start(self, setup: MatchSetup) -> None:
        """Read the board and prepare the knowledge of every seat."""
        self._roles = setup.roles
        self._knowledge = {
            setup.roles[seat]: Knowledge(msgspec.structs.replace(setup, seats=[seat])) for seat in setup.seats
        }
        self._searched: set[int] = set()
        self._news = (0, 0)  # squares seen, and the first round in which they were
        self._spent = PlanStats()

    def act(self, observation: Observation) -> str:
        """Return the text of one action."""
        self._spent = PlanStats()
        knowledge = self._knowledge[self._roles[observation.seat]]
        situation = knowledge.situation(observation.view)
        if self._roles[observation.seat] == "zargon":
            action = self.hunt(situation)
        else:
            self._note_news(situation)
            is_patient = situation.state.round - self._news[1] < PATIENCE
            done = dict(observation.view["goal"])
            ask = partial(self._ask, situation)
            scene = Scene(situation, done, self._searched, ask, is_patient=is_patient, work=self.work)
            action = self._choose(scene, _confirmed((End(), *deeds(situation)), observation.legal))
        self.stats = search_stats(self._spent)
        return str(action)

    def _ask(self, situation: Situation, start: int, goals: Goals) -> Plan[int]:
        """Answer tactics that ask for the cheapest path from `start` to a goal; spectators are not shown it."""
        if not goals:
            return no_plan(PlanStats())
        lens, self.lens = self.lens, None
        try:
            plan = self.route(Field(situation, start=start), goals)
        finally:
            self.lens = lens
        self._spent += plan.stats
        return plan

    def trail(self, field: Field) -> Trail[int] | None:
        """Return a trail that records the search, or None without spectators."""
        return None if self.lens is None else Trail(field.place)

    def show_trail(self, trail: Trail[int] | None) -> None:
        """Show spectators which squares the search expanded, and its frontier."""
        if trail is not None:
            self.show("closed", nodes=trail.expanded, frontier=trail.frontier())

    @abstractmethod
    def route(self, field: Field, goals: Goals) -> Plan[int]:
        """Return the cheapest path to a goal (square -> price added there); it may end in the sink behind all goals."""

    def hunt(self, situation: Situation) -> Action:
        """Choose an action of Zargon: the best strike, else a move towards prey, else the end of the turn."""
        if strike := best_strike(situation):
            return strike
        for number in waiting(situation):
            field = Field(situation, monster=number)
            wanted = prey(situation, number)
            plan = self.route(field, wanted)
            self._spent += plan.stats
            if self.lens is not None and plan.found:
                square = situation.board.square
                self.show("prey", heat={square(cell): price for cell, price in wanted.items()})
                self.show(f"way of monster {number}", path=[square(cell) for cell in plan.path if cell != SINK])
            if plan.found and (steps := steps_along(field, plan.path, points_of(situation, number))):
                return Move(steps, number)
        return End()

    def choose_deed(self, scene: Scene, actions: Sequence[Action]) -> Action | None:
        """Return the most valuable deed, or None; bots that plan deeds and paths together override this."""
        valued = [(deed_value(scene, action), action) for action in actions]
        value, action = max(valued, key=lambda entry: entry[0], default=(0.0, None))
        return action if value > 0 else None

    def walk(self, scene: Scene, actions: Sequence[Action]) -> Action | None:
        """Return a move towards a goal, as far as this turn goes; None = stay."""
        if not scene.situation.state.points:
            return None
        field = Field(scene.situation)
        for goals in walk_goals(scene):
            plan = self.route(field, goals)
            self._spent += plan.stats
            if plan.found:
                if self.lens is not None:
                    square = scene.situation.board.square
                    self.show("goals", heat={square(cell): price for cell, price in goals.items()})
                    self.show("way", path=[square(cell) for cell in plan.path if cell != SINK])
                return way(field, plan.path, actions)
        return None

    def _choose(self, scene: Scene, actions: Sequence[Action]) -> Action:
        is_hasty = scene.is_going_home and scene.situation.state.points
        deed = None if is_hasty else self.choose_deed(scene, actions)
        action = deed or door_to_open(scene, actions) or self.walk(scene, actions)
        if action is None and is_hasty:
            action = self.choose_deed(scene, actions)
        return action or self._search(scene, actions) or End()

    def _note_news(self, situation: Situation) -> None:
        """Remember this round as the latest with news if new squares are seen or monsters are in sight."""
        if situation.state.seen != self._news[0] or situation.monster_cells():
            self._news = (situation.state.seen, situation.state.round)

    def _search(self, scene: Scene, actions: Sequence[Action]) -> Action | None:
        """Return a search for secret doors if none has covered the hero's square; called when no other goal is left."""
        wanted = Search("doors")
        cell = scene.hero.cell
        if wanted not in actions or cell not in search_goals(scene) or scene.is_going_home:
            return None
        self._searched.update(members(squares_in_sight(scene.situation, cell) | 1 << cell))
        return wanted


def _confirmed(actions: tuple[Action, ...], legal: Sequence[str]) -> tuple[Action, ...]:
    """Return those of the actions that `legal` offers, or all if it lists at most one.

    An action that seems possible may not be offered, as unseen squares may block a line of sight.
    """
    if len(legal) <= 1:
        return actions
    texts = set(legal)
    return tuple(action for action in actions if str(action) in texts)


def way(field: Field, path: Sequence[int], actions: Sequence[Action]) -> Action | None:
    """Return the longest move along a path that the movement points allow; None if there is none.

    It ends on a square to stand on, before any known trap.

    If the next step leads onto a known trap, the action deals with the trap.
    """
    cells = [cell for cell in path if cell != SINK]
    if len(cells) < 2:
        return None
    if field.is_trap(cells[1]):
        return _over_trap(field.situation.offsets.index(cells[1] - cells[0]), actions)
    steps = steps_along(field, cells, field.situation.state.points)
    return Move(steps) if steps else None


def steps_along(field: Field, path: Sequence[int], points: int) -> tuple[Direction, ...]:
    """Return the steps of a path that `points` allow, up to a square to stand on before any known trap."""
    cells = [cell for cell in path if cell != SINK]
    length = min(len(cells) - 1, points)
    length = next((index for index, cell in enumerate(cells[1 : length + 1]) if field.is_trap(cell)), length)
    while length > 0 and not field.ground.may_end(cells[length]):
        length -= 1
    pairs = pairwise(cells[: length + 1])
    return tuple(DIRECTIONS[field.situation.offsets.index(other - one)] for one, other in pairs)


def _over_trap(number: int, actions: Sequence[Action]) -> Action:
    """Return the action that disarms the trap in that direction, else jumps over it, else walks into it."""
    direction = DIRECTIONS[number]
    for wanted in (Disarm(direction), Jump(direction)):
        if wanted in actions:
            return wanted
    return Move((direction,))
