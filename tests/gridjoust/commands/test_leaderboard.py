"""`joust leaderboard`: tables, JSON, CSV and pictures of a results folder."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from rich.console import Console

from gridjoust.commands.leaderboard import leaderboard, metric_table, price_table
from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.leaderboard.metrics import MetricTable, metric_tables
from gridjoust.leaderboard.prices import Price
from gridjoust.leaderboard.standings import format_standings_csv
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.columns import STANDINGS
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Planned, Round, write_planned
from gridjoust.runner.results.tables.writer import TableWriter, metric_rows
from gridjoust.runner.wire.errors import ConfigError
from tests.leaderboard.seats_builder import with_header
from tests.runner.results.records.records_builder import duels, make_record, rows_of, solo

Print = Callable[..., str]


def write_cup(folder: Path, *records: MatchRecord) -> Path:
    with TableWriter(folder / "cup") as tables:
        for record in records:
            tables.add(record)
    return folder / "cup"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Duels of two bots and, in another game, a solo bot with a name that CSV must quote."""
    other = {"game": "maze", "variant": "maze, small"}
    quoted = make_record("last", bots=('c "x", y',), returns=(5,), header={**other, "seed": 0})
    return write_cup(tmp_path, *duels("a", "b", [1, 1, 0.5, 1] * 4), *solo("a", [1, 2], header=other), quoted)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Print:
    def call(cup: Path, **options: Any) -> str:
        leaderboard(cup, **options)
        return capsys.readouterr().out

    return call


def test_json_is_one_object_with_all_there_is_and_one_for_each_part(cup: Path, printed: Print) -> None:
    board = json.loads(printed(cup, as_json=True))
    assert (board["event"], board["tournament"], board["ranked_by"]) == ("standings", "cup", "score")
    assert set(board["standings"][0]) == set(STANDINGS.names)
    assert {one["game"] for one in board["games"]} == {"bomber", "maze"}
    assert board["verdicts"]
    assert board["seats"][0]["setting"] == "bomber"
    lines = printed(cup, as_json=True, by="game").splitlines()
    assert [json.loads(line)["tournament"] for line in lines] == ["cup: game bomber", "cup: game maze"]


@pytest.mark.default("map", "role")
@pytest.mark.parametrize("by", [None, "game", "variant", "map", "role", "planner"])
def test_nothing_is_ever_printed_as_nan(cup: Path, printed: Print, by: str | None) -> None:
    for options in ({}, {"as_json": True}, {"as_csv": True}):
        out = printed(cup, by=by, **options).lower()
        assert re.search(r"\d\.\d", out)
        assert re.findall(r"nan|\binf(?:inity)?\b", out) == []


def test_csv_is_the_file_that_a_tournament_leaves_and_by_variant_has_the_variant_as_first_column(
    cup: Path, printed: Print
) -> None:
    assert printed(cup, as_csv=True) == format_standings_csv(make_leaderboard(read_seats(cup)).standings)
    rows = list(csv.DictReader(io.StringIO(printed(cup, as_csv=True, by="variant"))))
    assert list(rows[0]) == ["variant", *STANDINGS.names]
    parts = [("bomber", "a"), ("bomber", "b"), ("maze, small", 'c "x", y'), ("maze, small", "a")]
    assert [(row["variant"], row["bot"]) for row in rows] == parts


