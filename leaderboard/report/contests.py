"""Who met whom and how it came out, as data frames. Counts a match once per team, however many seats a bot holds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from leaderboard.report.source import records
from runner.statistics import likelihood_of_superiority

_SIDE = ["match_id", "team", "bot"]
_KEPT = [*_SIDE, "pair_id", "variant", "rank", "returns"]


@dataclass(frozen=True, slots=True)
class Duel:
    """All meetings of one bot with another, from the first one's side."""

    meetings: int
    wins: int
    draws: int
    losses: int
    score: float  # 0 to 1
    superiority: float | None  # likelihood that the first is truly the better; None where all pairs came out alike


def sides_of(played: pd.DataFrame) -> pd.DataFrame:
    """One row per counted match, team and bot, in the order of the table; its first seat stands for the side."""
    return played[_KEPT].drop_duplicates(_SIDE, ignore_index=True)


def meetings_of(sides: pd.DataFrame) -> pd.DataFrame:
    """One row per ordered pair of bots that met in a match: `bot` scored `score` against `other`."""
    small = sides[[*_SIDE, "pair_id", "variant", "rank"]]
    met = small.merge(small[[*_SIDE, "rank"]], on="match_id", suffixes=("", "_other"))
    met = met[(met["team"] != met["team_other"]) & (met["bot"] != met["bot_other"])]
    better, equal = met["rank"] < met["rank_other"], met["rank"] == met["rank_other"]
    return met.assign(other=met["bot_other"], score=better.astype(float) + 0.5 * equal.astype(float))


def duels_of(meetings: pd.DataFrame) -> dict[tuple[str, str], Duel]:
    """(bot, other) -> their meetings."""
    if meetings.empty:
        return {}
    pairs = meetings.groupby(["bot", "other", "pair_id"])["score"].mean()
    units = pairs.groupby(level=["bot", "other"]).agg(["std", "count"])
    marked = meetings.assign(won=meetings["score"] == 1.0, drew=meetings["score"] == 0.5)
    totals = marked.groupby(["bot", "other"]).agg(
        meetings=("score", "size"), wins=("won", "sum"), draws=("drew", "sum"), score=("score", "mean")
    )
    return {
        (str(row["bot"]), str(row["other"])): Duel(
            meetings=int(row["meetings"]),
            wins=int(row["wins"]),
            draws=int(row["draws"]),
            losses=int(row["meetings"]) - int(row["wins"]) - int(row["draws"]),
            score=float(row["score"]),
            superiority=_superiority(float(row["score"]), float(row["std"]), int(row["units"])),
        )
        for row in records(totals.join(units.rename(columns={"count": "units"})).reset_index())
    }


def _superiority(score: float, deviation: float, units: int) -> float | None:
    if units < 2 or not math.isfinite(deviation):
        return None
    return likelihood_of_superiority(score, deviation / math.sqrt(units))
