"""What is made of an examination: one piece of evidence at a time, over a match that was really played."""

from __future__ import annotations

import dataclasses
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gridjoust import games
from gridjoust.recorded.bot_text import Hints
from gridjoust.recorded.findings import Case, Verdict, find_all, latencies_ms, verdict_of
from gridjoust.recorded.run import Evidence, Handshake, LogNotes, Repeat, Subject
from gridjoust.recorded.session import ChangedAnswer, Shutdown
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.processes.process import Ending, Exit
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine, MatchRecord, Termination
from gridjoust.runner.wire.protocol import Ready
from gridjoust.simulation import play as simulate

MATCHES = (simulate("bomber", ["bomber/wanderer", "random"], seed=seed, params={"max_ticks": 60}) for seed in count())
PLAYED = next(match.record for match in MATCHES if match.record.end.turns == 60)
RECORD = replace(PLAYED, usage=replace(PLAYED.usage, peak_mb=[30.0, 40.0]))  # as of processes of their own
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
ID = RECORD.header.match_id
REPEAT = Repeat(match_id=ID, asked=60, is_anytime=False, differences=(), problem="")
CHANGED = (ChangedAnswer(turn=4, seat=1, recorded="up", now="down"),)
PASS, WARN, FAIL, SKIP = Verdict


def evidence(**changes: Any) -> Evidence:
    """All well but for what is given."""
    values: dict[str, Any] = {
        "subject": SUBJECT,
        "handshake": Handshake(READY, 300.0, 2.0, ""),
        "records": [RECORD],
        "repeats": [REPEAT],
        "shutdowns": [CLEAN, CLEAN],
    }
    return Evidence(**(values | changes))


def at_fault(fault: Fault, detail: str, *, turn: int = 7, answer: str = "", match_id: str = ID) -> MatchRecord:
    """The match with an offence of the subject (seat 1) written into it, and one more a turn later."""
    lines = [FaultLine(turn=at, seat=1, fault=fault, detail=detail) for at in (turn, turn + 1)]
    answers = [one for one in RECORD.answers if (one.turn, one.seat) != (turn, 1)]
    answers.append(AnswerLine(turn=turn, seat=1, action=answer, fault=fault.value))
    header = replace(RECORD.header, match_id=match_id)
    return replace(RECORD, header=header, lines=[*RECORD.lines, *lines], answers=answers)


def late_after(*, cpu_ms: float, waited_ms: float, turn: int = 7) -> MatchRecord:
    """The match in which the subject gave no answer in a turn, with what its processes did meanwhile."""
    fault = FaultLine(turn=turn, seat=1, fault=Fault.LATE, detail="no answer within 2000 ms")
    spent = AnswerLine(turn=turn, seat=1, fault=Fault.LATE.value, cpu_ms=cpu_ms, waited_ms=waited_ms)
    others = [one for one in RECORD.answers if (one.turn, one.seat) != (turn, 1)]
    return replace(RECORD, lines=[*RECORD.lines, fault], answers=[*others, spent])


def played(
    *,
    peak_mb: float | None = 1.0,
    latency_ms: float = 9.0,
    cpu_ms: float | None = None,
    generated: int | None = None,
    **changes: Any,
) -> MatchRecord:
    usage = replace(RECORD.usage, peak_mb=[1.0, peak_mb])
    answers = [replace(answer, latency_ms=latency_ms, cpu_ms=cpu_ms, generated=generated) for answer in RECORD.answers]
    return replace(RECORD, usage=usage, answers=answers, **changes)


def left(code: int, reason: str, ending: Ending = Ending.EXITED) -> list[Shutdown]:
    return [CLEAN, Shutdown(Exit(code, reason, ending), 30.0)]


