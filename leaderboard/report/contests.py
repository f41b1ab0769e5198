"""Lists the meetings in a `Scope`: one row per meeting of a pair of bots, and each pair's wins, draws and losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from gridjoust.leaderboard.frame.codes import combine, names_of
from gridjoust.leaderboard.frame.entries import rivals
from gridjoust.leaderboard.report.source import Scope, records
from gridjoust.runner.statistics import EloEstimate, elo_from_pairs, elo_from_wdl, likelihood_of_superiority


@dataclass(frozen=True, slots=True)
class Duel:
    """All matches of one bot against another, counted from the first bot's side."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]  # that scored 0, 0.5, 1, 1.5 and 2 points; empty unless all pairs are two matches
    superiority: float | None  # likelihood that the first is truly better; None if all pairs had the same score

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per match, 0 to 1."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def estimate(self) -> EloEstimate:
        """The difference in Elo between the two bots, from pairs of matches if there are any."""
        return elo_from_pairs(*self.pairs) if self.pairs else elo_from_wdl(self.wins, self.draws, self.losses)


def encounters_of(scope: Scope) -> pd.DataFrame:
    """Return one row per ordered pair of bots that met in a match: `bot` scored `score` against `other`.

    Rows are in the order of the schedule; a match counts once per team, however many seats a bot holds.
    """
    entries = scope.entries
    first, second = rivals(entries)
    one, other = np.concatenate([first, second]), np.concatenate([second, first])
    names = np.array([*names_of(scope.seats, "bot"), ""], dtype=object)
    order = list(dict.fromkeys(scope.played["match_id"]))
    ids = np.array([*sorted(order), ""], dtype=object)
    place = {match_id: at for at, match_id in enumerate(order)}
    met = pd.DataFrame(
        {
            "match_id": ids[combine(entries.match)[one]],
            "bot": names[entries.bot[one]],
            "other": names[entries.bot[other]],
            "pair": entries.pair[one],
            "score": 0.5 + np.sign(entries.rank[other] - entries.rank[one]) / 2,
        }
    )
    return met.iloc[np.lexsort((other, one, met["match_id"].map(place)))]


@lru_cache(maxsize=1)  # several sections in a row ask for the same
def duels_of(scope: Scope) -> Mapping[tuple[str, str], Duel]:
    """Return the wins, draws and losses of every two bots that met, by (bot, other)."""
    met = encounters_of(scope)
    if met.empty:
        return {}
    duels = ["bot", "other"]
    pairs = met.groupby([*duels, "pair"])["score"].agg(["sum", "mean", "size"])
    by_duel = pairs.groupby(level=duels)
    units = by_duel.agg(score=("mean", "mean"), units=("mean", "size"), least=("size", "min"), most=("size", "max"))
    units["error"] = by_duel["mean"].std(ddof=0) / np.sqrt(units["units"])  # as for `elo_from_pairs`
    kinds = (2 * pairs["sum"]).round().astype(int).groupby(level=duels).value_counts().unstack(fill_value=0)
    totals = met.groupby(duels)["score"].value_counts().unstack(fill_value=0)
    counts = totals.reindex(columns=[1.0, 0.5, 0.0], fill_value=0).set_axis(["wins", "draws", "losses"], axis=1)
    pentanomial = kinds.reindex(columns=range(5), fill_value=0).reindex(counts.index).to_numpy()
    return {
        (str(row["bot"]), str(row["other"])): Duel(
            wins=int(row["wins"]),
            draws=int(row["draws"]),
            losses=int(row["losses"]),
            pairs=tuple(own) if row["least"] == row["most"] == 2 else (),
            superiority=likelihood_of_superiority(float(row["score"]), float(row["error"])),
        )
        for row, own in zip(records(counts.join(units).reset_index()), pentanomial.tolist(), strict=True)
    }
