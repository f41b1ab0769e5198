"""`joust report` and `joust replay` as a user types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gridjoust.commands.shared.arguments import find_tournament
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import TurnLine
from tests.gridjoust.commands.desk import Desk
from tests.joust_here import joust

SAMPLE = Path(__file__).parents[3] / "results" / "sample"


@pytest.mark.gate
def test_the_page_names_results_as_they_were_typed_and_is_written_into_them_or_where_it_is_wanted(
    tmp_path: Path,
) -> None:
    shutil.copytree(SAMPLE, tmp_path / "cup")
    done = joust("report", "cup", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "report: cup/report.html\n", "")
    text = (tmp_path / "cup" / "report.html").read_text()
    assert "gambit" in text
    assert ">joust verify cup</code>" in text
    assert str(tmp_path) not in text
    done = joust("report", str(SAMPLE), "--out", "pages/cup.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "pages" / "cup.html").stat().st_size > 10_000


CUP = """
tournament: cup
games: [{game: heroquest, params: {max_game_rounds: 2}}]
format: {swap_seats: false}
time: {turn_ms: 5000}
execution: {isolation: none}
bots: [{name: a, bot: heroquest/astar}, {name: b, bot: heroquest/dijkstra_map}]
"""


@pytest.mark.gate
def test_a_walk_is_drawn_step_by_step_and_everything_on_demand(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    [path] = list_records(tmp_path / "results" / "cup")
    turns = [line for line in read_record(path).lines if isinstance(line, TurnLine)]
    walk = next(line for line in turns if next(iter(line.actions.values())).count(" ") >= 3)
    steps = joust("replay", str(path), "--turn", str(walk.turn), folder=tmp_path).stdout
    whole = joust("replay", str(path), "--turn", str(walk.turn), "--omniscient", folder=tmp_path).stdout
    by_id = joust("replay", "results/cup", path.stem[:6], "--turn", str(walk.turn), folder=tmp_path).stdout
    assert by_id == steps
    alone = joust("replay", "results/cup", "--turn", str(walk.turn), folder=tmp_path)
    newest = f"the newest match, {path.stem}; to pick another: joust matches results/cup\n"
    assert (alone.stderr, alone.stdout) == (newest, steps)
    short = joust("leaderboard", "cup", folder=tmp_path).stderr
    assert short == "joust: results folder not found: cup; did you mean results/cup?\n"
    assert steps.count("?|") > whole.count("?|")  # the fog, once a step
    assert len(steps.splitlines()) > len(whole.splitlines())


def test_standings_for_a_paper_are_exported_without_an_extra_and_the_folder_still_verifies(played: Desk) -> None:
    assert played.read("export", "results/cup", "--latex") == (0, "results/cup/standings.tex: 2 rows\n")
    text = (played.folder / "results" / "cup" / "standings.tex").read_text(encoding="utf-8")
    assert {line.split(" & ")[1] for line in text.splitlines() if line[0].isdigit()} == {"a", "b"}
    assert not (played.folder / "results" / "cup" / "parquet").exists()
    assert played.joust("verify", "results/cup") == (0, "")
    assert played.joust("export", "results/cup", "--latex", "--out", "paper/tables") == (0, "")
    assert (played.folder / "paper" / "tables" / "standings.tex").read_text(encoding="utf-8") == text


def test_commands_that_print_data_print_it_as_json_too(played: Desk) -> None:
    def told(*arguments: str) -> Any:
        code, shown = played.read(*arguments, "--json")
        assert code in (0, 1)
        assert len(shown.splitlines()) == 1
        return json.loads(shown)

    one, other = sorted(path.stem for path in list_records(played.folder / "results" / "cup"))
    differing = told("compare", f"results/cup/{one}", f"results/cup/{other}", "--html", "page.html")
    assert [match["match_id"] for match in differing["matches"]] == [one, other]
    assert (differing["turn"] is None) == (differing["difference"].startswith("the same"))
    assert (played.folder / "page.html").is_file()
    assert told("compare", f"results/cup/{one}", f"results/cup/{one}")["turn"] is None

    found = told("analyse", f"results/cup/{one}", "--turns", "2", "--playouts", "5")
    assert found == json.loads((played.folder / "results" / "cup" / "analysis" / f"{one}.json").read_text())

    assert told("export", "results/cup", "--latex") == [{"file": "results/cup/standings.tex", "rows": 2}]
    packed = told("pack", "results/cup")
    assert (packed["results"], packed["packed"], packed["packs"], packed["refused"]) == ("results/cup", 2, 1, [])
    assert told("unpack", "results/cup") == {"results": "results/cup", "unpacked": 2}


@pytest.mark.gate
def test_the_quickstart_comes_with_joust_and_a_file_of_that_name_comes_first(desk: Desk) -> None:
    shipped = find_tournament(Path("quickstart"))
    assert load_tournament(shipped).config.tournament == "quickstart"
    assert find_tournament(Path("cup")) == Path("cup")
    code, shown = desk.read("run", "quickstart", "--only", "random", "--parallel", "2")
    assert (code, "quickstart: 6 matches" in shown) == (0, True)
    assert (desk.folder / "results" / "quickstart" / "report.html").is_file()
    desk.write("quickstart", "tournament: mine\n")
    assert desk.joust("run", "quickstart")[0] == 2
