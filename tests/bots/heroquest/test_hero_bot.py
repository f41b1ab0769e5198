"""What heroes and Zargon choose in drawn situations, and how their matches end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.api import Bot
from bots.heroquest.astar import AStarHero
from bots.heroquest.beam import BeamHero
from bots.heroquest.dijkstra_map import MapHero
from bots.heroquest.dstar_lite import DStarHero
from bots.heroquest.hero_bot import HeroBot
from bots.heroquest.knowledge import Knowledge
from bots.heroquest.zargon_dijkstra_map import ZargonHunter
from bots.heroquest.zargon_random import ZargonRandom
from bots.match import make_setup, play_match
from games.api import ParamValue
from games.heroquest import HeroQuest
from games.heroquest.legal import legal_actions
from games.heroquest.state import State
from tests.bots import seats as seats_of
from tests.games.heroquest.scenes import Scene, played, scene

HEROES: dict[str, Callable[[], Bot]] = {
    "astar": AStarHero,
    "dstar_lite": DStarHero,
    "dijkstra_map": MapHero,
    "beam": BeamHero,
}
ZARGONS: dict[str, Callable[[], Bot]] = {"zargon_random": ZargonRandom, "zargon_dijkstra_map": ZargonHunter}
BOTS = {**HEROES, **ZARGONS}
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


@EVERY_HERO
def test_heroes_strike_the_monster_beside_them(name: str) -> None:
    assert answer(name, scene().at(2, 2).with_monster("orc", 3, 2)) == "attack E"


@EVERY_HERO
def test_heroes_walk_up_to_a_monster_in_sight(name: str) -> None:
    shown = scene().at(1, 1).with_monster("orc", 4, 1)
    after = shown.play(answer(name, shown))
    assert after.position in ((3, 1), (4, 2))
    assert answer(name, after).startswith("attack")


@EVERY_HERO
def test_heroes_go_to_a_door_and_open_it(name: str) -> None:
    shown = scene(doors="[[4, 2, 5, 2]]")
    assert followed(name, shown, 2)[1] == "open E"


@EVERY_HERO
def test_a_monster_behind_a_wall_keeps_no_door_shut(name: str) -> None:
    shown = scene(doors="[[4, 2, 5, 2]]", params={"mode": "open"}, monsters="[[gargoyle, 5, 2]]").at(4, 2)
    assert answer(name, shown) == "open E"


@EVERY_HERO
def test_heroes_search_for_secret_doors_when_there_is_nowhere_to_go(name: str) -> None:
    answers = followed(name, scene(secret_doors="[[4, 2, 5, 2]]"), 4)
    assert "search doors" in answers


@EVERY_HERO
def test_heroes_go_home_when_all_else_is_done(name: str) -> None:
    shown = scene(goal="{kill: gargoyle, return: true}", monsters="[[gargoyle, 4, 3]]", start="[[1, 1]]")
    shown = shown.monster_set(body=0).at(4, 3)
    assert shown.play(answer(name, shown)).state.winner == "heroes"


@EVERY_HERO
def test_heroes_take_what_is_in_a_chest(name: str) -> None:
    shown = scene(goal="{loot: true, return: true}", chests="[[4, 3, 50]]")
    assert "search treasure" in followed(name, shown, 2)


@EVERY_HERO
def test_the_badly_hurt_are_healed(name: str) -> None:
    shown = scene().hero_set(body=2, spells=("heal body",)).at(2, 2).with_monster("orc", 3, 2)
    assert answer(name, shown) == "cast heal body 2,2"


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


@EVERY_HERO
def test_known_traps_are_walked_around(name: str) -> None:
    shown = scene(traps="[[pit, 2, 1]]", doors="[[4, 1, 5, 1]]")
    shown = shown.change(found_traps=1 << shown.cell(2, 1))
    after = shown.play(answer(name, shown))
    assert after.position == (4, 1)
    assert after.hero.body == 8


HALLWAY = "....A\n#####"


@EVERY_HERO
def test_a_trap_that_bars_the_way_is_jumped(name: str) -> None:
    shown = scene(
        HALLWAY, start="[[0, 0]]", monsters="[[gargoyle, 4, 0]]", doors="[[3, 0, 4, 0]]", traps="[[pit, 1, 0]]"
    )
    shown = shown.change(found_traps=1 << shown.cell(1, 0))
    assert answer(name, shown) == "jump E"


@EVERY_HERO
def test_no_way_at_all_is_survived(name: str) -> None:
    shown = scene("A#A\n###", start="[[0, 0]]", monsters="[[gargoyle, 2, 0]]")
    assert set(followed(name, shown, 6)) <= {"search doors", "end"}


def test_planners_agree_on_the_length_of_the_way() -> None:
    shown = scene(doors="[[8, 3, 8, 4]]", furniture="[[throne, 3, 2]]", monsters="[[gargoyle, 5, 1]]")
    shown = shown.change(seen=shown.situation.layout.everything & ~(1 << shown.cell(5, 1)))
    ends = {name: shown.play(answer(name, shown)).hero.steps for name in HEROES}
    assert len(set(ends.values())) == 1


def test_d_star_lite_repairs_its_tree_for_less_than_a_new_one() -> None:
    shown = scene(doors="[[4, 2, 5, 2]]", params={"quest": "crypt"}).with_points(2)
    bot = seated("dstar_lite", shown)
    asked(bot, shown)
    first = bot.stats
    shown = shown.play("move E")
    asked(bot, shown)
    assert first is not None
    assert bot.stats is not None
    assert first.expanded is not None
    assert bot.stats.expanded is not None
    assert bot.stats.expanded < first.expanded


@EVERY_HERO
def test_search_costs_are_reported(name: str) -> None:
    shown = scene(doors="[[4, 2, 5, 2]]")
    bot = seated(name, shown)
    asked(bot, shown)
    assert bot.stats is not None
    assert bot.stats.expanded


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


def test_monsters_that_have_struck_stay() -> None:
    shown = scene().at(1, 2).with_monster("orc", 2, 2).play("end", "attack 0 W")
    assert zargon(shown) == "end"


def test_hero_bots_hunt_when_seated_as_zargon() -> None:
    shown = scene().at(1, 2).with_monster("orc", 2, 2).play("end")
    bot = seated("astar", shown, held=[1])
    assert isinstance(bot, HeroBot)
    assert asked(bot, shown) == "attack 0 W"


@pytest.mark.parametrize("quest", ["crypt", "vault", "the_trial"])
def test_what_a_bot_knows_offers_what_the_rules_offer(quest: str) -> None:
    game, states = played({"quest": quest, "equipment": "dwarf: crossbow; elf: staff"})
    last = game.seats - 1
    knowledge: dict[bool, Knowledge] = {}
    for held in ([0, 1, 2, 3], [last]):
        knowledge[held == [last]] = Knowledge(make_setup(game, states[0], seats=held))
    for state in states[:-1]:
        view: dict[str, Any] = game.observation(state, state.seat)
        known = knowledge[state.seat == last].situation(view)
        assert legal_actions(known) == game.legal_actions(state, state.seat)


def end_of(heroes: str, zargon: str, *, seed: int, **params: ParamValue) -> State:
    """Of a match in which one bot holds all four heroes."""
    bots = [HEROES[heroes]()] * 4 + [ZARGONS[zargon]()]
    return play_match(HeroQuest(params, seats=5), bots, seed=seed).state


@EVERY_HERO
def test_heroes_finish_a_small_quest_against_random_monsters(name: str) -> None:
    # 200 of 200 in the benchmark: fewer than 11 of 12 would have a probability below 1e-3 even at 98 %
    won = sum(end_of(name, "zargon_random", seed=seed).winner == "heroes" for seed in range(12))
    assert won >= 11


def test_the_hunter_does_more_harm_than_random_monsters() -> None:
    alive = {
        zargon: sum(
            hero.body > 0 for seed in range(3) for hero in end_of("astar", zargon, seed=seed, quest="the_trial").heroes
        )
        for zargon in ZARGONS
    }
    assert alive["zargon_dijkstra_map"] < alive["zargon_random"]
