"""Nine boards with one defect each: each raises its own warning and no other; a clean board raises none."""

from __future__ import annotations

import pytest

from gridjoust.leaderboard.standings import WARNINGS, FindingKind, Leaderboard
from tests.leaderboard.planted import PLANTED, round_robin
from tests.leaderboard.seats_builder import board_of

OWN = {
    "too few pairs": FindingKind.TOO_FEW,
    "first seat": FindingKind.SEAT,
    "draw-prone": FindingKind.DRAWS,
    "circle": FindingKind.CIRCLE,
    "disconnected": FindingKind.NOT_COMPARED,
    "one board": FindingKind.FEW_BOARDS,
    "one bot always forfeits": FindingKind.FORFEITS,
    "adaptive": FindingKind.ADAPTIVE,
    "a duplicate bot": FindingKind.SAME_PROGRAM,
}


def _warned(board: Leaderboard) -> set[FindingKind]:
    return {one.kind for one in board.findings} & WARNINGS


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_board_raises_its_own_warning_and_no_other(name: str) -> None:
    board = board_of(*PLANTED[name]())
    assert _warned(board) == {OWN[name]}, board.sentences


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_clean_board_raises_none(seed: int) -> None:
    board = board_of(*round_robin(seed=seed))
    assert _warned(board) == set(), board.sentences
    assert FindingKind.SEPARATED in {one.kind for one in board.findings}


@pytest.mark.gate
def test_after_an_adaptive_schedule_ratings_are_corrected_and_score_is_left_out() -> None:
    plain, adaptive = board_of(*round_robin()), board_of(*PLANTED["adaptive"]())
    assert [one.bot for one in adaptive.standings] == [one.bot for one in plain.standings]
    assert [one.score_pct for one in adaptive.standings] == [None] * 3
    assert None not in [one.score_pct for one in plain.standings]
    first, corrected = plain.standings[0].rating, adaptive.standings[0].rating
    assert first is not None
    assert corrected is not None
    assert 0 < corrected < first
    [said] = [one.sentence for one in adaptive.findings if one.kind is FindingKind.ADAPTIVE]
    assert "ratings are corrected" in said
