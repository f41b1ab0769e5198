"""Bans in effect, as they follow from the records in schedule order.

They depend on the records alone: not on which match ended first, nor on how often a run was resumed. A match that was
under way when a ban took effect is played again if it does not keep to the ban.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.referee.charges import MAX_DETAIL
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, Termination
from gridjoust.runner.results.records.reasons import Ban, BanKind, read_ban
from gridjoust.runner.wire.text import plain_text

QUARANTINE_AFTER = 3  # crashes in a row
_REMOTE_DISCONNECTS = (Fault.FAILED_TO_START, Fault.DISCONNECTED)  # no crashes of remote bots


class Bans:
    """The bots banned so far; enter every record in schedule order, and the bans apply to the match that comes next."""

    def __init__(
        self, faults: FaultPolicy, broken: Mapping[str, str] = MappingProxyType({}), remote: Collection[str] = ()
    ) -> None:
        """Begin without bans. `broken`: bots that cannot start -> why; `remote`: bots that may leave and come back."""
        self._broken = broken
        self._remote = remote
        self._disqualifies = faults.on_limit == "disqualify"
        self._crashes: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}

    @property
    def count(self) -> int:
        """Number of banned bots."""
        return len(self._reasons)

    def among(self, bots: Iterable[str]) -> dict[str, str]:
        """Return those bots that are banned or cannot start, with the reason: bot -> detail of the failed start."""
        reasons = {**self._reasons, **self._broken}
        return {bot: reasons[bot] for bot in bots if bot in reasons}

    def are_kept_by(self, record: MatchRecord) -> bool:
        """Return True if the match was played without the suspended bots, and with all others."""
        if not self._reasons and not any(record.end.faults):
            return True
        bots = [entry.bot for entry in record.header.seats]
        kept_out = {bots[line.seat]: line.detail for line in _failed_starts(record) if read_ban(line.detail)}
        return kept_out == {bot: self._reasons[bot] for bot in bots if bot in self._reasons}

    def is_worth_another_try(self, record: MatchRecord) -> bool:
        """Return True if a bot that did not start in this match may start now, such as after its file was mended."""
        failed = (line for line in _failed_starts(record) if not read_ban(line.detail))
        return any(record.header.seats[line.seat].bot not in self._broken for line in failed)

    def enter(self, record: MatchRecord) -> None:
        """Count the crashes and forfeits of a match's bots; a void match counts for nothing."""
        end, bots = record.end, [entry.bot for entry in record.header.seats]
        if end.termination is Termination.VOID:
            return
        last = {line.seat: line for line in _faults(record)}
        crashes = {
            bots[seat]: last[seat].detail
            for seat in reversed(end.forfeited)
            if last[seat].fault.is_crash
            and not (bots[seat] in self._remote and last[seat].fault in _REMOTE_DISCONNECTS)
        }
        for bot in dict.fromkeys(bots):
            if bot in self._broken:
                continue
            self._crashes[bot] = self._crashes[bot] + 1 if bot in crashes else 0
            if self._crashes[bot] >= QUARANTINE_AFTER:
                self._ban(bot, Ban(BanKind.QUARANTINED, str(QUARANTINE_AFTER), crashes[bot]))
        for seat in end.forfeited if self._disqualifies else ():
            self._ban(bots[seat], Ban(BanKind.DISQUALIFIED, record.header.match_id, end.reason))

    def _ban(self, bot: str, ban: Ban) -> None:
        if bot not in self._broken:
            self._reasons.setdefault(bot, plain_text(ban.sentence, limit=MAX_DETAIL))


def _failed_starts(record: MatchRecord) -> Iterator[FaultLine]:
    return (line for line in _faults(record) if line.fault is Fault.FAILED_TO_START)


def _faults(record: MatchRecord) -> Iterable[FaultLine]:
    """Return the faults of a match in order; none are read if the match's end says that there are none."""
    if not any(record.end.faults):
        return []
    return (line for line in record.lines if isinstance(line, FaultLine))
