"""Turn-based games: whose answer counts, when a question closes, what the clock says."""

from __future__ import annotations

import pytest

from gridjoust.games.api import EndlessMatchError
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.wire.protocol import Action, BotError
from tests.doubles.games.broken import RunsTooLong
from tests.doubles.games.reference import Numbers, Pile
from tests.runner.referee.court import MATCH, Court, numbers


def test_a_sequential_game_asks_one_seat_at_a_time() -> None:
    court = Court(Pile())
    assert list(court.questions) == [0]
    court.answer(0, "take 1")
    assert court.questions[1].turn == 2


def test_a_decoded_answer_counts_while_the_match_goes_on_and_not_after_its_end() -> None:
    court = numbers()
    answer = Action(match=MATCH, ask=court.questions[0].ask, seat=0, action="name 2")
    assert [type(command) for command in court.referee.on_sent(0, answer, 0.0)] == [AnswerLine]
    court.answer(1, "name 3")
    assert court.actions == [{"0": "name 2", "1": "name 3"}]
    court.lose(1)
    assert court.referee.on_sent(0, BotError(message="no plan"), 0.0) == []


def test_rules_that_go_on_after_the_turns_of_their_spec_are_an_error_and_those_that_end_with_the_last_are_not() -> None:
    court = Court(RunsTooLong())
    for seat in (0, 1):
        court.answer(seat, "take 2")
    with pytest.raises(EndlessMatchError, match=r"^pile: the match goes on after 3 turns"):
        court.answer(0, "take 2")
    court = Court(RunsTooLong({"pile": 6}))
    for seat in (0, 1, 0):
        court.answer(seat, "take 2")
    assert court.is_over


def test_the_end_has_the_metrics_of_the_last_state() -> None:
    court = Court(Pile())
    while not court.is_over:
        seat = court.asked[-1].seat
        court.answer(seat, "take 1")
    assert court.referee.state.taken == (9, 11)
    assert court.end.metrics == [{"taken": 9.0}, {"taken": 11.0}]


def test_a_simultaneous_match_from_its_first_question_to_its_end() -> None:
    court = numbers()
    question = court.questions[1]
    assert (question.view, question.limit_ms) == ({"named": []}, 100)
    assert question.legal == ["name 1", "name 2", "name 3"]
    court.answer(0, "name 3")
    assert court.turns == []  # it closes when the last seat has answered
    court.answer(1, "name 1")
    assert court.actions == [{"0": "name 3", "1": "name 1"}]
    for first, second in (("name 2", "name 3"), ("name 3", "name 2"), ("name 2", "name 1")):
        court.answer(0, first)
        court.answer(1, second)
    assert [line.stamp for line in court.turns] == [1, 2, 3, 4]
    assert (court.end.termination.value, court.end.turns) == ("completed", 4)
    assert (court.end.returns, court.end.ranks, court.end.points) == ([3.0, 1.0], [1, 2], [1.0, 0.0])
    assert set(court.told) == {0, 1}


def test_silence_at_the_deadline_is_late_the_default_stands_in_and_no_answer_counts_after_it() -> None:
    court = numbers()
    court.answer(0, "name 2")
    old = court.questions[1].ask
    court.wait(99.9)
    assert court.faults == []
    court.wait(0.1)
    assert court.fault_names(1) == ["late"]
    assert court.actions == [{"0": "name 2", "1": "name 1"}]
    court.answer(1, "name 3", ask=old)
    assert court.fault_names(1) == ["late"]
    assert len(court.turns) == 1
    court = numbers()
    court.answer(0, "name 2")
    court.sleep(150)
    court.answer(1, "name 3", ask=court.questions[1].ask)
    assert court.fault_names(1) == ["late"]


ANSWERS = {
    "the last before the deadline counts": ([("name 1", 0, False), ("name 2", 1, False)], False, "name 2", []),
    "a final one closes the question early": ([("name 1", 0, False), ("name 3", 1, True)], True, "name 3", []),
    "the same one twice is dropped": ([("name 2", 0, False), ("name 3", 0, False)], False, "name 2", []),
    "a refused one leaves a good one standing": (
        [("name 3", 0, False), ("sing", 1, True)],
        True,
        "name 3",
        ["malformed"],
    ),
}


@pytest.mark.parametrize(("answers", "is_closed", "counts", "faults"), ANSWERS.values(), ids=ANSWERS)
def test_of_several_answers(
    answers: list[tuple[str, int, bool]], is_closed: bool, counts: str, faults: list[str]
) -> None:
    court = numbers()
    court.answer(0, "name 1")
    for text, seq, final in answers:
        court.answer(1, text, seq=seq, final=final)
    assert bool(court.turns) == is_closed
    court.wait(100 - court.now_ms if not is_closed else 0)
    assert court.actions == [{"0": "name 1", "1": counts}]
    assert court.answers[-1].final == (is_closed and not faults)
    assert (court.fault_names(0), court.fault_names(1)) == ([], faults)


