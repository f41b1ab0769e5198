"""What the planner bots of all games show of their searches: cells of the board; and they play on as ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from gridjoust.bots import BOTS, load_bot
from gridjoust.bots.api import AnytimeBot, Bot, Deadline, MatchSetup, Observation
from gridjoust.bots.lens import Lens, ShownLayer
from gridjoust.simulation import Played, play
from tests.bots.test_work import SHORT, sides_of

CLOSED, REPAIRED = {("closed", "nodes"), ("closed", "frontier")}, {("repaired", "nodes"), ("kept", "frontier")}
WANTED: dict[str, set[tuple[str, str]]] = {
    "bomber/astar": CLOSED,
    "bomber/beam": {("depth", "heat")},
    "bomber/dijkstra_map": {("sum", "heat")},
    "bomber/dstar_lite": REPAIRED,
    "bomber/floor": {("worth", "heat"), ("target", "arrows")},
    "bomber/fugitive": {("worth", "heat"), ("target", "arrows")},
    "bomber/gambit": {("sum", "heat")},
    "eidolon/astar": CLOSED,
    "eidolon/beam": {("depth", "heat")},
    "eidolon/dijkstra_map": {("sum", "heat"), ("all goals", "heat")},
    "eidolon/dstar_lite": REPAIRED,
    "eidolon/floor": {("way", "path")},
    "heroquest/astar": CLOSED,
    "heroquest/beam": {("depth", "heat"), ("turn", "heat")},
    "heroquest/dijkstra_map": {("map", "heat")},
    "heroquest/dstar_lite": REPAIRED,
    "heroquest/floor": {("goals", "heat"), ("way", "path")},
    "heroquest/zargon_dijkstra_map": {("prey", "heat")},
    "heroquest/zargon_mcts": {("visits", "text")},
    "placement/astar": CLOSED,
    "placement/beam": {("pieces", "heat"), ("plan", "path"), ("plan", "nodes")},
    "placement/dijkstra_map": {("price", "heat")},
    "placement/dstar_lite": REPAIRED,
    "placement/floor": {("plan", "path"), ("plan", "nodes")},
    "placement/beam_quantum": {("pieces", "heat")},
    "ricochet/astar": {("expanded", "nodes"), ("expanded", "frontier"), ("states", "heat")},
    "ricochet/idastar": {("expanded", "nodes"), ("states", "heat")},
    "ricochet/beam": {("expanded", "nodes"), ("depth", "heat")},
    "ricochet/bfs": {("expanded", "nodes"), ("states", "heat")},
    "ricochet/dijkstra_map": {("expanded", "nodes"), ("states", "heat")},
    "ricochet/floor": {("expanded", "nodes"), ("states", "heat")},
    "ricochet/dstar_lite": {("expanded", "nodes"), ("states", "heat")},
}
PARAMS = SHORT | {"bomber": {"max_ticks": 12, "bomb_ticks": 6}, "heroquest": {"max_game_rounds": 2, "fixed_deal": True}}
NO_CLOCK: dict[str, Any] = {
    "clock": "work",
    "turn_work": 10_000,
    "turn_ms": None,
}  # no time, which machines disagree on
STEP = {"heat": 3, "arrows": 4}  # numbers for each cell or arrow; 2 elsewhere


class Seen(NamedTuple):
    """What one answer showed, on a board of that size."""

    size: tuple[int, int]
    layers: list[ShownLayer]


def watched(bot_class: type[Bot], seen: list[Seen]) -> type[Bot]:
    """The same bot, looked at; what its answers show goes into `seen`."""

    class Watched(bot_class):  # type: ignore[misc, valid-type]
        def start(self, setup: MatchSetup) -> None:
            self.setup, self.lens = setup, Lens()
            super().start(setup)

        def keep(self, view: Any) -> None:
            assert self.lens.left_out == 0
            seen.append(Seen(size_of(view, self.setup.briefing[str(self.setup.seats[0])]), self.lens.take()))

    class WatchedAct(Watched):
        def act(self, observation: Observation) -> str:
            answer: str = super().act(observation)
            self.keep(observation.view)
            return answer

    class WatchedImprove(Watched):
        def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
            try:
                yield from super().improve(observation, deadline)
            finally:
                self.keep(observation.view)

    return WatchedImprove if issubclass(bot_class, AnytimeBot) else WatchedAct


def size_of(view: Any, briefing: Any) -> tuple[int, int]:
    """Columns and rows of the board as it is drawn."""
    if "tiles" not in view:
        width, height = view.get("size") or briefing["size"]
        return width, height
    columns, rows = zip(*(tile["at"] for tile in view["tiles"]), strict=True)
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def short_match(bot: str, sides: Sequence[Any]) -> Played:
    game = bot.split("/", maxsplit=1)[0]
    return play(game, sides, seed=3, params=PARAMS[game], time=NO_CLOCK, match_id="shown")


def places_in(layer: ShownLayer) -> set[tuple[float, float]]:
    data, step = layer.data, STEP.get(layer.kind, 2)
    assert isinstance(data, list)
    assert len(data) % step == 0
    starts = range(0, len(data), step)
    ends = [(data[at + 2], data[at + 3]) for at in starts] if layer.kind == "arrows" else []
    return {(data[at], data[at + 1]) for at in starts}.union(ends)


@pytest.mark.default("eidolon/floor", "eidolon/dstar_lite", "eidolon/astar", "eidolon/dijkstra_map")
@pytest.mark.parametrize("bot", WANTED)
def test_a_bot_that_is_looked_at_plays_as_ever_and_shows_cells_of_the_board(bot: str) -> None:
    sides = sides_of(bot)
    own, seen = sides.index(bot), list[Seen]()
    alone = short_match(bot, sides)
    looked_at = short_match(bot, [*sides[:own], watched(load_bot(bot), seen), *sides[own + 1 :]])
    assert looked_at.actions == alone.actions
    assert [one.expanded for one in looked_at.answers] == [one.expanded for one in alone.answers]
    assert {(layer.name, layer.kind) for one in seen for layer in one.layers} >= WANTED[bot]
    for (width, height), layers in seen:
        drawn = [place for layer in layers if layer.kind != "text" for place in places_in(layer)]
        assert [place for place in drawn if not (0 <= place[0] < width and 0 <= place[1] < height)] == []


@pytest.mark.parametrize("bot", [bot for bot in WANTED if WANTED[bot] >= CLOSED])
def test_a_closed_set_has_a_frontier_beside_it_and_no_cell_is_in_both(bot: str) -> None:
    sides, seen = sides_of(bot), list[Seen]()
    short_match(bot, [watched(load_bot(bot), seen), *sides[1:]])
    searched = [layers for _, layers in seen if any(layer.name == "closed" for layer in layers)]
    assert searched
    for layers in searched:
        places = {layer.kind: places_in(layer) for layer in layers if layer.name == "closed"}
        assert not places.get("nodes", set()) & places.get("frontier", set())


def test_every_planner_bot_that_is_installed_shows_its_search() -> None:
    navigation = {bot for bot in BOTS if bot.startswith("navigation/")}  # `tests/bots/navigation/test_shown.py`
    searchless = {"random", "bomber/idle", "bomber/wanderer", "heroquest/zargon_random"}
    assert BOTS.keys() - navigation - searchless == WANTED.keys()
