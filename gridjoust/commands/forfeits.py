"""Forfeits of a tournament, each with the command that puts the question again at which it came. Prints nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from games.api import Seat
from gridjoust.commands.bot_argument import ask_command
from gridjoust.doctor.shown import one_line
from runner.record.file import record_path
from runner.record.lines import Fault, FaultLine, MatchRecord

SHOWN = 10  # forfeits that are listed; a bot that never works has one in every match


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat that lost by its faults; the last one counts."""

    bot: str
    seat: Seat
    turn: int
    fault: Fault
    detail: str
    command: str


def forfeits_of(record: MatchRecord, results: Path) -> list[Forfeit]:
    """The forfeits of one match, by seat."""
    last = {line.seat: line for line in record.lines if isinstance(line, FaultLine)}
    path, seats = record_path(results, record.header.match_id), record.header.seats
    return [
        Forfeit(seats[seat].bot, seat, line.turn, line.fault, line.detail, ask_command(path, turn=line.turn, seat=seat))
        for seat, line in sorted(last.items())
        if seat in record.end.forfeited
    ]


class Forfeits:
    """Those of a whole tournament: the first ones, and how many there are of each bot."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._first: list[Forfeit] = []
        self._counts: Counter[str] = Counter()

    def add(self, record: MatchRecord) -> None:
        """Note one match."""
        for forfeit in forfeits_of(record, self._results) if record.end.forfeited else ():
            self._counts[forfeit.bot] += 1
            if len(self._first) < SHOWN:
                self._first.append(forfeit)

    def lines(self) -> list[str]:
        """What people read: two lines a forfeit."""
        lines = []
        for forfeit in self._first:
            kind = forfeit.fault.value.replace("_", " ")
            lines.append(f"{forfeit.bot} forfeited in turn {forfeit.turn} ({kind}): {one_line(forfeit.detail)}")
            lines.append(f"    {forfeit.command}")
        if (more := self._counts.total() - len(self._first)) > 0:
            per_bot = ", ".join(f"{bot} {count}" for bot, count in self._counts.most_common())
            lines.append(f"{more} more forfeits; in all: {per_bot}")
        return lines
