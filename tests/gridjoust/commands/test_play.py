"""A person plays: keys in, drawings out, a record that verifies."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gridjoust.commands.play import _play_until_undo, show_wrapped
from gridjoust.runner.results.tables.frames import Tables, load
from gridjoust.runner.wire.errors import BrokerError
from tests.doubles.clock import settle
from tests.joust_here import joust


def play(folder: Path, typed: str, *arguments: str) -> tuple[str, Tables]:
    """What was shown, and the tables; the record is right."""
    folder.mkdir(exist_ok=True)
    done = joust("play", *arguments, folder=folder, typed=typed)
    assert done.returncode == 0, done.stderr
    assert joust("verify", "results", folder=folder).returncode == 0
    [results] = (folder / "results").iterdir()
    return done.stdout, load(results)


def bomber(max_ticks: int) -> tuple[str, str, str]:
    return "bomber", "--param", f"max_ticks={max_ticks}"


@pytest.mark.gate
def test_a_person_may_leave_and_a_bot_gives_advice_and_plays_on(tmp_path: Path) -> None:
    _, tables = play(tmp_path / "left", "d\nquit\n", *bomber(50))
    assert set(tables.results["termination"]) == {"crashed"}
    assert "the person left" in tables.results["reason"].iloc[0]
    shown, tables = play(tmp_path / "stayed", "hint\nd\nauto\n", *bomber(6))
    assert (shown.count("the bot would answer: "), shown.count("the bot answers: ")) == (1, 5)
    assert set(tables.results["termination"]) == {"completed"}


@pytest.mark.gate
def test_a_bot_of_ones_own_sits_in_the_other_seat(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import gridjoust\n\n\nclass Mine(gridjoust.Bot):\n    def act(self, question):\n        return 'wait'\n"
    )
    _, tables = play(tmp_path, "d\nd\n", *bomber(2), "--bot", "mine.py")
    assert set(tables.results["bot"]) == {"you", "mine-1"}
    assert set(tables.results["termination"]) == {"completed"}


@pytest.mark.gate
def test_the_papers_keys_show_a_planned_way_and_let_the_bot_play_on(tmp_path: Path) -> None:
    shown, _ = play(tmp_path, "p\nu\n", "eidolon", "--preset", "exp1", "--heroes", "1")
    assert "*" in shown.partition("the bot would answer: move")[0]
    assert "completed: " in shown


@pytest.mark.gate
def test_what_was_taken_back_is_not_in_the_record_and_nothing_is_against_others(tmp_path: Path) -> None:
    params = ("--param", "map=.....", "--param", "start=0,0", "--param", "goal=3,0")
    shown, tables = play(tmp_path / "alone", "d\na\nundo\nd\nl\nl\nundo\nundo\nd\n", "navigation", *params)
    assert shown.count("taken back: ") == 3
    assert list(tables.turns["action"]) == ["E", "E", "E"]
    shown, tables = play(tmp_path / "two", "d\nundo\nd\n", *bomber(2))
    assert "undo works only in single-player games without a clock" in shown
    assert set(tables.results["termination"]) == {"completed"}


def test_a_hint_remembers_what_was_sensed_before_it_was_asked_for(tmp_path: Path) -> None:
    params = ["map=..#..\n.#...\n.....", "start=0,0", "goal=4,0", "knowledge=unknown", "connectivity=4"]
    options = [word for param in params for word in ("--param", param)]
    shown, _ = play(tmp_path, "d\na\nhint\nauto\n", "navigation", *options)  # the wall is out of sight by then
    assert shown.partition("the bot would answer: ")[2].startswith("S\n")


@pytest.mark.gate
@pytest.mark.parametrize(
    ("game", "limit"),
    [("placement", "max_game_rounds=2"), ("heroquest", "max_game_rounds=2"), ("navigation", "max_turns=40")],
)
def test_every_game_can_be_played(tmp_path: Path, game: str, limit: str) -> None:
    shown, tables = play(tmp_path, "?\nhint\nauto\n", game, "--param", limit)
    assert "the bot would answer: " in shown
    assert set(tables.results["termination"]) == {"completed"}
    assert tables.results["faults"].sum() == 0


@pytest.mark.gate
def test_the_seat_can_be_chosen_and_the_bot_with_its_skill_against_which_a_person_bids(tmp_path: Path) -> None:
    shown, _ = play(tmp_path / "seated", "d\n", *bomber(1), "--seat", "1", "--bot", "random")
    assert "You play bomber in seat 1" in shown
    rules = ("--param", "max_rounds=1", "--param", "think_s=1.0", "--param", "sand_s=0.2")
    shown, _ = play(
        tmp_path / "bid", "rE\n30\np\n?\n", "ricochet", *rules, "--bot", "ricochet/beam", "--option", "skill=1"
    )
    assert "bidding: bring" in shown


def test_long_lines_are_broken_between_words_and_boards_are_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    show_wrapped("#..........#\nexpected one of up, down, left, right\n" + "#" * 30)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["#..........#", "expected one of up,", "down, left, right", "#" * 30]


async def test_a_command_that_is_cancelled_ends_its_match_before_the_broker_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[str] = []

    async def match(*arguments: object, **options: object) -> None:
        steps.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            steps.append("ended")
            raise BrokerError("expected an open connection, got: closed")

    monkeypatch.setattr("gridjoust.commands.play.run_tournament", match)
    person: Any = SimpleNamespace()
    nothing: Any = None
    playing = asyncio.create_task(_play_until_undo(nothing, nothing, person, []))
    await settle()
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert steps == ["begun", "ended"]
