"""Leaderboards of a part of the results, and of families of bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from gridjoust.leaderboard.board import leaderboards_by, make_leaderboard
from gridjoust.leaderboard.standings import Leaderboard, RankedBy
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import Row
from tests.leaderboard.seats_builder import in_game, in_roles, seats_of_rows, with_header
from tests.runner.results.records.records_builder import duel, duels, make_record, rows_of, solo

QUEST = in_game("quest", [in_roles(*two, at) for at, two in (("m1", ("a", "b")), ("m2", ("b", "a")))])
CUP = rows_of(duel("a", "b", 1, "b1"), duel("b", "a", 1, "b2"), duel("a", "b", 0.5, "b3"), *QUEST)


def _tables(rows: Sequence[Row], by: str) -> dict[str, Leaderboard]:
    return dict(leaderboards_by(seats_of_rows(rows), by))


def _planned(record: MatchRecord, planners: Mapping[str, str]) -> MatchRecord:
    """The same match with other planners."""
    return with_header(record, seats=[replace(seat, planner=planners[seat.bot]) for seat in record.header.seats])


def _families(*records: MatchRecord, **planners: str) -> Leaderboard:
    """The leaderboard by planner of matches of bots with these planners."""
    return _tables(rows_of(*(_planned(one, planners) for one in records)), "planner")[""]


def test_by_variant_every_table_counts_its_own_matches() -> None:
    tables = {name: [one.matches for one in board.standings] for name, board in _tables(CUP, "variant").items()}
    assert tables == {"bomber": [3, 3], "quest": [2, 2]}
    seats = seats_of_rows(CUP)
    assert [name for name, _ in leaderboards_by(seats[seats["game"] == "quest"], "variant")] == ["quest"]


@pytest.mark.gate
def test_by_role_every_bot_is_ranked_under_its_name_among_those_in_its_role() -> None:
    tables = _tables(rows_of(*QUEST), "role")
    told = {
        role: [(one.bot, one.rank, one.matches, one.points) for one in own.standings] for role, own in tables.items()
    }
    assert told == {"heroes": [("a", 1, 1, 1), ("b", 1, 1, 1)], "zargon": [("a", 1, 1, 0), ("b", 1, 1, 0)]}
    assert not [line for board in _tables(CUP, "role").values() for line in board.sentences if "\n" in line]
    seats = seats_of_rows(rows_of(*duels("a", "b", [1, 1, 1, 0, 0.5, 0] * 3)))
    whole = make_leaderboard(seats)
    assert list(leaderboards_by(seats, "role")) == [("", whole)]  # the only role is that of all
    assert whole.standings[0].los_pct == pytest.approx(70, abs=10)


def test_no_rows_are_no_table_or_an_empty_one_and_another_column_is_refused() -> None:
    for by in ("game", "variant", "map", "role", "planner"):
        assert not [board for board in _tables([], by).values() if board.standings]
    with pytest.raises(ValueError, match="expected one of game, variant, map, role, planner, got 'bot'"):
        _tables(CUP, "bot")


@pytest.mark.gate
def test_by_planner_all_bots_of_a_family_are_one_entrant_and_a_match_within_it_says_nothing_about_it() -> None:
    own = {"a1": "astar", "a2": "astar", "b": "beam"}
    board = _families(duel("a1", "b", 1, "m1"), duel("a2", "b", 1, "m2"), duel("a1", "a2", 1, "m3"), **own)
    assert [(one.bot, one.matches, one.points) for one in board.standings] == [("astar", 4, 3), ("beam", 2, 0)]
    assert board.sentences[:2] == ("astar: a1, a2", "beam: b")
    between = [duel("a1", "b", 1, "m1"), duel("b", "a2", 0.5, "m2")]
    within = [duel("a1", "a2", 1, f"within{at}") for at in range(5)]
    boards = [_families(*records, **own) for records in (between, [*between, *within])]
    ratings = [{one.bot: one.rating for one in board.standings} for board in boards]
    assert ratings[0] == pytest.approx(ratings[1])


def test_by_planner_families_meet_on_the_games_and_seeds_they_share() -> None:
    maze = in_game("maze", [*solo("a", [1, 2, 3], prefix="maze"), *solo("d", [2, 3, 1], prefix="maze")])
    chase = in_game("chase", [duel("a2", "d2", 1, f"c{at}") for at in (1, 2)])
    board = _families(*maze, *chase, a="astar", a2="astar", d="dstar_lite", d2="dstar_lite")
    assert board.ranked_by is RankedBy.SCORE
    # d is better on two of three seeds of one game, and lost all of the other: each game counts once
    assert [(one.bot, one.games) for one in board.standings] == [("astar", 2), ("dstar_lite", 2)]
    assert [one.beaten_pct for one in board.standings] == pytest.approx([200 / 3, 100 / 3])


def test_a_bot_with_a_planner_per_role_is_a_family_of_its_own_and_per_game_of_each() -> None:
    one = _planned(make_record("m1", bots=("a", "b"), returns=(1, -1)), {"a": "astar", "b": "beam"})
    two = _planned(make_record("m2", bots=("b", "a"), returns=(1, -1)), {"a": "dijkstra_map", "b": "beam"})
    found = [_tables(rows_of(*records), "planner")[""] for records in ([one, two], [one, *in_game("chase", [two])])]
    assert {one.bot: one.matches for one in found[0].standings} == {"astar+dijkstra_map": 2, "beam": 2}
    assert {one.bot for one in found[1].standings} == {"astar", "dijkstra_map", "beam"}
