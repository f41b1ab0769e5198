"""Beam bidder: keeps the most promising joint states of every depth, in wider and wider beams.

States rank by the stop map, the fewest straight lines from the finisher's cell to the target, which is known before any
move is computed; only the states that are kept are moved on. The first beam is narrow and bids at once. Each later one
looks for something shorter, so it keeps only states from which the moves left may suffice. A beam that dropped no state
and found nothing proves that the solution before it is a shortest one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol

from gridjoust.bots.planners import kernels
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.optimum import begin_search, moves_found
from gridjoust.bots.ricochet.plans import Counter, Plans, Task
from gridjoust.games.ricochet.optimum import Plan, moves_along, path_to
from gridjoust.games.ricochet.proof import Move
from gridjoust.games.ricochet.slides import FAR
from gridjoust.games.ricochet.spaces import Key, Space

WIDTH = 32
GROWTH = 16  # factor between the widths of successive beams
MAX_WIDTH = 8192  # the widest beam, some milliseconds; a search that needs more is A*'s
MAX_DEPTH = 40  # deeper than any known optimum; searches for unreachable targets end here at the latest


class Layers(Protocol):
    """A beam's layers of joint states (cells of all robots), one after the other."""

    cost: Counter
    is_found: bool

    @property
    def known(self) -> int:
        """Number of known states."""

    def restart(self) -> None:
        """Go back to the start and forget all other states."""

    def advance(self, width: int, left: int) -> tuple[int, bool]:
        """Make the next layer, of states that `left` moves may solve; return (its size, True if some were dropped)."""

    def moves(self) -> tuple[Move, ...]:
        """Return the moves to the target that was found."""


class ListLayers:
    """Layers of any space, in pure Python."""

    def __init__(self, task: Task, space: Space) -> None:
        self.cost = Counter(frontier=1)
        self.is_found = False
        self._task = task
        self._space = space
        self._most = task.budget.left
        self._parents: dict[Key, Key] = {space.start: space.start}
        self._layer: list[Key] = []
        self._goal: Key = None

    def restart(self) -> None:
        """Go back to the start and forget all other states."""
        self._parents = {self._space.start: self._space.start}
        self._layer = [self._space.start]
        self.is_found = False
        if self._task.trail is not None:
            self._task.trail.layers.clear()

    @property
    def known(self) -> int:
        """Number of known states."""
        return len(self._parents)

    def advance(self, width: int, left: int) -> tuple[int, bool]:
        """Make the next layer; return (its size, True if states were dropped), as `Layers` describes."""
        later: list[list[tuple[Key, Key]]] = [[] for _ in range(left + 1)]
        for key in self._layer:
            if self.cost.generated >= self._most:
                return 0, True
            self._spread_out(key, later)
            if self.is_found:
                return 0, False
        self.cost.frontier = max(self.cost.frontier, sum(map(len, later)))
        self._layer = []
        kept = self._keep(width, later)
        if self._task.trail is not None:
            self._task.trail.layers.append(self._task.trail.cells(self._space, self._layer))
        return kept

    def _spread_out(self, key: Key, later: Sequence[list[tuple[Key, Key]]]) -> None:
        own, children = self._space.lead(key)
        others = self._space.follow(key)
        self.cost.expanded += 1
        self.cost.generated = min(self.cost.generated + len(children) + len(others), self._most)
        for child, bound in children:
            if bound == 0:
                self._parents.setdefault(child, key)
                self._goal, self.is_found = child, True
                return
            if bound < len(later):
                later[bound].append((child, key))
        if own < len(later):
            later[own] += [(child, key) for child in others]

    def _keep(self, width: int, later: Sequence[list[tuple[Key, Key]]]) -> tuple[int, bool]:
        for states in later:
            for child, parent in states:
                if child not in self._parents:
                    if len(self._layer) == width:
                        return width, True
                    self._parents[child] = parent
                    self._layer.append(child)
        return len(self._layer), False

    def moves(self) -> tuple[Move, ...]:
        """Return the moves to the target that was found."""
        task, path = self._task, path_to(self._goal, self._parents)
        return moves_along(task.slides, task.position, task.rules, self._space, path)


class KernelLayers:
    """Layers by a compiled kernel, for the common positions: four robots, the plain rules, no curves."""

    def __init__(self, task: Task, search: Any) -> None:
        self.cost = Counter(frontier=1)
        self.known = 1
        self.is_found = False
        self._task = task
        self._most = task.budget.left
        self._search = search
        self._kernels: Any = kernels.compiled_kernels("ricochet")

    def restart(self) -> None:
        """Go back to the start and forget all other states."""
        self._kernels.restart(self._search)
        self.is_found = False

    def advance(self, width: int, left: int) -> tuple[int, bool]:
        """Make the next layer; return (its size, True if states were dropped), as `Layers` describes."""
        layer: tuple[int, bool] = self._kernels.advance(self._search, width, left)
        self.known, self.is_found, _, _, expanded, generated, frontier, _ = self._kernels.report(self._search)
        self.cost.expanded, self.cost.generated = expanded, min(generated, self._most)
        self.cost.frontier = max(1, frontier)
        return layer

    def moves(self) -> tuple[Move, ...]:
        """Return the moves to the target that was found."""
        return moves_found(self._task, self._search)


def make_layers(task: Task, space: Space) -> Layers:
    """Return layers by a kernel if it handles such a position, else in pure Python."""
    search = None if kernels.active is None or task.trail is not None else begin_search(task)
    return ListLayers(task, space) if search is None else KernelLayers(task, search)


def plans(task: Task, *, width: int = WIDTH, max_width: int = MAX_WIDTH) -> Plans:
    """Yield shorter and shorter solutions from beams of `width`, `GROWTH` times that, and so on up to `max_width`."""
    space = task.space()
    if space.start_bound >= FAR:
        yield Plan(None, is_proven=True, expanded=0, generated=0, frontier=1)
        return None
    layers = make_layers(task, space)
    best: tuple[Move, ...] | None = None
    while width <= max_width and not task.budget.is_spent and task.has_room(layers.known):
        is_complete = yield from _sweep(task, layers, width, MAX_DEPTH if best is None else len(best) - 1)
        if layers.is_found:
            best = layers.moves()
            is_complete = len(best) == space.start_bound
            yield layers.cost.plan(best, is_proven=is_complete)
        if is_complete and best is not None:
            break
        width *= GROWTH
    if best is None:
        yield layers.cost.plan(None)
    return layers.cost.plan(best)


def _sweep(task: Task, layers: Layers, width: int, max_depth: int) -> Generator[None, None, bool]:
    """Run one beam to the target or to `max_depth`, pausing after each layer; return True if no state was dropped."""
    layers.restart()
    size, is_complete = 1, True
    for left in reversed(range(max_depth)):
        if not size or task.budget.is_spent or not task.has_room(layers.known):
            break
        before = layers.cost.generated
        size, is_dropped = layers.advance(width, left)
        task.budget.spend(layers.cost.generated - before)
        is_complete = is_complete and not is_dropped
        if layers.is_found:
            break
        yield None
    return is_complete and not task.budget.is_spent and task.has_room(layers.known)


class Beam(Bidder):
    """Bids within a millisecond, then better while it widens; `width` is the first beam's."""

    planner: ClassVar[str] = "beam"

    def __init__(self, *, skill: int = 10, width: int = WIDTH) -> None:
        super().__init__(skill=skill)
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        self.find_plans = partial(plans, width=width, max_width=max(MAX_WIDTH, width))
