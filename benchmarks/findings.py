"""The findings of a benchmark: the number of wrong answers, and the figures that were reached."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Verdict:
    """A figure that was to be reached; it is a time, so it depends on the machine and its load."""

    what: str
    wanted: str
    got: str
    is_reached: bool


@dataclass(slots=True)
class Findings:
    """All findings of the tables."""

    wrong: int = 0
    verdicts: list[Verdict] = field(default_factory=list)

    def at_most(self, what: str, got: float, limit: float, unit: str) -> None:
        """Report a figure that should be small."""
        self.verdicts.append(Verdict(what, f"<= {limit:g} {unit}", f"{got:.3g} {unit}", got <= limit))

    def at_least(self, what: str, got: float, limit: float) -> None:
        """Report a ratio that should be large."""
        self.verdicts.append(Verdict(what, f">= {limit:g}", f"{got:.2f}", got >= limit))
