"""The planners beyond the cup's four: what the table counts, and that two-sided searches play by the rules."""

from __future__ import annotations

import re

import pytest

from gridjoust import Bot, play
from study.alternatives.sipp_bomber import SippBomber
from study.alternatives.sipp_traffic import SippTraffic
from study.alternatives.two_sided import TwoSidedBomber, TwoSidedBuilder
from study.members import MEMBERS, ROADS, Member, compared, row

SMALL = {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 4}


def test_every_member_is_compared_with_a_bot_of_its_own_game() -> None:
    named = [(member.game, rival) for member in MEMBERS.values() for rival in member.rivals]
    assert [rival.partition("/")[0] for _, rival in named] == [game for game, _ in named]


def test_a_bot_against_itself_has_half_of_the_points_at_the_same_cost() -> None:
    alone = Member("navigation", "navigation/astar", (), {"width": 12, "height": 12}, is_alone=True)
    shares, (work, other) = compared(alone, "navigation/astar", range(6))
    assert (shares, work == other > 0) == ([0.5] * 6, True)
    both = Member("bomber", "bomber/astar", (), {"max_ticks": 12})
    shares, (work, other) = compared(both, "bomber/astar", range(2))
    assert (shares, work == other > 0) == ([0.5] * 2, True)


def test_a_row_says_share_interval_and_costs() -> None:
    member = Member("navigation", "navigation/mpaastar", (), {"width": 12, "height": 12}, is_alone=True)
    name, rival, seeds, share, work, other = row("mpaastar", member, "navigation/floor", range(8))
    assert (name, rival, seeds) == ("mpaastar", "floor", "8")
    assert re.fullmatch(r"\d+ %( \(\d+ to \d+\))?", share)
    assert int(work) > int(other) > 0


@pytest.mark.parametrize("bot", [SippBomber, TwoSidedBomber])
def test_a_bomber_acts_by_the_rules_and_not_always_like_the_beam(bot: type[Bot]) -> None:
    params = {"max_ticks": 24, "bomb_ticks": 6}
    both = [play("bomber", [one, "bomber/astar"], seed=3, params=params) for one in (bot, "bomber/beam")]
    assert [played.faults for played in both] == [[], []]
    assert both[0].actions != both[1].actions


def test_a_two_sided_builder_acts_by_the_rules_and_not_always_like_the_beam() -> None:
    own, usual = (
        [play("placement", [bot, "placement/astar"], seed=seed, params=SMALL) for seed in range(4)]
        for bot in (TwoSidedBuilder, "placement/beam")
    )
    assert [played.faults for played in own] == [[]] * 4
    assert [played.actions for played in own] != [played.actions for played in usual]


def test_in_a_crowd_safe_intervals_walk_by_the_rules_and_not_always_like_a_star() -> None:
    own, usual = (
        [play("navigation", [bot, "navigation/astar"], seed=seed, params=ROADS["crowd"]) for seed in range(8)]
        for bot in (SippTraffic, "navigation/astar")
    )
    assert [played.faults for played in own] == [[]] * 8
    assert [played.actions for played in own] != [played.actions for played in usual]
