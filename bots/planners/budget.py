"""Counts how many nodes may still be expanded for an answer, and the successors that its tactics generate."""

from __future__ import annotations

ENDLESS = 2**62  # more than any search expands


class Budget:
    """The expansions that are left, shared by all searches of one answer; without a limit they never run out.

    `tactics` are the successors that an answer generates outside of its planner: to weigh goals, to flood the board
    for a helper, to build the graph of a search. `gridjoust.bots.planners.stats` says what counts.

    >>> budget = Budget(3)
    >>> budget.spend(2)
    >>> budget.left, budget.spent, budget.is_spent
    (1, 2, False)
    """

    __slots__ = ("limit", "spent", "tactics")

    def __init__(self, limit: int = ENDLESS) -> None:
        self.limit = limit
        self.spent = self.tactics = 0

    @property
    def left(self) -> int:
        """Expansions that are left."""
        return self.limit - self.spent

    @property
    def is_limited(self) -> bool:
        """True if there is a limit."""
        return self.limit < ENDLESS

    @property
    def is_spent(self) -> bool:
        """True if no more may be expanded; a search that then found no path has not proven that there is none."""
        return self.left <= 0

    def spend(self, expanded: int = 1) -> None:
        """Subtract nodes that were expanded."""
        self.spent += expanded

    def count_tactics(self, successors: int) -> None:
        """Count successors that were generated outside of the planner."""
        self.tactics += successors

    def part(self, share: float) -> Budget:
        """Reserve a share (0 to 1) of what is left for one purpose; what it spends, the whole budget spends too."""
        return _Part(self, int(self.left * share))

    def refill(self, limit: int | None) -> None:
        """Begin a new answer: nothing is spent, and `limit` nodes may be expanded (None = no limit)."""
        self.limit = ENDLESS if limit is None else limit
        self.spent = self.tactics = 0


class _Part(Budget):
    """The part of a budget that one purpose may use."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Budget, limit: int) -> None:
        super().__init__(limit)
        self._whole = whole

    @property
    def left(self) -> int:
        return min(self.limit - self.spent, self._whole.left)

    def spend(self, expanded: int = 1) -> None:
        super().spend(expanded)
        self._whole.spend(expanded)

    def count_tactics(self, successors: int) -> None:
        super().count_tactics(successors)
        self._whole.count_tactics(successors)


UNLIMITED = Budget()
