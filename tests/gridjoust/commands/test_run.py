"""What `joust run` says about formats whose length or outcome depends on results."""

from __future__ import annotations

import io
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from gridjoust.commands import main
from gridjoust.commands.shared.progress import PlainReporter, RichReporter, live_table
from gridjoust.leaderboard.live import LiveStandings
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.schedule_file import Planned, read_planned
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.results.tables.writer import result_rows
from gridjoust.runner.seeds import SEED_RULE
from tests.gridjoust.commands.desk import GOOD, Desk
from tests.runner.results.records.records_builder import duel, make_record, solo

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 20}}]
FORMAT
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 2}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


def run(form: str, folder: Path, capsys: pytest.CaptureFixture[str], *, as_json: bool = False) -> list[str]:
    """What is printed, line by line."""
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("FORMAT", form))
    with pytest.raises(SystemExit) as left:
        main(["run", str(file), "--out", str(folder), *(["--json"] if as_json else [])])
    assert left.value.code == 0
    return capsys.readouterr().out.splitlines()


LENGTHS = {
    "a length that depends on results is said to be at most": ("knockout", "cup: at most 6 matches"),
    "a known length is said as it is": ("ladder, rounds: 2", "cup: 4 matches"),
}


@pytest.mark.gate
@pytest.mark.parametrize(("form", "line"), LENGTHS.values(), ids=LENGTHS)
def test_the_length_is_said(form: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert line in run(f"format: {{type: {form}}}", tmp_path, capsys)


def test_progress_also_says_at_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reporter = PlainReporter(tmp_path)
    reporter.begin("cup", 1, [], is_exact=False)
    reporter.played(make_record(), [], is_new=True)
    assert capsys.readouterr().out.splitlines()[1].startswith("1 of at most 1 matches, ")


def shown_live(*records: MatchRecord, height: int = 24, width: int = 60) -> list[str]:
    """What a terminal of that size shows while the run goes on."""
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=False)
    reporter = RichReporter(console, Path("results/cup"))
    reporter.begin("cup", 100, [], is_exact=True)
    for record in records:
        reporter.played(record, result_rows(record), is_new=True)
    with console.capture() as capture:
        console.print(reporter.draw())
    reporter.end("")
    return [line.strip() for line in capture.get().splitlines()[1:]]


def test_the_live_table_is_sorted_by_what_it_shows_and_ends_with_the_last_results() -> None:
    many = [duel("a", "b", points, f"m{at}") for at, points in enumerate([1, 0, 1, 1, 0.5, 1, 1])]
    assert shown_live(*many, duel("c", "d", 1, "last")) == [
        "#  bot    score  matches  W-D-L  last",
        "1  c    100.0 %        1  1-0-0  W",
        "2  a     78.6 %        7  5-1-1  WWDWW",
        "3  b     21.4 %        7  1-1-5  LLDLL",
        "4  d      0.0 %        1  0-0-1  L",
    ]
    assert shown_live(*solo("a", [1, 2]), *solo("b", [5])) == [
        "#  bot  returns  matches  last",
        "1  b       5.00        1  5",
        "2  a       1.50        2  1 2",
    ]


def test_the_live_table_shows_as_many_bots_as_fit() -> None:
    bots = [f"bot-{number:02}" for number in range(30)]
    records = [duel(one, other, 1, one) for one, other in pairwise(bots)]
    low, high = (shown_live(*records, height=height) for height in (12, 40))
    assert (len(low), low[-1]) == (1 + 7 + 1, "and 23 more bots")
    assert len(high) == 1 + 30


def files(folder: Path) -> list[str]:
    return [f"results: {folder / 'cup'}", f"report: {folder / 'cup' / 'report.html'}"]