@pytest.mark.gate
def test_variants_of_a_game_have_tables_of_their_own_after_the_joint_one(tmp_path: Path, printed: Print) -> None:
    def in_variant(variant: str, records: list[MatchRecord]) -> list[MatchRecord]:
        changed = [with_header(one, variant=variant, match_id=f"{variant}-{one.header.match_id}") for one in records]
        return [with_header(one, pair_id=f"{variant}-{one.header.pair_id}") for one in changed]

    small, large = in_variant("small", duels("a", "b", [1, 1])), in_variant("large", duels("a", "b", [0, 0]))
    cup = write_cup(tmp_path, *small, *large)
    titles = re.findall(r"^ *(cup\S*(?: variant \w+)?) *$", printed(cup), flags=re.MULTILINE)
    assert titles == ["cup", "cup: variant large", "cup: variant small"]
    assert len(printed(cup, as_json=True).splitlines()) == 1
    assert printed(cup, by="game").count("cup: ") == 1
    many = [record for at in range(9) for record in in_variant(f"v{at}", duels("a", "b", [1, 0]))]
    lines = printed(write_cup(tmp_path / "many", *many)).splitlines()
    assert lines[-1] == "- 9 variants: --by variant prints a table for each"


PLANNED = {
    "a run that goes on": (Planned(matches=552, is_exact=True), "cup: 19 of 552 matches played"),
    "one whose length is open": (Planned(matches=5520, is_exact=False), "cup: 19 of at most 5,520 matches played"),
    "one that is over": (Planned(matches=19, is_exact=True, is_over=True), "cup"),
}


@pytest.mark.parametrize(("planned", "title"), PLANNED.values(), ids=PLANNED)
def test_how_much_of_a_run_has_been_played_is_said(cup: Path, printed: Print, planned: Planned, title: str) -> None:
    write_planned(cup, planned)
    assert printed(cup).splitlines()[0].strip() == title
    progress = json.loads(printed(cup, as_json=True))["progress"]
    expected = {"played": 19, "planned": planned.matches, "is_exact": planned.is_exact}
    assert progress == (None if planned.is_over else expected)


def test_a_schedule_that_is_none_is_refused(cup: Path) -> None:
    (cup / "schedule.json").write_text('{"matches": "many"}')
    with pytest.raises(ConfigError, match=r"schedule\.json: expected a schedule as Joust writes it, got: .*matches"):
        leaderboard(cup)


def test_the_order_of_a_knockout_is_that_of_the_table_and_its_bracket_stands_below(
    tmp_path: Path, printed: Print
) -> None:
    cup = write_cup(tmp_path, *duels("a", "b", [1, 1, 1, 0]), *duels("a", "c", [0, 0.5]))
    course = (
        Round("semi-final", (Encounter(("a", "b"), (0.75, 0.25), "a"),), ("c",)),
        Round("final", (Encounter(("a", "c"), (0.25, 0.75), "c"),)),
    )
    results = ("winner", "final", "semi-final", "rested")
    places = tuple(Place(at, bot, result) for at, (bot, result) in enumerate(zip("cabd", results, strict=True), 1))
    decision = Decision("knockout", "reached", places, course)
    write_planned(cup, Planned(matches=6, is_exact=True, is_over=True, decision=decision))
    out = printed(cup).splitlines()
    rows = [[cell.strip() for cell in line.split("│")[1:4]] for line in out if line.startswith("│ ")]
    assert rows == [[str(at), bot, result] for at, (bot, result) in enumerate(zip("cabd", results, strict=True), 1)]
    assert [line for line in out if line[:1] in ("a", "b", "c", " ") and line.strip() != "cup"] == [
        "a 0.75 ┐",
        "       ├ a 0.25 ┐",
        "b 0.25 ┘        ├ c",
        "                │",
        "c ────── 0.75 ──┘",
    ]
    assert "- places are those of the knockout; what follows is about strength" in out
    board = json.loads(printed(cup, as_json=True))
    assert [(one["rank"], one["bot"], one["matches"]) for one in board["standings"]] == [
        *((1, "c", 2), (2, "a", 6), (3, "b", 4), (4, "d", 0))
    ]
    assert board["decision"]["rounds"][0]["resting"] == ["c"]
    assert [row["rank"] for row in csv.DictReader(io.StringIO(printed(cup, as_csv=True)))] == ["1", "2", "3", "4"]


