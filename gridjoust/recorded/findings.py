"""The checks of `joust doctor`: one sentence each, with the messages at which something went wrong.

The findings follow from the evidence alone. A failure costs a bot matches; a warning may cost it matches on another
machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from gridjoust.games.grammar import choices_text
from gridjoust.leaderboard.wording import plain_milliseconds, plural
from gridjoust.person.screen import make_screen
from gridjoust.recorded.bot_text import Hints
from gridjoust.recorded.run import Evidence
from gridjoust.recorded.shown import excerpt, quantiles
from gridjoust.recorded.transcript import exchanges_until
from gridjoust.runner.play.link import WAIT_SHARE
from gridjoust.runner.processes.process import Ending
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine, MatchRecord, Termination
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.wire.protocol import PROTOCOL

SHOWN_CASES = 2  # of each check
SLOW_SHARE = 0.8  # of a limit: above it a busier machine may make it late
FULL_SHARE = 0.5  # of the memory limit
SHOWN_LINES, SHOWN_LETTERS = 2, 60  # of what a bot prints
LOUD_BYTES = 64 * 1024  # of log a match
TOO_BUSY = "this machine was too busy to judge; try again"


class Verdict(Enum):
    """The outcome of one check of a bot."""

    PASS = "pass"  # noqa: S105 - no password
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"  # could not be tested


@dataclass(frozen=True, slots=True)
class Case:
    """One place in a match at which something went wrong; `message` is the last message to the bot, shortened.

    `board` shows that message as a person would see it.
    """

    match_id: str
    turn: int
    seat: int
    message: Any
    answer: str
    detail: str
    board: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check of a bot."""

    verdict: Verdict
    sentence: str
    cases: tuple[Case, ...] = ()
    more: int = 0  # faults that are not among the cases


NOT_TESTED = Finding(Verdict.SKIP, "not tested")


def find_all(evidence: Evidence) -> dict[str, Finding]:
    """Run every check; return the findings by check, in the order of a bot's life."""
    found = {"startup": _startup(evidence), "protocol": _protocol(evidence)}
    if evidence.handshake.problem:
        return found | dict.fromkeys(PLAYED, NOT_TESTED) | {"log": _log(evidence)}
    played = {name: check(evidence) for name, check in PLAYED.items()}
    return found | played | {"memory": _memory(evidence), "log": _log(evidence)}


def latencies_ms(evidence: Evidence) -> list[float]:
    """Return the time of each of the bot's answers in ms, from question to answer, as the referee measured it."""
    return [
        answer.latency_ms
        for record in evidence.records
        for answer in record.answers
        if answer.seat in evidence.subject.seats_in(record) and answer.latency_ms is not None
    ]


def verdict_of(findings: Mapping[str, Finding]) -> str:
    """Return the result of all findings: passed, passed with warnings, or failed, with the names of the checks."""
    failed, warned = (
        ", ".join(check for check, finding in findings.items() if finding.verdict is verdict)
        for verdict in (Verdict.FAIL, Verdict.WARN)
    )
    if failed:
        return f"FAILED ({failed})"
    return f"passed with warnings ({warned})" if warned else "passed"


def _pass_or_warn(sentence: str, *, warns: bool) -> Finding:
    return Finding(Verdict.WARN if warns else Verdict.PASS, sentence)


def _startup(evidence: Evidence) -> Finding:
    greeting, limit_ms = evidence.handshake, evidence.subject.time.start_ms
    if greeting.started_ms is None and greeting.ready is None:
        return Finding(Verdict.FAIL, greeting.problem)
    started_ms = greeting.started_ms or 0.0
    sentence = f"ready after {started_ms:.0f} ms, limit {limit_ms} ms"
    if greeting.seated_ms is not None:
        sentence += f"; match setup {plain_milliseconds(greeting.seated_ms)}"
    return _pass_or_warn(sentence, warns=max(started_ms, greeting.seated_ms or 0.0) > SLOW_SHARE * limit_ms)


