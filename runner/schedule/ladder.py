"""Ladder: bots stand on rungs, each challenges the one above and takes its place by beating it. Knows no matches.

A round has every rung challenge once: first the second, fourth, ... then the third, fifth, ..., so that half of them
play at once. More rounds go on from where the ladder stood.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from runner.config.formats import Ladder
from runner.schedule.meeting import Decisions, Lineup, Meeting, Result, format_ranking, half_if_void


def ladder(lineup: Lineup, form: Ladder) -> Decisions:
    """Challenges on `pairs` seeds each, as many as the form has; who scores just half does not climb."""
    pairs, matches_each = form.pairs, lineup.matches_each
    rungs = list(lineup.order)  # best first
    round_number, left = 0, form.most_matches(len(rungs), matches_each) // (pairs * matches_each)
    while left:
        round_number += 1
        for start in (1, 2):
            climbing = list(range(start, len(rungs), 2))[:left]
            left -= len(climbing)
            if climbing:
                results = yield [
                    Meeting((rungs[at], rungs[at - 1]), round_number, reason=_reason(round_number, at), number=number)
                    for at in climbing
                    for number in range(1, pairs + 1)
                ]
                _climb(rungs, climbing, results, pairs)
    rounds = "1 round" if round_number == 1 else f"{round_number} rounds"
    return f"ladder after {rounds}: {format_ranking([lineup.names[place] for place in rungs])}"


def _climb(rungs: list[int], climbing: list[int], results: Sequence[Result], pairs: int) -> None:
    """Swap challengers that have won with the bots above them."""
    for turn, at in enumerate(climbing):
        shares = [half_if_void(result) for result in results[turn * pairs : (turn + 1) * pairs]]
        if sum(shares, Fraction(0)) * 2 > pairs:
            rungs[at], rungs[at - 1] = rungs[at - 1], rungs[at]


def _reason(round_number: int, at: int) -> str:
    return f"ladder round {round_number}: place {at + 1} challenges place {at}"
