"""How many matches an examination has by itself, and what is said while it goes on."""

from __future__ import annotations

import pytest

from gridjoust import games
from gridjoust.commands.doctor import Steps
from gridjoust.recorded.run import default_matches


@pytest.mark.parametrize(
    ("game", "params", "places", "matches"),
    [
        ("ricochet", {}, 2, 1),  # in real time
        ("bomber", {"max_ticks": 20}, 2, 4),
        ("navigation", {"width": 48, "height": 48}, 1, 1),  # a thousand turns at random
        ("heroquest", {"max_game_rounds": 2}, 2, 4),
    ],
)
def test_long_games_have_few_matches(game: str, params: dict[str, int], places: int, matches: int) -> None:
    assert default_matches(games.make(game, params), places=places) == matches


def test_every_step_is_told_when_it_begins_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    for shown in (True, False):
        steps = Steps(shown=shown)
        steps.begin("start")
        steps.begin("match 1 of 2")
        steps.end()
        told = capsys.readouterr()
        assert told.out == ""
        assert [line.partition(" ...")[0] for line in told.err.splitlines()] == (["start", "match 1 of 2"] * shown)
