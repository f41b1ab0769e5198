"""The four bots: what they read, tell, choose and win."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest

from gridjoust.bots.api import Bot
from gridjoust.bots.eidolon.astar import HEURISTICS, AStarHero
from gridjoust.bots.eidolon.beam import BeamHero
from gridjoust.bots.eidolon.belief import Claim, claims_of, format_claim, parse_view
from gridjoust.bots.eidolon.dstar_lite import DStarLiteHero
from gridjoust.bots.eidolon.goals import Goal, GoalPlanner
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary
from gridjoust.bots.eidolon.in_place import best_degrees
from gridjoust.bots.eidolon.roads import RoadBook
from gridjoust.bots.eidolon.roles import Errand, Requirements, choose_roles, rest_after, tour
from gridjoust.games.api import ParamValue
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.state import End, Hero, Message, State
from gridjoust.games.eidolon.tiles import COLOURS, NUMBERS
from gridjoust.games.grid import Cell, Direction
from tests.bots.eidolon.matches import HEROES, MEASURE, answers, first_answer, play
from tests.games.eidolon.scenes import Scene, place, scene, tiles_of

RED, GREEN, BLUE = COLOURS


def bare(state: State) -> State:
    """Without what an observation does not show."""
    heroes = tuple(Hero(*hero[:5]) for hero in state.heroes)
    return replace(state, seed=0, heroes=heroes)


@pytest.mark.gate
@pytest.mark.parametrize("preset", ["sim2", "sim5", "published"])
def test_belief_is_the_situation_and_keeps_an_unchanged_dungeon(preset: str) -> None:
    game = Eidolon({"preset": preset}, seats=3)
    for answer in answers(game, 4, [AStarHero()]):
        dungeon = answer.before.dungeon
        shown = parse_view(game.observation(answer.before, 0), known=dungeon)
        heard = tuple(message for message in answer.before.messages if message.seat != 0)
        assert shown == replace(bare(answer.before), messages=heard, end=None)
        assert shown.dungeon is dungeon


def test_belief_of_a_ritual_that_asks() -> None:
    here = scene(
        place("minotaur", 0, -1), at=((0, -1),), preset="sim5", barriers=0, on=("minotaur",), cards=("minotaur",)
    ).play("wait")
    assert parse_view(here.view()) == bare(here.state)


def test_plan_is_told_and_understood() -> None:
    path = [Cell(0, 0), Cell(0, -1), Cell(1, -1), Cell(7, 7)]
    words, claim = "rb>7,7 NEp", Claim((RED, BLUE), Cell(7, 7), "NEp")
    assert format_claim([BLUE, RED], path, Cell(7, 7)) == words
    assert claims_of([Message(1, words)]) == {1: claim}
    assert claim.path(Cell(0, 0), {Cell(1, -1): Cell(7, 7)}) == path
    assert len(format_claim(COLOURS, [Cell(x % 2, 0) for x in range(300)], Cell(-100, -100))) == 80


def test_latest_plan_counts_and_other_words_are_passed_over() -> None:
    heard = [Message(1, words) for words in ("r>1,1 ", "good luck", "g>2,2 ")]
    assert claims_of(heard) == {1: Claim((GREEN,), Cell(2, 2), "")}
    for words in ("hello", "rg>", "x>1,1 N", "rg>1,1 NX", "gr>1,1 N"):
        assert claims_of([Message(1, words)]) == {}


@pytest.mark.gate
def test_bots_talk_only_to_somebody() -> None:
    for seats, talk, is_talking in ((1, True, False), (2, True, True), (2, False, False)):
        texts = [answer.text for answer in answers(Eidolon(seats=seats), 0, [AStarHero(talk=talk)])]
        assert any("say" in text for text in texts) is is_talking


LAID = {"minotaur": 1, "voracious_plant": 2, "psychomancer": 3, "laughing_shadow": -1, "floating_stones": -2}
STREET = tuple(place(name, x, 0) for name, x in LAID.items())


def street_needs(*tokens: tuple[int, int, int], **options: object) -> Requirements:
    here = scene(*STREET, at=((0, 0),) * len(tokens), tokens=tokens, **options)  # type: ignore[arg-type]
    return Requirements(here.game.rules, here.state, RoadBook(here.game.rules, MEASURE))


def test_tour_counts_ways_prices_and_seals() -> None:
    needs = street_needs((0, 0, 0))
    found = tour(needs.roads(0), Cell(0, 0), [Errand(RED, 2, (Cell(1, 0), Cell(2, 0)), 3, Cell(-2, 0))])
    assert (found.cost, found.end) == ((1 + 3) + (1 + 3) + (4 + 1), Cell(-2, 0))


def test_first_stop_is_chosen_with_the_rest_in_view() -> None:
    """West is nearer, but whoever goes there first has to come back past the start."""
    needs = street_needs((0, 0, 0))
    errand = Errand(BLUE, 2, (Cell(-1, 0), Cell(2, 0), Cell(3, 0)), 1, Cell(3, 0))
    rests = rest_after(needs.roads(0), [errand])
    distances = needs.roads(0).distances(Cell(0, 0))
    assert min(rests, key=lambda stop: distances[stop.cell] + rests[stop]).cell == Cell(2, 0)


def test_hero_with_most_stars_gathers_the_colour_unless_told_otherwise_and_broken_seals_need_nobody() -> None:
    """Time counts as much as AP, so two heroes share three colours out."""
    game = Eidolon({"preset": "sim4", "heroes": "wizard warrior ranger"}, seats=3)
    needs = Requirements(game.rules, game.initial_state(1), RoadBook(game.rules, MEASURE))
    assert choose_roles(needs, {}) == {RED: 1, GREEN: 2, BLUE: 0}
    needs = street_needs((0, 0, 0), (0, 0, 0))
    for first, second in ((0, 1), (1, 0)):  # a change would save little
        told = {RED: first, GREEN: second, BLUE: first}
        assert choose_roles(needs, told) == told
    assert set(choose_roles(needs, dict.fromkeys(COLOURS, 0)).values()) == {0, 1}
    assert choose_roles(street_needs((0, 0, 0), (6, 0, 0)), {RED: 1})[RED] == 1
    here = scene(*STREET).change(broken=0b101)
    assert list(choose_roles(Requirements(here.game.rules, here.state, RoadBook(here.game.rules, MEASURE)), {})) == [
        GREEN
    ]


SEAL, SEAL_BEHIND = place("voraxs_heart", 0, -1), place("voraxs_heart", 0, -2)
FIRE, END, CHAMBER = place("fire_of_eidolon", 0, -1), place("end", 0, 1), place("minotaur", 0, -1)
MOUTHS = place("secret_passage_x", 1, 0), place("secret_passage_y", 6, 6)
AT_FIRE = scene(FIRE, END, at=((0, -1),)).change(broken=0b111)
DEAR = scene(  # 3 AP for the token
    CHAMBER, SEAL_BEHIND, at=((0, -1),), specialization="stars", heroes="wizard", tokens=((5, 0, 0),)
)
THREATENED = scene(
    CHAMBER, SEAL_BEHIND, at=((0, -1),), preset="sim4", barriers=0, heroes="wizard", on=("minotaur",)
).change(ap_left=2, void=tiles_of("dragonling"))
DECISIONS: dict[str, tuple[Scene, str]] = {
    "a seal is broken when it can be": (scene(SEAL, at=((0, -1),), tokens=((6, 0, 0),)), "break"),
    "the Fire is taken": (AT_FIRE, "fire"),
    "and carried out": (AT_FIRE.play("fire"), "move S"),
    "a barrier on the way is cleared": (scene(FIRE, END, blocked=((0, 0, "N"),)).change(broken=0b111), "break N"),
    "the passage is used": (
        scene(*MOUTHS, place("fire_of_eidolon", 7, 6, 90), at=((1, 0),)).change(broken=0b111), "passage",
    ),
    "a token is taken": (DEAR, "grab"),
    "in the next turn if AP are short": (DEAR.change(ap_left=2), "wait"),
    "a cultist is fought before a token that cannot be replaced is lost": (THREATENED, "attack"),
}  # fmt: skip


@pytest.mark.parametrize(("here", "answer"), DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("bot", HEROES)
def test_decisions(bot: type[Bot], here: Scene, answer: str) -> None:
    assert first_answer(bot(), here) == answer


@pytest.mark.parametrize("bot", HEROES)
def test_planned_path_can_be_shown(bot: type[HeroBot]) -> None:
    planner = bot()
    first_answer(planner, scene(FIRE, END, at=((0, 1),)).change(broken=0b111))
    assert planner.itinerary is not None
    assert planner.itinerary.path == (Cell(0, 1), Cell(0, 0), Cell(0, -1))


@pytest.mark.parametrize("bot", HEROES)
def test_tokens_go_to_the_hero_who_gathers_them(bot: type[Bot]) -> None:
    """Seat 1 has five red tokens and the seal's tile; seat 0 brings the sixth."""
    tokens = ((1, 0, 0), (5, 0, 0))
    here = scene(SEAL, at=((0, -1), (0, -1)), tokens=tokens).change(tokens=0)
    answer = first_answer(bot(), here)
    assert answer in ("trade 1 give r1", "trade 1 take r5")
    assert here.play(answer, "break" if "take" in answer else "wait").end is None


