"""Blame for what came too late: the bot itself, another bot that slowed the machine, or the machine.

If the machine is to blame, the match is void.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from gridjoust.runner.processes.history import Spent
from gridjoust.runner.referee.charges import Budget, Charges
from gridjoust.runner.referee.values import Question, SeatState
from gridjoust.runner.results.records.lines import Fault

JUST_BEFORE_MS = 100.0  # a delay matters only this long before a deadline ...
STALL_MS = 1000.0  # ... unless it is longer than this: messages and timers of that time may have been lost
STALL_SHARE = 0.1  # event loop or broker may be late for this share of the time to get ready, or of a rule timer
RECOVERY_MS = 2000.0  # a bot that is lost this soon after a stall may have been cut off by it

LagMs = Callable[[float, float], float]
"""Returns the longest delay, in ms, of event loop or broker between two instants."""
LoadOf = Callable[[int, float], str]
"""Says what an entrant's processes did since an instant that may have made others late; "" if nothing."""
WaitOf = Callable[[int, float], str]
"""Says how the machine delayed an entrant's processes for most of the time since an instant; "" if it did not."""

PlaceOf = Callable[[int], str]
"""Says where in its code an entrant is that has not answered; "" if that is unknown."""


def no_lag(since_ms: float, until_ms: float) -> float:  # noqa: ARG001 - the shape the referee calls
    """Return 0: no delay, for tests and in-process play."""
    return 0.0


def no_load(entrant: int, since_ms: float) -> str:  # noqa: ARG001 - the shape the referee calls
    """Return "": no load, for tests and in-process play, where processes are not metered."""
    return ""


def no_place(entrant: int) -> str:  # noqa: ARG001 - the shape the referee calls
    """Return "": the bots have not been asked where in their code they are."""
    return ""


class Blame:
    """Charges the bots to blame in one match; its `for_` methods return why the match is void, "" if it is not."""

    def __init__(
        self,
        seats: Sequence[SeatState],
        charges: Charges,
        *,
        lag_ms: LagMs,
        load_of: LoadOf,
        wait_of: WaitOf,
        place_of: PlaceOf,
    ) -> None:
        self.budgets = [Budget() for _ in {seat_state.entrant for seat_state in seats}]
        self._seats = seats
        self._charges = charges
        self._lag_ms = lag_ms
        self._load_of = load_of
        self._wait_of = wait_of
        self._place_of = place_of

    def for_silence(
        self, seat: int, question: Question, now_ms: float, *, turn: int, spent: Spent | None = None
    ) -> str:
        """Charge a seat that did not answer by the deadline of a turn-based game, and return "".

        If the machine was late, charge a bot that caused this; if no bot did, return why the match is void.
        """
        assert question.deadline_ms is not None
        seat_state = self._seats[seat]
        lag_ms = self._lag_before(question.asked_ms, question.deadline_ms)
        place = self._place_of(seat_state.entrant)
        late = _lateness(question, spent) + (place and f": {place}")
        if lag_ms <= seat_state.time.grace_ms:
            if _has_time_left(question, spent) and (wait := self._wait_of(seat_state.entrant, question.asked_ms)):
                return f"{wait} when seat {seat} had to answer"
            self._charges.unanswered(seat, question, late, turn=turn, spent=spent)
        elif flooders := self._flooders(question.asked_ms, now_ms):  # no bot escapes a match by flooding the broker
            for entrant in flooders:
                detail = f"its messages made the broker {lag_ms:.0f} ms late"
                self._charges.lose(entrant, Fault.FLOODING, detail, turn=turn)
        elif load := self._load_of(seat_state.entrant, question.asked_ms):
            late += f", while {load} and this machine was {lag_ms:.0f} ms late"
            self._charges.unanswered(seat, question, late, turn=turn, spent=spent)
        else:
            return f"this machine was {lag_ms:.0f} ms late when seat {seat} had to answer"
        return ""

    def for_lag(self, set_ms: float, due_ms: float, now_ms: float, *, turn: int) -> str:
        """Charge a delay before a rule timer of a timed game, or return why the match is void.

        A delay matters if a seat without an answer may have been held up by it. The timer was set at `set_ms`.
        """
        waiting = [seat for seat in self._seats if seat.question is not None and seat.question.answer is None]
        grace_ms = min((seat_state.time.grace_ms for seat_state in waiting), default=math.inf)
        lag_ms = self._lag_ms(set_ms, due_ms)
        if lag_ms <= grace_ms:
            return ""
        if culprits := self._culprits(set_ms, now_ms):
            for entrant, doing in culprits.items():
                detail = f"{doing} and made this machine {lag_ms:.0f} ms late"
                self._charges.lose(entrant, Fault.FLOODING, detail, turn=turn)
            return ""
        is_long = lag_ms > max(grace_ms, STALL_SHARE * (due_ms - set_ms))
        if is_long or self._lag_before(set_ms, due_ms) > grace_ms:
            return f"this machine was {lag_ms:.0f} ms late before a timer of the rules"
        return ""

    def for_loss(self, entrant: int, excuse: str, detail: str, now_ms: float) -> str:
        """Return why a lost entrant voids the match; "" if it has no `excuse`, or may have caused the delay itself."""
        if not excuse or entrant in self._culprits(now_ms - RECOVERY_MS, now_ms):
            return ""
        return f"{excuse} when a bot was lost: {detail}"

    def _lag_before(self, asked_ms: float, deadline_ms: float) -> float:
        """Return the longest delay in ms since the question if it is a stall, else that just before the deadline."""
        stall_ms = self._lag_ms(asked_ms, deadline_ms)
        if stall_ms > STALL_MS:
            return stall_ms
        return self._lag_ms(max(asked_ms, deadline_ms - JUST_BEFORE_MS), deadline_ms)

    def _flooders(self, since_ms: float, now_ms: float) -> list[int]:
        """Return the entrants that have sent too many messages since `since_ms`."""
        return [number for number, budget in enumerate(self.budgets) if budget.has_flooded(since_ms, now_ms)]

    def _culprits(self, since_ms: float, now_ms: float) -> dict[int, str]:
        """Map each entrant that may have made others late since `since_ms` to what it did."""
        found = dict.fromkeys(self._flooders(since_ms, now_ms), "it sent too many messages")
        loads = {entrant: self._load_of(entrant, since_ms) for entrant in range(len(self.budgets))}
        return {**{entrant: load for entrant, load in loads.items() if load}, **found}


def _has_time_left(question: Question, spent: Spent | None) -> bool:
    """Return True if the bot could have gone on: its limit counts CPU time, of which some was left, or work (nodes).

    Such a question is closed by a second limit in wall time.
    """
    if question.limit_work is not None:
        return True
    if question.backstop_ms is None or question.limit_ms is None or spent is None:
        return False
    return spent.cpu_ms < question.limit_ms


def _lateness(question: Question, spent: Spent | None) -> str:
    """Return the detail of a late fault: within which limit no answer came."""
    if question.backstop_ms is None or spent is None:
        return f"no answer within {question.limit_ms:.0f} ms"
    if not _has_time_left(question, spent):
        return f"no answer within {question.limit_ms:.0f} ms of CPU time"
    waited_ms = question.backstop_ms - question.asked_ms
    return f"no answer within {waited_ms:.0f} ms, {spent.cpu_ms:.0f} of {question.limit_ms:.0f} ms of CPU time used"