THEIRS = FaultLine(turn=7, seat=0, fault=Fault.ILLEGAL, detail="not legal now")
VOID = replace(RECORD.end, termination=Termination.VOID)
SLOW = Handshake(READY, 9000.0, 2.0, "")
ANYTIME = dataclasses.replace(REPEAT, differences=CHANGED, is_anytime=True)
BY_WORK = dataclasses.replace(SUBJECT, time=TimeLimits(turn_ms=2000, clock="work", turn_work=10))
UNASKED = dataclasses.replace(REPEAT, asked=0, problem="crashed: KeyError")
AGAIN = "1 of 60 questions asked again in a fresh process got another answer: "
SENTENCES: dict[str, tuple[str, dict[str, Any], Verdict, str]] = {
    "a slow start": ("startup", {"handshake": SLOW}, WARN, "ready after 9000 ms"),
    "faults of an opponent": ("answers", {"records": [played(lines=[*RECORD.lines, THEIRS])]}, PASS, "all legal: 60"),
    "no answer": ("answers", {"records": []}, WARN, "no answer in 0 matches"),
    "close to the limit": (
        "time",
        {"records": [played(latency_ms=1700.0)]},
        WARN,
        "p95 1,700 ms, slowest 1,700 ms",
    ),
    "CPU time beside it": (
        "time",
        {"records": [played(latency_ms=1500.0, cpu_ms=2001.5)]},
        PASS,
        "p95 1,500 ms, slowest 1,500 ms, limit 2000 ms; CPU time: slowest 2,002 ms, 60 of 60 answers above",
    ),
    "work beside it": (
        "time",
        {"records": [played(latency_ms=3.0, generated=30_001)]},
        PASS,
        "p95 3.00 ms, slowest 3.00 ms, limit 2000 ms; work: at most 30001 successors, 60 of 60 answers above 30000",
    ),
    "work as the limit": (
        "time",
        {"records": [played(latency_ms=7000.0, generated=7)], "subject": BY_WORK},
        PASS,
        "p95 7,000 ms, slowest 7,000 ms, limit 10000 ms; work: at most 7 successors, 0 of 60 answers above 10",
    ),
    "too much work": (
        "time",
        {"records": [at_fault(Fault.LATE, "12 of 10 successors generated")], "subject": BY_WORK},
        FAIL,
        "2 late, limit 10 successors",
    ),
    "not so close": (
        "time",
        {"records": [played(latency_ms=1500.0)]},
        PASS,
        "p95 1,500 ms, slowest 1,500 ms",
    ),
    "a busy machine": ("time", {"records": [played(end=VOID)]}, WARN, "1 of 1 match void: this machine was too busy"),
    "late as others ran": (
        "time",
        {"records": [late_after(cpu_ms=150.0, waited_ms=1001.0)]},
        WARN,
        "1 late, but other programs ran for over half of its 2000 ms: this machine was too busy to judge; try again",
    ),
    "late by itself": ("time", {"records": [late_after(cpu_ms=999.0, waited_ms=1000.0)]}, FAIL, "1 late, limit 2000"),
    "asleep": ("time", {"records": [late_after(cpu_ms=1.0, waited_ms=2.0)]}, FAIL, "1 late, limit 2000 ms"),
    "late by many threads": ("time", {"records": [late_after(cpu_ms=2001.0, waited_ms=1900.0)]}, FAIL, "1 late, limit"),
    "late for both reasons": (
        "time",
        {"records": [late_after(cpu_ms=150.0, waited_ms=1900.0), late_after(cpu_ms=1999.0, waited_ms=0.0, turn=9)]},
        FAIL,
        "1 late, limit 2000 ms",
    ),
    "too much work on a busy machine": (
        "time",
        {"records": [late_after(cpu_ms=150.0, waited_ms=1900.0)], "subject": BY_WORK},
        FAIL,
        "1 late, limit 10 successors",
    ),
    "nothing measured": ("time", {"records": []}, SKIP, "no answer was measured against a limit"),
    "an anytime bot": ("determinism", {"repeats": [ANYTIME]}, WARN, AGAIN + "its answers depend on time"),
    "an anytime bot by work": (
        "determinism",
        {"repeats": [ANYTIME], "subject": BY_WORK},
        FAIL,
        AGAIN + "with `clock: work`, answers must not depend on time",
    ),
    "not asked again": ("determinism", {"repeats": [UNASKED]}, SKIP, "not tested (crashed: KeyError)"),
    "in real time": ("determinism", {"repeats": []}, SKIP, "not tested (no valid answer to repeat, or a game in real"),
    "never stopped": ("shutdown", {"shutdowns": []}, SKIP, "not tested (the bot ended before it was stopped)"),
    "stopped by force": (
        "shutdown",
        {"shutdowns": left(-9, "stopped: had not left", Ending.STOPPED)},
        FAIL,
        "stopped: had not left",
    ),
    "an exit code": (
        "shutdown",
        {"shutdowns": left(1, "exited with code 1")},
        WARN,
        "after stop the bot exited with code 1",
    ),
    "left behind": ("shutdown", {"left_behind": ["7 sleep"]}, FAIL, "child processes left (now killed): 7 sleep"),
    "too much memory": ("memory", {"records": [played(peak_mb=501.0)]}, WARN, "at most 501 MB, limit 1000 MB"),
    "half of the memory": ("memory", {"records": [played(peak_mb=499.0)]}, PASS, "at most 499 MB, limit 1000 MB"),
    "unknown memory": ("memory", {"records": [played(peak_mb=None)]}, SKIP, "not measured"),
    "output": (
        "log",
        {"log": LogNotes(("moving on",) * 40, 0, 0, ())},
        WARN,
        "40 lines on standard output, such as 'moving on': use st",
    ),
    "a traceback": ("log", {"log": LogNotes((), 800, 1, ())}, WARN, "1 traceback"),
    "a long log": ("log", {"log": LogNotes((), 200_000, 0, ())}, WARN, "200000 bytes on standard error: too much to"),
}


