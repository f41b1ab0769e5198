"""Solo positions, boards by parameter, views, and parameters that mean nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gridjoust.games.api import Dynamics, Turn, Utility
from gridjoust.games.grid import Cell
from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet.actions import Bid, Pass, Solve, parse_action, parse_moves
from gridjoust.games.ricochet.ascii import format_board, parse_board
from gridjoust.games.ricochet.board import Colour, Symbol
from gridjoust.games.ricochet.deal import random_board
from gridjoust.games.ricochet.proof import MoveRules
from gridjoust.games.ricochet.state import Phase, State
from gridjoust.games.ricochet.tiles import make_board
from gridjoust.games.ricochet.view import public_view
from tests.games.ricochet.boards import length, solve

STANDARD = make_board(("1A", "3B", "4A", "2A"))


def solo(seats: int = 1, **params: Any) -> Ricochet:
    return Ricochet({"mode": "solve", **params}, seats=seats)


def passed(game: Ricochet, seed: int, count: int) -> list[State]:
    """That many positions, which nobody solves."""
    states = [game.initial_state(seed)]
    for turn in range(1, count):
        states.append(game.apply(states[-1], Turn(dict.fromkeys(range(game.seats), Pass()), turn)))
    return states


def bidding(seed: int = 1, **params: Any) -> State:
    return Ricochet(params, seats=2).initial_state(seed)


def test_solo_positions_are_answered_by_all_at_once_and_bidding_races_in_real_time() -> None:
    spec = solo(seats=3, positions=4).spec
    assert (spec.dynamics, spec.utility, spec.max_turns) == (Dynamics.SIMULTANEOUS, Utility.INDIVIDUAL, 4)
    assert (Ricochet().spec.dynamics, Ricochet().seats) == (Dynamics.REAL_TIME, 2)


@pytest.mark.gate
def test_positions_differ_from_turn_to_turn_and_every_seat_gets_the_same() -> None:
    one, two = ([state.position for state in passed(solo(seats=seats), 3, 5)] for seats in (1, 2))
    assert one == two
    assert len({(position.robots, position.target) for position in one}) == 5


def test_a_shortest_solution_returns_one_and_a_longer_one_its_share() -> None:
    game = solo(seats=3, positions=1, optima="3")
    state = game.initial_state(3)
    best = solve(state.position).moves or ()
    # out and back with a robot that is not needed: two moves more
    longer = next(
        longer
        for robot in ("red", "green", "blue", "yellow")
        for out, back in ("NS", "EW", "SN", "WE")
        for longer in [Solve((*parse_moves(f"{robot} {out}, {robot} {back}"), *best))]
        if game.apply(state, Turn({0: longer, 1: Pass(), 2: Pass()}, 1)).players[0].answers[0].moves
    )
    state = game.apply(state, Turn({0: Solve(best), 1: longer, 2: Pass()}, 1))
    assert game.returns(state) == (1.0, 3 / 5, 0.0)
    assert game.metrics(state)[1] == {"solved": 1, "best": 0, "moves": 5, "optimum": 3, "over_optimum": 2}
    assert game.is_terminal(state)


def test_a_wrong_solution_counts_as_none() -> None:
    game = solo(positions=1)
    start = game.initial_state(3)
    ways = [parse_moves("red N"), solve(start.position).moves or ()]
    after = [game.apply(start, Turn({0: Solve(way)}, 1)) for way in ways]
    assert [game.metrics(state)[0]["solved"] for state in after] == [0, 1]


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(3))
def test_positions_come_with_the_wanted_optima_and_printed_ones_with_theirs(seed: int) -> None:
    states = passed(solo(positions=4, optima="3,4,7"), seed, 4)
    assert [state.optimum for state in states] == [length(solve(state.position)) for state in states] == [3, 4, 7, 3]
    printed = solo(positions=1, variant="printed", early_stop=False).initial_state(seed)
    assert printed.optimum == length(solve(printed.position, MoveRules(printed=True, early_stop=False)))


def test_a_solo_turn_is_a_solution_of_robots_that_play() -> None:
    game = solo()
    state = game.initial_state(3)
    actions = (Solve(parse_moves("silver N")), Bid(3), Solve(parse_moves("red N")))
    assert [game.is_legal(state, 0, action) for action in actions] == [False, False, True]


def test_the_optimum_is_shown_to_nobody() -> None:
    game = solo(positions=2)
    state = game.initial_state(3)
    shown = f"{game.observation(state, 0)} {game.public_view(state)} {game.briefing(state, 0)}"
    assert "optimum'" not in shown.replace("'min_optimum'", "")


def test_boards_are_as_the_parameters_say() -> None:
    assert bidding(tiles="1A 3B 4A 2A").board == STANDARD
    assert len(bidding(openings=True).board.openings) == 8  # both ends of two rows and two columns
    assert list(public_view(bidding(silver=True))["robots"]) == ["red", "green", "blue", "yellow", "silver"]
    pool = bidding(vortex=False).pool
    assert (len(pool), Symbol.VORTEX in {target.symbol for target in pool}) == (16, False)
    for wanted in (False, True):
        assert any(bidding(seed, diagonals=wanted).board.diagonals for seed in range(8)) is wanted
    board = random_board(20, 12, 60, random.Random(1))
    assert (board.width, board.height, len(board.walls) // 2, len(board.targets)) == (20, 12, 60, 17)


def test_robots_are_dealt_on_cells_without_a_symbol() -> None:
    for seed in range(10):
        state = bidding(seed, diagonals=True)
        taken = {target.cell for target in state.board.targets} | {cell for cell, _ in state.board.diagonals}
        assert not taken & set(state.robots)
        assert len(set(state.robots)) == 4


def test_a_map_brings_board_and_robots() -> None:
    robots = (Cell(0, 0), Cell(3, 0), Cell(0, 15), Cell(9, 9))
    text = format_board(STANDARD, robots)
    state = bidding(map=text)
    assert (state.board, state.dealt) == (parse_board(text)[0], robots)


CLOSED = "+---+---+---+---+---+---+\n| rt|   |   |   |   |   |\n+---+---+---+---+---+---+"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"map": "nonsense"}, "board: expected"),
        ({"map": format_board(STANDARD, (Cell(0, 0),))}, "all robots or none"),
        ({"tiles": "1A 1B 2A 3A"}, "one tile of each number"),
        ({"width": 20}, "without random_walls"),
        ({"random_walls": 1000, "width": 8, "height": 8}, "at most 112"),
        ({"optima": "3,x"}, "numbers from 1 to 12"),
        ({"optima": "40"}, "numbers from 1 to 12"),
    ],
)
def test_parameters_that_mean_nothing_are_refused_when_the_game_is_made(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ricochet(params, seats=2)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"map": "+---+\n| *v|\n+---+", "vortex": False}, "at least 4 free cells"),
        ({"map": CLOSED, "mode": "solve"}, "solvable positions"),
    ],
)
def test_boards_that_cannot_be_played_are_refused_when_a_match_starts(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bidding(**params)


@pytest.mark.parametrize("text", ["bid 7", "bid 99", "pass", "solve red N", "solve blue E, silver W"])
def test_action_texts_are_canonical(text: str) -> None:
    assert str(parse_action(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "bid", "bid 0", "bid 07", "bid 100", "bid ٣", "Pass", "pass ", "solve", "solve ", "solve red n"),
        *("solve pink N", "solve red N,blue E", "solve red N, ", "solve " + ", ".join(["red N"] * 100)),
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_action(text)


@pytest.mark.gate
def test_a_redeal_changes_nothing_but_chance_to_come() -> None:
    game = solo(positions=3)
    state = game.initial_state(3)
    twin = game.redeal(state, 0, random.Random(1))
    assert game.observation(twin, 0) == game.observation(state, 0)
    assert game.apply(twin, Turn({0: Pass()}, 1)).robots != game.apply(state, Turn({0: Pass()}, 1)).robots


def test_the_briefing_tells_the_board_twice() -> None:
    game = Ricochet({"diagonals": True, "tiles": "1D 2A 3A 4A"}, seats=2)
    brief = game.briefing(game.initial_state(3), 0)
    board, _ = parse_board(brief["board"])
    assert len(brief["walls"]) == len(board.walls)
    assert {"cell": [4, 1], "colour": str(Colour.GREEN), "shape": "/"} in brief["diagonals"]


def test_render_shows_the_round_and_the_robots() -> None:
    game = Ricochet({"tiles": "1A 3B 4A 2A"}, seats=2)
    state = game.initial_state(3)
    head, _, drawing = game.render(state).partition("\n")
    assert head.startswith(f"round 1 {Phase.BIDDING.value}  target {state.target}")
    assert tuple(parse_board(drawing)[1].values()) == tuple(sorted(state.robots, key=lambda cell: (cell.y, cell.x)))
