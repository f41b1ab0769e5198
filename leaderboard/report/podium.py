"""The first three at a glance, for the head of the page."""

from __future__ import annotations

from gridjoust.leaderboard.columns import UNITS, format_strength, strength_of
from gridjoust.leaderboard.report.blocks import Step
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.standings import count_pools
from gridjoust.leaderboard.wording import plural

PLACES = 3


def podium(scope: Scope) -> tuple[Step, ...]:
    """Return the first three places of two or more bots; nothing if no result compares some of them (pools)."""
    board = scope.board
    played = [one for one in board.standings if one.matches]
    if len(played) < 2 or count_pools(played) > 1:
        return ()
    unit, steps = UNITS[board.ranked_by], []
    for standing in (one for one in played[:PLACES] if one.rank <= PLACES):
        strength = strength_of(standing, board.ranked_by)
        text = "" if strength is None else f"{unit.title} {format_strength(strength, board)}"
        steps.append(Step(standing.rank, scope.named(standing.bot), text, plural(standing.matches, "match")))
    return tuple(steps)
