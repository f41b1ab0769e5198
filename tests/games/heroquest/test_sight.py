"""Line of sight: known answers of the printed board, a plain definition to compare with, tables and their repair."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.games.heroquest.quest_text import parse_quest
from gridjoust.games.heroquest.rules import quest_text
from gridjoust.games.heroquest.sight.board import Board, Square, make_edge
from gridjoust.games.heroquest.sight.lines import is_inscribed_circle_cut, is_mostly_cut, is_on_slope_list
from gridjoust.games.heroquest.sight.repair import block, open_door
from gridjoust.games.heroquest.sight.tables import ALGORITHMS, marked_from, sees, sees_past_figures, visible_from

STANDARD = Board.standard()
CORRIDOR = [square for square in STANDARD.index if STANDARD.region(square) == 0]


def plainly_sees(board: Board, a: Square, b: Square) -> bool:
    """Squares entered and corners touched come from |c| against a + b; no walk, no table."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    across, down = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    entered = sorted(
        (i + j, i, j)
        for i, j in product(range(abs(dx) + 1), range(abs(dy) + 1))
        if 2 * abs(i * abs(dy) - j * abs(dx)) < abs(dx) + abs(dy)
    )
    places = [(a[0] + across * i, a[1] + down * j) for _, i, j in entered]
    if any(is_obstacle(board, place) for place in places[1:-1]):
        return False
    return all(
        not board.is_wall(one, other) if one[0] == other[0] or one[1] == other[1] else is_corner_open(board, one, other)
        for one, other in pairwise(places)
    )


def is_obstacle(board: Board, place: Square) -> bool:
    return is_solid(board, place) or place in board.figures


def is_solid(board: Board, place: Square) -> bool:
    return place in board.blocked or board.region(place) < 0


def is_corner_open(board: Board, one: Square, other: Square) -> bool:
    sides = ((other[0], one[1]), (one[0], other[1]))
    return any(
        not is_solid(board, side) and not board.is_wall(one, side) and not board.is_wall(side, other) for side in sides
    )


def random_board(rng: random.Random) -> Board:
    width, height = rng.randint(2, 9), rng.randint(2, 9)
    regions = [rng.choice((0, 0, 0, 1, 2, -1)) for _ in range(width * height)]
    squares = [(x, y) for y in range(height) for x in range(width)]
    things = rng.sample(squares, min(len(squares), rng.randint(0, 9)))
    bare = Board(width, height, tuple(regions))
    walls = [edge for edge in edges(bare) if bare.is_wall(*edge)]
    doors = rng.sample(walls, min(len(walls), rng.randint(0, 5)))
    blocked = frozenset(things[::2])
    opened = frozenset(make_edge(*door) for door in doors)
    return Board(width, height, tuple(regions), opened, blocked, frozenset(things[1::2]))


def edges(board: Board) -> list[tuple[Square, Square]]:
    beside = (((x, y), other) for x, y in board.index for other in ((x + 1, y), (x, y + 1)))
    return [(one, other) for one, other in beside if other in board.index]


def fresh(board: Board) -> Board:
    """The same board without tables."""
    return Board(board.width, board.height, board.regions, board.open_doors, board.blocked, board.figures)


def rows(board: Board) -> dict[Square, set[Square]]:
    return {square: {(x, y) for x, y in visible_from(board, square)} for square in board.index}


SEEDS = st.integers(0, 2**32)


@pytest.mark.gate
@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_exact_tables_equal_the_plain_definition(seed: int) -> None:
    board = random_board(random.Random(seed))
    for a, b in product(board.index, repeat=2):
        assert sees(board, a, b) == plainly_sees(board, a, b), (a, b)


@pytest.mark.gate
def test_exact_tables_equal_the_plain_definition_on_the_printed_board() -> None:
    board = STANDARD
    for door in parse_quest(quest_text("the_trial")).doors:
        board = open_door(board, board.square(door[0]), board.square(door[1]))
    rng = random.Random(7)
    for a in rng.sample(sorted(board.index), 40):
        assert visible_from(board, a) == {b for b in board.index if plainly_sees(board, a, b)}, a


@pytest.mark.gate
@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_sight_is_symmetric(seed: int) -> None:
    board = random_board(random.Random(seed))
    for los, a, b in product(("exact", "area", "slopes", "inscribed"), board.index, board.index):
        assert sees(board, a, b, los) == sees(board, b, a, los), (los, a, b)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(ALGORITHMS))
def test_nobody_sees_into_another_room_without_a_door(seed: int, los: str) -> None:
    drawn = random_board(random.Random(seed))
    board = Board(drawn.width, drawn.height, drawn.regions, blocked=drawn.blocked)
    for a in board.index:
        assert {board.region(b) for b in visible_from(board, a, los)} == {board.region(a)}


