"""What heroes choose where rituals take the time, and what D* Lite's repairs cost."""

from __future__ import annotations

import pytest

from bots.eidolon.belief import Claim
from bots.eidolon.dstar_lite import EIGHTHS, DStarLiteHero, estimate_in_eighths, in_eighths
from bots.eidolon.goals import (
    CLAIMED_SHARE,
    HAND_OVER_AP,
    HELP_SHARE,
    IDLE_HELP_SHARE,
    STICK_AP,
    Goal,
    Kind,
    TeamGoals,
)
from bots.eidolon.roads import SHARED_CELL_AP, RoadBook, manhattan
from bots.eidolon.roles import Needs, tour
from games.bitset import mask_of
from games.eidolon.tiles import NUMBERS, Colour
from games.grid import Cell
from tests.bots.eidolon.matches import first_answer
from tests.bots.seats import asked, seated
from tests.games.eidolon.scenes import Scene, place, scene

RED = Colour.RED
NORTH, EAST = Cell(0, -1), Cell(1, 0)
SEAL, END = place("voraxs_heart", 0, -1), place("end", 0, 1)


def team_goals(here: Scene, *, holder: int = 0, claims: dict[int, Claim] | None = None) -> TeamGoals:
    """The red seal alone stands; `holder` gathers red."""
    needs = Needs(here.game.rules, here.state, RoadBook(here.game.rules))
    return TeamGoals(needs, {RED: holder}, claims or {}, division="voronoi")


def goal_at(view: TeamGoals, seat: int, kind: Kind, cell: Cell) -> Goal:
    return next(goal for goal in view.of(seat).goals if goal.kind is kind and goal.cell == cell)


def chambers(preset: str = "sim4", heroes: int = 2) -> Scene:
    """Red tokens north and east of the Vestibule, where all heroes are; five are in hand."""
    tiles = (place("voracious_plant", 0, -1), place("minotaur", 1, 0), place("voraxs_heart", -1, 0, 270), END)
    here = scene(*tiles, at=((0, 0),) * heroes, preset=preset, barriers=0, cards=("mindeater",))
    return here.put(0, tokens=(4, 0, 0)).change(
        tokens=mask_of([NUMBERS["voracious_plant"], NUMBERS["minotaur"]]), broken=0b110
    )


def test_goal_told_last_is_kept_where_another_is_as_good() -> None:
    claim = Claim((RED,), EAST, "E")
    free, bound = team_goals(chambers()).of(0).ranked, team_goals(chambers(), claims={0: claim}).of(0).ranked
    values = [{goal.cell: value for value, goal in ranked if goal.kind is Kind.GRAB} for ranked in (free, bound)]
    assert values[0][EAST] - values[1][EAST] == STICK_AP
    assert values[0][NORTH] == values[1][NORTH]
    assert bound[0][1].cell == EAST


def test_goals_are_judged_by_ap_alone_where_no_ritual_presses() -> None:
    claim = Claim((RED,), EAST, "E")
    plain = chambers("sim2")
    assert team_goals(plain, claims={0: claim}).of(0).ranked == team_goals(plain).of(0).ranked


def test_token_for_another_is_worth_the_ap_that_it_saves_the_other() -> None:
    """The Warrior saves the way there and back and 1 AP for the token; for the Ranger it costs 2."""
    view = team_goals(chambers())
    goal = goal_at(view, 1, Kind.GRAB, NORTH)
    saved = 1 + 1 + 1
    assert goal.rest == pytest.approx(2 + HAND_OVER_AP - IDLE_HELP_SHARE * saved - view.threats.token_worth[NORTH])


def test_hero_with_errands_of_its_own_helps_less() -> None:
    here = chambers().change(broken=0b100)
    needs = Needs(here.game.rules, here.state, RoadBook(here.game.rules))
    busy = TeamGoals(needs, {RED: 0, Colour.GREEN: 1}, {}, division="voronoi")
    own_tour = tour(needs.roads(1), NORTH, busy.errands(1)).cost
    worth = HELP_SHARE * (1 + 1 + 1) + busy.threats.token_worth[NORTH]
    assert goal_at(busy, 1, Kind.GRAB, NORTH).rest == pytest.approx(2 + HAND_OVER_AP - worth + own_tour)


def test_fight_that_a_team_mate_has_claimed_is_worth_less() -> None:
    tiles = (place("minotaur", 0, -1), place("voraxs_heart", 0, -2), END)
    deck = ("minotaur", "mindeater", "dragonling", "fel_knight", "ogre_brute", "dark_slime")
    here = scene(*tiles, at=((0, 0), (0, 0)), preset="sim4", barriers=0, on=("minotaur",), cards=deck)
    here = here.put(0, tokens=(6, 0, 0)).change(tokens=0, broken=0b110)
    stake = team_goals(here).threats.stakes[NORTH]
    alone = goal_at(team_goals(here), 1, Kind.FIGHT, NORTH).rest
    second = goal_at(team_goals(here, claims={0: Claim((RED,), NORTH, "N")}), 1, Kind.FIGHT, NORTH).rest
    assert stake > 0
    assert alone == 1 - stake
    assert second == 1 - CLAIMED_SHARE * stake


def test_horizon_ends_with_the_way_out() -> None:
    """One more move, the seal (1 AP), then the Fire next to it (2 moves and 1 AP) and the End (2 moves)."""
    here = scene(SEAL, END, place("fire_of_eidolon", 1, 0, 90), tokens=((6, 0, 0),), preset="sim4", barriers=0)
    view = team_goals(here.change(tokens=0, broken=0b110))
    assert view.horizon.colour_turns == {RED: 2 / 3}
    assert view.horizon.turns == pytest.approx((2 + 3 + 2) / 3)


def test_prices_are_whole_eighths() -> None:
    arc, shared = (Cell(0, 0), NORTH), (Cell(0, 0), EAST)
    prices = in_eighths({arc: 2.0, shared: 1 + SHARED_CELL_AP})
    assert prices == {arc: 16, shared: 9}
    assert all(type(price) is int for price in prices.values())


def test_estimate_is_in_the_same_unit() -> None:
    assert estimate_in_eighths(manhattan, {})(Cell(0, 0), Cell(2, -1)) == 3 * EIGHTHS


def barred() -> Scene:
    """A street of four tiles to the Fire, the second doorway barred."""
    street = [place(name, 0, -y) for y, name in enumerate(("minotaur", "voracious_plant", "floating_stones"), start=1)]
    fire = place("fire_of_eidolon", 0, -4)
    return scene(*street, fire, END, blocked=((0, -1, "N"),)).change(broken=0b111)


def test_barrier_cleared_on_the_way_costs_no_expansion() -> None:
    here, bot = barred(), DStarLiteHero()
    assert first_answer(bot, here) == "move N"
    assert bot.stats is not None
    assert bot.stats.expanded
    assert bot.stats.plan_cost == 5
    expanded = []
    for text in ("move N", "break N", "move N"):
        here = here.play(text)
        assert asked(bot, here.game, here.state)
        expanded.append(bot.stats.expanded)
    assert expanded == [0, 0, 0]


def test_search_is_taken_up_again_for_another_goal() -> None:
    here, bot = barred(), DStarLiteHero()
    seated(bot, here.game, here.state)
    assert asked(bot, here.game, here.state) == "move N"
    here = here.change(carrier=0)
    assert asked(bot, here.game, here.state) == "move S"
    assert bot.stats is not None
    assert bot.stats.plan_cost == 1
