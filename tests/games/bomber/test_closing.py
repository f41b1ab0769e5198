"""A board that closes from its edge, and what is counted beside hits."""

from __future__ import annotations

from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.board import make_board
from tests.games.bomber.scenes import scene


def test_the_spiral_goes_clockwise_from_the_top_left_corner_to_the_middle() -> None:
    board = make_board(3, 4)
    cells = [board.places[cell] for cell in board.spiral()]
    assert cells[:5] == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]
    assert cells[-3:] == [(0, 1), (1, 1), (1, 2)]
    assert sorted(cells) == sorted(board.places)


def test_a_cell_a_tick_becomes_metal_from_the_first_one_on() -> None:
    now = scene("...", "01.", "...", close_from=1, close_every=1)
    assert [now.wait(ticks).block_board().count("#") for ticks in (0, 1, 2, 3)] == [0, 0, 1, 2]
    assert scene("...", "01.", "...").wait(9).block_board().count("#") == 0


def test_who_stands_where_it_closes_dies_and_the_other_has_won() -> None:
    now = scene("0..", "..1", "...", score=[50, 0], close_from=1, close_every=1).wait(2)
    assert (now.player(0).hp, now.player(0).died_tick, now.game.returns(now.state)) == (0, 1, (-1.0, 1.0))
    assert now.game.reason(now.state) == "seat 1 is the last survivor"


def test_a_bomb_where_it_closes_makes_no_fire_and_other_things_go() -> None:
    board = ("a..", "0.1", "...")
    shown = scene(*board, bombs=[(1, 0, 0, 3)], close_from=1, close_every=1)
    assert len(shown.wait(2).ammo()) == 0
    assert len(shown.wait(2).state.ammo_due) == len(shown.state.ammo_due) + 1
    assert (shown.wait(3).bombs(), shown.wait(3).state.fires) == ([], ())
    assert scene(*board, bombs=[(1, 0, 0, 3)]).wait(3).state.fires != ()


def test_blocks_where_it_closes_are_metal_then() -> None:
    assert scene("s..", "0.1", "...", close_from=1, close_every=1).wait(2).block_board().splitlines()[0] == "#.."


def test_who_sits_down_is_told_when_each_cell_closes() -> None:
    game = Bomber()
    told = game.briefing(game.initial_state(0), 0)["closing"]
    assert (told[0], told[1], told[-1]) == ([0, 0, 80], [1, 0, 82], [4, 4, 240])
    open_game = Bomber({"preset": "coderone"})
    assert open_game.briefing(open_game.initial_state(0), 0)["closing"] == []


def test_the_contest_is_a_preset_and_parameters_beside_it_win() -> None:
    rules = Bomber({"preset": "coderone", "soft": 7}).rules
    assert (rules.width, rules.height, rules.bomb_ticks, rules.soft, rules.close_from) == (12, 10, 35, 7, 0)
    assert Bomber().rules.close_from == 80


def test_a_bomb_that_takes_the_last_way_out_is_a_trap() -> None:
    shut = scene("1.0..", "##.##", "##...").play("left wait").play("bomb wait")
    free = scene("1.0..", ".....", ".....").play("left wait").play("bomb wait")
    assert [now.metrics(0)["traps"] for now in (shut, free)] == [1, 0]


def test_fire_beside_another_is_a_near_miss_and_on_it_a_hit() -> None:
    beside = scene("0..", "...", "..1", fires=[(2, 1, 0)]).wait()
    on = scene("0..", "...", "..1", fires=[(2, 1, 0), (2, 2, 0)]).wait()
    own = scene("0..", "...", "..1", fires=[(2, 1, 1)]).wait()
    found = [(now.metrics(0)["near_misses"], now.metrics(0)["hits"]) for now in (beside, on, own)]
    assert found == [(1, 0), (0, 1), (0, 0)]