def test_the_printed_board_has_346_room_and_148_corridor_squares_and_walls_on_261_edges() -> None:
    assert (len(STANDARD.index), len(CORRIDOR), max(STANDARD.regions), STANDARD.region((17, 13))) == (494, 148, 22, 18)
    assert sum(STANDARD.is_wall(one, other) for one, other in edges(STANDARD)) == 261
    assert Board.standard() is STANDARD


@pytest.mark.parametrize(
    ("a", "b", "expected"), [((10, 18), (12, 17), False), ((10, 18), (13, 17), True), ((1, 18), (0, 17), True)]
)
def test_published_lines(a: Square, b: Square, expected: bool) -> None:
    assert sees(STANDARD, a, b) is sees(STANDARD, b, a) is expected


def test_2812_ordered_pairs_of_corridor_squares_see_each_other() -> None:
    seen = [(a, b) for a, b in product(CORRIDOR, repeat=2) if a != b and sees(STANDARD, a, b)]
    assert len(seen) == 2812
    slanted = {(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in seen if a[0] != b[0] and a[1] != b[1]}
    assert (max(dx for dx, _ in slanted), max(dy for _, dy in slanted)) == (3, 6)


@pytest.mark.parametrize("los", ["area", "slopes", "inscribed"])
def test_without_figures_all_but_the_circle_are_exact(los: str) -> None:
    assert [visible_from(STANDARD, a, los) for a in CORRIDOR] == [visible_from(STANDARD, a) for a in CORRIDOR]


@pytest.mark.parametrize(("rays", "expected"), [(32, 76), (64, 188), (360, 340)])
def test_circle_over_reports_and_misses_none(rays: int, expected: int) -> None:
    pairs = [(sees(STANDARD, a, b, "circle", rays), sees(STANDARD, a, b)) for a, b in product(CORRIDOR, repeat=2)]
    assert sum(circle and not exact for circle, exact in pairs) == expected
    assert not any(exact and not circle for circle, exact in pairs)


def test_marking_what_lines_pass_marks_148_squares_too_many() -> None:
    wrong = [(a, b) for a in CORRIDOR for b in marked_from(STANDARD, a) if not sees(STANDARD, a, b)]
    assert len(wrong) == 148


@pytest.mark.parametrize(("a", "expected"), [((10, 18), 14), ((12, 18), 11)])
def test_number_of_slanted_candidates(a: Square, expected: int) -> None:
    near = [b for b in CORRIDOR if 0 < abs(b[0] - a[0]) <= 3 and 0 < abs(b[1] - a[1]) <= 6]
    assert len(near) == expected


def test_all_doors_are_closed_on_the_printed_board_and_it_keeps_its_own_table_when_one_opens() -> None:
    assert STANDARD.open_doors == frozenset()
    before = rows(STANDARD)
    assert sees(open_door(STANDARD, (4, 2), (5, 2)), (4, 2), (5, 2))
    assert not sees(STANDARD, (4, 2), (5, 2))
    assert rows(STANDARD) == before


def open_board(width: int, height: int, *things: Square) -> Board:
    return Board(width, height, (0,) * (width * height), blocked=frozenset(things))


ALL_BUT_EXACT_AND_CIRCLE = ["area", "slopes", "inscribed"]
CORNER = open_board(2, 2)
ROW = open_board(4, 1)


@pytest.mark.parametrize(
    ("board", "b", "algorithms", "expected"),
    [
        pytest.param(open_board(2, 2, (1, 0)), (1, 1), ["exact"], True, id="one blocked square at a corner"),
        pytest.param(open_board(2, 2, (1, 0), (0, 1)), (1, 1), ["exact"], False, id="two blocked squares at a corner"),
        pytest.param(CORNER.with_figures([(1, 0)]), (1, 1), ["exact"], True, id="one figure at a corner"),
        pytest.param(CORNER.with_figures([(1, 0), (0, 1)]), (1, 1), ["exact"], True, id="two figures at a corner"),
        pytest.param(
            open_board(2, 2, (1, 0)).with_figures([(0, 1)]), (1, 1), ["exact"], True, id="a figure and a blocked square"
        ),
        pytest.param(CORNER.with_figures([(1, 0), (0, 1)]), (1, 1), ALL_BUT_EXACT_AND_CIRCLE, True, id="the others"),
        pytest.param(open_board(4, 1, (1, 0)), (1, 0), ["exact"], True, id="a blocked square is seen"),
        pytest.param(open_board(4, 1, (1, 0)), (2, 0), ["exact"], False, id="nothing behind it"),
        pytest.param(ROW.with_figures([(1, 0)]), (1, 0), ALGORITHMS, True, id="a figure is seen"),
        pytest.param(ROW.with_figures([(1, 0)]), (2, 0), ALGORITHMS, False, id="nothing behind a figure"),
    ],
)
def test_what_obstructs_a_line(board: Board, b: Square, algorithms: Sequence[str], expected: bool) -> None:
    assert {los: sees(board, (0, 0), b, los) for los in algorithms} == dict.fromkeys(algorithms, expected)


def cut_area(dx: int, dy: int, i: int, j: int) -> Fraction:
    """The smaller piece by clipping the unit square at (i, j) with the half plane on one side of the line."""
    corners = [(2 * i + u, 2 * j + v) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # doubled
    inside: list[tuple[Fraction, Fraction]] = []
    for (x, y), (s, t) in zip(corners, corners[1:] + corners[:1], strict=True):
        here, there = Fraction(x * dy - y * dx), Fraction(s * dy - t * dx)
        if here >= 0:
            inside.append((Fraction(x), Fraction(y)))
        if here * there < 0:
            part = here / (here - there)
            inside.append((x + part * (s - x), y + part * (t - y)))
    doubled = sum(x * t - s * y for (x, y), (s, t) in zip(inside, inside[1:] + inside[:1], strict=True))
    area = abs(Fraction(doubled)) / 8
    return min(area, 1 - area)


def test_area_is_the_piece_that_geometry_cuts_off() -> None:
    for dx, dy in product(range(7), range(7)):
        for i, j in product(range(dx + 1), range(dy + 1)):
            if (dx, dy) != (0, 0):
                assert is_mostly_cut(dx, dy, i, j) == (cut_area(dx, dy, i, j) > Fraction(1, 32)), (dx, dy, i, j)


def test_slopes_gives_the_same_answers_as_area() -> None:
    for dx, dy in product(range(-25, 26), range(-18, 19)):
        if (dx, dy) != (0, 0):
            step = (1 if dx > 0 else -1, 1 if dy > 0 else -1)
            for i, j in ((step[0] * u, step[1] * (u * abs(dy) // max(abs(dx), 1))) for u in range(abs(dx) + 1)):
                assert is_on_slope_list(dx, dy, i, j) == is_mostly_cut(dx, dy, i, j), (dx, dy, i, j)


@pytest.mark.gate
@settings(max_examples=200, deadline=None)
@given(st.integers(-25, 25), st.integers(-18, 18), st.integers(0, 25), st.integers(0, 18))
def test_slopes_gives_the_same_answers_as_area_all_over_the_box(dx: int, dy: int, u: int, v: int) -> None:
    i, j = min(u, abs(dx)) * (1 if dx > 0 else -1), min(v, abs(dy)) * (1 if dy > 0 else -1)
    if (dx, dy) != (0, 0):
        assert is_on_slope_list(dx, dy, i, j) == is_mostly_cut(dx, dy, i, j)


def test_inscribed_is_whether_the_centre_is_nearer_than_half_a_side() -> None:
    assert is_inscribed_circle_cut(2, 1, 1, 0)  # distance 1/sqrt 5
    assert not is_inscribed_circle_cut(1, 1, 1, 0)  # distance 1/sqrt 2
    assert is_mostly_cut(3, 1, 1, 1) == (cut_area(3, 1, 1, 1) > Fraction(1, 32))


@pytest.mark.gate
@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(ALGORITHMS))
def test_a_single_question_about_figures_equals_the_table(seed: int, los: str) -> None:
    board = random_board(random.Random(seed))
    bare = board.with_figures([])
    for a, b in product(board.index, repeat=2):
        assert sees_past_figures(bare, a, b, board.figures, los=los) == sees(board, a, b, los)


@pytest.mark.gate
@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_repaired_tables_equal_fresh_ones(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng).with_figures([])
    rows(board)  # now every square has its row
    for _ in range(6):
        walls = [edge for edge in edges(board) if board.is_wall(*edge)]
        if walls and rng.random() < 0.6:
            board = open_door(board, *rng.choice(walls))
        else:
            board = block(board, rng.choice(sorted(board.index)))
        assert rows(board) == rows(fresh(board))


def test_a_half_filled_table_is_repaired_where_it_is_filled() -> None:
    board = fresh(STANDARD)
    visible_from(board, (4, 2))
    opened = open_door(board, (4, 2), (5, 2))
    for square in ((4, 2), (8, 2)):
        assert visible_from(opened, square) == visible_from(fresh(opened), square)


def test_visible_from_is_the_set_of_what_sees_says() -> None:
    for los in ALGORITHMS:
        assert visible_from(STANDARD, (10, 18), los) == {b for b in STANDARD.index if sees(STANDARD, (10, 18), b, los)}


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda: sees(STANDARD, (26, 0), (0, 0)), r"26 x 19 board, got \(26, 0\)"),
        (lambda: sees(STANDARD, (0, 0), (0, -1)), "26 x 19 board"),
        (lambda: sees(STANDARD, (0, 0), (1, 0), "exakt"), "expected one of exact, circle"),
        (lambda: open_door(STANDARD, (0, 0), (1, 0)), "expected a wall"),
        (lambda: open_door(STANDARD, (0, 0), (5, 0)), "two neighbouring squares"),
        (lambda: Board.parse(".5."), r"row 0, column 1: expected a letter, '\.' or '#', got '5'"),
    ],
)
def test_squares_algorithms_doors_and_drawings_that_cannot_be_are_refused(
    ask: Callable[[], object], expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        ask()
