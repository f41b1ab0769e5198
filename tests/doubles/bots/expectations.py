"""What each rogue must cost: the termination, its faults and whether it loses. On the memory bus."""

from __future__ import annotations

from dataclasses import dataclass

FAULT_LIMIT = 3


@dataclass(frozen=True, slots=True)
class Expectation:
    """`faults`: the counts that are right; `forfeits`: whether it loses by them; `reason`: a part of the sentence."""

    termination: str
    faults: tuple[int, ...]
    forfeits: bool
    reason: str


def _forfeit(termination: str, reason: str, *faults: int) -> Expectation:
    return Expectation(termination, faults or (FAULT_LIMIT,), forfeits=True, reason=reason)


_HARMLESS = Expectation("completed", (0,), forfeits=False, reason="tick limit")

EXPECTED: dict[str, Expectation] = {
    "crash_at_start": _forfeit("failed_to_start", "exited with code 3: cannot find my opening book", 1),
    "mute": _forfeit("failed_to_start", "no ready after hello within", 1),
    "never_ready": _forfeit("failed_to_start", "no ready within", 1),
    "old_protocol": _forfeit("failed_to_start", "expected protocol 1, got 99", 1),
    "crash_mid_match": _forfeit("crashed", "exited with code 7: IndexError: my list was too short", 1),
    "leave_mid_match": _forfeit("crashed", "exited with code 0", 1),
    "confess": _forfeit("crashed", "ValueError: no plan", 1),
    "stall": _forfeit("late", "no answer within"),
    "late": _forfeit("late", "no answer within"),
    "early": _forfeit("malformed", "expected the number of a question"),
    "flood": _forfeit("flooding", "forfeits"),
    "flood_status": _forfeit("flooding", "expected at most", 1),
    "flicker": _forfeit("flooding", "expected at most", 1),
    "garbage": _forfeit("malformed", "expected a ready, action or error message"),
    "nest": _forfeit("malformed", "expected a ready, action or error message"),
    "nonsense": _forfeit("malformed", "fly away"),
    "oversize": _forfeit("malformed", "expected at most 65536 bytes"),
    "impersonate": _forfeit("malformed", "expected an answer for a seat in"),
    "twice": _HARMLESS,
    "stale": _HARMLESS,
    "never_final": _HARMLESS,
    "ignore_stop": _HARMLESS,
}
