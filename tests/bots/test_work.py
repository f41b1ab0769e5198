"""Planner bots whose work is limited: none of their answers takes a node too many, whichever code plans."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from bots import BOTS
from bots.placement.astar import AStarBuilder
from games.api import ParamValue
from gridjoust.simulation import Played, play
from tests.bots.planners.both import by_both, needs_kernels
from tests.bots.test_kernels_in_matches import without_times

LIMITS = (1, 9, 120)
SEARCHLESS = {"random", "bomber/wanderer", "heroquest/zargon_random"}
Params = dict[str, ParamValue]
SHORT: dict[str, Params] = {
    "bomber": {"max_ticks": 40, "bomb_ticks": 6},
    "eidolon": {"preset": "sim5", "max_game_rounds": 3},
    "heroquest": {"max_game_rounds": 4},
    "navigation": {"width": 12, "height": 10, "max_turns": 30, "knowledge": "unknown", "density": 0.3, "changes": 5},
    "placement": {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 4},
    "ricochet": {"mode": "solve", "positions": 1, "optima": "4"},
}
PLANNERS = sorted(BOTS.keys() - SEARCHLESS)


def match_of(bot: str, turn_work: int) -> Played:
    """A short match of the bot, where it needs one against another."""
    game = bot.split("/", maxsplit=1)[0]
    time = {"clock": "work", "turn_work": turn_work, "turn_ms": None}
    return play(game, sides_of(bot), seed=3, params=SHORT[game], time=time)  # type: ignore[arg-type]


def sides_of(bot: str) -> list[str]:
    match bot.split("/"):
        case ["heroquest", "zargon_dijkstra_map"]:
            return ["heroquest/astar", bot]
        case ["heroquest", _]:
            return [bot, "heroquest/zargon_dijkstra_map"]
        case [("bomber" | "placement") as game, _]:
            return [bot, f"{game}/dijkstra_map"]
        case _:
            return [bot]


def works_of(played: Played) -> Sequence[int]:
    return [answer.expanded for answer in played.answers if answer.expanded is not None]


@pytest.mark.parametrize("bot", PLANNERS)
def test_no_answer_takes_a_node_too_many_and_some_take_the_last(bot: str) -> None:
    most = {}
    for limit in LIMITS:
        played = match_of(bot, limit)
        most[limit] = max(works_of(played))
        assert (played.faults, played.termination) == ([], "completed")
    assert all(0 < found <= limit for limit, found in most.items())
    assert [limit for limit, found in most.items() if found == limit]


@needs_kernels
@pytest.mark.parametrize("bot", PLANNERS)
def test_limited_work_gives_the_same_answers_whichever_code_plans(bot: str) -> None:
    for limit in (9, 60):
        plain, fast = by_both(partial(match_of, bot, limit))
        assert without_times(fast) == without_times(plain)


def test_a_budget_of_the_bot_itself_holds_where_it_is_smaller() -> None:
    def works(turn_work: int) -> int:
        time = {"clock": "work", "turn_work": turn_work, "turn_ms": None}
        bots = [lambda: AStarBuilder(node_budget=60), "placement/astar"]
        played = play("placement", bots, seed=3, params=SHORT["placement"], time=time)  # type: ignore[arg-type]
        return max(answer.expanded or 0 for answer in played.answers if answer.seat == 0)

    assert works(10) == 10
    assert works(1000) == works(2000) < 120  # two searches of 60 generated nodes at the most
