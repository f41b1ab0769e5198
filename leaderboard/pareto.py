"""The Pareto front of strength against cost. Knows neither ratings nor milliseconds."""

from __future__ import annotations

from collections.abc import Mapping


def pareto_front(points: Mapping[int, tuple[float, float]]) -> list[int]:
    """Whoever nobody beats in both (strength, cost), cheapest first; empty below two points: a front of what?

    >>> pareto_front({1: (100.0, 5.0), 2: (50.0, 1.0), 3: (40.0, 2.0)})
    [2, 1]
    """
    if len(points) < 2:
        return []
    front: list[int] = []
    best = float("-inf")
    by_cost = sorted(points, key=lambda name: (points[name][1], -points[name][0], name))
    for at, name in enumerate(by_cost):
        strength, cost = points[name]
        is_equal = at > 0 and points[by_cost[at - 1]] == (strength, cost) and by_cost[at - 1] in front
        if strength > best or is_equal:
            front.append(name)
            best = strength
    return front
