"""The planners' study: its tournaments, what it keeps, and the tables of its page."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pandas as pd
import pytest
import yaml

import study.cup
from gridjoust.runner.config.formats import Resolved
from gridjoust.runner.config.load import load_tournament
from gridjoust.tournament import KnownBots
from study.cup_page import ORDER, PAGE, RESULTS, Cut, cuts, page_with_tables, picture, planners

CUP = """
tournament: cup
seed: 3
games:
  - {game: bomber, name: short, params: {max_ticks: 12}}
  - {game: navigation, name: alone, params: {width: 12, height: 10}}
bots:
  - {name: astar, bot: "*/astar"}
  - {name: beam, bot: "*/beam"}
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "cup.yaml").write_text(CUP)
    return tmp_path / "cup.yaml"


def test_every_tournament_of_the_planners_cup_is_a_right_file(tmp_path: Path) -> None:
    wanted = list(study.cup.tournaments(study.cup.CUP, matches=240))
    entries = yaml.safe_load(study.cup.CUP.read_text())["games"]
    assert len({(one.limit, one.game) for one in wanted}) == len(wanted) == len(study.cup.LIMITS) * len(entries)
    for number, one in enumerate(wanted):
        file = tmp_path / f"{number}.yaml"
        file.write_text(yaml.safe_dump(one.tournament))
        loaded = load_tournament(file, known_bots=KnownBots())
        assert loaded.config.time.clock == one.limit.partition("-")[0]
        work = study.cup.WORK.get(loaded.variants[0].game.spec.name, study.cup.USUAL_WORK)
        assert one.limit != "work" or loaded.config.time.turn_work == work
        assert isinstance(loaded.config.stop, Resolved) == (len(loaded.variants[0].sides) == 2)


def test_a_contest_stops_when_the_order_is_known_and_who_is_alone_plays_as_many_matches(cup: Path) -> None:
    short, alone, *_ = study.cup.tournaments(cup, matches=60)
    assert (short.tournament["stop"]["goal"], short.tournament["stop"]["max_matches"]) == ("order", 60)
    assert alone.tournament["format"] == {"type": "solo", "rounds": 15}
    assert "stop" not in alone.tournament


