"""Cells that flip: when, which, and who hears of it."""

from __future__ import annotations

from itertools import pairwise

from games.api import ParamValue
from games.navigation.board import Board
from tests.games.navigation.scenes import Scene, scene

ROWS = ("0......#", "........", "####....", "........", ".......a")


def changing(seats: int = 1, seed: int = 1, **params: ParamValue) -> Scene:
    return scene(*ROWS, seats=seats, seed=seed, **{"changes": 4, "change_every": 3, **params})


def flipped(before: Board, after: Board) -> list[int]:
    return [cell for cell in range(before.size) if before.blocked[cell] != after.blocked[cell]]


def test_nothing_flips_before_its_time() -> None:
    shown = changing()
    assert shown.play("wait", "wait").state.board == shown.state.board


def test_so_many_cells_flip_every_so_many_rounds() -> None:
    boards = [changing().state.board]
    shown = changing()
    for _ in range(3):
        shown = shown.play("wait", "wait", "wait")
        boards.append(shown.state.board)
    assert [len(flipped(a, b)) for a, b in pairwise(boards)] == [4, 4, 4]


def test_as_many_cells_open_as_close() -> None:
    shown = changing()
    assert sum(shown.play("wait", "wait", "wait").state.board.blocked) == sum(shown.state.board.blocked)


def test_an_odd_cell_closes_and_opens_by_turns() -> None:
    shown = changing(changes=1, change_every=1)
    counts = [sum(shown.play(*["wait"] * rounds).state.board.blocked) for rounds in range(5)]
    assert counts == [5, 6, 5, 6, 5]


def test_flips_depend_on_seed_and_round_alone() -> None:
    one = changing().play("wait", "wait", "wait")
    other = changing().play("E", "S", "E")
    assert one.state.board == other.state.board
    assert changing(seed=2).play("wait", "wait", "wait").state.board != one.state.board


def test_starts_and_goals_never_flip() -> None:
    shown = scene("0.a", connectivity="4", changes=3, change_every=1)
    middle = set()
    for _ in range(10):
        shown = shown.play("wait")
        middle.add(shown.state.board.blocked[1])
        assert not shown.state.board.blocked[0]
        assert not shown.state.board.blocked[2]
    assert middle == {0, 1}


def test_every_seat_of_a_known_map_hears_of_every_flip() -> None:
    before = changing(seats=2)
    after = before.play(*["wait"] * 6)
    board = after.state.board
    expected = [[*board.place(cell), board.blocked[cell]] for cell in flipped(before.state.board, board)]
    assert after.view(0)["news"] == expected
    assert after.view(1)["news"] == expected


def test_news_last_until_the_seat_has_answered() -> None:
    shown = changing().play("wait", "wait", "wait")
    assert len(shown.view()["news"]) == 4
    assert shown.play("wait").view()["news"] == []


def test_who_is_done_hears_no_more() -> None:
    shown = scene("0a...", ".....", seats=2, changes=2, change_every=1).play("E", "wait")
    assert len(shown.view(1)["news"]) > 0
    assert shown.view(0)["news"] == []


def test_on_an_unknown_map_flips_out_of_range_are_not_told() -> None:
    shown = changing(knowledge="unknown", seed=3).play("wait", "wait", "wait")
    board = shown.state.board
    in_range = {(x, y) for x in (0, 1) for y in (0, 1)}
    expected = [[x, y, 1] for x, y in sorted(in_range, key=lambda p: p[::-1]) if board.blocked[shown.cell(x, y)]]
    assert shown.view()["news"] == expected


def test_a_cell_in_range_that_opens_is_news() -> None:
    shown = scene("0#.", "..a", knowledge="unknown", connectivity="4").flip((1, 0)).play("S", "N")
    assert shown.view()["news"] == [[1, 0, 0]]


def test_a_cell_may_close_under_a_robot_which_may_leave_it() -> None:
    shown = scene("0..", "..a", connectivity="4").play("E").flip((1, 0))
    assert shown.play("E").position() == (2, 0)


def test_nobody_may_come_back_to_it() -> None:
    assert scene("0..", "..a", connectivity="4").play("E").flip((1, 0)).play("E").legal() == ["wait", "S"]
