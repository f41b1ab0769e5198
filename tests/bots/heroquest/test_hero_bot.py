"""What heroes and Zargon choose in drawn situations, and how their matches end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gridjoust as joust
from gridjoust.bots.api import Bot
from gridjoust.bots.heroquest.astar import AStarHero
from gridjoust.bots.heroquest.beam import BeamHero
from gridjoust.bots.heroquest.dijkstra_map import MapHero
from gridjoust.bots.heroquest.dstar_lite import DStarHero
from gridjoust.bots.heroquest.floor import FloorHero
from gridjoust.bots.heroquest.knowledge import Knowledge
from gridjoust.bots.heroquest.zargon_dijkstra_map import ZargonHunter
from gridjoust.bots.heroquest.zargon_random import ZargonRandom
from gridjoust.bots.match import make_setup, play_match
from gridjoust.games.api import ParamValue
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.legal import legal_actions
from gridjoust.games.heroquest.state import State
from tests.bots import seats as seats_of
from tests.games.heroquest.scenes import Scene, played, scene

HEROES: dict[str, Callable[[], Bot]] = {
    "astar": AStarHero,
    "dstar_lite": DStarHero,
    "dijkstra_map": MapHero,
    "beam": BeamHero,
}
ZARGONS: dict[str, Callable[[], Bot]] = {"zargon_random": ZargonRandom, "zargon_dijkstra_map": ZargonHunter}
BOTS = {**HEROES, **ZARGONS, "floor": FloorHero}
EVERY_HERO = pytest.mark.parametrize("name", HEROES)


def seated(name: str, shown: Scene, *, held: list[int] | None = None) -> Bot:
    return seats_of.seated(BOTS[name](), shown.game, shown.state, seats=held or range(shown.game.seats - 1))


def asked(bot: Bot, shown: Scene) -> str:
    return seats_of.asked(bot, shown.game, shown.state, seat=shown.state.seat)


def answer(name: str, shown: Scene) -> str:
    return asked(seated(name, shown), shown)


def followed(name: str, shown: Scene, turns: int) -> list[str]:
    """The answers of one bot that holds every hero, while nobody else plays."""
    bot, answers = seated(name, shown), []
    for _ in range(turns):
        if shown.state.winner or shown.state.seat == shown.game.seats - 1:
            break
        answers.append(asked(bot, shown))
        shown = shown.play(answers[-1])
    return answers


DOOR = "[[4, 2, 5, 2]]"
HALLWAY = scene(
    "....A\n#####", start="[[0, 0]]", monsters="[[gargoyle, 4, 0]]", doors="[[3, 0, 4, 0]]", traps="[[pit, 1, 0]]"
)
WALLED = scene(doors=DOOR, params={"mode": "open"}, monsters="[[gargoyle, 5, 2]]").at(4, 2)
HURT = scene().hero_set(body=2, spells=("heal body",)).at(2, 2).with_monster("orc", 3, 2)
DEEDS: dict[str, tuple[Scene, int, str]] = {
    "strike the monster beside them": (scene().at(2, 2).with_monster("orc", 3, 2), 1, "attack E"),
    "go to a door and open it": (scene(doors=DOOR), 2, "open E"),
    "do not mind a monster behind a wall": (WALLED, 1, "open E"),
    "search when there is nowhere to go": (scene(secret_doors=DOOR), 4, "search doors"),
    "take what is in a chest": (scene(goal="{loot: true, return: true}", chests="[[4, 3, 50]]"), 2, "search treasure"),
    "heal the badly hurt": (HURT, 1, "cast heal body 2,2"),
    "jump a trap that bars the way": (HALLWAY.change(found_traps=1 << HALLWAY.cell(1, 0)), 1, "jump E"),
}


@EVERY_HERO
@pytest.mark.parametrize(("shown", "turns", "expected"), DEEDS.values(), ids=DEEDS)
def test_heroes(name: str, shown: Scene, turns: int, expected: str) -> None:
    answers = followed(name, shown, turns)
    assert expected in answers
    assert turns > 2 or answers[-1] == expected


@EVERY_HERO
def test_heroes_walk_up_to_a_monster_in_sight(name: str) -> None:
    shown = scene().at(1, 1).with_monster("orc", 4, 1)
    after = shown.play(answer(name, shown))
    assert after.position in ((3, 1), (4, 2))
    assert answer(name, after).startswith("attack")


@EVERY_HERO
def test_heroes_go_home_when_all_else_is_done(name: str) -> None:
    shown = scene(goal="{kill: gargoyle, return: true}", monsters="[[gargoyle, 4, 3]]", start="[[1, 1]]")
    shown = shown.monster_set(body=0).at(4, 3)
    assert shown.play(answer(name, shown)).state.winner == "heroes"


@EVERY_HERO
def test_weak_heroes_keep_away_from_monsters(name: str) -> None:
    shown = scene(heroes=2).at(3, 1).hero_set(body=1).with_monster("gargoyle", 3, 3).with_points(6)
    shown = shown.monster_set(body=3).at(4, 3, seat=1).change(has_acted=True)
    text = answer(name, shown)
    moved = shown.play(text) if text != "end" else shown
    assert abs(moved.position[0] - 3) + abs(moved.position[1] - 3) >= 2


@EVERY_HERO
def test_weak_heroes_make_room_at_a_door_for_the_strong(name: str) -> None:
    shown = scene(heroes=2, doors="[[4, 2, 5, 2]]").hero_set(body=1).at(4, 2)
    text = answer(name, shown)
    assert text.startswith("move")
    assert shown.play(text).position != (4, 2)


TWO_DOORS = scene(doors="[[1, 3, 1, 4], [4, 2, 5, 2]]").at(3, 1)
CUT_OFF = TWO_DOORS.change(changes=tuple(TWO_DOORS.cell(*place) for place in ((4, 1), (3, 2), (4, 3))))


@EVERY_HERO
@pytest.mark.parametrize(("shown", "door"), [(TWO_DOORS, (4, 2)), (CUT_OFF, (1, 3))], ids=["open", "cut off"])
def test_of_two_doors_at_one_price_the_nearer_by_path_is_taken(name: str, shown: Scene, door: tuple[int, int]) -> None:
    """Fallen blocks lie around the nearer one, as the crow flies, of the second scene."""
    assert shown.play(answer(name, shown)).position == door


@EVERY_HERO
def test_door_is_opened_if_no_free_square_is_left_beside_the_monster(name: str) -> None:
    start, goal = "[[4, 2], [4, 3], [3, 3]]", "{loot: true, return: true}"
    shown = scene(heroes=3, doors=DOOR, goal=goal, chests="[[8, 2, 50]]", start=start).at(4, 2)
    assert answer(name, shown.at(2, 1, seat=1).at(1, 2, seat=2).with_monster("orc", 1, 1)) == "open E"
    assert answer(name, shown.at(2, 2, seat=1).at(2, 3, seat=2).with_monster("orc", 1, 1)) != "open E"


@pytest.mark.gate
def test_all_that_a_match_of_astar_generates_is_its_search() -> None:
    """The others build their graphs and walk a turn ahead beside it; the floor has no search."""
    for name, is_searching in (("astar", True), ("floor", False)):
        sides = [f"heroquest/{name}", "random"]
        played = joust.play("heroquest", sides, seed=3, params={"quest": "crypt"}, time={"turn_ms": None})
        own = [one for one in played.answers if one.seat == 0]
        generated, tactics = (sum(getattr(one, part) or 0 for one in own) for part in ("generated", "tactics"))
        assert (generated > 1_000, tactics > 1_000) == (is_searching, not is_searching)
        assert min(generated, tactics) == 0


def test_floor_takes_the_fewest_steps_and_minds_no_price() -> None:
    """The planners walk around the trap, see below."""
    shown = scene(traps="[[pit, 2, 1]]", doors="[[4, 1, 5, 1]]")
    assert answer("floor", shown.change(found_traps=1 << shown.cell(2, 1))) == "jump E"


@EVERY_HERO
def test_known_traps_are_walked_around(name: str) -> None:
    shown = scene(traps="[[pit, 2, 1]]", doors="[[4, 1, 5, 1]]")
    shown = shown.change(found_traps=1 << shown.cell(2, 1))
    after = shown.play(answer(name, shown))
    assert (after.position, after.hero.body) == ((4, 1), 8)


@EVERY_HERO
def test_no_way_at_all_is_survived(name: str) -> None:
    shown = scene("A#A\n###", start="[[0, 0]]", monsters="[[gargoyle, 2, 0]]")
    assert set(followed(name, shown, 6)) <= {"search doors", "end"}


def test_planners_agree_on_the_length_of_the_way() -> None:
    shown = scene(doors="[[8, 3, 8, 4]]", furniture="[[throne, 3, 2]]", monsters="[[gargoyle, 5, 1]]")
    shown = shown.change(seen=shown.situation.layout.everything & ~(1 << shown.cell(5, 1)))
    ends = {name: shown.play(answer(name, shown)).hero.steps for name in HEROES}
    assert len(set(ends.values())) == 1


@EVERY_HERO
def test_search_costs_are_reported_and_d_star_lite_repairs_its_tree_for_less_than_a_new_one(name: str) -> None:
    shown = scene(doors=DOOR).with_points(2)
    bot, expanded = seated(name, shown), []
    for moment in (shown, shown.play("move E")):
        asked(bot, moment)
        assert bot.stats is not None
        expanded.append(bot.stats.expanded or 0)
    assert expanded[0] > 0
    assert name != "dstar_lite" or expanded[1] < expanded[0]


def zargon(shown: Scene) -> str:
    return asked(seated("zargon_dijkstra_map", shown, held=[shown.game.seats - 1]), shown)


def test_monsters_hunt_the_weakest_hero_in_reach() -> None:
    shown = scene(heroes=2).at(1, 3).at(4, 3, seat=1).hero_set(1, body=1).with_monster("orc", 2, 1).play("end", "end")
    after = shown.play(zargon(shown))
    x, y = after.place(after.monster.cell)
    assert abs(x - 4) + abs(y - 3) == 1


def test_monsters_strike_where_a_kill_is_likelier() -> None:
    shown = scene(heroes=2).at(1, 2).at(3, 2, seat=1).hero_set(1, body=1).with_monster("orc", 2, 2).play("end", "end")
    assert zargon(shown) == "attack 0 E"


def test_monsters_that_have_struck_stay_and_hero_bots_hunt_when_seated_as_zargon() -> None:
    shown = scene().at(1, 2).with_monster("orc", 2, 2).play("end")
    assert asked(seated("astar", shown, held=[1]), shown) == zargon(shown) == "attack 0 W"
    assert zargon(shown.play("attack 0 W")) == "end"


@EVERY_HERO
def test_every_planner_leads_monsters_around_friends_to_the_weakest_hero(name: str) -> None:
    """The orc's own side is full of friends; it ends beside the hero with one body point, on a free square."""
    shown = scene(heroes=2).at(1, 3).at(4, 3, seat=1).hero_set(1, body=1).with_monster("orc", 2, 1)
    shown = shown.with_monster("goblin", 4, 2, has_moved=True, has_acted=True).play("end", "end")
    shown = shown.monster_set(1, has_moved=True, has_acted=True)
    bot = seated(name, shown, held=[2])
    after = shown.play(asked(bot, shown))
    assert after.place(after.monster.cell) == (3, 3)
    assert bot.stats is not None
    assert bot.stats.expanded
    struck = after.play(asked(bot, after))
    assert struck.state.events[0].what == "hit"


