"""What navigation's bots show of their searches: the expanded cells in order; and that they play on as ever."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.api import Bot, Observation
from gridjoust.bots.lens import Lens, ShownLayer
from gridjoust.bots.navigation.arastar import ARAStarWalker
from gridjoust.bots.navigation.astar import AStar
from gridjoust.bots.navigation.beam import Beam
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapBot
from gridjoust.bots.navigation.dstar_lite import DStarLite
from gridjoust.bots.navigation.floor import Floor
from gridjoust.bots.navigation.jps import JumpPoints
from gridjoust.bots.navigation.lpastar import LPAStarWalker
from gridjoust.bots.navigation.mpaastar import MPAAStarWalker
from gridjoust.bots.navigation.weighted_astar import WeightedAStar
from gridjoust.simulation import Played, play

PARAMS: dict[str, Any] = {"width": 12, "height": 12, "density": 0.25, "knowledge": "unknown", "sensor": 2}
Answer = tuple[int | None, dict[tuple[str, str], list[float] | str]]  # expanded nodes, layers by name and kind


def watched(bot_class: type[Bot], answers: list[Answer]) -> type[Bot]:
    class Watched(bot_class):  # type: ignore[misc, valid-type]
        lens: Lens | None = Lens()

        def act(self, observation: Observation) -> str:
            answer: str = super().act(observation)
            assert self.lens is not None
            shown: list[ShownLayer] = self.lens.take()
            answers.append(
                (None if self.stats is None else self.stats.expanded, {(one.name, one.kind): one.data for one in shown})
            )
            return answer

    return Watched


def walk(bot: type[Bot]) -> Played:
    return play("navigation", [bot], seed=5, params=PARAMS, match_id="walk")


@pytest.mark.parametrize(
    "bot_class",
    [
        AStar,
        ARAStarWalker,
        Beam,
        DStarLite,
        DijkstraMapBot,
        Floor,
        JumpPoints,
        LPAStarWalker,
        MPAAStarWalker,
        WeightedAStar,
    ],
)
def test_a_bot_that_is_looked_at_plays_and_counts_as_ever_and_shows_where_it_searched(bot_class: type[Bot]) -> None:
    answers: list[Answer] = []
    alone, seen = walk(bot_class), walk(watched(bot_class, answers))
    assert seen.actions == alone.actions
    assert [one.expanded for one in seen.answers] == [one.expanded for one in alone.answers]
    searched = [layers for expanded, layers in answers if expanded]
    assert len(searched) > 1
    assert all(len(layers) > 1 for layers in searched)
    assert all({name for name, _ in layers} <= {"way"} for expanded, layers in answers if expanded is None)


@pytest.mark.parametrize("bot_class", [AStar, JumpPoints, MPAAStarWalker])
def test_a_closed_set_has_as_many_cells_as_were_expanded_and_a_frontier_around_it(bot_class: type[Bot]) -> None:
    answers: list[Answer] = []
    walk(watched(bot_class, answers))
    for expanded, layers in answers:
        if expanded:
            closed, frontier = layers["closed", "nodes"], layers["closed", "frontier"]
            assert len(closed) == 2 * expanded
            own, around = ({*zip(flat[::2], flat[1::2], strict=True)} for flat in (closed, frontier))
            assert around
            assert not own & around


def test_dstar_lite_tells_what_it_repaired_from_what_it_kept() -> None:
    answers: list[Answer] = []
    walk(watched(DStarLite, answers))
    searched = [layers for expanded, layers in answers if expanded]
    first, later = searched[0], searched[1:]
    assert ("kept", "frontier") not in first
    assert any(len(layers["kept", "frontier"]) > len(layers["repaired", "nodes"]) for layers in later)


def test_a_beam_shows_the_depth_of_its_survivors() -> None:
    answers: list[Answer] = []
    walk(watched(Beam, answers))
    depths = answers[0][1]["depth", "heat"]
    assert {1, 2, 3} <= {*depths[2::3]}
