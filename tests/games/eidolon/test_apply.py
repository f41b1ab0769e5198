"""Actions of a turn: what they cost, when they are legal, what they change, how they are written."""

from __future__ import annotations

import pytest

from games.api import IllegalAction, Turn
from games.eidolon import Eidolon
from games.eidolon.actions import Action, Explore, Grab, Trade, parse_action
from games.eidolon.tiles import NUMBERS, TILES
from games.grid import Cell, Direction
from tests.games.eidolon.scenes import Scene, place, scene

EAST_CORRIDOR = place("skeletal_guards", 1, 0, 90)  # red, doors west and east
NORTH_HALL = place("minotaur", 0, -1)
SOUTH_HALL = place("psychomancer", 0, 1)


GUARDS_NORTH = place("skeletal_guards", 0, -1, 90)  # doors west and east only
X, Y = place("secret_passage_x", 1, 0), place("secret_passage_y", 0, 1)
TRADERS = scene(at=((0, 0), (0, 0)), tokens=((2, 0, 0), (1, 0, 3)))
APART = scene(NORTH_HALL, at=((0, 0), (0, -1)), tokens=((2, 0, 0), (0, 0, 0)))
COSTLY = scene(NORTH_HALL, at=((0, -1),), specialization="stars", heroes="wizard")  # 3 AP for red
SEAL = place("voraxs_heart", 0, -1)  # red, its door to the south
HEAVY = ("voraxs_heart", "fire_of_eidolon")

