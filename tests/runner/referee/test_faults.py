"""Faults: what counts as one, what it costs, and who is told."""

from __future__ import annotations

import pytest

from gridjoust.games.bomber import Bomber
from gridjoust.runner.config.values import FaultPolicy, TimeLimits
from gridjoust.runner.referee import Finish, Referee
from gridjoust.runner.referee.blame import RECOVERY_MS
from gridjoust.runner.referee.charges import BURST_MESSAGES, MAX_DETAIL, MESSAGES_A_FAULT, MESSAGES_PER_S, Budget
from gridjoust.runner.results.records.lines import Fault, Termination
from gridjoust.runner.wire import protocol
from tests.doubles.games.reference import March, Numbers, Pile
from tests.runner.referee.court import MATCH, Court, Holder, numbers


def test_an_action_not_in_the_notation_is_malformed_and_one_that_is_not_legal_now_illegal() -> None:
    court = Court(Pile())
    court.answer(0, "sing")
    court.answer(1, "take 9")
    assert (court.fault_names(0), court.fault_names(1)) == (["malformed"], ["illegal"])
    assert "sing" in court.faults[0].detail
    assert [line.turn for line in court.faults] == [line.turn for line in court.answers if line.fault] == [1, 2]
    assert court.actions == [{"0": "take 1"}, {"1": "take 1"}]


def test_bytes_that_are_no_message_are_malformed_and_close_the_question() -> None:
    for payload in (b"\xff\x00", b'{"type":"action","x":' + b"[" * 5000 + b"]" * 5000 + b"}"):
        court = numbers()
        court.answer(1, "name 2")
        court.sleep(12.3456)
        court.send(0, payload)
        assert [(line.turn, line.after_ms) for line in court.answers if line.seat == 0] == [(1, 12.346)]
        assert (court.fault_names(0), court.fault_names(1)) == (["malformed"], [])
        assert court.actions == [{"0": "name 1", "1": "name 2"}]


def test_answers_too_long_of_another_seat_or_to_no_question_are_the_senders_fault() -> None:
    for seat, text, ask, said in (
        (0, "x" * 70_000, 0, "65536 bytes"),
        (1, "name 3", 1, "expected an answer for a seat in [0], got 1"),
        (0, "name 2", 40, "expected the number of a question to seat 0, got 40"),
    ):
        court = numbers()
        court.holder[1] = 0  # entrant 0 speaks for seat 1 too
        court.answer(seat, text, ask=ask)
        assert (court.fault_names(0), court.fault_names(1)) == (["malformed"], [])
        assert said in court.faults[0].detail


def test_a_bot_that_says_it_has_no_answer_is_malformed_once_and_only_for_a_question_that_is_open() -> None:
    court = numbers()
    open_ask = court.questions[0].ask
    court.send(0, protocol.encode(protocol.BotError(match=MATCH, ask=open_ask + 1, message="none")))
    assert court.faults == []
    court.send(0, protocol.encode(protocol.BotError(match=MATCH, ask=open_ask, message="none")))
    court.send(0, protocol.encode(protocol.BotError(match=MATCH, ask=open_ask, message="none")))
    assert [(line.fault.value, line.detail) for line in court.faults] == [("malformed", "none")]


def test_silence_after_lines_that_were_no_answer_is_malformed_and_other_silence_late() -> None:
    court = numbers(fault_limit=9, time=TimeLimits(turn_ms=100))
    court.sleep(12)
    first_ask = court.questions[0].ask
    court.send(0, protocol.encode(protocol.BotError(match=MATCH, ask=first_ask, message="got 'moving up'")))
    court.answer(1, "name 2")
    court.sleep(30)
    court.send(0, protocol.encode(protocol.BotError(match=MATCH, ask=first_ask, message="got 'again'")))
    court.answer(1, "name 3")
    court.wait(170)
    assert [(line.turn, line.fault.value, line.detail) for line in court.faults if line.seat == 0] == [
        (1, "malformed", "got 'moving up'"),
        (2, "malformed", "got 'again'"),
        (3, "late", "no answer within 100 ms"),
    ]
    assert [(line.turn, line.fault, line.after_ms) for line in court.answers if line.seat == 0] == [
        (1, "malformed", 12.0),
        (2, "malformed", 100.0),
        (3, "late", None),
    ]
    answers = [(line.turn, line.fault, line.after_ms) for line in court.answers if line.seat == 0]
    assert answers == [(1, "malformed", 12.0), (2, "malformed", 100.0), (3, "late", None)]


