"""Planner bots whose work is limited: no answer counts a successor too many, whichever code plans."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial

import pytest

from gridjoust import direct
from gridjoust.bots import BOTS, harness, load_bot
from gridjoust.bots.api import AnytimeBot, Deadline, Observation, SearchStats
from gridjoust.bots.placement.astar import AStarBuilder
from gridjoust.games.api import ParamValue
from gridjoust.runner.wire.protocol import Action
from gridjoust.simulation import Played, play
from tests.bots.planners.both import by_both, needs_kernels
from tests.bots.test_kernels_in_matches import without_times
from tests.tiers import gate_but

LIMITS = (1, 40, 1500)
SEARCHLESS = {
    "random", "bomber/idle", "bomber/wanderer", "eidolon/floor", "heroquest/floor", "heroquest/zargon_random",
    "placement/floor",
}  # fmt: skip
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
        case ["heroquest", name] if name.startswith("zargon"):
            return ["heroquest/astar", bot]
        case ["heroquest", _]:
            return [bot, "heroquest/zargon_dijkstra_map"]
        case [("bomber" | "placement") as game, _]:
            return [bot, f"{game}/dijkstra_map"]
        case _:
            return [bot]


def works_of(played: Played) -> Sequence[int]:
    return [answer.work for answer in played.answers if answer.work is not None]


@pytest.mark.gate
@pytest.mark.parametrize("bot", gate_but(PLANNERS, ("bomber/beam", "navigation/astar", "placement/dijkstra_map")))
def test_no_answer_counts_a_successor_too_many_and_some_count_the_last(bot: str) -> None:
    most, rng = {}, random.Random(bot)
    for limit in (*LIMITS, *(int(10 ** rng.uniform(1, 4)) for _ in range(6))):
        played = match_of(bot, limit)
        most[limit] = max(works_of(played))
        assert (played.faults, played.termination) == ([], "completed")
    assert all(0 < found <= limit for limit, found in most.items())
    assert [limit for limit, found in most.items() if found == limit]


@pytest.mark.default("placement/dijkstra_map")
@needs_kernels
@pytest.mark.parametrize("bot", gate_but(PLANNERS, ("bomber/beam", "navigation/astar", "placement/dijkstra_map")))
def test_limited_work_gives_the_same_answers_whichever_code_plans(bot: str) -> None:
    for limit in (40, 1500):
        plain, fast = by_both(partial(match_of, bot, limit))
        assert without_times(fast) == without_times(plain)


Answers = Generator[Action | None, bool | None, None]


def told(limit: int, *, at_once: bool) -> Callable[..., Answers]:
    """An anytime bot's answers, where that its work is over is learnt with the answer that has spent it, or never."""

    def improve(*arguments: object, **clocks: object) -> Answers:
        found: Answers = harness.improve(*arguments, **clocks)  # type: ignore[arg-type]
        action = next(found)
        while True:
            yield action
            is_over = action is not None and action.stats is not None and (action.stats.work or 0) >= limit
            try:
                action = found.send(at_once and is_over)
            except StopIteration:
                return

    return improve


def both_ways(sides: Callable[[], Sequence[object]], game: str, limit: int, patch: pytest.MonkeyPatch) -> list[object]:
    """What is recorded of a match, whichever way its bots learn that their work is over."""
    records: list[object] = []
    for at_once in (True, False):
        patch.setattr(direct, "improve", told(limit, at_once=at_once))
        time = {"clock": "work", "turn_work": limit, "turn_ms": None}
        played = play(game, sides(), seed=3, params=SHORT[game], time=time)  # type: ignore[arg-type]
        assert played.faults == []
        records.append(without_times(played))
    return records


@pytest.mark.default("placement/beam")
@pytest.mark.parametrize("bot", [bot for bot in PLANNERS if issubclass(load_bot(bot), AnytimeBot)])
def test_nothing_depends_on_when_a_bot_learns_that_its_work_is_over(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (40, 1500):
        at_once, never = both_ways(partial(sides_of, bot), bot.split("/", maxsplit=1)[0], limit, monkeypatch)
        assert at_once == never


class Counting(AnytimeBot):
    """Remembers what it did after its last answer had spent all work."""

    plays = ("bomber",)
    turns = 0

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str]:
        self.stats = SearchStats(generated=5, tactics=4)
        yield ("up", "wait")[self.turns % 2]
        self.turns += 1


def test_what_a_bot_does_after_its_last_answer_is_seen_by_how_it_learns_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, never = both_ways(lambda: [Counting, "random"], "bomber", 9, monkeypatch)
    assert at_once != never


def test_a_budget_of_the_bot_itself_holds_where_it_is_smaller() -> None:
    def works(turn_work: int) -> int:
        time = {"clock": "work", "turn_work": turn_work, "turn_ms": None}
        bots = [lambda: AStarBuilder(node_budget=60), "placement/astar"]
        played = play("placement", bots, seed=3, params=SHORT["placement"], time=time)  # type: ignore[arg-type]
        return max(answer.generated or 0 for answer in played.answers if answer.seat == 0)

    assert (
        works(100) < works(100_000) == works(200_000) < 500
    )  # two searches of 60 states, and two walks of 112 cells at most
