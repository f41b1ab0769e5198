"""Made-up tables of results with known strengths, in the form of `results.csv`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gridjoust.runner.config.formats import Ladder
from gridjoust.runner.schedule.duels import ladder
from gridjoust.runner.schedule.pairing import Lineup, Result
from gridjoust.runner.statistics import ELO_PER_NAT

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Plan:
    """The bots in the seats of every match: arrays by row; a match has `width` rows."""

    frame: pd.DataFrame
    bot: Indices
    seed: Indices
    width: int


def duel_plan(bots: int, pairs: int) -> Plan:
    """Plan matches between all bots on `pairs` seeds, with the seats swapped."""
    seats, pair, seed = [], [], []
    for number, (one, other) in enumerate(combinations(range(bots), 2)):
        for at in range(pairs):
            seats += [one, other, other, one]
            pair += [number * pairs + at] * 4
            seed += [at] * 4
    return _plan(seats, pair, seed, width=2)


def crowd_plan(bots: int, seeds: int) -> Plan:
    """Plan matches with all bots in each, one match per rotation of the seats on every seed."""
    seats = [(seat + turn) % bots for _ in range(seeds) for turn in range(bots) for seat in range(bots)]
    seed = np.repeat(np.arange(seeds), bots * bots).tolist()
    return _plan(seats, seed, seed, width=bots)


def solo_plan(bots: int, seeds: int) -> Plan:
    """Plan solo matches of every bot on the same seeds."""
    seats = [bot for bot in range(bots) for _ in range(seeds)]
    seed = list(range(seeds)) * bots
    return _plan(seats, list(range(len(seats))), seed, width=1)


def _plan(seats: list[int], pair: list[int], seed: list[int], *, width: int) -> Plan:
    rows = len(seats)
    match = np.repeat(np.arange(rows // width), width)
    fixed: dict[str, Any] = {
        "match_id": [f"{one:016x}" for one in match],
        "pair_id": [f"{one:016x}" for one in pair],
        "game": "made_up",
        "variant": "made_up",
        "params_id": "0",
        "map": "",
        "role": "",
        "actions_id": "",
        "bot": [f"bot{one:02}" for one in seats],
        "planner": "",
        "seed": np.array(seed, dtype=np.float64),
        "seat": np.arange(rows) % width,
        "team": np.arange(rows) % width,
        "faults": 0,
        "forfeited": 0,
        "turns_acted": 1,
        "counted": 1,
    }
    return Plan(pd.DataFrame(fixed), np.array(seats), np.array(seed), width)


def play_by_strength(
    plan: Plan, elo: Floats, rng: np.random.Generator, *, seat_elo: Floats | float = 0.0
) -> pd.DataFrame:
    """Play every match by the model of the fit: bots win in the order of their noisy strengths, without draws.

    `seat_elo` is what the seat of each row is worth on the board of its match.

    R. D. Luce (1959): the order of strengths with Gumbel noise.
    """
    noisy = (elo[plan.bot] + seat_elo) / ELO_PER_NAT + rng.gumbel(size=len(plan.bot))
    in_match = noisy.reshape(-1, plan.width)
    rank = 1 + (in_match[:, None, :] > in_match[:, :, None]).sum(axis=2).reshape(-1)
    points = 1 - (rank - 1) / (plan.width - 1)
    return plan.frame.assign(rank=rank, points=points, returns=points)


def play_ladder(form: Ladder, elo: Floats, rng: np.random.Generator) -> pd.DataFrame:
    """Play a ladder of bots that start in chance order; it decides by results which pairings are played, and how often.

    Two bots play twice on a seed, with the seats swapped.
    """
    bots = len(elo)
    lineup = Lineup(tuple(map(str, range(bots))), tuple(rng.permutation(bots).tolist()), matches_each=2)
    seats: list[int] = []
    points: list[float] = []
    course = ladder(lineup, form)
    try:
        batch = next(course)
        while True:
            results = []
            for one, other in (meeting.bots for meeting in batch):
                chance = 1 / (1 + np.exp((elo[other] - elo[one]) / ELO_PER_NAT))
                first, second = (rng.random(2) < chance).astype(float).tolist()
                seats += [one, other, other, one]
                points += [first, 1 - first, 1 - second, second]
                results.append(Result(((first, second),)))
            batch = course.send(results)
    except StopIteration:
        pass
    pair = np.repeat(np.arange(len(seats) // 4), 4).tolist()
    own = np.array(points)
    return _plan(seats, pair, pair, width=2).frame.assign(rank=2 - own, points=own, returns=own)


def play_alone(plan: Plan, returns: Floats) -> pd.DataFrame:
    """Return the rows of a solo plan with these returns, one per row."""
    return plan.frame.assign(rank=1, points=np.nan, returns=returns)