@pytest.mark.gate
def test_why_it_stopped_stands_below_the_standings_with_the_results_and_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, verdict, results, report = run("stop: {max_matches: 6}", tmp_path, capsys)
    assert verdict.startswith("stopped after 6 matches: no more fit into max_matches")
    assert [results, report] == files(tmp_path)
    assert (tmp_path / "cup" / "verdict.txt").read_text() == f"{verdict}\n"
    assert verdict in (tmp_path / "cup" / "report.html").read_text()


@pytest.mark.gate
def test_a_round_robin_has_no_verdict_and_that_of_an_earlier_run_does_not_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "verdict.txt").write_text("old\n")
    *_, ranked_by, results, report = run("format: {type: round_robin}", tmp_path, capsys)
    assert ranked_by.startswith("- ")
    assert [results, report] == files(tmp_path)
    assert {"results.csv", "report.html"} <= {path.name for path in (tmp_path / "cup").iterdir()}
    assert not (tmp_path / "cup" / "verdict.txt").exists()


def test_the_table_is_shown_before_the_report_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gridjoust.leaderboard.report import page

    shown: list[str] = []
    monkeypatch.setattr(page, "write_report", lambda source: shown.append(capsys.readouterr().out))
    run("format: {rounds: 1}", tmp_path, capsys)
    assert " are the same program: between them only chance decides" in shown[0]


@pytest.mark.gate
def test_machines_read_length_and_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("format: {type: knockout, replays: 0}", tmp_path, capsys, as_json=True)
    by_name = {event["event"]: event for event in map(json.loads, lines)}
    assert (by_name["started"]["matches"], by_name["started"]["is_exact"]) == (2, True)
    assert by_name["ended"]["verdict"].startswith("knockout: 1. ")


OUTCOMES = {
    "knockout, replays: 0": ("wins the knockout, ahead of ", "Bracket"),
    "swiss, rounds: 1": ("(wins the Swiss system with a score of [0-9.]+, ahead of|and) ", "Round by round"),
    "ladder, rounds: 1": ("wins the ladder, ahead of ", "Standings"),
}


