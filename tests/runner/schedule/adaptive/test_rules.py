"""Which pairs come next: round robin, safe, race with its guard."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from gridjoust.runner.results.tables.schedule_file import is_adaptive
from gridjoust.runner.schedule.adaptive.pairs import Goal, GoalKind, Guard, PairTally, PlannedPair, Resolution, Rule
from gridjoust.runner.schedule.adaptive.resolve import POWER, fit_power, next_pairs_race, next_step, resolve
from gridjoust.runner.statistics import bradley_terry_fit
from tests.runner.schedule.adaptive.fields import Simulation, circle, ladder, names

GOAL = Goal(GoalKind.TOP, 3)


def _meetings(pairs: tuple[PlannedPair, ...]) -> Counter[str]:
    return Counter(pair.first + pair.second for pair in pairs)


@pytest.mark.parametrize("rule", Rule)
def test_every_rule_begins_with_every_meeting(rule: Rule) -> None:
    step = next_step(PairTally("abcd"), GOAL, rule=rule)
    assert _meetings(step.pairs) == Counter(["ab", "ac", "ad", "bc", "bd", "cd"])


def test_round_robin_first_makes_up_for_what_did_not_count() -> None:
    tally = PairTally("abcd")
    for first, second in ("ab", "ac", "ad", "bc", "cd"):
        tally.add(first, second, 0.5)
    assert _meetings(next_step(tally, GOAL, rule=Rule.ROUND_ROBIN).pairs) == Counter(["bd"])


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("kind", list(GoalKind))
def test_every_rule_comes_to_the_right_answer_and_plans_nothing_more(rule: Rule, kind: GoalKind) -> None:
    last = Simulation(ladder(5, step_elo=120)).run(Goal(kind, 2), rule=rule)[-1]
    assert set(last.resolution.answer) == ({"a"} if kind is GoalKind.WINNER else {"a", "b"})
    assert (last.resolution.is_resolved, last.pairs) == (True, ())


@pytest.mark.parametrize("rule", Rule)
def test_equal_results_give_equal_decisions(rule: Rule) -> None:
    tally = Simulation(ladder(6, step_elo=40)).play_rounds(6)
    again = PairTally(names(6))
    for row in reversed(tally.comparisons()):
        again.add(row.second, row.first, 1 - row.score)
    assert next_step(tally, GOAL, rule=rule) == next_step(again, GOAL, rule=rule)


@pytest.mark.gate
def test_safe_needs_fewer_matches_than_round_robin() -> None:
    played = []
    for rule in (Rule.ROUND_ROBIN, Rule.SAFE):
        courts = [Simulation(ladder(8, step_elo=50), seed=seed) for seed in range(12)]
        for court in courts:
            court.run(GOAL, rule=rule)
        played.append(sum(court.tally.matches().sum() / 2 for court in courts))
    assert played[1] < 0.7 * played[0]


def test_safe_finds_the_best_score_where_the_worst_bots_beat_the_best() -> None:
    elo = ladder(6, step_elo=60)
    for weak in (4, 5):
        elo[0, weak], elo[weak, 0] = -500, 500
    court = Simulation(elo)
    assert court.run(Goal(GoalKind.WINNER), rule=Rule.SAFE)[-1].resolution.answer == ("b",)


@pytest.mark.parametrize("batch_pairs", [1, 8, 40])
def test_a_batch_has_the_size_asked_for_and_says_about_whom_it_tells(batch_pairs: int) -> None:
    step = next_step(Simulation(ladder(6, step_elo=40)).play_rounds(2), GOAL, rule=Rule.SAFE, batch_pairs=batch_pairs)
    assert len(step.pairs) == batch_pairs
    assert all(pair.reason.startswith("safe: tells most about ") for pair in step.pairs)
    assert all(pair.reason.endswith(" for top 3") for pair in step.pairs)
    assert all(is_adaptive(pair.reason) for pair in step.pairs)
    assert not is_adaptive("round robin")


def test_batches_grow_with_what_has_been_played() -> None:
    tally = Simulation(ladder(6, step_elo=1)).play_rounds(40)  # 600 pairs
    assert len(next_step(tally, Goal(indifference=0), rule=Rule.SAFE, batch_pairs=1).pairs) == 18


def test_challengers_meet_the_others_only() -> None:
    tally = PairTally("abcwxyz", challengers="abc")
    rng = np.random.default_rng(2)
    for rule in (Rule.ROUND_ROBIN, Rule.SAFE):
        for _ in range(4):
            step = next_step(tally, Goal(GoalKind.WINNER, confidence=0.9999), rule=rule)
            assert {(pair.first in "abc") + (pair.second in "abc") for pair in step.pairs} == {1}
            for pair in step.pairs:
                tally.add(pair.first, pair.second, float(rng.integers(5)) / 4)


def test_challengers_cannot_race() -> None:
    with pytest.raises(ValueError, match="race: expected bots that all meet, got challengers"):
        next_step(PairTally("abcd", challengers="ab"), Goal(GoalKind.WINNER), rule=Rule.RACE)


def test_a_race_begins_with_round_robin_until_its_guard_could_object() -> None:
    court = Simulation(ladder(8, step_elo=10))
    step = next_step(court.tally, GOAL, rule=Rule.RACE)
    while step.guard is Guard.UNTESTED:
        assert {pair.reason for pair in step.pairs} == {"race: round robin for the fit test"}
        assert fit_power(court.tally) < POWER
        court.play(step.pairs)
        step = next_step(court.tally, GOAL, rule=Rule.RACE)
    assert fit_power(court.tally) >= POWER


def test_a_race_that_begins_says_so_and_is_among_undecided_bots() -> None:
    step = next_step(Simulation(ladder(8, step_elo=30)).play_rounds(12), GOAL, rule=Rule.RACE)
    assert step.guard is Guard.FITS
    assert step.note.startswith("race begins: one rating per bot explains the results (p = 0.")
    racing = {bot for pair in step.pairs for bot in (pair.first, pair.second)}
    assert racing == set(step.resolution.undecided) < set(names(8))


def test_racing_bots_meet_evenly() -> None:
    tally = Simulation(ladder(8, step_elo=10)).play_rounds(12)
    resolution = resolve(tally, GOAL)
    met = _meetings(next_pairs_race(tally, GOAL, resolution, pairs=50))
    assert len(set(met.values())) == 1
    assert len(met) == len(list(combinations(resolution.undecided, 2)))


@pytest.mark.parametrize(("pairs", "met"), [(4, {"ac": 2, "bc": 2}), (5, {"ab": 1, "ac": 3, "bc": 3})])
def test_racing_bots_make_up_for_fewer_meetings_level_by_level(pairs: int, met: dict[str, int]) -> None:
    tally = PairTally("abcd")
    for _ in range(2):
        tally.add("a", "b", 0.5)
    resolution = Resolution(is_resolved=False, answer=(), undecided=("b", "a", "c"), confidence=0.5, reason="")
    planned = next_pairs_race(tally, GOAL, resolution, pairs=pairs)
    assert _meetings(planned) == met
    assert {pair.reason for pair in planned} == {"race: b, a, c open for top 3"}


@pytest.mark.gate
def test_a_field_in_a_circle_is_never_raced_and_the_fall_back_is_told_once() -> None:
    steps = Simulation(circle(7, elo=150) + ladder(7, step_elo=30)).run(GOAL, rule=Rule.RACE)
    reasons = [pair.reason for step in steps for pair in step.pairs]
    assert {reason.partition(":")[0] for reason in reasons} == {"race", "safe"}
    assert all("open for" not in reason for reason in reasons)
    [note] = [step.note for step in steps if step.note]
    assert note.startswith("race falls back to safe: one rating per bot does not explain the results (p = ")


@pytest.mark.parametrize("guard", [Guard.FITS, Guard.TRUSTED])
def test_a_race_ends_when_later_results_do_not_fit(guard: Guard) -> None:
    tally = Simulation(circle(7, elo=150)).play_rounds(12)
    assert next_step(tally, GOAL, rule=Rule.RACE, guard=guard).guard is Guard.FAILED


def test_a_first_test_is_stricter_than_those_of_a_race_that_runs() -> None:
    tally = Simulation(ladder(8, step_elo=30), seed=46).play_rounds(12)
    assert 0.01 < (bradley_terry_fit(tally.comparisons()).p_value or 0.0) < 0.1
    assert next_step(tally, GOAL, rule=Rule.RACE).guard is Guard.FAILED
    running = next_step(tally, GOAL, rule=Rule.RACE, guard=Guard.FITS)
    assert (running.guard, running.note) == (Guard.FITS, "")


def test_a_race_that_failed_stays_safe_even_if_the_field_fits_again() -> None:
    tally = Simulation(ladder(8, step_elo=30)).play_rounds(12)
    step = next_step(tally, GOAL, rule=Rule.RACE, guard=Guard.FAILED)
    assert step.guard is Guard.FAILED
    assert step.pairs == next_step(tally, GOAL, rule=Rule.SAFE).pairs


def test_a_trusted_field_races_at_once() -> None:
    step = next_step(PairTally("abcd"), GOAL, rule=Rule.RACE, guard=Guard.TRUSTED)
    assert {pair.reason for pair in step.pairs} == {"race: a, b and 2 others open for top 3"}
