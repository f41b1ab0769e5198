"""The search for shortest solutions: against brute force, against known optima, and what it says of hopeless ones."""

from __future__ import annotations

import json
import random
from itertools import islice, pairwise
from pathlib import Path

import pytest

from gridjoust.games.ricochet.board import COLOURS
from gridjoust.games.ricochet.optimum import is_optimum_at_least, shortest_steps
from gridjoust.games.ricochet.positions import parse_positions
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position, judge
from gridjoust.games.ricochet.slides import slides_of
from gridjoust.games.ricochet.spaces import GeneralSpace
from gridjoust.games.ricochet.tiles import arrangements
from tests.games.ricochet.boards import (
    IN_LINE,
    brute_force_optimum,
    drawn_position,
    length,
    official_positions,
    random_position,
    solve,
    stopping,
)

LOOSE = MoveRules(printed=True)
STRICT = MoveRules(printed=True, early_stop=False)
RULES = [PLAIN, LOOSE, STRICT]

TEXT = (Path(__file__).parent / "data" / "positions.json").read_text(encoding="utf-8")
POSITIONS = dict(parse_positions(TEXT))
EXPECTED = {entry["id"]: entry for entry in json.loads(TEXT)["positions"]}
LONG = {"A207-22", "U0013"}  # some seconds each: benchmarks and `joust solve` meet them
HARD_PRINTED = {"K0485"}
LONG_PRINTED = {"K1083", "R006", "O024"}  # the first takes as long as all others together
PRINTED = [
    pytest.param(name, marks=pytest.mark.gate if name in LONG_PRINTED else ())
    for name in sorted(set(POSITIONS) - HARD_PRINTED)
    if EXPECTED[name]["printed"]
]


def optimum(position: Position, rules: MoveRules = PLAIN) -> int | None:
    found = solve(position, rules)
    assert found.is_proven
    assert found.moves is None or judge(position, found.moves, rules).is_right
    return length(found)


def diagonal_boards(least: int) -> list[tuple[str, str, str, str]]:
    """With so many tiles that have diagonals."""
    return [names for names in arrangements() if sum(name[1] == "D" for name in names) >= least]


@pytest.mark.default("K0370", "O044", "R020", "O045")
@pytest.mark.parametrize("name", sorted(set(POSITIONS) - LONG))
def test_known_optima_and_unsolvable_positions(name: str) -> None:
    assert optimum(POSITIONS[name]) == EXPECTED[name]["optimal"]


@pytest.mark.default("K0664", "O011", "O047", "K0370")
@pytest.mark.parametrize("name", PRINTED)
def test_known_optima_of_both_readings_of_the_printed_rules(name: str) -> None:
    assert [optimum(POSITIONS[name], rules) for rules in (LOOSE, STRICT)] == EXPECTED[name]["printed"]


DEPTH = 4


@pytest.mark.default(
    "plain-5-False-False", "plain-4-True-False", "no early stop-5-True-True", "early stop-5-False-True"
)
@pytest.mark.parametrize("pass_goal", [True, False])
@pytest.mark.parametrize("extras", [False, True])
@pytest.mark.parametrize("robots", [4, 5])
@pytest.mark.parametrize("rules", RULES, ids=["plain", "early stop", "no early stop"])
def test_agrees_with_brute_force_on_tiny_boards(rules: MoveRules, robots: int, extras: bool, pass_goal: bool) -> None:
    rng = random.Random(f"optimum/{rules}/{robots}/{extras}")
    deep = 0
    for _ in range(8 if pass_goal else 5):
        position = random_position(rng, robots=robots, extras=extras)
        position = stopping(position) if not pass_goal else position
        expected = brute_force_optimum(position, rules, depth=DEPTH if robots == 4 else DEPTH - 1)
        if expected is None:
            deep += 1
            assert is_optimum_at_least(slides_of(position.board), position, rules, DEPTH)
        else:
            assert optimum(position, rules) == expected
    assert deep < (8 if pass_goal else 5)  # most are within reach, so that the comparison means something


def test_the_reports_position_takes_one_move_plain_and_three_printed() -> None:
    assert [optimum(drawn_position(IN_LINE), rules) for rules in RULES] == [1, 3, 3]
    assert optimum(drawn_position("+---+---+---+\n|Rrt        |\n+---+---+---+")) == 0  # it stands there already


@pytest.mark.gate
def test_banning_reversal_alone_never_changes_a_plain_optimum() -> None:
    """The shortest solutions found never go straight back, so the ban costs nothing."""
    lengths = set()
    for position in islice(official_positions("reversal"), 60):
        found = solve(position, max_states=20_000).moves or ()
        lengths.add(len(found))
        assert not any(a.robot is b.robot and a.direction is b.direction.opposite for a, b in pairwise(found))
    assert lengths > {2, 3, 4, 5}


@pytest.mark.gate
def test_every_position_with_optimum_one_takes_three_to_seven_moves_under_the_printed_rules() -> None:
    positions = official_positions("one move")
    easy = (each for each in positions if not is_optimum_at_least(slides_of(each.board), each, PLAIN, 2))
    assert all(3 <= (optimum(position, LOOSE) or 0) <= 7 for position in islice(easy, 8))


def test_a_target_that_no_line_leads_to_is_proven_unsolvable_at_once() -> None:
    found = solve(drawn_position("+---+---+---+\n| rt|R      |\n+---+---+---+"))
    assert (found.moves, found.is_proven, found.expanded) == (None, True, 0)


def test_a_limit_on_states_ends_the_search_without_a_claim() -> None:
    found = solve(POSITIONS["K0485"], max_states=1000)
    assert (found.moves, found.is_proven) == (None, False)
    assert found.bound <= EXPECTED["K0485"]["optimal"]


@pytest.mark.gate
def test_the_bound_reported_while_searching_never_exceeds_the_optimum() -> None:
    bounds = list(shortest_steps(slides_of(POSITIONS["O024"].board), POSITIONS["O024"]))
    assert bounds == sorted(bounds)
    assert bounds[-1] <= EXPECTED["O024"]["optimal"]
    seven = POSITIONS["O045"]
    least = [is_optimum_at_least(slides_of(seven.board), seven, PLAIN, wanted) for wanted in (1, 7, 8)]
    assert least == [True, True, False]


@pytest.mark.gate
def test_diagonal_boards_are_solved_as_brute_force_does() -> None:
    for position in islice(official_positions("diagonals", diagonal_boards(2)), 6):
        expected = brute_force_optimum(position, PLAIN, depth=3)
        found = optimum(position)
        assert found == expected if expected is not None else found is not None and found > 3


@pytest.mark.gate
def test_the_fast_space_of_diagonal_boards_agrees_with_the_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = official_positions("mixed", diagonal_boards(4))
    positions = list(islice((each for each in drawn if solve(each, max_states=4000).expanded in range(500, 4000)), 8))
    fast = [length(solve(position)) for position in positions]
    monkeypatch.setattr(
        "gridjoust.games.ricochet.optimum.make_space", lambda slides, position, rules: GeneralSpace(slides, position)
    )
    assert [length(solve(position)) for position in positions] == fast
    assert all(fast)


@pytest.mark.gate
def test_interchangeable_helpers_share_a_state() -> None:
    """Swapping two helpers changes nothing about cost: the same states are expanded."""
    position = POSITIONS["O024"]
    red, green, blue, yellow = position.robots
    assert position.target.colour is COLOURS[3]
    swapped = Position(position.board, (blue, red, green, yellow), position.target)
    assert solve(position).expanded == solve(swapped).expanded
