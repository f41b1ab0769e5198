"""What seats see, what is kept from them, and how it is drawn for people."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from gridjoust.games.api import ParamValue
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.ascii import render
from gridjoust.games.heroquest.sight.board import Board
from gridjoust.games.heroquest.sight.tables import sees
from gridjoust.games.heroquest.terminal import draw, draw_turn, parse
from tests.games.heroquest.scenes import HALL, Scene, played, quest, scene


@pytest.mark.default("crypt")
@pytest.mark.parametrize(
    "params",
    [
        {"quest": "crypt"},
        {"quest": "vault", "visibility": "us"},
        {"quest": "the_trial", "edition": "eu", "visibility": "eu", "equipment": "dwarf: crossbow"},
        {"quest": "random", "board": "random", "door_camping": True},
    ],
    ids=lambda params: str(params["quest"]),
)
def test_nothing_hidden_shows_in_what_heroes_see(params: dict[str, ParamValue]) -> None:
    game, states = played(params)
    rng = random.Random(11)
    changed = 0
    for state in states[::4]:
        for seat in (state.seat, 0):
            twin = game.redeal(state, seat, rng)
            assert game.observation(twin, seat) == game.observation(state, seat)
            assert game.briefing(twin, seat) == game.briefing(state, seat)
            assert game.public_view(twin) == game.public_view(state)
            assert game.legal_actions(twin, seat) == game.legal_actions(state, seat)
            changed += twin.dungeon != state.dungeon
    assert changed > 0


def test_everybody_is_told_how_many_rounds_there_are_by_the_quest_or_by_the_parameter() -> None:
    for given, rounds in ((0, 9), (7, 7)):
        shown = scene(rounds="9", params={"max_game_rounds": given})
        briefings = [shown.game.briefing(shown.state, seat) for seat in (0, 1)]
        assert [briefing["rounds"] for briefing in briefings] == [rounds, rounds]
        assert f"round 1 of {rounds}, goal:" in draw(shown.game.public_view(shown.state), briefings[0])
        assert f"round 1 of {rounds}, seat 0" in render(shown.situation)


def test_a_redeal_puts_all_that_is_hidden_elsewhere_and_keeps_its_number() -> None:
    game = HeroQuest({"quest": "the_trial"}, seats=5)
    state = game.initial_state(1)
    twin = game.redeal(state, 0, random.Random(1))
    for name in ("doors", "furniture", "chests", "monsters"):
        before, after = getattr(state.dungeon, name), getattr(twin.dungeon, name)
        assert (before == after, len(before)) == (False, len(after)), name
    assert sorted(one.kind for one in twin.lurkers) == sorted(one.kind for one in state.lurkers)
    assert twin.dungeon.board.blocked != state.dungeon.board.blocked
    assert twin.seed != state.seed


def test_known_doors_and_revealed_monsters_stay_in_a_redeal() -> None:
    shown = scene(doors="[[4, 2, 5, 2], [9, 2, 8, 2]]")
    twin = shown.game.redeal(shown.state, 0, random.Random(4))
    assert twin.dungeon.doors[0] == shown.state.dungeon.doors[0]


def test_zargon_sees_the_dungeon_of_which_only_chance_is_redealt_and_heroes_are_not_told_what_lurks() -> None:
    game = HeroQuest({"quest": "vault"}, seats=2)
    state = game.initial_state(1)
    twin = game.redeal(state, 1, random.Random(1))
    assert (twin.dungeon == state.dungeon, twin.seed == state.seed) == (True, False)
    assert len(game.observation(state, 1)["hidden"]["monsters"]) == 8
    assert len(game.briefing(state, 1)["dungeon"]["secret_doors"]) == 2
    assert "dungeon" not in game.briefing(state, 0)
    for view in (game.observation(state, 0), game.public_view(state)):
        assert ("hidden" in view, view["monsters"]) == (False, [])


def test_the_text_of_a_hidden_quest_is_left_out_of_the_briefing() -> None:
    game = HeroQuest({"map": quest()})
    assert game.public_params["map"] == ""
    assert "gargoyle, 8" not in json.dumps(game.briefing(game.initial_state(1), 0))
    assert HeroQuest({"map": quest(), "mode": "open"}).public_params["map"] == quest()


def test_revealed_squares_stay_revealed() -> None:
    _, states = played({"quest": "crypt"})
    assert all(before.seen & ~after.seen == 0 for before, after in itertools.pairwise(states))


def test_dark_squares_are_revealed_by_standing_on_them_only() -> None:
    shown = scene(dark="[[3, 1]]")
    assert (shown.is_seen(3, 1), shown.is_seen(4, 1), shown.play("move E E").is_seen(3, 1)) == (False, True, True)


CORRIDORS = """\
......
.AAAA.
.AAAA.
......
"""


def test_corridors_are_revealed_by_sight() -> None:
    shown = scene(CORRIDORS, start="[[0, 0]]", monsters="[[gargoyle, 5, 3]]")
    assert {(x, y) for x in range(6) for y in range(4) if shown.is_seen(x, y)} == {
        *((x, 0) for x in range(6)), *((0, y) for y in range(4)),
    }  # fmt: skip


def test_marking_what_lines_pass_reveals_more_than_is_seen() -> None:
    start = HeroQuest({"quest": "the_trial", "mode": "fog"}).initial_state(0)
    board = Board.standard()
    game = HeroQuest({"quest": "the_trial", "mark_passed": True})
    shown = Scene(game, start).at(0, 12).change(changes=((11 * 26, 11 * 26 + 1),))
    seen = shown.with_points(3).play("move S")
    wrong = [
        (x, y) for x, y in board.index
        if board.region((x, y)) == 0 and seen.is_seen(x, y) and not start.seen >> (y * 26 + x) & 1
        and not sees(seen.situation.board, (0, 13), (x, y)) and not sees(seen.situation.board, (0, 12), (x, y))
    ]  # fmt: skip
    plain = Scene(HeroQuest({"quest": "the_trial"}), start).at(0, 12).with_points(3).play("move S")
    assert seen.state.seen & plain.state.seen == plain.state.seen
    assert len(wrong) == (seen.state.seen & ~plain.state.seen).bit_count()


def test_the_view_is_drawn_under_its_fog_and_everything_for_who_may_see_it() -> None:
    shown = scene(doors="[[4, 2, 5, 2]]", blocked="[[0, 0]]", furniture="[[throne, 4, 3]]", chests="[[4, 1, 9]]")
    drawn = draw(shown.view(), shown.game.briefing(shown.state, 0))
    assert drawn.splitlines()[:11] == [
        "+-------------------+",
        "|? ? ? ? ? ? ? ? ? ?|",
        "| +-------+-------+ |",
        "|?|B < . $|? ? ? ?|?|",
        "| |       |       | |",
        "|?|< < . .=? ? ? ?|?|",
        "| |       |       | |",
        "|?|. . . %|? ? ? ?|?|",
        "| +-------+-------+ |",
        "|? ? ? ? ? ? ? ? ? ?|",
        "+-------------------+",
    ]
    assert "B barbarian: body 8, 0 gold, 12 of 12 steps left, can act" in drawn
    shown = scene(doors="[[4, 2, 5, 2]]", traps="[[pit, 6, 1]]")
    everything = {*render(shown.situation).splitlines()}
    assert {"|?|< < . .=? ? ? ?|?|", "|?|. . . .|? ? ? G|?|", "unknown trap: pit at 6,1"} <= everything


def test_a_turn_is_drawn_step_by_step() -> None:
    before = scene(CORRIDORS, start="[[0, 0]]", monsters="[[gargoyle, 5, 3]]")
    after = before.play("move E E E E E")
    first, last = (one.game.public_view(one.state) for one in (before, after))
    drawings = draw_turn(first, last, before.game.briefing(before.state, 0))
    # four steps, the square round the corner, a fifth step, the rest of the column, the gargoyle in it
    assert len(drawings) == 8
    assert [drawing.splitlines()[1] for drawing in drawings[:2]] == ["|< B . . . .|", "|< . B . . .|"]
    assert [drawing.splitlines()[3][-2:] for drawing in drawings[3:5]] == ["?|", ".|"]
    assert [drawing.splitlines()[7] for drawing in drawings[5:]] == ["|. ? ? ? ? ?|", "|. ? ? ? ? .|", "|. ? ? ? ? G|"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("eess", "move E E S S"), ("e2 s", "move E E S"), ("oe", "open E"), ("ane", "attack NE"),
        ("st", "search treasure"),
        ("sp", "search traps"), ("sd", "search doors"), (".", "end"), ("4 wws", "move 4 W W S"), ("4 aw", "attack 4 W"),
        ("cast genie 7,3", "cast genie 7,3"), ("s", "move S"), ("jn", "jump N"), ("dw", "disarm W"),
    ],
)  # fmt: skip
def test_what_people_type(typed: str, expected: str) -> None:
    assert parse(typed, {}, []) == expected


@pytest.mark.parametrize("typed", ["", "x", "oo", "e99", "4", "one", "e999999999"])
def test_what_people_mistype(typed: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse(typed, {}, [])


def test_observations_stay_small() -> None:
    game, states = played({"quest": "the_trial"}, length=40)
    sizes = [len(json.dumps(game.observation(state, seat))) for state in states for seat in (0, 4)]
    assert 2_000 < max(sizes) < 20_000


def test_views_are_fresh_values() -> None:
    shown = scene()
    first: dict[str, Any] = shown.view()
    first["map"].clear()
    first["heroes"][0]["position"][0] = 99
    assert shown.view()["map"][1][1] == "."
    assert HALL.split()[1][1] == "A"
