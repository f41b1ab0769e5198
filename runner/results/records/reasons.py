"""Reads and writes the sentences of records about forfeits and suspensions, also as people read them.

Records and tables keep these sentences without their values, so this module alone reads them back. It does not
trust a sentence, as bots' own words are part of it: the record's numbers say which seats forfeited.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.results.records.lines import EndLine, Fault, FaultLine, Header, Termination, cause_of

_SEATS = re.compile(r"\bseats? (\d+(?:, \d+)*)\b")
_FORFEIT = re.compile(
    rf"(?:^|; )seat (?P<seat>\d+) forfeits \((?P<fault>{'|'.join(fault.value for fault in Fault)})"
    r"(?:, fault (?P<all>\d+)|, (?P<alike>\d+) of (?P<of>\d+) faults)?\): "
)


class BanKind(Enum):
    """The reason why a bot plays no more matches; its value begins the sentence in records."""

    QUARANTINED = "quarantined after"
    DISQUALIFIED = "disqualified in match"


_CAUSE = {BanKind.QUARANTINED: " crashes in a row, the last: ", BanKind.DISQUALIFIED: ": "}


@dataclass(frozen=True, slots=True)
class Ban:
    """A bot that plays no more matches: `after` so many crashes, or after the match with this id."""

    kind: BanKind
    after: str
    cause: str

    @property
    def sentence(self) -> str:
        """The sentence that names the ban in records."""
        return f"{self.kind.value} {self.after}{_CAUSE[self.kind]}{self.cause}"

    @property
    def told(self) -> str:
        """The ban in words for people, to be read after `<bot> is`."""
        if self.kind is BanKind.QUARANTINED:
            return f"suspended after {self.after} crashes in a row, the last: {self.cause}"
        forfeits = read_forfeits(self.cause)
        cause = forfeits[0].how if len(forfeits) == 1 else self.cause
        return f"disqualified in match {self.after}: {cause}"


_UNREADY = "no ready within "


def unready(start_ms: int, why: str) -> str:
    """Return the detail of a bot that runs but did not get ready for a match; `why`: the rest of the sentence."""
    return f"{_UNREADY}{start_ms} ms of the start{why}"


def is_unready(detail: str) -> bool:
    """Return True if the detail of a failed start is that of a bot that runs but did not get ready for a match."""
    return detail.startswith(_UNREADY)


def read_ban(detail: str) -> Ban | None:
    """Parse the ban from the `detail` of a failed start; None if the start failed for another reason."""
    for kind in BanKind:
        if detail.startswith(f"{kind.value} "):
            after, _, cause = detail[len(kind.value) + 1 :].partition(_CAUSE[kind])
            return Ban(kind, after, cause)
    return None


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat's forfeit and its cause: `alike` of its `faults` were of the kind `fault`; 0 of 0 if one was enough."""

    seat: Seat
    fault: Fault
    detail: str
    alike: int = 0
    faults: int = 0

    @property
    def sentence(self) -> str:
        """The sentence that names the forfeit in records."""
        count = f", fault {self.alike}" if self.alike == self.faults else f", {self.alike} of {self.faults} faults"
        return f"seat {self.seat} forfeits ({self.fault.value}{count if self.faults else ''}): {self.detail}"

    def told(self, name: str) -> str:
        """Return the forfeit in words for people; `name`: name of the bot."""
        if (ban := read_ban(self.detail)) is not None:
            return f"{name} is {ban.told}"
        return f"{name} loses: {self.how}"

    @property
    def how(self) -> str:
        """What the seat did wrong, in words for people."""
        among = "" if self.alike == self.faults else f" among {self.faults} faults"
        which = f"{_ordinal(self.alike)} " if self.alike > 1 else ""
        match self.fault:
            case Fault.LATE:
                return f"{which}answer too late{among} ({self.detail})"
            case Fault.ILLEGAL | Fault.MALFORMED:
                return f"{which}{self.fault.words} answer{among}: {self.detail}"
            case _:
                return f"{self.fault.words}: {self.detail}"


def forfeit_of(faults: Sequence[FaultLine]) -> Forfeit:
    """Return the forfeit of a seat; `faults`: the seat's faults in order, at least one."""
    cause, alike = cause_of(faults)
    counts = (0, 0) if cause.fault.is_fatal else (alike, len(faults))
    return Forfeit(cause.seat, cause.fault, cause.detail, *counts)


