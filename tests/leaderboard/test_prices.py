"""Who walks equally well more cheaply."""

from __future__ import annotations

from dataclasses import replace

from gridjoust.leaderboard.board import unplayed
from gridjoust.leaderboard.prices import prices
from gridjoust.leaderboard.standings import Leaderboard, RankedBy
from gridjoust.runner.results.tables.columns import Row

BOARD = Leaderboard(
    RankedBy.RETURNS,
    (
        replace(unplayed(1, "dear"), group="a", returns_mean=0.9),
        replace(unplayed(2, "cheap"), group="a", returns_mean=0.8),
        replace(unplayed(3, "poor"), group="b", returns_mean=0.2),
    ),
)
CPU = {"dear": 20.0, "cheap": 10.0, "poor": 1.0}


def results(*, cpu: bool = True, seats: int = 1, counted: str = "1") -> list[Row]:
    rows: list[Row] = []
    for bot, cpu_ms in CPU.items():
        own: Row = {
            "match_id": f"m-{bot}",
            "game": "navigation",
            "counted": counted,
            "bot": bot,
            "nodes_expanded": "60",
        }
        times: Row = {"planning_ms_total": str(30 - cpu_ms), "cpu_ms": str(cpu_ms) if cpu else ""}
        rows += [{**own, **times, "searches": "3"}] * seats
    return rows


def walked(bots: dict[str, float]) -> list[Row]:
    rows: list[Row] = [
        {"match_id": f"m-{bot}", "bot": bot, "metric": "cost", "value": str(way)} for bot, way in bots.items()
    ]
    return [*rows, *({**row, "metric": "steps", "value": "1000"} for row in rows)]


WAYS = walked({"dear": 100.0, "cheap": 100.0, "poor": 50.0})


def test_within_a_group_the_cheapest_by_cpu_is_first_and_groups_stay_in_order() -> None:
    [(game, found)] = prices({"navigation": BOARD}, results(), WAYS)
    assert game == "navigation"
    assert [(one.place, one.bot, one.group) for one in found] == [(1, "cheap", 1), (2, "dear", 1), (3, "poor", 3)]
    assert [(one.cpu_us, one.per_unit, one.per_search) for one in found] == [
        (100, 0.6, 20),
        (200, 0.6, 20),
        (20, 1.2, 20),
    ]


def test_where_no_cpu_time_is_known_planning_time_decides() -> None:
    [(_, found)] = prices({"navigation": BOARD}, results(cpu=False), WAYS)
    assert [(one.bot, one.cpu_us) for one in found] == [("dear", None), ("cheap", None), ("poor", None)]


def test_a_process_that_holds_several_seats_is_counted_once() -> None:
    [(_, found)] = prices({"navigation": BOARD}, results(seats=2), WAYS)
    assert [one.cpu_us for one in found] == [100, 200, 20]


def test_games_without_ways_and_matches_that_do_not_count_have_no_prices() -> None:
    assert list(prices({"navigation": BOARD}, results(), [])) == []
    assert list(prices({"navigation": BOARD}, results(counted="0"), WAYS)) == []
