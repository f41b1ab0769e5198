"""The question of a tournament with a stop rule, and the answer so far, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class GoalKind(Enum):
    """The question: the best `top` bots, the best bot, or the order of the bots."""

    TOP = "top"
    WINNER = "winner"
    ORDER = "order"


class Rule(Enum):
    """The rule that chooses pairs: all evenly, undecided bots against all bots, undecided bots among themselves."""

    ROUND_ROBIN = "none"
    SAFE = "safe"
    RACE = "race"


class Guard(Enum):
    """The state of a race's fit test. FAILED is final; TRUSTED starts the race without a first test."""

    UNTESTED = "untested"
    TRUSTED = "trusted"
    FITS = "fits"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Goal:
    """A question with the confidence that its answer needs.

    `top`: number of places that matter; with ORDER, None = all places; WINNER ignores it. `indifference` is in points
    per match (0 to 1) against the same opponents. Bots closer than this count as equal; if that is certain enough, the
    answer is a tie. Near an even score 0.03 is about 20 Elo points.
    """

    kind: GoalKind = GoalKind.TOP
    top: int | None = 3
    confidence: float = 0.95
    indifference: float = 0.03

    def cuts(self, bots: int) -> tuple[int, ...]:
        """Return the places (from 1) after which the answer splits a field of `bots`; ValueError if it is too small."""
        if self.kind is GoalKind.ORDER:
            places = bots - 1 if self.top is None else min(self.top, bots - 1)
            cuts = tuple(range(1, places + 1))
        else:
            cuts = (1,) if self.kind is GoalKind.WINNER or self.top is None else (self.top,)
        if not cuts or cuts[-1] >= bots:
            raise ValueError(f"{self}: expected more than {cuts[-1] if cuts else 1} bots, got {bots}")
        return cuts

    def __str__(self) -> str:
        match self.kind:
            case GoalKind.WINNER:
                return "winner"
            case GoalKind.ORDER:
                return "full order" if self.top is None else f"order of the top {self.top}"
            case GoalKind.TOP:
                return f"top {self.top}"


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer to a goal so far. `undecided`: bots that may be on the wrong side of a cut, best first."""

    is_resolved: bool
    answer: tuple[str, ...]  # the bots above the last cut, best first
    undecided: tuple[str, ...]
    confidence: float  # probability that the answer is right
    reason: str  # a sentence for people
    is_tie: bool = False  # the bots on both sides of a cut differ by less than the indifference


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two bots that will play on one seed, in both seatings. `reason` becomes the table's `schedule_reason`."""

    first: str
    second: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One decision after a batch: the pairs of the next batch, or none if the goal is resolved."""

    pairs: tuple[PlannedPair, ...]
    resolution: Resolution
    guard: Guard  # pass it to the next decision
    note: str = ""  # set when the rule changes: "the field fits ...", "falls back to safe ..."
