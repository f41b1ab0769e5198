"""What a leaderboard says in plain words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest

from runner.record.lines import MatchRecord
from tests.leaderboard.seats_builder import alone, board_of, in_game, met
from tests.runner.record.records_builder import duel, duels, make_record, solo


def _said(records: Sequence[MatchRecord]) -> str:
    return "\n".join(board_of(*records, resamples=200).sentences)


def _alike(*bots: str, seeds: Sequence[int]) -> list[MatchRecord]:
    """The same actions in match after match."""
    turns = [{0: "N"}, {1: "S"}]
    return [
        make_record(f"{bots[0]}{at}", bots=bots, returns=(1, -1), turns=turns, header={"seed": seed})
        for at, seed in enumerate(seeds)
    ]


def _circle(pairs: int) -> list[MatchRecord]:
    beats = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
    return [match for one, other in beats for match in duels(one, other, [1] * 2 * pairs)]


SEATED = [duel(*two, 1, f"{at}{two}", pair_id=str(at)) for at in range(6) for two in (("a", "b"), ("b", "a"))]
MISSED = [*in_game("one", alone(a=[1], b=[1])), *in_game("two", solo("a", [1], prefix="two"))]
ORDERS = [("rock", "scissors", "paper"), ("scissors", "paper", "rock"), ("paper", "rock", "scissors")]
RACES = [make_record(f"m{at}", bots=ORDERS[at % 3], returns=(3, 2, 1), header={"seed": at}) for at in range(300)]

SAID = {
    "a and b cannot be separated at 95 %": met(ab=[1, 0] * 6, ac=[1] * 40, bc=[1] * 40),
    "a is first, separated from all others at 95 %": met(ab=[1] * 40, ac=[1] * 40, bc=[1, 0] * 20),
    "every place is separated from the next at 95 %": met(ab=[1] * 30 + [0, 1], bc=[1] * 30 + [0, 1], ac=[1] * 30),
    "nothing separates a from b in 10 pairs": duels("a", "b", [1, 0] * 10),
    "some bots share only 3 seeds: no intervals below 5, 20 or more are advisable": alone(a=[1, 2, 3], b=[2, 2, 2]),
    "the bots differ (Friedman's test over 20 common seeds: p < 0.001)": alone(
        a=range(3, 23), b=range(2, 22), c=range(20)
    ),
    "it is not sure that the bots differ at all (Friedman's test over 21 common seeds: p = ": alone(
        a=[1, 2, 3] * 7, b=[2, 3, 1] * 7, c=[3, 1, 2] * 7
    ),
    "in circles: paper beats rock beats scissors beats paper, so no ranking is right about all of them": _circle(12),
    "in circles: paper beats rock beats scissors": RACES,
    "3 of 4 matches went action by action like another one on another seed": _alike("a", "b", seeds=range(4)),
    "bomber: seat 0 scores 100 % (100 to 100) whoever has it": SEATED,
    "b forfeited 1 of 4 matches (25 %)": [
        *duels("a", "b", [1] * 3),
        make_record("out", bots=("a", "b"), forfeited=(1,)),
    ],
    "ranked by the share of rivals beaten, a mean over 2 games": MISSED,
    "b has played 1 of 2 games: its mean is over those": MISSED,
}
UNSAID = {
    "a single bot is compared with nobody": ("a", solo("a", [1] * 30)),
    "equal bots are promised nothing": ("more pairs", duels("a", "b", [1, 0] * 10)),
    "twenty seeds are enough": ("advisable", alone(a=range(20), b=range(1, 21))),
    "a circle that may be chance": ("circles", _circle(2)),
    "alike on the same seed is no surprise": ("action by action", _alike("a", "b", seeds=[1] * 4)),
    "nor with other bots": ("action by action", [*_alike("a", "b", seeds=[0]), *_alike("c", "d", seeds=[5])]),
}


@pytest.mark.parametrize("sentence", SAID)
def test_a_leaderboard_says(sentence: str) -> None:
    assert sentence in _said(SAID[sentence])


@pytest.mark.parametrize(("words", "records"), UNSAID.values(), ids=UNSAID)
def test_a_leaderboard_does_not_say(words: str, records: list[MatchRecord]) -> None:
    assert words not in _said(records)


def test_how_many_more_seeds_or_pairs_would_separate_two_bots_is_about_right() -> None:
    rng = random.Random(2)
    lead = [rng.gauss(0.5, 1) for _ in range(10)]
    found = re.search(r"about (\d+) more seeds? of each would separate a from b", _said(alone(a=lead, b=[0] * 10)))
    assert found
    # at the same mean and spread the interval of so many seeds just leaves out 0
    mean = sum(lead) / 10
    spread = (sum((one - mean) ** 2 for one in lead) / 9) ** 0.5
    assert 10 + int(found[1]) == pytest.approx((2.262 * spread / mean) ** 2, abs=1)
    met = _said(duels("a", "b", [1, 1, 1, 0, 1, 0, 0, 0.5] * 2))
    assert re.search(r"about \d+ more pairs? of each would separate a from b", met)
