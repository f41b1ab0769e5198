"""Which bots are limited by their work and declare none: only the backstop judges them. Blames nobody."""

from __future__ import annotations

from gridjoust.leaderboard.wording import listed
from gridjoust.runner.results.records.lines import MatchRecord


class UncountedTally:
    """`add` every match once; `line` names the bots that have never said how many nodes they expanded."""

    def __init__(self) -> None:
        self._silent: dict[str, bool] = {}  # bot limited by its work -> it has answered and declared nothing yet

    def add(self, record: MatchRecord) -> None:
        """A match, whatever its clocks."""
        seats = record.header.seats
        answers = [one for one in record.answers if one.action and _clock(record, one.seat) == "work"]
        for answer in answers:
            bot = seats[answer.seat].bot
            self._silent[bot] = answer.expanded is None and self._silent.get(bot, True)

    def line(self) -> str:
        """Who they are; "" if there is none."""
        bots = sorted(bot for bot, is_silent in self._silent.items() if is_silent)
        if not bots:
            return ""
        they = "it" if len(bots) == 1 else "them"
        return (
            f"{listed(bots)}: work not counted, no answer says how many nodes were expanded: time alone limits {they}"
        )


def _clock(record: MatchRecord, seat: int) -> object:
    limits = record.header.time.get(str(seat))
    return limits.get("clock") if isinstance(limits, dict) else None