def _protocol(evidence: Evidence) -> Finding:
    greeting, ready = evidence.handshake, evidence.handshake.ready
    if ready is None:
        return NOT_TESTED
    if greeting.problem:
        return Finding(Verdict.FAIL, greeting.problem)
    declared = [f"protocol {PROTOCOL}", ready.language or "language unknown", f"planner {ready.planner}"]
    every = f"every game, {evidence.subject.game.spec.name} too"
    return Finding(Verdict.PASS, ", ".join([*declared, f"plays {', '.join(ready.plays) or every}"]))


def _answers(evidence: Evidence) -> Finding:
    faults = _faults(evidence, Fault.ILLEGAL, Fault.MALFORMED)
    count = sum(
        bool(answer.action) and answer.seat in evidence.subject.seats_in(record)
        for record in evidence.records
        for answer in record.answers
    )
    over = f"{plural(count, 'answer')} in {_matches(evidence)}"
    if faults:
        return Finding(Verdict.FAIL, f"{len(faults)} refused, {over}", *_cases(faults))
    if not count:
        return Finding(Verdict.WARN, f"no answer in {_matches(evidence)}")
    return Finding(Verdict.PASS, f"all legal: {over}")


def _time(evidence: Evidence) -> Finding:
    time = evidence.subject.time
    limit_ms, is_work = time.turn_ms, time.clock == "work"
    late = _faults(evidence, Fault.LATE)
    waited = [fault for fault in late if not is_work and _has_waited(*fault, limit_ms=limit_ms)]
    if faults := [fault for fault in late if fault not in waited]:
        limit = f"{time.turn_work} successors" if is_work else f"{limit_ms} ms"
        return Finding(Verdict.FAIL, f"{len(faults)} late, limit {limit}", *_cases(faults))
    if waited:
        others = f"{len(waited)} late, but other programs ran for over half of its {limit_ms} ms"
        return Finding(Verdict.WARN, f"{others}: {TOO_BUSY}")
    if void := sum(record.end.termination is Termination.VOID for record in evidence.records):
        return Finding(Verdict.WARN, f"{void} of {_matches(evidence)} void: {TOO_BUSY}")
    found = quantiles(latencies_ms(evidence))
    if found is None or limit_ms is None:
        return Finding(Verdict.SKIP, "no answer was measured against a limit")
    limit_ms *= time.wall_factor if is_work else 1  # the backstop
    sentence = (
        f"p95 {plain_milliseconds(found.p95_ms)}, slowest {plain_milliseconds(found.max_ms)}, limit {limit_ms} ms"
    )
    others = _by_cpu_time(evidence, limit_ms) + _by_work(evidence)
    return _pass_or_warn(sentence + others, warns=found.p95_ms > SLOW_SHARE * limit_ms)


def _has_waited(record: MatchRecord, late: FaultLine, *, limit_ms: int | None) -> bool:
    """Return True if the bot was ready to run for over half of its limit while the machine ran others.

    It is False if the bot used more CPU time than the limit, as several of its threads can together.
    """
    if limit_ms is None:
        return False
    return any(
        answer.waited_ms > WAIT_SHARE * limit_ms and answer.cpu_ms <= limit_ms
        for answer in record.answers
        if (answer.turn, answer.seat, answer.fault) == (late.turn, late.seat, Fault.LATE.value)
        if answer.waited_ms is not None and answer.cpu_ms is not None
    )


def _by_cpu_time(evidence: Evidence, limit_ms: int) -> str:
    """Say how many answers exceed the limit in CPU time; "" if CPU time was not measured."""
    used_ms = [answer.cpu_ms for answer in _own_answers(evidence) if answer.cpu_ms is not None]
    if not used_ms:
        return ""
    slowest, late = plain_milliseconds(max(used_ms)), sum(used > limit_ms for used in used_ms)
    return f"; CPU time: slowest {slowest}, {late} of {plural(len(used_ms), 'answer')} above the limit"


