"""Returns and forfeits -> ranks and points. Pure functions; knows no rules and no leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def rank_seats(teams: Sequence[int], returns: Sequence[float], lost_at: Mapping[int, int]) -> list[int]:
    """Rank of every seat, 1 is best; seats of one team share a rank, equal teams share the better one.

    `lost_at` maps a team that has forfeited to the turn in which it did: it ranks below every team that has not, and
    below every team that forfeited later. Otherwise the team's mean return decides.
    """
    keys: dict[int, tuple[bool, float]] = {team: (False, turn) for team, turn in lost_at.items()}
    for team in set(teams) - keys.keys():
        own = [value for seat, value in enumerate(returns) if teams[seat] == team]
        keys[team] = (True, sum(own) / len(own))
    rank_of = {team: 1 + sum(other > key for other in keys.values()) for team, key in keys.items()}
    return [rank_of[team] for team in teams]


def share_points(teams: Sequence[int], ranks: Sequence[int]) -> list[float | None]:
    """Points per seat: share of the other teams beaten, a tie counting half; None where there is one team.

    With two teams that is 1, 0.5 or 0.
    """
    rank_of = dict(zip(teams, ranks, strict=True))
    if len(rank_of) < 2:
        return [None] * len(teams)
    points = {}
    for team, mine in rank_of.items():
        others = [rank for other, rank in rank_of.items() if other != team]
        points[team] = sum(1.0 if mine < rank else 0.5 if mine == rank else 0.0 for rank in others) / len(others)
    return [points[team] for team in teams]
