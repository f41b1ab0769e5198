"""Where work is the limit: what a bot declares counts, and time only at a far backstop."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.wire import protocol
from tests.doubles.games.reference import Bids, Numbers
from tests.runner.referee.court import MATCH, Court

WORK = TimeLimits(turn_ms=100, clock="work", turn_work=30)
BUSY = "the machine was busy for 400 of 500 ms"


def court_of(time: TimeLimits = WORK, *, is_busy: bool = False) -> Court:
    """A match in which seat 1 has answered, and declared nothing."""
    court = Court(Numbers(), time=time, wait_of=lambda entrant, since_ms: BUSY if is_busy else "")
    court.answer(1, "name 3")
    return court


def declare(court: Court, text: str, work: int, *, seq: int = 0, final: bool = True) -> None:
    """An answer of seat 0 for which it says to have generated so many successors, four of them by tactics."""
    stats = protocol.Stats(expanded=1000, generated=work - 4, tactics=4)
    ask = court.questions[0].ask
    action = protocol.Action(match=MATCH, ask=ask, seat=0, action=text, seq=seq, final=final, stats=stats)
    court.send(0, protocol.encode(action))


def test_every_question_says_how_much_work_it_may_cost_and_how_far_the_backstop_is() -> None:
    question = court_of().questions[0]
    assert (question.limit_work, question.limit_ms) == (30, 500)
    assert Court(Numbers()).questions[0].limit_work is UNSET


def test_bots_are_told_the_limits_of_work_where_they_count() -> None:
    wall = TimeLimits(turn_ms=100, bank_ms=7, increment_ms=2, start_ms=900, turn_work=30, bank_work=5, increment_work=1)
    game, told = Numbers(), []
    for time in (wall, replace(wall, clock="work")):
        state = game.initial_state(1)
        start = start_message(
            game, state, match_id=MATCH, variant="v", seats=(1,), bot_seed=1, time=time, options={"width": 2}
        )
        told.append(start.limits)
        assert (start.seats, start.seat_count, start.options, list(start.briefing)) == ([1], 2, {"width": 2}, ["1"])
    limits = protocol.Limits(turn_ms=100, bank_ms=7, increment_ms=2, start_ms=900)
    assert told == [limits, replace(limits, clock="work", turn_work=30, bank_work=5, increment_work=1)]


def test_an_answer_within_its_work_counts_however_late_it_is_by_the_wall() -> None:
    court = court_of()
    court.wait(499)
    declare(court, "name 2", 30)
    assert (court.actions, court.faults) == ([{"0": "name 2", "1": "name 3"}], [])
    assert court.answers[-1].work == 30


def test_an_answer_that_took_too_much_work_is_late_however_soon_it_comes() -> None:
    court = court_of()
    declare(court, "name 2", 31, final=False)
    assert [line.detail for line in court.faults] == ["31 of 30 successors generated"]
    assert [(line.fault, line.work) for line in court.answers if line.seat == 0] == [("late", 31)]
    assert court.actions[0]["0"] != "name 2"


def test_the_best_answer_within_the_work_counts_where_a_better_one_took_too_much() -> None:
    court = court_of()
    declare(court, "name 1", 10, final=False)
    declare(court, "name 2", 31, seq=1)
    assert (court.actions, court.faults) == ([{"0": "name 1", "1": "name 3"}], [])


def test_a_better_answer_may_come_until_the_work_of_the_turn_is_used_up() -> None:
    court = court_of()
    declare(court, "name 1", 10, final=False)
    assert court.actions == []
    declare(court, "name 2", 30, seq=1, final=False)
    assert (court.actions, court.faults) == ([{"0": "name 2", "1": "name 3"}], [])


def test_a_better_answer_may_come_up_to_the_backstop_of_its_own_question() -> None:
    court = court_of()
    court.wait(200)
    declare(court, "name 2", 30)
    court.answer(1, "name 2")
    court.wait(100)
    declare(court, "name 1", 10, final=False)
    assert court.referee.next_ms == 700
    court.wait(400)
    assert court.actions[1:] == [{"0": "name 1", "1": "name 2"}]


def test_the_bank_is_work_too() -> None:
    court = court_of(TimeLimits(turn_ms=100, clock="work", turn_work=30, bank_work=10, increment_work=3))
    assert court.questions[0].limit_work == 40
    declare(court, "name 2", 36)
    assert court.faults == []
    assert (court.questions[0].limit_work, court.questions[1].limit_work) == (37, 43)
    court.answer(1, "name 3")
    declare(court, "name 2", 38)
    assert court.fault_names(0) == ["late"]
    assert court.questions[0].limit_work == 30


def test_the_bank_is_gone_where_no_answer_came() -> None:
    court = court_of(TimeLimits(turn_ms=100, clock="work", turn_work=30, bank_work=10))
    court.wait(500)
    assert court.fault_names(0) == ["late"]
    assert court.questions[0].limit_work == 30


def test_who_declares_nothing_is_judged_by_the_backstop() -> None:
    court = court_of()
    court.wait(499)
    court.answer(0, "name 2")
    assert court.faults == []
    court.wait(500)
    assert {line.detail for line in court.faults} == {"no answer within 500 ms"}


def test_who_was_kept_waiting_by_the_machine_up_to_the_backstop_is_not_to_blame() -> None:
    court = court_of(is_busy=True)
    court.wait(500)
    assert court.end.reason == f"{BUSY} when seat 0 had to answer"


def test_without_turn_ms_there_is_no_backstop_and_work_counts_all_the_same() -> None:
    court = court_of(TimeLimits(turn_ms=None, clock="work", turn_work=30))
    assert (court.questions[0].limit_ms, court.referee.next_ms) == (None, None)
    declare(court, "name 2", 31)
    assert court.fault_names(0) == ["late"]


def test_where_answers_compete_in_time_one_that_took_too_much_work_is_late_and_the_question_stays_open() -> None:
    court = Court(Bids(seats=1), time=WORK)
    assert (court.questions[0].limit_work, court.questions[0].limit_ms) == (30, None)
    declare(court, "bid 5", 31)
    assert (court.fault_names(0), court.actions) == (["late"], [])
    declare(court, "bid 4", 30, seq=1)
    assert (court.fault_names(0), court.actions) == (["late"], [{"0": "bid 4"}])
