"""The tournaments that come with heroquest."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.schedule import make_schedule

CONFIGS = Path(__file__).parents[3] / "configs"


def test_every_pair_plays_both_sides_on_one_seed() -> None:
    pairings = list(make_schedule(load_tournament(CONFIGS / "heroquest-small.yaml")))
    by_pair: dict[str, list[tuple[int, tuple[tuple[str, tuple[int, ...]], ...]]]] = {}
    for pairing in pairings:
        held = tuple((entrant.bot, entrant.seats) for entrant in pairing.entrants)
        by_pair.setdefault(pairing.pair_id, []).append((pairing.seed, held))
    for matches in by_pair.values():
        assert len(matches) == 2
        (seed, one), (other_seed, other) = matches
        assert seed == other_seed
        assert [seats for _, seats in one] == [seats for _, seats in other]
        assert [seats[-1] + 1 == other_seats[0] for (_, seats), (_, other_seats) in pairwise(one)] == [True]
        assert [bot for bot, _ in one] == [bot for bot, _ in other][::-1]
