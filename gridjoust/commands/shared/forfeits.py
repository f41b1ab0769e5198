"""Report what went wrong with the bots of a run: forfeits, matches that were void, and limits on work that never apply.

For each forfeit: which bot lost by which fault, how often, and the command to look into it.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gridjoust.games.api import Seat
from gridjoust.leaderboard.wording import listed, plural
from gridjoust.runner.play.breakdown import LOGS
from gridjoust.runner.results.records.file import record_path
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, cause_of
from gridjoust.runner.results.records.reasons import BanKind, is_unready, read_ban
from gridjoust.runner.statistics import wilson
from gridjoust.runner.wire.text import one_line

SHOWN = 10  # kinds of forfeits listed


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A bot's forfeit of a match; `fault`, `detail` and `command` are those of the first cause."""

    bot: str
    seat: Seat
    turn: int  # in which it forfeited
    fault: Fault
    detail: str
    command: str

    @property
    def kind(self) -> tuple[str, Fault, str]:
        """Key that is equal for similar forfeits: without numbers in the detail, and with the cause of a suspension."""
        ban = read_ban(self.detail)
        cause = ban.cause if ban is not None and ban.kind is BanKind.QUARANTINED else self.detail
        return self.bot, self.fault, re.sub(r"\d+", "0", cause)


def ask_command(record: Path, *, turn: int, seat: int, bot: str = "") -> str:
    """Return the `joust ask` command for the question of a turn; `bot`: its words, by default the bot that played."""
    return f"joust ask {bot and f'{bot} '}--record {shlex.quote(str(record))} --turn {turn} --seat {seat}"


def forfeits_of(record: MatchRecord, results: Path) -> list[Forfeit]:
    """Return the forfeits of one match, by seat."""
    faults: dict[Seat, list[FaultLine]] = {}
    for line in record.lines:
        if isinstance(line, FaultLine):
            faults.setdefault(line.seat, []).append(line)
    return [_forfeit(record, lines, results) for seat, lines in sorted(faults.items()) if seat in record.end.forfeited]


def _forfeit(record: MatchRecord, faults: Sequence[FaultLine], results: Path) -> Forfeit:
    cause, _ = cause_of(faults)
    command = ask_command(record_path(results, record.header.match_id), turn=cause.turn, seat=cause.seat)
    bot = record.header.seats[cause.seat].bot
    return Forfeit(bot, cause.seat, faults[-1].turn, cause.fault, cause.detail, command)


def forfeit_lines(forfeits: Sequence[Forfeit], results: Path, files: Mapping[str, str]) -> list[str]:
    """Return the report's lines: equal forfeits as one, with commands to look into them. `files`: bot -> its `path`."""
    groups: dict[tuple[str, Fault, str], list[Forfeit]] = {}
    for forfeit in forfeits:
        groups.setdefault(forfeit.kind, []).append(forfeit)
    lines = []
    for alike in list(groups.values())[:SHOWN]:
        lines += _lines_of(alike, results, files)
    if len(groups) > SHOWN:
        rest = [forfeit.bot for alike in list(groups.values())[SHOWN:] for forfeit in alike]
        per_bot = ", ".join(f"{bot} {count}" for bot, count in Counter(rest).most_common())
        lines.append(f"{len(rest)} more forfeits, for other reasons: {per_bot}")
    return lines


def cannot_start(forfeit: Forfeit) -> bool:
    """Return True if the bot cannot start at all, so that `start_line` says all there is to say of its forfeits."""
    is_start = forfeit.fault is Fault.FAILED_TO_START
    return is_start and read_ban(forfeit.detail) is None and not is_unready(forfeit.detail)


def start_line(bot: str, reason: str, files: Mapping[str, str]) -> str:
    """Say that a bot cannot start, was not ready for a match, is suspended or is disqualified."""
    if (ban := read_ban(reason)) is not None:
        return f"{bot} is {_with_file(bot, ban.told, files)}; it forfeits its remaining matches"
    if is_unready(reason):
        return f"{bot} started, but was not ready for a match and forfeits it: {_with_file(bot, reason, files)}"
    return f"{bot} cannot start and forfeits its matches: {_with_file(bot, reason, files)}"


def _lines_of(alike: Sequence[Forfeit], results: Path, files: Mapping[str, str]) -> list[str]:
    first, matches = alike[0], f"{len(alike)} matches"
    how = f"in turn {first.turn}" if len(alike) == 1 else matches
    if first.fault is Fault.FAILED_TO_START:
        how = "a match" if len(alike) == 1 else matches
    ban = read_ban(first.detail)
    why = f"({first.fault.words}): {first.detail}" if ban is None else f"while {ban.told}"
    lines = [f"{first.bot} forfeited {how} {_with_file(first.bot, why, files)}"]
    if first.fault is not Fault.FAILED_TO_START:
        lines.append(f"    {first.command}")
    return [*lines, *log_lines(first.bot, results)] if first.fault.is_crash and ban is None else lines


