"""What the sections of a report say about matches made by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from gridjoust.leaderboard.report.blocks import Figure, Note, ReportTable, Section
from gridjoust.leaderboard.report.headline import headline, podium, sentences, warnings_of
from gridjoust.leaderboard.report.palette import BLAMELESS, heat_class, planner_legend
from gridjoust.leaderboard.report.sections.conditions import facts_of, format_text, time_text
from gridjoust.leaderboard.report.sections.cost import cost_section
from gridjoust.leaderboard.report.sections.effects import effects_section
from gridjoust.leaderboard.report.sections.faults import faults_section
from gridjoust.leaderboard.report.sections.ranking import (
    games_section,
    planners_section,
    roles_section,
    standings_section,
)
from gridjoust.leaderboard.report.sections.scores import metrics_section, scores_section
from gridjoust.leaderboard.report.sections.settling import checkpoints, settling_section
from gridjoust.leaderboard.report.sections.surprises import surprises_section
from gridjoust.leaderboard.report.source import Scope, parts
from gridjoust.runner.results.records.lines import AnswerLine, Fault, MatchRecord
from gridjoust.runner.wire.errors import ConfigError
from tests.leaderboard.report.scopes import blocks_of, cells_of, rows_of, scope_of, scopes_of
from tests.leaderboard.seats_builder import in_game, in_roles, met, of_planners
from tests.runner.results.records.records_builder import duel, duels, make_record, solo

Make = Callable[[Scope], Section | None]


def _answer(turn: int, seat: int, planning_ms: float, fault: Fault | None = None) -> AnswerLine:
    said = fault.value if fault else ""
    return AnswerLine(turn=turn, seat=seat, action="E", planning_ms=planning_ms, latency_ms=planning_ms, fault=said)


def _alone(bot: str, match_id: str, seed: int = 7, **metrics: float) -> MatchRecord:
    return make_record(match_id, bots=(bot,), metrics=[metrics], header={"seed": seed, "game": "eidolon"})


BOTH = {0: "E", 1: "E"}
LATE = [_answer(turn, 0, 9, Fault.LATE) for turn in (1, 2)]
OFFENCES = [
    make_record(
        "m1", bots=("slow", "b"), faults=(3, 0), answers=[*LATE, _answer(3, 0, 9, Fault.ILLEGAL)], turns=[BOTH] * 3
    ),
    duel("slow", "b", 0, "m2"),
]
FORFEITED = [make_record("m1", bots=("bad", "good"), forfeited=(0,)), duel("bad", "good", 0, "m2")]
FAULTY = make_record("m1", faults=(2, 0))
TIMED = make_record("m1", answers=[_answer(turn, 0, turn) for turn in range(1, 102)], turns=[BOTH] * 101)
MEASURED = make_record(
    "m1",
    bots=("a", "b"),
    returns=(1, -1),
    answers=[
        *[
            AnswerLine(turn=turn, seat=0, action="N", cpu_ms=turn - 1.0, generated=2 * turn, tactics=turn)
            for turn in range(1, 102)
        ],
        AnswerLine(turn=1, seat=1, action="N", cpu_ms=7.0),
    ],
    turns=[BOTH] * 101,
)
PLANNED = [
    make_record(f"m{at}", bots=("a", "b"), returns=(1, -1), answers=[_answer(1, 0, 1), _answer(1, 1, 9)], turns=[BOTH])
    for at in range(2)
]
THIRD = [
    make_record(f"n{at}", bots=("a", "c"), returns=(1, -1), answers=[_answer(1, 1, 5)], turns=[BOTH]) for at in range(2)
]
TWO_GAMES = [*in_game("first", duels("a", "b", [1, 1])), *in_game("second", duels("b", "a", [1, 1]))]
GOALS = [
    *(_alone("a", f"m{at}", at, ap_spent=10.0 + at, luck=at, won=float(at < 3)) for at in range(4)),
    _alone("b", "n", ap_spent=40.0, luck=9, won=0.0),
]
FIRST_SEAT = [duel(two[0], two[1], 1, f"m{at}", pair_id=f"p{at // 2}") for at, two in enumerate(["ba", "ab"] * 20)]
MAPS = [make_record(f"m{at}", returns=(1, -1), header={"map": "open.txt" if at % 2 else "maze.txt"}) for at in range(6)]
TURNED = [  # the order is the table's, not that of the ids
    *(duel("early", "late", 1, f"z{at}") for at in range(4)),
    *(duel("late", "early", 1, f"a{at}") for at in range(6)),
]

CELLS: dict[str, tuple[Sequence[MatchRecord], Make, dict[str, dict[str, str]]]] = {
    "every game has a column of scores": (
        TWO_GAMES,
        games_section,
        {"a": {"first": "100", "second": "0"}, "b": {"first": "0", "second": "100"}},
    ),
    "faults are counted by kind and bot": (
        OFFENCES,
        faults_section,
        {"b": {"faults": "0"}, "slow": {"faults": "3", "late": "2", "illegal": "1"}},
    ),
    "forfeits stand beside the bot that forfeited": (
        FORFEITED,
        faults_section,
        {"good": {"forfeits": "0"}, "bad": {"forfeits": "1"}},
    ),
    "a match that is listed twice counts once": (
        [FAULTY, FAULTY],
        faults_section,
        {"faithful": {"faults": "0"}, "gambit": {"matches": "1", "faults": "2"}},
    ),
    "returns of many values are shown as boxes": (
        [make_record(f"m{at}", bots=("alone",), returns=(float(at),)) for at in range(9)],
        scores_section,
        {"alone": {"mean": "4", "median": "4", "lowest": "0", "highest": "8"}},
    ),
    "goals reached are shares and come first": (
        GOALS,
        metrics_section,
        {"a": {"won %": "75.0", "ap spent": "11.5", "luck": "1.50"}, "b": {"won %": "0.0", "ap spent": "40.0"}},
    ),
    "planning time is told by its median and 95 per cent": (
        [TIMED],
        cost_section,
        {"gambit": {"answers": "101", "median": "51.0\u202fms", "95 %": "96.0\u202fms", "longest": "101\u202fms"}},
    ),
    "measured CPU time and declared work stand side by side": (
        [MEASURED],
        cost_section,
        {
            "a": {"answers": "101", "CPU, median": "50.0\u202fms", "CPU, 99 %": "99.0\u202fms", "work, most": "303"},
            "b": {"answers": "1", "CPU, median": "7.00\u202fms", "CPU, 99 %": "7.00\u202fms", "work, most": "–"},
        },
    ),
}


@pytest.mark.parametrize(("records", "make", "expected"), CELLS.values(), ids=CELLS)
def test_tables(
    tmp_path: Path, records: Sequence[MatchRecord], make: Make, expected: dict[str, dict[str, str]]
) -> None:
    shown = cells_of(blocks_of(make(scope_of(tmp_path, records)), ReportTable)[0])
    titles = list(next(iter(expected.values())))
    assert [title for title in next(iter(shown.values())) if title in titles] == titles  # from left to right
    told = [(bot, {title: row[title] for title in expected[bot]}) for bot, row in shown.items()]
    assert told == list(expected.items())  # best first


LEADS: dict[str, tuple[Sequence[MatchRecord], Make, str, list[str]]] = {
    "too few pairs are said to be too few": (
        duels("a", "b", [1, 1]),
        standings_section,
        "Too few matches to separate any two bots: the order may be chance.",
        [],
    ),
    "a clean tournament": (
        duels("a", "b", [1, 0]),
        faults_section,
        "2 of 2 matches ended by the rules; no bot committed a fault.",
        [],
    ),
    "a first place that may be chance is open": (
        TURNED,
        settling_section,
        "First place is open: late is not separated from early, so more matches may change it.",
        ["Strength after so many matches"],
    ),
    "a leader that is separated from all others has led since a match": (
        duels("a", "b", [1] * 40),
        settling_section,
        "a has led since match 2 of 40 at the latest.",
        ["Strength after so many matches"],
    ),
    "a late change of the leader is said": (
        [*duels("a", "b", [1] * 8), *duels("b", "a", [1] * 32)],
        settling_section,
        "b has led only since about match 18 of 40.",
        ["Strength after so many matches"],
    ),
    "bots that no match links have no leader": (
        [*duels("a", "b", [1] * 12), *duels("c", "d", [1] * 12)],
        settling_section,
        "The bots fall into 2 pools that cannot be compared, so there is no overall leader.",
        ["Strength after so many matches"],
    ),
    "a bot alone leads nobody": (
        solo("a", [1, 2, 3, 4]),
        settling_section,
        "a played alone.",
        ["Strength after so many matches"],
    ),
    "the first of a role that may be chance is said to be": (
        [in_roles(*bots, f"m{at}") for at, bots in enumerate([*permutations("abc", 2)] * 6)],
        roles_section,
        r"Each bot .*; first as heroes: a \(not separated from b and c\); first as zargon: a \(not .* b and c\)\.",
        [],
    ),
    "strength is drawn against the cost that bots report, and the cheapest of the strong are named": (
        of_planners([*PLANNED, *THIRD]),
        cost_section,
        "No bot is both stronger and cheaper than these: by planning time a.",
        ["Strength against planning time"],
    ),
    "no seat is called better whose score may be half": (
        duels("a", "b", [1, 0, 0, 1, 1, 1] * 6),
        effects_section,
        "No seat is clearly better than another: the interval of every score holds 50 %.",
        [],
    ),
    "seats that score alike on every seed have no interval": (
        duels("a", "b", [1, 1, 0, 0] * 6),
        effects_section,
        "No seat can be called better: there are too few matches, or every seed came out alike.",
        [],
    ),
    "a seat that always wins is named": (
        FIRST_SEAT,
        effects_section,
        "Seat 0 of bomber is better than chance: 100\u202f% of the points.*",
        [],
    ),
}


@pytest.mark.default("a clean tournament", "seats that score alike on every seed have no interval")
@pytest.mark.parametrize(("records", "make", "said", "figures"), LEADS.values(), ids=LEADS)
def test_leads(tmp_path: Path, records: Sequence[MatchRecord], make: Make, said: str, figures: list[str]) -> None:
    section = make(scope_of(tmp_path, records))
    assert section is not None
    assert re.fullmatch(said, section.lead)
    assert [figure.title for figure in blocks_of(section, Figure)] == figures


@pytest.mark.gate
def test_a_picture_of_costs_without_a_front_names_nobody_on_it(tmp_path: Path) -> None:
    without, front = scopes_of(tmp_path, [*PLANNED, *THIRD], of_planners([*PLANNED, *THIRD]))
    drawn = [str(blocks_of(cost_section(scope), Figure)[0].drawing) for scope in (without, front)]
    assert [text[text.index("3 bots") :].partition("<")[0] for text in drawn] == ["3 bots.", "3 bots; on the front: a."]


def test_what_has_nothing_to_show_has_no_section(tmp_path: Path) -> None:
    """Bots of one planner without roles or reported costs, in one game, too few matches and none unexpected."""
    scope = scope_of(tmp_path, [make_record(f"m{at}", bots=("a", "b"), metrics=[{"hp": 3.0}] * 2) for at in range(3)])
    made = [make(scope) for make in (planners_section, roles_section, games_section, cost_section)]
    assert [*made, settling_section(scope), surprises_section(scope), metrics_section(scope)] == [None] * 7
    assert standings_section(scope) is not None


def test_a_rule_stands_between_neighbours_that_are_separated(tmp_path: Path) -> None:
    [table] = blocks_of(standings_section(scope_of(tmp_path, duels("a", "b", [1] * 39 + [0]))), ReportTable)
    assert [line.css for line in table.lines] == ["apart", ""]


@pytest.mark.gate
def test_every_role_has_a_table_of_its_own(tmp_path: Path) -> None:
    records = [in_roles(*bots, f"m{at}") for at, bots in enumerate([("a", "b"), ("b", "a")] * 6)]
    tables = blocks_of(roles_section(scope_of(tmp_path, records)), ReportTable)
    assert {table.heading: set(cells_of(table)) for table in tables} == {"heroes": {"a", "b"}, "zargon": {"a", "b"}}


@pytest.mark.gate
def test_a_clean_tournament_has_no_table_of_faults_and_void_matches_blame_nobody(tmp_path: Path) -> None:
    records = duels("a", "b", [1, 0])
    clean, void = scopes_of(tmp_path, records, [*records, make_record("m9", counted=False)])
    assert not blocks_of(faults_section(clean), ReportTable)
    [note] = blocks_of(faults_section(void), Note)
    assert "1 match void" in note.lines[0]


def test_few_matches_are_looked_at_one_by_one_and_many_as_often() -> None:
    assert checkpoints(5) == [1, 2, 3, 4, 5]
    assert len(checkpoints(100_000)) == 16


@pytest.mark.gate
def test_lines_end_where_the_standings_are(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, met(ab=[1, 0.5] * 6, bc=[1, 0] * 5))
    [figure] = blocks_of(settling_section(scope), Figure)
    drawn = re.findall(r'points="([^"]*)"', figure.drawing)  # last bot first
    third, second, first = (float(points.split()[-1].split(",")[1]) for points in drawn)
    ratings = [standing.rating or 0.0 for standing in scope.board.standings]
    # the chart is linear: equal steps of rating are equal steps of height
    share = (ratings[0] - ratings[1]) / (ratings[0] - ratings[2])
    assert (second - first) / (third - first) == pytest.approx(share, abs=0.01)


def test_returns_that_only_say_won_or_lost_are_shown_as_shares(tmp_path: Path) -> None:
    [table] = blocks_of(scores_section(scope_of(tmp_path, duels("a", "b", [1, 1, 0.5, 0]))), ReportTable)
    assert [key.text for key in table.legend] == ["returns 1", "returns 0", "returns −1"]


def test_every_map_has_its_line(tmp_path: Path) -> None:
    section = effects_section(scope_of(tmp_path, MAPS))
    [maps] = [table for table in blocks_of(section, ReportTable) if table.heading == "Maps"]
    assert section is not None
    assert section.title == "Seats and maps"
    assert {name: row["matches"] for name, row in cells_of(maps).items()} == {"open.txt": "3", "maze.txt": "3"}


def test_the_best_of_a_metric_stands_out_by_the_direction_that_its_game_declares(tmp_path: Path) -> None:
    [table] = blocks_of(metrics_section(scope_of(tmp_path, GOALS)), ReportTable)
    bold = {line.cells[0].text: [cell.text for cell in line.cells if cell.css == "best"] for line in table.lines}
    assert bold == {"a": ["75.0", "11.5"], "b": []}  # of `luck` the rules say nothing
    hints = {column.title: column.hint for column in table.columns}
    assert hints["ap spent"] == "Action points that the hero spent; lower is better"
    assert hints["luck"] == ""


def test_a_bot_that_forfeited_at_once_has_no_best_value_of_what_it_never_played(tmp_path: Path) -> None:
    out = make_record("out", bots=("quitter", "b"), forfeited=(0,), metrics=[{"hp": 3.0}, {"hp": 3.0}])
    hurt = [make_record(f"m{at}", bots=("a", "b"), metrics=[{"hp": 1.0}, {"hp": 2.0}]) for at in range(2)]
    [table] = blocks_of(metrics_section(scope_of(tmp_path, [out, *hurt])), ReportTable)
    assert {name: row["hp"] for name, row in cells_of(table).items()} == {"a": "1", "b": "2", "quitter": "–"}
    assert "1 match with a forfeit left out." in table.note


def test_a_forfeit_alone_has_no_cost_and_misses_its_goal(tmp_path: Path) -> None:
    walk = {"game": "navigation", "variant": "navigation"}
    ways = [
        make_record(f"{bot}{at}", bots=(bot,), metrics=[{"cost": cost, "reached": 1.0}], header={**walk, "seed": at})
        for bot, cost in (("a", 12.0), ("quitter", 14.0))
        for at in range(2)
    ]
    out = make_record("out", bots=("quitter",), forfeited=(0,), metrics=[{"cost": 0.0, "reached": 0.0}], header=walk)
    [table] = blocks_of(metrics_section(scope_of(tmp_path, [*ways, out])), ReportTable)
    shown = {name: (row["reached %"], row["cost"]) for name, row in cells_of(table).items()}
    assert shown == {"a": ("100.0", "12"), "quitter": ("66.7", "14")}
    assert table.note.endswith("1 match with a forfeit left out; their goals count as missed.")


@pytest.mark.gate
def test_forfeited_matches_without_returns_are_in_no_box(tmp_path: Path) -> None:
    won = [make_record(f"m{at}", bots=("a",), returns=(at,), header={"seed": at}) for at in range(6)]
    out = [
        make_record(f"out{at}", bots=(bot,), forfeited=(0,), missing=(0,), header={"seed": at})
        for at, bot in enumerate(("a", "quitter"))
    ]
    [table] = blocks_of(scores_section(scope_of(tmp_path, [*won, *out])), ReportTable)
    assert {name: row["mean"] for name, row in cells_of(table).items()} == {"a": "2.50"}
    assert scores_section(scope_of(tmp_path / "out", out)) is None


@pytest.mark.default("several in a turn")
@pytest.mark.parametrize(
    ("record", "rate"),
    [
        (make_record("m", bots=("a", "b"), turns=[BOTH] * 9, faults=(10, 0), forfeited=(0,)), "1,000.0"),
        (make_record("m", bots=("a", "b"), faults=(1, 0), forfeited=(0,)), "1,000.0"),
        (make_record("m", bots=("a", "b"), turns=[BOTH] * 10, faults=(3, 0)), "300.0"),
        (make_record("m", bots=("a", "b"), turns=[BOTH], faults=(5, 0)), "1,000.0"),
    ],
    ids=["every turn", "the first turn", "some turns", "several in a turn"],
)
def test_faults_are_in_a_thousand_of_a_thousand_turns_at_most(tmp_path: Path, record: MatchRecord, rate: str) -> None:
    table = blocks_of(faults_section(scope_of(tmp_path, [record])), ReportTable)[0]
    assert {name: row["per 1,000 turns"] for name, row in cells_of(table).items()} == {"a": rate, "b": "0"}


@pytest.mark.gate
def test_an_upset_comes_with_what_replays_it_unless_its_record_is_outside_the_results(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, [*duels("top", "low", [1] * 39), duel("low", "top", 1, "upset")])
    scope.played["reason"] = "seat 1 has lost"
    [line] = blocks_of(surprises_section(scope), ReportTable)[0].lines
    assert line.cells[3].text.startswith("top has lost, turn ")
    assert line.cells[0].text == "upset"
    assert line.cells[1].text == "low beat top (bomber, round 1)"
    assert line.cells[4].text == f"joust replay {tmp_path} upset"
    scope.played["record"] = "javascript:alert(1)"
    [line] = blocks_of(surprises_section(scope), ReportTable)[0].lines
    assert line.cells[4].text == ""


@pytest.mark.gate
def test_the_greatest_surprise_comes_first_and_without_opponents_is_far_from_the_usual(tmp_path: Path) -> None:
    settled = met(tm=[1] * 39, ml=[1] * 39, tl=[1] * 39)
    upsets = [duel("m", "t", 1, "likelier"), duel("l", "t", 1, "stranger")]
    rated, lonely = scopes_of(tmp_path, [*settled, *upsets], solo("alone", [*[10, 11] * 4, 10, 90]))
    [table] = blocks_of(surprises_section(rated), ReportTable)
    assert [row[0] for row in rows_of(table)] == ["stranger", "likelier"]
    [table] = blocks_of(surprises_section(lonely), ReportTable)
    assert [row[1] for row in rows_of(table)] == ["alone scored 90 (bomber, round 1)"]


HEADLINES = {
    "clear": (duels("a", "b", [1] * 39 + [0]), r"a wins: a rating of \+.*, separated from all others\."),
    "close": (duels("a", "b", [1, 1, 0, 0, 1, 0.5] * 3), r"a is ahead with .*, but is not separated from b\."),
    "few": (duels("a", "b", [1, 1]), r"a is ahead with .*, on too few matches to be sure\."),
    "level": (duels("a", "b", [0.5] * 10), "a and b are level: .*"),
    "pools": (
        met(ab=[0.5] * 12, cd=[0.5] * 12),
        r"No bot wins overall: .* 2 pools .* In the first, a and b are level.*",
    ),
    "nothing that counts": ([make_record(counted=False)], "No match counts.*"),
}


@pytest.mark.parametrize(("records", "said"), HEADLINES.values(), ids=HEADLINES)
def test_the_headline_says_how_sure_the_first_place_is(tmp_path: Path, records: list[MatchRecord], said: str) -> None:
    assert re.fullmatch(said, headline(scope_of(tmp_path, records).board))


def test_findings_begin_with_a_capital_unless_with_a_name(tmp_path: Path) -> None:
    lines = sentences(scope_of(tmp_path, duels("a", "b", [1, 0] * 6)))
    assert lines
    assert all(line[0].isupper() or line.split()[0].strip(":,") in {"a", "b", "bomber"} for line in lines)


@pytest.mark.gate
def test_many_void_matches_and_circles_are_warnings(tmp_path: Path) -> None:
    circle = met(ab=[1] * 24, bc=[1] * 24, ca=[1] * 24)
    void, scope = scopes_of(tmp_path, [*duels("a", "b", [1, 0]), make_record("void", counted=False)], circle)
    assert [line for line in warnings_of(void) if line.startswith("1 match of 3 was void")]
    assert [line for line in warnings_of(scope) if "a beats b beats c beats a" in line]
    assert not [line for line in sentences(scope) if "beats" in line]


ROUND_ROBIN = {"type": "round_robin", "rounds": 5, "swap_seats": True, "challengers": [], "seeding": "file"}
RESOLVED = {"when": "resolved", "goal": "top", "top": 3, "confidence": 0.95, "max_matches": 2000, "adaptive": "safe"}
SPRT = {"when": "sprt", "elo0": 0.0, "elo1": 10.0, "max_matches": 400, "adaptive": "none"}
TOLD = "round robin, 5 rounds, seats swapped"
FORMATS: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    TOLD: (ROUND_ROBIN, {}),
    "solo, 5 rounds": (ROUND_ROBIN | {"type": "solo"}, {}),
    "knockout, seeding drawn by lot": (ROUND_ROBIN | {"type": "knockout", "seeding": "hash"}, {}),
    "ladder, at most 90 matches, seeded as listed": (ROUND_ROBIN | {"type": "ladder", "max_matches": 90}, {}),
    f"{TOLD}; stops when the best 3 are known at 95\u202f%, at most 2,000 matches, adaptive: safe": (
        ROUND_ROBIN,
        RESOLVED,
    ),
    f"{TOLD}; stops when an SPRT decides between Elo 0.0 and 10.0, at most 400 matches": (ROUND_ROBIN, SPRT),
}


@pytest.mark.parametrize("told", FORMATS)
def test_a_format_is_told_with_what_it_uses(told: str) -> None:
    assert format_text(*FORMATS[told]) == told


def test_no_limit_is_told_as_none_and_void_matches_are_counted_apart(tmp_path: Path) -> None:
    assert time_text({"turn_ms": None, "start_ms": 10_000}) == "no limit a turn, start 10\u202fs"
    assert time_text({"turn_ms": 100, "clock": "cpu"}) == "100\u202fms of CPU time a turn"
    by_work = {"turn_ms": 100, "clock": "work", "turn_work": 300, "bank_work": 0, "increment_work": 9}
    assert time_text(by_work) == "300 successors a turn, increment 9 successors"
    scope = scope_of(tmp_path, [*duels("a", "b", [1, 0]), make_record("m9", counted=False)])
    assert dict(facts_of(scope.source))["Matches"] == "2 played, 1 void"


MOSQUITTO = {"mosquitto": "mosquitto version 2.0.11"}
RAN_IN: dict[str, tuple[str, str, dict[str, object]]] = {
    "bubblewrap sandbox; mosquitto 2.0.11": ("auto", "auto", {"isolation": "bubblewrap", **MOSQUITTO}),
    "plain processes; built-in broker": ("auto", "auto", {"isolation": "plain processes", "mosquitto": None}),
    "plain processes; external broker": ("process", "external", {"isolation": "plain processes", **MOSQUITTO}),
    "processes of their own; broker: auto": ("process", "auto", {}),  # nothing is known but what was asked
    "the runner's process": ("none", "auto", {}),
}


@pytest.mark.parametrize("told", RAN_IN)
def test_the_facts_name_the_isolation_and_the_broker_that_were_used(tmp_path: Path, told: str) -> None:
    isolation, use, environment = RAN_IN[told]
    config = {"execution": {"isolation": isolation}, "broker": {"use": use}}
    source = replace(scope_of(tmp_path, duels("a", "b", [1, 0])).source, config=config, environment=environment)
    assert dict(facts_of(source))["Bots run in"] == told


@pytest.mark.gate
def test_every_variant_is_a_part_and_of_very_many_every_game(tmp_path: Path) -> None:
    records = [make_record("m1"), make_record("m2", header={"variant": "large"}), make_record("m3")]
    many = [make_record(f"m{at}", header={"variant": f"v{at}", "game": f"g{at % 2}"}) for at in range(10)]
    found = [
        {part.title: part.played["match_id"].nunique() for part in parts(scope.source)}
        for scope in scopes_of(tmp_path, records, records[:1], many)
    ]
    assert found == [{"bomber": 2, "large": 1}, {}, {"g0": 5, "g1": 5}]


def test_an_empty_table_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected at least one match, got none"):
        scope_of(tmp_path, [])


def test_heat_runs_from_all_lost_to_all_won_and_one_colour_needs_no_legend() -> None:
    assert [heat_class(score) for score in (0, 0.5, 1)] == ["h0", "h5", "h10"]
    assert planner_legend(["astar", "astar"]) == ()
    assert [key.text for key in planner_legend(["beam", "astar", "mine", "yours"])] == ["astar", "beam", "other"]


@pytest.mark.gate
def test_planners_have_a_table_of_their_own_only_where_two_bots_share_one(tmp_path: Path) -> None:
    ab, abcd = met(ab=[1, 0]), met(ab=[1, 0], cd=[1, 0], ad=[1, 0])
    own, shared = scopes_of(tmp_path, of_planners(ab), of_planners(abcd))
    assert planners_section(own) is None
    [table] = blocks_of(planners_section(shared), ReportTable)
    assert sorted(cells_of(table)) == ["astar", "beam", "other"]


@pytest.mark.gate
def test_a_fault_has_its_colour_only_with_the_bot_that_forfeited_by_it(tmp_path: Path) -> None:
    [table] = blocks_of(faults_section(scope_of(tmp_path, FORFEITED)), ReportTable)
    drawn = {line.cells[0].text: str(line.cells[2].drawing) for line in table.lines}
    assert "crashed: 50.0 %" in drawn["bad"]
    assert "by another bot&#39;s fault: 50.0 %" in drawn["good"]
    assert "crashed" not in drawn["good"]
    assert BLAMELESS in [key.css for key in table.legend]


@pytest.mark.gate
def test_bots_whose_scores_never_vary_are_named_apart(tmp_path: Path) -> None:
    varied = [*solo("a", [1, 5, 9]), *solo("b", [4, 5, 6.5]), *solo("loser", [0, 0, 0])]
    sets = scopes_of(tmp_path, varied, [*varied[6:], *solo("c", range(6))])
    all_three, one = map(scores_section, sets)
    assert all_three is not None
    assert one is not None
    loser = "3 matches per bot; loser always scored the same"
    assert all_three.lead == f"{loser}; of the others b scores most evenly, a least."
    assert one.lead == "Up to 6 matches per bot; loser always scored the same."


EVEN = {
    "8 matches per bot; a and b score most evenly, c least.": {"a": [1, 3] * 4, "b": [5, 7] * 4, "c": [0, 9] * 4},
    "8 matches per bot; a scores most evenly, c least.": {"a": [1, 2] * 4, "b": [5, 7] * 4, "c": [0, 9] * 4},
    "9 matches per bot; a and b score equally evenly.": {"a": [1, 2, 3] * 3, "b": [5, 6, 7] * 3},
    "8 matches per bot.": {"a": [1, 0, 0, 0] * 2, "b": [1, 0] * 4},
}


@pytest.mark.parametrize(("lead", "returns"), EVEN.items())
def test_who_scores_most_evenly_is_not_also_the_least_even(
    tmp_path: Path, lead: str, returns: dict[str, list[float]]
) -> None:
    section = scores_section(scope_of(tmp_path, [match for bot, own in returns.items() for match in solo(bot, own)]))
    assert section is not None
    assert section.lead == lead


@pytest.mark.gate
def test_pools_that_nothing_compares_have_no_common_podium(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, met(ab=[1] * 12, cd=[1] * 12))
    section = standings_section(scope)
    assert section is not None
    assert section.lead.startswith("Pool 1: a is separated from b at 95 %. Pool 2: c is separated from d at 95 %. ")
    [table] = blocks_of(section, ReportTable)
    assert table.note.endswith("A thick line: the bots above and below it are separated, or in different pools.")
    assert podium(scope) == ()
    assert len(podium(scope_of(tmp_path / "one", met(ab=[1] * 12, bc=[1] * 12)))) == 3


def test_the_lead_of_the_standings_leaves_names_as_they_are(tmp_path: Path) -> None:
    section = standings_section(scope_of(tmp_path, met(ab=[1, 0] * 6)))
    assert section is not None
    assert section.lead.startswith("a and b are not separated at 95 %. Bots that share a letter")
