"""The search for shortest solutions: against brute force, against known optima, and what it says of hopeless ones."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from games.ricochet.board import COLOURS
from games.ricochet.optimum import find_shortest, is_optimum_at_least, shortest_steps
from games.ricochet.positions import parse_positions
from games.ricochet.proof import PLAIN, MoveRules, Position, judge
from games.ricochet.slides import Slides, slides_of
from games.ricochet.tiles import FACES, arrangements, make_board
from games.ricochet.wide_spaces import GeneralSpace
from tests.games.ricochet.boards import brute_force_optimum, drawn_position, random_position

LOOSE = MoveRules(printed=True)
STRICT = MoveRules(printed=True, early_stop=False)

TEXT = (Path(__file__).parent / "data" / "positions.json").read_text(encoding="utf-8")
POSITIONS = dict(parse_positions(TEXT))
EXPECTED = {entry["id"]: entry for entry in json.loads(TEXT)["positions"]}
LONG = {"A207-22", "U0013"}  # some seconds each: benchmarks and `joust solve` meet them
HARD_PRINTED = {"K0485"}


def optimum(position: Position, rules: MoveRules = PLAIN) -> int | None:
    found = find_shortest(slides_of(position.board), position, rules)
    assert found.is_proven
    assert found.moves is None or judge(position, found.moves, rules).is_right
    return None if found.moves is None else len(found.moves)


@pytest.mark.parametrize("name", sorted(set(POSITIONS) - LONG))
def test_known_optima_and_unsolvable_positions(name: str) -> None:
    assert optimum(POSITIONS[name]) == EXPECTED[name]["optimal"]


@pytest.mark.parametrize("name", sorted(name for name in set(POSITIONS) - HARD_PRINTED if EXPECTED[name]["printed"]))
def test_known_optima_of_both_readings_of_the_printed_rules(name: str) -> None:
    assert [optimum(POSITIONS[name], rules) for rules in (LOOSE, STRICT)] == EXPECTED[name]["printed"]


DEPTH = 4
RULES = [PLAIN, LOOSE, STRICT]


@pytest.mark.parametrize("extras", [False, True])
@pytest.mark.parametrize("robots", [4, 5])
@pytest.mark.parametrize("rules", RULES, ids=["plain", "early stop", "no early stop"])
def test_agrees_with_brute_force_on_tiny_boards(rules: MoveRules, robots: int, extras: bool) -> None:
    rng = random.Random(f"optimum/{rules}/{robots}/{extras}")
    deep = 0
    for _ in range(8):
        position = random_position(rng, robots=robots, extras=extras)
        expected = brute_force_optimum(position, rules, depth=DEPTH if robots == 4 else DEPTH - 1)
        if expected is None:
            deep += 1
            assert is_optimum_at_least(slides_of(position.board), position, rules, DEPTH)
        else:
            assert optimum(position, rules) == expected
    assert deep < 8  # most are within reach, so that the comparison means something


def test_the_reports_position_takes_one_move_plain_and_three_printed() -> None:
    """Robot in line with the target, one move away, no walls at the side."""
    position = drawn_position("""
+---+---+---+---+
|               |
+   +   +   +   +
|               |
+   +   +   +   +
| rt     R      |
+---+---+---+---+
""")
    assert [optimum(position, rules) for rules in RULES] == [1, 3, 3]


def test_banning_reversal_alone_never_changes_a_plain_optimum() -> None:
    """The shortest solutions found never go straight back, so the ban costs nothing."""
    rng = random.Random("reversal")
    boards = list(arrangements("ABC"))
    lengths = set()
    for _ in range(60):
        board = make_board(rng.choice(boards))
        position = Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))
        found = find_shortest(slides_of(board), position, max_states=20_000).moves or ()
        lengths.add(len(found))
        assert not any(a.robot is b.robot and a.direction is b.direction.opposite for a, b in pairwise(found))
    assert lengths > {2, 3, 4, 5}


def test_every_position_with_optimum_one_takes_three_to_seven_moves_under_the_printed_rules() -> None:
    rng = random.Random("one move")
    boards = list(arrangements("ABC"))
    seen = 0
    while seen < 8:
        board = make_board(rng.choice(boards))
        position = Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))
        if not is_optimum_at_least(slides_of(board), position, PLAIN, 2):
            seen += 1
            assert 3 <= (optimum(position, LOOSE) or 0) <= 7


def test_solving_from_the_target_takes_no_move() -> None:
    position = drawn_position("+---+---+---+\n|Rrt        |\n+---+---+---+")
    assert optimum(position) == 0


def test_a_target_that_no_line_leads_to_is_proven_unsolvable_at_once() -> None:
    position = drawn_position("+---+---+---+\n| rt|R      |\n+---+---+---+")
    found = find_shortest(Slides(position.board), position)
    assert (found.moves, found.is_proven, found.expanded) == (None, True, 0)


def test_a_limit_on_states_ends_the_search_without_a_claim() -> None:
    found = find_shortest(slides_of(POSITIONS["K0485"].board), POSITIONS["K0485"], max_states=1000)
    assert (found.moves, found.is_proven) == (None, False)
    assert found.bound <= EXPECTED["K0485"]["optimal"]


def test_the_bound_reported_while_searching_never_exceeds_the_optimum() -> None:
    position = POSITIONS["O024"]
    bounds = list(shortest_steps(slides_of(position.board), position))
    assert bounds == sorted(bounds)
    assert bounds[-1] <= EXPECTED["O024"]["optimal"]


def test_is_optimum_at_least_is_exact() -> None:
    position = POSITIONS["O045"]
    slides = slides_of(position.board)
    assert [is_optimum_at_least(slides, position, PLAIN, wanted) for wanted in (1, 7, 8)] == [True, True, False]


def test_diagonal_boards_are_solved_as_brute_force_does() -> None:
    rng = random.Random("diagonals")
    boards = [names for names in arrangements(FACES) if sum(name[1] == "D" for name in names) >= 2]
    for _ in range(6):
        board = make_board(rng.choice(boards))
        position = Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))
        expected = brute_force_optimum(position, PLAIN, depth=3)
        found = optimum(position)
        assert found == expected if expected is not None else found is not None and found > 3


def test_the_fast_space_of_diagonal_boards_agrees_with_the_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("mixed")
    boards = [names for names in arrangements(FACES) if sum(name[1] == "D" for name in names) == 4]
    positions: list[Position] = []
    while len(positions) < 8:
        board = make_board(rng.choice(boards))
        position = Position(board, tuple(rng.sample(board.start_cells(), 4)), rng.choice(board.targets))
        if find_shortest(slides_of(board), position, max_states=4000).expanded in range(500, 4000):
            positions.append(position)
    fast = [find_shortest(slides_of(position.board), position) for position in positions]
    monkeypatch.setattr(
        "games.ricochet.optimum.make_space", lambda slides, position, rules: GeneralSpace(slides, position)
    )
    general = [find_shortest(slides_of(position.board), position) for position in positions]
    assert [len(found.moves or ()) for found in fast] == [len(found.moves or ()) for found in general]
    assert all(found.moves for found in fast)


def test_interchangeable_helpers_share_a_state() -> None:
    """Swapping two helpers changes nothing about cost: the same states are expanded."""
    position = POSITIONS["O024"]
    red, green, blue, yellow = position.robots
    assert position.target.colour is COLOURS[3]
    swapped = Position(position.board, (blue, red, green, yellow), position.target)
    costs = [find_shortest(slides_of(each.board), each).expanded for each in (position, swapped)]
    assert costs[0] == costs[1]
