"""Whose fault it is when something comes too late: the bot's, that of a bot which made all late, or the world's.

Knows lag, messages and load; ends no match and asks nobody.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from gridjoust.runner.processes.history import Spent
from gridjoust.runner.referee.charges import Charges
from gridjoust.runner.referee.seat_state import Budget, Question, SeatState
from gridjoust.runner.results.records.lines import Fault

JUST_BEFORE_MS = 100.0  # how far back from a deadline a delay matters at the most ...
STALL_MS = 1000.0  # ... unless it is as long as that: whatever was to be done meanwhile may have been lost
STALL_SHARE = 0.1  # of the time to get ready, or of a timer of the rules: for so long loop or broker may be late
RECOVERY_MS = 2000.0  # a bot that a stall has cut off ends so soon after it

LagMs = Callable[[float, float], float]
"""How late loop or broker were at the worst between two instants."""
LoadOf = Callable[[int, float], str]
"""What an entrant's processes have done since an instant that may have made others late; "" = nothing."""
WaitOf = Callable[[int, float], str]
"""How the machine kept an entrant's processes waiting since an instant, most of the time; "" = it did not."""


def no_lag(since_ms: float, until_ms: float) -> float:  # noqa: ARG001 - the shape the referee calls
    """The world is never late: for tests and in-process play."""
    return 0.0


def no_load(entrant: int, since_ms: float) -> str:  # noqa: ARG001 - the shape the referee calls
    """Nobody uses more than its share: where nobody looks at processes."""
    return ""


class Blame:
    """Charges those to blame in one match. What it returns is why the match is void; "" = it is not."""

    def __init__(
        self, seats: Sequence[SeatState], charges: Charges, lag_ms: LagMs, load_of: LoadOf, wait_of: WaitOf
    ) -> None:
        self.budgets = [Budget() for _ in {seat_state.entrant for seat_state in seats}]
        self._seats = seats
        self._charges = charges
        self._lag_ms = lag_ms
        self._load_of = load_of
        self._wait_of = wait_of

    def for_silence(
        self, seat: int, question: Question, now_ms: float, *, turn: int, spent: Spent | None = None
    ) -> str:
        """No answer at the deadline of a turn-based game."""
        assert question.deadline_ms is not None
        seat_state = self._seats[seat]
        lag_ms = self._lag_before(question.asked_ms, question.deadline_ms)
        late = _lateness(question, spent)
        if lag_ms <= seat_state.time.grace_ms:
            if _has_time_left(question, spent) and (wait := self._wait_of(seat_state.entrant, question.asked_ms)):
                return f"{wait} when seat {seat} had to answer"
            self._charges.unanswered(seat, question, late, turn=turn, spent=spent)
        elif flooders := self._flooders(question.asked_ms, now_ms):  # nobody may escape a match by choking the broker
            for entrant in flooders:
                detail = f"its messages made the broker {lag_ms:.0f} ms late"
                self._charges.lose(entrant, Fault.FLOODING, detail, turn=turn)
        elif load := self._load_of(seat_state.entrant, question.asked_ms):
            late += f", while {load} and referee or broker {lag_ms:.0f} ms late"
            self._charges.unanswered(seat, question, late, turn=turn, spent=spent)
        else:
            return f"referee or broker {lag_ms:.0f} ms late when seat {seat} had to answer"
        return ""

    def for_lag(self, set_ms: float, due_ms: float, now_ms: float, *, turn: int) -> str:
        """A timer of the rules goes off where answers compete in time: those without an answer may have been kept back.

        The timer has run since `set_ms`.
        """
        waiting = [seat for seat in self._seats if seat.question is not None and seat.question.answer is None]
        grace_ms = min((seat_state.time.grace_ms for seat_state in waiting), default=math.inf)
        lag_ms = self._lag_ms(set_ms, due_ms)
        if lag_ms <= grace_ms:
            return ""
        if culprits := self._culprits(set_ms, now_ms):
            for entrant, doing in culprits.items():
                detail = f"{doing} and made referee or broker {lag_ms:.0f} ms late"
                self._charges.lose(entrant, Fault.FLOODING, detail, turn=turn)
            return ""
        is_long = lag_ms > max(grace_ms, STALL_SHARE * (due_ms - set_ms))
        if is_long or self._lag_before(set_ms, due_ms) > grace_ms:
            return f"referee or broker {lag_ms:.0f} ms late before a timer of the rules"
        return ""

    def for_loss(self, entrant: int, excuse: str, detail: str, now_ms: float) -> str:
        """An entrant is gone, and `excuse` says why that may be nobody's fault."""
        if not excuse or entrant in self._culprits(now_ms - RECOVERY_MS, now_ms):
            return ""
        return f"{excuse} when a bot was lost: {detail}"

    def _lag_before(self, asked_ms: float, deadline_ms: float) -> float:
        """The worst delay that was still felt in the last moments before a deadline, or a stall since the question."""
        stall_ms = self._lag_ms(asked_ms, deadline_ms)
        if stall_ms > STALL_MS:
            return stall_ms
        return self._lag_ms(max(asked_ms, deadline_ms - JUST_BEFORE_MS), deadline_ms)

    def _flooders(self, since_ms: float, now_ms: float) -> list[int]:
        return [number for number, budget in enumerate(self.budgets) if budget.has_flooded(since_ms, now_ms)]

    def _culprits(self, since_ms: float, now_ms: float) -> dict[int, str]:
        """Every entrant that may have made others late since then -> what it did."""
        found = dict.fromkeys(self._flooders(since_ms, now_ms), "it sent too many messages")
        loads = {entrant: self._load_of(entrant, since_ms) for entrant in range(len(self.budgets))}
        return {**{entrant: load for entrant, load in loads.items() if load}, **found}


def _has_time_left(question: Question, spent: Spent | None) -> bool:
    """Whether the backstop has closed a question for which little CPU time was used, or one that has no other clock."""
    if question.limit_work is not None:
        return True
    if question.backstop_ms is None or question.limit_ms is None or spent is None:
        return False
    return spent.cpu_ms < question.limit_ms


def _lateness(question: Question, spent: Spent | None) -> str:
    if question.backstop_ms is None or spent is None:
        return f"no answer within {question.limit_ms:.0f} ms"
    if not _has_time_left(question, spent):
        return f"no answer within {question.limit_ms:.0f} ms of CPU time"
    waited_ms = question.backstop_ms - question.asked_ms
    return f"no answer within {waited_ms:.0f} ms, {spent.cpu_ms:.0f} of {question.limit_ms:.0f} ms of CPU time used"
