"""The table of how bomber's bots met, and what is counted for it in a match."""

from __future__ import annotations

import pytest

from gridjoust.bots.bomber.dstar_lite import DStarLiteBomber
from gridjoust.bots.bomber.wanderer import Wanderer
from study.bomber_bots import ROUND_ROBIN, DuelResult, meeting_row, play, play_duel, print_meetings

UNHURT = DuelResult(1.0, 20.0, 18.0, 0, 0, 3, 0, 1, is_dead=False, decisions_us=(), expanded=(), repaired=(40, 360))
BEATEN = DuelResult(-1.0, 18.0, 20.0, 0, 1, 1, 2, 0, is_dead=True, decisions_us=(), expanded=(), repaired=(0, 0))
HITTING = DuelResult(1.0, 45.0, 18.0, 1, 0, 0, 0, 0, is_dead=False, decisions_us=(), expanded=(), repaired=(0, 0))


def test_a_hit_by_either_bot_counts_once_a_match_and_means_are_of_both() -> None:
    table = {("a", "b"): [UNHURT, HITTING], ("b", "a"): [BEATEN, BEATEN]}
    expected = ["a", "b", "2", "2 : 0", "50%", "100%", "1.00", "2.50", "2.00", "0.50"]
    assert meeting_row(("a", "b"), table) == expected
    assert meeting_row(("b", "a"), table) == ["b", "a", "2", "0 : 2", *expected[4:]]


def test_what_d_star_lite_repaired_is_counted_apart_from_its_first_search() -> None:
    params = {"max_ticks": 40}
    begun, repaired = play([DStarLiteBomber(), Wanderer()], seed=1, params=params).repaired[0]
    assert 0 < begun < repaired
    own, other = play_duel(("wanderer", "dstar_lite", 1, 1), max_ticks=40)
    assert (own.repaired, other.repaired) == ((0, 0), (begun, repaired))


def test_repairs_are_told_below_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_meetings({way: [UNHURT] for pair in ROUND_ROBIN for way in (pair, pair[::-1])})
    assert "dstar_lite: 120 nodes in first searches, 1080 in repairs (90.0%), 3 matches" in capsys.readouterr().out
