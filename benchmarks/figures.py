"""Counts of what a benchmark has disturbed or damaged, and of the problems found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Figures:
    """Counts by kind; `details` help to find the cause of a problem."""

    done: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    details: list[str] = field(default_factory=list)

    def fail(self, kind: str, detail: str) -> None:
        """Count a problem and keep its detail."""
        self.problems[kind] += 1
        self.details.append(f"{kind}: {detail}")
