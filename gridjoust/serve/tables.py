"""Reads from a contest's store what its pages show: versions, ladder, grades, matches, the final."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from gridjoust.serve.play.batches import APART, Active, periods
from gridjoust.serve.ratings import FIRST_SPREAD, PROVISIONAL_GAMES, Graded, StaffPair, grade
from gridjoust.serve.store import WAITING, Store, final_ratings, name_in_sql
from gridjoust.serve.values import (
    FinalRow,
    GradeRow,
    Kind,
    LadderRow,
    MatchFilter,
    MatchPage,
    MatchRow,
    Side,
    State,
    Threshold,
    Version,
    VersionRow,
)

_TIMED = 100  # last matches, from which the length of the next ones is estimated
_HALF_PLAYED = (
    "EXISTS (SELECT 1 FROM matches AS half WHERE half.pair_id = matches.pair_id AND half.number != matches.number"
    " AND half.state IN ('queued', 'running'))"
)


_TRACK = "(SELECT track FROM people WHERE people.name = versions.name)"  # in SQL: of a version


def version_of(row: sqlite3.Row) -> Version:
    """Return the version that is in a row of the store."""
    own = _columns(row, "label", "name", "number", "content", "received_s", "position", "reason", "record")
    return Version(**own, state=State(row["state"]), is_active=bool(row["is_active"]), is_late=bool(row["is_late"]))


def _columns(row: sqlite3.Row, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def ladder(store: Store, track: str) -> tuple[LadderRow, ...]:
    """Return the ladder among entrants, or those of a track, best first."""
    query = (
        f"SELECT *, {_TRACK} AS track, COALESCE(elo, prior_elo) AS elo_now,"  # noqa: S608
        " COALESCE(spread, prior_spread) AS spread_now FROM versions"
        " WHERE is_active = 1 AND is_late = 0 ORDER BY elo_now DESC, label"
    )
    rows = store.read(query)
    pace = periods([Active(row["label"], mean_s=row["seconds"] / row["games"]) for row in rows if row["games"]])
    return tuple(
        LadderRow(
            **_columns(row, "name", "label", "games", "wins", "draws", "losses", "forfeits", "record"),
            rank=rank,
            elo=row["elo_now"],
            spread=row["spread_now"],
            is_provisional=row["games"] < PROVISIONAL_GAMES,
            is_suspended=row["state"] != State.ADMITTED.value,
            is_over_budget=pace.get(row["label"], 1) > 1,
        )
        for rank, row in enumerate((row for row in rows if track in ("", row["track"])), 1)
    )


def history(store: Store, name: str) -> tuple[VersionRow, ...]:
    """Return the rating of each admitted version of a person, oldest first, with its gain over the one before it."""
    query = "SELECT *, NULL AS position FROM versions WHERE name = ? AND program != '' ORDER BY number"
    found: list[VersionRow] = []
    before: sqlite3.Row | None = None
    for row in store.read(query, (name,)):
        is_rated = row["games"] > 0 and row["elo"] is not None
        gain = spread = None
        if is_rated and before is not None:
            gain = row["elo"] - before["elo"]
            spread = math.hypot(row["spread"], before["spread"])
        elo, own = (row["elo"], row["spread"]) if is_rated else (None, None)
        found.append(VersionRow(version_of(row), elo, own, row["games"], gain, spread))
        before = row if is_rated else before
    return tuple(found)


def grade_rows(
    store: Store, staff: Sequence[str], thresholds: Sequence[Threshold], pairs: int, *, is_late: bool, track: str
) -> tuple[GradeRow, ...]:
    """Return the grades of the versions that play, late or not, from their complete pairs against staff.

    `track`: of its entrants alone; "": of all.
    """
    points: dict[str, dict[tuple[str, int], list[float]]] = {}
    forfeits = Counter[str]()
    for side, other in (("first", "second"), ("second", "first")):
        query = (
            f"SELECT label, {other}, pair, points_{side}, forfeit_{side} FROM versions"  # noqa: S608
            f" CROSS JOIN matches INDEXED BY matches_graded_{side} ON kind = 'staff' AND {side} = label AND pair < ?"
            " WHERE is_active = 1 AND is_late = ? AND matches.state = 'played'"
        )
        for label, bot, pair, own, forfeit in store.read(query, (pairs, is_late)):
            points.setdefault(label, {}).setdefault((bot, pair), []).append(own)
            forfeits[label] += bool(forfeit)
    query = f"SELECT name, label, {_TRACK} FROM versions WHERE is_active = 1 AND is_late = ? ORDER BY label"  # noqa: S608
    versions = [
        Graded(name, label, _whole(points.get(label, {}), staff), forfeits[label])
        for name, label, own in store.read(query, (is_late,))
        if track in ("", own)
    ]
    return grade(versions, staff, thresholds, pairs=pairs)


def _whole(points: Mapping[tuple[str, int], Sequence[float]], staff: Sequence[str]) -> tuple[StaffPair, ...]:
    """Return the pairs whose two matches have both been played."""
    whole = ((bot, number, both) for (bot, number), both in sorted(points.items()) if len(both) == 2 and bot in staff)
    return tuple(StaffPair(bot, number, math.fsum(both) / 2) for bot, number, both in whole)


def queued(store: Store, public: str) -> tuple[MatchRow, ...]:
    """Return running matches, then queued ones in the order of their start; `public`: SQL condition of those shown."""
    running = store.read(f"SELECT * FROM {WAITING} AND state = 'running' AND {public} ORDER BY number")  # noqa: S608
    query = f"SELECT * FROM {WAITING} AND state = 'queued' AND is_extra = ? AND {public} ORDER BY number"  # noqa: S608
    both = zip_longest(store.read(query, (0,)), store.read(query, (1,)))
    waiting = [row for pair in both for row in pair if row is not None]
    mean = store.one(
        "SELECT AVG(seconds) AS s FROM"
        " (SELECT seconds FROM matches WHERE state = 'played' ORDER BY number DESC LIMIT ?)",
        (_TIMED,),
    )
    each_s = None if mean is None else mean["s"]
    lanes = max(1, len(running))
    timed = (None if each_s is None else each_s * (place // lanes + 1) for place in range(len(waiting)))
    return (
        *(_match(row, is_open=False) for row in running),
        *(_match(row, is_open=False, starts_in_s=s) for row, s in zip(waiting, timed, strict=True)),
    )


def match_row(store: Store, match_id: str, public: str) -> MatchRow | None:
    """Return one match; None if there is none, or if `public`, a condition in SQL, hides it."""
    query = f"SELECT *, {_HALF_PLAYED} AS is_half FROM matches WHERE match_id = ? AND {public}"  # noqa: S608
    row = store.one(query, (match_id,))
    return None if row is None else _match(row, is_open=not row["is_half"])


def match_page(store: Store, wanted: MatchFilter, public: str, *, before: int | None, limit: int) -> MatchPage:
    """Return one page of the played matches, newest first."""
    name, opponent = (wanted.name, wanted.opponent) if wanted.name else (wanted.opponent, "")
    kind = "" if wanted.kind is None else wanted.kind.value
    parts, values = [], list[object]()
    for own, other in (("first", "second"), ("second", "first")) if name else (("", ""),):
        index = f"of_{'both' if opponent else own}" if name else "by_kind" if kind else ""
        source = f"matches INDEXED BY matches_{index}" if index else "matches"
        asked = [
            *([(f"{name_in_sql(own)} = ?", name)] if name else ()),
            *([(f"{name_in_sql(other)} = ?", opponent)] if opponent else ()),
            *([("kind = ?", kind)] if kind else ()),
            *([(f"points_{own} = ?", 0)] if wanted.lost and wanted.name else ()),
            *([("number < ?", before)] if before is not None else ()),
        ]
        conditions = ["state IN ('played', 'void')", public, *(condition for condition, _ in asked)]
        values += [*(value for _, value in asked), limit + 1]
        half = f"SELECT *, {_HALF_PLAYED} AS is_half FROM {source} WHERE {' AND '.join(conditions)}"  # noqa: S608
        parts.append(f"SELECT * FROM ({half} ORDER BY number DESC LIMIT ?)")  # noqa: S608
    query = f"{' UNION ALL '.join(parts)} ORDER BY number DESC LIMIT ?"
    rows = store.read(query, (*values, limit + 1))
    older = rows[limit - 1]["number"] if len(rows) > limit else None
    return MatchPage(tuple(_match(row, is_open=not row["is_half"]) for row in rows[:limit]), older)


def _match(row: sqlite3.Row, *, is_open: bool, starts_in_s: float | None = None) -> MatchRow:
    """Return the match that is in a row; `is_open`: the other match of its pair is over, so this one may be shown."""
    is_played = row["state"] == "played"
    sides = tuple(
        Side(
            label=row[side],
            name=row[side].partition("@")[0],
            is_staff="@" not in row[side],
            points=row[f"points_{side}"] if is_played else None,
            forfeit=row[f"forfeit_{side}"] or "",
        )
        for side in ("first", "second")
    )
    kind, reason = Kind(row["kind"]), row["reason"] or ""
    own = _columns(row, "match_id", "state", "played_s")
    return MatchRow(
        **own, kind=kind, sides=sides, reason=reason, may_watch=is_played and is_open, starts_in_s=starts_in_s
    )


def final_rows(store: Store, staff: Sequence[str]) -> tuple[FinalRow, ...]:
    """Return all places of the final, best first, from its own matches."""
    games, points = Counter[str](), Counter[str]()
    for row in store.read("SELECT one, other, games, points FROM scores WHERE kind = ?", (Kind.FINAL.value,)):
        for label, own in ((row["one"], row["points"]), (row["other"], row["games"] - row["points"])):
            games[label] += row["games"]
            points[label] += own
    ratings = final_ratings(store, staff)
    labels = sorted((label for label in ratings if "@" in label), key=lambda label: (-ratings[label].elo, label))
    return tuple(
        FinalRow(rank, label.partition("@")[0], label, points[label], games[label], own.elo, own.spread)
        for rank, label in enumerate(labels, 1)
        for own in [ratings[label]]
    )


def final_played(store: Store) -> int:
    """Return how many matches of the final are over."""
    query = "SELECT COUNT(*) AS n FROM matches WHERE kind = 'final' AND state IN ('played', 'void')"
    row = store.one(query)
    return 0 if row is None else int(row["n"])


def active(store: Store, staff: Sequence[str], *, batch: int, is_final: bool) -> list[Active]:
    """Return the versions that may play in this batch, with what the schedule needs to know of them."""
    kind = Kind.FINAL.value if is_final else Kind.LADDER.value
    query = "SELECT DISTINCT first, second FROM matches WHERE kind = ? AND batch > ?"
    recent: dict[str, set[str]] = {}
    for first, second in store.read(query, (kind, batch - APART)):
        recent.setdefault(first, set()).add(second)
        recent.setdefault(second, set()).add(first)
    met: dict[str, dict[str, int]] = {}
    query = (
        "SELECT one, other, scores.games FROM versions CROSS JOIN scores ON kind = ? AND one = label"
        " WHERE is_active = 1 AND state = 'admitted'"
    )
    for one, other, games in store.read(query, (kind,)):
        met.setdefault(one, {})[other] = met.setdefault(other, {})[one] = games
    against = _staff_pairs(store, staff, Kind.FINAL.value if is_final else Kind.STAFF.value)
    final = final_ratings(store, staff) if is_final else {}
    query = "SELECT *, COALESCE(elo, prior_elo) AS elo_now FROM versions WHERE is_active = 1 AND state = 'admitted'"
    return [
        Active(
            label=label,
            elo=final[label].elo if is_final else row["elo_now"],
            pairs=row["games"] // 2,
            staff=against.get(label, {}),
            recent=frozenset(recent.get(label, ())),
            met=met.get(label, {}),
            prior_spread=FIRST_SPREAD if is_final else row["prior_spread"],
            mean_s=row["seconds"] / row["games"] if row["games"] and not is_final else None,
            is_late=bool(row["is_late"]),
        )
        for row in store.read(query)
        if not (is_final and row["is_late"])
        for label in [row["label"]]
    ]


def _staff_pairs(store: Store, staff: Sequence[str], kind: str) -> dict[str, dict[str, int]]:
    """Return how many pairs each version has against each staff bot, those in the queue included."""
    pairs: dict[str, dict[str, int]] = {}
    played = store.read("SELECT one, other, games / 2 FROM scores WHERE kind = ?", (kind,))
    query = f"SELECT first, second, pair + 1 FROM {WAITING} AND kind = ?"  # noqa: S608
    for one, other, count in (*played, *store.read(query, (kind,))):
        if one in staff or other in staff:
            version, bot = (other, one) if one in staff else (one, other)
            own = pairs.setdefault(version, {})
            own[bot] = max(own.get(bot, 0), count)
    return pairs