def test_numbers_of_questions_are_below_2_to_the_53_and_tell_nothing_of_others_or_of_those_to_come() -> None:
    seen: set[int] = set()
    for _ in range(20):
        court = numbers(3)
        for _ in range(4):
            for seat in range(3):
                court.answer(seat, court.questions[seat].legal[0])
        seen |= {question.ask for question in court.asked}
    assert len(seen) == 20 * 4 * 3  # none comes twice, not even in a match with the same seed
    assert max(seen) < 2**53
    assert sum(number > 2**52 for number in seen) == pytest.approx(120, abs=50)  # six standard deviations


def test_an_answer_to_a_closed_question_or_of_an_earlier_match_is_no_fault() -> None:
    court = numbers()
    old = court.questions[0].ask
    court.answer(0, "name 1", match="another")
    court.answer(0, "name 2")
    court.answer(1, "name 3")
    court.answer(0, "name 1", ask=old, seq=1)
    assert court.faults == []
    assert court.actions == [{"0": "name 2", "1": "name 3"}]


def test_what_exceeds_the_turn_drains_the_bank_and_every_answer_adds_the_increment() -> None:
    court = numbers(time=TimeLimits(turn_ms=100, bank_ms=50))
    assert court.questions[0].limit_ms == 150
    court.answer(1, "name 3")
    court.wait(130)
    court.answer(0, "name 2")
    assert court.faults == []
    assert (court.questions[0].limit_ms, court.questions[1].limit_ms) == (120, 150)
    court.wait(149)
    assert [(line.turn, line.seat) for line in court.answers if line.fault] == [(2, 0)]
    assert (court.fault_names(0), court.fault_names(1)) == (["late"], [])
    court = numbers(time=TimeLimits(turn_ms=100, bank_ms=50))
    court.wait(101)  # a millisecond too much counts as well
    court.answer(0, "name 2")
    court.answer(1, "name 3")
    assert (court.questions[0].limit_ms, court.questions[1].limit_ms) == (149, 149)
    court = numbers(time=TimeLimits(turn_ms=100, bank_ms=50, increment_ms=10))
    court.answer(0, "name 2")
    court.answer(1, "name 3")
    assert court.questions[0].limit_ms == 160
    court.sleep(200)
    court.wait(0)  # both are late, and the referee is too
    assert court.questions[0].limit_ms == court.questions[1].limit_ms == 100


def test_an_answer_counts_when_the_turn_is_over_and_the_bank_is_for_who_has_none() -> None:
    court = numbers(time=TimeLimits(turn_ms=100, bank_ms=50))
    court.answer(0, "name 2", final=False)
    court.answer(1, "name 3", final=False)
    court.wait(99)
    court.answer(1, "name 2", seq=1, final=False)
    assert court.turns == []
    court.wait(1)
    assert court.actions == [{"0": "name 2", "1": "name 2"}]
    court.answer(0, "name 3")
    court.wait(120)
    court.answer(1, "name 1", final=False)  # its first, out of the bank: there is no time for a better one
    assert court.actions[1:] == [{"0": "name 3", "1": "name 1"}]
    assert (court.questions[0].limit_ms, court.questions[1].limit_ms) == (150, 130)
    assert court.faults == []


def test_without_a_limit_nobody_is_late() -> None:
    court = numbers(time=TimeLimits(turn_ms=None))
    assert court.questions[0].limit_ms is None
    court.wait(1e9)
    assert court.faults == []


def test_a_bot_may_hold_several_seats_but_every_seat_must_be_held_once() -> None:
    court = Court(Numbers(seats=3), seats=[(0, 2), (1,)])
    for seat, text in ((2, "name 3"), (1, "name 2"), (0, "name 1")):
        court.answer(seat, text)
    assert court.actions == [{"0": "name 1", "1": "name 2", "2": "name 3"}]
    with pytest.raises(ValueError, match="expected every seat of 2 to be held once"):
        Court(Numbers(), seats=[(0,), (0, 1)])


def test_a_question_is_repeated_under_its_number_when_a_connection_comes_back() -> None:
    court = numbers()
    court.sleep(40)
    court.come_back(1)
    again = court.asked[-1]
    assert (again.seat, again.ask, again.limit_ms) == (1, court.asked[1].ask, 60)
    court.sleep(59.5)
    court.come_back(1)
    assert court.asked[-1].limit_ms == 0


def test_measured_lines_hold_latency_and_search_cost() -> None:
    court = numbers()
    court.sleep(12.3456)
    action = f'{{"type":"action","match":"m1","ask":{court.questions[0].ask},"seat":0,"action":"name 2"'
    court.send(0, f'{action},"planning_ms":3.5,"stats":{{"expanded":41}}}}'.encode())
    court.answer(1, "name 1")
    line = next(line for line in court.answers if line.seat == 0)
    assert (line.turn, line.latency_ms, line.planning_ms, line.expanded) == (1, 12.346, 3.5, 41)
