"""What an examination means: every check as a sentence, with the messages at which something went wrong.

A pure fold over the evidence. A failure is what costs a bot matches; a warning is what may cost it some elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from gridjoust.doctor.excerpt import excerpt
from gridjoust.doctor.histogram import quantiles
from gridjoust.doctor.run import Evidence, Subject, seats_of
from gridjoust.doctor.transcript import last_exchange
from runner.processes.process import Exit
from runner.record.lines import Fault, FaultLine, MatchRecord, Termination
from runner.wire.protocol import PROTOCOL

SHOWN_CASES = 2  # of each check
SLOW_SHARE = 0.8  # of a limit: above it a busier machine may make it late
FULL_SHARE = 0.5  # of the memory limit
LOUD_BYTES = 64 * 1024  # of log a match


class Verdict(Enum):
    """How a check came out."""

    PASS = "pass"  # noqa: S105 - no password
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"  # could not be looked at


@dataclass(frozen=True, slots=True)
class Case:
    """One place at which something went wrong; `message` is what the bot had been told last, shortened."""

    match_id: str
    turn: int
    seat: int
    message: Any
    answer: str
    detail: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One check."""

    check: str
    verdict: Verdict
    sentence: str
    cases: tuple[Case, ...] = ()


def find_all(subject: Subject, evidence: Evidence) -> list[Finding]:
    """Every check, in the order in which a bot meets them."""
    began = [_starts(subject, evidence), _speaks(subject, evidence)]
    if evidence.handshake.problem:
        skipped = ("answers", "time", "stays", "repeats", "leaves")
        return [*began, *(Finding(name, Verdict.SKIP, "not looked at") for name in skipped), _log(evidence)]
    return [
        *began,
        _answers(subject, evidence),
        _time(subject, evidence),
        _stays(subject, evidence),
        _repeats(evidence),
        _leaves(evidence),
        _memory(subject, evidence),
        _log(evidence),
    ]


def latencies_ms(subject: Subject, evidence: Evidence) -> list[float]:
    """From question to answer, as the referee measured it."""
    return [
        answer.latency_ms
        for record in evidence.records
        for answer in record.answers
        if answer.seat in seats_of(subject, record) and answer.latency_ms is not None
    ]


def verdict_of(findings: Sequence[Finding]) -> str:
    """All in one sentence."""
    failed = [finding.check for finding in findings if finding.verdict is Verdict.FAIL]
    warned = [finding.check for finding in findings if finding.verdict is Verdict.WARN]
    if failed:
        return f"not fit to play: {', '.join(failed)}"
    return f"fit to play; look at: {', '.join(warned)}" if warned else "fit to play"


def _starts(subject: Subject, evidence: Evidence) -> Finding:
    greeting, limit_ms = evidence.handshake, subject.time.start_ms
    if greeting.started_ms is None and greeting.ready is None:
        return Finding("starts", Verdict.FAIL, greeting.problem)
    started_ms = greeting.started_ms or 0.0
    sentence = f"ready {started_ms:.0f} ms after its start, limit {limit_ms} ms"
    if greeting.seated_ms is not None:
        sentence += f"; for a match after {greeting.seated_ms:.1f} ms"
    slow = max(started_ms, greeting.seated_ms or 0.0) > SLOW_SHARE * limit_ms
    return Finding("starts", Verdict.WARN if slow else Verdict.PASS, sentence)


def _speaks(subject: Subject, evidence: Evidence) -> Finding:
    greeting, ready = evidence.handshake, evidence.handshake.ready
    if ready is None:
        return Finding("protocol", Verdict.SKIP, "not looked at")
    if greeting.problem:
        return Finding("protocol", Verdict.FAIL, greeting.problem)
    name = subject.game.spec.name
    declared = [f"protocol {PROTOCOL}", ready.language or "language not told", f"planner {ready.planner}"]
    plays = f"plays {', '.join(ready.plays)}" if ready.plays else f"plays every game, {name} too"
    return Finding("protocol", Verdict.PASS, ", ".join([*declared, plays]))


