"""Real-time and ticked games: answers as turns, open questions, timers."""

from __future__ import annotations

from tests.doubles.games.reference import Bids, March
from tests.runner.referee.court import Court


def bids_court(seats: int = 2) -> Court:
    return Court(Bids(seats=seats)).start()


def test_every_accepted_answer_is_a_turn_of_its_own() -> None:
    court = bids_court()
    court.sleep(250.7)
    court.answer(1, "bid 7")
    assert court.turns[0].actions == {"1": "bid 7"}
    assert court.turns[0].stamp == 250


def test_a_rivals_bid_in_flight_does_not_void_an_answer() -> None:
    court = bids_court()
    mine = court.questions[0].ask
    court.answer(1, "bid 5")
    court.answer(0, "bid 6", ask=mine)
    assert [line.actions for line in court.turns] == [{"1": "bid 5"}, {"0": "bid 6"}]


def test_whoever_keeps_an_open_question_hears_of_the_change() -> None:
    court = bids_court()
    court.answer(1, "bid 5")
    news = court.events[-1]
    assert (news.seat, news.ask) == (0, court.questions[0].ask)
    assert news.view["bids"] == [9, 5]


def test_a_changed_key_asks_anew() -> None:
    court = bids_court()
    before = court.questions[1].ask
    court.answer(1, "bid 5")
    assert court.questions[1].ask != before


def test_silence_is_no_fault() -> None:
    court = bids_court()
    court.wait(20_000)
    assert court.faults == []
    assert court.end.termination.value == "completed"


def test_the_timer_is_an_empty_turn_with_exactly_its_stamp() -> None:
    court = bids_court()
    court.wait(2_500)
    court.answer(0, "bid 4")
    court.wait(5_000)
    assert court.turns[-1].actions == {}
    assert court.turns[-1].stamp == 3_500


def test_a_timer_that_is_due_goes_off_before_a_later_answer() -> None:
    court = bids_court()
    court.answer(0, "bid 4")
    court.sleep(1_200)
    court.answer(1, "bid 3")
    assert [line.stamp for line in court.turns] == [0, 1_000]
    assert court.is_over


def test_an_illegal_bid_is_a_fault_and_the_question_stays_open() -> None:
    court = bids_court()
    court.answer(0, "bid 4")
    court.answer(0, "bid 6")
    assert court.fault_names(0) == ["illegal"]
    court.answer(0, "bid 3", seq=1)
    assert court.turns[-1].actions == {"0": "bid 3"}


def test_a_tick_takes_the_newest_answer_of_each_seat() -> None:
    court = Court(March(seats=2)).start()
    court.answer(0, "walk 1", seq=0)
    court.answer(0, "walk 5", seq=1)
    court.wait(100)
    assert court.turns[0].actions == {"0": "walk 5"}
    assert court.turns[0].stamp == 100
    assert court.faults == []


def test_with_a_tick_a_late_answer_counts_for_a_later_tick() -> None:
    court = Court(March(seats=1)).start()
    old = court.questions[0].ask
    court.wait(150)
    court.answer(0, "walk 5", ask=old)
    court.wait(100)
    assert [line.actions for line in court.turns] == [{}, {"0": "walk 5"}]


def test_with_a_tick_every_tick_asks_again() -> None:
    court = Court(March(seats=1)).start()
    court.wait(250)
    assert [question.turn for question in court.asked] == [1, 2, 3]


def test_with_a_tick_an_older_answer_does_not_replace_a_newer_one() -> None:
    court = Court(March(seats=1)).start()
    old = court.questions[0].ask
    court.wait(100)
    court.answer(0, "walk 1")
    court.answer(0, "walk 5", ask=old)
    court.wait(100)
    assert court.turns[1].actions == {"0": "walk 1"}
