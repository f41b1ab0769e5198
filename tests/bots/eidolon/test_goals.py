"""What heroes choose where rituals take the time, and what D* Lite's repairs cost."""

from __future__ import annotations

import pytest

from gridjoust.bots.eidolon.belief import Claim
from gridjoust.bots.eidolon.dstar_lite import EIGHTHS, DStarLiteHero, estimate_in_eighths, in_eighths
from gridjoust.bots.eidolon.goals import (
    CLAIMED_SHARE,
    HAND_OVER_AP,
    HELP_SHARE,
    IDLE_HELP_SHARE,
    STICK_AP,
    Kind,
    TeamGoals,
)
from gridjoust.bots.eidolon.roads import SHARED_CELL_AP, RoadBook, manhattan
from gridjoust.bots.eidolon.roles import Requirements, tour
from gridjoust.games.eidolon.tiles import COLOURS, Colour
from gridjoust.games.grid import Cell
from tests.bots.eidolon.matches import MEASURE, first_answer
from tests.bots.seats import asked
from tests.games.eidolon.scenes import Scene, place, scene, tiles_of

RED = Colour.RED
NORTH, EAST = Cell(0, -1), Cell(1, 0)
SEAL, END = place("voraxs_heart", 0, -1), place("end", 0, 1)


def team_goals(here: Scene, *gatherers: int, claimed: tuple[int, Cell] | None = None) -> TeamGoals:
    """Seat 0 gathers red, unless seats for red and green are given; a seat may have claimed a cell."""
    needs = Requirements(here.game.rules, here.state, RoadBook(here.game.rules, MEASURE))
    claims = {claimed[0]: Claim((RED,), claimed[1], "")} if claimed else {}
    return TeamGoals(needs, dict(zip(COLOURS, gatherers or [0], strict=False)), claims, division="voronoi")


def rest(team: TeamGoals, seat: int, kind: Kind) -> float:
    """Of the goal in the cell to the north."""
    return next(goal.rest for goal in team.of(seat).goals if goal.kind is kind and goal.cell == NORTH)


def chambers(preset: str = "sim4") -> Scene:
    """Red tokens north and east of the Vestibule, where both heroes are; four are in hand."""
    tiles = (place("voracious_plant", 0, -1), place("minotaur", 1, 0), place("voraxs_heart", -1, 0, 270), END)
    here = scene(*tiles, at=((0, 0), (0, 0)), preset=preset, barriers=0, cards=("mindeater",))
    return here.put(0, tokens=(4, 0, 0)).change(tokens=tiles_of("voracious_plant", "minotaur"), broken=0b110)


def test_goal_told_last_is_kept_where_another_is_as_good_and_rituals_press() -> None:
    ranked = [team_goals(chambers(), claimed=claimed).of(0).ranked for claimed in (None, (0, EAST))]
    free, bound = ({goal.cell: value for value, goal in goals if goal.kind is Kind.GRAB} for goals in ranked)
    assert (free[EAST] - bound[EAST], free[NORTH] - bound[NORTH]) == (STICK_AP, 0)
    assert ranked[1][0][1].cell == EAST
    plain = chambers("sim2")
    assert team_goals(plain, claimed=(0, EAST)).of(0).ranked == team_goals(plain).of(0).ranked


def test_token_for_another_is_worth_the_ap_that_it_saves_the_other() -> None:
    """The Warrior saves the way there and back and 1 AP for the token; for the Ranger it costs 2."""
    idle = team_goals(chambers())
    worth = IDLE_HELP_SHARE * (1 + 1 + 1) + idle.threats.token_worth[NORTH]
    assert rest(idle, 1, Kind.GRAB) == pytest.approx(2 + HAND_OVER_AP - worth)
    busy = team_goals(chambers().change(broken=0b100), 0, 1)  # with errands of its own it helps less
    own_tour = tour(busy.of(1).roads, NORTH, busy.errands(1)).cost
    worth = HELP_SHARE * (1 + 1 + 1) + busy.threats.token_worth[NORTH]
    assert rest(busy, 1, Kind.GRAB) == pytest.approx(2 + HAND_OVER_AP - worth + own_tour)


def test_fight_that_a_team_mate_has_claimed_is_worth_less() -> None:
    tiles = (place("minotaur", 0, -1), place("voraxs_heart", 0, -2), END)
    deck = ("minotaur", "mindeater", "dragonling", "fel_knight", "ogre_brute", "dark_slime")
    here = scene(*tiles, at=((0, 0), (0, 0)), preset="sim4", barriers=0, on=("minotaur",), cards=deck)
    here = here.put(0, tokens=(6, 0, 0)).change(tokens=0, broken=0b110)
    stake = team_goals(here).threats.stakes[NORTH]
    assert stake > 0
    rests = [rest(team_goals(here, claimed=claimed), 1, Kind.FIGHT) for claimed in (None, (0, NORTH))]
    assert rests == [1 - stake, 1 - CLAIMED_SHARE * stake]


def test_horizon_ends_with_the_way_out() -> None:
    """One more move, the seal (1 AP), then the Fire next to it (2 moves and 1 AP) and the End (2 moves)."""
    here = scene(SEAL, END, place("fire_of_eidolon", 1, 0, 90), tokens=((6, 0, 0),), preset="sim4", barriers=0)
    view = team_goals(here.change(tokens=0, broken=0b110))
    assert view.horizon.colour_turns == {RED: 2 / 3}
    assert view.horizon.turns == pytest.approx((2 + 3 + 2) / 3)


def test_prices_and_estimates_are_whole_eighths() -> None:
    arc, shared = (Cell(0, 0), NORTH), (Cell(0, 0), EAST)
    prices = in_eighths({arc: 2.0, shared: 1 + SHARED_CELL_AP})
    assert prices == {arc: 16, shared: 9}
    assert all(type(price) is int for price in prices.values())
    assert estimate_in_eighths(manhattan, {})(Cell(0, 0), Cell(2, -1)) == 3 * EIGHTHS


FIRST_PLAN = 13  # nodes expanded for the first answer


def barred() -> Scene:
    """A street of four tiles to the Fire, the second doorway barred."""
    street = [place(name, 0, -y) for y, name in enumerate(("minotaur", "voracious_plant", "floating_stones"), start=1)]
    fire = place("fire_of_eidolon", 0, -4)
    return scene(*street, fire, END, blocked=((0, -1, "N"),)).change(broken=0b111)


def test_cleared_barrier_and_steps_repair_the_searches_and_another_goal_takes_them_up_again() -> None:
    here, bot = barred(), DStarLiteHero()
    assert first_answer(bot, here) == "move N"
    assert bot.stats is not None
    assert (bot.stats.expanded, bot.stats.plan_cost) == (FIRST_PLAN, 5)
    for text in ("move N", "break N", "move N"):
        here = here.play(text)
        assert asked(bot, here.game, here.state)
        assert (bot.stats.expanded or 0) <= FIRST_PLAN / 2
    assert asked(bot, here.game, barred().change(carrier=0).state) == "move S"
    assert bot.stats.plan_cost == 1