def _by_work(evidence: Evidence) -> str:
    """Say how many answers exceed the limit of `clock: work`; "" if the bot declares no work."""
    works, limit = [one.work for one in _own_answers(evidence) if one.work], evidence.subject.time.turn_work
    late = sum(work > limit for work in works)
    most = f"; work: at most {max(works)} successors" if works else ""
    return most and f"{most}, {late} of {plural(len(works), 'answer')} above {limit}"


def _own_answers(evidence: Evidence) -> list[AnswerLine]:
    return [
        answer
        for record in evidence.records
        for answer in record.answers
        if answer.seat in evidence.subject.seats_in(record)
    ]


def _crashes(evidence: Evidence) -> Finding:
    faults = _faults(evidence, *(fault for fault in Fault if fault.is_crash))
    if not faults:
        return Finding(Verdict.PASS, f"none in {_matches(evidence)}")
    words = ", ".join(dict.fromkeys(line.fault.words for _, line in faults))
    return Finding(Verdict.FAIL, f"{words}: {plural(len(faults), 'fault')}, {_matches(evidence)}", *_cases(faults))


def _determinism(evidence: Evidence) -> Finding:
    """Compare the answers of a fresh process with the first ones.

    Other answers of an anytime bot mean that they depend on time; of any other bot, that its randomness does not come
    from `bot_seed`. Both are warnings, as they cost no match, but failures with `clock: work`.
    """
    questions = plural(sum(repeat.asked for repeat in evidence.repeats), "question")
    sentence = f"{questions} asked again in a fresh process"
    if differing := [repeat for repeat in evidence.repeats if repeat.differences]:
        records = {record.header.match_id: record for record in evidence.records}
        firsts = [(records[repeat.match_id], repeat.differences[0]) for repeat in differing[:SHOWN_CASES]]
        cases = tuple(
            _case(record, first.turn, first.seat, first.now, f"first answered {first.recorded}, then {first.now}")
            for record, first in firsts
        )
        sentence = f"{sum(len(repeat.differences) for repeat in differing)} of {sentence} got another answer"
        if any(repeat.is_anytime for repeat in differing):
            if evidence.subject.time.clock == "work":
                return Finding(Verdict.FAIL, f"{sentence}: with `clock: work`, answers must not depend on time", cases)
            return Finding(Verdict.WARN, f"{sentence}: its answers depend on time", cases)
        source = "self.rng" if evidence.hints.is_class else "bot_seed"
        where = evidence.hints.draws and f" ({evidence.hints.draws})"
        verdict = Verdict.FAIL if evidence.subject.time.clock == "work" else Verdict.WARN
        return Finding(verdict, f"{sentence}: take all randomness from {source}{where}", cases)
    if not any(repeat.asked for repeat in evidence.repeats):
        nothing = "no valid answer to repeat, or a game in real time"
        why = next((repeat.problem for repeat in evidence.repeats if repeat.problem), nothing)
        return Finding(Verdict.SKIP, f"not tested ({why})")
    return Finding(Verdict.PASS, f"{sentence}: the same answers")


def _shutdown(evidence: Evidence) -> Finding:
    if evidence.left_behind:
        return Finding(Verdict.FAIL, f"child processes left (now killed): {', '.join(evidence.left_behind)}")
    if not evidence.shutdowns:
        return Finding(Verdict.SKIP, "not tested (the bot ended before it was stopped)")
    exits = [shutdown.exit for shutdown in evidence.shutdowns]
    if forced := [left.reason for left in exits if left.ending is not Ending.EXITED]:
        hint = "; does a thread keep it running? make it daemon=True" if evidence.hints.is_class else ""
        return Finding(Verdict.FAIL, forced[0] + hint)
    if unwell := [left.reason for left in exits if left.code != 0]:
        return Finding(Verdict.WARN, f"after stop the bot {unwell[0]}, expected code 0")
    slowest_ms = max(shutdown.took_ms for shutdown in evidence.shutdowns)
    return Finding(Verdict.PASS, f"exits within {slowest_ms:.0f} ms, no child processes left")


