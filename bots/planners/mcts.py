"""Monte Carlo tree search (UCT) from what a seat knows: it improves with every simulation and is **not optimal.**

Kocsis & Szepesvári, "Bandit Based Monte-Carlo Planning", 2006. Each simulation walks down a tree of actions, adds one
node, plays on for a number of turns, and credits the worth of the last state to every action on its path. In a node it
chooses an action that was never tried, or else the one with the highest UCB1. The answer is the action that most
simulations began with; of equal ones, the first to get there.

Hidden facts and chance are treated as in Cowling, Powley & Whitehouse, "Information Set Monte Carlo Tree Search", 2012.
Each simulation begins with another state that fits what the seat knows, and a node stands for a sequence of actions in
whatever state. UCB1 counts for each action only the simulations in which it was legal. Seats that act at once choose
independently of each other (decoupled UCT: Tak, Lanctot & Winands, "Monte Carlo Tree Search Variants for Simultaneous
Move Games", 2014). Such play need not come to an equilibrium.

The states on the way down the tree are made anew in each simulation, and each counts as a successor. A simulation of n
turns takes O(n * actions) time, and memory for one node.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Generic, NamedTuple, TypeVar

from gridjoust.bots.planners.beam import NEVER, IsOver
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import Clock, PlanStats, elapsed_ms

S = TypeVar("S")
A = TypeVar("A")

Seat = int
EXPLORATION = 0.5  # weight of actions that were seldom tried


@dataclass(frozen=True, slots=True)
class GameModel(Generic[S, A]):
    """A game as the search sees it: functions of a state, and of a seat that has to act in it.

    Actions are hashable, and those of one seat in one state differ from each other. The unit of `worth` does not
    matter: the search scales it by the range that it has seen.
    """

    deal: Callable[[random.Random], S]  # draws a state that fits what the seat knows
    seats: Callable[[S], Sequence[Seat]]  # seats to act; none = the match is over
    actions: Callable[[S, Seat], Sequence[A]]  # at least one
    play: Callable[[S, Mapping[Seat, A]], S]  # the state after one action of each seat to act
    worth: Callable[[S], Sequence[float]]  # of a state for each seat; higher is better
    follow: Callable[[S, Seat, random.Random], A]  # action of a seat beyond the tree


@dataclass(slots=True)
class Arm:
    """The simulations that chose one action in one node."""

    visits: int = 0
    total: float = 0.0  # sum of their worth for the seat
    allowed: int = 0  # simulations in which the action was legal

    @property
    def mean(self) -> float:
        """Mean worth of these simulations; 0 without one."""
        return self.total / self.visits if self.visits else 0.0


@dataclass(slots=True)
class Node(Generic[A]):
    """A node of the tree: the actions tried after one sequence of actions, and the nodes that they lead to."""

    arms: dict[tuple[Seat, A], Arm] = field(default_factory=dict)
    heads: dict[tuple[A, ...], Node[A]] = field(default_factory=dict)


class Choice(NamedTuple, Generic[A]):
    """The best action so far, and what it is based on."""

    action: A  # the one that most simulations began with
    arms: Mapping[A, Arm]  # of each action that the seat had: visits and mean worth
    stats: PlanStats  # cost of the search so far


def mcts(
    model: GameModel[S, A],
    seat: Seat,
    *,
    rng: random.Random,
    depth: int = 0,
    exploration: float = EXPLORATION,
    is_over: IsOver = NEVER,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Iterator[Choice[A]]:
    """Yield the best action of a seat after each simulation, until `is_over` returns True or the budget is spent.

    ValueError if the seat is not to act in a state that `model.deal` returns.

    Args:
        model: the game as functions
        seat: the seat that chooses
        rng: decides everything random in the search; equal generators give equal choices
        depth: number of turns that a simulation plays on beyond the tree; 0 = it values the new node's state itself
        exploration: weight of actions that were seldom tried; 0.5 is half the range of worth
        is_over: returns True when the search must end; called before each turn
        budget: states that may still be made; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    begin_s = clock()
    search = _Search(model, rng, depth, exploration, is_over, budget)
    best: A | None = None
    while not search.is_stopped():
        begun = search.simulate()
        if seat not in begun:
            raise ValueError(f"expected states in which seat {seat} acts, got one in which {list(begun)} act")
        arms = {action: arm for (chooser, action), arm in search.root.arms.items() if chooser == seat}
        if best is None or arms[begun[seat]].visits > arms[best].visits:
            best = begun[seat]
        yield Choice(best, arms, replace(search.stats, planning_ms=elapsed_ms(clock, begin_s)))


