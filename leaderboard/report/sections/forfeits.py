"""The section on why matches were forfeited: the mistake of each bot, the end of its log, the matches to look at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gridjoust.leaderboard.report.blocks import Incident, Sighting
from gridjoust.leaderboard.report.match_details import log_excerpt, replay_command
from gridjoust.leaderboard.report.source import Scope, records
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.results.records.reasons import Ban, BanKind, Forfeit, read_ban, read_forfeits
from gridjoust.runner.wire.text import plain_text

MOST_INCIDENTS = 12
MOST_MATCHES = 6
_VARYING = re.compile(r"[0-9a-f]{8,}|\d+")  # what differs between equal mistakes: addresses, ids, turns
_MOST_LETTERS = 240

Rows = list[dict[str, Any]]


def incidents(scope: Scope) -> Iterator[Incident]:
    """Yield the mistakes of bots, equal ones together, the most frequent first; at most `MOST_INCIDENTS`."""
    groups: dict[tuple[str, str], Rows] = {}
    forfeited = scope.results[scope.results["forfeited"].fillna(value=False).astype(bool)]
    for row in records(forfeited.drop_duplicates(["match_id", "bot"])):
        groups.setdefault((str(row["bot"]), _VARYING.sub("#", _mistake(row))), []).append(row)
    most = sorted(groups.items(), key=lambda item: -len(item[1]))[:MOST_INCIDENTS]
    for (bot, _), rows in most:
        yield Incident(
            bot=scope.named(bot),
            said=_mistake(rows[0]),
            count=_count(rows),
            log=_log(scope, bot, rows),
            seen=tuple(_sighting(scope, row) for row in rows[:MOST_MATCHES]),
            others=tuple(str(row["match_id"])[:16] for row in rows[MOST_MATCHES:]),
        )


def _mistake(row: Mapping[str, Any]) -> str:
    """Return the mistake in the row, also if it led to the bot's suspension in an earlier match."""
    forfeit = _forfeit(row)
    said = str(row["reason"]) if forfeit is None else forfeit.detail
    ban = _quarantine(row)
    return plain_text(said if ban is None else ban.cause, limit=_MOST_LETTERS)


def _forfeit(row: Mapping[str, Any]) -> Forfeit | None:
    found = read_forfeits(str(row["reason"]))
    return next((forfeit for forfeit in found if forfeit.seat == int(row["seat"])), None)


def _quarantine(row: Mapping[str, Any]) -> Ban | None:
    """Return the suspension for which the bot of this row forfeited without being asked; None if there is none."""
    forfeit = _forfeit(row)
    ban = None if forfeit is None else read_ban(forfeit.detail)
    return ban if ban is not None and ban.kind is BanKind.QUARANTINED else None


def _count(rows: Rows) -> str:
    """Return how often the mistake occurred: `crashed in 5 matches, suspended in 24`."""
    kinds = Counter(map(_kind, rows))
    first, *others = kinds.items()
    return ", ".join([f"{first[0]} in {plural(first[1], 'match')}", *(f"{kind} in {count}" for kind, count in others)])


def _kind(row: Mapping[str, Any]) -> str:
    forfeit = _forfeit(row)
    if forfeit is None:
        return "forfeited"
    return forfeit.fault.words if _quarantine(row) is None else "suspended"


def _log(scope: Scope, bot: str, rows: Rows) -> str:
    """Return the end of the bot's log of the first of these matches in which it wrote something; "" if none."""
    found = (
        log_excerpt(scope.source.folder, bot=bot, match_id=str(row["match_id"])) for row in rows[: 2 * MOST_MATCHES]
    )
    return next(filter(None, found), "")


def _sighting(scope: Scope, row: Mapping[str, Any]) -> Sighting:
    against = f" against {row['opponents'].replace(' ', ', ')}" if row["opponents"] else ""
    where = f"{row['variant']}, round {row['round']}, seat {row['seat']}{against}, after turn {row['turns']}"
    return Sighting(where, replay_command(scope.source.folder, row))
