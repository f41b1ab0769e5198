"""Returns and forfeits -> ranks and points. Pure functions; knows no rules and no leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def rank_seats(teams: Sequence[int], returns: Sequence[float], lost_at: Mapping[int, int]) -> list[int]:
    """Rank of every seat, 1 is best; seats of one team share a rank, equal teams share the better one.

    `lost_at` maps a team that has forfeited to the turn in which it did: it ranks below every team that has not, and
    below every team that forfeited later. Otherwise the team's mean return decides.
    """
    keys = {team: _team_key(team, teams, returns, lost_at) for team in set(teams)}
    rank_of = {team: 1 + sum(other > key for other in keys.values()) for team, key in keys.items()}
    return [rank_of[team] for team in teams]


def share_points(teams: Sequence[int], ranks: Sequence[int]) -> list[float | None]:
    """Points per seat: share of the other teams beaten, a tie counting half; None where there is one team.

    With two teams that is 1, 0.5 or 0.
    """
    rank_of = dict(zip(teams, ranks, strict=True))
    if len(rank_of) < 2:
        return [None] * len(teams)
    return [_team_points(team, rank_of) for team in teams]


def _team_key(
    team: int, teams: Sequence[int], returns: Sequence[float], lost_at: Mapping[int, int]
) -> tuple[bool, float]:
    if team in lost_at:
        return (False, float(lost_at[team]))
    own = [value for seat, value in enumerate(returns) if teams[seat] == team]
    return (True, sum(own) / len(own))


def _team_points(team: int, rank_of: Mapping[int, int]) -> float:
    mine = rank_of[team]
    others = [rank for other, rank in rank_of.items() if other != team]
    return sum(1.0 if mine < rank else 0.5 if mine == rank else 0.0 for rank in others) / len(others)