def read_forfeits(reason: str, forfeited: Collection[Seat] | None = None) -> list[Forfeit]:
    """Return the forfeits that the reason of an end names, at most one for each seat; `forfeited`: only of these."""
    found = _forfeits_at(reason, forfeited)
    ends = [*(begin.start() for begin in found[1:]), len(reason)]
    return [_read(begin, reason[begin.end() : end]) for begin, end in zip(found, ends, strict=False)]


def _forfeits_at(reason: str, forfeited: Collection[Seat] | None) -> list[re.Match[str]]:
    begins: dict[Seat, re.Match[str]] = {}
    for begin in _FORFEIT.finditer(reason):
        seat = int(begin["seat"])
        if forfeited is None or seat in forfeited:
            begins.setdefault(seat, begin)
    return list(begins.values())


def _read(begin: re.Match[str], detail: str) -> Forfeit:
    alike = int(begin["all"] or begin["alike"] or 0)
    return Forfeit(int(begin["seat"]), Fault(begin["fault"]), detail, alike, int(begin["all"] or begin["of"] or 0))


def reason_of(header: Header, end: EndLine) -> str:
    """Return the reason of a match's end as people read it, with the names of its bots."""
    return named_reason(end.reason, [seat.bot for seat in header.seats], end.forfeited)


def named_reason(reason: str, bots: Sequence[str], forfeited: Collection[Seat]) -> str:
    """Return a reason with the bots of the seats in place of their numbers, and forfeits as people read them."""
    names = _names(bots)
    own = [seat for seat in forfeited if seat < len(names)]
    begins = _forfeits_at(reason, own)
    by_rules = _SEATS.sub(lambda seats: _named(seats, names), reason[: begins[0].start()] if begins else reason)
    told = [forfeit.told(names[forfeit.seat]) for forfeit in read_forfeits(reason, own)]
    return "; ".join(filter(None, [by_rules, *told]))


WITHHELD = "details for its owner"
_NOT_THEIRS = "not the fault of its bots"
AnyLine = TypeVar("AnyLine")


def without_words(line: AnyLine, own: Collection[Seat] = ()) -> AnyLine:
    """Return a record's line without what bots said of their faults, such as error messages, except for `own` seats."""
    match line:
        case FaultLine(seat=seat) if seat not in own:
            return msgspec.structs.replace(line, detail=WITHHELD)
        case EndLine():
            return msgspec.structs.replace(line, reason=reason_without_words(line, own))
        case _:
            return line


def reason_without_words(end: EndLine, own: Collection[Seat] = ()) -> str:
    """Return the reason of a match's end without what bots said of their faults, except for `own` seats."""
    if end.termination is Termination.VOID:
        return _NOT_THEIRS
    begins = _forfeits_at(end.reason, end.forfeited)
    by_rules = end.reason[: begins[0].start()] if begins else end.reason
    found = read_forfeits(end.reason, end.forfeited)
    told = [one if one.seat in own else replace(one, detail=WITHHELD) for one in found]
    return "; ".join(filter(None, [by_rules, *(forfeit.sentence for forfeit in told)]))


def ending_of(header: Header, end: EndLine, *, is_replayed: bool = False) -> str:
    """Return how a match has ended as people read it; `is_replayed`: a void match is played again."""
    return named_ending(end.termination, reason_of(header, end), is_replayed=is_replayed)


def named_ending(termination: Termination, reason: str, *, is_replayed: bool = False) -> str:
    """Return how a match has ended, in words for people; `reason` names bots already."""
    match termination:
        case Termination.COMPLETED:
            return f"{termination.words}: {reason}"
        case Termination.VOID:
            return f"match cancelled{' and replayed' if is_replayed else ''}: {reason}"
        case _:
            return reason


def _names(bots: Sequence[str]) -> list[str]:
    """Return a name for each seat; bots that hold several get the number of the seat."""
    counts = Counter(bots)
    return [bot if counts[bot] == 1 else f"{bot} (seat {seat})" for seat, bot in enumerate(bots)]


def _named(seats: re.Match[str], names: Sequence[str]) -> str:
    numbers = [int(number) for number in seats[1].split(", ")]
    return ", ".join(names[number] for number in numbers) if max(numbers) < len(names) else seats[0]


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
