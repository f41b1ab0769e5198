"""Standings: what decides the rank in each kind of game, and what the columns beside it say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.metrics import MetricTable, metric_tables
from gridjoust.leaderboard.ranking import pareto_front
from gridjoust.leaderboard.standings import RankedBy, SeatEffect
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.writer import metric_rows
from tests.leaderboard.seats_builder import alone, board_of, in_game, met, of_planners, seats_of_rows
from tests.runner.results.records.records_builder import duel, duels, make_record, rows_of, solo

T_4 = 2.776445  # 97.5 % point of Student's t with 4 degrees of freedom
approx = pytest.approx


def _table_of_three(orders: Sequence[str]) -> list[MatchRecord]:
    """Free-for-alls: who came first, second, third; every pair is one match."""
    return [
        make_record(f"m{at}", bots=tuple(sorted(order)), returns=[-order.index(bot) for bot in sorted(order)])
        for at, order in enumerate(orders)
    ]


def _costing(bot: str, returns: float, ms: float) -> MatchRecord:
    answers = [AnswerLine(turn=1, seat=0, planning_ms=ms, expanded=int(ms))]
    return make_record(bot, bots=(bot,), returns=(returns,), turns=[{0: "N"}], answers=answers)


Case = tuple[Sequence[MatchRecord], dict[str, object]]  # columns of the standings of these matches, best first

ANSWERS = [AnswerLine(turn=turn, seat=0, planning_ms=3.0, expanded=10) for turn in (1, 2)]
SEARCHES = [
    make_record("m1", bots=("a", "b"), turns=[{0: "N"}, {1: "N"}]),
    make_record("m2", bots=("a", "b"), turns=[{0: "N"}, {0: "N"}, {1: "N"}, {0: "N"}], answers=ANSWERS),
]
PLAIN = make_record("m1", bots=("a", "b"))
BEAM = type(PLAIN.header.seats[0])(bot="a", planner="beam", bot_version="", bot_hash="", team=0, role="heroes")
CLOSE = met(ab=[1, 0] * 5 + [1, 1], ac=[1] * 40, bc=[1] * 40)
ONE_EACH = [*in_game("one", duels("a", "b", [1, 1])), *in_game("two", duels("c", "b", [1, 1, 1, 1]))]
SUMS = [make_record(f"s{own}", bots="c", returns=(own,), header={"seed": 0}) for own in (0.1, 0.2, 0.3)]
WON = [
    make_record(f"m{at}", bots="aa", teams=(0, 0), metrics=[{"won": won, "x": 5.0}] * 2, header={"seed": at})
    for at, won in enumerate([1.0, 0.0, 0.0, 0.0])
]
COSTS = [_costing("slow", 9, 50), _costing("quick", 5, 1), _costing("beaten", 4, 2), _costing("best", 10, 50)]
CHASE = in_game("chase", duels("a", "b", [0, 0, 1, 0.5]))
APART = T_4 * 0.3**0.5 / 5**0.5  # half the interval of the differences 1, 2, 1, 2, 1


def _three_games() -> Iterator[MatchRecord]:
    """One is far ahead in one game, one is better in both others."""
    for game, returns in (("one", (1e6, 0)), ("two", (1, 2)), ("three", (1, 2))):
        for bot, value in zip("ab", returns, strict=True):
            yield from in_game(game, solo(bot, [value] * 3, prefix=game))


RATED: dict[str, Case] = {
    "win, draw and loss are worth 1, half and 0": (
        duels("a", "b", [1, 1, 0.5, 0]),
        {"bot": [*"ab"], "wins": [2, 1], "draws": [1, 1], "losses": [1, 2], "score_pct": [62.5, 37.5]},
    ),
    "a match that does not count leaves no trace": (
        [duel("a", "b", 1, "m1"), make_record("m2", bots="ab", counted=False)],
        {"bot": [*"ab"], "matches": [1, 1]},
    ),
    "a bot of which no match counts comes last, with none": (
        [duel("a", "b", 1, "m1"), make_record("m2", bots="ac", counted=False)],
        {"bot": [*"abc"], "matches": [1, 1, 0], "rank": [1, 2, 3], "group": ["a", "a", ""]},
    ),
    "a bot with two seats of a side counts once": (
        [make_record(bots="abab", teams=(0, 1, 0, 1), returns=(1, -1, 1, -1), faults=(1, 0, 2, 0))],
        {"bot": [*"ab"], "matches": [1, 1], "points": [1, 0], "wins": [1, 0], "faults": [3, 0]},
    ),
    "partners of mixed seating share points and rating of their side": (
        [make_record(bots="abcd", teams=(0, 0, 1, 1), returns=(1, 1, -1, -1))],
        {"bot": [*"abcd"], "points": [1, 1, 0, 0], "rank": [1, 1, 3, 3]},
    ),
    "in a free-for-all only the sole first wins": (
        [make_record(bots="abc", returns=(5, 2, 1))],
        {"bot": [*"abc"], "wins": [1, 0, 0], "losses": [0, 1, 1], "points": [1, 0.5, 0]},
    ),
    "sharing the first rank of a free-for-all is a draw": (
        [make_record(bots="abc", returns=(5, 5, 1))],
        {"bot": [*"abc"], "wins": [0, 0, 0], "draws": [1, 1, 0], "losses": [0, 0, 1]},
    ),
    "a forfeit is counted for the bot that forfeited": (
        [make_record(bots="abab", teams=(0, 1, 0, 1), forfeited=(1, 3), faults=(0, 1, 0, 1))],
        {"bot": [*"ab"], "forfeits": [0, 1], "faults": [0, 2]},
    ),
    "search cost is per turn acted where it is reported": (
        SEARCHES,
        {"bot": [*"ab"], "planning_ms_per_turn": [2.0, None], "nodes_per_turn": [20 / 3, None]},
    ),
    "a bot with a planner per role shows both": (
        [PLAIN, make_record("m2", bots="ab", header={"seats": [BEAM, PLAIN.header.seats[1]]})],
        {"bot": [*"ab"], "planner": ["astar+beam", "astar"]},
    ),
    "rating decides, not points: one often beats a beginner, one beats that one": (
        [*duels("busy", "beginner", [1] * 12), *duels("strong", "busy", [1] * 6)],
        {"bot": ["strong", "busy", "beginner"], "points": [6, 12, 0]},
    ),
    "equal ratings share a rank": (met(ab=[1, 0], ac=[1, 1], bc=[1, 1]), {"bot": [*"abc"], "rank": [1, 1, 3]}),
    "bots that are not separated share a letter": (CLOSE, {"bot": [*"abc"], "group": ["a", "a", "b"]}),
    "one pair separates nobody": (duels("a", "b", [1, 1]), {"bot": [*"ab"], "group": ["a", "a"]}),
    "two-sided games are rated in one joint fit": (ONE_EACH, {"bot": [*"cab"]}),
    "free-for-alls are rated": (_table_of_three(["abc", "abc", "bac", "acb"]), {"bot": [*"abc"]}),
    "so are matches of two and of three sides of one game": (
        [*duels("a", "b", [1, 1]), *_table_of_three(["abc", "abc"])],
        {"bot": [*"abc"]},
    ),
    "matches of three and of four sides of several games": (
        [
            *in_game("one", _table_of_three(["abc"])),
            *in_game("two", [make_record("four", bots="abcd", returns=(4, 3, 2, 1))]),
        ],
        {"bot": [*"abcd"]},
    ),
    "so are those of several games": (
        [*in_game("one", _table_of_three(["abc"])), *in_game("two", _table_of_three(["abc"]))],
        {"bot": [*"abc"]},
    ),
    "a free-for-all of equals is a tie": (
        _table_of_three(["abc", "bca", "cab", "acb", "bac", "cba"]),
        {"bot": [*"abc"], "rank": [1, 1, 1], "rating": approx([0, 0, 0], abs=1e-6)},
    ),
    "clear free-for-alls are separated": (
        _table_of_three(["abc"] * 12 + ["acb", "bac"]),
        {"bot": [*"abc"], "group": [*"abc"]},
    ),
    "ratings of free-for-alls have no interval below five pairs": (
        _table_of_three(["abc"] * 4),
        {"bot": [*"abc"], "rating_low": [None] * 3},
    ),
    **{
        f"a bot that met only itself has no rating ({seats} seats)": (
            [make_record(bots="a" * seats, returns=range(seats))],
            {"bot": ["a"], "rank": [1], "matches": [seats], "rating": [None], "beaten_pct": [None]},
        )
        for seats in (2, 3, 4)
    },
    "it comes after those that met others": (
        [make_record("m", bots="zzz"), *_table_of_three(["abc", "acb", "bac"])],
        {"bot": [*"abcz"], "rank": [1, 2, 3, 4]},
    ),
}
BY_RETURNS: dict[str, Case] = {
    "solo matches of one game have mean returns and no rating": (
        alone(a=[1, 2, 3, 4, 5], b=[11, 12, 13, 14, 15]),
        {
            "bot": [*"ba"],
            "returns_mean": [13, 3],
            "returns_low": approx([13 - T_4 * 0.5**0.5, 3 - T_4 * 0.5**0.5], abs=1e-4),
            "points": [None, None],
            "score_pct": [None, None],
            "rating": [None, None],
        },
    ),
    "an interval needs five seeds": (
        solo("a", [1, 2, 3, 4]),
        {"bot": [*"a"], "returns_low": [None], "returns_high": [None], "group": [""]},
    ),
    "returns on one seed are one value: eight matches, but four seeds": (
        [make_record(f"m{at}", bots="a", returns=(at,), header={"seed": at // 2}) for at in range(8)],
        {"bot": [*"a"], "returns_low": [None]},
    ),
    "a share stays between none and all": (
        alone(a=[1, 1, 1, 1, 0], b=[0, 0, 0, 0, 1]),
        {
            "bot": [*"ab"],
            "beaten_low": approx([37.5535, 3.6224], abs=1e-4),  # Wilson's of 4 and 1 of 5
            "beaten_high": approx([96.3776, 62.4465], abs=1e-4),
        },
    ),
    "means that differ by rounding only are equal": (
        [*SUMS, *solo("d", [0.6 / 3])],
        {"bot": [*"cd"], "seeds_won_pct": [100, 100]},
    ),
    "the difference to the row above is paired by seed, and separates bots whose intervals overlap": (
        alone(a=[10, 20, 30, 40, 50], b=[9, 18, 29, 38, 49]),
        {
            "bot": [*"ab"],
            "group": [*"ab"],
            "returns_mean": approx([30, 28.6]),
            "returns_low": approx([30 - T_4 * 50**0.5, 28.6 - T_4 * 50.06**0.5], abs=1e-2),
            "difference": [None, approx(1.4)],
            "difference_low": [None, approx(1.4 - APART, abs=1e-5)],
            "difference_high": [None, approx(1.4 + APART, abs=1e-5)],
        },
    ),
    "differences use the common seeds only": (
        alone(a=[5, 5, 5, 100], b=[4, 4, 4]),
        {"bot": [*"ab"], "difference": [None, 1]},
    ),
    "bots without a common seed are not compared": (
        [*solo("a", [5]), make_record("b9", bots="b", returns=(1,), header={"seed": 9})],
        {"bot": [*"ab"], "difference": [None, None], "beaten_pct": [None, None], "mean_rank": [None, None]},
    ),
    "five differences that are all alike do not separate": (
        alone(a=[1] * 5, b=[0] * 5),
        {"bot": [*"ab"], "group": [*"aa"]},
    ),
    "six do": (alone(a=[1] * 6, b=[0] * 6), {"bot": [*"ab"], "group": [*"ab"]}),
    "bots that always do the same are never separated": (
        alone(a=[1] * 30, b=[1] * 30),
        {"bot": [*"ab"], "rank": [1, 1], "group": [*"aa"]},
    ),
    "rank on a seed and seeds won count ties for both": (
        alone(a=[3, 2, 1], b=[1, 2, 2], c=[0, 0, 0]),
        {"bot": [*"abc"], "mean_rank": approx([1.5, 1.5, 3]), "seeds_won_pct": approx([200 / 3, 200 / 3, 0])},
    ),
    "median and interquartile mean shrug off one wild seed": (
        solo("a", [1, 2, 3, 4, 5, 6, 7, 1000]),
        {"bot": [*"a"], "returns_median": [4.5], "returns_iqm": [4.5]},
    ),
    "a single seed has ranks too, also of values that hardly differ": (
        alone(a=[1e-13], b=[2e-13]),
        {"bot": [*"ab"], "rank": [1, 1], "mean_rank": [2, 1], "seeds_won_pct": [0, 100], "failure_pct": [0, 0]},
    ),
    "the share won is the metric of the game": (WON, {"bot": [*"a"], "won_pct": [25]}),
    "it is missing where the game does not tell": (solo("a", [1]), {"bot": [*"a"], "won_pct": [None]}),
    "failures are the share of matches with a forfeit": (
        [*solo("a", [1, 1, 1]), *(make_record(bot, bots=bot, forfeited=(0,), header={"seed": 9}) for bot in "ab")],
        {"bot": [*"ab"], "failure_pct": [25, 100]},
    ),
    "partners of a mixed team share its returns": (
        [make_record(two, bots=two, teams=(0, 0), returns=own) for two, own in (("ab", (4, 4)), ("ac", (1, 1)))],
        {"bot": [*"bac"], "returns_mean": [4, 2.5, 1]},
    ),
    "the front holds who is stronger or cheaper than anybody": (
        of_planners(COSTS),
        {"bot": ["best", "slow", "quick", "beaten"], "pareto": ["ms nodes", "", "ms nodes", ""]},
    ),
    "cpu time counts the process once however many seats it holds": (
        [make_record(bots="aa", teams=(0, 0), turns=[{0: "N", 1: "N"}], usage={"cpu_ms": [30.0, 30.0]})],
        {"bot": [*"a"], "cpu_ms_per_turn": [15]},
    ),
    "over the turns of the matches in which it was measured": (
        [
            make_record("m1", bots="a", turns=[{0: "N"}] * 4, usage={"cpu_ms": [30.0]}),
            make_record("m2", bots="a", turns=[{0: "N"}] * 9),
        ],
        {"bot": [*"a"], "cpu_ms_per_turn": [7.5]},
    ),
}
BY_SCORE: dict[str, Case] = {
    "solo matches of several games": (
        [*in_game("one", solo("a", [1])), *in_game("two", solo("a", [5], prefix="two"))],
        {"bot": [*"a"], "beaten_pct": [None]},
    ),
    "returns of unlike games are not averaged": (
        list(_three_games()),
        {"bot": [*"ba"], "returns_mean": [None, None], "beaten_pct": approx([200 / 3, 100 / 3])},
    ),
    "every game counts once however many matches it has": (
        [
            *in_game("long", alone(a=[1] * 40, b=[0] * 40)),
            *in_game("short", [*solo("a", [0], prefix="s"), *solo("b", [1], prefix="s")]),
        ],
        {"bot": [*"ab"], "beaten_pct": [50, 50]},
    ),
    "games with and without opponents share one currency": (
        [*in_game("maze", alone(a=[3, 3], b=[1, 3])), *CHASE],
        # a: 3/4 of the rivals in the maze, 1.5 of 4 points in the chase
        {"bot": [*"ab"], "beaten_pct": approx([50 * (0.75 + 0.375), 50 * (0.25 + 0.625)])},
    ),
    "bots without rivals follow the others": (
        [*duels("a", "b", [1, 1]), *solo("c", [100])],
        {"bot": [*"abc"], "rank": [1, 2, 3]},
    ),
    "games of two and of three sides have no common rating": (
        [*in_game("one", duels("a", "b", [1, 0])), *in_game("two", _table_of_three(["abc", "bca"]))],
        {"bot": [*"bac"], "rating": [None, None, None]},
    ),
}
CASES = [
    pytest.param(kind, *case, id=name)
    for kind, cases in zip(RankedBy, (RATED, BY_RETURNS, BY_SCORE), strict=True)
    for name, case in cases.items()
]


@pytest.mark.parametrize(("ranked_by", "records", "columns"), CASES)
def test_standings(ranked_by: RankedBy, records: Sequence[MatchRecord], columns: dict[str, object]) -> None:
    board = board_of(*records)
    assert board.ranked_by is ranked_by
    assert {name: [getattr(one, name) for one in board.standings] for name in columns} == columns


def test_pairs_that_all_came_out_alike_do_not_make_a_difference_certain() -> None:
    # resampling ten equal matches gives the same fit every time
    [_, second] = board_of(*duels("a", "b", [1] * 10)).standings
    assert (second.difference_low or 0) < (second.difference or 0) - 100
    assert None not in {one.rating_low for one in board_of(*_table_of_three(["abc"] * 5)).standings}  # five are enough


def test_places_in_the_games_stand_beside_the_whole() -> None:
    maze = in_game("maze", alone(a=[3, 3], b=[1, 1], c=[1, 1]))
    board = board_of(*maze, *in_game("chase", duels("a", "b", [0, 0])))
    assert {(one.game, one.bot, one.place, one.ranked_by, one.beaten_pct) for one in board.games} == {
        ("maze", "a", 1, RankedBy.RETURNS, 100),
        ("maze", "b", 2.5, RankedBy.RETURNS, 25),
        ("maze", "c", 2.5, RankedBy.RETURNS, 25),
        ("chase", "b", 1, RankedBy.RATING, 100),
        ("chase", "a", 2, RankedBy.RATING, 0),
    }
    assert [one.strength for one in board.games if one.game == "maze"] == [3, 1, 1]
    assert {one.bot: one.mean_rank for one in board.standings} == {"a": 1.5, "b": 1.75, "c": 2.5}
    assert board_of(*maze).games == ()


@pytest.mark.gate
def test_what_a_seat_is_worth_is_told_seat_by_seat_over_pairs() -> None:
    # the first seat wins every match
    records = [
        duel(*seated, 1, f"{at}{seated}", pair_id=str(at)) for at in range(6) for seated in (("a", "b"), ("b", "a"))
    ]
    [first, second] = board_of(*records).seats
    assert [(one.seat, one.matches, one.score_pct) for one in (first, second)] == [(0, 12, 100), (1, 12, 0)]
    assert (first.advantage or 0) > 300
    assert second.advantage is None
    in_three = board_of(*_table_of_three(["abc"] * 5)).seats
    assert [(one.seat, one.score_pct) for one in in_three] == [(0, 100), (1, 50), (2, 0)]
    in_two_games = board_of(*ONE_EACH).seats
    assert [(one.setting, one.seat, one.advantage is None) for one in in_two_games] == [
        *(("one", 0, False), ("one", 1, True)),
        *(("two", 0, False), ("two", 1, True)),
    ]
    # the interval ends at none and all of the points
    scores = [1, 1, 1, 1, 0.5]
    records = [duel("a", "b", score, f"m{at}") for at, score in enumerate(scores)]
    [first, second] = board_of(*records, *alone(c=[1])).seats
    assert (first.score_pct, first.score_high) == (90, 100)
    assert 30 < (first.score_low or 0) < 90 - 10 * T_4  # further than Student's: a single value makes it skewed
    assert [second.score_pct, second.score_low, second.score_high] == approx([10, 0, 100 - (first.score_low or 0)])
    # swapped matches on one seed are one unit
    assert board_of(*duels("a", "b", [1, 0] * 4)).seats[0].score_low is None  # eight matches, but four pairs
    assert board_of(*duels("a", "b", [1, 1, 1, 0] * 3)).seats[0].score_low is not None


def test_a_seat_is_unfair_whose_whole_interval_is_on_one_side_of_half_the_points() -> None:
    ends = ((40, 49.9), (40, 50), (40, 50.5), (50, 60), (50.1, 60), (49.5, 50.5), (None, None))
    found = [SeatEffect("bomber", 0, 9, 50, low, high, None).is_unfair for low, high in ends]
    assert found == [True, False, False, False, True, False, False]


def test_of_equal_cost_only_the_strongest_is_on_the_front() -> None:
    assert pareto_front({1: (50.0, 1.0), 2: (100.0, 1.0)}) == [2]
    assert pareto_front({1: (100.0, 1.0), 2: (50.0, 1.0), 3: (100.0, 1.0)}) == [1, 3]
    assert pareto_front({1: (50.0, 1.0), 2: (50.0, 2.0), 3: (60.0, 3.0)}) == [1, 3]
    assert pareto_front({1: (float("-inf"), 1.0), 2: (50.0, 2.0)}) == [
        2
    ]  # who met no rival is no stronger than anybody
    assert pareto_front({1: (50.0, 1.0)}) == []


def test_a_metric_is_the_mean_over_a_bots_seats_in_counted_matches() -> None:
    counted = make_record("m1", bots=("a", "b"), metrics=[{"score": 4.0, "kills": 0.0}, {"score": 1.0}])
    second = make_record("m2", bots=("b", "a"), metrics=[{"score": 3.0}, {"score": 8.0}])
    void = make_record("m3", bots=("a", "b"), metrics=[{"score": 99.0}, {"score": 99.0}], counted=False)
    records = (counted, second, void)
    metrics = [row for record in records for row in metric_rows(record)]
    [table] = metric_tables(rows_of(*records), [*metrics, *metrics])  # a row that comes twice counts once
    assert (table.game, table.metrics) == ("bomber", ("score", "kills"))
    assert table.means == (("a", (6.0, 0.0)), ("b", (2.0, None)))
    searched = [_costing("a", 1, 7), in_game("maze", [_costing("b", 1, 9)])[0]]
    texts = [{name: format(value) for name, value in row.items()} | {"counted": "1"} for row in rows_of(*searched)]
    assert list(metric_tables(texts, [])) == [
        MetricTable("bomber", ("searches", "nodes_expanded"), (("a", (1.0, 7.0)),)),
        MetricTable("maze", ("searches", "nodes_expanded"), (("b", (1.0, 9.0)),)),
    ]


def test_a_row_that_comes_twice_counts_once_no_rows_are_no_standings_and_one_without_returns_is_refused() -> None:
    rows = rows_of(make_record("m1", bots=("a", "b"), returns=(1, -1), faults=(0, 3)))
    twice, once = (make_leaderboard(seats_of_rows(own)) for own in ([*rows, *rows], rows))
    assert twice.standings == once.standings
    empty = board_of()
    assert (empty.standings, empty.sentences) == ((), ())
    with pytest.raises(ValueError, match="returns: expected a number in match m1, got nothing"):
        seats_of_rows([{**row, "returns": None} for row in rows])


def _giving_up(bot: str, seeds: Sequence[int]) -> list[MatchRecord]:
    """Matches alone that it forfeits, which leaves no returns."""
    return [
        make_record(f"out{bot}{seed}", bots=(bot,), forfeited=(0,), missing=(0,), header={"seed": seed})
        for seed in seeds
    ]


@pytest.mark.parametrize(
    ("last", "honest", "quitter"),
    [(0.5, 1.375, 1.25), (-3.0, 0.5, 0.5)],  # a forfeit counts as 0, or as -3, which somebody had
)
def test_a_forfeit_alone_counts_as_the_lowest_returns_of_the_game_at_most_0(
    last: float, honest: float, quitter: float
) -> None:
    board = board_of(*solo("honest", [2, 2, 1, last]), *solo("quitter", [2, 2, 1]), *_giving_up("quitter", [3]))
    assert {one.bot: one.returns_mean for one in board.standings} == {"honest": honest, "quitter": quitter}
    assert {one.bot: one.seeds for one in board.standings} == {"honest": 4, "quitter": 4}


def test_a_bot_that_has_forfeited_every_match_alone_is_last() -> None:
    board = board_of(*solo("a", [0.5, 1.0]), *_giving_up("out", [0, 1]))
    assert [(one.bot, one.returns_mean) for one in board.standings] == [("a", 0.75), ("out", 0.0)]
