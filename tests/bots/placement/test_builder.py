"""The five bots: options, and that they play as they are meant to."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.api import Deadline, Observation
from gridjoust.bots.match import observe, play_match
from gridjoust.bots.placement.astar import AStarBuilder
from gridjoust.bots.placement.beam import BeamBuilder
from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.quantum import QuantumBuilder
from gridjoust.bots.placement.slopes import RepairBuilder, SlopeBuilder
from gridjoust.games.placement import Placement
from gridjoust.games.placement.state import State
from tests.bots.seats import seated
from tests.games.placement.boards import parse_piece, scene

SMALL = {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 8}
BOTS = (BeamBuilder, QuantumBuilder, AStarBuilder, SlopeBuilder, RepairBuilder)


def sit_down(bot: Builder, game: Placement, state: State) -> Observation:
    """The bot holds the seat in turn and is asked."""
    seated(bot, game, state, seats=[state.seat])
    return observe(game, state, state.seat)


@pytest.mark.parametrize("bot_class", BOTS)
def test_a_goal_in_reach_is_reached_and_a_bot_that_is_walled_in_stays(bot_class: type[Builder]) -> None:
    shown = scene("0___a_", "______", "1___b_", max_cells=3).hold(parse_piece("#", "#", "#"))
    bot = bot_class()
    assert bot.act(sit_down(bot, shown.game, shown.state)) == "place 0 r90 @1,0; walk E E E E"
    shown = scene("0#_a", "#___", "1__b", max_cells=3)
    bot = bot_class()
    text = bot.act(sit_down(bot, shown.game, shown.state))
    assert shown.is_legal(text)
    assert "walk" not in text


@pytest.mark.parametrize("bot_class", BOTS)
def test_the_cost_of_the_search_is_reported(bot_class: type[Builder]) -> None:
    game = Placement()
    bot = bot_class()
    bot.act(sit_down(bot, game, game.initial_state(3)))
    assert bot.stats is not None
    assert all((bot.stats.expanded, bot.stats.generated, bot.stats.frontier))
    assert bot.stats.plan_cost is not None


@pytest.mark.parametrize("bot_class", BOTS)
def test_the_first_answer_comes_whatever_the_time_and_later_searches_follow_while_there_is_some(
    bot_class: type[Builder],
) -> None:
    game = Placement({"max_cells": 4, "moves": 12})
    bot = bot_class()
    question = sit_down(bot, game, game.initial_state(5))
    found_nearest_and_each_goal = list(bot.improve(question, Deadline(None, lambda: 0.0)))
    assert len(found_nearest_and_each_goal) in (5, 6)
    told = [answer for answer in found_nearest_and_each_goal if answer is not None]
    assert len(set(told)) == len(told)
    assert list(bot.improve(question, Deadline(0.0, lambda: 1.0))) == found_nearest_and_each_goal[:1] == told[:1]


@pytest.mark.parametrize("bot_class", BOTS)
def test_the_goal_with_which_the_cheapest_round_begins_comes_before_a_nearer_one(bot_class: type[Builder]) -> None:
    shown = scene("a...a0..a", "#########", "1__b_b_b_", hand=1, moves=3, max_cells=3, goals=3)
    shown = shown.hold(parse_piece("#", "#", "#"))
    bot = bot_class(hinder=0.0)
    assert bot.act(sit_down(bot, shown.game, shown.state)) == "walk E E E"  # 11 steps in all; by the nearest first 13


@pytest.mark.parametrize(("bot_class", "is_told"), [(QuantumBuilder, True), (AStarBuilder, True), (BeamBuilder, False)])
def test_fit_data_found_again_in_the_turn_is_told_but_where_a_kernel_keeps_none(
    bot_class: type[Builder], is_told: bool
) -> None:
    game = Placement({"hand": 3, "moves": 12})
    bot = bot_class()
    bot.act(sit_down(bot, game, game.initial_state(3)))
    assert bot.stats is not None
    assert bool(bot.stats.reused) is is_told


def test_the_cost_is_that_of_all_searches_of_the_turn() -> None:
    game = Placement()
    bot = BeamBuilder()
    question = sit_down(bot, game, game.initial_state(3))
    spent = [bot.stats.expanded or 0 for _ in bot.improve(question, Deadline(None, lambda: 0.0)) if bot.stats]
    assert len(spent) == 6
    assert spent == sorted(spent)
    assert len(set(spent)) == 5  # before and after the first choice the same


def test_collapsed_floor_is_built_again_by_repair() -> None:
    game = Placement({**SMALL, "collapse": 4, "max_game_rounds": 30, "finish_round": True})
    ends = [play_match(game, [RepairBuilder(), RepairBuilder()], seed=seed).state for seed in range(5)]
    assert all(any(not player.missing for player in end.players) for end in ends)


@pytest.mark.parametrize("bot_class", BOTS)
def test_a_piece_that_is_not_needed_bars_the_rivals_way_unless_the_bot_only_races(bot_class: type[Builder]) -> None:
    shown = scene("0........a", "##########", "1______..b", "__________", barriers=1, hand=1, max_cells=3)
    shown = shown.hold(parse_piece("#", "#", "#"))
    for hinder, laid in ((1.0, "; bar 0 "), (0.0, "")):
        bot = bot_class(hinder=hinder)
        text = bot.act(sit_down(bot, shown.game, shown.state))
        assert text.startswith("walk E E E E E E" + laid), text
        assert ("bar" in text) is bool(laid)
        assert shown.is_legal(text)


@pytest.mark.gate
def test_a_wide_beam_beats_the_slope_where_pieces_are_few() -> None:
    game = Placement({"barriers": 0})
    returns = [play_match(game, [BeamBuilder(), SlopeBuilder()], seed=seed).returns[0] for seed in range(4)]
    returns += [play_match(game, [SlopeBuilder(), BeamBuilder()], seed=seed).returns[1] for seed in range(4)]
    assert sum(returns) > 0


@pytest.mark.parametrize(
    ("bot_class", "options", "message"),
    [
        (BeamBuilder, {"width": 0}, "width: expected at least 1, got 0"),
        (QuantumBuilder, {"width": 0}, "width: expected at least 1, got 0"),
        (QuantumBuilder, {"limit": -1}, "limit: expected at least 0, got -1"),
        (AStarBuilder, {"node_budget": 0}, "node_budget: expected at least 1, got 0"),
    ],
)
def test_impossible_options_are_refused(bot_class: type[Builder], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bot_class(**options)
