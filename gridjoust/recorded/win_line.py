"""Estimates the win shares at some turns of a match, more of them near large changes, and finds the largest drops."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean

from gridjoust.recorded.analysis import Analysis, Drop, Point, Side
from gridjoust.recorded.playouts import Situation, Winning
from gridjoust.runner.results.records.lines import MatchRecord, Termination
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.runner.statistics.intervals import wilson
from gridjoust.runner.wire.text import plain_text

MOST_DROPS = 5
_DIGITS = 4
_MOST_LETTERS = 60

Told = Callable[[int, int], bool]
"""Called with the number of turns done and wanted; returns True to go on."""


def analyse(
    record: MatchRecord, bots: Sequence[str], *, playouts: int, turns: int, seed: int = 0, told: Told | None = None
) -> Analysis:
    """Estimate the win shares of all sides (seats that win together) after `turns` turns, by `playouts` playouts each.

    Half of the turns are spread evenly; each further one halves the gap with the largest change. If `told`
    returns False, the analysis ends early: with fewer turns, each with all its playouts.
    """
    game = game_of(record)
    winning = Winning.of(game)
    situations: list[Situation] = []
    for moment in replay(record):
        stamp = 0 if moment.line is None else moment.line.stamp
        situations.append(Situation(game, record.header.match_id, moment.turn, moment.state, stamp))
    end = len(situations) - 1
    points = {end: _end_of(record, winning, situations[end])}
    evenly = _spread(end, max(2, turns // 2))
    for done in range(min(turns, end)):
        turn = evenly[done] if done < len(evenly) else _steepest(points)
        if turn is None or (told is not None and not told(done, min(turns, end))):
            break
        points[turn] = _point(situations[turn], winning, bots, playouts=playouts, seed=seed)
    found = [points[turn] for turn in sorted(points)]
    return Analysis(
        match=record.header.match_id,
        record=record.end.hash,
        goal=winning.goal,
        bots=list(bots),
        seed=seed,
        sides=_sides(record, winning),
        points=found,
        drops=find_drops(found),
    )


def _point(situation: Situation, winning: Winning, bots: Sequence[str], *, playouts: int, seed: int) -> Point:
    if situation.game.is_terminal(situation.state):
        return _known(situation.turn, winning.shares(situation.state))
    ends = (situation.play_on(bots, number=number, seed=seed) for number in range(playouts))
    by_side = list(zip(*(winning.shares(state) for state in ends), strict=True))
    ranges = [wilson(sum(values), playouts) for values in by_side]
    return Point(
        situation.turn,
        playouts,
        [round(fmean(values), _DIGITS) for values in by_side],
        [round(one.low, _DIGITS) for one in ranges if one],
        [round(one.high, _DIGITS) for one in ranges if one],
    )


def _end_of(record: MatchRecord, winning: Winning, last: Situation) -> Point:
    """Return the last point of the line: who won, by the last state, or by the record after a forfeit."""
    if winning.goal or record.end.termination is Termination.COMPLETED:
        return _known(last.turn, winning.shares(last.state))
    return _known(last.turn, winning.by_side(record.end.points))


def _known(turn: int, shares: Sequence[float]) -> Point:
    rounded = [round(share, _DIGITS) for share in shares]
    return Point(turn, 0, rounded, rounded, rounded)


def _spread(end: int, count: int) -> list[int]:
    """Return turns spread evenly before the end, halves before quarters, so that an early stop still spans the match.

    >>> _spread(8, 4)
    [0, 4, 2, 6]
    """
    wanted = sorted({at * end // count for at in range(count)} - {end})
    return sorted(wanted, key=lambda turn: (_rank(wanted.index(turn), len(wanted)), turn))


def _rank(at: int, count: int) -> int:
    """Return how often a range of `count` numbers is halved until one half begins with `at`."""
    low, high, rank = 0, count, 0
    while at != low:
        middle = (low + high + 1) // 2
        low, high, rank = (low, middle, rank + 1) if at < middle else (middle, high, rank + 1)
    return rank


def _steepest(points: dict[int, Point]) -> int | None:
    """Return the turn in the middle of the two known turns between which win shares change most.

    If chance may explain all changes, take the two that are farthest apart. None if every turn is known.
    """
    neighbours = [pair for pair in pairwise(sorted(points)) if pair[1] - pair[0] > 1]
    if not neighbours:
        return None
    first, last = max(neighbours, key=lambda pair: (_change(points[pair[0]], points[pair[1]]), pair[1] - pair[0]))
    return (first + last) // 2


def _change(one: Point, other: Point) -> float:
    """Return the largest change of any side's win share that chance does not explain, else 0."""
    sides = range(len(one.shares))
    changes = ((abs(one.shares[side] - other.shares[side]), _error(one, other, side)) for side in sides)
    return max((change for change, error in changes if change > error), default=0.0)


def find_drops(points: Sequence[Point]) -> list[Drop]:
    """Return the losses of win share between two points that chance does not explain, the largest first."""
    found = [
        Drop(before.turn, after.turn, side, share, after.shares[side], round(_error(before, after, side), _DIGITS))
        for before, after in pairwise(points)
        for side, share in enumerate(before.shares)
    ]
    told = (drop for drop in found if drop.before - drop.after > drop.error)
    return sorted(told, key=lambda drop: (drop.after - drop.before, drop.first))[:MOST_DROPS]


def _error(before: Point, after: Point, side: int) -> float:
    """Return half the 95 % interval of the change of a side's win share, from the two points' intervals."""
    return math.hypot(*((point.highs[side] - point.lows[side]) / 2 for point in (before, after)))


def _sides(record: MatchRecord, winning: Winning) -> list[Side]:
    teams, entries = winning.game.teams, record.header.seats
    found = []
    for team in winning.sides:
        seats = [seat for seat, own in enumerate(teams) if own == team]
        name = " + ".join(dict.fromkeys(entries[seat].bot for seat in seats))
        found.append(Side(plain_text(name, limit=_MOST_LETTERS), seats))
    return found