def test_verdicts_stand_below_the_table_and_a_name_is_shown_as_it_is_written(
    cup: Path, tmp_path: Path, printed: Print
) -> None:
    out = printed(cup)
    assert out.index("cup") < out.index("rivals beaten %") < out.index("- ranked by the share of rivals beaten")
    record = make_record("m", bots=("[red]x[/red]", "b"), returns=(1, 0), forfeited=(0,))
    out = printed(write_cup(tmp_path / "other", record))
    assert "│ [red]x[/red] │" in out
    assert "- [red]x[/red] forfeited 1 of 1 match" in out


@pytest.mark.gate
def test_the_picture_fetches_nothing_and_shows_the_whole_or_the_planners(
    cup: Path, tmp_path: Path, printed: Print
) -> None:
    drawn = {}
    for by in (None, "game", "planner"):
        printed(cup, by=by, svg=tmp_path / "table.svg")
        drawn[by] = (tmp_path / "table.svg").read_text()
    assert "url(http" not in drawn[None]
    assert "@font-face" not in drawn[None]
    assert "beaten" in drawn[None]
    assert drawn["game"] == drawn[None]
    assert "astar" in drawn["planner"]
    assert "x&quot;" not in drawn["planner"]


@pytest.fixture
def wide_cup(tmp_path: Path) -> Path:
    """Six games; one of the bots has a very long name."""
    bots = ("a", "b" * 40)
    games = [{"game": f"long-name-{number}", "variant": "v"} for number in range(6)]
    records = [solo(bot, range(6), prefix=f"{bot}{at}", header=game) for bot in bots for at, game in enumerate(games)]
    return write_cup(tmp_path, *(record for own in records for record in own))


SHOWN = {
    "80": ("#", "bot", "rivals beaten %", "group", "matches"),
    "100": ("#", "bot", "rivals beaten %", "group", "matches", "faults"),
    "140": (
        "#",
        "bot",
        "rivals beaten %",
        "group",
        "matches",
        "games",
        "mean place",
        "faults",
        "long-name-0 %",
    ),
}


