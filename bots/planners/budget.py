"""How many nodes may still be expanded for an answer. Knows no clock and no search."""

from __future__ import annotations

ENDLESS = 2**62  # more than any search expands


class Budget:
    """Expansions that are left, shared by all searches of one answer; without a limit they never run out.

    >>> budget = Budget(3)
    >>> budget.spend(2)
    >>> budget.left, budget.spent, budget.is_spent
    (1, 2, False)
    """

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int = ENDLESS) -> None:
        self.limit = limit
        self.spent = 0

    @property
    def left(self) -> int:
        """What a search may still expand."""
        return self.limit - self.spent

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return self.limit < ENDLESS

    @property
    def is_spent(self) -> bool:
        """Whether nothing more may be expanded: a search that found no way has then proven nothing."""
        return self.left <= 0

    def spend(self, expanded: int = 1) -> None:
        """So many nodes were expanded."""
        self.spent += expanded

    def part(self, share: float) -> Budget:
        """A share of what is left, for one purpose; what is spent of it is spent of the whole too."""
        return _Part(self, int(self.left * share))

    def refill(self, limit: int | None) -> None:
        """A new answer: nothing is spent yet; None = no limit."""
        self.limit = ENDLESS if limit is None else limit
        self.spent = 0


class _Part(Budget):
    """What one purpose may use up of a budget."""

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


UNLIMITED = Budget()