@pytest.mark.gate
@pytest.mark.parametrize(("form", "expected"), OUTCOMES.items(), ids=OUTCOMES)
def test_table_verdict_file_and_headline_have_the_order_of_the_format(
    form: str, expected: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run(f"format: {{type: {form}}}", tmp_path, capsys)
    table = [line.split("│")[2].strip() for line in lines if line.startswith("│")]
    standings = [row["bot"] for row in read_rows(tmp_path / "cup" / "standings.csv")]
    verdict = re.findall(r"\d+\. (\w+)", next(line for line in lines if ": 1. " in line))
    page = (tmp_path / "cup" / "report.html").read_text()
    assert table == standings == verdict[:2]
    said, section = expected
    assert re.search(f'<p class="headline">{table[0]} {said}{table[1]}', page)
    assert f">{section}</h2>" in page


FOREIGN = """
tournament: cup
seed: SEED
games: [{game: bomber, params: {max_ticks: 5}}]
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 1}
bots: [{name: a, BOT}, {name: b, bot: random}]
"""


@pytest.mark.gate
@pytest.mark.parametrize(
    ("seed", "bot", "is_said"),
    [("7", "path: mine.py:Mine", True), ("secret", "path: mine.py:Mine", False), ("7", "bot: bomber/wanderer", False)],
)
def test_a_public_seed_is_said_in_a_line_where_bots_are_not_built_in(
    seed: str, bot: str, is_said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("from gridjoust.bots.random_bot import RandomBot\nclass Mine(RandomBot): ...\n")
    (tmp_path / "cup.yaml").write_text(FOREIGN.replace("SEED", seed).replace("BOT", bot))
    with pytest.raises(SystemExit, match="0"):
        main(["run", str(tmp_path / "cup.yaml"), "--out", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert sum("anyone who knows the seed" in line for line in lines) == is_said


@pytest.mark.gate
def test_only_the_matches_of_a_bot_and_then_the_others(desk: Desk) -> None:
    desk.write("cup.yaml", GOOD.replace("execution", "  - {name: c, bot: random}\nexecution"))
    assert desk.joust("run", "cup.yaml", "--only", "d") == (2, "joust: --only: expected one of a, b, c, got 'd'\n")
    code, shown = desk.read("run", "cup.yaml", "--only", "c", "--seed", "5")
    assert (code, "cup: 4 matches" in shown) == (0, True)
    rows = [*read_rows(desk.folder / "results" / "cup" / RESULTS.file)]
    assert {row["match_id"] for row in rows} == {row["match_id"] for row in rows if row["bot"] == "c"}
    assert "seed: 5" in (desk.folder / "results" / "cup" / "tournament.yaml").read_text()
    assert "4 of 6 matches played" in desk.read("leaderboard", "results/cup")[1]
    assert "4 of 6 matches played" in (desk.folder / "results" / "cup" / "report.html").read_text(encoding="utf-8")
    assert desk.joust("verify", "results/cup") == (0, "")
    code, shown = desk.read("run", "cup.yaml", "--seed", "5", "--resume")
    assert (code, "cup: 6 matches" in shown) == (0, True)
    assert "of 6 matches played" not in desk.read("leaderboard", "results/cup")[1]
    assert desk.joust("verify", "results/cup") == (0, "")


@pytest.mark.gate
def test_only_bots_one_after_another_end_the_tournament_with_its_last_match(desk: Desk) -> None:
    desk.write("cup.yaml", GOOD.replace("execution", "  - {name: c, bot: random}\nexecution"))
    desk.read("run", "cup.yaml", "--only", "a")
    assert read_planned(desk.folder / "results" / "cup") == Planned(
        matches=6, is_exact=True, seed_rule=SEED_RULE, only=("a",)
    )
    desk.read("run", "cup.yaml", "--only", "b", "--resume")
    assert read_planned(desk.folder / "results" / "cup") == Planned(
        matches=6, is_exact=True, seed_rule=SEED_RULE, is_over=True
    )
    assert desk.joust("verify", "results/cup") == (0, "")


@pytest.mark.gate
def test_a_resumed_run_says_what_it_keeps_and_plays_and_about_how_long(desk: Desk) -> None:
    desk.write("cup.yaml", GOOD)
    assert "resuming" not in desk.read("run", "cup.yaml")[1]
    desk.write("cup.yaml", GOOD + "format: {rounds: 3}\n")
    shown = desk.read("run", "cup.yaml", "--resume")[1].splitlines()
    assert re.fullmatch(r"resuming results/cup: 2 matches kept, 4 to play, about [1-9] s", shown[0])
    desk.write("cup.yaml", GOOD.replace("name: a", "name: c"))
    shown = desk.read("run", "cup.yaml", "--resume")[1].splitlines()
    assert shown[0].startswith("resuming results/cup: 0 matches kept, 2 to play, about ")
    assert shown[0].endswith("; 6 recorded matches are not in this tournament any more")
    code, told = desk.joust("run", "cup.yaml", "--resume", "--seed", "5")
    assert (code, told) == (2, "joust: results/cup was played with seed 0, not with seed 5: --overwrite starts anew\n")


SILENT = (
    "import gridjoust as joust\nclass Silent(joust.Bot):\n    def act(self, observation):\n        return 'dance'\n"
)


@pytest.mark.gate
def test_a_run_fails_on_what_it_was_told_and_writes_a_summary_for_others(desk: Desk) -> None:
    desk.write("mine.py", SILENT)
    desk.write(
        "cup.yaml",
        GOOD.replace("name: a, bot: random", "name: a_b, title: '*A*', path: 'mine.py:Silent'")
        + "faults: {limit: 1}\n",
    )
    assert desk.joust("run", "cup.yaml", "--fail-on", "void") == (0, "")
    options = ("--resume", "--fail-on", "fault", "--fail-on", "forfeit", "--summary", "page.md")
    code, told = desk.joust("run", "cup.yaml", *options)
    lines = ["--fail-on fault: 2 of 2 matches", "--fail-on forfeit: 2 of 2 matches"]
    assert (code, told.splitlines()) == (1, [f"joust: {line}" for line in lines])
    page = (desk.folder / "page.md").read_text(encoding="utf-8").splitlines()
    assert page[0] == "## cup"
    assert [row.split(" | ")[:3] for row in page if row.startswith("|")] == [
        ["| #", "bot", "title"],
        ["| --:", ":--", ":--"],
        ["| 1", "b", ""],
        ["| 2", r"a\_b", r"\*A\*"],
    ]
    assert page[page.index("```text") + 1] == "2 matches: 2 malformed"
    assert page[-3:] == [*lines, "```"]


def test_a_wrong_kind_of_failure_and_a_summary_that_cannot_be_written_are_one_line(desk: Desk) -> None:
    desk.write("cup.yaml", GOOD)
    code, told = desk.joust("run", "cup.yaml", "--fail-on", "draw")
    assert (code, told.count("\n")) == (2, 1)
    assert "'draw' is not one of 'forfeit', 'fault', 'void'" in told
    code, told = desk.joust("run", "cup.yaml", "--summary", "missing/page.md")
    assert (code, told) == (2, "joust: --summary: folder not found: missing\n")
    assert not (desk.folder / "results").exists()


@pytest.mark.gate
@pytest.mark.parametrize(("first", "code"), [("bomber/gambit", 0), ("random", 1)])
def test_the_exit_code_says_whether_a_test_has_shown_what_it_was_asked(desk: Desk, first: str, code: int) -> None:
    stop = "stop: {when: sprt, elo0: 0, elo1: 200, max_matches: 60}\n"
    text = GOOD.replace("max_ticks: 5", "max_ticks: 60").replace("name: a, bot: random", f"name: a, bot: {first}")
    desk.write("cup.yaml", text.replace("bomber/wanderer", "random") + stop)
    assert desk.joust("run", "cup.yaml")[0] == code
    assert desk.joust("verify", "results/cup") == (0, "")
    planned = read_planned(desk.folder / "results" / "cup")
    assert planned is not None
    assert planned.holds is (code == 0)


def test_only_needs_a_schedule_that_is_known_in_advance(desk: Desk) -> None:
    desk.write("cup.yaml", GOOD + "format: {type: swiss}\n")
    line = "joust: --only: expected round_robin, gauntlet or solo without a stop rule, got swiss\n"
    assert desk.joust("run", "cup.yaml", "--only", "a") == (2, line)


@pytest.mark.gate
def test_titles_in_any_script_stand_beside_the_names_at_their_width(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = GOOD.replace("bot: random", "bot: random, title: 李世石 · 囲碁")
    desk.write("cup.yaml", text.replace("wanderer", "wanderer, title: Ада Лавлейс"))
    code, shown = desk.read("run", "cup.yaml")
    assert code == 0
    rows = [line for line in shown.splitlines() if line.startswith("│")]
    assert {row.split("│")[3].strip() for row in rows} == {"李世石 · 囲碁", "Ада Лавлейс"}
    assert len({cell_len(row) for row in rows}) == 1
    assert desk.read("leaderboard", "results/cup")[1].count("Ада Лавлейс") == 1
    assert "Ада Лавлейс" in (desk.folder / "results" / "cup" / "report.html").read_text(encoding="utf-8")
    assert desk.joust("verify", "results/cup") == (0, "")


def test_the_live_table_has_titles_where_there_are_some() -> None:
    standings = LiveStandings()
    standings.add(result_rows(make_record("m1", bots=["a", "b"], returns=[1.0, 0.0])))
    titled, plain = (
        [column.header for column in live_table(standings.top(), titles).columns] for titles in ({"a": "Ада"}, {})
    )
    assert "title" in titled
    assert titled[:2] == plain[:2] == ["#", "bot"]
    assert "title" not in plain
