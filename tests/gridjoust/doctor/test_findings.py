"""What is made of an examination: one piece of evidence at a time, over a match that was really played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import games
from gridjoust.doctor.findings import Finding, Verdict, find_all, latencies_ms, verdict_of
from gridjoust.doctor.question import ChangedAnswer
from gridjoust.doctor.run import Evidence, Handshake, LogNotes, Repeat, Subject
from gridjoust.doctor.session import Shutdown
from runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from runner.processes.process import Exit
from runner.record.file import list_records, read_record
from runner.record.lines import AnswerLine, Fault, FaultLine, MatchRecord, Termination
from runner.wire.protocol import Ready

SAMPLE = Path(__file__).parents[3] / "results" / "sample"
RECORD = next(
    record
    for path in list_records(SAMPLE)
    if (record := read_record(path)).header.seats[1].bot == "random" and record.end.turns == 60
)
SUBJECT = Subject(
    name="random",
    program=RoleProgram(bot="random"),
    game=games.make("bomber"),
    places=((0,), (1,)),
    opponent=RoleProgram(bot="random"),
    matches=1,
    seed=1,
    time=TimeLimits(turn_ms=2000),
    limits=ResourceLimits(memory_mb=1000),
    folder=Path.cwd(),
)
READY = Ready(protocol=1, planner="other", version="1", language="python")
CLEAN = Shutdown(Exit(0, "exited with code 0"), 40.0)
REPEAT = Repeat(match_id=RECORD.header.match_id, asked=60, is_anytime=False, differences=(), problem="")


def evidence(**changes: Any) -> Evidence:
    """All well but for what is given."""
    values: dict[str, Any] = {
        "handshake": Handshake(READY, 300.0, 2.0, ""),
        "records": [RECORD],
        "repeats": [REPEAT],
        "shutdowns": [CLEAN, CLEAN],
        "left_behind": [],
        "log": LogNotes(0, 0, 0, ()),
    }
    return Evidence(**(values | changes))


def finding(check: str, **changes: Any) -> Finding:
    return next(found for found in find_all(SUBJECT, evidence(**changes)) if found.check == check)


def at_fault(fault: Fault, detail: str, *, turn: int = 7, answer: str = "") -> MatchRecord:
    """The match with an offence of the subject (seat 1) written into it."""
    line = FaultLine(turn=turn, seat=1, fault=fault, detail=detail, hash="")
    answers = [one for one in RECORD.answers if (one.turn, one.seat) != (turn, 1)]
    answers.append(AnswerLine(turn=turn, seat=1, action=answer, fault=fault.value))
    return msgspec.structs.replace(RECORD, lines=[*RECORD.lines, line], answers=answers)


def with_usage(peak_mb: float | None) -> MatchRecord:
    usage = msgspec.structs.replace(RECORD.usage, peak_mb=[1.0, peak_mb])
    return msgspec.structs.replace(RECORD, usage=usage)


def with_latency(latency_ms: float) -> MatchRecord:
    answers = [msgspec.structs.replace(answer, latency_ms=latency_ms) for answer in RECORD.answers]
    return msgspec.structs.replace(RECORD, answers=answers)


def test_a_bot_without_a_fault_passes_every_check() -> None:
    found = find_all(SUBJECT, evidence())
    assert [one.verdict for one in found] == [Verdict.PASS] * 9
    assert verdict_of(found) == "fit to play"


def test_a_warning_is_named_and_does_not_fail() -> None:
    found = find_all(SUBJECT, evidence(log=LogNotes(5, 0, 0, ())))
    assert verdict_of(found) == "fit to play; look at: log"


def test_failures_are_named_and_warnings_are_not() -> None:
    found = find_all(SUBJECT, evidence(log=LogNotes(5, 0, 0, ()), left_behind=["7 sleep"]))
    assert verdict_of(found) == "not fit to play: leaves"


def test_a_bot_that_does_not_start_is_not_looked_at_any_further() -> None:
    found = find_all(
        SUBJECT, Evidence(Handshake(None, None, None, "exited with code 3"), log=LogNotes(0, 9, 0, ("no book",)))
    )
    verdicts = {one.check: one.verdict for one in found}
    assert verdicts.pop("starts") is Verdict.FAIL
    assert verdicts.pop("log") is Verdict.PASS
    assert set(verdicts.values()) == {Verdict.SKIP}
    assert found[0].sentence == "exited with code 3"


def test_a_protocol_of_another_version_fails_though_it_started() -> None:
    found = find_all(SUBJECT, Evidence(Handshake(READY, 300.0, None, "expected protocol 1, got 99")))
    assert [(one.check, one.verdict) for one in found[:2]] == [("starts", Verdict.PASS), ("protocol", Verdict.FAIL)]


def test_a_slow_start_is_a_warning() -> None:
    assert finding("starts", handshake=Handshake(READY, 9000.0, 2.0, "")).verdict is Verdict.WARN


def test_a_refused_answer_is_shown_with_the_message_at_which_it_was_given() -> None:
    record = at_fault(Fault.MALFORMED, "expected one of up", turn=7, answer="fly away")
    found = finding("answers", records=[record])
    assert found.verdict is Verdict.FAIL
    assert found.sentence == "1 refused, 60 answers in 1 match"
    (case,) = found.cases
    assert (case.turn, case.seat, case.answer) == (7, 1, "fly away")
    assert case.detail == "malformed: expected one of up"
    assert (case.message["turn"], case.message["seat"], case.message["observation"]["tick"]) == (7, 1, 6)


def test_faults_of_an_opponent_are_not_the_bots() -> None:
    line = FaultLine(turn=7, seat=0, fault=Fault.ILLEGAL, detail="not legal now", hash="")
    record = msgspec.structs.replace(RECORD, lines=[*RECORD.lines, line])
    assert finding("answers", records=[record]).verdict is Verdict.PASS


def test_a_late_answer_fails() -> None:
    found = finding("time", records=[at_fault(Fault.LATE, "no answer within 2000 ms")])
    assert found.verdict is Verdict.FAIL
    assert found.cases[0].answer == ""


def test_answers_close_to_the_limit_are_a_warning() -> None:
    assert finding("time", records=[with_latency(1700.0)]).verdict is Verdict.WARN
    assert finding("time", records=[with_latency(1500.0)]).verdict is Verdict.PASS


def test_void_matches_blame_the_machine() -> None:
    end = msgspec.structs.replace(RECORD.end, termination=Termination.VOID)
    found = finding("time", records=[msgspec.structs.replace(RECORD, end=end)])
    assert (found.verdict, found.sentence[:23]) == (Verdict.WARN, "1 of 1 match void: this")


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.DISCONNECTED, Fault.FLOODING, Fault.FAILED_TO_START])
def test_a_bot_that_is_gone_fails(fault: Fault) -> None:
    found = finding("stays", records=[at_fault(fault, "gone")])
    assert found.verdict is Verdict.FAIL
    assert found.cases[0].detail.endswith(": gone")


def test_of_many_faults_one_a_match_is_shown_and_two_at_the_most() -> None:
    record = at_fault(Fault.LATE, "late", turn=7)
    more = FaultLine(turn=8, seat=1, fault=Fault.LATE, detail="late", hash="")
    record = msgspec.structs.replace(record, lines=[*record.lines, more])
    others = [
        msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, match_id=name)) for name in "ab"
    ]
    cases = finding("time", records=[record, *others]).cases
    assert [(case.match_id, case.turn) for case in cases] == [(RECORD.header.match_id, 7), ("a", 7)]


def test_another_answer_to_the_same_question_fails() -> None:
    repeat = replace(REPEAT, differences=(ChangedAnswer(turn=4, seat=1, recorded="up", now="down"),))
    found = finding("repeats", repeats=[repeat])
    assert found.verdict is Verdict.FAIL
    assert found.sentence.startswith("1 of 60 questions put again to a fresh process were answered differently")
    assert (found.cases[0].turn, found.cases[0].detail) == (4, "first answered up, then down")


def test_an_anytime_bot_may_answer_differently() -> None:
    difference = ChangedAnswer(turn=4, seat=1, recorded="up", now="down")
    found = finding("repeats", repeats=[replace(REPEAT, differences=(difference,), is_anytime=True)])
    assert (found.verdict, found.sentence.rpartition(": ")[2]) == (Verdict.WARN, "its answers depend on time")


def test_without_a_question_put_again_nothing_is_said_of_its_answers() -> None:
    found = finding("repeats", repeats=[replace(REPEAT, asked=0, problem="crashed: KeyError")])
    assert found.verdict is Verdict.SKIP
    assert found.sentence.endswith("crashed: KeyError")


def test_a_bot_that_has_to_be_stopped_fails() -> None:
    stubborn = Shutdown(Exit(-9, "stopped: had not left after 2 s"), 3000.0)
    found = finding("leaves", shutdowns=[CLEAN, stubborn])
    assert (found.verdict, found.sentence) == (Verdict.FAIL, "stopped: had not left after 2 s")


def test_a_bot_that_leaves_with_an_error_is_a_warning() -> None:
    found = finding("leaves", shutdowns=[Shutdown(Exit(1, "exited with code 1"), 30.0)])
    assert (found.verdict, found.sentence) == (Verdict.WARN, "after stop it exited with code 1, expected code 0")


def test_what_is_left_behind_fails() -> None:
    found = finding("leaves", left_behind=["4711 sleep"])
    assert (found.verdict, found.sentence) == (Verdict.FAIL, "left behind (now killed): 4711 sleep")


def test_more_than_half_of_the_memory_is_a_warning() -> None:
    assert finding("memory", records=[with_usage(501.0)]).verdict is Verdict.WARN
    assert finding("memory", records=[with_usage(499.0)]).verdict is Verdict.PASS
    assert finding("memory", records=[with_usage(None)]).verdict is Verdict.SKIP


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        (LogNotes(12, 0, 0, ()), "12 bytes on standard output: print to standard error"),
        (LogNotes(0, 800, 1, ()), "1 traceback"),
        (LogNotes(0, 200_000, 0, ()), "200000 bytes on standard error: too much to read"),
    ],
)
def test_an_untidy_log_is_a_warning(notes: LogNotes, sentence: str) -> None:
    found = finding("log", log=notes)
    assert (found.verdict, found.sentence) == (Verdict.WARN, sentence)


def test_latencies_are_the_bots_own() -> None:
    own = [answer.latency_ms for answer in RECORD.answers if answer.seat == 1]
    assert latencies_ms(SUBJECT, evidence()) == own
