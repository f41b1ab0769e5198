"""A round of bidding in front of the referee: who is asked, what races, whose stamps count."""

from __future__ import annotations

from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet.actions import Solve
from tests.games.ricochet.boards import solve
from tests.runner.referee.court import Court

GAME = Ricochet({"sand_s": 1.0, "think_s": 10.0, "proof_ms": 500, "max_rounds": 1}, seats=3)
BEST = solve(GAME.initial_state(7).position).moves or ()  # the seed of the court
SOLUTION = str(Solve(BEST))


def court(*bids: tuple[int, str]) -> Court:
    """After these bids."""
    bench = Court(GAME)
    for seat, text in bids:
        bench.answer(seat, text)
    return bench


def chips(bench: Court) -> list[float]:
    return [metrics["chips"] for metrics in bench.end.metrics]


def test_everyone_is_asked_at_once_without_a_time_limit_and_the_sand_runs_by_the_referees_stamps() -> None:
    bench = court()
    assert [(question.seat, question.limit_ms) for question in bench.asked] == [(0, None), (1, None), (2, None)]
    bench.wait(300)
    bench.answer(1, "bid 30")
    assert bench.events[-1].view["wake_ms"] == 1300
    bench.wait(1000)
    assert [(line.stamp, line.actions) for line in bench.turns] == [(300, {"1": "bid 30"}), (1300, {})]


def test_a_bid_in_flight_is_judged_against_the_present_state_and_dropped_after_the_sand_without_a_fault() -> None:
    bench = court()
    mine = bench.questions[0].ask
    bench.answer(1, "bid 20")
    bench.answer(0, "bid 30", ask=mine)
    assert (bench.faults, bench.turns[-1].actions) == ([], {"0": "bid 30"})
    late = bench.questions[0].ask
    bench.wait(1000)
    bench.answer(0, "bid 3", ask=late)
    assert (bench.faults, len(bench.turns)) == ([], 3)


def test_several_bids_to_one_question_count_as_they_come() -> None:
    bench = court()
    for seq, text in enumerate(("bid 30", "bid 25", "bid 24")):
        bench.answer(2, text, seq=seq, final=False)
    assert bench.events[-1].view["bids"] == [None, None, 24]
    assert len(bench.asked) == 3


def test_the_lowest_bidder_alone_is_asked_for_the_proof_and_loses_its_turn_to_the_next_if_it_is_silent() -> None:
    bench = court((0, "bid 1"), (2, f"bid {len(BEST)}"))
    bench.wait(1000)
    assert [(question.seat, question.view["phase"]) for question in bench.asked[-1:]] == [(0, "proof")]
    bench.wait(500)
    assert bench.asked[-1].seat == 2
    bench.answer(2, SOLUTION)
    assert (chips(bench), bench.faults) == ([0, 0, 1], [])


def test_a_wrong_proof_is_no_fault_but_raising_ones_own_bid_is() -> None:
    bench = court((0, "bid 1"))
    bench.wait(1000)
    bench.answer(0, "solve red N")
    assert (bench.faults, bench.end.termination.value) == ([], "completed")
    bench = court((0, "bid 10"))
    bench.answer(0, "bid 11", seq=1)
    assert bench.fault_names(0) == ["illegal"]


def test_a_match_in_which_everybody_sleeps_ends_by_its_own_timers() -> None:
    bench = court()
    bench.wait(10_000)
    assert bench.end.reason == "1 rounds have been played"
