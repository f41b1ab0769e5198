"""IDA*: depth-first searches with more and more moves allowed, pruned by a bound and by a table of states.

Korf, "Depth-First Iterative-Deepening: An Optimal Admissible Tree Search", Artificial Intelligence 27, 1985; published
solvers of ricochet robots work like this. A branch is cut if the fewest straight lines to the target, which robots in
the path cannot lower, exceed the moves that are left. The table holds with how many moves left a state was searched
without success, in this search or an earlier one; with as few or fewer, it is not searched again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.plans import Counter, Plans, Task
from gridjoust.games.ricochet.optimum import Plan, moves_along
from gridjoust.games.ricochet.slides import FAR
from gridjoust.games.ricochet.spaces import Key

STATES_PER_PAUSE = 256


def plans(task: Task) -> Plans:
    """Yield None while searching, then a shortest solution, the proof that there is none or, at a limit, neither."""
    search = _Deepening(task)
    bound = search.space.start_bound
    if bound == 0 or bound >= FAR:
        yield Plan(() if bound == 0 else None, is_proven=True, expanded=0, generated=0, frontier=1)
        return None
    most = bound
    while not search.path and search.has_more:
        yield from search.run(most)
        most += 1
    if search.path:
        moves = moves_along(task.slides, task.position, task.rules, search.space, search.path)
        yield search.cost.plan(moves, is_proven=True)
    else:
        yield search.cost.plan(None, is_proven=not search.is_stopped)
    return None


class _Deepening:
    """The searches of one position, with the table that they share."""

    def __init__(self, task: Task) -> None:
        self.space = task.space()
        self.cost = Counter(frontier=1)
        self.path: list[Key] = []  # the states from the start to the target, once they are found
        self.has_more = True  # more moves may lead to a solution
        self.is_stopped = False  # there was no room or no work left
        self._task = task
        self._tried: dict[Key, int] = {}  # state -> most moves left with which it was searched in vain

    def run(self, most: int) -> Iterator[None]:
        """Search all states that `most` moves may solve, depth first; pause every few hundred states."""
        self.has_more = False
        branch: list[Key] = []
        waiting = [(self.space.start, most)]
        while waiting:
            key, left = waiting.pop()
            if self._tried.get(key, 0) >= left:
                continue
            if self._task.budget.is_spent or not self._task.has_room(len(self._tried)):
                self.is_stopped, self.has_more = True, False
                return
            self._tried[key] = left
            del branch[most - left :]
            branch.append(key)
            children = self._children(key, left - 1)
            if self.path:
                self.path = [*branch, *self.path]
                return
            waiting += [(child, left - 1) for child in children]
            self.cost.frontier = max(self.cost.frontier, len(waiting))
            if self.cost.expanded % STATES_PER_PAUSE == 0:
                yield None

    def _children(self, key: Key, left: int) -> list[Key]:
        """Return the states after a move that `left` further moves may solve, the most promising last.

        Set `path` if one of them is on the target, and `has_more` if more moves may solve one of the others.
        """
        own, led = self.space.lead(key)
        self.cost.expanded += 1
        self.cost.generated += self._task.budget.spend(len(led))
        self.path = [child for child, bound in led if bound == 0][:1]
        near = [(bound, child) for child, bound in led if bound <= left]
        self.has_more |= any(left < bound < FAR for _, bound in led)
        if self.path or self._task.budget.is_spent:
            return [child for _, child in near]
        followed: list[Key] = []
        if own <= left:
            followed = self.space.follow(key)
            self.cost.generated += self._task.budget.spend(len(followed))
        self.has_more |= left < own < FAR
        near.sort(key=lambda found: -found[0])
        return [*followed, *(child for _, child in near)]


class IDAStar(Bidder):
    """Bids the optimum if iterative deepening finds it in time."""

    planner: ClassVar[str] = "idastar"
    find_plans = staticmethod(plans)
