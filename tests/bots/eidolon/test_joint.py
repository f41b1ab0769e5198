"""What heroes do where rituals come after every turn: one plan for all of them."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.api import Bot
from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.bots.eidolon.goals import Kind
from gridjoust.bots.eidolon.joint.plan import JointGoals
from gridjoust.bots.eidolon.roads import RoadBook
from gridjoust.bots.eidolon.roles import Requirements, choose_collectors
from gridjoust.bots.eidolon.threats import (
    CLOCK_SHARE,
    HERO_AP,
    LAST_TOKEN_AP,
    LOST_TOKEN_AP,
    PLACE_AP,
    TILE_AP,
    TOKEN_AP,
    Risks,
)
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.state import End, Phase
from gridjoust.games.eidolon.tiles import Colour
from gridjoust.games.grid import Cell
from tests.bots.eidolon.matches import HEROES, MEASURE, answers, first_answer, play
from tests.games.eidolon.scenes import Scene, place, scene, tiles_of

RED, GREEN, BLUE = Colour.RED, Colour.GREEN, Colour.BLUE
KNOWN: dict[str, Any] = {"preset": "sim4", "barriers": 0, "ritual_every": "turn", "win_at": "vestibule"}
UNKNOWN: dict[str, Any] = {**KNOWN, "preset": "sim5"}
NORTH, SEAL = place("minotaur", 0, -1), place("voraxs_heart", 0, -2)
RED_SEAL, GREEN_SEAL = place("voraxs_heart", -1, 0, 270), place("voraxs_focus", 1, 0, 90)
REDS = ("minotaur", "voracious_plant", "dragonling", "fel_knight", "skeletal_guards", "ogre_brute", "dark_slime")


def needs_of(here: Scene) -> Requirements:
    return Requirements(here.game.rules, here.state, RoadBook(here.game.rules, MEASURE))


def joint_goals(here: Scene) -> JointGoals:
    needs = needs_of(here)
    return JointGoals(needs, choose_collectors(needs, {}), {}, division="voronoi")


def test_every_colour_goes_to_the_hero_who_pays_least_and_stays_in_its_hands() -> None:
    game = Eidolon({"preset": "published"}, seats=3)
    needs = Requirements(game.rules, game.initial_state(1), RoadBook(game.rules, MEASURE))
    assert choose_collectors(needs, {}) == {RED: 0, GREEN: 1, BLUE: 2}
    six = Eidolon({"preset": "published"}, seats=6)  # the Paladin pays as much for red as the Warrior
    needs = Requirements(six.rules, six.initial_state(1), RoadBook(six.rules, MEASURE))
    assert [choose_collectors(needs, told)[RED] for told in ({}, {RED: 3})] == [0, 3]


def exchange(*at: tuple[int, int]) -> Scene:
    """Each of two heroes collects a colour and holds a token of the other's."""
    here = scene(RED_SEAL, GREEN_SEAL, at=at, tokens=((5, 1, 0), (1, 5, 0)), **KNOWN)
    return here.change(tokens=0, broken=0b100)


@pytest.mark.parametrize("bot", HEROES)
def test_heroes_at_their_seals_do_not_wait_for_each_other(bot: type[Bot]) -> None:
    here = exchange((-1, 0), (1, 0))
    assert first_answer(bot(), here) == "move E"
    assert first_answer(bot(), exchange((1, 0), (1, 0))) == "trade 1 give g1 take r1"


def test_whoever_has_nothing_to_give_goes_to_its_seal_and_the_giver_after_it() -> None:
    here = scene(RED_SEAL, at=((0, 0), (0, 0)), tokens=((5, 0, 0), (1, 0, 0)), **KNOWN).change(tokens=0, broken=0b110)
    team = joint_goals(here)
    found = {(task.kind, task.cell, task.takers) for task in team.tasks}
    assert found == {(Kind.SEAL, Cell(-1, 0), (0,)), (Kind.STAY, Cell(-1, 0), (1,))}


def two_tokens() -> Scene:
    """A red token beside the Warrior and a green one beside the Ranger."""
    tiles = (place("voracious_plant", 1, 0), place("minotaur", 2, 0), place("floating_stones", 3, 0))
    far = (place("laughing_shadow", 4, 0), place("pendulum_blades", 5, 0, 90))
    here = scene(*tiles, *far, at=((1, 0), (4, 0)), heroes="warrior ranger", **KNOWN)
    return here.change(tokens=tiles_of("minotaur", "pendulum_blades"))


