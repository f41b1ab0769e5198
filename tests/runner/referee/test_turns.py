"""Turn-based games: whose answer counts, when a question closes, what the clock says."""

from __future__ import annotations

import pytest

from runner.config.values import TimeLimits
from tests.doubles.games.reference import Numbers, Pile
from tests.runner.referee.court import Court


def numbers_court(**options: object) -> Court:
    return Court(Numbers(), **options).start()  # type: ignore[arg-type]


def play_out(court: Court) -> None:
    """Answer with the first legal action until it is over."""
    while not court.is_over:
        for seat, question in list(court.questions.items()):
            if not court.is_over and question.turn == len(court.turns) + 1:
                court.answer(seat, question.legal[0])


def test_a_sequential_game_asks_one_seat_at_a_time() -> None:
    court = Court(Pile()).start()
    assert list(court.questions) == [0]
    court.answer(0, "take 1")
    assert court.questions[1].turn == 2


def test_a_simultaneous_turn_closes_when_the_last_seat_has_answered() -> None:
    court = numbers_court()
    court.answer(0, "name 2")
    assert court.turns == []
    court.answer(1, "name 3")
    assert court.turns[0].actions == {"0": "name 2", "1": "name 3"}


def test_the_stamp_of_a_turn_based_game_is_the_turn_number() -> None:
    court = numbers_court()
    play_out(court)
    assert [line.stamp for line in court.turns] == [1, 2, 3, 4]


def test_a_question_carries_observation_and_legal_actions() -> None:
    question = numbers_court().questions[1]
    assert question.view == {"named": []}
    assert question.legal == ["name 1", "name 2", "name 3"]
    assert question.limit_ms == 100


def test_the_match_ends_by_its_rules_and_everybody_is_told() -> None:
    court = numbers_court()
    play_out(court)
    assert court.end.termination.value == "completed"
    assert court.end.turns == 4
    assert set(court.told) == {0, 1}


def test_the_winner_gets_the_point_and_the_better_rank() -> None:
    court = numbers_court()
    for first, second in (("name 3", "name 1"), ("name 2", "name 3"), ("name 3", "name 2"), ("name 2", "name 1")):
        court.answer(0, first)
        court.answer(1, second)
    assert court.end.returns == [3.0, 1.0]
    assert court.end.ranks == [1, 2]
    assert court.end.points == [1.0, 0.0]


def test_silence_at_the_deadline_is_late_the_default_stands_in_and_the_answer_after_it_is_dropped() -> None:
    court = numbers_court()
    court.answer(0, "name 2")
    old = court.questions[1].ask
    court.wait(99.9)
    assert court.faults == []
    court.wait(0.1)
    assert court.fault_names(1) == ["late"]
    assert court.turns[0].actions["1"] == "name 1"
    court.answer(1, "name 3", ask=old)
    assert court.fault_names(1) == ["late"]
    assert len(court.turns) == 1


def test_a_deadline_that_has_passed_counts_even_if_nobody_woke_the_referee() -> None:
    court = numbers_court()
    court.answer(0, "name 2")
    court.sleep(150)
    court.answer(1, "name 3", ask=court.questions[1].ask)
    assert court.fault_names(1) == ["late"]


def test_of_several_answers_the_last_before_the_deadline_counts() -> None:
    court = numbers_court()
    court.answer(0, "name 1")
    court.answer(1, "name 1", seq=0, final=False)
    court.answer(1, "name 2", seq=1, final=False)
    court.wait(100)
    assert court.turns[0].actions["1"] == "name 2"
    assert court.faults == []


def test_a_final_answer_closes_the_question_early() -> None:
    court = numbers_court()
    court.answer(0, "name 1")
    court.answer(1, "name 1", seq=0, final=False)
    court.answer(1, "name 3", seq=1)
    assert court.turns[0].actions["1"] == "name 3"


def test_the_same_answer_twice_is_dropped_and_no_fault() -> None:
    court = numbers_court()
    court.answer(0, "name 2", seq=0, final=False)
    court.answer(0, "name 3", seq=0, final=False)
    court.answer(1, "name 1")
    court.wait(100)
    assert court.turns[0].actions["0"] == "name 2"
    assert court.faults == []


def test_an_answer_to_a_closed_question_or_of_an_earlier_match_is_no_fault() -> None:
    court = numbers_court()
    old = court.questions[0].ask
    court.answer(0, "name 1", match="another")
    court.answer(0, "name 2")
    court.answer(1, "name 3")
    court.answer(0, "name 1", ask=old, seq=1)
    assert court.faults == []
    assert [line.actions for line in court.turns] == [{"0": "name 2", "1": "name 3"}]


def test_what_exceeds_the_turn_drains_the_bank() -> None:
    time = TimeLimits(turn_ms=100, bank_ms=50)
    court = numbers_court(time=time)
    assert court.questions[0].limit_ms == 150
    court.answer(1, "name 3")
    court.wait(130)
    court.answer(0, "name 2")
    assert court.faults == []
    assert court.questions[0].limit_ms == 120
    assert court.questions[1].limit_ms == 150


def test_every_answer_adds_the_increment() -> None:
    court = numbers_court(time=TimeLimits(turn_ms=100, bank_ms=50, increment_ms=10))
    court.answer(0, "name 2")
    court.answer(1, "name 3")
    assert court.questions[0].limit_ms == 160


def test_without_a_limit_nobody_is_late() -> None:
    court = numbers_court(time=TimeLimits(turn_ms=None))
    assert court.questions[0].limit_ms is None
    court.wait(1e9)
    assert court.faults == []


def test_a_bot_may_hold_several_seats() -> None:
    court = Court(Numbers(seats=3), seats=[(0, 2), (1,)]).start()
    for seat, text in ((2, "name 3"), (1, "name 2"), (0, "name 1")):
        court.answer(seat, text)
    assert court.turns[0].actions == {"0": "name 1", "1": "name 2", "2": "name 3"}


def test_every_seat_must_be_held_once() -> None:
    with pytest.raises(ValueError, match="expected every seat of 2 to be held once"):
        Court(Numbers(), seats=[(0,), (0, 1)])


def test_a_question_is_repeated_under_its_number_when_a_connection_comes_back() -> None:
    court = numbers_court()
    court.sleep(40)
    court.come_back(1)
    again = court.asked[-1]
    assert (again.seat, again.ask) == (1, court.asked[1].ask)
    assert again.limit_ms == 60


def test_measured_lines_hold_latency_and_search_cost() -> None:
    court = numbers_court()
    court.sleep(12.5)
    court.send(
        0,
        b'{"type":"action","match":"m1","ask":0,"seat":0,"action":"name 2","planning_ms":3.5,"stats":{"expanded":41}}',
    )
    court.answer(1, "name 1")
    line = next(line for line in court.answers if line.seat == 0)
    assert (line.turn, line.latency_ms, line.planning_ms, line.expanded) == (1, 12.5, 3.5, 41)
