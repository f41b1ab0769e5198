"""Real-time and ticked games: answers as turns, open questions, timers."""

from __future__ import annotations

from tests.doubles.games.reference import Bids, March
from tests.runner.referee.court import Court


def test_every_accepted_answer_is_a_turn_and_voids_no_answer_of_a_rival_whose_question_stays_open() -> None:
    court = Court(Bids(seats=2))
    mine, theirs = court.questions[0].ask, court.questions[1].ask
    court.sleep(250.7)
    court.answer(1, "bid 5")
    assert (court.turns[0].actions, court.turns[0].stamp) == ({"1": "bid 5"}, 250)
    news = court.events[-1]
    assert (news.seat, news.ask, news.view["bids"]) == (0, mine, [9, 5])
    assert (court.questions[0].ask, court.questions[1].ask) == (mine, theirs + 1)  # asked anew: its key has changed
    court.answer(0, "bid 6", ask=mine)
    assert court.actions == [{"1": "bid 5"}, {"0": "bid 6"}]


def test_silence_is_no_fault_and_the_timer_an_empty_turn_with_exactly_its_stamp() -> None:
    court = Court(Bids(seats=2))
    court.wait(20_000)
    assert (court.faults, court.end.termination.value) == ([], "completed")
    court = Court(Bids(seats=2))
    court.wait(2_500)
    court.answer(0, "bid 4")
    court.wait(5_000)
    assert (court.turns[-1].actions, court.turns[-1].stamp) == ({}, 3_500)


def test_a_timer_that_is_due_goes_off_before_a_later_answer() -> None:
    court = Court(Bids(seats=2))
    court.answer(0, "bid 4")
    court.sleep(1_200)
    court.answer(1, "bid 3")
    assert [line.stamp for line in court.turns] == [0, 1_000]
    assert court.is_over


def test_an_illegal_bid_is_a_fault_and_the_question_stays_open() -> None:
    court = Court(Bids(seats=2))
    court.answer(0, "bid 4")
    court.answer(0, "bid 6")
    assert court.fault_names(0) == ["illegal"]
    court.answer(0, "bid 3", seq=1)
    assert court.turns[-1].actions == {"0": "bid 3"}


def test_a_tick_takes_the_newest_answer_of_each_seat() -> None:
    court = Court(March(seats=2))
    court.answer(0, "walk 1", seq=0)
    court.answer(0, "walk 5", seq=1)
    court.wait(100)
    assert (court.turns[0].actions, court.turns[0].stamp) == ({"0": "walk 5"}, 100)
    assert court.faults == []


def test_every_tick_asks_again_and_a_late_answer_counts_for_a_later_tick_unless_there_is_a_newer_one() -> None:
    court = Court(March(seats=1))
    first = court.questions[0].ask
    court.wait(150)
    court.answer(0, "walk 5", ask=first)
    court.wait(100)
    assert court.actions == [{}, {"0": "walk 5"}]
    assert [question.turn for question in court.asked] == [1, 2, 3]
    court.answer(0, "walk 1", final=False)
    court.answer(0, "walk 5", ask=first, seq=1)
    court.wait(100)
    assert court.actions[2] == {"0": "walk 1"}
    measured = [(line.turn, line.latency_ms, line.final) for line in court.answers]
    assert measured == [(2, None, True), (3, 50.0, True)]  # an old question has no latency; no answer closes a tick