def test_a_late_bot_is_named_with_the_place_in_its_code_where_it_is() -> None:
    places = ["still in act, inf.py line 8", ""]
    court = numbers(fault_limit=9, time=TimeLimits(turn_ms=100), place_of=lambda entrant: places[entrant])
    court.wait(100)
    assert [line.detail for line in court.faults] == [
        "no answer within 100 ms: still in act, inf.py line 8",
        "no answer within 100 ms",
    ]


def test_only_entrants_that_are_about_to_be_late_are_overdue() -> None:
    court = numbers(time=TimeLimits(turn_ms=100))
    assert court.referee.overdue_entrants(99) == set()
    assert court.referee.overdue_entrants(100) == {0, 1}
    court.answer(1, "name 2")
    assert court.referee.overdue_entrants(100) == {0}


def test_a_message_that_cannot_be_read_is_the_fault_of_the_seat_that_it_names() -> None:
    for message in (
        b'{"type":"action","match":"m1","ask":1,"seat":1,"action":7}',
        b'{"type":"action","match":"m1","ask":1,"seat":1,"action":"name 1"}',
    ):
        court = Court(Numbers(seats=3), seats=[(0, 1), (2,)])
        court.send(0, message)
        assert [line.seat for line in court.faults] == [1]
    court = Court(Numbers(seats=3), seats=[(0, 1), (2,)])
    court.send(0, b'{"type":"action","seat":2}')
    assert [line.seat for line in court.faults] == [0]


def test_the_most_frequent_kind_of_fault_names_the_forfeit_and_the_first_of_equals() -> None:
    for answers, termination, reason in (
        (("sing", "hum", "name 9"), "malformed", "seat 0 forfeits (malformed, 2 of 3 faults): action 'hum'"),
        (("name 9", "sing", None), "illegal", "seat 0 forfeits (illegal, 1 of 3 faults): action 'name 9'"),
        (("sing", None, None), "late", "seat 0 forfeits (late, 2 of 3 faults): no answer within 100 ms"),
    ):
        court = numbers(fault_limit=3, time=TimeLimits(turn_ms=100))
        for answer in answers:
            court.answer(1, court.questions[1].legal[0])
            if answer is None:
                court.wait(100)
            else:
                court.answer(0, answer)
        assert court.end.termination.value == termination
        assert court.end.reason.startswith(reason)


def test_the_last_allowed_fault_forfeits_and_ends_a_match_of_two() -> None:
    court = numbers(fault_limit=2)
    court.answer(0, "sing")
    court.answer(1, "name 2")
    court.answer(0, "sing")
    end = court.end
    assert (end.termination.value, end.forfeited, end.faults) == ("malformed", [0], [2, 0])
    assert (end.ranks, end.points) == ([2, 1], [0.0, 1.0])
    assert "seat 0 forfeits (malformed, fault 2)" in end.reason


def test_a_crash_forfeits_at_once_whoever_reports_it_and_the_survivor_is_told_why() -> None:
    for tell, why in (
        (Court.lose, "exited with code 1"),
        (lambda court, entrant: court.send(entrant, b'{"type":"error","message":"no plan"}'), "no plan"),
    ):
        court = numbers()
        tell(court, 1)
        assert (court.end.termination.value, court.end.ranks) == ("crashed", [1, 2])
        assert court.dropped == [(1, Fault.CRASHED)]
        assert court.end.reason.endswith(why)
        assert list(court.told) == [0]
        assert (court.told[0].termination, court.told[0].reason) == ("crashed", court.end.reason)


def test_a_bot_that_never_starts_loses_and_two_share_the_last_rank() -> None:
    end = Court(Numbers(), failed={1: "no ready within 10000 ms"}).end
    assert (end.termination.value, end.faults, end.turns, end.ranks) == ("failed_to_start", [0, 1], 0, [1, 2])
    end = Court(Numbers(), failed={0: "x", 1: "y"}).end
    assert (end.ranks, end.points) == ([1, 1], [0.5, 0.5])


def test_among_three_the_match_goes_on_with_defaults_for_the_one_who_forfeits_and_the_later_ranks_higher() -> None:
    court = numbers(3)
    court.lose(1)
    assert not court.is_over
    for _ in range(4):
        for seat in (0, 2):
            court.answer(seat, court.questions[seat].legal[-1])
    assert court.end.termination is Termination.COMPLETED
    assert [actions["1"] for actions in court.actions] == ["name 1", "name 2", "name 1", "name 2"]
    assert [value is None for value in court.end.returns] == [False, True, False]
    assert court.end.ranks[1] == 3
    assert "seat 1 forfeits" in court.end.reason
    court = numbers(3)
    court.lose(2)
    court.answer(0, "name 2")
    court.answer(1, "name 3")
    court.lose(0)
    assert court.end.ranks == [2, 1, 3]