LEGALITY: dict[str, tuple[Scene, str, str]] = {  # a situation, what is legal in it, what is not
    "a move needs doors on both sides": (scene(EAST_CORRIDOR, GUARDS_NORTH), "move E", "move N, move S, move W"),
    "free movement needs no doors": (scene(GUARDS_NORTH, free_movement=True), "move N", "move E"),
    "a barrier stops free movement": (
        scene(NORTH_HALL, SOUTH_HALL, blocked=((0, 0, "N"),), free_movement=True), "move S", "move N",
    ),
    "a barrier blocks the way out": (scene(EAST_CORRIDOR, blocked=((0, 0, "E"),)), "break E", "move E"),
    "a barrier blocks the way in": (scene(EAST_CORRIDOR, at=((1, 0),), blocked=((0, 0, "E"),)), "break W", "move W"),
    "an open doorway leads in": (scene(EAST_CORRIDOR, at=((1, 0),)), "move W", "break W"),
    "the passage has two mouths": (scene(X, Y, at=((1, 0),)), "passage", ""),
    "one mouth leads nowhere": (scene(X, at=((1, 0),)), "move W", "passage"),
    "an unknown map is explored": (scene(stack=("minotaur",), known_map=False), "explore N", ""),
    "a known map is not": (scene(stack=("minotaur",)), "wait", "explore N"),
    "exploring needs a door onto an empty cell": (
        scene(EAST_CORRIDOR, at=((1, 0),), known_map=False), "explore E", "explore N, explore W",
    ),
    "barriers are cleared before exploring": (
        scene(blocked=((0, 0, "N"),), known_map=False), "break N, explore E", "explore N",
    ),
    "and then one may explore": (scene(blocked=((0, 0, "N"),), known_map=False).play("break N"), "explore N", ""),
    "seals and Fire may lie anywhere": (scene(stack=HEAVY, known_map=False), "explore N", ""),
    "but not with the Vestibule rule": (
        scene(stack=HEAVY, known_map=False, vestibule_rule=True), "wait", "explore N",
    ),
    "a token is paid within one turn": (COSTLY, "grab", ""),
    "not in part": (COSTLY.play("move S", "move N"), "wait", "grab"),
    "a seal needs six tokens": (scene(SEAL, at=((0, -1),), tokens=((5, 6, 6),)), "move S", "break"),
    "six will do": (scene(SEAL, at=((0, -1), (0, 0)), tokens=((6, 0, 0), (0, 0, 0))), "break", ""),
    "team-mates' tokens do not count": (
        scene(SEAL, at=((0, -1), (0, 0)), tokens=((3, 0, 0), (3, 0, 0))), "move S", "break",
    ),
    "trades are of tokens in hand, to another hero": (
        TRADERS,
        "trade 1 give r2 take b3",
        "trade 1 give r3, trade 1 take g1, trade 1 give r1 take r1, trade 0 give r1, trade 2 give r1",
    ),
    "traders stand on one tile": (APART, "move N", "trade 1 give r1"),
    "when they do they trade": (APART.put(1, cell=Cell(0, 0)), "trade 1 give r1", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", LEGALITY)
def test_legality(case: str) -> None:
    here, legal, illegal = LEGALITY[case]
    assert here.legal_among(legal, illegal) == legal


def test_move_costs_one_ap_and_counts_as_path() -> None:
    after = scene(EAST_CORRIDOR).play("move E")
    assert after.hero().cell == Cell(1, 0)
    assert (after.state.ap_left, after.hero().ap_spent, after.hero().path_length) == (2, 1, 1)


def test_barrier_is_cleared_for_one_ap_and_then_the_way_is_free() -> None:
    after = scene(EAST_CORRIDOR, blocked=((0, 0, "E"),)).play("break E", "move E")
    assert after.hero().cell == Cell(1, 0)
    assert after.state.ap_left == 1
    assert after.state.dungeon.barriers == frozenset()


def test_passage_joins_x_and_y_for_one_ap() -> None:
    x, y = place("secret_passage_x", 1, 0), place("secret_passage_y", 5, 5)
    after = scene(x, y, at=((1, 0),)).play("passage")
    assert after.hero().cell == Cell(5, 5)
    assert after.state.ap_left == 2
    assert after.play("passage").hero().cell == Cell(1, 0)


def test_exploring_lays_the_drawn_tile_and_moves_in_for_one_ap() -> None:
    after = scene(stack=("minotaur",), known_map=False).play("explore N")
    assert TILES[after.state.dungeon.at[Cell(0, -1)].tile].name == "minotaur"
    assert after.hero().cell == Cell(0, -1)
    assert after.state.ap_left == 2
    assert after.state.dungeon.stack == 0


def test_explored_tile_is_turned_clockwise_until_it_meets_the_door() -> None:
    after = scene(stack=("mimic_chest", "minotaur"), known_map=False, seed=1).play("explore N")
    while "mimic_chest" not in (TILES[p.tile].name for p in after.state.dungeon.placed):
        after = scene(stack=("mimic_chest", "minotaur"), known_map=False, seed=after.state.seed + 1).play("explore N")
    assert after.state.dungeon.links[Cell(0, 0)] == {Direction.N: Cell(0, -1)}


@pytest.mark.parametrize(("text", "quarters"), [("explore W", 1), ("explore W 180", 3), ("explore W 270", 3)])
def test_rotation_is_where_turning_begins(text: str, quarters: int) -> None:
    after = scene(stack=("skeletal_guards",), known_map=False).play(text)  # doors north and south as printed
    assert after.state.dungeon.at[Cell(-1, 0)].quarters == quarters


def test_vestibule_rule_holds_for_exploring() -> None:
    here = [scene(stack=(*HEAVY, "minotaur"), known_map=False, vestibule_rule=True, seed=seed) for seed in range(20)]
    assert {TILES[s.play("explore N").state.dungeon.placed[-1].tile].name for s in here} == {"minotaur"}


def test_tiles_are_drawn_evenly_from_the_stack() -> None:
    stack = ("minotaur", "psychomancer", "floating_stones", "laughing_shadow")
    drawn = [
        scene(stack=stack, known_map=False, seed=seed).play("explore N").state.dungeon.placed[-1].tile
        for seed in range(800)
    ]
    assert {*drawn} == {NUMBERS[name] for name in stack}
    assert all(abs(drawn.count(NUMBERS[name]) - 200) < 4.3 * (800 * 3 / 16) ** 0.5 for name in stack)  # p < 1e-4


def test_barriers_of_an_unknown_map_come_with_its_tiles() -> None:
    after = scene(stack=("minotaur",), known_map=False, barriers=3).change(barriers_left=3).play("explore N")
    cell = Cell(0, -1)
    blocked = [d for d in Direction if after.state.dungeon.is_blocked(cell, d)]
    assert sorted(blocked, key=str) == [Direction.E, Direction.N, Direction.W]  # three doors for three barriers
    assert after.state.barriers_left == 0


def test_no_more_barriers_than_asked_for_on_an_unknown_map() -> None:
    game = Eidolon({"preset": "sim3", "barriers": 60})
    assert game.initial_state(0).barriers_left == 60
    assert game.initial_state(0).dungeon.barriers == frozenset()


@pytest.mark.parametrize(("hero", "ap"), [("warrior", 1), ("ranger", 2), ("wizard", 3), ("", 1)])
def test_token_is_taken_for_four_ap_less_the_stars(hero: str, ap: int) -> None:
    specialization = "stars" if hero else "none"
    after = scene(NORTH_HALL, at=((0, -1),), specialization=specialization, heroes=hero).play("grab")
    assert (after.hero().tokens, after.hero().ap_spent) == ((1, 0, 0), ap)
    assert not after.is_legal("grab")


STARS = {"warrior": "321", "paladin": "312", "ranger": "231", "rogue": "132", "wizard": "123", "sage": "213"}


@pytest.mark.parametrize(("hero", "stars"), STARS.items())
def test_stars_of_the_heroes(hero: str, stars: str) -> None:
    rules = scene(specialization="stars", heroes=hero).game.rules
    assert [rules.grab_cost(0, colour) for colour in (0, 1, 2)] == [4 - int(sign) for sign in stars]


def test_seal_takes_six_tokens_of_its_colour() -> None:
    after = scene(SEAL, at=((0, -1),), tokens=((7, 0, 2),)).play("break")
    assert after.hero().tokens == (1, 0, 2)
    assert after.state.broken == 0b001
    assert not after.put(0, tokens=(6, 0, 0)).is_legal("break")


def test_by_the_team_rule_the_total_counts_and_the_breakers_tokens_go() -> None:
    here = scene(SEAL, at=((0, -1), (0, 0)), tokens=((2, 1, 0), (4, 0, 0)), seal_rule="team")
    after = here.play("break")
    assert after.hero(0).tokens == (0, 1, 0)
    assert after.hero(1).tokens == (4, 0, 0)


def test_fire_is_taken_when_all_seals_are_broken() -> None:
    here = scene(place("fire_of_eidolon", 0, -1), at=((0, -1),))
    assert not here.change(broken=0b011).is_legal("fire")
    after = here.change(broken=0b111).play("fire")
    assert (after.state.carrier, after.state.ap_left) == (0, 2)
    assert not after.is_legal("fire")


def test_trade_goes_both_ways_for_one_ap() -> None:
    after = scene(at=((0, 0), (0, 0)), tokens=((2, 0, 0), (0, 0, 3))).play("trade 1 give r1 take b2")
    assert (after.hero(0).tokens, after.hero(1).tokens) == ((1, 0, 2), (1, 0, 1))
    assert after.state.ap_left == 2


def test_words_reach_team_mates_in_their_next_observation_and_nobody_else() -> None:
    after = scene(NORTH_HALL, at=((0, 0), (0, 0), (0, 0))).play('move N say "mine is the red"', "wait")
    said = [{"seat": 0, "words": "mine is the red"}]
    assert [after.view(seat)["messages"] for seat in (0, 1, 2)] == [[], said, said]
    assert "messages" not in after.game.public_view(after.state)


def test_words_are_kept_until_the_speakers_next_turn_begins() -> None:
    after = scene(NORTH_HALL, at=((0, 0), (0, 0))).play('wait say "one"', 'wait say "two"')
    assert after.view(0)["messages"] == [{"seat": 1, "words": "two"}]
    assert after.view(1)["messages"] == []


def test_turn_ends_when_three_ap_are_spent_or_given_up() -> None:
    for turn, spent in ((("move N", "wait"), 1), (("move N", "move S", "move N"), 3)):
        after = scene(NORTH_HALL, at=((0, 0), (0, 0))).play(*turn)
        assert (after.hero(0).ap_spent, after.seat, after.state.ap_left, after.state.game_round) == (spent, 1, 3, 1)
        assert after.play("wait").state.game_round == 2


def test_lost_heroes_are_passed_over() -> None:
    here = scene(NORTH_HALL, at=((0, 0), (0, 0), (0, 0))).put(1, cell=None)
    assert here.play("wait").seat == 2


def test_only_the_seat_that_is_asked_may_answer() -> None:
    here = scene(NORTH_HALL, at=((0, 0), (0, 0)))
    with pytest.raises(IllegalAction, match="expected an action of seat 0"):
        here.game.apply(here.state, Turn({1: parse_action("wait")}, 1))


TEXTS = [
    "move N", "explore E", "explore S 90", "explore W 270 stay", "explore N stay", "passage", "grab", "break",
    "break W", "fire", "trade 2 give r1 take b2", "trade 0 take r1 g2 b10", "attack", "attack N", "attack @-1,3",
    "send r 3", "redirect @0,-2", "dive S", "wait", "master", "master N E S", "master @2,-1", "master @2,-1 5",
    "master mindeater @0,1", "master mindeater @0,1 180", 'wait say "to the red seal!"', 'grab say "é"',
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_texts_stand_for_one_action_each(text: str) -> None:
    assert str(parse_action(text)) == text


def test_texts_mean_what_they_say() -> None:
    assert parse_action("explore S 90 stay") == Action(Explore(Direction.S, 90, stay=True))
    assert parse_action("trade 2 give r1 take b2") == Action(Trade(2, (1, 0, 0), (0, 0, 2)))
    assert parse_action('grab say "mine"') == Action(Grab(), "mine")
    assert parse_action(f'wait say "{"a" * 80}"').words == "a" * 80


NONSENSE = [
    "", "move", "move n", "move N ", " move N", "explore N 0", "explore N 45", "trade 2", "trade 2 give r0",
    "trade 2 give b1 r1", "trade 9 give r1", "attack @1,02", "send x 1", "master N E S W", "master dungeon @0,0",
    'wait say ""', f'wait say "{"a" * 81}"', 'wait say "a" say "b"', 'wait say "\n"', "say", "move ٣", "attack @٣,1",
]  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_action(text)
