"""`import gridjoust as joust`: what is there, and that it is the thing itself."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import gridjoust as joust
from gridjoust.runner.wire.errors import ConfigError
from tests.doubles.games.reference import Pile

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 8}}]
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: ISOLATION, parallel: 1}
bots: [{name: a, bot: random}, {name: b, bot: bomber/wanderer}]
"""


def write_cup(folder: Path, isolation: str = "none") -> Path:
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("ISOLATION", isolation))
    return file


def test_what_a_type_checker_is_told_is_what_is_there() -> None:
    promised = re.findall(r"^    from \S+ import \S+ as (\w+)$", inspect.getsource(joust), flags=re.MULTILINE)
    assert len(promised) > 25
    assert sorted(promised) == dir(joust)
    assert all(hasattr(joust, name) for name in promised)


def test_names_are_the_things_themselves_whatever_was_imported() -> None:
    from gridjoust import bots, games, simulation, tournament

    assert (joust.Bot, joust.Game) == (bots.api.Bot, games.api.Game)
    assert joust.IllegalAction is games.api.IllegalAction
    assert (joust.play, joust.run) == (simulation.play, tournament.run)
    with pytest.raises(AttributeError, match="module 'gridjoust' has no attribute 'plya'"):
        _ = joust.plya


def test_a_match_statistics_and_results_are_at_hand() -> None:
    played = joust.play("bomber", ["bomber/astar", "random"], seed=1, params={"max_ticks": 60})
    assert isinstance(played, joust.Played)
    assert sum(points or 0 for points in played.points) == 1
    assert joust.statistics.elo_from_wdl(76, 123, 89).score == pytest.approx((76 + 123 / 2) / 288)
    sample = joust.load(Path(__file__).parents[2] / "results" / "sample")
    assert isinstance(sample, joust.Tables)
    assert set(sample.results["bot"]) == {"gambit", "random", "wanderer"}


TestPile = joust.game_tests(Pile, golden=Path(__file__).parents[1] / "doubles/games/golden/pile.jsonl")


@pytest.mark.gate
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_tournament_is_played_to_its_tables(tmp_path: Path, isolation: str) -> None:
    heard: list[str] = []
    tables = joust.run(
        write_cup(tmp_path, isolation), out=tmp_path / "out", on_match=lambda played: heard.append(played.pairing.game)
    )
    assert (len(tables.results), heard) == (4, ["bomber", "bomber"])
    assert set(tables.standings["bot"]) == {"a", "b"}
    assert (tmp_path / "out" / "cup" / "report.html").is_file()


@pytest.mark.gate
async def test_a_tournament_is_played_inside_a_running_loop(tmp_path: Path) -> None:
    assert len(joust.run(write_cup(tmp_path), out=tmp_path / "out").results) == 4


@pytest.mark.gate
def test_results_are_kept_unless_told_otherwise_and_a_mistake_in_the_file_is_said(tmp_path: Path) -> None:
    file, out = write_cup(tmp_path), tmp_path / "out"
    joust.run(file, out=out)
    with pytest.raises(ConfigError, match="has results: --resume plays what is missing"):
        joust.run(file, out=out)
    assert len(joust.run(file, out=out, resume=True).results) == 4
    assert len(joust.run(file, out=out, overwrite=True, parallel=2).results) == 4
    file.write_text(file.read_text().replace("bomber,", "bombr,"))
    with pytest.raises(ConfigError, match="expected bomber, got 'bombr'"):
        joust.run(file)


def test_too_few_files_for_an_event_loop_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (12, 12))
    with pytest.raises(ConfigError, match="ulimit -n: expected at least 24 open files, got 12"):
        joust.run(write_cup(tmp_path), out=tmp_path / "out")
