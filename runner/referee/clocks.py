"""Clocks of a match: each seat's limit counts wall time, CPU time or work.

CPU time and work also have a backstop in wall time: `TimeLimits.wall_factor` times the limit.
"""

from __future__ import annotations

from collections.abc import Callable

from gridjoust.runner.processes.history import Spent
from gridjoust.runner.referee.values import Question, SeatState

LOOK_EVERY_MS = 2.0  # shortest time between two readings of a CPU clock

SpentOf = Callable[[int, bool], Spent | None]
"""Returns what an entrant's processes have used so far; None if that is unknown: the wall clock counts then.

The second argument is True if the value must be exact: it is judged by, not only recorded.
"""


def unmetered(entrant: int, exact: bool) -> None:  # noqa: ARG001, FBT001 - the shape the referee calls
    """Return None: no process is metered, in tests and in-process play."""
    return


class Clocks:
    """The clocks of one match."""

    def __init__(self, spent_of: SpentOf) -> None:
        self._spent_of = spent_of

    def ask(self, seat_state: SeatState, number: int, key: object, now_ms: float, *, is_timed: bool) -> Question:
        """Return a question whose clock runs from now on; a timed game has its own timers and sets no deadline."""
        time, began = seat_state.time, self._read(seat_state)
        turn_ms, is_work = time.turn_ms, time.clock == "work"
        limit_work = time.turn_work + seat_state.bank_work if is_work else None
        if turn_ms is None or is_timed:
            return Question(number, key, now_ms, began, limit_work=limit_work)
        limit_ms = turn_ms + seat_state.bank_ms
        if is_work:
            limit_ms *= time.wall_factor
            return Question(number, key, now_ms, began, limit_ms, limit_work, now_ms + limit_ms)
        is_metered = time.clock == "cpu" and began is not None
        backstop_ms = now_ms + time.wall_factor * limit_ms if is_metered else None
        return Question(number, key, now_ms, began, limit_ms, None, now_ms + limit_ms, backstop_ms)

    def spent(self, seat_state: SeatState, question: Question) -> Spent | None:
        """Return what the seat's bot has used since it was asked; None if that is unknown."""
        if question.began is None or (now := self._read(seat_state)) is None:
            return None
        cpu_ms, waited_ms = now.cpu_ms - question.began.cpu_ms, now.waited_ms - question.began.waited_ms
        forced = now.forced - question.began.forced
        return Spent(max(0.0, round(cpu_ms, 3)), max(0.0, round(waited_ms, 3)), max(0, forced))

    def _read(self, seat_state: SeatState) -> Spent | None:
        """Return what a seat's bot has used so far; exact if CPU time is its clock."""
        return self._spent_of(seat_state.entrant, seat_state.time.clock == "cpu")

    def used_ms(self, seat_state: SeatState, question: Question, now_ms: float) -> float:
        """Return the time that counts against the seat's limit so far, in ms."""
        if question.backstop_ms is None:
            return now_ms - question.asked_ms
        spent = self.spent(seat_state, question)
        return 0.0 if spent is None else spent.cpu_ms

    def settle(self, seat_state: SeatState, question: Question, now_ms: float) -> None:
        """Update the bank of time or work after a question: take the excess over the turn's limit, add the increment.

        The increment is added only if the question was answered.
        """
        time, is_answered = seat_state.time, question.answer is not None
        if question.limit_work is not None:
            over = max(0, question.work - time.turn_work)
            seat_state.bank_work -= min(seat_state.bank_work, over)
            seat_state.bank_work += time.increment_work if is_answered else 0
        elif time.turn_ms is not None:
            over_ms = self._final_ms(question, now_ms) - time.turn_ms
            if over_ms > 0:
                seat_state.bank_ms -= min(seat_state.bank_ms, over_ms)
            if is_answered:
                seat_state.bank_ms += time.increment_ms

    def _final_ms(self, question: Question, now_ms: float) -> float:
        """Return what a closed question cost, in ms: CPU time counts up to its last measurement, not up to now."""
        if question.backstop_ms is None:
            return now_ms - question.asked_ms
        return 0.0 if question.spent is None else question.spent.cpu_ms

    def excess_work(self, seat_state: SeatState, question: Question, work: int) -> str:
        """Return in words how `work` successors exceed the limit of an answer; "" if they do not."""
        allowed = question.limit_work if question.answer is None else seat_state.time.turn_work
        assert allowed is not None
        return f"{work} of {allowed} successors generated" if work > allowed else ""

    def left_ms(self, seat_state: SeatState, question: Question, now_ms: float) -> float:
        """Return the ms left for an answer: of the whole limit for a first one, of `turn_ms` for a better one.

        If work is the clock, that is the rest of the limit in wall time; 0 once the work of the turn is used up.
        """
        turn_ms = seat_state.time.turn_ms
        assert turn_ms is not None
        assert question.limit_ms is not None
        if question.limit_work is not None:
            has_work_left = question.work < seat_state.time.turn_work
            return question.limit_ms - (now_ms - question.asked_ms) if has_work_left else 0.0
        allowed_ms = question.limit_ms if question.answer is None else turn_ms
        return allowed_ms - self.used_ms(seat_state, question, now_ms)

    def next_look_ms(self, seat_state: SeatState, question: Question, now_ms: float) -> float | None:
        """Return the match time at which to read the CPU clock again; None if it has run out or is not the clock."""
        if question.backstop_ms is None or now_ms >= question.backstop_ms:
            return None
        left_ms = self.left_ms(seat_state, question, now_ms)
        return None if left_ms <= 0 else min(question.backstop_ms, now_ms + max(left_ms, LOOK_EVERY_MS))
