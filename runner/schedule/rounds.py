"""Formats that are known in advance: round robin, gauntlet, solo. Lazy; ask for no results."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from runner.config.values import Tournament
from runner.schedule.combinations import Group, gauntlet_groups, spread_combinations


def groups(config: Tournament, sides: int) -> Iterator[Group]:
    """Groups of bots that meet in one round, one bot per side; spread over the bots."""
    count = len(config.bots)
    if config.format.type == "gauntlet":
        return gauntlet_groups(count, challengers(config), sides)
    return spread_combinations(count, sides)


def count_groups(config: Tournament, sides: int) -> int:
    """How many groups `groups` yields."""
    count = len(config.bots)
    if config.format.type == "gauntlet":
        chosen = len(config.format.challengers)
        return chosen * comb(count - chosen, sides - 1)
    return comb(count, sides)


def challengers(config: Tournament) -> tuple[int, ...]:
    """Places of the challengers in the tournament's list of bots, in the order of `challengers`."""
    names = [bot.name for bot in config.bots]
    return tuple(names.index(name) for name in config.format.challengers)
