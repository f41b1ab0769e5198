"""The schedule of a contest: who meets whom, and how often."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from gridjoust.serve.play.batches import (
    APART,
    Active,
    Planned,
    make_batch,
    make_extras,
    match_up,
    periods,
    sitting_out,
)

STAFF = ("weak", "strong")


def bots(count: int, **values: object) -> list[Active]:
    return [Active(f"b{at:02}", elo=20.0 * at, **values) for at in range(count)]  # type: ignore[arg-type]


def played(count: int, batches: int, *, staff_pairs: int = 0) -> list[list[Planned]]:
    """Batches of bots whose rivals, numbers of pairs and pairs against staff are kept as a contest does."""
    chance, field = random.Random(1), bots(count)
    done: list[list[Planned]] = []
    for batch in range(batches):
        recent = [{one.first, one.second} for planned in done[1 - APART :] for one in planned]
        met = {bot.label: frozenset().union(*(pair for pair in recent if bot.label in pair)) for bot in field}
        field = [replace(bot, recent=met[bot.label] - {bot.label}, elo=chance.gauss(0, 100)) for bot in field]
        planned = make_batch(field, STAFF, batch=batch, staff_pairs=staff_pairs)
        done.append(planned)
        against = Counter((one.first, one.second) for one in planned if one.staff_number is not None)
        field = [
            replace(
                bot,
                pairs=bot.pairs + 1,
                staff={name: bot.staff.get(name, 0) + against[bot.label, name] for name in STAFF},
            )
            for bot in field
        ]
    return done


def pairs_of(planned: list[Planned]) -> Counter[str]:
    return Counter(label for one in planned for label in (one.first, one.second) if label not in STAFF)


@pytest.mark.parametrize("count", [2, 7, 8, 24, 25])
def test_a_batch_gives_every_version_exactly_one_pair(count: int) -> None:
    for planned in played(count, 8, staff_pairs=2):
        assert pairs_of(planned) == Counter(bot.label for bot in bots(count))


@pytest.mark.parametrize("count", [8, 9, 25])
def test_rivals_do_not_meet_again_within_five_batches(count: int) -> None:
    batches = [{frozenset((one.first, one.second)) for one in planned} for planned in played(count, 20)]
    for at, pairs in enumerate(batches):
        rivals = {pair for pair in pairs if not pair & set(STAFF)}
        assert all(not rivals & earlier for earlier in batches[max(0, at - APART + 1) : at])


def test_the_odd_one_out_meets_staff_and_it_is_not_always_the_same() -> None:
    odd = [next(one for one in planned if one.second in STAFF).first for planned in played(5, 5)]
    assert sorted(odd) == [bot.label for bot in bots(5)]


def test_every_third_pair_is_against_staff_until_the_grade_has_enough() -> None:
    batches = played(6, 15, staff_pairs=2)
    of_one = [one for planned in batches for one in planned if "b00" in (one.first, one.second)]
    against = [one.second for one in of_one if one.staff_number is not None]
    assert Counter(against) == {"weak": 2, "strong": 2}
    assert [one.staff_number for one in of_one if one.second == "weak"] == [0, 1]


def test_near_rivals_meet_first() -> None:
    far = [replace(bot, elo=bot.elo * 20) for bot in bots(8)]
    assert sorted(tuple(sorted((one.label, other.label))) for one, other in match_up(far)) == [
        ("b00", "b01"),
        ("b02", "b03"),
        ("b04", "b05"),
        ("b06", "b07"),
    ]


def test_rivals_that_have_not_met_are_preferred_to_equal_ones_that_have() -> None:
    met = {"b0": {"b1": 8}, "b1": {"b0": 8}, "b2": {"b3": 8}, "b3": {"b2": 8}}
    field = [Active(label, met=own) for label, own in met.items()]
    pairs = {frozenset((one.label, other.label)) for one, other in match_up(field)}
    assert not pairs & {frozenset(("b0", "b1")), frozenset(("b2", "b3"))}
    near = [replace(bot, met={}) for bot in field]
    far = [replace(bot, elo=900.0) for bot in near[2:]]
    assert {frozenset((one.label, other.label)) for one, other in match_up([*near[:2], *far])} == {
        frozenset(("b0", "b1")),
        frozenset(("b2", "b3")),
    }


def test_a_slow_version_sits_out_so_that_it_uses_the_time_of_others() -> None:
    field = [replace(bot, mean_s=1.0) for bot in bots(7)]
    field.append(Active("slow", mean_s=4.0))
    assert periods(field)["slow"] == 4
    assert [sitting_out(field, batch=batch) for batch in range(5)] == [set(), {"slow"}, {"slow"}, {"slow"}, set()]


def test_a_version_that_is_a_little_slower_than_the_median_plays_every_batch() -> None:
    field = [*(replace(bot, mean_s=1.0) for bot in bots(7)), Active("slower", mean_s=1.9)]
    assert set(periods(field).values()) == {1}


def test_a_new_version_gets_pairs_beyond_the_batches_a_third_against_staff() -> None:
    old = [replace(bot, pairs=50) for bot in bots(10)]
    new = Active("new", elo=60.0)
    extras: list[Planned] = []
    for number in range(9):
        [planned] = make_extras([*old, replace(new, pairs=number)], STAFF, staff_pairs=4)
        extras.append(planned)
    assert [one.staff_number is not None for one in extras] == [False, False, True] * 3


def test_nobody_gets_two_pairs_beyond_the_batches_at_once() -> None:
    old = [replace(bot, pairs=50) for bot in bots(10)]
    planned = make_extras([*old, Active("new"), Active("newer"), Active("newest", elo=190.0)], STAFF, staff_pairs=0)
    assert set(pairs_of(planned).values()) == {1}
    assert {"new", "newer", "newest"} <= pairs_of(planned).keys()


def test_where_most_are_new_batches_are_enough() -> None:
    assert make_extras(bots(6), STAFF, staff_pairs=4) == []


def met_staff(planned: list[Planned]) -> set[str]:
    return {one.first for one in planned if one.staff_number is not None}


def test_after_the_deadline_versions_meet_staff_alone_until_their_grades_are_complete() -> None:
    field = [replace(bot, pairs=50, staff={"weak": 2, "strong": at % 2}) for at, bot in enumerate(bots(6))]
    frozen = make_batch(field, STAFF, batch=1, staff_pairs=2, is_frozen=True)
    assert [(one.first, one.second, one.staff_number) for one in frozen] == [
        (bot.label, "strong", at % 2) for at, bot in enumerate(field)
    ]
    complete = [replace(bot, staff={"weak": 2, "strong": 2}) for bot in field]
    assert make_batch(complete, STAFF, batch=1, staff_pairs=2, is_frozen=True) == []
    assert pairs_of(make_batch(complete, STAFF, batch=1, staff_pairs=2)) == Counter(bot.label for bot in field)


def test_who_was_admitted_just_before_the_deadline_still_meets_rivals() -> None:
    done = {"weak": 2, "strong": 2}
    field = [*(replace(bot, pairs=50, staff=done) for bot in bots(6)), Active("new", pairs=3), Active("newer", pairs=4)]
    [pair] = make_batch(field, STAFF, batch=1, staff_pairs=2, is_frozen=True)
    assert {pair.first, pair.second} == {"new", "newer"}
    assert {"new", "newer"} <= pairs_of(make_extras(field, STAFF, staff_pairs=2)).keys()


def test_after_the_deadline_a_slow_version_does_not_sit_out() -> None:
    field = [*(replace(bot, mean_s=1.0, pairs=50) for bot in bots(7)), Active("slow", mean_s=4.0, pairs=50)]
    assert "slow" not in met_staff(make_batch(field, STAFF, batch=1, staff_pairs=2))
    assert "slow" in met_staff(make_batch(field, STAFF, batch=1, staff_pairs=2, is_frozen=True))


def test_a_late_version_meets_staff_alone_and_gets_no_pairs_beyond_the_batches() -> None:
    old = [replace(bot, pairs=50) for bot in bots(10)]
    late = Active("late", elo=60.0, is_late=True)
    planned = make_batch([*old, late], STAFF, batch=0, staff_pairs=2)
    assert [one.second for one in planned if "late" in (one.first, one.second)] == ["weak"]
    assert pairs_of(planned) == Counter([*(bot.label for bot in old), "late"])
    graded = replace(late, staff={"weak": 2, "strong": 2})
    assert "late" not in pairs_of(make_batch([*old, graded], STAFF, batch=0, staff_pairs=2))
    assert "late" not in pairs_of(make_extras([*old, late, Active("new", elo=60.0)], STAFF, staff_pairs=2))