@pytest.mark.parametrize("bot", HEROES)
def test_unknown_map_is_explored_by_heroes_who_set_out_for_different_goals(bot: type[Bot]) -> None:
    game = Eidolon({"preset": "sim3"})
    assert first_answer(bot(), Scene(game, game.initial_state(0))).startswith("explore")
    matches = answers(Eidolon({"preset": "sim3"}, seats=3), 1, [bot()])
    said = [re.search(r'say "(.*)"', answer.text) for answer, _ in zip(matches, range(9), strict=False)]
    told = [claims_of([Message(0, words[1])]) for words in said if words]
    assert len({claims[0].goal for claims in told if claims}) > 1


def test_explored_tile_is_turned_so_that_it_leads_on() -> None:
    """A corner that is entered from the south: west leads into a tile, east onto an empty cell."""
    west = scene(place("psychomancer", -1, -1))
    turned = best_degrees(replace(west.state.dungeon, stack=1 << NUMBERS["ogre_brute"]), Cell(0, -1), Direction.S)
    laid = scene(stack=("ogre_brute",), known_map=False).play(f"explore N {turned}" if turned else "explore N")
    assert laid.state.dungeon.has_door(Cell(0, -1), Direction.E)


def test_bad_options_are_refused() -> None:
    for bot, options, message in (
        (AStarHero, {"heuristic": "guess"}, "heuristic: expected one of manhattan, euclidean, paper, got 'guess'"),
        (DStarLiteHero, {"heuristic": "paper"}, "heuristic: expected one of manhattan, euclidean, got 'paper'"),
        (BeamHero, {"division": "halves"}, "division: expected voronoi or equal, got 'halves'"),
        (BeamHero, {"width": 0}, "width: expected at least 1, got 0"),
        (AStarHero, {"plan_every": 0}, "plan_every: expected at least 1, got 0"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            bot(**options)


class Counting(AStarHero):
    """Counts its plans."""

    plans = 0

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        self.plans += 1
        return super().plan(planner, goals)


@pytest.mark.parametrize(("plan_every", "plans"), [(1, 9), (3, 4)])  # one plan is carried out before its third action
def test_a_hero_may_follow_a_plan_for_several_actions(plan_every: int, plans: int) -> None:
    bot = Counting(plan_every=plan_every)
    acted = list(islice(answers(Eidolon({"preset": "sim1"}, seats=1), 2, [bot]), 9))
    assert (len(acted), bot.plans) == (9, plans)


@pytest.mark.gate
@pytest.mark.parametrize("bot", HEROES)
def test_heroes_who_plan_once_in_three_actions_win_too(bot: type[HeroBot]) -> None:
    assert play(bot(plan_every=3), preset="sim2", seats=2, seed=1)[1].end is End.WON


ONE_HERO = pytest.mark.parametrize(  # in whole matches; the gate plays those of the others
    "bot", [pytest.param(bot, marks=() if bot is AStarHero else pytest.mark.gate) for bot in HEROES]
)
TEAM_RULE: dict[str, ParamValue] = {"seal_rule": "team", "win_at": "vestibule", "skills": True}
MATCHES: list[tuple[str, int, range, dict[str, ParamValue]]] = [  # preset, seats, seeds, more parameters
    ("sim1", 1, range(3), {}),
    ("sim2", 3, range(3), {}),
    ("sim2", 4, range(3, 4), TEAM_RULE),
    ("sim2", 4, range(3, 4), {**TEAM_RULE, "seal_rule": "personal"}),
    ("sim3", 1, range(2), {}),
    ("sim3", 3, range(2), {}),
]


@pytest.mark.gate
@ONE_HERO
@pytest.mark.parametrize(("preset", "seats", "seeds", "params"), MATCHES)
def test_matches_are_won_unless_the_map_is_sealed(
    bot: type[Bot], preset: str, seats: int, seeds: range, params: dict[str, ParamValue]
) -> None:
    good = (End.WON, End.SEALED) if preset == "sim3" else (End.WON,)
    ends = [play(bot(), preset=preset, seats=seats, seed=seed, params=params)[1].end for seed in seeds]
    assert [end for end in ends if end in good] == ends


@pytest.mark.gate
def test_every_heuristic_both_divisions_and_mixed_teams_win() -> None:
    for heuristic in HEURISTICS:
        assert play(AStarHero(heuristic=heuristic), preset="sim2", seats=2, seed=1)[1].end is End.WON
    for division in ("voronoi", "equal"):
        assert play(AStarHero(division=division), preset="sim3", seats=4, seed=1)[1].end is End.WON
    for preset in ("sim2", "sim3"):
        assert play(*(bot() for bot in HEROES), preset=preset, seats=4, seed=2)[1].end is End.WON


@pytest.mark.gate
@pytest.mark.parametrize("preset", ["sim4", "sim5", "published"])
@ONE_HERO
def test_rituals_are_played_to_an_end_and_search_cost_is_reported(bot: type[Bot], preset: str) -> None:
    game = Eidolon({"preset": preset}, seats=2)
    expanded = 0
    for answer in answers(game, 5, [bot()]):
        last, stats = answer.before, answer.bot.stats
        expanded += (stats.expanded or 0) if stats else 0
    assert last.end is not None
    assert 0 < last.turns <= game.spec.max_turns
    assert expanded > 0


@pytest.mark.gate
def test_ap_of_astar_and_beam_are_close_to_the_best_and_dstar_lite_walks_as_astar_does() -> None:
    """The same goals and prices: the ways may differ, their costs may not."""
    ends = {bot: [play(bot(), preset="sim2", seats=1, seed=seed)[1] for seed in range(3)] for bot in HEROES}
    spent = {bot: [state.heroes[0].ap_spent for state in states] for bot, states in ends.items()}
    assert max(sum(spent[AStarHero]), sum(spent[BeamHero])) <= 1.15 * min(map(sum, spent.values()))
    assert spent[DStarLiteHero] == pytest.approx(spent[AStarHero], abs=4)


def test_redirected_cultists_spare_threatened_tiles() -> None:
    options = {"on": ("minotaur",), "cards": ("minotaur", "mindeater"), "skills": True, "heroes": "sage"}
    rituals = (
        scene(CHAMBER, place("psychomancer", 1, 0), preset="sim5", barriers=0, seed=seed, **options).play("wait")  # type: ignore[arg-type]
        for seed in range(20)
    )
    asked = next(here for here in rituals if here.state.ritual is not None)
    assert first_answer(AStarHero(), asked) == "redirect @1,0"
