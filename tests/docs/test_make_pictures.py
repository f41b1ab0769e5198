"""The pictures of the documentation are those that the games draw today."""

from __future__ import annotations

import pytest

from docs.make_pictures import PICTURES, picture
from docs.make_reference import PICTURES_FOLDER
from gridjoust.drawing.find import draw_state
from tests.doubles.games.reference import Pile


@pytest.mark.default("navigation", "leaderboard", "eidolon", "bomber")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_current(name: str) -> None:
    made = (PICTURES_FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert made == picture(name), "run `python -m docs.make_reference`"


def test_a_game_that_cannot_be_drawn_is_named() -> None:
    pile = Pile()
    with pytest.raises(ValueError, match="cannot be drawn: it has neither a method `draw` nor a module `drawing`"):
        draw_state(pile, pile.initial_state(1), past=[])