@pytest.mark.gate
@pytest.mark.parametrize("quest", ["crypt", "vault", "the_trial"])
def test_what_a_bot_knows_offers_what_the_rules_offer(quest: str) -> None:
    game, states = played({"quest": quest, "equipment": "dwarf: crossbow; elf: staff"})
    last = game.seats - 1
    heroes, zargon = (Knowledge(make_setup(game, states[0], seats=held)) for held in ([0, 1, 2, 3], [last]))
    for state in states[:-1]:
        known = (zargon if state.seat == last else heroes).situation(game.observation(state, state.seat))
        assert legal_actions(known) == game.legal_actions(state, state.seat)


def end_of(heroes: str, zargon: str, *, seed: int, **params: ParamValue) -> State:
    """Of a match in which one bot holds all four heroes."""
    bots = [HEROES[heroes]()] * 4 + [ZARGONS[zargon]()]
    return play_match(HeroQuest(params, seats=5), bots, seed=seed).state


@pytest.mark.gate
@pytest.mark.parametrize(
    ("name", "matches"), [("astar", 4), *(pytest.param(name, 12, marks=pytest.mark.gate) for name in HEROES)]
)
def test_heroes_finish_a_small_quest_against_random_monsters(name: str, matches: int) -> None:
    # 200 of 200 in the benchmark: even at 98 %, two lost matches would have a probability of 0.2 % of 4, 2.3 % of 12
    won = sum(end_of(name, "zargon_random", seed=seed).winner == "heroes" for seed in range(matches))
    assert won >= matches - 1


@pytest.mark.gate
def test_the_hunter_does_more_harm_than_random_monsters() -> None:
    alive = {
        zargon: sum(
            hero.body > 0 for seed in range(3) for hero in end_of("astar", zargon, seed=seed, quest="the_trial").heroes
        )
        for zargon in ZARGONS
    }
    assert alive["zargon_dijkstra_map"] < alive["zargon_random"]
