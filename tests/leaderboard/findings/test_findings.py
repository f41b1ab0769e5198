"""What a leaderboard says in plain words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from statistics import fmean, stdev

import pytest

from gridjoust.leaderboard.standings import FindingKind
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.statistics import t_critical
from tests.leaderboard.seats_builder import alone, board_of, in_game, met, of_planners, with_header
from tests.runner.results.records.records_builder import duel, duels, make_record, solo


def _said(records: Sequence[MatchRecord]) -> str:
    return "\n".join(board_of(*records).sentences)


def _alike(*bots: str, seeds: Sequence[int]) -> list[MatchRecord]:
    """The same actions in match after match."""
    turns = [{0: "N"}, {1: "S"}]
    return [
        make_record(
            "".join(bots) + str(at), bots=bots, returns=(1, -1)[: len(bots)], turns=turns, header={"seed": seed}
        )
        for at, seed in enumerate(seeds)
    ]


def _circle(pairs: int) -> list[MatchRecord]:
    beats = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
    return [match for one, other in beats for match in duels(one, other, [1] * 2 * pairs)]


SEATED = [duel(*two, 1, f"{at}{two}", pair_id=str(at)) for at in range(6) for two in (("a", "b"), ("b", "a"))]
MISSED = [*in_game("one", alone(a=[1], b=[1])), *in_game("two", solo("a", [1], prefix="two"))]
COSTS = [
    make_record(
        bot, bots=(bot,), returns=(own,), turns=[{0: "N"}], answers=[AnswerLine(turn=1, seat=0, expanded=nodes)]
    )
    for bot, own, nodes in (("slow", 9, 50), ("quick", 5, 1), ("beaten", 4, 2))
]
ORDERS = [("rock", "scissors", "paper"), ("scissors", "paper", "rock"), ("paper", "rock", "scissors")]
RACES = [make_record(f"m{at}", bots=ORDERS[at % 3], returns=(3, 2, 1), header={"seed": at}) for at in range(300)]
ON_FOUR_SEEDS = [with_header(match, seed=at % 4) for at, match in enumerate(duels("a", "b", [1, 0] * 10))]

SAID = {
    "all matches were played on 1 seed: the intervals hold for this board only": duels("a", "b", [1, 0] * 10),
    "all matches were played on 4 seeds: the intervals hold for these boards only": ON_FOUR_SEEDS,
    "a and b are level, not separated at 95 %": met(ab=[1, 0] * 6, ac=[1] * 40, bc=[1] * 40),
    "a is not separated from b at 95 %": met(ab=[1, 0] * 5 + [1, 1], ac=[1] * 40, bc=[1] * 40),
    "a is first, separated from all others at 95 %": met(ab=[1] * 40, ac=[1] * 40, bc=[1, 0] * 20),
    "every bot is separated from the next at 95 %": met(ab=[1] * 30 + [0, 1], bc=[1] * 30 + [0, 1], ac=[1] * 30),
    "c and d are not separated at 95 %": met(cd=[1, 0] * 6),
    "no two bots are separated at 95 %": met(ab=[1, 0] * 6, bc=[1, 0] * 6, ac=[1, 0] * 6),
    "too close to call: a against b after 10 pairs each": duels("a", "b", [1, 0] * 10),
    "too few matches to separate any two bots: an interval needs 5 seeds per bot, 20 are advisable": alone(
        a=[1, 2, 3], b=[2, 2, 2]
    ),
    "a and b share only 5 seeds: 20 or more are advisable": alone(a=[0, 0, 2, 2, 2], b=[0] * 5),
    "a and b met in only 8 pairs: 20 or more are advisable": met(ab=[1, 1, 1, 0] * 4, ac=[1] * 40, bc=[1] * 39 + [0]),
    "too few seeds for an interval, which needs 5: c": alone(a=[0, 0, 2, 2, 2], b=[0] * 5, c=[1]),
    # of 6 seeds like these the mean 1.2 is 2.68 standard errors, where Student's t wants 2.57
    "with about 1 more seed each, the chance to separate a from b is even": alone(a=[0, 0, 2, 2, 2], b=[0] * 5),
    "1 more seed each would separate a from b, if all go the same way again": alone(a=[1] * 5, b=[0] * 5),
    "Pareto front of strength against nodes per turn: slow and quick": of_planners(COSTS),
    "the bots differ (Friedman's test over 20 common seeds: p < 0.001)": alone(
        a=range(3, 23), b=range(2, 22), c=range(20)
    ),
    "the bots differ as a group (Friedman's test over 5 common seeds: p < 0.001), but no two are separated": alone(
        a=range(2, 7), b=range(1, 6), c=range(5)
    ),
    "by ranks alone, no significant difference between the bots (Friedman's test over 12 common seeds: p = ": alone(
        a=[10] * 7 + [-1] * 5, b=[0] * 12, c=[0.5, -0.5] * 6
    ),
    "no significant difference between the bots (Friedman's test over 21 common seeds: p = ": alone(
        a=[1, 2, 3] * 7, b=[2, 3, 1] * 7, c=[3, 1, 2] * 7
    ),
    "cycle: paper beats rock beats scissors beats paper, so no ranking is right about all of them": _circle(12),
    "cycle: paper beats rock beats scissors": RACES,
    "3 of 4 matches repeat a match on another seed action by action": _alike("a", "b", seeds=range(4)),
    "bomber: seat 0 scores 100 % (61 to 100), whichever bot has it": SEATED,
    "b forfeited 1 of 4 matches (25 %)": [
        *duels("a", "b", [1] * 3),
        make_record("out", bots=("a", "b"), forfeited=(1,)),
    ],
    "ranked by the share of rivals beaten, a mean over 2 games": MISSED,
    "beaten: some matches have opponents and some have none": [*duels("a", "b", [1, 1]), *solo("c", [1])],
    "b has played 1 of 2 games: its mean covers only those": MISSED,
}
UNSAID = {
    "five boards are enough": (
        "boards only",
        [with_header(match, seed=at % 5) for at, match in enumerate(duels("a", "b", [1, 0] * 10))],
    ),
    "without intervals boards need no word": ("board only", duels("a", "b", [1, 0] * 2)),
    "a single bot is compared with nobody": ("a", solo("a", [1] * 30)),
    "equal bots are promised nothing": ("more pairs", duels("a", "b", [1, 0] * 10)),
    "twenty seeds are enough": ("advisable", alone(a=range(20), b=range(1, 21))),
    "a circle that may be chance": ("cycle", _circle(2)),
    "alike on the same seed is no surprise": ("action by action", _alike("a", "b", seeds=[1] * 4)),
    "who played every game misses none": ("a has played", MISSED),
    "two bots have no test of Friedman": ("Friedman", alone(a=range(1, 21), b=range(20))),
    "nor with another number of seats": ("action by action", [*_alike("a", "b", seeds=[0]), *_alike("a", seeds=[5])]),
    "nor with other bots": ("action by action", [*_alike("a", "b", seeds=[0]), *_alike("c", "d", seeds=[5])]),
}


@pytest.mark.default(
    "all matches were played on 4 seeds: the intervals hold for these boards only",
    "Pareto front of strength against nodes per turn: slow and quick",
    "beaten: some matches have opponents and some have none",
    "sentence17",
)
@pytest.mark.parametrize("sentence", SAID)
def test_a_leaderboard_says(sentence: str) -> None:
    assert sentence in _said(SAID[sentence])


@pytest.mark.parametrize(("words", "records"), UNSAID.values(), ids=UNSAID)
def test_a_leaderboard_does_not_say(words: str, records: list[MatchRecord]) -> None:
    assert words not in _said(records)


@pytest.mark.gate
def test_of_each_kind_the_worst_three_are_named() -> None:
    records = [
        make_record(f"{bot}{at}", bots=bot, returns=(at,), forfeited=(0,) if at < failed else (), header={"seed": at})
        for failed, bot in enumerate("abcde")
        for at in range(5)
    ]
    said = board_of(*records, *in_game("other", solo("f", [1]))).findings
    by_kind = {kind: [one.bots for one in said if one.kind is kind] for kind in FindingKind}
    assert by_kind[FindingKind.FORFEITS] == [("e",), ("d",), ("c",)]
    assert by_kind[FindingKind.GAMES_MISSING] == [(one.bot,) for one in board_of(*records).standings[:3]]
    unsure = board_of(*alone(**{bot: [1.0, 2.0, 3.0] * 7 for bot in "abcde"})).findings
    assert [one.sentence for one in unsure if one.kind is FindingKind.WOULD_SEPARATE] == [
        "too close to call: a against b, c, d and e"
    ]


def test_so_many_more_seeds_give_an_even_chance_to_separate_two_bots() -> None:
    rng = random.Random(6)
    seen = [rng.gauss(0.7, 1) for _ in range(10)]
    found = re.search(
        r"with about (\d+) more seeds each, the chance to separate a from b is even", _said(alone(a=seen, b=[0] * 10))
    )
    assert found
    count, mean = 10 + int(found[1]), fmean(seen)
    spread = stdev(seen)
    separated = 0
    for _ in range(300):
        drawn = [rng.gauss(mean, spread) for _ in range(count)]
        separated += abs(fmean(drawn)) / (stdev(drawn) / count**0.5) > t_critical(count - 1, confidence=0.95)
    assert 0.35 < separated / 300 < 0.65


FORECASTS = {
    "far apart": ("with about", [1, 1, 1, 0, 1, 0.5] * 2),
    "three times what was played is too far": (
        "too close to call: a against b after 12 pairs each",
        [1, 1, 1, 0, 1, 0, 0, 0.5] * 3,
    ),
}


@pytest.mark.parametrize(("words", "scores"), FORECASTS.values(), ids=FORECASTS)
def test_a_forecast_is_made_where_it_is_worth_something(words: str, scores: list[float]) -> None:
    said = [one.sentence for one in board_of(*duels("a", "b", scores)).findings]
    assert next(line for line in said if "separate a from b" in line or "too close" in line).startswith(words)


def test_costs_that_differ_by_less_than_a_microsecond_are_equal_on_a_front() -> None:
    spent = (("slow", 9, 2.0), ("quick", 5, 0.0009), ("beaten", 4, 0.0006))
    answers = {bot: AnswerLine(turn=1, seat=0, planning_ms=ms) for bot, _, ms in spent}
    alike = [
        make_record(bot, bots=(bot,), returns=(own,), turns=[{0: "N"}], answers=[answers[bot]]) for bot, own, _ in spent
    ]
    assert "planning ms per turn: slow and quick" in _said(of_planners(alike))


def test_a_front_needs_bots_that_are_compared() -> None:
    apart = [with_header(match, seed=at) for at, match in enumerate(COSTS)]
    assert "nodes per turn: slow and quick" in _said(of_planners(COSTS))
    assert "Pareto front" not in _said(of_planners(apart))


def test_a_front_needs_three_planners_and_leaves_out_who_forfeited() -> None:
    assert "Pareto front" not in _said(COSTS)
    extra = [make_record("out", bots=("slow",), returns=(9,), forfeited=(0,), header={"seed": 1})]
    assert "Pareto front" not in _said(of_planners([*COSTS, *extra]))  # two planners are left
    own = AnswerLine(turn=1, seat=0, expanded=3)
    fourth = make_record("fourth", bots=("fourth",), returns=(6,), turns=[{0: "N"}], answers=[own])
    assert "nodes per turn: fourth and quick" in _said(of_planners([*COSTS, fourth, *extra]))


def test_what_would_separate_is_said_of_the_first_of_a_group_and_the_others_of_it() -> None:
    board = board_of(*met(ab=[1, 0] * 6, ac=[1, 0] * 6, bc=[1, 0] * 6, ad=[1] * 40, bd=[1] * 40))
    groups = {one.bot: one.group for one in board.standings}
    assert groups["a"] == groups["b"] == groups["c"] != groups["d"]
    said = [one.bots for one in board.findings if one.kind is FindingKind.WOULD_SEPARATE]
    assert said == [("a", "b", "c")]
