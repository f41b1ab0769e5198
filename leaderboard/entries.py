"""Seats -> sides and entries, and what they add up to: who took part in a match, for which side. Rates nobody.

A side is one team of one match. An entry is one bot's part in a side, however many seats it holds there: a match counts
once per team. An entry's rivals are the entries of other bots on the other sides of its match.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from leaderboard.codes import Floats, Indices, Mask, combine, first_of
from leaderboard.seats import TEXTS, codes_of


@dataclass(frozen=True, slots=True)
class Entries:
    """One element per entry, sorted by side and bot; sums over the entry's seats. nan = missing."""

    side: Indices
    match: Indices
    bot: Indices
    game: Indices
    setting: Indices
    pair: Indices
    deal: Indices
    of_match: Indices
    rank: Indices
    tied: Indices
    returns: Floats  # mean over seats
    points: Floats
    won: Floats
    faults: Indices
    has_forfeited: Mask
    planning_ms: Floats  # 0 where not reported
    planned_turns: Floats
    nodes_expanded: Floats
    searched_turns: Floats
    cpu_ms: Floats
    cpu_turns: Floats

    def __len__(self) -> int:
        return len(self.side)


def sides_of(seats: pd.DataFrame) -> tuple[pd.DataFrame, Indices]:
    """A row per side, sorted by match and team, as its first seat has it; and the side of every seat.

    `number` is its place among the sides of its match, of which there are `of_match`; `tied` of them, itself included,
    share its rank.
    """
    match = seats["match"].to_numpy()
    side = combine(match, seats["team"].to_numpy())
    first = first_of(side)
    match = match[first]
    size = np.bincount(match)
    ties = combine(match, seats["rank"].to_numpy()[first])
    sides = seats.iloc[first].assign(
        number=np.arange(len(match)) - (np.cumsum(size) - size)[match],
        of_match=size[match],
        tied=np.bincount(ties)[ties],
    )
    return sides, side


def entries_of(seats: pd.DataFrame, sides: pd.DataFrame, side: Indices) -> Entries:
    """The entries of all sides; `side` is the side of every seat."""
    bot = codes_of(seats, "bot")
    entry = combine(side, bot)
    first = first_of(entry)
    own_side = side[first]
    numbers = {name: seats[name].to_numpy() for name in seats.columns if name not in TEXTS}
    acted = numbers["turns_acted"].astype(np.float64)
    plan_ms, nodes = numbers["planning_ms_total"], numbers["nodes_expanded"]
    cpu_ms = _largest(entry, numbers["cpu_ms"])  # of the process: the same on every seat that it holds
    has_cpu = ~np.isnan(cpu_ms)
    return Entries(
        side=own_side,
        match=numbers["match"][first],
        bot=bot[first],
        game=codes_of(seats, "game")[first],
        setting=codes_of(seats, "variant")[first],
        pair=numbers["pair"][first],
        deal=numbers["deal"][first],
        of_match=sides["of_match"].to_numpy()[own_side],
        rank=numbers["rank"][first],
        tied=sides["tied"].to_numpy()[own_side],
        returns=_total(entry, numbers["returns"]) / np.bincount(entry),
        points=numbers["points"][first],
        won=_largest(entry, numbers["won"]),
        faults=_total(entry, numbers["faults"]).astype(np.int64),
        has_forfeited=_total(entry, numbers["forfeited"]) > 0,
        planning_ms=_total(entry, np.nan_to_num(plan_ms)),
        planned_turns=_total(entry, acted * ~np.isnan(plan_ms)),
        nodes_expanded=_total(entry, np.nan_to_num(nodes)),
        searched_turns=_total(entry, acted * ~np.isnan(nodes)),
        cpu_ms=np.where(has_cpu, cpu_ms, 0.0),
        cpu_turns=_total(entry, acted) * has_cpu,
    )


def share_beaten(entries: Entries) -> Floats:
    """Share of each entry's rivals in its match that it beat, a tie half; nan without rivals, as alone on a side."""
    mine, other = rivals(entries)
    count = len(entries)
    better = np.sign(entries.rank[other] - entries.rank[mine]) / 2 + 0.5
    met = np.bincount(mine, minlength=count) + np.bincount(other, minlength=count)
    points = np.bincount(mine, better, count) + np.bincount(other, 1 - better, count)
    share: Floats = np.divide(points, met, out=np.full(count, np.nan), where=met > 0)
    return share


def rivals(entries: Entries) -> tuple[Indices, Indices]:
    """(entry, entry) for every two entries of different bots on different sides of a match, the lower side first."""
    order = np.arange(len(entries))
    size = np.bincount(entries.match)
    start = np.cumsum(size) - size
    end = (start + size)[entries.match] if len(entries) else order
    following = end - order - 1
    mine = np.repeat(order, following)
    other = mine + 1 + np.arange(len(mine)) - np.repeat(np.cumsum(following) - following, following)
    is_rival = (entries.side[mine] != entries.side[other]) & (entries.bot[mine] != entries.bot[other])
    return mine[is_rival], other[is_rival]


def totals_of(entries: Entries, *, bots: int) -> dict[str, Floats | Indices]:
    """The columns of the standings that add up what a bot did, by name; arrays by code of the bot, nan = missing."""
    bot = entries.bot
    has_opponents = entries.of_match > 1
    is_first, is_alone = entries.rank == 1, entries.tied == 1

    def total(values: Floats | Indices | Mask) -> Floats:
        found: Floats = np.bincount(bot, values, bots).astype(np.float64)
        return found

    def count(values: Indices | Mask) -> Indices:
        return total(values).astype(np.int64)

    contests = total(has_opponents)
    points = np.where(contests > 0, total(np.nan_to_num(entries.points)), np.nan)
    has_won = ~np.isnan(entries.won)
    matches, forfeits = np.bincount(bot, minlength=bots), count(entries.has_forfeited)
    return {
        "games": _distinct(bot, entries.game, bots),
        "matches": matches,
        "seeds": _distinct(bot, entries.deal, bots),
        "points": points,
        "score_pct": 100 * _ratio(points, contests),
        "wins": count(has_opponents & is_first & is_alone),
        "draws": count(has_opponents & is_first & ~is_alone),
        "losses": count(has_opponents & ~is_first),
        "faults": count(entries.faults),
        "forfeits": forfeits,
        "failure_pct": 100 * forfeits / np.maximum(1, matches),
        "won_pct": 100 * _ratio(total(np.nan_to_num(entries.won)), total(has_won)),
        "planning_ms_per_turn": _ratio(total(entries.planning_ms), total(entries.planned_turns)),
        "nodes_per_turn": _ratio(total(entries.nodes_expanded), total(entries.searched_turns)),
        "cpu_ms_per_turn": _ratio(total(entries.cpu_ms), total(entries.cpu_turns)),
    }


def _distinct(bot: Indices, values: Indices, bots: int) -> Indices:
    """How many different values each bot has."""
    return np.bincount(bot[first_of(combine(bot, values))], minlength=bots)


def _ratio(total: Floats, count: Floats) -> Floats:
    ratio: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratio


def _total(groups: Indices, values: Floats | Indices) -> Floats:
    total: Floats = np.bincount(groups, values).astype(np.float64)
    return total


def _largest(groups: Indices, values: Floats) -> Floats:
    """Largest known value of each group, nan if there is none."""
    largest: Floats = np.full(int(groups.max(initial=-1)) + 1, -np.inf)
    known = ~np.isnan(values)
    np.maximum.at(largest, groups[known], values[known])
    largest[np.isneginf(largest)] = np.nan
    return largest
