"""Colours of bots: the same on the whole page, told apart by all readers, standing out from light and dark paper.

What colour-blind readers see: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes (2009), "A physiologically-based model
for simulation of color vision deficiency", severity 1. How far apart colours look: Oklab (B. Ottosson 2020).
"""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gridjoust.leaderboard.report.page import make_report
from gridjoust.leaderboard.report.palette import BLAMELESS, BOT_COLOURS, TERMINATIONS, bot_classes
from gridjoust.leaderboard.report.source import load_source
from tests.leaderboard.report.scopes import scope_of
from tests.leaderboard.seats_builder import in_game
from tests.runner.results.records.records_builder import duels

Vector = NDArray[np.float64]

SEEN_BY = {
    "most": np.eye(3),
    "without red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "without green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "without blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
TO_LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip
APART = 0.09  # in Oklab; two neighbouring steps of the page's greys are 0.04 apart
STANDS_OUT = 3.0  # of a mark against the page, by WCAG 2.2


def linear(colour: str) -> Vector:
    shares = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def distance(one: str, other: str, seen: Vector) -> float:
    labs = [TO_LAB @ np.cbrt(TO_CONES @ np.clip(seen @ linear(colour), 0, 1)) for colour in (one, other)]
    return math.dist(*labs)


@pytest.fixture(scope="module")
def themes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Theme -> name -> colour, as the page has them."""
    page = make_report(scope_of(tmp_path_factory.mktemp("cup"), duels("a", "b", [1, 0])).source)
    blocks = re.findall(r"\{[^{}]*--b0:[^{}]*\}", page)
    named = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in blocks]
    return {"light": named[0], "dark": named[1]}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("reader", SEEN_BY)
def test_no_two_colours_of_bots_look_alike(themes: dict[str, dict[str, str]], theme: str, reader: str) -> None:
    colours = [themes[theme][f"b{at}"] for at in range(BOT_COLOURS)]
    assert min(distance(*two, SEEN_BY[reader]) for two in combinations(colours, 2)) >= APART
    assert distance("#c83232", "#6e6e00", SEEN_BY["without red"]) < APART  # as a red and an olive would


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_colour_of_a_bot_stands_out_from_the_page(themes: dict[str, dict[str, str]], theme: str) -> None:
    page = themes[theme]
    assert min(contrast(page[f"b{at}"], page["bg"]) for at in range(BOT_COLOURS)) >= STANDS_OUT


@pytest.mark.gate
def test_a_bot_has_one_colour_in_every_chapter(tmp_path: Path) -> None:
    games = [*in_game("first", duels("a", "b", [1] * 4)), *in_game("second", duels("b", "a", [1, 1]))]
    source = scope_of(tmp_path, games).source
    page = make_report(load_source(source.folder))
    found = {bot: set(re.findall(rf'<th scope="row" class="([^"]*)"[^>]*><span>{bot}</span>', page)) for bot in "ab"}
    assert found == {bot: {source.colours[bot]} for bot in "ab"}
    assert len(set(source.colours.values())) == 2


def test_the_ninth_bot_has_the_first_colour_with_dashed_lines() -> None:
    classes = bot_classes([f"bot{at}" for at in range(BOT_COLOURS + 1)])
    assert (classes["bot0"], classes["bot8"]) == ("bot b0", "bot b0 again")
    assert len(set(classes.values())) == BOT_COLOURS + 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_end_of_a_match_has_a_colour_of_its_own(themes: dict[str, dict[str, str]], theme: str) -> None:
    names = [*TERMINATIONS.values(), BLAMELESS]
    assert len({themes[theme][name] for name in names}) == len(names) == 10  # as many as the style sheet's rules