def _answers(subject: Subject, evidence: Evidence) -> Finding:
    faults = _faults(subject, evidence, Fault.ILLEGAL, Fault.MALFORMED)
    count = sum(
        bool(answer.action) and answer.seat in seats_of(subject, record)
        for record in evidence.records
        for answer in record.answers
    )
    over = f"{_count(count, 'answer')} in {_matches(evidence)}"
    if faults:
        return Finding("answers", Verdict.FAIL, f"{len(faults)} refused, {over}", _cases(faults))
    if not count:
        return Finding("answers", Verdict.WARN, f"no answer in {_matches(evidence)}")
    return Finding("answers", Verdict.PASS, f"all legal: {over}")


def _time(subject: Subject, evidence: Evidence) -> Finding:
    faults = _faults(subject, evidence, Fault.LATE)
    limit_ms = subject.time.turn_ms
    found = quantiles(latencies_ms(subject, evidence))
    if faults:
        return Finding("time", Verdict.FAIL, f"{len(faults)} late, limit {limit_ms} ms", _cases(faults))
    void = sum(record.end.termination is Termination.VOID for record in evidence.records)
    if void:
        return Finding(
            "time", Verdict.WARN, f"{void} of {_matches(evidence)} void: this machine was too busy to tell; try again"
        )
    if found is None or limit_ms is None:
        return Finding("time", Verdict.SKIP, "no answer was measured against a limit")
    slow = found.p95_ms > SLOW_SHARE * limit_ms
    sentence = f"p95 {found.p95_ms:.1f} ms, slowest {found.max_ms:.1f} ms, limit {limit_ms} ms"
    return Finding("time", Verdict.WARN if slow else Verdict.PASS, sentence)


def _stays(subject: Subject, evidence: Evidence) -> Finding:
    faults = _faults(subject, evidence, *(fault for fault in Fault if fault.is_crash))
    if not faults:
        return Finding("stays", Verdict.PASS, f"never crashed, {_matches(evidence)}")
    words = ", ".join(dict.fromkeys(line.fault.value.replace("_", " ") for _, line in faults))
    return Finding(
        "stays", Verdict.FAIL, f"{words}: {_count(len(faults), 'fault')}, {_matches(evidence)}", _cases(faults)
    )


def _repeats(evidence: Evidence) -> Finding:
    asked = sum(repeat.asked for repeat in evidence.repeats)
    differing = [repeat for repeat in evidence.repeats if repeat.differences]
    if differing:
        return _differing(evidence, asked)
    if not asked:
        problems = [repeat.problem for repeat in evidence.repeats if repeat.problem]
        why = problems[0] if problems else "in this game an answer depends on the moment, or none was given in order"
        return Finding("repeats", Verdict.SKIP, f"no question could be put again: {why}")
    return Finding(
        "repeats", Verdict.PASS, f"{_count(asked, 'question')} put again to a fresh process: the same answers"
    )


def _differing(evidence: Evidence, asked: int) -> Finding:
    """Time may decide the answers of an anytime bot; in any other chance from outside its seed does."""
    differing = [repeat for repeat in evidence.repeats if repeat.differences]
    count = sum(len(repeat.differences) for repeat in differing)
    cases = []
    for repeat in differing[:SHOWN_CASES]:
        first = repeat.differences[0]
        record = next(record for record in evidence.records if record.header.match_id == repeat.match_id)
        detail = f"first answered {first.recorded}, then {first.now}"
        cases.append(_case(record, first.turn, first.seat, first.now, detail))
    told = f"{count} of {_count(asked, 'question')} put again to a fresh process were answered differently"
    if any(repeat.is_anytime for repeat in differing):
        return Finding("repeats", Verdict.WARN, f"{told}: its answers depend on time", tuple(cases))
    return Finding("repeats", Verdict.FAIL, f"{told}: chance may only come from bot_seed", tuple(cases))


