"""What the Gambit bot's maps are made from: rewards of cells, weights, walls, drawn on boards."""

from __future__ import annotations

import pytest

from bots.bomber.gambit_maps import MapMaker, MapName, Survey, choose_weights
from bots.bomber.targets import blast_counts, block_values, bomb_rewards, middle_cells
from games.bomber.state import ORE
from tests.games.bomber.scenes import Scene, scene


def rewards(shown: Scene, *, pays_doomed_ore: bool = False) -> dict[int, float]:
    rules, state = shown.game.rules, shown.state
    blasts = blast_counts(rules, state, [bomb.cell for bomb in state.bombs])
    return bomb_rewards(rules, state, block_values(state, blasts, pays_doomed_ore=pays_doomed_ore), blasts=blasts)


def maker(shown: Scene, *, flee_factor: float = -1.2) -> MapMaker:
    return MapMaker(shown.game.rules, shown.state, 0, flee_factor=flee_factor)


def worn_ore(shown: Scene, hp: int) -> Scene:
    return shown.change(blocks=bytes(ORE + hp if block >= ORE else block for block in shown.state.blocks))


# Six more soft blocks in a corner keep the bot from thinking that few are left.
MANY = ("#sss", "#sss")
METAL = "####"


def test_soft_block_pays_less_from_two_cells_away() -> None:
    shown = scene("s..0", METAL, *MANY, "1###")
    assert [rewards(shown).get(cell, 0) for cell in range(4)] == [0, 2, 1.9, 0]


def test_metal_hides_what_is_behind() -> None:
    shown = scene("s#.0", METAL, *MANY, "1###")
    assert 2 not in rewards(shown)


def test_first_block_hides_the_second() -> None:
    shown = scene("ss.0", METAL, *MANY, "1###")
    assert rewards(shown)[2] == 2


def test_blocks_on_several_rays_add_up() -> None:
    shown = scene("s.s0", METAL, *MANY, "1###")
    assert rewards(shown)[1] == 4


def test_soft_block_in_a_blast_pays_nothing_and_is_looked_through() -> None:
    shown = scene("oos0.", "##.##", "##sss", "##sss", "###.1", bombs=[(2, 1, 0, 9)])
    assert blast_counts(shown.game.rules, shown.state, [7]) == {7: 1, 2: 1, 12: 1, 6: 1, 8: 1}
    assert rewards(shown)[3] == pytest.approx(0.5 * 0.95)


@pytest.mark.parametrize(("hp", "value"), [(3, 0.5), (2, 3), (1, 11)])
def test_ore_pays_more_the_more_blasts_it_has_seen(hp: int, value: float) -> None:
    shown = worn_ore(scene("o.0.", METAL, *MANY, "1###"), hp)
    assert rewards(shown)[1] == value


def test_blast_on_its_way_counts_as_seen() -> None:
    shown = scene("o.0.", METAL, *MANY, "1###", bombs=[(2, 0, 0, 9)])
    assert rewards(shown)[1] == 3


def test_ore_that_will_be_gone_pays_nothing() -> None:
    shown = worn_ore(scene("o.0.", METAL, *MANY, "1###", bombs=[(2, 0, 0, 9)]), 1)
    assert 1 not in rewards(shown)


def test_original_bot_goes_on_for_ore_that_will_be_gone() -> None:
    shown = worn_ore(scene("o.0.", METAL, *MANY, "1###", bombs=[(2, 0, 0, 9)]), 1)
    assert rewards(shown, pays_doomed_ore=True)[1] == 11


def test_only_adjacent_blocks_count_when_few_are_left() -> None:
    assert rewards(scene("s..0", METAL, "1###")) == {1: 2}


def test_middle_of_the_usual_board_is_columns_3_to_7_and_rows_4_to_6() -> None:
    shown = scene("0" + "." * 10 + "1", *["." * 12] * 9)
    places = {(cell % 12, cell // 12) for cell in middle_cells(shown.game.rules)}
    assert places == {(x, y) for x in range(3, 8) for y in range(4, 7)}


def test_middle_of_a_tiny_board_is_not_empty() -> None:
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
    shown = scene("0.1.", bombs=[(0, 0, 0, 9)])
    maps = maker(shown).make_maps(choose_weights(ammo=3, hp=3, has_blocks=True), {}, blasts=[0, 1, 2])
    assert maps[MapName.SAFE].values == (100, 100, 100, 0)
    assert max(maps[MapName.BOMB_FLEE].values) < 100


def test_flee_map_of_bombs_leads_away_from_them() -> None:
    shown = scene("0......1", bombs=[(0, 0, 0, 9)])
    flee = maker(shown).away_from({0: -1.0})
    assert list(flee.values) == sorted(flee.values, reverse=True)


def test_flee_factor_scales_the_flee_map() -> None:
    shown = scene("0......1")
    assert maker(shown, flee_factor=-1.3).away_from({0: 0.0}).values[7] == pytest.approx(-9.1)


def test_safe_cells_are_those_outside_the_blasts() -> None:
    assert maker(scene("0....1")).safe_map([0, 1, 2]).values == (3, 2, 1, 0, 0, 100)


def test_new_bomb_is_a_wall_of_the_safe_map() -> None:
    assert maker(scene("0....1")).safe_map([0, 1, 2], new_bomb=1).values == (100, 100, 1, 0, 0, 100)


@pytest.mark.parametrize(("timer", "is_old"), [(3, True), (4, False)])
def test_bomb_older_than_30_ticks_is_old(timer: int, is_old: bool) -> None:
    """A timer of 3 is seen 31 ticks after the bomb was laid: it showed 34 then."""
    assert (maker(scene("0....1", bombs=[(4, 0, 1, timer)])).old_bombs_map() is not None) == is_old


def test_height_is_the_weighted_sum_of_the_maps() -> None:
    shown = scene("s..0", METAL, *MANY, "1###")
    survey = Survey(maker(shown), {1: 2.0}, blasts=(), old_bombs=None)
    assert [survey.height(cell) for cell in (1, 2, 3)] == [2 * -2, 2 * -1, 0]


def test_last_ticks_map_of_old_bombs_outweighs_rewards() -> None:
    shown = scene("s..0", METAL, *MANY, "1###")
    old = maker(shown).safe_map([0, 1, 2])
    survey = Survey(maker(shown), {1: 2.0}, blasts=(), old_bombs=old)
    assert survey.height(3) < survey.height(2) < survey.height(1)
