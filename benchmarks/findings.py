"""What the tables of a benchmark found: how many answers are wrong, and which figures were reached. Prints nothing."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Verdict:
    """A figure that was to be reached."""

    what: str
    wanted: str
    got: str
    is_reached: bool
    is_timed: bool  # and so depends on the machine and its load


@dataclass(slots=True)
class Findings:
    """All that the tables found."""

    wrong: int = 0
    verdicts: list[Verdict] = field(default_factory=list)

    def at_most(self, what: str, got: float, limit: float, unit: str) -> None:
        """A figure that should be small."""
        self.verdicts.append(Verdict(what, f"<= {limit:g} {unit}", f"{got:.3g} {unit}", got <= limit, is_timed=True))

    def at_least(self, what: str, got: float, limit: float, *, is_timed: bool = True) -> None:
        """A ratio that should be large."""
        self.verdicts.append(Verdict(what, f">= {limit:g}", f"{got:.2f}", got >= limit, is_timed))
