"""Turns: walking, what stops it, doors, Zargon's monsters, rounds and the end."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.heroquest.astar import AStarHero
from gridjoust.bots.match import watch_match
from gridjoust.bots.random_bot import RandomBot
from gridjoust.games.api import IllegalAction, Turn
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.actions import parse_action
from gridjoust.games.heroquest.situation import Situation
from tests.games.heroquest.scenes import Scene, scene

DOOR = "[[4, 2, 5, 2]]"


@pytest.mark.gate
@pytest.mark.parametrize(("items", "rolls"), [("", range(2, 13)), ("barbarian: plate mail", range(1, 7))])
def test_movement_is_rolled_with_two_dice_and_in_plate_mail_with_one(items: str, rolls: range) -> None:
    game = HeroQuest({"equipment": items})
    assert {game.initial_state(seed).rolled for seed in range(150)} == set(rolls)


BESIDE_A_FRIEND = scene(heroes=2, start="[[1, 1], [2, 1]]").at(1, 2).at(2, 2, seat=1)
TWO_ORCS = scene().with_monster("orc", 3, 3).with_monster("orc", 4, 3).play("end")
GOBLIN_AT_A_DOOR = scene(doors=DOOR).with_monster("goblin", 4, 2).play("end")
GOBLIN_BEHIND_A_HERO = scene().at(3, 3).with_monster("goblin", 4, 3).play("end")
MUMMY = scene().at(1, 1).with_monster("mummy", 4, 3).play("end")
ORC_AT_WORK = scene().at(1, 3).with_monster("orc", 2, 3).play("end", "attack 0 W")
BEND = """\
......
.AAAA.
.AAAA.
......
"""
DEEP = "[[gargoyle, 3, 1]]"  # in the room, which nobody opens
TO_THE_CORNER = "move E E E E E"


@pytest.mark.parametrize(
    ("shown", "legal", "illegal"),
    [
        pytest.param(scene(), ["move E E E"], ["move N", "move W", "move E E E E"], id="walls"),
        pytest.param(scene().with_points(2), ["move E E"], ["move E E E"], id="points of the roll"),
        pytest.param(BESIDE_A_FRIEND, ["move E E"], ["move E"], id="past a friend"),
        pytest.param(scene().with_monster("orc", 2, 1), ["move S E E"], ["move E E E"], id="not past a monster"),
        pytest.param(scene(furniture="[[throne, 3, 1]]"), ["move E S E"], ["move E E E"], id="not past furniture"),
        pytest.param(scene(doors=DOOR).at(4, 2), ["open E"], ["open W"], id="a door beside"),
        pytest.param(scene(doors=DOOR).at(3, 2), ["move E"], ["open E"], id="a door farther off"),
        pytest.param(scene(doors=DOOR).at(4, 2).play("open E"), ["move E"], ["open E"], id="an open door"),
        pytest.param(scene().play("search traps"), ["move E E"], ["search traps"], id="walking after the action"),
        pytest.param(GOBLIN_AT_A_DOOR, ["move 0 W"], ["move 0 E", "open E"], id="monsters and doors"),
        pytest.param(GOBLIN_BEHIND_A_HERO, ["move 0 N W"], ["move 0 W W"], id="monsters and heroes"),
        pytest.param(GOBLIN_BEHIND_A_HERO.at(1, 1), ["move 0 W W"], ["move 0 E"], id="monsters on free floor"),
        pytest.param(TWO_ORCS, ["move 1 W W", "move 1 N"], ["move 1 W"], id="monsters past monsters"),
        pytest.param(MUMMY, ["move 0 N N W W"], ["move 0 N N W S W"], id="monsters as far as their kind"),
        pytest.param(MUMMY.play("move 0 N"), ["end"], ["move 0 N"], id="monsters once"),
        pytest.param(ORC_AT_WORK, ["move 0 E"], ["attack 0 W"], id="monsters after their attack"),
        pytest.param(
            scene(BEND, start="[[0, 0]]", monsters=DEEP, blocked="[[5, 3]]").play(TO_THE_CORNER + " S S S W"),
            ["move S S"],
            ["move S S S"],
            id="not into a blocked square that came into sight",
        ),
    ],
)
def test_what_may_be_done(shown: Scene, legal: list[str], illegal: list[str]) -> None:
    assert [text for text in legal + illegal if shown.is_legal(text)] == legal


def test_illegal_actions_and_turns_of_the_wrong_seat_are_refused() -> None:
    with pytest.raises(IllegalAction, match="seat 0: move N is not legal now"):
        scene().play("move N")
    with pytest.raises(IllegalAction, match=r"expected an action of seats \[0\]"):
        scene().game.apply(scene().state, Turn({1: parse_action("end")}, 1))


def test_a_hero_walks_and_has_fewer_points_left() -> None:
    after = scene().play("move E E S")
    assert (after.position, after.state.points, after.hero.steps) == ((3, 2), 9, 3)


def test_one_shortest_path_is_offered_to_every_square_in_reach() -> None:
    shown = scene().with_points(3)
    ends = [shown.change().play(text).position for text in shown.legal() if text.startswith("move")]
    assert sorted(ends) == sorted((x, y) for x in range(1, 5) for y in range(1, 4) if 1 <= x + y - 2 <= 3)
    assert not shown.game.legal_complete(shown.state, 0)


def test_walking_may_go_on_until_the_action_and_the_turn_ends_by_itself_when_nothing_is_left() -> None:
    shown = scene(doors=DOOR).at(2, 2).play("move E", "move E")
    assert shown.position == (4, 2)
    after = shown.play("search traps")  # a door is left to be opened: the turn goes on
    assert (after.state.seat, after.state.round, after.state.points) == (0, 1, 0)
    assert after.legal() == ["end", "open E"]
    assert scene(heroes=2).play("move E S", "search traps").state.seat == 1


def bent(monsters: str = DEEP, **keys: Any) -> Scene:
    """A hero at a corner of the ring: it sees the first row and column."""
    return scene(BEND, start="[[0, 0]]", monsters=monsters, **keys)


def behind_a_friend(monsters: str) -> Scene:
    """The other hero stands at the next corner."""
    return scene(BEND, heroes=2, start="[[0, 0], [0, 1]]", monsters=monsters).at(5, 0, seat=1)


WALKS: dict[str, tuple[Scene, str, tuple[int, int], list[str]]] = {
    "onto the stairs of another": (scene(heroes=2), "move E", (2, 1), []),
    "to where a monster appears": (bent("[[gargoyle, 5, 3]]"), TO_THE_CORNER + " S S", (5, 0), ["gargoyle"]),
    "on over bare floor": (bent(), TO_THE_CORNER + " S S S W", (4, 3), []),
    "to where a door comes into sight": (bent(doors="[[4, 2, 5, 2]]"), TO_THE_CORNER + " S S S", (5, 0), []),
    "to where a blocked square does": (bent(blocked="[[5, 3]]"), TO_THE_CORNER + " S S S W", (5, 0), []),
    "on from a friend's square": (behind_a_friend("[[gargoyle, 5, 3]]"), TO_THE_CORNER + " S", (5, 1), ["gargoyle"]),
    "back from a friend's square, if it cannot go on": (
        behind_a_friend("[[gargoyle, 3, 1], [orc, 5, 1]]"), TO_THE_CORNER + " S S", (4, 0), ["orc"],
    ),
    "not into who stands in the dark": (
        scene(dark="[[3, 1]]", monsters="[[gargoyle, 8, 3], [orc, 3, 1]]"), "move E E E", (2, 1), ["orc"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("shown", "path", "end", "appeared"), WALKS.values(), ids=WALKS)
def test_a_hero_goes(shown: Scene, path: str, end: tuple[int, int], appeared: list[str]) -> None:
    after = shown.play(path)
    assert (after.position, [event.name for event in after.events("appear")]) == (end, appeared)
    assert (after.hero.body, after.state.points) == (8, 12 - after.hero.steps)


@pytest.mark.parametrize("seat", [0, 1])
def test_whichever_seat_is_stopped_on_a_friends_square_falls_back(seat: int) -> None:
    shown = scene(BEND, heroes=2, start="[[0, 0], [0, 1]]", monsters="[[gargoyle, 5, 1]]", dark="[[5, 1]]")
    after = shown.at(0, 0, seat).at(5, 0, 1 - seat).change(seat=seat).play(TO_THE_CORNER + " S S")
    assert [after.place(hero.cell) for hero in after.state.heroes] == [(4, 0), (5, 0)][:: 1 if seat == 0 else -1]


@pytest.mark.parametrize("seat", [0, 1])
def test_who_meets_the_unseen_table_of_the_trial_on_a_friends_square_falls_back(seat: int) -> None:
    game = HeroQuest({"quest": "the_trial", "fixed_deal": True}, seats=3)
    shown = Scene(game, game.initial_state(0)).at(3, 5, 1 - seat).at(4, 5, seat).change(seat=seat).with_points(12)
    assert not shown.is_seen(2, 5)
    after = shown.play("move W W")
    assert after.is_seen(2, 5)
    places = {number: after.place(hero.cell) for number, hero in enumerate(after.state.heroes)}
    assert places == {1 - seat: (3, 5), seat: (4, 5)}


@pytest.mark.gate
@pytest.mark.parametrize("quest", ["the_trial", "crypt", "vault", "watch_house", "random"])
def test_no_two_heroes_ever_stand_on_one_ordinary_square(quest: str) -> None:
    game = HeroQuest({"quest": quest, "max_game_rounds": 8}, seats=5)
    for seed in range(5):
        for moment in watch_match(game, [AStarHero(), *[RandomBot()] * 4], seed=seed):
            shared = Situation(game.rules, moment.state).shared_cells()
            cells = [hero.cell for hero in moment.state.heroes if hero.body > 0 and not shared >> hero.cell & 1]
            assert len(set(cells)) == len(cells)


def test_who_stands_at_a_corner_sees_both_ways_at_once() -> None:
    assert bent("[[gargoyle, 5, 3], [orc, 0, 3]]").monster.kind == "orc"


def test_opening_a_door_is_free_and_reveals_the_whole_room_but_no_traps_secret_doors_or_what_chests_hold() -> None:
    shown = scene(doors=DOOR).at(4, 2)
    after = shown.play("open E")
    assert after.state.points == shown.state.points
    assert not after.state.has_acted
    assert all(after.is_seen(x, y) for x in range(5, 9) for y in range(1, 4))
    assert after.monster.kind == "gargoyle"
    assert after.is_legal("move E")
    after = (
        scene(doors=DOOR, traps="[[pit, 6, 2]]", secret_doors="[[8, 2, 9, 2]]", chests="[[5, 1, 70]]")
        .at(4, 2)
        .play("open E")
    )
    view = after.view()
    assert view["traps"] == []
    assert [door[:4] for door in view["doors"]] == [[4, 2, 5, 2]]
    assert "70" not in str(view)
    assert view["map"][1][5] == "c"


def test_zargon_plays_after_the_heroes_and_only_with_monsters_in_sight() -> None:
    shown = scene(heroes=2).with_monster("orc", 4, 3).play("end", "end")
    after = shown.play("move 0 N", "end")
    assert (shown.state.seat, after.state.seat, after.state.round) == (2, 0, 2)
    after = scene().play("end")
    assert (after.state.seat, after.state.round) == (0, 2)


def test_monsters_do_not_spring_traps() -> None:
    shown = scene(traps="[[pit, 3, 3]]").with_monster("orc", 4, 3).play("end")
    after = shown.play("move 0 W")
    assert after.monster.body == 1
    assert not after.events("trap")


def test_walks_are_offered_for_one_monster_at_a_time_but_legal_for_all() -> None:
    assert {text.split()[1] for text in TWO_ORCS.legal() if text.startswith("move")} == {"0"}


KILL_AND_RETURN = "{kill: gargoyle, return: true}"
AWAY = scene(heroes=2, goal=KILL_AND_RETURN, monsters="[[gargoyle, 4, 3]]").monster_set(body=0).at(3, 1, seat=1)
OPEN = scene(params={"mode": "open", "idle_rounds": 2})
CAMPING = scene(doors="[[4, 2, 5, 2]]", params={"idle_rounds": 2})
DYING = scene(monsters=DEEP).at(2, 1).monster_set(body=1)
WINNERS: dict[str, tuple[Scene, str, str]] = {
    "the goal is dead": (
        DYING.lucky("attack E", lambda one: one.monster.body == 0), "heroes", "the heroes met the goal in round 1",
    ),
    "a hero is not on the stairs": (AWAY.play("move S"), "", ""),
    "no living one is not": (
        AWAY.play("move S").hero_set(1, body=0).play("move E"), "heroes", "the heroes met the goal in round 1",
    ),
    "the goal still lurks": (scene().play("move E"), "", ""),
    "it does not": (scene().change(lurkers=()).play("move E"), "heroes", "the heroes met the goal in round 1"),
    "the round limit": (
        scene(params={"max_game_rounds": 2}).play("end", "end"),
        "zargon",
        "round limit: the goal is not met after 2 rounds",
    ),
    "the quest's rounds": (
        scene(rounds="2").play("end", "end"), "zargon", "round limit: the goal is not met after 2 rounds",
    ),
    "not yet": (scene(rounds="2").play("end"), "", ""),
    "a parameter overrules the quest": (scene(params={"max_game_rounds": 3}, rounds="2").play("end", "end"), "", ""),
    "heroes only walk in an open dungeon": (
        OPEN.play("move E", "end", "end", "end", "end"),
        "zargon",
        "the heroes did nothing but walk over known squares for 2 rounds",
    ),
    "nor in fog": (
        CAMPING.play("move E", "end", "move W", "end"),
        "zargon",
        "the heroes did nothing but walk over known squares for 2 rounds",
    ),
    "to see new squares is to do something": (CAMPING.at(4, 2).play("open E", "end", "end", "end"), "", ""),
    "they do not only walk": (OPEN.play("search treasure", "end", "end", "end", "end"), "", ""),
}  # fmt: skip


@pytest.mark.parametrize(("shown", "winner", "reason"), WINNERS.values(), ids=WINNERS)
def test_who_has_won(shown: Scene, winner: str, reason: str) -> None:
    assert (shown.state.winner, shown.game.reason(shown.state) if winner else "") == (winner, reason)
    sign = {"": 0.0, "heroes": 1.0, "zargon": -1.0}[winner]
    assert (sum(shown.returns()[:-1]), shown.returns()[-1]) == (sign, -sign)
    assert shown.is_over == (shown.game.seats_to_act(shown.state) == ()) == bool(winner)


def test_returns_are_shared_by_the_heroes() -> None:
    after = scene(heroes=4, params={"max_game_rounds": 1}).play("end", "end", "end", "end")
    assert after.returns() == (-0.25, -0.25, -0.25, -0.25, 1.0)
    assert after.game.teams == (0, 0, 0, 0, 1)
    assert after.game.roles == ("heroes",) * 4 + ("zargon",)


def test_metrics_name_what_heroes_did() -> None:
    after = scene(heroes=2).play("move E E")
    first, second, zargon = after.game.metrics(after.state)
    assert (first["steps"], second["steps"], zargon["steps"]) == (2, 0, 2)
    assert first["revealed"] == 12
    assert (first["body"], second["body"], zargon["alive"], zargon["monsters_left"]) == (8, 7, 2, 1)


def test_an_open_dungeon_is_revealed_from_the_start() -> None:
    shown = scene(params={"mode": "open"}, traps="[[pit, 6, 2]]", secret_doors="[[4, 2, 5, 2]]")
    assert shown.game.spec.perfect_information
    assert shown.monster.kind == "gargoyle"
    assert shown.view()["traps"] == [["pit", 6, 2]]
    assert shown.at(4, 2).is_legal("open E")
    assert shown.play("end").state.seat == 1


def test_monsters_come_every_so_many_rounds_where_no_hero_looks() -> None:
    shown = scene(params={"mode": "open", "spawn_rounds": 2, "idle_rounds": 50})
    once = shown.play("end", "end")
    assert len(once.state.monsters) == 1
    twice = once.play("end", "end")
    assert [monster.kind for monster in twice.state.monsters] == ["gargoyle", "orc"]
    assert twice.situation.region(twice.state.monsters[1].cell) == 0


def test_they_come_in_fog_too_where_nothing_but_a_room_is_known() -> None:
    camping = scene(params={"spawn_rounds": 1})
    assert not camping.state.monsters
    assert not camping.state.seen & camping.situation.layout.corridor
    after = camping.play("end")
    assert [monster.kind for monster in after.state.monsters] == ["orc"]
    assert after.situation.region(after.monster.cell) == 0
    assert after.state.seat == 0
    assert after.play("end").state.seat == 1  # Zargon may lead it


@pytest.mark.parametrize(
    "text",
    ["move E E S", "open E", "attack E", "attack NE", "shoot 7,3", "cast genie 7,3", "cast genie 4,2|5,2",
     "search treasure", "search traps", "search doors", "disarm E", "jump E", "end", "move 4 W W S", "attack 4 W",
     "cast ball of flame 7,3"],
)  # fmt: skip
def test_action_texts(text: str) -> None:
    assert str(parse_action(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "move", "move e", "move 04 W", "attack", "shoot 7", "cast 7,3", "cast magic 7,3", "end ", "search gold",
     "open NE", "cast genie 5,2|4,2", "cast genie 1,1|5,5", "move " + "N " * 24 + "N"],
)  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected an action such as"):
        parse_action(text)