@dataclass(slots=True)
class _Search(Generic[S, A]):
    """One search: its tree, and the simulations that extend it."""

    model: GameModel[S, A]
    rng: random.Random
    depth: int
    exploration: float
    is_over: IsOver
    budget: Budget
    root: Node[A] = field(default_factory=Node)
    ranges: dict[Seat, tuple[float, float]] = field(default_factory=dict)  # seat -> least and most worth so far
    stats: PlanStats = field(default_factory=PlanStats)

    def is_stopped(self) -> bool:
        """Return True if no further state may be made."""
        return self.budget.is_spent or self.is_over()

    def simulate(self) -> Mapping[Seat, A]:
        """Play one simulation of at least a turn, learn from it, and return the actions that it began with."""
        model, node, state = self.model, self.root, self.model.deal(self.rng)
        path: list[Mapping[Seat, A]] = []
        arms: list[tuple[Seat, Arm]] = []
        while (seats := model.seats(state)) and not (path and self.is_stopped()):
            chosen = {seat: self._choose(node, seat, model.actions(state, seat)) for seat in seats}
            arms += [(seat, node.arms[seat, action]) for seat, action in chosen.items()]
            path.append(chosen)
            state = self._play(state, chosen)
            joint = tuple(chosen.values())
            if joint not in node.heads:
                node.heads[joint] = Node()
                state = self._play_on(state)
                break
            node = node.heads[joint]
        self._learn(arms, model.worth(state))
        return path[0] if path else {}

    def _choose(self, node: Node[A], seat: Seat, actions: Sequence[A]) -> A:
        """Return an action that was never tried, at random, or else the one with the highest UCB1."""
        low, high = self.ranges.get(seat, (0.0, 0.0))
        scale = self.exploration * (high - low or 1.0)
        untried, best, most = list[A](), actions[0], -math.inf
        for action in actions:
            arm = node.arms.get((seat, action))
            if arm is None:
                arm = node.arms[seat, action] = Arm()
            arm.allowed += 1
            if not arm.visits:
                untried.append(action)
            elif not untried:
                bound = arm.mean + scale * math.sqrt(math.log(arm.allowed) / arm.visits)
                if bound > most:
                    best, most = action, bound
        return self.rng.choice(untried) if untried else best

    def _play(self, state: S, chosen: Mapping[Seat, A]) -> S:
        self.budget.spend()
        self.stats.expanded += 1
        self.stats.generated += 1
        return self.model.play(state, chosen)

    def _play_on(self, state: S) -> S:
        """Return the state at most `depth` turns later."""
        model = self.model
        for _ in range(self.depth):
            seats = model.seats(state)
            if not seats or self.is_stopped():
                break
            state = self._play(state, {seat: model.follow(state, seat, self.rng) for seat in seats})
        return state

    def _learn(self, arms: Sequence[tuple[Seat, Arm]], worth: Sequence[float]) -> None:
        """Add the worth of the last state to each arm on the path, as it is for the seat that chose the arm."""
        for seat, value in enumerate(worth):
            low, high = self.ranges.get(seat, (value, value))
            self.ranges[seat] = min(low, value), max(high, value)
        for seat, arm in arms:
            arm.visits += 1
            arm.total += worth[seat]
