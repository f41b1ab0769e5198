"""Real-time and ticked games: answers as turns, open questions, timers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gridjoust.games.api import MatchStuckError
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.referee import LagMs
from gridjoust.runner.referee.charges import BURST_MESSAGES
from tests.doubles.games.broken import WaitsForEver
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
    assert court.questions[0].ask == mine
    assert court.questions[1].ask != theirs  # asked anew: its key has changed
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


def test_rules_without_a_seat_to_ask_and_without_a_timer_are_an_error() -> None:
    court = Court(WaitsForEver(seats=1))
    with pytest.raises(MatchStuckError, match=r"^bids: the match is not over, but no seat may act and no timer runs$"):
        court.answer(0, "bid 1")


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


def late_between(from_ms: float, to_ms: float, late_ms: float) -> Callable[[float, float], float]:
    """A world that was so late at that time, and on time before and after."""
    return lambda since_ms, until_ms: late_ms if since_ms <= to_ms and until_ms >= from_ms else 0.0


LATE = {
    # when the sand ran from 0 to 1,000: from, to, how late; what the match comes to
    "longer than a tenth of the sand, after the first bid": (0, 150, 150.0, "void"),
    "exactly a tenth of the sand, long before it is out": (0, 90, 100.0, "completed"),
    "shorter than that, long before the sand is out": (0, 90, 90.0, "completed"),
    "shorter than that, just before the sand is out": (950, 1000, 60.0, "void"),
    "within the grace": (950, 1000, 50.0, "completed"),
    "before the sand ran": (-500, -1, 500.0, "completed"),
}


@pytest.mark.parametrize("case", LATE)
def test_a_timer_after_a_delay_makes_the_match_void(case: str) -> None:
    from_ms, to_ms, late_ms, termination = LATE[case]
    court = Court(Bids(seats=2), lag_ms=late_between(from_ms, to_ms, late_ms), time=TimeLimits(grace_ms=50))
    court.answer(0, "bid 4")
    court.wait(1_000)
    assert court.end.termination.value == termination
    assert court.end.counted == (termination == "completed")


def test_a_delay_of_exactly_the_grace_just_before_a_timer_is_excused_after_a_longer_one_long_before_it() -> None:
    for late_ms, termination in ((50.0, "completed"), (51.0, "void")):
        early, late = late_between(0, 90, 90.0), late_between(950, 1000, late_ms)

        def lag_ms(since: float, until: float, early: LagMs = early, late: LagMs = late) -> float:
            return max(early(since, until), late(since, until))

        court = Court(Bids(seats=2), lag_ms=lag_ms, time=TimeLimits(grace_ms=50))
        court.answer(0, "bid 4")
        court.wait(1_000)
        assert court.end.termination.value == termination


def test_a_stall_is_measured_by_how_long_the_timer_ran_and_not_by_the_match() -> None:
    court = Court(Bids(seats=2), lag_ms=late_between(500, 650, 150.0), time=TimeLimits(grace_ms=50))
    court.wait(500)
    court.answer(0, "bid 4")
    court.wait(1_000)
    assert court.end.reason == "this machine was 150 ms late before a timer of the rules"


def test_who_has_flooded_while_the_sand_ran_forfeits_and_the_rival_keeps_its_win() -> None:
    court = Court(Bids(seats=2), lag_ms=late_between(0, 150, 150.0))
    court.answer(0, "bid 4")
    for seq in range(1, BURST_MESSAGES + 2):
        court.answer(0, "bid 3", seq=seq, match="another")
    court.sleep(150)
    court.answer(1, "bid 4")
    court.wait(850)  # the flood is long over
    assert (court.end.termination.value, court.end.forfeited, court.end.points) == ("flooding", [0], [0.0, 1.0])
    assert "made this machine 150 ms late" in court.end.reason


def test_whose_processes_made_all_late_forfeits_in_real_time_and_nobody_for_a_load_without_a_delay() -> None:
    for late_ms, forfeited in ((80.0, [1]), (50.0, [])):
        court = Court(
            Bids(seats=2),
            lag_ms=late_between(0, 1_000, late_ms),
            load_of=lambda entrant, since: "it kept 4 cores busy" if entrant == 1 else "",
        )
        court.answer(0, "bid 4")
        court.wait(1_000)
        assert court.end.forfeited == forfeited


def test_a_delay_before_a_tick_costs_nobody_whose_answer_is_there() -> None:
    court = Court(March(seats=2), lag_ms=late_between(0, 100, 80.0))
    court.answer(0, "walk 1")
    court.answer(1, "walk 1")
    court.wait(100)
    assert court.actions == [{"0": "walk 1", "1": "walk 1"}]
    court = Court(March(seats=2), lag_ms=late_between(0, 100, 80.0))
    court.answer(0, "walk 1")
    court.wait(100)
    assert court.end.termination.value == "void"