@pytest.mark.gate
@pytest.mark.parametrize(("width", "titles"), SHOWN.items(), ids=SHOWN)
def test_a_table_fits_a_narrow_terminal_without_what_is_needed_least(
    wide_cup: Path, printed: Print, monkeypatch: pytest.MonkeyPatch, width: str, titles: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    lines = printed(wide_cup).splitlines()
    assert max(len(line) for line in lines if line[:1] in "┏┃┡│└") <= int(width)
    heading = next(line for line in lines if "┃" in line)
    assert tuple(cell.strip() for cell in heading.strip("┃").split("┃")) == titles
    assert f"- left out to fit {width} columns: planner, gap above, long-name-5 %" in lines[-1]
    monkeypatch.delenv("COLUMNS")
    assert "long-name-5 %" in next(line for line in printed(wide_cup).splitlines() if "┃" in line)  # into a file


def test_where_nothing_more_can_go_a_long_name_is_folded(
    wide_cup: Path, printed: Print, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    out = printed(wide_cup)
    assert max(len(line) for line in out.splitlines() if line[:1] in "┏┃┡│└") <= 50
    assert sum(line.count("b") for line in out.splitlines() if line.startswith("│")) == 40


def test_metrics_are_means_per_bot_game_by_game_with_searches_and_expansions_beside_them() -> None:
    maze = {"game": "maze", "variant": "maze"}
    records = [
        make_record("m1", bots=("a", "b"), metrics=[{"steps": 3, "kills": 1}, {"steps": 5, "kills": 0}]),
        make_record("m2", bots=("b", "a"), metrics=[{"steps": 1, "kills": 0}, {"steps": 4, "kills": 0}]),
        make_record("m3", bots=("a",), metrics=[{"steps": 100}], header=maze),
        make_record("void", bots=("a",), metrics=[{"steps": 9}], counted=False),
    ]
    metrics = [row for record in records for row in metric_rows(record)]
    assert list(metric_tables(rows_of(*records), [*metrics, *metrics])) == [
        MetricTable("bomber", ("steps", "kills"), (("a", (3.5, 0.5)), ("b", (3.0, 0.0)))),
        MetricTable("maze", ("steps",), (("a", (100.0,)),)),
    ]
    answers = [AnswerLine(turn=turn, seat=0, expanded=nodes) for turn, nodes in enumerate([10, 30, 0], 1)]
    record = make_record("m1", bots=("a",), answers=answers, metrics=[{"steps": 3}])
    [table] = metric_tables(rows_of(record), metric_rows(record))
    assert table == MetricTable("bomber", ("steps", "searches", "nodes_expanded"), (("a", (3.0, 2.0, 40.0)),))


def test_what_a_forfeit_has_cut_short_is_in_no_mean_but_a_goal_that_was_forfeited_is_missed() -> None:
    walking = {"game": "navigation", "variant": "navigation"}
    records = [
        make_record("m1", bots=("a",), metrics=[{"cost": 12, "reached": 1}], header=walking),
        make_record("m2", bots=("a",), metrics=[{"cost": 0, "reached": 0}], forfeited=(0,), header=walking),
        make_record("m3", bots=("b", "c"), metrics=[{"hp": 3}, {"hp": 3}], forfeited=(0,)),
        make_record("m4", bots=("b", "c"), metrics=[{"hp": 1}, {"hp": 2}]),
    ]
    metrics = [row for record in records for row in metric_rows(record)]
    assert list(metric_tables(rows_of(*records), metrics)) == [
        MetricTable("bomber", ("hp",), (("b", (1.0,)), ("c", (2.0,)))),
        MetricTable("navigation", ("cost", "reached"), (("a", (12.0, 0.5)),)),
    ]
    assert [(row["match_id"], row["complete"]) for row in metrics if row["metric"] != "reached"] == [
        *(("m1", True), ("m2", False), ("m3", False), ("m3", False), ("m4", True), ("m4", True)),
    ]


def test_prices_fit_into_eighty_columns_with_whole_headings() -> None:
    price = Price(1, "dstar_lite", 1, 0.9704, 1234.5, 123.45, 12.345, 1234.5)
    console = Console(file=io.StringIO(), width=80)
    console.print(price_table([price]))
    shown = cast(io.StringIO, console.file).getvalue()
    assert "…" not in shown
    assert all(word in shown for word in ("level", "returns", "planning", "nodes", "plan"))


def test_metrics_stand_below_the_standings_or_are_an_object_per_game(tmp_path: Path, printed: Print) -> None:
    cup = write_cup(tmp_path, make_record("m1", bots=("a",), metrics=[{"steps": 3, "never": 0}]))
    below = printed(cup, metrics=True).partition("bomber: mean per seat")[2]
    assert "steps" in below
    assert "never" not in below
    last = printed(cup, metrics=True, as_json=True).splitlines()[-1]
    assert json.loads(last) == {"event": "metrics", "game": "bomber", "means": {"a": {"steps": 3.0, "never": 0.0}}}


def test_an_anchor_moves_all_ratings_and_intervals_alike(tmp_path: Path, printed: Print) -> None:
    cup = write_cup(tmp_path, *duels("a", "b", [1, 1, 0.5, 0] * 6))
    plain, moved = (json.loads(printed(cup, as_json=True, anchor=anchor)) for anchor in (None, "b=1500"))
    assert not plain["is_anchored"]
    assert moved["is_anchored"]
    first, second = moved["standings"]
    assert second["rating"] == pytest.approx(1500)
    shift = 1500 - plain["standings"][1]["rating"]
    for name in ("rating", "rating_low", "rating_high", "opponents_mean"):
        assert first[name] == pytest.approx(plain["standings"][0][name] + shift)
    assert first["difference"] is None
    assert second["difference"] == plain["standings"][1]["difference"]
    assert "1500 ±" in printed(cup, anchor="b=1500")
    assert "+15" not in printed(cup, anchor="b=1500")


ANCHORS = {
    "no rating": ("b", r"--anchor: expected a bot and its rating, as a=1500, got 'b'"),
    "no number": ("b=much", r"--anchor: expected a bot and its rating, as a=1500, got 'b=much'"),
    "no such bot": ("c=1500", r"--anchor: c: expected one of a and b"),
}


@pytest.mark.parametrize(("anchor", "said"), ANCHORS.values(), ids=ANCHORS)
def test_an_anchor_that_is_none_is_refused(tmp_path: Path, anchor: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        leaderboard(write_cup(tmp_path, *duels("a", "b", [1, 0])), anchor=anchor)


def test_a_bot_that_is_ranked_by_returns_is_no_anchor(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--anchor: a: it has no rating"):
        leaderboard(write_cup(tmp_path, *solo("a", [1, 2])), anchor="a=1500")


def test_titles_stand_beside_the_bot_in_the_table_of_the_file(tmp_path: Path, printed: Print) -> None:
    cup = write_cup(tmp_path, *duels("a", "b", [1, 0]))
    write_planned(cup, Planned(matches=2, is_exact=True, is_over=True, titles={"a": "Ada"}))
    rows = list(csv.DictReader(io.StringIO(printed(cup, as_csv=True))))
    assert list(rows[0])[:3] == ["rank", "bot", "title"]
    assert [(row["bot"], row["title"]) for row in rows] == [("a", "Ada"), ("b", "")]
    assert [one["title"] for one in json.loads(printed(cup, as_json=True))["standings"]] == ["Ada", ""]


NOTHING = {
    "no match": ([], "cup: no match has been played"),
    "only void ones": ([make_record(bots="ab", counted=False)], "cup: no match of a and b counts: all were void"),
}


@pytest.mark.parametrize(("records", "line"), NOTHING.values(), ids=NOTHING)
def test_where_nothing_counts_one_line_says_so(
    tmp_path: Path, printed: Print, records: list[MatchRecord], line: str
) -> None:
    assert printed(write_cup(tmp_path, *records)).splitlines() == [line]


def test_per_cents_are_rounded_once(tmp_path: Path, printed: Print) -> None:
    """Of 18 rivals 17 beaten is 94.444444 %, not 94.44444444443333."""
    values = {f"b{at:02}": at for at in range(19)}
    games = ({"game": "one", "variant": "one"}, {"game": "two", "variant": "two"})
    records = [
        match
        for at, game in enumerate(games)
        for bot, own in values.items()
        for match in solo(bot, [own], prefix=f"{at}", header=game)
    ]
    shown = json.loads(printed(write_cup(tmp_path, *records), as_json=True))["standings"]
    assert shown[1]["beaten_pct"] == 94.444444
    assert shown[1]["difference"] == 5.555556


@pytest.mark.gate
def test_many_names_in_a_sentence_become_a_count(tmp_path: Path, printed: Print) -> None:
    records = [make_record(f"m{at}", bots=(f"b{at}", f"b{at + 1}"), pair_id=f"m{at}") for at in range(0, 200, 2)]
    longest = max(json.loads(printed(write_cup(tmp_path, *records), as_json=True))["verdicts"], key=len)
    assert len(longest) < 200
    assert "and 97 more" in longest


def test_a_metric_that_no_bot_has_any_of_is_left_out() -> None:
    means = (("a", (3.0, 0.0, None)), ("[b]", (1234.56, 0.0, 0.5)))
    table = metric_table(MetricTable("maze", ("steps", "never", "won"), means))
    assert [(str(column.header), column.justify, [*map(str, column.cells)]) for column in table.columns] == [
        ("bot", "left", ["a", "[b]"]),
        ("steps", "right", ["3", "1235"]),
        ("won", "right", ["", "0.5"]),
    ]
    assert [column.no_wrap for column in table.columns] == [True, False, False]