@pytest.mark.parametrize(("check", "changes", "verdict", "sentence"), SENTENCES.values(), ids=SENTENCES)
def test_evidence_is_put_into_a_sentence(check: str, changes: dict[str, Any], verdict: Verdict, sentence: str) -> None:
    found = find_all(evidence(**changes))[check]
    assert (found.verdict, found.sentence[: len(sentence)]) == (verdict, sentence)


REFUSED = {"records": [at_fault(Fault.MALFORMED, "expected one of up", answer="fly away")]}
OTHERWISE = {"repeats": [dataclasses.replace(REPEAT, differences=CHANGED)]}
CASES: dict[str, tuple[dict[str, Any], str, tuple[int, str, str]]] = {
    "answers": (REFUSED, "2 refused, 60 answers in 1 match", (7, "fly away", "malformed: expected one of up")),
    "time": ({"records": [at_fault(Fault.LATE, "no")]}, "2 late, limit 2000 ms", (7, "", "late: no")),
    "determinism": (OTHERWISE, AGAIN + "take all randomness from bot_seed",
        (4, "down", "first answered up, then down")),
}  # fmt: skip


@pytest.mark.parametrize(("check", "changes", "sentence", "case"), [(name, *row) for name, row in CASES.items()])
def test_a_failure_is_shown_with_the_message_at_which_it_came(
    check: str, changes: dict[str, Any], sentence: str, case: tuple[int, str, str]
) -> None:
    found = find_all(evidence(**changes))[check]
    assert (found.verdict, found.sentence) == (WARN if check == "determinism" else FAIL, sentence)
    (shown,) = found.cases
    turn, answer, detail = case
    assert shown == Case(ID, turn, 1, shown.message, answer, detail, shown.board)
    assert f"tick {turn - 1}   HP" in shown.board
    assert shown.board.endswith("\nlegal: up, down, left, right, bomb, wait")
    assert (shown.message["turn"], shown.message["seat"], shown.message["observation"]["tick"]) == (turn, 1, turn - 1)


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.DISCONNECTED, Fault.FLOODING, Fault.FAILED_TO_START])
def test_a_bot_that_is_gone_has_crashed(fault: Fault) -> None:
    found, word = find_all(evidence(records=[at_fault(fault, "gone")]))["crashes"], fault.words
    assert (found.verdict, found.sentence) == (FAIL, f"{word}: 2 faults, 1 match")
    assert found.cases[0].detail == f"{word}: gone"


