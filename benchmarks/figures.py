"""What a benchmark that disturbs or damages has done, and what came out wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Figures:
    """Counts by kind; `details` are for whoever looks for the cause of a problem."""

    done: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    details: list[str] = field(default_factory=list)

    def fail(self, kind: str, detail: str) -> None:
        """Count a problem."""
        self.problems[kind] += 1
        self.details.append(f"{kind}: {detail}")