def log_lines(bot: str, results: Path) -> list[str]:
    """Return a line that names the bot's logs, none if it has no log."""
    logs = sorted(map(str, (results / LOGS).glob(f"{bot}.[0-9]*.log")))
    return [f"    log: {', '.join(logs)}"] if logs else []


def _with_file(bot: str, reason: str, files: Mapping[str, str]) -> str:
    """Return the reason, followed by the bot's `path` unless the reason names the file."""
    shown, file = one_line(reason), files.get(bot, "")
    name = Path(file.rpartition(":")[0]).name
    return shown if not file or name in shown else f"{shown} ({file})"


class Failure(StrEnum):
    """What may make a run exit with code 1, by `--fail-on`."""

    FORFEIT = "forfeit"
    FAULT = "fault"
    VOID = "void"


class FailureTally:
    """Counts the matches with a forfeit, those with any fault, and those that do not count."""

    def __init__(self) -> None:
        self._matches = 0
        self._counts: Counter[Failure] = Counter()

    def add(self, record: MatchRecord) -> None:
        """Count one match."""
        self._matches += 1
        self._counts[Failure.FORFEIT] += bool(record.end.forfeited)
        self._counts[Failure.FAULT] += any(record.end.faults)
        self._counts[Failure.VOID] += not record.end.counted

    def lines(self, fail_on: Iterable[Failure]) -> list[str]:
        """Return a line for each kind in `fail_on` that occurred, such as `--fail-on forfeit: 12 of 12 matches`."""
        found = (kind for kind in dict.fromkeys(fail_on) if self._counts[kind])
        return [f"--fail-on {kind}: {self._counts[kind]} of {plural(self._matches, 'match')}" for kind in found]


class VoidTally:
    """Counts void plays of matches: `add` every match once; `line` names the bot with significantly more, if any."""

    def __init__(self) -> None:
        self._plays = self._voids = 0
        self._plays_of: Counter[str] = Counter()
        self._voids_of: Counter[str] = Counter()

    def add(self, record: MatchRecord) -> None:
        """Count a match with all its attempts; those before the last were void, as is one that does not count."""
        plays = record.usage.attempts
        voids = plays - record.end.counted
        self._plays += plays
        self._voids += voids
        for bot in {entry.bot for entry in record.header.seats}:
            self._plays_of[bot] += plays
            self._voids_of[bot] += voids

    def line(self) -> str:
        """Return a line about the bot whose plays are void significantly more often than others; "" if none."""
        gap, bot = max(((self._gap(bot), bot) for bot in sorted(self._voids_of)), default=(0.0, ""))
        if gap <= 0:
            return ""
        plays, voids = self._plays_of[bot], self._voids_of[bot]
        others = f"{self._voids - voids} of the {self._plays - plays} without it"
        return f"{bot}: {voids} of the {plays} times it played were void, {others}: does it overload the machine?"

    def _gap(self, bot: str) -> float:
        """Return the lower bound on the share of void plays with the bot minus the upper bound without it."""
        plays, voids = self._plays_of[bot], self._voids_of[bot]
        own, others = wilson(voids, plays), wilson(self._voids - voids, self._plays - plays)
        return 0.0 if own is None or others is None else own.low - others.high


class UncountedTally:
    """Finds bots that never declare work under `clock: work`: `add` every match once, then read `line`."""

    def __init__(self) -> None:
        self._silent: dict[str, bool] = {}  # bot with `clock: work` -> True while no answer declared work

    def add(self, record: MatchRecord) -> None:
        """Count one match; seats whose clock is not `work` are ignored."""
        seats = record.header.seats
        answers = [one for one in record.answers if one.action and _clock(record, one.seat) == "work"]
        for answer in answers:
            bot = seats[answer.seat].bot
            self._silent[bot] = answer.work is None and self._silent.get(bot, True)

    def line(self) -> str:
        """Return a line that names the bots that never declare work; "" if there are none."""
        bots = sorted(bot for bot, is_silent in self._silent.items() if is_silent)
        if not bots:
            return ""
        they = "it" if len(bots) == 1 else "them"
        return f"{listed(bots)}: work not counted (no answer declares what it generated): only time limits {they}"


def _clock(record: MatchRecord, seat: int) -> object:
    limits = record.header.time.get(str(seat))
    return limits.get("clock") if isinstance(limits, dict) else None
