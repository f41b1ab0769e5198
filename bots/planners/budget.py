"""Counts the successors that may still be generated for an answer, by its searches and by its tactics."""

from __future__ import annotations

ENDLESS = 2**62  # more than any search generates


class OutOfWork(Exception):  # noqa: N818 - ends the tactics of an answer, so it is no error
    """Raised when tactics go on after the work of an answer is spent; what was found by then is the answer."""


class Budget:
    """The successors that an answer may still generate, shared by all its searches and tactics.

    `generated` are those of searches, `tactics` all others: to weigh goals, to flood the board for a helper, to build
    the graph of a search. `gridjoust.bots.planners.stats` says what counts.

    At the limit the step under way is finished: a search reads all successors of its last node, tactics complete the
    layer of a flood or the table of steps that they build. Those beyond the limit are not counted. So an answer that
    then stops counts the limit and no more, and has generated more than that by one such step at most.

    >>> budget = Budget(30)
    >>> budget.spend(20)
    20
    >>> budget.left, budget.spent, budget.is_spent
    (10, 20, False)
    >>> budget.spend(12)
    10
    """

    __slots__ = ("generated", "limit", "tactics")

    def __init__(self, limit: int = ENDLESS) -> None:
        self.limit = limit
        self.generated = self.tactics = 0

    @property
    def spent(self) -> int:
        """Successors counted so far, by searches and tactics together."""
        return self.generated + self.tactics

    @property
    def left(self) -> int:
        """Successors that are left."""
        return self.limit - self.generated - self.tactics

    @property
    def is_limited(self) -> bool:
        """True if there is a limit."""
        return self.limit < ENDLESS

    @property
    def is_spent(self) -> bool:
        """True if no more may be generated; a search that then found no path has not proven that there is none."""
        return self.left <= 0

    def spend(self, successors: int = 1) -> int:
        """Subtract successors that a search has generated; return how many of them count.

        All count if nothing was left before they were generated: such an answer exceeds its limit.
        """
        left = self.left
        counted = successors if successors <= left or left <= 0 else left
        self.generated += counted
        return counted

    def count_tactics(self, successors: int) -> None:
        """Subtract successors that were generated outside of searches; OutOfWork if nothing was left for them."""
        if successors:
            left = self.left
            if left <= 0:
                raise OutOfWork
            self.tactics += min(successors, left)

    def part(self, share: float) -> Budget:
        """Reserve a share (0 to 1) of what is left for one purpose; what it spends, the whole budget spends too."""
        return _Part(self, int(self.left * share))

    def keeping(self, successors: int) -> Budget:
        """Return this budget for a search that must leave so many successors for what follows it."""
        return _Part(self, ENDLESS, successors)

    def refill(self, limit: int | None) -> None:
        """Begin a new answer: nothing is spent, and `limit` successors may be generated (None = no limit)."""
        self.limit = ENDLESS if limit is None else limit
        self.generated = self.tactics = 0


class _Part(Budget):
    """The part of a budget that one purpose may use; `kept` successors of the whole are not for it."""

    __slots__ = ("_kept", "_whole")

    def __init__(self, whole: Budget, limit: int, kept: int = 0) -> None:
        super().__init__(limit)
        self._whole = whole
        self._kept = kept

    @property
    def left(self) -> int:
        return min(self.limit - self.generated - self.tactics, self._whole.left - self._kept)

    def spend(self, successors: int = 1) -> int:
        left = self._whole.left - self._kept
        counted = self._whole.spend(successors if successors <= left or left <= 0 else left)
        self.generated += counted
        return counted

    def count_tactics(self, successors: int) -> None:
        self._whole.count_tactics(successors)
        self.tactics += successors


UNLIMITED = Budget()