def test_of_many_faults_one_a_match_is_shown_and_two_at_the_most() -> None:
    found = find_all(evidence(records=[at_fault(Fault.LATE, "late", match_id=name) for name in "cab"]))["time"]
    assert [(case.match_id, case.turn) for case in found.cases] == [("c", 7), ("a", 7)]
    assert found.more == 4


def test_the_places_in_the_bots_file_are_named() -> None:
    hints = Hints(draws="first.py line 12: random.choice", prints="first.py line 9", is_class=True)
    found = find_all(evidence(hints=hints, log=LogNotes(("a", "a", "b", "c"), 0, 0, ()), **OTHERWISE))
    assert found["determinism"].sentence.endswith("take all randomness from self.rng (first.py line 12: random.choice)")
    assert found["log"].sentence == (
        "4 lines on standard output, such as 'a', 'b' (first.py line 9): use print(..., file=sys.stderr)"
    )


def test_a_bot_without_a_fault_passes_every_check_on_its_own_latencies() -> None:
    found = find_all(evidence())
    assert {check: one.sentence for check, one in found.items() if one.verdict is PASS} == {
        "startup": "ready after 300 ms, limit 10000 ms; match setup 2.00 ms",
        "protocol": "protocol 1, python, planner other, plays every game, bomber too",
        "answers": "all legal: 60 answers in 1 match",
        "time": found["time"].sentence,
        "crashes": "none in 1 match",
        "determinism": "60 questions asked again in a fresh process: the same answers",
        "shutdown": "exits within 40 ms, no child processes left",
        "memory": found["memory"].sentence,
        "log": "wrote nothing",
    }
    assert latencies_ms(evidence()) == [answer.latency_ms for answer in RECORD.answers if answer.seat == 1]


def test_the_verdict_names_failures_or_else_warnings() -> None:
    noisy = LogNotes(("x",), 0, 0, ())
    assert verdict_of(find_all(evidence())) == "passed"
    assert verdict_of(find_all(evidence(log=noisy))) == "passed with warnings (log)"
    assert verdict_of(find_all(evidence(log=noisy, left_behind=["7 sleep"]))) == "FAILED (shutdown)"


NEVER_THERE = Handshake(None, None, None, "exited with code 3")
OTHER_PROTOCOL = Handshake(READY, 300.0, None, "expected protocol 1, got 99")
EARLY_ENDS = {
    "it does not start": (NEVER_THERE, (FAIL, "exited with code 3"), (SKIP, "not tested")),
    "it speaks another protocol": (OTHER_PROTOCOL, (PASS, "ready after 300 ms, limit 10000 ms"),
        (FAIL, "expected protocol 1, got 99")),
}  # fmt: skip


@pytest.mark.parametrize(("handshake", "starts", "protocol"), EARLY_ENDS.values(), ids=EARLY_ENDS)
def test_a_bot_that_does_not_get_as_far_as_a_match_is_not_looked_at_any_further(
    handshake: Handshake, starts: tuple[Verdict, str], protocol: tuple[Verdict, str]
) -> None:
    found = find_all(Evidence(SUBJECT, handshake, log=LogNotes((), 9, 0, ("no book",))))
    skipped = dict.fromkeys(("answers", "time", "crashes", "determinism", "shutdown"), (SKIP, "not tested"))
    expected = {"startup": starts, "protocol": protocol, **skipped, "log": (PASS, "9 bytes on standard error")}
    assert {check: (one.verdict, one.sentence) for check, one in found.items()} == expected
