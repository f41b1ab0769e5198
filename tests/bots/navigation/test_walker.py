"""What the four bots do, each in situations small enough to see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from gridjoust.bots.api import Bot, Observation, SearchStats
from gridjoust.bots.match import play_match
from gridjoust.bots.navigation.arastar import ARAStarWalker
from gridjoust.bots.navigation.astar import AStar
from gridjoust.bots.navigation.beam import Beam
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapBot
from gridjoust.bots.navigation.dstar_lite import DStarLite
from gridjoust.bots.navigation.lpastar import LPAStarWalker
from gridjoust.bots.navigation.mpaastar import MPAAStarWalker
from gridjoust.bots.navigation.weighted_astar import WeightedAStar
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.movingai import load_scen
from tests.bots.seats import asked, seated
from tests.games.navigation.scenes import Scene, scene
from tests.octile import MAPS

MakeBot = Callable[[], Bot]
OPTIMAL: dict[str, MakeBot] = {
    "astar": AStar,
    "astar eager": partial(AStar, eager=True),
    "arastar": ARAStarWalker,
    "dstar_lite": DStarLite,
    "lpastar": LPAStarWalker,
    "mpaastar": MPAAStarWalker,
    "dijkstra_map": DijkstraMapBot,
    "dijkstra_map rebuild": partial(DijkstraMapBot, rebuild=True),
}
BOTS: dict[str, MakeBot] = {**OPTIMAL, "beam": Beam, "weighted_astar": WeightedAStar}

HIDDEN: dict[str, Any] = {"knowledge": "unknown"}
POCKET = ("0...#", "...##", "...#a")  # no way
TRAP = (".....", ".###.", "0.#.a", ".###.", ".....")


@dataclass
class Session:
    """One bot in seat 0 of a scene, asked turn by turn."""

    bot: Bot
    scene: Scene
    answers: list[str] = field(default_factory=list)
    stats: list[SearchStats | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        seated(self.bot, self.scene.game, self.scene.state)

    def ask(self) -> str:
        """The bot's answer to the scene as it is; a robot that may not do it fails the test."""
        answer = asked(self.bot, self.scene.game, self.scene.state)
        self.answers.append(answer)
        self.stats.append(self.bot.stats)
        assert self.scene.is_legal(answer), (answer, self.scene.game.render(self.scene.state))
        return answer

    def step(self) -> str:
        """Ask and play the answer."""
        answer = self.ask()
        self.scene = self.scene.play(answer)
        return answer

    def run(self, limit: int = 500) -> Session:
        """Until the match is over."""
        for _ in range(limit):
            if self.scene.is_over:
                break
            self.step()
        return self


def metrics_of(bot: Bot, *, seed: int, params: dict[str, Any]) -> Mapping[str, float]:
    """Of a match of this bot alone."""
    return play_match(Navigation(params, seats=1), [bot], seed=seed).metrics[0]


@pytest.mark.parametrize("bot", [*OPTIMAL, "beam"])
@pytest.mark.parametrize("connectivity", ["4", "8", "8-unit"])
def test_all_walk_a_shortest_way_on_a_known_map(bot: str, connectivity: str) -> None:
    for seed in range(6):
        metrics = metrics_of(BOTS[bot](), seed=seed, params={"connectivity": connectivity, "density": 0.3})
        assert metrics["cost"] == pytest.approx(metrics["reference"])


@pytest.mark.parametrize("bot", BOTS)
def test_all_reach_the_goal_of_an_unknown_map_or_find_out_that_it_has_no_way(bot: str) -> None:
    assert Session(BOTS[bot](), scene(*TRAP, **HIDDEN)).run().scene.metrics()["reached"] == 1
    assert Session(BOTS[bot](), scene(*POCKET)).step() == "give up"
    session = Session(BOTS[bot](), scene(*POCKET, **HIDDEN)).run()
    assert (session.answers[-1], session.scene.returns()) == ("give up", (1.0,))
    assert len(session.answers) > 1


@pytest.mark.parametrize("bot", OPTIMAL)
@pytest.mark.parametrize(
    "params",
    [
        {"solvable": False, "density": 0.45, "width": 16, "height": 16},
        {"generator": "maze", "corridor": 1, "width": 17, "height": 17, "connectivity": "4"},
        {"connectivity": "8-unit", "density": 0.45, "width": 20, "height": 20, "sensor": 2},
        {"generator": "rooms", "changes": 12, "change_every": 3, "width": 20, "height": 20},
        {"generator": "rooms", "changes": 12, "change_every": 3, "width": 20, "height": 20, "batch": True},
    ],
)
def test_all_but_beam_solve_whatever_unknown_map_they_get(bot: str, params: dict[str, Any]) -> None:
    for seed in range(5):
        metrics = metrics_of(OPTIMAL[bot](), seed=seed, params={**params, "knowledge": "unknown"})
        assert metrics["solved"] == 1, seed


@pytest.mark.parametrize("connectivity", ["4", "8", "8-unit"])
def test_the_map_and_the_repairing_search_walk_the_same_way(connectivity: str) -> None:
    for seed in range(8):
        params: dict[str, Any] = {"knowledge": "unknown", "connectivity": connectivity, "density": 0.35}
        one, other = (metrics_of(make(), seed=seed, params=params) for make in (DStarLite, DijkstraMapBot))
        assert one == other


@pytest.mark.parametrize("bot", BOTS)
def test_known_flips_are_walked_around(bot: str) -> None:
    params = {"changes": 30, "change_every": 2, "width": 20, "height": 20}
    assert [metrics_of(BOTS[bot](), seed=seed, params=params)["solved"] for seed in range(5)] == [1] * 5


