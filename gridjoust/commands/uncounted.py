"""Finds bots with a limit on work that never declare their work, so that only the time limit applies to them."""

from __future__ import annotations

from gridjoust.leaderboard.wording import listed
from gridjoust.runner.results.records.lines import MatchRecord


class UncountedTally:
    """Tally of declared work: `add` every match once; `line` names the bots that never declare expanded nodes."""

    def __init__(self) -> None:
        self._silent: dict[str, bool] = {}  # bot with `clock: work` -> True while no answer declared work

    def add(self, record: MatchRecord) -> None:
        """Count one match; seats without `clock: work` are ignored."""
        seats = record.header.seats
        answers = [one for one in record.answers if one.action and _clock(record, one.seat) == "work"]
        for answer in answers:
            bot = seats[answer.seat].bot
            self._silent[bot] = answer.expanded is None and self._silent.get(bot, True)

    def line(self) -> str:
        """Return a line that names these bots; "" if there are none."""
        bots = sorted(bot for bot, is_silent in self._silent.items() if is_silent)
        if not bots:
            return ""
        they = "it" if len(bots) == 1 else "them"
        return f"{listed(bots)}: work not counted (no answer declares its expanded nodes): only time limits {they}"


def _clock(record: MatchRecord, seat: int) -> object:
    limits = record.header.time.get(str(seat))
    return limits.get("clock") if isinstance(limits, dict) else None