def test_what_is_played_is_kept_once_and_makes_the_tables_of_the_page(cup: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    wanted = [one for one in study.cup.tournaments(cup, matches=8) if one.limit == "work"]
    assert [study.cup.play(one, kept) for one in wanted * 2] == [True, True, False, False]
    left = sorted(path.name for path in (kept / "work" / "short").iterdir())
    assert left == ["environment.json", "results.csv.xz", "standings.csv", "verdict.txt"]

    found = cuts(kept)
    page = "# Words\n" + "".join(
        f"<!-- begin {name}: made by python -m study.cup -->\nold\n<!-- end {name} -->\n"
        for name in ("orders", "shares", "costs")
    )
    made = page_with_tables(page, found)
    assert made.startswith("# Words\n")
    assert "old" not in made
    assert re.search(r"^\| short \| work \| .+ \| – \| (yes|no) \| 8 \|  \|$", made, re.MULTILINE)
    assert re.search(r"^\| alone \| work \| .+ \| – \| – \| 4 \|  \|$", made, re.MULTILINE)
    assert made.count("nodes") >= 4
    assert page_with_tables(made, found) == made
    assert ET.fromstring(picture(found)).tag.endswith("svg")


def test_a_tournament_played_again_leaves_everything_and_its_reduced_tables_are_the_kept_ones(
    cup: Path, tmp_path: Path
) -> None:
    alone = next(one for one in study.cup.tournaments(cup, matches=4) if (one.limit, one.game) == ("work", "alone"))
    folder = study.cup.play_whole(alone, tmp_path / "again")
    assert folder == tmp_path / "again" / "work" / "alone"
    left = {path.name for path in folder.iterdir()}
    assert {"records", "turns.csv.gz", "metrics.csv", "report.html", "results.csv"} <= left

    for name in ("one", "other"):
        study.cup.keep_tables(folder, tmp_path / name)
    assert (tmp_path / "one" / RESULTS).read_bytes() == (tmp_path / "other" / RESULTS).read_bytes()
    whole, kept = pd.read_csv(folder / "results.csv"), pd.read_csv(tmp_path / "one" / RESULTS)
    pd.testing.assert_frame_equal(kept, whole[list(study.cup.KEPT_COLUMNS)])


def test_who_plays_a_row_again_is_told_whether_it_agrees(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study.cup, "CUP", cup)
    kept, chosen = tmp_path / "kept", ["--limits", "work", "--games", "alone", "--matches", "8", "--jobs", "1"]
    [alone] = [one for one in study.cup.tournaments(cup, matches=8) if (one.limit, one.game) == ("work", "alone")]
    study.cup.play(alone, kept)
    say = [*chosen, "--kept", str(kept), "--again", str(tmp_path / "again")]
    assert study.cup.main(say) == 0
    assert capsys.readouterr().out.endswith(": 4 of 4 kept seats acted and scored the same\n")

    table = kept / "work" / "alone" / RESULTS
    then = pd.read_csv(table, dtype=str, keep_default_na=False)
    then.loc[1, "actions_id"] = "other"
    then.drop(index=3).to_csv(table, index=False)
    assert study.cup.main(say) == 1
    assert capsys.readouterr().out.endswith(": 2 of 3 kept seats acted and scored the same\n")
    assert study.cup.main([*say, "--kept", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out.endswith(": nothing kept\n")


def test_a_game_that_the_cup_does_not_have_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert study.cup.main(["--games", "bomber", "chess"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("study.cup: --games: expected some of bomber, ")
    assert said.endswith(", got chess\n")


def test_a_tournament_that_cannot_be_played_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup.yaml").write_text(CUP.replace("*/beam", "*/beem"))
    monkeypatch.setattr(study.cup, "CUP", tmp_path / "cup.yaml")
    assert study.cup.main(["--again", str(tmp_path / "again")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("study.cup: ")
    assert said.err.count("\n") == 1
    assert "beem" in said.err


def test_the_page_shows_the_kept_tables() -> None:
    """If not: `python -m study.cup --page`."""
    page = PAGE.read_text("utf-8")
    found = cuts(study.cup.KEPT)
    wanted = study.cup.tournaments(study.cup.CUP, matches=study.cup.MATCHES)
    assert {(each.limit, each.game) for each in found} == {(one.limit, one.game) for one in wanted}
    assert [each.limit for each in found[: len(ORDER)]] == [*study.cup.LIMITS]
    assert {tuple(planners([each])) for each in found} == {("astar", "beam", "dijkstra_map", "dstar_lite")}
    assert page_with_tables(page, found) == page
    matches = re.findall(r"\| work \| [^|]+ \| [^|]* \| no \| (\d+) \|", page)
    assert sorted(matches) == ["120", "240", "240", "240"]  # half of them in bomber, as the page says
    for each in found:  # a busy machine must not decide which matches count
        assert each.counted["match_id"].nunique() >= 0.95 * each.results["match_id"].nunique(), (each.limit, each.game)


def test_who_is_no_better_than_the_floor_is_in_no_order() -> None:
    rows = [("a", 0, "A"), ("b", 1, "B"), ("c", 0, "B"), ("d", 1, "C")]
    cut = Cut("work", "game", pd.DataFrame(rows, columns=["bot", "separated", "group"]), pd.DataFrame(), "")
    assert cut.order() == "a > b ≈ c > d"
    assert (cut.order(["a", "c"]), cut.order(["b", "c"])) == ("a > c", "b ≈ c")
    assert cut.order([]) == "search does not matter here"


def test_the_tables_say_what_does_not_count_who_forfeited_and_who_was_late() -> None:
    rows = [  # match, bot, whether it counts, answers, faults, whether it was forfeited
        ("a", "quick", 1, 10, 0, 0), ("a", "slow", 1, 9, 10, 1),
        ("b", "quick", 1, 10, 0, 0), ("b", "slow", 1, 10, 0, 0),
        ("c", "quick", 0, 10, 10, 1),
    ]  # fmt: skip
    results = pd.DataFrame(rows, columns=["match_id", "bot", "counted", "turns_acted", "faults", "forfeited"])
    cut = Cut("cpu-2ms", "game", pd.DataFrame(), results, "")
    assert cut.matches() == "2 of 3"
    assert cut.forfeited() == "50 %"
    assert (cut.late_pct("quick"), cut.late_pct("slow")) == (0.0, 50.0)
    honest = Cut("work", "game", pd.DataFrame(), results[results["match_id"] == "b"], "")
    assert (honest.matches(), honest.forfeited()) == ("1", "")
