"""Leaderboards of a part of the results, and of families of bots."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from leaderboard.groups import leaderboards_by
from leaderboard.standings import Leaderboard, RankedBy
from runner.record.lines import MatchRecord
from runner.tables.columns import Row
from runner.tables.rows import result_rows
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.memory_cup import make_cup, play_cup
from tests.runner.record.records_builder import duel, make_record, rows_of, solo

CUP = """
tournament: cup
games:
  - {game: bomber, params: {max_ticks: 5}}
  - {game: heroquest, name: quest, params: {max_game_rounds: 1}}
time: {turn_ms: 5000}
execution: {isolation: none}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


@pytest.fixture
async def rows(tmp_path) -> list[Row]:  # type: ignore[no-untyped-def]
    played = await play_cup(make_cup(CUP, tmp_path))
    return [row for one in played for row in result_rows(one.record)]


def _tables(rows: list[Row], by: str) -> dict[str, Leaderboard]:
    return dict(leaderboards_by(seats_of_rows(rows), by, resamples=50))


def _planned(record: MatchRecord, planners: Mapping[str, str], *, game: str = "bomber") -> MatchRecord:
    """The same match with other planners, in another game."""
    seats = [
        type(seat)(
            bot=seat.bot,
            planner=planners[seat.bot],
            bot_version="1",
            bot_hash=seat.bot_hash,
            team=seat.team,
            role=seat.role,
        )
        for seat in record.header.seats
    ]
    header = type(record.header)(
        **{name: getattr(record.header, name) for name in record.header.__struct_fields__}
        | {"seats": seats, "game": game, "variant": game}
    )
    return type(record)(header=header, lines=record.lines, answers=[], usage=record.usage, end=record.end)


async def test_by_variant_every_table_counts_its_own_matches(rows: list[Row]) -> None:
    tables = _tables(rows, "variant")
    assert list(tables) == ["bomber", "quest"]
    assert [sum(one.matches for one in board.standings) for board in tables.values()] == [4, 4]


async def test_by_role_every_bot_is_ranked_among_those_in_its_role(rows: list[Row]) -> None:
    tables = _tables([row for row in rows if row["game"] == "heroquest"], "role")
    assert len(tables) == 2
    for board in tables.values():
        assert {one.bot for one in board.standings} == {"a", "b"}
        assert [one.matches for one in board.standings] == [1, 1]
        assert board.standings[0].rank == 1
    points = [one.points for board in tables.values() for one in board.standings]
    assert sum(point for point in points if point is not None) == 2


async def test_by_role_names_in_verdicts_are_those_of_the_bots(rows: list[Row]) -> None:
    for board in _tables(rows, "role").values():
        assert not [line for line in board.sentences if "\n" in line]


async def test_another_column_is_refused(rows: list[Row]) -> None:
    with pytest.raises(ValueError, match="expected one of game, variant, map, role, planner, got 'bot'"):
        _tables(rows, "bot")


@pytest.mark.parametrize("by", ["game", "variant", "map", "role", "planner"])
def test_no_rows_are_no_table_or_an_empty_one(by: str) -> None:
    assert [board.standings for board in _tables([], by).values() if board.standings] == []


def test_by_planner_all_bots_of_a_family_are_one_entrant() -> None:
    planners = {"a1": "astar", "a2": "astar", "b": "beam"}
    records = [duel("a1", "b", 1, "m1"), duel("a2", "b", 1, "m2"), duel("a1", "a2", 1, "m3")]
    [board] = _tables(rows_of(*(_planned(one, planners) for one in records)), "planner").values()
    assert [(one.bot, one.matches, one.points) for one in board.standings] == [("astar", 4, 3), ("beam", 2, 0)]
    assert board.sentences[:2] == ("astar: a1, a2", "beam: b")


def test_by_planner_a_match_within_a_family_says_nothing_about_it() -> None:
    planners = {"a1": "astar", "a2": "astar", "b": "beam"}
    between = [duel("a1", "b", 1, "m1"), duel("b", "a2", 0.5, "m2")]
    within = [duel("a1", "a2", 1, f"within{at}") for at in range(5)]
    boards = [
        _tables(rows_of(*(_planned(one, planners) for one in records)), "planner")[""]
        for records in (between, [*between, *within])
    ]
    ratings = [{one.bot: one.rating for one in board.standings} for board in boards]
    assert ratings[0] == pytest.approx(ratings[1])


def test_by_planner_families_meet_on_the_games_and_seeds_they_share() -> None:
    maze = [_planned(one, {"a": "astar"}, game="maze") for one in solo("a", [1, 2, 3], prefix="maze")]
    maze += [_planned(one, {"d": "dstar_lite"}, game="maze") for one in solo("d", [2, 3, 1], prefix="maze")]
    chase = [
        _planned(duel("a2", "d2", 1, f"c{at}"), {"a2": "astar", "d2": "dstar_lite"}, game="chase") for at in (1, 2)
    ]
    [board] = _tables(rows_of(*maze, *chase), "planner").values()
    assert board.ranked_by is RankedBy.SCORE
    assert {one.games for one in board.standings} == {2}
    # d is better on two of three seeds of one game, and lost all of the other: each game counts once
    shown = {one.bot: one.beaten_pct for one in board.standings}
    assert shown == {"astar": pytest.approx(200 / 3), "dstar_lite": pytest.approx(100 / 3)}


def test_a_bot_with_a_planner_per_role_is_a_family_of_its_own() -> None:
    one = _planned(make_record("m1", bots=("a", "b"), returns=(1, -1)), {"a": "astar", "b": "beam"})
    two = _planned(make_record("m2", bots=("b", "a"), returns=(1, -1)), {"a": "dijkstra_map", "b": "beam"})
    [board] = _tables(rows_of(one, two), "planner").values()
    assert {one.bot: one.matches for one in board.standings} == {"astar+dijkstra_map": 2, "beam": 2}


def test_one_bot_per_game_may_have_a_planner_each() -> None:
    one = _planned(duel("a", "b", 1, "m1"), {"a": "astar", "b": "beam"})
    two = _planned(duel("a", "b", 1, "m2"), {"a": "dstar_lite", "b": "beam"}, game="chase")
    [board] = _tables(rows_of(one, two), "planner").values()
    assert {one.bot for one in board.standings} == {"astar", "dstar_lite", "beam"}
