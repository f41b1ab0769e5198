"""Turns seats into sides (teams of a match) and entries (the part of one bot in a side), and sums them per bot.

A side is one team of one match. An entry is one bot's part in a side, however many seats it holds there: a match counts
once per team. An entry's rivals are the entries of other bots on the other sides of its match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gridjoust.leaderboard.frame.codes import (
    Floats,
    Growing,
    Indices,
    Mask,
    codes_of,
    combine,
    first_of,
    names_of,
    rows_by,
    shrunk,
    stretches,
)

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Entries:
    """Arrays by entry (one bot's part in a team of a match), sorted by team and bot. nan = missing."""

    side: Indices
    match: Indices
    bot: Indices
    game: Indices
    setting: Indices
    pair: Indices
    deal: Indices
    of_match: Indices
    rank: Indices
    returns: Floats  # mean over the entry's seats

    def __len__(self) -> int:
        return len(self.side)

    def at(self, rows: Indices | slice) -> Entries:
        """Return the entries of the given rows, which are whole matches; sides and matches are numbered anew from 0."""
        own = {field.name: getattr(self, field.name)[rows] for field in fields(self)}
        return Entries(**own | {name: combine(own[name]) for name in ("side", "match")})


@dataclass(frozen=True, slots=True)
class Sides:
    """Arrays with an element per side (team of a match), sorted by match and team; values are those of its first seat.

    `number` is its place among the sides of its match; `of_match` is how many sides the match has. nan = missing.
    """

    setting: Indices
    seat: Indices
    pair: Indices
    points: Floats
    number: Indices
    of_match: Indices


@dataclass(frozen=True, slots=True)
class Folded:
    """The sides (teams of matches) and entries (a bot's part in a side) of some seats, and `totals` per bot.

    `totals`: column name -> array by code of the bot, nan = missing. `beaten` is the share of each entry's rivals in
    its match that it beat, a tie counts half; nan without rivals.
    """

    sides: Sides
    entries: Entries
    beaten: Floats
    totals: dict[str, Floats | Indices]


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much was played: pairs in which each bot had a rival (`pairs`), and in which two bots were rivals (`met`)."""

    pairs: Indices
    met: Indices


def fold(seats: pd.DataFrame) -> Folded:
    """Turn rows of seats into sides, entries and totals per bot; some whole matches at a time, to save memory."""
    columns: Columns = {
        **{name: seats[name].to_numpy() for name in _NUMBERS},
        "bot": codes_of(seats, "bot"),
        "game": codes_of(seats, "game"),
        "setting": codes_of(seats, "variant"),
    }
    sums, parts = _Sums(bots=len(names_of(seats, "bot"))), _Parts()
    for rows in stretches(columns["match"]):
        _add({name: values[rows] for name, values in columns.items()}, rows.start, sums, parts)
    return _joined(columns, parts, sums)


_NUMBERS = (
    *("match", "pair", "deal", "seat", "team", "rank", "returns", "points", "won", "faults", "forfeited"),
    *("turns_acted", "planning_ms_total", "nodes_expanded", "cpu_ms"),
)


class _Parts:
    """Columns of `Sides` and `Entries` while `fold` fills them; `first_of_…` are row numbers in the seats."""

    def __init__(self) -> None:
        self.first_of_side, self.number, self.sides_of_match = Growing(), Growing(), Growing()
        self.first_of_entry, self.side, self.of_match = Growing(), Growing(), Growing()
        self.returns, self.beaten = Growing(), Growing()
        self.sides = 0


def _add(seats: Columns, row: int, sums: _Sums, parts: _Parts) -> None:
    """Add the seats of some whole matches to sums and parts; `row`: number of their first seat's row."""
    match, rank = combine(seats["match"]), seats["rank"]
    side = combine(match, seats["team"])
    first_seat = first_of(side)
    of_side = match[first_seat]
    size = np.bincount(of_side)
    ties = combine(of_side, rank[first_seat])
    entry = combine(side, seats["bot"])
    first = first_of(entry)
    own = side[first]
    entries = Entries(
        side=own,
        match=match[first],
        **{name: seats[name][first] for name in ("bot", "game", "setting", "pair", "deal", "rank")},
        of_match=size[of_side][own],
        returns=_total(entry, seats["returns"]) / np.bincount(entry),
    )
    sums.add(entries, seats, entry, first, is_alone=np.bincount(ties)[ties][own] == 1)
    parts.first_of_side.add(shrunk(first_seat + row))
    parts.number.add(shrunk(np.arange(len(of_side)) - (np.cumsum(size) - size)[of_side]))
    parts.sides_of_match.add(shrunk(size[of_side]))
    parts.first_of_entry.add(shrunk(first + row))
    parts.side.add(shrunk(own.astype(np.int64) + parts.sides))
    parts.of_match.add(shrunk(entries.of_match))
    parts.returns.add(shrunk(entries.returns))
    parts.beaten.add(shrunk(_share_beaten(entries)))
    parts.sides += len(of_side)


def _joined(seats: Columns, parts: _Parts, sums: _Sums) -> Folded:
    """Join the parts to sides and entries; if each seat is one of these, reuse the seats' columns to save memory."""
    at, first, returns = parts.first_of_side.taken(), parts.first_of_entry.taken(), parts.returns.taken()
    count = len(seats["match"])

    def taken(rows: Indices, *names: str) -> Columns:
        return {name: seats[name] if len(rows) == count else seats[name][rows] for name in names}

    sides = Sides(
        **taken(at, "setting", "seat", "pair", "points"),
        number=parts.number.taken(),
        of_match=parts.sides_of_match.taken(),
    )
    entries = Entries(
        **taken(first, "match", "bot", "game", "setting", "pair", "deal", "rank"),
        side=parts.side.taken(),
        of_match=parts.of_match.taken(),
        returns=seats["returns"] if len(first) == count else returns,
    )
    return Folded(sides, entries, parts.beaten.taken(), sums.totals())


def _share_beaten(entries: Entries) -> Floats:
    mine, other = rivals(entries)
    count = len(entries)
    better = np.sign(entries.rank[other] - entries.rank[mine]) / 2 + 0.5
    met = np.bincount(mine, minlength=count) + np.bincount(other, minlength=count)
    points = np.bincount(mine, better, count) + np.bincount(other, 1 - better, count)
    share: Floats = np.divide(points, met, out=np.full(count, np.nan), where=met > 0)
    return share


def rivals(entries: Entries) -> tuple[Indices, Indices]:
    """Return the indices of all pairs of entries of different bots in different teams of a match, lower team first."""
    order = np.arange(len(entries))
    size = np.bincount(entries.match)
    start = np.cumsum(size) - size
    end = (start + size)[entries.match] if len(entries) else order
    following = end - order - 1
    mine = np.repeat(order, following)
    other = mine + 1 + np.arange(len(mine)) - np.repeat(np.cumsum(following) - following, following)
    is_rival = (entries.side[mine] != entries.side[other]) & (entries.bot[mine] != entries.bot[other])
    return mine[is_rival], other[is_rival]


def evidence_of(entries: Entries, *, bots: int) -> Evidence:
    """Count the pairs of each bot in which it had a rival, and for each two bots those in which they were rivals."""
    pairs, met = np.zeros(bots, dtype=np.int64), np.zeros((bots, bots), dtype=np.int64)
    for rows in rows_by(entries.pair):
        own = entries.at(rows)
        first, second = rivals(own)
        bot = np.concatenate([own.bot[first], own.bot[second]])
        other = np.concatenate([own.bot[second], own.bot[first]])
        pair = np.concatenate([own.pair[first]] * 2)
        at = first_of(combine(bot, other, pair))
        np.add.at(pairs, bot[first_of(combine(bot, pair))], 1)
        np.add.at(met, (bot[at], other[at]), 1)
    return Evidence(pairs, met)


class _Sums:
    """Sums per bot. Values are added one by one, so that rounding does not depend on how many come at once."""

    def __init__(self, *, bots: int) -> None:
        self._bots = bots
        self._by_name: dict[str, Floats] = {}

    def add(self, entries: Entries, seats: Columns, entry: Indices, first: Indices, *, is_alone: Mask) -> None:
        """Add entries and their seats to the sums per bot.

        `entry`: entry of each seat; `first`: first seat of each entry; `is_alone`: the entry has no rivals.
        """
        has_opponents, is_first = entries.of_match > 1, entries.rank == 1
        acted = seats["turns_acted"].astype(np.float64)
        plan_ms, nodes = seats["planning_ms_total"], seats["nodes_expanded"]
        won = _largest(entry, seats["won"])
        cpu_ms = _largest(entry, seats["cpu_ms"])  # of the process: the same on every seat that it holds
        has_cpu = ~np.isnan(cpu_ms)
        values: dict[str, Floats | Indices | Mask] = {
            "matches": np.ones(len(entries)),
            "contests": has_opponents,
            "points": np.nan_to_num(seats["points"][first]),
            "wins": has_opponents & is_first & is_alone,
            "draws": has_opponents & is_first & ~is_alone,
            "losses": has_opponents & ~is_first,
            "faults": _total(entry, seats["faults"]),
            "forfeits": _total(entry, seats["forfeited"]) > 0,
            "won": np.nan_to_num(won),
            "has_won": ~np.isnan(won),
            "planning_ms": _total(entry, np.nan_to_num(plan_ms)),  # 0 where not reported
            "planned_turns": _total(entry, acted * ~np.isnan(plan_ms)),
            "nodes_expanded": _total(entry, np.nan_to_num(nodes)),
            "searched_turns": _total(entry, acted * ~np.isnan(nodes)),
            "cpu_ms": np.where(has_cpu, cpu_ms, 0.0),
            "cpu_turns": _total(entry, acted) * has_cpu,
        }
        bot = entries.bot.astype(np.intp)  # adding is ten times as quick with the types that it adds in
        for name, own in values.items():
            np.add.at(self._by_name.setdefault(name, np.zeros(self._bots)), bot, own.astype(np.float64))

    def totals(self) -> dict[str, Floats | Indices]:
        """Return the columns of the standings that are sums per bot: name -> array by code of the bot."""
        sums = self._by_name
        points = np.where(sums["contests"] > 0, sums["points"], np.nan)
        counts = {
            name: sums[name].astype(np.int64) for name in ("matches", "wins", "draws", "losses", "faults", "forfeits")
        }
        return {
            **counts,
            "points": points,
            "score_pct": 100 * _ratio(points, sums["contests"]),
            "failure_pct": 100 * counts["forfeits"] / np.maximum(1, counts["matches"]),
            "won_pct": 100 * _ratio(sums["won"], sums["has_won"]),
            "planning_ms_per_turn": _ratio(sums["planning_ms"], sums["planned_turns"]),
            "nodes_per_turn": _ratio(sums["nodes_expanded"], sums["searched_turns"]),
            "cpu_ms_per_turn": _ratio(sums["cpu_ms"], sums["cpu_turns"]),
        }


def _ratio(total: Floats, count: Floats) -> Floats:
    ratio: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratio


def _total(groups: Indices, values: Floats | Indices) -> Floats:
    total: Floats = np.bincount(groups, values).astype(np.float64)
    return total


def _largest(groups: Indices, values: Floats) -> Floats:
    """Return the largest value of each group; nan if none is known."""
    largest: Floats = np.full(int(groups.max(initial=-1)) + 1, -np.inf)
    known = ~np.isnan(values)
    np.maximum.at(largest, groups[known], values[known])
    largest[np.isneginf(largest)] = np.nan
    return largest
