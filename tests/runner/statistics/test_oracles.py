"""Our batch fits beside public packages, where these are installed; and that these give their own published numbers."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from gridjoust.runner.statistics import ELO_PER_NAT, bradley_terry, plackett_luce
from tests.runner.statistics.cases import PublishedCase, cases

STEP_NATS = 0.5


def _races(seed: int, races: int, *, bots: int = 5) -> list[list[int]]:
    """Rank orders of all bots; bot 0 is the weakest."""
    rng = random.Random(seed)
    strengths = [2.718281828 ** (STEP_NATS * bot) for bot in range(bots)]
    return [sorted(range(bots), key=lambda bot: rng.expovariate(strengths[bot])) for _ in range(races)]


def _order_of(races: list[list[int]]) -> list[int]:
    fit = plackett_luce([[str(bot) for bot in race] for race in races])
    return sorted(range(5), key=lambda bot: -fit.ratings[str(bot)])


@cases("openskill")
def test_the_openskill_that_is_installed_is_the_published_one(case: PublishedCase) -> None:
    models: Any = pytest.importorskip("openskill.models")
    inputs = case["inputs"]
    names = ("mu", "sigma", "beta", "kappa", "tau")
    model = getattr(models, inputs["model"])(**{name: inputs[name] for name in names})
    teams = [[model.rating() for _ in range(size)] for size in inputs["team_sizes"]]
    ranks = None if inputs["ranks"] == "order given" else inputs["ranks"]
    rated = model.rate(teams, ranks=ranks)
    flat = [value for team in rated for rating in team for value in (rating.mu, rating.sigma)]
    assert flat == pytest.approx(case["expected"], abs=case["tolerance"])


@cases("trueskill")
def test_the_trueskill_that_is_installed_is_the_published_one(case: PublishedCase) -> None:
    trueskill: Any = pytest.importorskip("trueskill")
    inputs = case["inputs"]
    model = trueskill.TrueSkill(**inputs["env"])
    groups = [tuple(model.create_rating(*one) for one in group) for group in inputs["groups"]]
    if case["what"] == "quality":
        assert model.quality(groups) == pytest.approx(case["expected"], abs=case["tolerance"])
        return
    ranks = None if isinstance(inputs["ranks"], str) else inputs["ranks"]
    flat = [value for group in model.rate(groups, ranks=ranks) for one in group for value in (one.mu, one.sigma)]
    expected = [value for pair in case["expected"] for value in pair]
    assert flat == pytest.approx(expected, abs=case["tolerance"])


@pytest.mark.gate
def test_batch_ratings_put_bots_in_the_order_of_openskill_and_trueskill() -> None:
    models: Any = pytest.importorskip("openskill.models")
    trueskill: Any = pytest.importorskip("trueskill")
    for seed, model, team in (
        (1, models.PlackettLuce(), lambda rating: [rating]),
        (2, trueskill.TrueSkill(draw_probability=0.0), lambda rating: (rating,)),
    ):
        races = _races(seed, 400)
        make = getattr(model, "rating", None) or model.create_rating
        ratings = {bot: make() for bot in range(5)}
        for race in races:
            for bot, (rating,) in zip(race, model.rate([team(ratings[bot]) for bot in race]), strict=True):
                ratings[bot] = rating
        assert _order_of(races) == sorted(ratings, key=lambda bot: -ratings[bot].mu)


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(3))
def test_fits_without_prior_are_those_of_choix(seed: int) -> None:
    choix: Any = pytest.importorskip("choix")
    races = _races(seed, 60)
    wins = [pair for race in races for pair in pairwise(race)]
    ranked = plackett_luce([[str(bot) for bot in race] for race in races], prior=0)
    paired = bradley_terry([(str(winner), str(loser), 1.0) for winner, loser in wins], prior=0)
    for fit, expected in ((ranked, choix.opt_rankings(5, races)), (paired, choix.opt_pairwise(5, wins))):
        got = [fit.ratings[str(bot)] / ELO_PER_NAT for bot in range(5)]
        assert got == pytest.approx([one - sum(expected) / 5 for one in expected], abs=1e-4)