def _leaves(evidence: Evidence) -> Finding:
    if evidence.left_behind:
        return Finding("leaves", Verdict.FAIL, f"left behind (now killed): {', '.join(evidence.left_behind)}")
    if not evidence.shutdowns:
        return Finding("leaves", Verdict.SKIP, "it did not live to be stopped")
    slowest = max(evidence.shutdowns, key=lambda shutdown: shutdown.took_ms)
    forced = [shutdown.exit for shutdown in evidence.shutdowns if _is_forced(shutdown.exit)]
    if forced:
        return Finding("leaves", Verdict.FAIL, forced[0].reason)
    unwell = [shutdown.exit for shutdown in evidence.shutdowns if shutdown.exit.code != 0]
    if unwell:
        return Finding("leaves", Verdict.WARN, f"after stop it {unwell[0].reason}, expected code 0")
    return Finding("leaves", Verdict.PASS, f"gone {slowest.took_ms:.0f} ms after stop, nothing left behind")


def _is_forced(ended: Exit) -> bool:
    return ended.reason.startswith(("stopped", "killed"))


def _memory(subject: Subject, evidence: Evidence) -> Finding:
    peaks = [
        peak
        for record in evidence.records
        for seat, peak in enumerate(record.usage.peak_mb)
        if peak is not None and seat in seats_of(subject, record)
    ]
    if not peaks:
        return Finding("memory", Verdict.SKIP, "not known")
    limit_mb = subject.limits.memory_mb
    sentence = f"at most {max(peaks):.0f} MB" + (f", limit {limit_mb} MB" if limit_mb is not None else "")
    full = limit_mb is not None and max(peaks) > FULL_SHARE * limit_mb
    return Finding("memory", Verdict.WARN if full else Verdict.PASS, sentence)


def _log(evidence: Evidence) -> Finding:
    notes = evidence.log
    loud = notes.stderr_bytes > LOUD_BYTES * max(1, len(evidence.records) + len(evidence.repeats))
    troubles = [
        _count(notes.tracebacks, "traceback") if notes.tracebacks else "",
        f"{notes.stdout_bytes} bytes on standard output: print to standard error" if notes.stdout_bytes else "",
        f"{notes.stderr_bytes} bytes on standard error: too much to read" if loud else "",
    ]
    found = "; ".join(trouble for trouble in troubles if trouble)
    said = f"{notes.stderr_bytes} bytes on standard error" if notes.stderr_bytes else "wrote nothing"
    return Finding("log", Verdict.WARN if found else Verdict.PASS, found or said)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _matches(evidence: Evidence) -> str:
    played = len(evidence.records)
    return f"{played} match" if played == 1 else f"{played} matches"


_Found = tuple[MatchRecord, FaultLine]


def _faults(subject: Subject, evidence: Evidence, *kinds: Fault) -> list[_Found]:
    return list(_own_faults(subject, evidence, kinds))


def _own_faults(subject: Subject, evidence: Evidence, kinds: Sequence[Fault]) -> Iterator[_Found]:
    for record in evidence.records:
        seats = seats_of(subject, record)
        for line in record.lines:
            if isinstance(line, FaultLine) and line.seat in seats and line.fault in kinds:
                yield record, line


def _cases(faults: Sequence[_Found]) -> tuple[Case, ...]:
    """The first ones; of each match only one, as they are often all alike."""
    firsts = {record.header.match_id: (record, line) for record, line in reversed(faults)}
    chosen = sorted(firsts.values(), key=faults.index)[:SHOWN_CASES]
    return tuple(_fault_case(record, line) for record, line in chosen)


def _fault_case(record: MatchRecord, line: FaultLine) -> Case:
    refused = [answer.action for answer in record.answers if (answer.turn, answer.seat) == (line.turn, line.seat)]
    answer = next((text for text in refused if text), "")
    return _case(record, line.turn, line.seat, answer, f"{line.fault.value.replace('_', ' ')}: {line.detail}")


def _case(record: MatchRecord, turn: int, seat: int, answer: str, detail: str) -> Case:
    told = last_exchange(record, seat, turn=turn)
    message = None if told is None else excerpt(msgspec.to_builtins(told.message))
    return Case(record.header.match_id, turn, seat, message, answer, detail)
