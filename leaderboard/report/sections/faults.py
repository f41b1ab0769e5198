"""The section on what went wrong: how matches ended, which bots forfeited, which faults. A void match blames no bot.

Below the table come the mistakes by which bots forfeited, each with the end of a log and the matches to look at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from gridjoust.leaderboard.report.blocks import (
    Block,
    Cell,
    Column,
    Incident,
    Key,
    Line,
    Note,
    ReportTable,
    Section,
    Sighting,
    line,
)
from gridjoust.leaderboard.report.charts.strips import Part, share_strip
from gridjoust.leaderboard.report.match_details import log_excerpt, replay_command
from gridjoust.leaderboard.report.palette import BLAMELESS, TERMINATIONS
from gridjoust.leaderboard.report.source import Scope, records
from gridjoust.leaderboard.wording import listed, per_cent, plural, whole_number
from gridjoust.runner.results.records.lines import Fault, Termination
from gridjoust.runner.results.records.reasons import Ban, BanKind, Forfeit, read_ban, read_forfeits
from gridjoust.runner.wire.text import plain_text

BY_OTHER = "by another bot's fault"
_NOBODY = {Termination.COMPLETED.value, Termination.VOID.value}  # endings that are no bot's fault
MOST_INCIDENTS = 12
MOST_MATCHES = 6
_VARYING = re.compile(r"[0-9a-f]{8,}|\d+")  # what differs between equal mistakes: addresses, ids, turns
_MOST_LETTERS = 240

Rows = list[dict[str, Any]]


def faults_section(scope: Scope) -> Section | None:
    """Return a sentence on faults, a table of endings and faults, and the mistakes that led to forfeits."""
    results = scope.results
    matches = results.drop_duplicates("match_id")
    endings = matches["termination"].value_counts()
    blocks: list[Block] = []
    if set(endings.index) != {Termination.COMPLETED.value} or results["faults"].sum():
        blocks.append(_endings_table(scope, endings))
    if void := int(endings.get(Termination.VOID.value, 0)):
        late = (
            f"{plural(void, 'match')} void: the runner itself was late or failed. They count for no bot and blame none."
        )
        blocks.append(Note((late,), is_warning=True))
    blocks += incidents(scope)
    return Section(f"{scope.slug}-faults", "Faults and endings", _lead(results, len(matches)), tuple(blocks))


def _lead(results: pd.DataFrame, matches: int) -> str:
    faults = results.groupby("bot")["faults"].sum()
    faulty = faults[faults > 0].sort_values(ascending=False, kind="stable")
    completed = int(results.drop_duplicates("match_id")["termination"].eq(Termination.COMPLETED.value).sum())
    ended = f"{whole_number(completed)} of {plural(matches, 'match')} ended by the rules"
    if faulty.empty:
        return f"{ended}; no bot committed a fault."
    named = [f"{bot} ({int(count):,})" for bot, count in faulty.items()]
    return f"{ended}. Faults by {listed(named)}."


def _endings_table(scope: Scope, endings: pd.Series[int]) -> ReportTable:
    by_kind = _fault_kinds(scope.answers)
    kinds = [kind for kind in Fault if any(count.get(kind.value, 0) for count in by_kind.values())]
    ends = [end for end in Termination if endings.get(end.value, 0)]
    columns = (
        Column("bot", "name"),
        Column("matches"),
        Column("how they ended", "chart"),
        Column("forfeits", hint="Matches that the bot forfeited"),
        Column("faults", hint="All faults together"),
        *(Column(kind.words) for kind in kinds),
        Column(
            "per 1,000 turns", hint="Turns with a fault, per 1,000 turns; a turn that a forfeit cut short counts too"
        ),
    )
    lines = [_line(scope.named(bot), own, by_kind.get(bot, {}), kinds) for bot, own in _by_bot(scope)]
    return ReportTable(
        title=f"Faults and endings, {scope.title}",
        columns=columns,
        lines=tuple(lines),
        css="faults",
        legend=(
            *(Key(TERMINATIONS[end.value], f"{end.words} {int(endings[end.value]):,}") for end in ends),
            *([Key(BLAMELESS, BY_OTHER)] if {end.value for end in ends} - _NOBODY else []),
        ),
        note="Bars: how the bot's matches ended. A forfeit is coloured for the bot at fault, grey-blue for others.",
    )


def _by_bot(scope: Scope) -> list[tuple[str, pd.DataFrame]]:
    """Return (bot, its rows), in the order of the standings; bots without a match that counts come last."""
    groups = {str(bot): own for bot, own in scope.results.groupby("bot")}
    ranked = [bot for bot in scope.bots if bot in groups]
    return [(bot, groups[bot]) for bot in (*ranked, *sorted(set(groups) - set(ranked)))]


def _line(bot: Cell, own: pd.DataFrame, kinds_of_bot: dict[str, int], kinds: Sequence[Fault]) -> Line:
    matches = own.drop_duplicates("match_id")
    ends = matches["termination"].value_counts()
    by_other = own.groupby("match_id").agg(end=("termination", "first"), forfeited=("forfeited", "any"))
    blameless = by_other[~by_other["forfeited"].astype(bool) & ~by_other["end"].isin(_NOBODY)]["end"].value_counts()
    parts = [
        Part(
            end.words,
            (int(ends.get(end.value, 0)) - int(blameless.get(end.value, 0))) / len(matches),
            TERMINATIONS[end.value],
        )
        for end in Termination
    ]
    parts.insert(1, Part(BY_OTHER, int(blameless.sum()) / len(matches), BLAMELESS))
    forfeits = int(own[own["forfeited"].fillna(value=False)]["match_id"].nunique())
    faults, rate = int(own["faults"].sum()), _fault_rate(own)
    said = ", ".join(f"{part.name} {per_cent(part.share)}" for part in parts if part.share)
    return line(
        bot,
        whole_number(len(matches)),
        share_strip(parts, title=f"{bot.text}: {said}"),
        _count(forfeits),
        _count(faults),
        *(_count(kinds_of_bot.get(kind.value, 0)) for kind in kinds),
        Cell(f"{1000 * rate:,.1f}" if rate else "0", css="" if faults else "none"),
    )


def _fault_rate(own: pd.DataFrame) -> float:
    """Return the share of turns with a fault: at most 1 however many faults fell into a turn.

    A turn that a forfeit has cut short was never applied, so `turns_acted` does not count it.
    """
    is_cut = own["forfeited"].fillna(value=False).astype(bool) & own["termination"].ne(Termination.COMPLETED.value)
    turns = own["turns_acted"].fillna(0) + is_cut.astype(int)
    faulty = own["faults"].clip(upper=turns)
    return float(faulty.sum()) / float(turns.sum()) if turns.sum() else 0.0


def _count(count: int) -> Cell:
    """Return a table cell for a count that should be 0: any other number stands out."""
    return Cell(whole_number(count), css="bad" if count else "none")


def _fault_kinds(answers: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Count the faults of each bot by kind of fault: bot -> kind -> number."""
    offences = answers[answers["fault"].notna()]
    found: dict[str, dict[str, int]] = {}
    for row in records(offences.groupby(["bot", "fault"]).size().rename("count").reset_index()):
        found.setdefault(str(row["bot"]), {})[str(row["fault"])] = int(row["count"])
    return found


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
            count=_frequency(rows),
            log=_log(scope, bot, rows),
            seen=tuple(_sighting(scope, row) for row in rows[:MOST_MATCHES]),
            others=tuple(str(row["match_id"])[:16] for row in rows[MOST_MATCHES:]),
        )


def _mistake(row: Mapping[str, Any]) -> str:
    """Return the mistake for which the bot forfeited; if it was suspended, the mistake that led to that."""
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


def _frequency(rows: Rows) -> str:
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