def test_token_that_another_will_have_sooner_is_left_to_it() -> None:
    """The Ranger would have to walk to the red one and to hand it over."""
    team = joint_goals(two_tokens())
    assert [goal.cell for _, goal in team.of(0).ranked] == [Cell(2, 0), Cell(5, 0)]
    assert [goal.cell for _, goal in team.of(1).ranked] == [Cell(5, 0)]
    assert [team.first_tasks(seat)[1] for seat in (0, 1)] == [frozenset(), frozenset({0})]


def near_and_far(**fields: Any) -> Scene:
    """Doors onto cells beside the Vestibule and onto one five steps away."""
    street = [place(name, 0, -y) for y, name in enumerate(("minotaur", "voracious_plant", "floating_stones"), start=1)]
    here = scene(*street, stack=("voraxs_heart", "fire_of_eidolon", "mimic_chest"), **{**UNKNOWN, **fields})
    return here.change(tokens=0)


def test_tiles_are_laid_near_the_way_out() -> None:
    goals = joint_goals(near_and_far(at=((0, -3),))).of(0).ranked
    best, worst = goals[0][1], goals[-1][1]
    assert {best.kind, worst.kind} == {Kind.EXPLORE}
    assert (best.cell, worst.cell) == (ORIGIN, Cell(0, -3))


GAP = scene(SEAL, tokens=((6, 0, 0),), skills=True, heroes="sage", cards=("minotaur",), **KNOWN).change(
    tokens=0, broken=0b110, void=tiles_of("skeletal_guards")
)
THREATENED = scene(NORTH, SEAL, on=("minotaur",), cards=("minotaur",), **KNOWN).change(tokens=0, broken=0b110)


def risks(here: Scene) -> Risks:
    return Risks(needs_of(here), ORIGIN)


WORTHS: dict[str, tuple[Scene, float]] = {  # with odds of 1
    "the seal behind the tile": (THREATENED, PLACE_AP),
    "nothing once the seal is broken": (THREATENED.change(broken=0b111), 0),
    "a hero behind it and the tokens in its hands": (
        scene(NORTH, SEAL, at=((0, -2),), tokens=((2, 0, 0),), on=("minotaur",), cards=("minotaur",), **KNOWN)
        .change(tokens=0, broken=0b110), PLACE_AP + HERO_AP + 2,
    ),
    "a token behind it": (
        scene(NORTH, place("skeletal_guards", 0, -2), on=("minotaur",), cards=("minotaur",), **KNOWN)
        .change(tokens=tiles_of("skeletal_guards")), TOKEN_AP,
    ),
    "its own token, the more the fewer are left": (THREATENED.change(tokens=tiles_of(*REDS)), PLACE_AP + LOST_TOKEN_AP),
    "and most where none may be lost": (THREATENED.change(tokens=tiles_of(*REDS[:6])), PLACE_AP + LAST_TOKEN_AP),
}  # fmt: skip


@pytest.mark.parametrize(("here", "ap"), WORTHS.values(), ids=WORTHS)
def test_a_fight_is_worth_what_the_tile_joins(here: Scene, ap: float) -> None:
    assert risks(here).worth(Cell(0, -1)) == TILE_AP + ap
    assert risks(here.change(cultists=0)).worth(Cell(0, -1)) == 0


def test_a_tile_is_worth_the_more_the_more_heroes_share_the_turns_that_its_card_gives() -> None:
    """On the normal track 3.75 turns of 3 AP: 1/2 + 1 + 1/2 + 1/2 + 1/3 + 1/3 + 1/3 + 1/4."""
    teams = [scene(NORTH, at=((0, 0),) * heroes, **KNOWN) for heroes in (1, 2, 6)]
    expected = [TILE_AP + CLOCK_SHARE * 11.25 * others for others in (0, 1, 5)]
    assert [risks(here).tile_ap for here in teams] == pytest.approx(expected)
    late = teams[1].change(threat=7)  # one place of the track is left, with four cards a turn
    assert risks(late).tile_ap == pytest.approx(TILE_AP + CLOCK_SHARE * 0.75)
    assert risks(late.change(threat=8)).tile_ap == TILE_AP


def test_two_heroes_fight_for_a_tile_for_which_one_does_not() -> None:
    """Nothing lies behind it."""
    tiles, options = (NORTH, place("fel_knight", 0, 1)), {"on": ("minotaur",), "cards": ("minotaur",), **KNOWN}
    alone = scene(*tiles, at=((0, -1),), **options).change(tokens=tiles_of("fel_knight"))
    together = scene(*tiles, at=((0, -1), (0, 0)), **options).change(tokens=tiles_of("fel_knight"))
    assert first_answer(AStarHero(), alone) == "move S"
    assert first_answer(AStarHero(), together) == "attack"