def test_a_cooperative_match_goes_on_with_defaults_until_nobody_is_left() -> None:
    court = Court(March(seats=2))
    court.lose(0)
    assert not court.is_over
    court.wait(10_000)
    assert (court.end.termination, court.end.points) == (Termination.COMPLETED, [None, None])
    court = Court(March(seats=2), seats=[(0, 1)])
    court.lose(0)
    assert court.end.termination.value == "crashed"


def test_a_late_answer_is_void_when_the_world_was_late_beyond_grace_during_the_question_that_was_missed() -> None:
    seen: list[tuple[float, float]] = []

    def lag_ms(asked_ms: float, deadline_ms: float) -> float:
        seen.append((asked_ms, deadline_ms))
        return 50.0

    court = numbers(lag_ms=lag_ms, time=TimeLimits(grace_ms=50))
    court.wait(100)
    assert court.fault_names(0) == ["late"]
    assert set(seen) == {(0.0, 100.0)}
    court = numbers(lag_ms=lambda asked, due: 51.0)
    court.wait(100)
    assert (court.end.termination, court.end.counted) == (Termination.VOID, False)
    assert (court.faults, court.end.points) == ([], [None, None])


def test_of_a_delay_before_a_deadline_only_the_last_moments_count_unless_it_was_a_stall() -> None:
    for late_ms, termination in ((1000.0, None), (1001.0, "void")):
        # felt up to 1,000 ms after the question, a second before its deadline
        court = numbers(
            lag_ms=lambda since, until, late_ms=late_ms: late_ms if since <= 1000 else 0.0,
            time=TimeLimits(turn_ms=2000),
            fault_limit=9,
        )
        court.wait(2000)
        assert (court.end.termination.value if court.is_over else None) == termination
        assert court.fault_names(0) == ([] if termination else ["late"])


def test_a_silent_bot_whose_processes_have_made_all_late_is_late_and_its_rivals_load_no_excuse() -> None:
    for loaded, terminations in ((0, ["late"]), (1, [])):
        court = numbers(
            lag_ms=lambda since, until: 80.0,
            load_of=lambda entrant, since, loaded=loaded: "it ran 400 threads" if entrant == loaded else "",
        )
        court.answer(1, "name 2")
        court.wait(100)
        assert court.fault_names(0) == terminations
        assert court.fault_names(1) == []
        assert court.is_over == (loaded == 1)
    assert court.end.termination is Termination.VOID


def test_where_nobody_measures_delays_a_silent_bot_is_late_without_any_grace() -> None:
    court = numbers(time=TimeLimits(grace_ms=0))
    court.wait(100)
    assert court.fault_names(0) == court.fault_names(1) == ["late"]


def test_a_bot_lost_with_an_excuse_makes_the_match_void_unless_it_was_flooding() -> None:
    asked_ms: list[float] = []

    def idle(entrant: int, since_ms: float) -> str:
        asked_ms.append(since_ms)
        return ""

    court = numbers(load_of=idle)
    lost = court.referee.on_lost(0, Fault.CRASHED, "exited", 10.0, excuse="broker 1500 ms late")
    assert asked_ms == [10.0 - RECOVERY_MS] * 2
    [end] = [command.end for command in lost if isinstance(command, Finish)]
    assert (end.termination.value, end.reason) == ("void", "broker 1500 ms late when a bot was lost: exited")
    court = flood(numbers(), range(300))
    lost = court.referee.on_lost(0, Fault.CRASHED, "exited", 1.0, excuse="broker 1500 ms late")
    [end] = [command.end for command in lost if isinstance(command, Finish)]
    assert (end.termination.value, end.forfeited) == ("crashed", [0])


def flood(court: Court, seqs: range) -> Court:
    """Answers of seat 0, as many as there are before the match is over."""
    for seq in seqs:
        if not court.is_over:
            court.answer(0, "name 2", seq=seq, final=False)
    return court


def test_a_flood_is_one_fault_at_first_the_rest_is_not_read_and_if_it_goes_on_it_forfeits() -> None:
    court = flood(numbers(fault_limit=2), range(BURST_MESSAGES + 10))
    assert court.fault_names(0) == ["flooding"]
    assert not court.is_over
    flood(court, range(BURST_MESSAGES + 10, BURST_MESSAGES + MESSAGES_A_FAULT + 10))
    assert court.end.termination.value == "flooding"
    assert court.dropped == [(0, Fault.FLOODING)]


def test_a_steady_stream_below_the_limit_is_no_flood() -> None:
    court = numbers(time=TimeLimits(turn_ms=None))
    for seq in range(2000):
        court.sleep(1000 / MESSAGES_PER_S)
        court.answer(0, "name 2", seq=seq, final=False)
    assert court.faults == []


