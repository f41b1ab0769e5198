"""What the sections of a report say about matches made by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from leaderboard.report.blocks import Figure, Note, Section, Table
from leaderboard.report.contests import duels_of, meetings_of
from leaderboard.report.headline import headline, sentences, warnings_of
from leaderboard.report.palette import heat_class, planner_legend
from leaderboard.report.sections.conditions import facts_of, format_text, time_text
from leaderboard.report.sections.cost import cost_section
from leaderboard.report.sections.effects import effects_section
from leaderboard.report.sections.faults import faults_section
from leaderboard.report.sections.head_to_head import head_to_head_section
from leaderboard.report.sections.metrics import metrics_section
from leaderboard.report.sections.ranking import games_section, planners_section, roles_section, standings_section
from leaderboard.report.sections.scores import scores_section
from leaderboard.report.sections.settling import checkpoints, settling_section
from leaderboard.report.sections.surprises import Place, surprises_section
from leaderboard.report.source import Scope, load_source, parts, whole
from runner.record.lines import AnswerLine, Fault, MatchRecord, SeatEntry
from runner.tables.writer import TableWriter
from runner.wire.errors import ConfigError
from tests.runner.record.records_builder import duel, duels, make_record

HERE = Place(link=".", command="results/cup")


def scope_of(folder: Path, records: Sequence[MatchRecord]) -> Scope:
    with TableWriter(folder) as tables:
        for record in records:
            tables.add(record)
    return whole(load_source(folder))


def table_of(section: Section | None) -> Table:
    assert section is not None
    return next(block for block in section.blocks if isinstance(block, Table))


def cells(table: Table) -> dict[str, dict[str, str]]:
    """Row name -> column title -> text."""
    name = [column.kind for column in table.columns].index("name")
    titles = [column.title for column in table.columns]
    return {
        line.cells[name].text: dict(zip(titles, (cell.text for cell in line.cells), strict=True))
        for line in table.lines
    }


def answer(turn: int, seat: int, *, planning_ms: float, fault: Fault | None = None) -> AnswerLine:
    return AnswerLine(
        turn=turn,
        seat=seat,
        action="E",
        planning_ms=planning_ms,
        latency_ms=planning_ms,
        fault="" if fault is None else fault.value,
    )


def test_a_duel_is_seen_from_both_sides(tmp_path: Path) -> None:
    found = duels_of(meetings_of(scope_of(tmp_path, duels("a", "b", [1, 1, 0.5, 0]))))
    assert (found["a", "b"].score, found["b", "a"].score) == (0.625, 0.375)
    assert (found["a", "b"].wins, found["a", "b"].draws, found["a", "b"].losses) == (2, 1, 1)


def test_a_bot_with_two_seats_meets_its_opponents_once(tmp_path: Path) -> None:
    record = make_record(bots=("a", "a", "b", "b"), teams=(0, 0, 1, 1), returns=(1, 1, -1, -1))
    found = duels_of(meetings_of(scope_of(tmp_path, [record])))
    assert found["a", "b"].meetings == 1


def test_a_bot_does_not_meet_itself(tmp_path: Path) -> None:
    records = [make_record(bots=("a", "a"), returns=(1, -1)), duel("a", "b", 1, "m2")]
    assert set(duels_of(meetings_of(scope_of(tmp_path, records)))) == {("a", "b"), ("b", "a")}


def test_superiority_counts_pairs_not_matches(tmp_path: Path) -> None:
    # every pair is one win each: no doubt that they are equal, whatever the single matches say
    found = duels_of(meetings_of(scope_of(tmp_path, duels("a", "b", [1, 0] * 5))))
    assert found["a", "b"].superiority is None


def test_superiority_of_mixed_pairs_is_a_likelihood(tmp_path: Path) -> None:
    found = duels_of(meetings_of(scope_of(tmp_path, duels("a", "b", [1, 1, 1, 1, 1, 0, 1, 0]))))
    # pairs 1, 1, .5, .5: mean .75, deviation .25, error .125, z 2
    assert found["a", "b"].superiority == pytest.approx(0.9772, abs=1e-4)


def test_the_heat_map_shows_per_cent_in_the_order_of_the_standings(tmp_path: Path) -> None:
    records = [*duels("weak", "strong", [0, 0, 0, 0.5]), *duels("weak", "third", [0, 0])]
    table = table_of(head_to_head_section(scope_of(tmp_path, records)))
    strong = next(line for line in table.lines if line.cells[1].text == "strong")
    weak = next(at for at, column in enumerate(table.columns) if column.hint == "weak")
    assert (strong.cells[weak].text, strong.cells[weak].css) == ("88", "h9")


def test_the_hint_of_a_duel_has_points_and_counts(tmp_path: Path) -> None:
    table = table_of(head_to_head_section(scope_of(tmp_path, duels("a", "b", [1, 1, 1, 0.5]))))
    assert [cell.hint for cell in table.lines[0].cells[2:]] == ["", "3.5 of 4 · 3–1–0 · LOS 100 %"]


def test_bots_that_never_met_have_no_score(tmp_path: Path) -> None:
    table = table_of(head_to_head_section(scope_of(tmp_path, [*duels("a", "b", [1, 0]), *duels("c", "d", [1, 0])])))
    assert sum(cell.css == "unmet" for line in table.lines for cell in line.cells) == 8


def test_the_words_name_the_worst_upset(tmp_path: Path) -> None:
    records = [*duels("top", "mid", [0, 0]), *duels("top", "low", [1] * 12), *duels("mid", "low", [0.5] * 12)]
    section = head_to_head_section(scope_of(tmp_path, records))
    assert section is not None
    assert "most of all mid, with 100\u202f% against top" in section.lead


def test_the_standings_are_those_of_the_leaderboard(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, duels("a", "b", [1, 0.5] * 6))
    table = table_of(standings_section(scope))
    assert [line.cells[1].text for line in table.lines] == ["a", "b"]
    assert cells(table)["a"]["W–D–L"] == "6–6–0"


def test_a_rule_closes_each_group(tmp_path: Path) -> None:
    table = table_of(standings_section(scope_of(tmp_path, duels("a", "b", [1] * 39 + [0]))))
    assert [line.css for line in table.lines] == ["apart", ""]


def test_too_few_pairs_are_said_to_be_too_few(tmp_path: Path) -> None:
    section = standings_section(scope_of(tmp_path, duels("a", "b", [1, 1])))
    assert section is not None
    assert section.lead.startswith("Too few pairs")


def test_columns_without_anything_to_say_are_left_out(tmp_path: Path) -> None:
    table = table_of(standings_section(scope_of(tmp_path, duels("a", "b", [1, 1]))))
    assert not {"failed %", "ms/turn", "nodes/turn"} & {column.title for column in table.columns}


def test_what_has_nothing_to_show_has_no_section(tmp_path: Path) -> None:
    """Bots of one planner without roles or reported costs, in one game, too few matches and none unexpected."""
    scope = scope_of(tmp_path, duels("a", "b", [1, 1, 1]))
    made = [make(scope) for make in (standings_section, planners_section, roles_section, games_section, cost_section)]
    made += [settling_section(scope), surprises_section(scope, HERE)]
    assert [section is not None for section in made] == [True, False, False, False, False, False, False]


def test_every_role_has_a_table_of_its_own(tmp_path: Path) -> None:
    records = [_roles(first, second, f"m{at}") for at, (first, second) in enumerate([("a", "b"), ("b", "a")] * 6)]
    section = roles_section(scope_of(tmp_path, records))
    assert section is not None
    tables = [block for block in section.blocks if isinstance(block, Table)]
    assert {table.heading: {line.cells[1].text for line in table.lines} for table in tables} == {
        "heroes": {"a", "b"},
        "zargon": {"a", "b"},
    }


def test_every_game_has_a_column_of_scores(tmp_path: Path) -> None:
    records = [
        make_record(f"{game}{at}", bots=("a", "b"), returns=returns, header={"game": game, "variant": game})
        for game, returns in (("first", (1, -1)), ("second", (-1, 1)))
        for at in range(2)
    ]
    own = cells(table_of(games_section(scope_of(tmp_path, records))))
    assert (own["a"]["first"], own["a"]["second"], own["b"]["first"]) == ("100", "0", "0")


def test_faults_are_counted_by_kind_and_bot(tmp_path: Path) -> None:
    late = [answer(turn, 0, planning_ms=9, fault=Fault.LATE) for turn in (1, 2)]
    wrong = answer(3, 0, planning_ms=9, fault=Fault.ILLEGAL)
    records = [
        make_record("m1", bots=("slow", "b"), faults=(3, 0), answers=[*late, wrong], turns=[{0: "E", 1: "E"}] * 3),
        duel("slow", "b", 0, "m2"),
    ]
    own = cells(table_of(faults_section(scope_of(tmp_path, records))))
    assert (own["slow"]["faults"], own["slow"]["late"], own["slow"]["illegal"]) == ("3", "2", "1")
    assert own["b"]["faults"] == "0"


def test_forfeits_stand_beside_the_bot_that_forfeited(tmp_path: Path) -> None:
    records = [make_record("m1", bots=("bad", "good"), forfeited=(0,)), duel("bad", "good", 0, "m2")]
    own = cells(table_of(faults_section(scope_of(tmp_path, records))))
    assert (own["bad"]["forfeits"], own["good"]["forfeits"]) == ("1", "0")


def test_a_clean_tournament_has_no_table_of_faults(tmp_path: Path) -> None:
    section = faults_section(scope_of(tmp_path, duels("a", "b", [1, 0])))
    assert section is not None
    assert section.lead == "2 of 2 matches ended by the rules; nobody committed a fault."
    assert section.blocks == ()


def test_void_matches_blame_nobody(tmp_path: Path) -> None:
    section = faults_section(scope_of(tmp_path, [*duels("a", "b", [1, 0]), make_record("m9", counted=False)]))
    assert section is not None
    assert "1 match void" in next(block.lines[0] for block in section.blocks if isinstance(block, Note))


def test_few_matches_are_looked_at_one_by_one_and_many_as_often() -> None:
    assert checkpoints(5) == [1, 2, 3, 4, 5]
    assert len(checkpoints(100_000)) == 16


def test_lines_end_where_the_standings_are(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, [*duels("a", "b", [1, 0.5] * 6), *duels("b", "c", [1, 0] * 5)])
    section = settling_section(scope)
    assert section is not None
    figure = next(block for block in section.blocks if isinstance(block, Figure))
    ends = [float(points.split()[-1].split(",")[1]) for points in _attributes(figure, "points")]
    ratings = [standing.rating or 0.0 for standing in scope.board.standings]
    # the chart is linear: equal steps of rating are equal steps of height (lines are drawn last bot first)
    first, second, third = ends[::-1]
    share = (ratings[0] - ratings[1]) / (ratings[0] - ratings[2])
    assert (second - first) / (third - first) == pytest.approx(share, abs=0.01)


def test_a_late_change_of_the_leader_is_said(tmp_path: Path) -> None:
    early = [duel("early", "late", 1, f"z{at}") for at in range(4)]  # the order is the table's, not that of the ids
    late = [duel("late", "early", 1, f"a{at}") for at in range(6)]
    section = settling_section(scope_of(tmp_path, [*early, *late]))
    assert section is not None
    assert section.lead == "The leader took over as late as match 9 of 10: more matches may still change it."


def test_returns_that_only_say_won_or_lost_are_shown_as_shares(tmp_path: Path) -> None:
    table = table_of(scores_section(scope_of(tmp_path, duels("a", "b", [1, 1, 0.5, 0]))))
    assert [key.text for key in table.legend] == ["returns 1", "returns 0", "returns −1"]


def test_returns_of_many_values_are_shown_as_boxes(tmp_path: Path) -> None:
    records = [make_record(f"m{at}", bots=("alone",), returns=(float(at),)) for at in range(9)]
    own = cells(table_of(scores_section(scope_of(tmp_path, records))))["alone"]
    assert (own["mean"], own["median"], own["lowest"], own["highest"]) == ("4", "4", "0", "8")


def test_goals_reached_are_shares_and_come_first(tmp_path: Path) -> None:
    records = [
        make_record(f"m{at}", bots=("a",), metrics=[{"ap": 10.0 + at, "won": float(at < 3)}], header={"seed": at})
        for at in range(4)
    ]
    records += [make_record("n", bots=("b",), metrics=[{"ap": 40.0, "won": 0.0}])]
    table = table_of(metrics_section(scope_of(tmp_path, records)))
    assert [column.title for column in table.columns] == ["bot", "won %", "ap"]
    assert cells(table)["a"] == {"bot": "a", "won %": "75.0", "ap": "11.5"}


def test_a_metric_that_is_always_the_same_is_left_out(tmp_path: Path) -> None:
    records = [make_record("m1", metrics=[{"hp": 3.0}, {"hp": 3.0}])]
    assert metrics_section(scope_of(tmp_path, records)) is None


def test_planning_time_is_told_by_its_median_and_95_per_cent(tmp_path: Path) -> None:
    answers = [answer(turn, 0, planning_ms=float(turn)) for turn in range(1, 102)]
    records = [make_record("m1", answers=answers, turns=[{0: "E", 1: "E"}] * 101)]
    own = cells(table_of(cost_section(scope_of(tmp_path, records))))["gambit"]
    assert (own["answers"], own["median"], own["95 %"], own["longest"]) == (
        "101",
        "51.0\u202fms",
        "96.0\u202fms",
        "101\u202fms",
    )


def test_strength_is_drawn_against_cost_for_bots_that_report_it(tmp_path: Path) -> None:
    records = [
        make_record(
            f"m{at}",
            bots=("a", "b"),
            returns=(1, -1),
            answers=[answer(1, 0, planning_ms=1), answer(1, 1, planning_ms=9)],
            turns=[{0: "E", 1: "E"}],
        )
        for at in range(2)
    ]
    section = cost_section(scope_of(tmp_path, records))
    assert section is not None
    figure = next(block for block in section.blocks if isinstance(block, Figure))
    assert figure.title == "Strength against planning time"
    assert section.lead == "Nobody is both stronger and cheaper than these: by planning time a."


def test_a_seat_that_always_wins_is_named(tmp_path: Path) -> None:
    records = [
        duel("a" if at % 2 else "b", "b" if at % 2 else "a", 1, f"m{at}", pair_id=f"p{at // 2}") for at in range(40)
    ]
    section = effects_section(scope_of(tmp_path, records))
    assert section is not None
    assert section.lead.startswith("Seat 0 of bomber is better than chance: 100\u202f%")


def test_every_map_has_its_line(tmp_path: Path) -> None:
    records = [
        make_record(f"m{at}", returns=(1, -1), header={"map": "open.txt" if at % 2 else "maze.txt"}) for at in range(6)
    ]
    section = effects_section(scope_of(tmp_path, records))
    assert section is not None
    assert section.title == "Seats and maps"
    maps = next(block for block in section.blocks if isinstance(block, Table) and block.heading == "Maps")
    assert {name: row["matches"] for name, row in cells(maps).items()} == {"open.txt": "3", "maze.txt": "3"}


def test_an_upset_is_linked_to_its_record_and_its_replay(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, [*duels("top", "low", [1] * 39), duel("low", "top", 1, "upset")])
    [line] = table_of(surprises_section(scope, HERE)).lines
    assert line.cells[0].link == "./records/upset.jsonl"
    assert line.cells[1].text == "low beat top (bomber, round 1)"
    assert line.cells[4].text == "joust replay results/cup/records/upset.jsonl"


def test_the_greatest_surprise_comes_first(tmp_path: Path) -> None:
    settled = [*duels("top", "mid", [1] * 39), *duels("mid", "low", [1] * 39), *duels("top", "low", [1] * 39)]
    upsets = [duel("mid", "top", 1, "likelier"), duel("low", "top", 1, "stranger")]
    table = table_of(surprises_section(scope_of(tmp_path, [*settled, *upsets]), HERE))
    assert [line.cells[0].text for line in table.lines] == ["stranger", "likelier"]


def test_a_record_outside_the_results_is_not_linked(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, [*duels("top", "low", [1] * 39), duel("low", "top", 1, "upset")])
    scope.played["record"] = "javascript:alert(1)"
    [line] = table_of(surprises_section(scope, HERE)).lines
    assert (line.cells[0].link, line.cells[4].text) == ("", "")


def test_without_opponents_a_surprise_is_far_from_the_usual(tmp_path: Path) -> None:
    scores = [10.0, 11.0, 10.0, 11.0, 10.0, 11.0, 10.0, 11.0, 10.0, 90.0]
    records = [
        make_record(f"m{at}", bots=("alone",), returns=(score,), header={"seed": at}) for at, score in enumerate(scores)
    ]
    [line] = table_of(surprises_section(scope_of(tmp_path, records), HERE)).lines
    assert line.cells[1].text == "alone scored 90 (bomber, round 1)"


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1] * 39 + [0], r"a wins: a rating of \+.*, clear of all others\."),
        ([1, 1, 0, 0, 1, 0.5] * 3, r"a is ahead with .*, but cannot be separated from b\."),
        ([1, 1], r"a is ahead with .*, on too few matches to be sure\."),
        ([0.5] * 10, "a and b are level: .*"),
    ],
)
def test_the_headline_says_how_sure_the_first_place_is(tmp_path: Path, scores: list[float], said: str) -> None:
    assert re.fullmatch(said, headline(scope_of(tmp_path, duels("a", "b", scores)).board))


def test_nothing_that_counts_ranks_nobody(tmp_path: Path) -> None:
    assert headline(scope_of(tmp_path, [make_record(counted=False)]).board).startswith("No match counts")


def test_findings_begin_with_a_capital_unless_with_a_name(tmp_path: Path) -> None:
    lines = sentences(scope_of(tmp_path, duels("a", "b", [1, 1])))
    assert lines
    assert all(line[0].isupper() or line.split()[0].strip(":,") in {"a", "b", "bomber"} for line in lines)


def test_many_void_matches_are_a_warning(tmp_path: Path) -> None:
    records = [*duels("a", "b", [1, 0]), make_record("void", counted=False)]
    [warning] = warnings_of(scope_of(tmp_path, records))
    assert warning.startswith("1 match of 3 was void")


def test_bots_that_beat_each_other_in_circles_are_a_warning(tmp_path: Path) -> None:
    records = [match for first, second in ("ab", "bc", "ca") for match in duels(first, second, [1] * 24)]
    scope = scope_of(tmp_path, records)
    assert [line for line in warnings_of(scope) if "a beats b beats c beats a" in line]
    assert not [line for line in sentences(scope) if "beats" in line]


ROUND_ROBIN = {"type": "round_robin", "rounds": 5, "swap_seats": True, "challengers": [], "seeding": "file"}
RESOLVED = {"when": "resolved", "goal": "top", "top": 3, "confidence": 0.95, "max_matches": 2000, "adaptive": "safe"}
TOLD = "round robin, 5 rounds, seats swapped"
SPRT = {"when": "sprt", "elo0": 0.0, "elo1": 10.0, "max_matches": 400, "adaptive": "none"}


@pytest.mark.parametrize(
    ("settings", "stop", "told"),
    [
        (ROUND_ROBIN, {}, TOLD),
        (ROUND_ROBIN | {"type": "solo"}, {}, "solo, 5 rounds"),
        (ROUND_ROBIN | {"type": "knockout", "seeding": "hash"}, {}, "knockout, seeds drawn"),
        (ROUND_ROBIN | {"type": "ladder", "max_matches": 90}, {}, "ladder, at most 90 matches, seeded as listed"),
        (
            ROUND_ROBIN,
            RESOLVED,
            f"{TOLD}; stops when the best 3 are known at 95\u202f%, at most 2,000 matches, adaptive: safe",
        ),
        (
            ROUND_ROBIN,
            SPRT,
            f"{TOLD}; stops when an SPRT decides between Elo 0.0 and 10.0, at most 400 matches",
        ),
    ],
)
def test_a_format_is_told_with_what_it_uses(settings: dict[str, object], stop: dict[str, object], told: str) -> None:
    assert format_text(settings, stop) == told


def test_no_limit_is_told_as_none() -> None:
    assert time_text({"turn_ms": None, "start_ms": 10_000}) == "no limit a turn, start 10\u202fs"


def test_facts_count_void_matches_apart(tmp_path: Path) -> None:
    scope_of(tmp_path, [*duels("a", "b", [1, 0]), make_record("m9", counted=False)])
    assert dict(facts_of(load_source(tmp_path)))["Matches"] == "2 played, 1 void"


def test_a_match_that_is_listed_twice_counts_once(tmp_path: Path) -> None:
    record = make_record("m1", faults=(2, 0))
    own = cells(table_of(faults_section(scope_of(tmp_path, [record, record]))))
    assert (own["gambit"]["matches"], own["gambit"]["faults"]) == ("1", "2")


def test_every_variant_is_a_part_with_its_own_matches(tmp_path: Path) -> None:
    records = [make_record("m1"), make_record("m2", header={"variant": "large"}), make_record("m3")]
    scope_of(tmp_path, records)
    found = {part.title: part.played["match_id"].nunique() for part in parts(load_source(tmp_path))}
    assert found == {"bomber": 2, "large": 1}
    scope_of(tmp_path, records[:1])  # one game has no parts
    assert list(parts(load_source(tmp_path))) == []


def test_very_many_variants_are_parted_by_game(tmp_path: Path) -> None:
    scope_of(tmp_path, [make_record(f"m{at}", header={"variant": f"v{at}", "game": f"g{at % 2}"}) for at in range(10)])
    assert [part.title for part in parts(load_source(tmp_path))] == ["g0", "g1"]


def test_an_empty_table_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected at least one match, got none"):
        scope_of(tmp_path, [])


def test_heat_runs_from_all_lost_to_all_won() -> None:
    assert [heat_class(score) for score in (0, 0.5, 1)] == ["h0", "h5", "h10"]


def test_planners_of_one_colour_need_no_legend() -> None:
    assert planner_legend(["astar", "astar"]) == ()


def _roles(heroes: str, zargon: str, match_id: str) -> MatchRecord:
    """A match between roles that the heroes win."""
    seats = [
        SeatEntry(bot=bot, planner="astar", bot_version="1", bot_hash="h", team=team, role=role)
        for team, (bot, role) in enumerate([(heroes, "heroes"), (zargon, "zargon")])
    ]
    return make_record(match_id, bots=(heroes, zargon), returns=(1, -1), header={"seats": seats})


def _attributes(figure: Figure, name: str) -> list[str]:
    return [part.split('"')[0] for part in str(figure.drawing).split(f'{name}="')[1:]]