@pytest.mark.parametrize("bot", BOTS)
def test_where_cells_flip_out_of_sight_no_wall_is_for_ever(bot: str) -> None:
    walled = scene("....a....", "#########", "....0....", changes=1, change_every=1000, connectivity="4", **HIDDEN)
    session = Session(BOTS[bot](), walled)
    seen_ends: list[int] = []
    while len(seen_ends) < 2:
        session.step()
        x, _ = session.scene.position()
        if x in (0, 8) and x not in seen_ends:
            seen_ends.append(x)
    session.scene = session.scene.flip((seen_ends[0], 1))
    assert session.run(limit=50).scene.metrics()["reached"] == 1


@pytest.mark.parametrize("bot", BOTS)
def test_with_paths_allowed_a_known_map_takes_one_answer(bot: str) -> None:
    metrics = metrics_of(BOTS[bot](), seed=3, params={"batch": True})
    assert (metrics["turns"], metrics["reached"]) == (1, 1)


@pytest.mark.parametrize("bot", BOTS)
def test_stats_tell_what_the_search_cost_and_there_is_none_without_news(bot: str) -> None:
    first, *later = Session(BOTS[bot](), scene("0..", "..a", connectivity="4")).run().stats
    assert first is not None
    assert (first.plan_cost, bool(first.expanded)) == (3, True)
    assert later == [None] * 2


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_that_joins_late_answers_from_what_it_sees(bot: str) -> None:
    late = scene("0.#.", "...a", **HIDDEN).play("E", "wait")
    session = Session(BOTS[bot](), late)
    assert session.scene.view()["news"] == []
    assert session.ask() in ("SE", "S", "E")
    assert session.answers != ["E"]


@pytest.mark.parametrize(("is_eager", "searches"), [(False, 1), (True, 2)])
def test_astar_keeps_its_path_until_it_breaks_and_plans_on_everything_new_if_eager(
    is_eager: bool, searches: int
) -> None:
    session = Session(AStar(eager=is_eager), scene("...#....", "0......a", **HIDDEN)).run()
    assert sum(stats is not None for stats in session.stats) == searches


def expanded_in(make: MakeBot, seeds: range, params: dict[str, Any]) -> int:
    expanded: list[int] = []

    def ask(bot: Bot, observation: Observation) -> str:
        text = bot.act(observation)
        expanded.append((bot.stats and bot.stats.expanded) or 0)
        return text

    for seed in seeds:
        play_match(Navigation(params, seats=1), [make()], seed=seed, ask=ask)
    return sum(expanded)


@pytest.mark.gate
def test_repairs_expand_far_less_than_searches_from_scratch() -> None:
    paper = {
        **HIDDEN, "width": 129, "height": 129, "density": 0.4, "connectivity": "8-unit",
        "start": "12,12", "goal": "116,116",
    }  # fmt: skip
    ratio = expanded_in(partial(AStar, eager=True), range(4), paper) / expanded_in(DStarLite, range(4), paper)
    assert ratio > 2.9


def test_repairing_a_map_expands_less_than_scanning_it_anew() -> None:
    params = {**HIDDEN, "generator": "rooms"}
    rebuilt = expanded_in(partial(DijkstraMapBot, rebuild=True), range(3), params)
    assert expanded_in(DijkstraMapBot, range(3), params) * 3 < rebuilt


CUL_DE_SAC = ("...........", ".########..", "0.......#.a", ".########..", "...........")


def test_a_beam_that_is_too_narrow_waits_without_a_plan_and_one_that_may_widen_gets_through() -> None:
    narrow = Session(Beam(width=1, max_width=1), scene(*CUL_DE_SAC, connectivity="4"))
    assert [narrow.step() for _ in range(3)] == ["wait"] * 3
    first, *later = narrow.stats
    assert first is not None
    assert (first.plan_cost, later) == (None, [None, None])  # it does not search again for nothing
    wider = Session(Beam(width=1, max_width=16), scene(*CUL_DE_SAC, connectivity="4")).run()
    assert wider.scene.metrics()["reached"] == 1


@pytest.mark.parametrize(("width", "max_width"), [(0, 1), (2, 1)])
def test_impossible_widths_are_refused(width: int, max_width: int) -> None:
    with pytest.raises(ValueError, match="width: expected 1 to max_width"):
        Beam(width=width, max_width=max_width)


CORRIDOR = "#.######\nb0....1a\n######.#"
MEETINGS: dict[str, tuple[list[MakeBot], dict[str, Any]]] = {
    "pass each other in a room": ([AStar, DStarLite, DijkstraMapBot, Beam], {"width": 8, "height": 8}),
    "make way in a corridor": ([AStar, DStarLite], {"map": CORRIDOR}),
}


@pytest.mark.parametrize(("makers", "params"), MEETINGS.values(), ids=MEETINGS)
def test_bots_that_share_a_board(makers: list[MakeBot], params: dict[str, Any]) -> None:
    for seed in range(5):
        game = Navigation({"shared": True, **params}, seats=len(makers))
        match = play_match(game, [make() for make in makers], seed=seed)
        assert [metrics["reached"] for metrics in match.metrics] == [1] * len(makers)


@pytest.mark.parametrize("bot", OPTIMAL)
def test_a_query_of_a_file_is_walked_at_its_length(bot: str) -> None:
    rows = load_scen(MAPS / "cave.map.scen")
    texts = {key: (MAPS / name).read_text() for key, name in (("map", "cave.map"), ("scen", "cave.map.scen"))}
    metrics = metrics_of(OPTIMAL[bot](), seed=1, params={**texts, "query": len(rows) - 1})
    assert metrics["cost"] == pytest.approx(rows[-1].length)
