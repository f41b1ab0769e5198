"""Which bots may play no more, and since which match: a fold over the records in schedule order.

So it depends on nothing but the records: not on which match was over first, nor on how often a run was resumed. Matches
that were under way when the decision fell are measured by it too, and played again where they do not keep to it.
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
_AWAY = (Fault.FAILED_TO_START, Fault.DISCONNECTED)  # no crashes of bots on other machines


class Bans:
    """Enter every record in schedule order; what is said holds for the match that comes next in it."""

    def __init__(
        self, faults: FaultPolicy, broken: Mapping[str, str] = MappingProxyType({}), remote: Collection[str] = ()
    ) -> None:
        """`broken`: bots that cannot start -> why; `remote`: those that may be away and come back."""
        self._broken = broken
        self._remote = remote
        self._disqualifies = faults.on_limit == "disqualify"
        self._crashes: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}

    @property
    def count(self) -> int:
        """How many may play no more."""
        return len(self._reasons)

    def among(self, bots: Iterable[str]) -> dict[str, str]:
        """Those of the bots that may not or cannot play -> why; their matches fail to start with that reason."""
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
        """Return True if a bot did not start then and may now: a file was mended, or a package installed."""
        failed = (line for line in _failed_starts(record) if not read_ban(line.detail))
        return any(record.header.seats[line.seat].bot not in self._broken for line in failed)

    def enter(self, record: MatchRecord) -> None:
        """Count what the bots have done; a void match says nothing of them."""
        end, bots = record.end, [entry.bot for entry in record.header.seats]
        if end.termination is Termination.VOID:
            return
        last = {line.seat: line for line in _faults(record)}
        crashes = {
            bots[seat]: last[seat].detail
            for seat in reversed(end.forfeited)
            if last[seat].fault.is_crash and not (bots[seat] in self._remote and last[seat].fault in _AWAY)
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
    """In order; most matches have none, which their end says."""
    if not any(record.end.faults):
        return []
    return (line for line in record.lines if isinstance(line, FaultLine))