PLAYED = {
    "answers": _answers,
    "time": _time,
    "crashes": _crashes,
    "determinism": _determinism,
    "shutdown": _shutdown,
}
"""Checks that need a bot that has started."""


def _memory(evidence: Evidence) -> Finding:
    peaks = [
        peak
        for record in evidence.records
        for seat, peak in enumerate(record.usage.peak_mb)
        if peak is not None and seat in evidence.subject.seats_in(record)
    ]
    if not peaks:
        return Finding(Verdict.SKIP, "not measured")
    limit_mb = evidence.subject.limits.memory_mb
    sentence = f"at most {max(peaks):.0f} MB" + (f", limit {limit_mb} MB" if limit_mb is not None else "")
    return _pass_or_warn(sentence, warns=limit_mb is not None and max(peaks) > FULL_SHARE * limit_mb)


def _log(evidence: Evidence) -> Finding:
    notes, on_error = evidence.log, f"{evidence.log.stderr_bytes} bytes on standard error"
    printed = _printed(notes.printed, evidence.hints)
    loud = notes.stderr_bytes > LOUD_BYTES * max(1, len(evidence.records) + len(evidence.repeats))
    troubles = [
        plural(notes.tracebacks, "traceback") if notes.tracebacks else "",
        printed,
        f"{on_error}: too much to read" if loud else "",
    ]
    found = "; ".join(filter(None, troubles))
    return _pass_or_warn(found or (on_error if notes.stderr_bytes else "wrote nothing"), warns=bool(found))


def _printed(lines: Sequence[str], hints: Hints) -> str:
    """Return a sentence that quotes what the bot printed to standard output and says where to print instead.

    It is "" if the bot printed nothing there.
    """
    if not lines:
        return ""
    first = ", ".join([repr(line[:SHOWN_LETTERS]) for line in dict.fromkeys(lines)][:SHOWN_LINES])
    place = hints.prints and f" ({hints.prints})"
    instead = "print(..., file=sys.stderr)" if hints.is_class else "standard error"
    return f"{plural(len(lines), 'line')} on standard output, such as {first}{place}: use {instead}"


def _matches(evidence: Evidence) -> str:
    return plural(len(evidence.records), "match")


_Found = tuple[MatchRecord, FaultLine]


def _faults(evidence: Evidence, *kinds: Fault) -> list[_Found]:
    """Return the bot's own faults of these kinds in order, each with its record."""
    return [
        (record, line)
        for record in evidence.records
        for line in record.lines
        if isinstance(line, FaultLine) and line.seat in evidence.subject.seats_in(record) and line.fault in kinds
    ]


def _cases(faults: Sequence[_Found]) -> tuple[tuple[Case, ...], int]:
    """Return the first cases, at most one per match as its faults are often alike, and the number of other faults."""
    firsts = {record.header.match_id: (record, line) for record, line in reversed(faults)}
    cases = []
    for record, line in sorted(firsts.values(), key=faults.index)[:SHOWN_CASES]:
        turn, seat = line.turn, line.seat
        refused = (one.action for one in record.answers if one.action and (one.turn, one.seat) == (turn, seat))
        detail = f"{line.fault.words}: {line.detail}"
        cases.append(_case(record, turn, seat, next(refused, ""), detail))
    return tuple(cases), len(faults) - len(cases)


def _case(record: MatchRecord, turn: int, seat: int, answer: str, detail: str) -> Case:
    told = list(exchanges_until(record, seat, turn=turn))
    if not told:
        return Case(record.header.match_id, turn, seat, None, answer, detail)
    message, game = told[-1].message, game_of(record)
    screen = make_screen(record.header.game, game.briefing(game.initial_state(record.header.seed), seat))
    boards = [screen.draw(one.message.view, one.message.legal) for one in told]  # some drawings have a memory
    legal = choices_text(message.legal, is_complete=message.legal_complete, one_of="")
    board = f"{boards[-1]}\nlegal: {legal}"
    return Case(record.header.match_id, turn, seat, excerpt(msgspec.to_builtins(message)), answer, detail, board)
