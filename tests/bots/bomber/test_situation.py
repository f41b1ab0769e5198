"""What a bomb pays from where, and the maps and weights of the Gambit bot, on drawn boards."""

from __future__ import annotations

import pytest

from gridjoust.bots.bomber.gambit import MapName, Survey, choose_weights
from gridjoust.bots.bomber.situation import middle_cells
from gridjoust.bots.planners.dijkstra_map import DijkstraMap
from gridjoust.games.bomber.state import ORE
from tests.bots.bomber.seats import situation
from tests.games.bomber.scenes import Scene, scene


def rewards(shown: Scene, *, pays_doomed_ore: bool = False) -> dict[int, float]:
    now = situation(shown)
    blasts = now.blast_counts(now.bomb_cells)
    return now.bomb_rewards(now.block_values(blasts, pays_doomed_ore=pays_doomed_ore), blasts=blasts)


def survey(
    shown: Scene, rewarded: dict[int, float] | None = None, *, blasts: tuple[int, ...] = (), flee_factor: float = -1.2,
    old_bombs: DijkstraMap | None = None,
) -> Survey:  # fmt: skip
    return Survey(situation(shown), rewarded or {}, blasts=blasts, old_bombs=old_bombs, flee_factor=flee_factor)


def corridor(row: str, *, ore_hp: int = 3, has_bomb: bool = False) -> Scene:
    """A row of four cells; six more soft blocks in a corner keep the bot from thinking that few are left."""
    shown = scene(row, "####", "#sss", "#sss", "1###", bombs=[(2, 0, 0, 9)] if has_bomb else [])
    return shown.change(blocks=bytes(ORE + ore_hp if block >= ORE else block for block in shown.state.blocks))


REWARDS: dict[str, tuple[Scene, dict[int, float]]] = {  # of the cells named; 0 = none
    "a soft block pays less from two cells away": (corridor("s..0"), {0: 0, 1: 2, 2: 1.9, 3: 0}),
    "metal hides what is behind": (corridor("s#.0"), {2: 0}),
    "the first block hides the second": (corridor("ss.0"), {2: 2}),
    "blocks on several rays add up": (corridor("s.s0"), {1: 4}),
    "fresh ore": (corridor("o.0.", ore_hp=3), {1: 0.5}),
    "ore pays more the more blasts it has seen": (corridor("o.0.", ore_hp=2), {1: 3}),
    "ore pays most before the last": (corridor("o.0.", ore_hp=1), {1: 11}),
    "a blast on its way counts as seen": (corridor("o.0.", has_bomb=True), {1: 3}),
    "ore that will be gone pays nothing": (corridor("o.0.", ore_hp=1, has_bomb=True), {1: 0}),
    "only adjacent blocks count when few are left": (scene("s..0", "####", "1###"), {0: 0, 1: 2, 2: 0, 3: 0}),
}


@pytest.mark.parametrize(("shown", "expected"), REWARDS.values(), ids=REWARDS)
def test_a_bomb_pays(shown: Scene, expected: dict[int, float]) -> None:
    found = rewards(shown)
    assert {cell: found.get(cell, 0) for cell in expected} == expected


def test_original_bot_goes_on_for_ore_that_will_be_gone() -> None:
    assert rewards(corridor("o.0.", ore_hp=1, has_bomb=True), pays_doomed_ore=True)[1] == 11


def test_soft_block_in_a_blast_pays_nothing_and_is_looked_through() -> None:
    shown = scene("oos0.", "##.##", "##sss", "##sss", "###.1", bombs=[(2, 1, 0, 9)])
    assert situation(shown).blast_counts([7]) == {7: 1, 2: 1, 12: 1, 6: 1, 8: 1}
    assert rewards(shown)[3] == pytest.approx(0.5 * 0.95)


def test_middle_of_the_usual_board_is_columns_3_to_7_and_rows_4_to_6_and_of_a_tiny_one_not_empty() -> None:
    shown = scene("0" + "." * 10 + "1", *["." * 12] * 9)
    places = {(cell % 12, cell // 12) for cell in middle_cells(shown.game.rules)}
    assert places == {(x, y) for x in range(3, 8) for y in range(4, 7)}
    assert middle_cells(scene("01.", "...", "...").game.rules)


@pytest.mark.parametrize(
    ("ammo", "hp", "has_blocks", "expected"),
    [
        (3, 3, True, (2, 0.35, 1, 25, 1.4, 0, 0, 0)),
        (1, 3, True, (2, 0.35, 1, 25, 9, 0, 0, 0)),
        (0, 3, True, (0.5, 0.35, 1, 25, 9, 0, 0, 0)),
        (3, 1, True, (2, 0.35, 8, 25, 1.4, 0, 0, 0)),
        (3, 3, False, (0, 0.35, 1, 25, 1.4, 5, 1, 0.25)),
    ],
)
def test_weights_are_the_published_ones(ammo: int, hp: int, has_blocks: bool, expected: tuple[float, ...]) -> None:
    assert choose_weights(ammo=ammo, hp=hp, has_blocks=has_blocks) == dict(zip(MapName, expected, strict=True))


def test_opponents_are_walls_of_the_safe_map_but_not_of_the_flee_map() -> None:
    maps = survey(scene("0.1.", bombs=[(0, 0, 0, 9)]), blasts=(0, 1, 2)).maps
    assert maps[MapName.SAFE].values == (100, 100, 100, 0)
    assert max(maps[MapName.BOMB_FLEE].values) < 100


def test_flee_maps_lead_away_by_their_factor() -> None:
    shown = scene("0......1", bombs=[(0, 0, 0, 9)])
    flee = survey(shown).maps[MapName.BOMB_FLEE].values
    assert list(flee) == sorted(flee, reverse=True)
    assert survey(shown, flee_factor=-1.3).maps[MapName.RUN].values[0] == pytest.approx(-9.1)


def test_safe_cells_are_those_outside_the_blasts_and_a_new_bomb_is_a_wall() -> None:
    maps = survey(scene("0....1"))
    assert maps.safe_map([0, 1, 2]).values == (3, 2, 1, 0, 0, 100)
    assert maps.safe_map([0, 1, 2], new_bomb=1).values == (100, 100, 1, 0, 0, 100)


def test_bomb_older_than_30_ticks_is_old() -> None:
    """A timer of 3 is seen 31 ticks after the bomb was laid: it showed 34 then."""
    maps = {timer: survey(scene("0....1", bombs=[(4, 0, 1, timer)])).old_bombs_map() for timer in (3, 4)}
    assert {timer: found is not None for timer, found in maps.items()} == {3: True, 4: False}


def test_height_is_the_weighted_sum_of_the_maps_and_old_bombs_outweigh_rewards() -> None:
    usual = survey(corridor("s..0"), {1: 2.0})
    assert [usual.height(cell) for cell in (1, 2, 3)] == [2 * -2, 2 * -1, 0]
    wary = survey(corridor("s..0"), {1: 2.0}, old_bombs=usual.safe_map([0, 1, 2]))
    assert wary.height(3) < wary.height(2) < wary.height(1)
