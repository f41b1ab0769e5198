"""Beam hero: in a fight it compares sequences of moving and acting in this turn; otherwise a beam finds its paths.

A node is the hero's square and its deed: its action besides moving. The rank adds up the
value of the deed, the damage that monsters can do to the hero there, and the distance to the next goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from gridjoust.bots.heroquest.hero_bot import SINK, Field, HeroBot
from gridjoust.bots.heroquest.tactics import Goals, Scene, deed_value, strike_value, walk_goals
from gridjoust.bots.planners.beam import beam, beam_lookahead
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.trail import by_depth
from gridjoust.games.heroquest.actions import Action, Move
from gridjoust.games.heroquest.combat import attack_dice
from gridjoust.games.heroquest.movement import Paths, shortest_paths
from gridjoust.games.heroquest.visibility import can_strike

WIDTH = 24
ROUTE_WIDTH = 64
DEPTH = 2  # move and act, in either order
THREAT_WEIGHT = 0.25  # value of one point of expected damage, in monsters killed
BODY_AT_EASE = 4  # a hero with more body than this ignores threats
GOAL_WEIGHT = 0.02  # value of one step nearer to a goal


class Node(NamedTuple):
    """A node of the search within a turn: square, value of the deed, first action."""

    cell: int
    worth: float  # of the deed; -1 = none yet
    first: Action | None = None  # the first action of the turn


class BeamHero(HeroBot):
    """Moves heroes, or Zargon's monsters, by beam search; in a fight it weighs whole turns."""

    planner: ClassVar[str] = "beam"

    def choose_deed(self, scene: Scene, actions: Sequence[Action]) -> Action | None:
        """Return the first action of the best sequence if a monster is in sight, else what all hero bots choose."""
        if not scene.monsters or not scene.situation.state.points or scene.situation.state.has_acted:
            return super().choose_deed(scene, actions)
        turn = _Turn(scene, actions)
        start = Node(scene.hero.cell, -1)
        layers: list[list[Node]] | None = None if self.lens is None else []
        plan = beam_lookahead(
            start, neighbours=turn.following, rank=turn.rank, width=WIDTH, depth=DEPTH, budget=self.work, layers=layers
        )
        if layers is not None:
            square = scene.situation.board.square
            self.show("turn", heat=by_depth(layers, lambda node: square(node.cell)))
        self._spent += plan.stats
        return plan.path[-1].first if plan.path[-1].worth > 0 else super().choose_deed(scene, actions)

    def route(self, field: Field, goals: Goals) -> Plan[int]:
        """Return the path that a beam, wide enough for corridors and rooms, finds to the nearest goal."""
        neighbours, cost = field.steps_to(goals)
        layers: list[list[int]] | None = None if self.lens is None else []
        plan = beam(
            field.start,
            {SINK},
            neighbours=neighbours,
            cost=cost,
            rank=lambda _, so_far: so_far,
            width=ROUTE_WIDTH,
            budget=self.work,
            layers=layers,
        )
        if layers is not None:
            self.show("depth", heat=by_depth(layers, field.place))
        return plan


class _Turn:
    """The sequences of moves and deeds that a hero has in one turn, as a graph for a beam.

    `following` lists the next parts of a sequence, `rank` compares them (smaller is better).
    """

    def __init__(self, scene: Scene, actions: Sequence[Action]) -> None:
        self._scene = scene
        self._start = scene.hero.cell
        self._deeds = [(deed_value(scene, action), action) for action in actions]
        state = scene.situation.state
        self._paths: Paths = shortest_paths(
            scene.ground, self._start, state.points, avoid=state.found_traps & ~state.gone_traps
        )
        self._goals = next(walk_goals(scene), {})
        self._fear = THREAT_WEIGHT * max(0, BODY_AT_EASE + 1 - scene.hero.body) / BODY_AT_EASE
        self._ranks: dict[int, float] = {}

    def following(self, node: Node) -> list[Node]:
        """Return the nodes that may follow: deeds after a move, moves after a deed, both at the start of the turn."""
        if node.worth >= 0:
            return [] if node.cell != self._start else [node, *self._walks(node)]
        if node.cell == self._start:
            deeds = [Node(node.cell, value, action) for value, action in self._deeds if value > 0]
            return deeds + self._walks(node)
        return [Node(node.cell, value, node.first) for value in self._strikes(node.cell)] or [node]

    def _walks(self, node: Node) -> list[Node]:
        return [Node(cell, node.worth, node.first or Move(path)) for cell, path in self._paths.items()]

    def _strikes(self, cell: int) -> list[float]:
        """Return the value of each melee attack that the hero could make from that square."""
        dice = attack_dice(self._scene.hero)
        situation = self._scene.situation
        targets = [at for at in situation.beside(cell) if at in self._scene.monsters]
        return [strike_value(self._scene, at, dice) for at in targets if can_strike(situation, cell, at)]

    def rank(self, node: Node, _: float) -> float:
        """Return a rank from the threats there, the distance to a goal and the deed's value; smaller is better."""
        return self._place_rank(node.cell) - max(node.worth, 0)

    def _place_rank(self, cell: int) -> float:
        if cell not in self._ranks:
            near = [self._scene.situation.distance(cell, at) for at in self._goals]
            self._ranks[cell] = self._fear * self._scene.threat(cell) + GOAL_WEIGHT * min(near, default=0)
        return self._ranks[cell]
