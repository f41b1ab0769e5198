"""Computes ranks, points and final returns from the rules' returns and the forfeits of a match. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def rank_seats(teams: Sequence[int], returns: Sequence[float], lost_at: Mapping[int, int]) -> list[int]:
    """Return the rank of every seat, 1 is best; seats of one team share a rank, equal teams share the better one.

    `lost_at` maps a team that has forfeited to the turn of the forfeit. It ranks below every team that has not
    forfeited, and below every team that forfeited later. Otherwise the team's mean return decides.
    """
    keys: dict[int, tuple[bool, float]] = {team: (False, turn) for team, turn in lost_at.items()}
    for team in set(teams) - keys.keys():
        own = [value for seat, value in enumerate(returns) if teams[seat] == team]
        keys[team] = (True, sum(own) / len(own))
    rank_of = {team: 1 + sum(other > key for other in keys.values()) for team, key in keys.items()}
    return [rank_of[team] for team in teams]


def share_points(teams: Sequence[int], ranks: Sequence[int]) -> list[float | None]:
    """Return points per seat: the share of other teams beaten, a tie counts half; None if there is only one team.

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


def settle_returns(
    teams: Sequence[int],
    returns: Sequence[float],
    ranks: Sequence[int],
    forfeited: Collection[int],
    *,
    is_zero_sum: bool,
    is_completed: bool,
) -> list[float | None]:
    """Return the returns of every seat after forfeits, so that a forfeit is never better than playing on.

    `returns` are those of the last state, `forfeited` the seats that forfeited. In a zero-sum game, once all seats of a
    team have forfeited, a team gets the number of teams below it minus the number above it, shared by its seats: 1 and
    -1 for two teams. If a team had lost more already, all these returns grow until the last team loses as much. In
    other games a seat that forfeited has no returns (None); if the match did not end by the rules (`is_completed`), no
    seat has returns.

    >>> settle_returns([0, 1], [0.0, 0.0], [2, 1], [0], is_zero_sum=True, is_completed=False)
    [-1.0, 1.0]
    >>> settle_returns([0, 1], [3.0, 2.0], [1, 2], [1], is_zero_sum=False, is_completed=True)
    [3.0, None]
    """
    if is_zero_sum:
        is_lost = any(
            all(seat in forfeited for seat, other in enumerate(teams) if other == team) for team in set(teams)
        )
        return [*_by_ranks(teams, returns, ranks)] if is_lost else [*returns]
    if not forfeited:
        return [*returns]
    return [None if seat in forfeited or not is_completed else value for seat, value in enumerate(returns)]


def _by_ranks(teams: Sequence[int], returns: Sequence[float], ranks: Sequence[int]) -> list[float]:
    """Return returns by rank, scaled so that the last team loses at least as much as any team had lost already."""
    rank_of = dict(zip(teams, ranks, strict=True))
    lost = {team: -sum(value for value, other in zip(returns, teams, strict=True) if other == team) for team in rank_of}
    stake = max(1.0, max(lost.values()) / (len(rank_of) - 1))
    net = {
        team: sum(rank < other for other in rank_of.values()) - sum(rank > other for other in rank_of.values())
        for team, rank in rank_of.items()
    }
    return [net[team] * stake / teams.count(team) for team in teams]
