"""The Gambit bot's maps, shown for a tick of a match."""

from __future__ import annotations

import pytest

from gridjoust.bots.bomber.gambit_maps import gambit_maps
from gridjoust.games.bomber import Bomber
from tests.games.bomber.scenes import scene


def test_the_maps_of_the_write_up_add_up_to_the_total() -> None:
    shown = scene("0.s.a", ".....", "..t..", ".....", "o...1", bombs=[(1, 0, 1, 3)])
    found = gambit_maps(shown.game, [shown.state, shown.wait().state], 0)
    assert list(found.maps) == ["reward", "bomb flee", "safe", "safe from old bombs", "ammo"]
    for y in range(5):
        for x in range(5):
            parts = [found.weights[name] * rows[y][x] for name, rows in found.maps.items()]
            assert found.total[y][x] == pytest.approx(sum(parts))
    assert found.weights["safe from old bombs"] == 25


def test_without_blocks_the_other_maps_count() -> None:
    shown = scene("0....", "..t..", "....1")
    assert set(gambit_maps(shown.game, [shown.state], 0).maps) == {"ammo", "treasure", "centre", "run"}


def test_a_recorded_match_can_be_looked_at_from_either_seat() -> None:
    game = Bomber()
    state = game.initial_state(3)
    totals = [gambit_maps(game, [state], seat).total for seat in (0, 1)]
    assert totals[0] != totals[1]
    assert [len(totals[0]), len(totals[0][0])] == [9, 9]
