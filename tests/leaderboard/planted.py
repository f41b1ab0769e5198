"""Matches of three bots with one defect each, and without one: played by chance from a seed, on boards of their own."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from gridjoust.runner.results.records.lines import MatchRecord
from tests.leaderboard.seats_builder import with_header
from tests.runner.results.records.records_builder import make_record

Chance = Mapping[str, float]  # of the bot named first, by the two names
STRENGTH: Chance = {"ab": 0.65, "ac": 0.8, "bc": 0.65}
CIRCLE: Chance = {"ab": 0.85, "bc": 0.85, "ac": 0.15}


def pairs_of(
    two: Sequence[str],
    chance: float,
    rng: random.Random,
    *,
    pairs: int = 60,
    drawn: float = 0.05,
    first_seat: float = 0.0,
) -> list[MatchRecord]:
    """Pairs of matches on the seeds 0, 1, 2, ... in which the first bot wins with this chance."""
    found = []
    for seed in range(pairs):
        for turned in (False, True):
            bots = tuple(reversed(two)) if turned else tuple(two)
            own = min(1.0, (1 - chance if turned else chance) + first_seat)
            score = 0.0 if rng.random() < drawn else 1.0 if rng.random() < own else -1.0
            moves = [{0: f"{rng.random()}"}, {1: f"{rng.random()}"}]
            name = f"{'-'.join(two)}-{seed}"
            found.append(
                make_record(
                    f"{name}-{int(turned)}",
                    bots=bots,
                    returns=(score, -score),
                    pair_id=name,
                    turns=moves,
                    header={"seed": seed, "round": seed + 1},
                )
            )
    return found


def round_robin(
    chance: Chance = STRENGTH, *, pairs: int = 60, drawn: float = 0.05, first_seat: float = 0.0, seed: int = 1
) -> list[MatchRecord]:
    """Everybody meets everybody."""
    rng = random.Random(seed)
    return [
        match
        for two, own in chance.items()
        for match in pairs_of(two, own, rng, pairs=pairs, drawn=drawn, first_seat=first_seat)
    ]


def _forfeiting() -> list[MatchRecord]:
    lost = [
        make_record(
            f"f{bot}{at}",
            bots=("f", bot) if at % 2 else (bot, "f"),
            forfeited=(0,) if at % 2 else (1,),
            faults=(3, 0) if at % 2 else (0, 3),
            returns=(-1, 1) if at % 2 else (1, -1),
            turns=[{0: f"{bot}{at}"}],
            pair_id=f"f{bot}{at // 2}",
            header={"seed": at // 2},
        )
        for bot in "abc"
        for at in range(120)
    ]
    return [*round_robin(), *lost]


def _disconnected() -> list[MatchRecord]:
    rng = random.Random(3)
    return [*pairs_of("ab", 0.65, rng), *pairs_of("cd", 0.65, rng)]


def _one_board() -> list[MatchRecord]:
    return [with_header(record, seed=7) for record in round_robin()]


def _adaptive() -> list[MatchRecord]:
    return [with_header(record, schedule_reason="race: a and b open for winner") for record in round_robin()]


def _duplicate() -> list[MatchRecord]:
    """Two names for one program, which is as good as itself."""
    records = round_robin({"ab": 0.5, "ac": 0.75, "bc": 0.75})

    def renamed(record: MatchRecord) -> MatchRecord:
        seats = [
            type(seat)(**{name: getattr(seat, name) for name in seat.__struct_fields__} | {"bot_hash": "hash-a"})
            if seat.bot == "b"
            else seat
            for seat in record.header.seats
        ]
        return with_header(record, seats=seats)

    return [renamed(record) for record in records]


def everybody(names: str, rng: random.Random, *, pairs: int) -> list[MatchRecord]:
    """A round robin of bots whose strengths are drawn."""
    own = {name: rng.gauss(0, 1) for name in names}
    return [
        match
        for one, other in combinations(names, 2)
        for match in pairs_of((one, other), 1 / (1 + 2.72 ** (own[other] - own[one])), rng, pairs=pairs)
    ]


PLANTED: Mapping[str, Callable[[], list[MatchRecord]]] = {
    "too few pairs": lambda: round_robin(pairs=8),
    "first seat": lambda: round_robin(first_seat=0.3),
    "draw-prone": lambda: round_robin(pairs=200, drawn=0.9),
    "circle": lambda: round_robin(CIRCLE),
    "disconnected": _disconnected,
    "one board": _one_board,
    "one bot always forfeits": _forfeiting,
    "adaptive": _adaptive,
    "a duplicate bot": _duplicate,
}
