"""The end of a match that broke off before there was a state."""

from __future__ import annotations

from gridjoust.runner.referee.messages import make_end
from gridjoust.runner.results.records.lines import Termination
from tests.doubles.games.reference import March


def test_a_match_without_a_state_ends_void_with_nothing_for_anybody() -> None:
    game = March()
    end = make_end(game, None, Termination.VOID, "RuntimeError: no map")
    assert (end.termination, end.reason, end.counted, end.turns) == (Termination.VOID, "RuntimeError: no map", False, 0)
    assert (end.returns, end.points, end.faults) == ([0.0] * game.seats, [None] * game.seats, [0] * game.seats)
    assert (end.metrics, end.forfeited) == ([{}] * game.seats, [])
