"""What a tournament with a stop rule wants to know, and what it knows so far. Values only; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class GoalKind(Enum):
    """The question: who are the best `top` bots, who is the best one, or in which order do they stand."""

    TOP = "top"
    WINNER = "winner"
    ORDER = "order"


class Rule(Enum):
    """How matches are chosen: all pairs evenly, undecided bots against all, undecided bots among themselves."""

    ROUND_ROBIN = "none"
    SAFE = "safe"
    RACE = "race"


class Guard(Enum):
    """What the fit test has said about a race so far. FAILED is for good; TRUSTED starts without the first share."""

    UNTESTED = "untested"
    TRUSTED = "trusted"
    FITS = "fits"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Goal:
    """A question with the confidence that its answer needs.

    `top`: how many places matter; ORDER only: None = all of them; ignored by WINNER. `indifference` is in points a
    match (0 to 1) against the same opponents: bots closer than this count as level, and if that is sure, the answer is
    a tie. Near an even score 0.03 is about 20 Elo points.
    """

    kind: GoalKind = GoalKind.TOP
    top: int | None = 3
    confidence: float = 0.95
    indifference: float = 0.03

    def cuts(self, bots: int) -> tuple[int, ...]:
        """After which places of a field of `bots` a line must be drawn; ValueError if the field is too small."""
        if self.kind is GoalKind.ORDER:
            places = bots - 1 if self.top is None else min(self.top, bots - 1)
            found = tuple(range(1, places + 1))
        else:
            found = (1,) if self.kind is GoalKind.WINNER or self.top is None else (self.top,)
        if not found or found[-1] >= bots:
            raise ValueError(f"{self}: expected more than {found[-1] if found else 1} bots, got {bots}")
        return found

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
    """What the results say about a goal. `undecided` bots may still be on the wrong side of a line; best first."""

    is_resolved: bool
    answer: tuple[str, ...]  # the bots above the last line, best first
    undecided: tuple[str, ...]
    confidence: float  # probability that the answer is right
    reason: str  # a sentence for people
    is_tie: bool = False  # the bots on both sides of a line differ by less than the indifference


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two bots that are to meet on one seed, in both seatings. `reason` goes into `schedule_reason`."""

    first: str
    second: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One decision at a settle point: what to play until the next one; no pairs when the goal is resolved."""

    pairs: tuple[PlannedPair, ...]
    resolution: Resolution
    guard: Guard  # pass it to the next decision
    note: str = ""  # set when the rule changes: "the field fits ...", "falls back to safe ..."
