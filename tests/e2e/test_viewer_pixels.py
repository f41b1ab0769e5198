"""The browser shows the boards that the painter paints: the same description, pixel by pixel, without letters.

No picture is kept for comparison: both are made here, so that neither fonts nor the browser's version matter. Edges may
differ by a pixel; in no cell may much differ.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
pytest.importorskip("PIL")
pytest.importorskip("fontTools")

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

from gridjoust.drawing.find import draw_state
from gridjoust.drawing.pixels import paint_board
from gridjoust.games.drawing import Drawing, Text
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.simulation import play
from gridjoust.viewer.match import match_view
from gridjoust.viewer.page import match_page
from tests.e2e.chromium import FOUND, open_browser

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(FOUND is None, reason="no Chromium on PATH")]

Place = tuple[float, float, float]  # pixels a cell, and where the board begins
SAMPLES = 8  # of a cell, each way
CELL_PX = 32  # of the painted board
OTHER = 36  # of 255: colours that differ more are other ones
REACH_PX = 1.5  # on the screen: so far edges may lie from each other
MOST_OF_A_CELL = 0.5  # of its samples may differ; a quarter do where lines cross, all do where things are missing
MATCHES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "bomber": (["bomber/wanderer", "random"], {"max_ticks": 24}),
    "ricochet": (["random"], {"mode": "solve", "positions": 1}),
    "eidolon": (["random"], {}),
    "heroquest": (["random", "random"], {"max_game_rounds": 1}),
    "navigation": (["navigation/astar"], {"width": 12, "height": 12}),
    "placement": (["random", "random"], {"max_game_rounds": 2}),
}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with open_browser() as browser:
        yield browser.new_page(color_scheme="light")


def without_letters(drawing: Drawing) -> Drawing:
    layers = [
        replace(layer, shapes=tuple(one for one in layer.shapes if not isinstance(one, Text)))
        for layer in drawing.layers
    ]
    return replace(drawing, layers=tuple(layers))


def at_samples(picture: Image.Image, drawing: Drawing, place: Place) -> NDArray[np.int16]:
    """Colours at the samples, by row and column."""
    scale, left, top = place
    pixels = np.asarray(picture.convert("RGB"), np.int16)
    across, down = ((np.arange(round(side) * SAMPLES) + 0.5) / SAMPLES for side in (drawing.width, drawing.height))
    columns = np.clip((across * scale + left).astype(int), 0, pixels.shape[1] - 1)
    rows = np.clip((down * scale + top).astype(int), 0, pixels.shape[0] - 1)
    return pixels[np.ix_(rows, columns)]


def differing(seen: Image.Image, place: Place, painted: Image.Image, drawing: Drawing) -> NDArray[np.float64]:
    """The share of every cell's samples that have a colour which the painted board has nowhere near by."""
    shown = at_samples(seen, drawing, place)
    reach = REACH_PX * CELL_PX / place[0]
    near = [(x * reach, y * reach) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    there = [at_samples(painted, drawing, (CELL_PX, *shift)) for shift in near]
    other = np.min([np.abs(shown - one).max(axis=2) for one in there], axis=0) > OTHER
    height, width = (side // SAMPLES for side in other.shape)
    shares: NDArray[np.float64] = other.reshape(height, SAMPLES, width, SAMPLES).mean(axis=(1, 3))
    return shares


@pytest.mark.gate
@pytest.mark.parametrize("game", MATCHES)
def test_a_board_in_the_browser_is_the_painted_one(page: Page, tmp_path: Path, game: str) -> None:
    bots, params = MATCHES[game]
    record = play(game, bots, seed=3, params=params).record
    states = [moment.state for moment in replay(record)]
    drawing = without_letters(draw_state(game_of(record), states[-1], past=states[:-1]))
    painted = paint_board(drawing, cell_px=CELL_PX)
    bare = paint_board(replace(drawing, layers=()), cell_px=CELL_PX)
    path = tmp_path / "match.html"
    path.write_text(match_page(match_view(record)), encoding="utf-8")
    page.goto(f"{path.as_uri()}?theme=light#turn={len(states) - 1}")
    page.wait_for_selector("html[data-ready]")
    page.evaluate("document.querySelectorAll('#board text').forEach(one => one.remove())")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        seen = Image.open(io.BytesIO(page.screenshot()))
        scale, left, top = page.evaluate("(({a, e, f}) => [a, e, f])(document.getElementById('board').getScreenCTM())")
        shares = differing(seen, (scale, left, top), painted, drawing)
        assert shares.max() <= MOST_OF_A_CELL, np.argwhere(shares > MOST_OF_A_CELL).tolist()
        assert differing(seen, (scale, left, top), bare, drawing).max() == 1  # what is missing is noticed