DEAR = scene(place("psychomancer", 0, 0), heroes="warrior", stack=("voraxs_heart", "mimic_chest"), **UNKNOWN)
DECISIONS: dict[str, tuple[Scene, str]] = {
    "the Sage brings back the tile that joins the seal": (GAP, "master skeletal_guards @0,-1"),
    "not where the seal is joined": (
        scene(NORTH, SEAL, tokens=((6, 0, 0),), skills=True, heroes="sage", cards=("minotaur",), **KNOWN)
        .change(tokens=0, broken=0b110, void=tiles_of("skeletal_guards")), "move N",
    ),
    "a bridge is fought for": (THREATENED.put(0, tokens=(6, 0, 0), cell=Cell(0, -1)), "attack"),
    "one that is behind the hero is not": (
        scene(NORTH, on=("minotaur",), at=((0, -1),), cards=("minotaur", "mindeater", "dragonling"), **KNOWN)
        .change(tokens=0, broken=0b111, carrier=0, ap_left=1), "move S",
    ),
    "a token on the way is taken before a tile is laid": (
        scene(NORTH, at=((0, -1),), stack=("voraxs_heart",), **UNKNOWN).change(tokens=tiles_of("minotaur")), "grab",
    ),
    "the carrier looks for the way out": (
        scene(NORTH, stack=("end",), **{**UNKNOWN, "win_at": "end"}).change(tokens=0, broken=0b111, carrier=0),
        "explore",
    ),
    "and lays tiles towards it where the way is lost": (
        scene(place("minotaur", 0, -2), at=((0, -2),), stack=("mindeater",), **UNKNOWN)
        .change(tokens=0, broken=0b111, carrier=0), "explore S",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "answer"), DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("bot", HEROES)
def test_decisions_where_rituals_press(bot: type[Bot], here: Scene, answer: str) -> None:
    assert first_answer(bot(), here).startswith(answer)


def test_ap_that_do_not_suffice_for_the_token_lay_a_tile_beside_it() -> None:
    here = scene(place("laughing_shadow", 0, -1), at=((0, -1),), heroes="warrior", stack=("mindeater",), **UNKNOWN)
    here = here.change(tokens=tiles_of("laughing_shadow", "mindeater"))
    assert first_answer(AStarHero(), here) == "grab"
    assert first_answer(AStarHero(), here.change(ap_left=2)).startswith("explore")
    assert first_answer(AStarHero(), here.change(ap_left=1)) == "wait"


def test_of_the_heroes_without_a_task_the_nearest_waits_at_the_fire() -> None:
    tiles = (NORTH, place("voracious_plant", 1, 0), place("fire_of_eidolon", 2, 0, 90), SEAL)
    here = scene(*tiles, at=((0, -1), (1, 0), (0, 0)), tokens=((6, 0, 0), (0, 0, 0), (0, 0, 0)), **KNOWN)
    here = here.change(tokens=0, broken=0b110, active=1)
    assert joint_goals(here).of(1).ranked[0][1].cell == Cell(2, 0)
    assert first_answer(AStarHero(), here, seat=1) == "move E"
    assert first_answer(AStarHero(), here.change(active=2), seat=2) == "wait"


def test_redirected_cultist_goes_where_no_token_is_needed() -> None:
    tiles = (NORTH, place("psychomancer", 1, 0), place("mindeater", 2, 0, 180))
    options: dict[str, Any] = {"on": ("minotaur",), "cards": ("minotaur",), "skills": True, "heroes": "sage"}
    here = scene(*tiles, **options, **KNOWN).change(tokens=tiles_of("psychomancer")).play("wait")
    assert here.state.phase is Phase.REDIRECT
    assert first_answer(AStarHero(), here) == "redirect @2,0"


@pytest.mark.gate
@pytest.mark.parametrize("preset", ["sim4", "sim5"])
def test_other_presets_are_played_to_an_end_with_rituals_after_every_turn(preset: str) -> None:
    for rule in ("personal", "team"):
        params = {"ritual_every": "turn", "seal_rule": rule, "skills": True}
        _, state = play(*(bot() for bot in HEROES), preset=preset, seats=4, seed=5, params=params)
        assert state.end is not None


@pytest.mark.gate
def test_published_matches_are_won_by_teams_of_one_two_and_three() -> None:
    won = [play(AStarHero(), preset="published", seats=seats, seed=100)[1].end for seats in (1, 2, 3)]
    assert End.WON in won


@pytest.mark.gate
def test_mixed_teams_agree_who_collects_what() -> None:
    """What each hero has told is all that they need."""
    told = {}
    for answer in answers(Eidolon({"preset": "published"}, seats=4), 7, [bot() for bot in HEROES]):
        for message in answer.before.messages:
            told[message.seat] = message.words.split(">")[0]
    colours = "".join(told.values())
    assert len(told) == 4
    assert len(colours) == len(set(colours))