@pytest.mark.parametrize(
    ("messages", "termination", "forfeited"),
    [(BURST_MESSAGES, "void", []), (BURST_MESSAGES + 1, "flooding", [0])],
)
def test_who_sent_more_than_the_limit_is_to_blame_for_a_late_world_and_nobody_else(
    messages: int, termination: str, forfeited: list[int]
) -> None:
    court = flood(numbers(lag_ms=lambda asked, due: 80.0, fault_limit=2), range(messages))
    court.wait(100)
    assert (court.end.termination.value, court.end.forfeited) == (termination, forfeited)
    assert court.fault_names(1) == []


def test_bots_that_never_got_ready_with_an_excuse_make_the_match_void() -> None:
    started = Referee(
        Numbers(),
        match_id="m",
        seed=7,
        entrants=[Holder((0,), TimeLimits()), Holder((1,), TimeLimits())],
        faults=FaultPolicy(),
    ).start(0.0, {0: "no ready"}, excuse="loop 900 ms late")
    [end] = [command.end for command in started if isinstance(command, Finish)]
    assert (end.termination.value, end.reason, end.faults) == (
        "void",
        "loop 900 ms late when bots had to get ready",
        [0, 0],
    )


def test_who_is_gone_is_neither_heard_nor_asked_nor_lost_again_and_after_the_end_nobody_is() -> None:
    court = numbers(3)
    court.lose(1)
    asked = len(court.asked)
    court.lose(1)
    court.come_back(1)
    court.answer(1, "sing")
    assert (court.fault_names(1), court.dropped, len(court.asked)) == (["crashed"], [(1, Fault.CRASHED)], asked)
    court.lose(0)
    assert court.is_over
    court.lose(2)
    court.come_back(2)
    court.answer(2, "sing")
    assert (court.fault_names(2), court.dropped[2:], len(court.asked)) == ([], [], asked)
    assert list(court.told) == [2]


def test_an_answer_in_a_flood_is_not_read() -> None:
    court = flood(numbers(), range(BURST_MESSAGES + 1))
    court.answer(1, "name 3")
    court.answer(0, "name 2", seq=BURST_MESSAGES + 1)
    assert court.actions == []


def test_a_flood_that_is_long_over_is_not_to_blame_for_a_late_world() -> None:
    budget = Budget()
    refused = [budget.take(0.0) for _ in range(BURST_MESSAGES + 1)][-1]
    assert not refused
    assert budget.is_flooding(0.0)
    assert budget.is_flooding(250.0)  # half of the burst is free again
    assert budget.take(252.5)
    assert budget.is_flooding(252.5)
    assert not budget.is_flooding(253.0)
    assert all(budget.take(257.5) for _ in range(50))  # calm once: what it sends now is no part of the flood
    assert not budget.is_flooding(257.5)


def test_a_question_pays_for_one_answer() -> None:
    budget = Budget()
    for _ in range(200):
        budget.grant()  # saves nothing up
        assert budget.take(0.0)
        budget.grant()
    assert [budget.take(0.0) for _ in range(201)] == [True] * 200 + [False]
    budget.grant()
    assert [budget.take(0.0) for _ in range(2)] == [True, False]


@pytest.mark.gate
def test_prompt_answers_to_questions_are_no_flood_however_fast_they_follow_each_other() -> None:
    court = Court(Bomber({"max_ticks": 600, "close_from": 0}))
    while not court.is_over:
        for seat in (0, 1):
            court.answer(seat, "wait")
    assert court.end.turns == 600
    assert court.faults == []


def test_a_flood_costs_a_fault_at_its_first_message_and_at_every_five_hundredth() -> None:
    budget = Budget()
    within = [budget.take(0.0) for _ in range(200)]
    refused = [budget.take(0.0) or budget.is_fault for _ in range(1002)]
    assert all(within)
    assert [at for at, is_fault in enumerate(refused) if is_fault] == [0, 500, 1000]
    assert budget.take(2.5)  # 400 a second
    assert not budget.take(2.5)


def test_what_is_said_about_a_fault_is_cut_and_holds_no_escapes() -> None:
    court = numbers()
    court.lose(0, detail="exited with code 1: Zürich\x1b[2J" + "x" * 5000)
    assert court.faults[0].detail.startswith("exited with code 1: Zürich?[2Jxx")
    assert len(court.faults[0].detail) == MAX_DETAIL == 1000
    assert court.faults[0].detail in court.end.reason
    court = numbers()
    court.answer(0, "x" * 100)
    assert court.answers[0].action == "x" * 80
