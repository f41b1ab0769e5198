"""A person plays: keys in, drawings out, a record that verifies."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.tables import load
from tests.joust_here import joust


def test_a_person_may_leave(tmp_path: Path) -> None:
    done = joust("play", "bomber", "--param", "max_ticks=50", folder=tmp_path, typed="d\nquit\n")
    results = load(tmp_path / "results" / "play-bomber-1").results
    assert done.returncode == 0
    assert set(results["termination"]) == {"crashed"}
    assert "the person left" in results["reason"].iloc[0]


def test_a_bot_gives_advice_and_plays_on(tmp_path: Path) -> None:
    done = joust("play", "bomber", "--param", "max_ticks=6", folder=tmp_path, typed="hint\nd\nauto\n")
    assert done.stdout.count("the bot would answer: ") == 1
    assert done.stdout.count("the bot answers: ") == 5
    assert set(load(tmp_path / "results" / "play-bomber-1").results["termination"]) == {"completed"}


def test_the_papers_keys_show_a_planned_way_and_let_the_bot_play_on(tmp_path: Path) -> None:
    done = joust("play", "eidolon", "--preset", "exp1", "--heroes", "1", folder=tmp_path, typed="p\nu\n")
    assert done.returncode == 0, done.stderr
    assert "*" in done.stdout.partition("the bot would answer: move")[0]
    assert "completed: " in done.stdout
    assert joust("verify", "results", folder=tmp_path).returncode == 0


STRAIGHT = ("navigation", "--param", "map=.....", "--param", "start=0,0", "--param", "goal=3,0")


def test_what_was_taken_back_is_not_in_the_record(tmp_path: Path) -> None:
    done = joust("play", *STRAIGHT, folder=tmp_path, typed="d\na\nundo\nd\nl\nl\nundo\nundo\nd\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("taken back: ") == 3
    answers = load(tmp_path / "results" / "play-navigation-1").turns
    assert list(answers["action"]) == ["E", "E", "E"]
    assert joust("verify", "results", folder=tmp_path).returncode == 0


def test_nothing_is_taken_back_against_others(tmp_path: Path) -> None:
    done = joust("play", "bomber", "--param", "max_ticks=2", folder=tmp_path, typed="d\nundo\nd\n")
    assert "expected a game that you play alone and without a clock, got 'undo'" in done.stdout
    assert set(load(tmp_path / "results" / "play-bomber-1").results["termination"]) == {"completed"}


def test_a_hint_remembers_what_was_sensed_before_it_was_asked_for(tmp_path: Path) -> None:
    params = ["map=..#..\n.#...\n.....", "start=0,0", "goal=4,0", "knowledge=unknown", "connectivity=4"]
    options = [word for param in params for word in ("--param", param)]
    done = joust(
        "play", "navigation", *options, folder=tmp_path, typed="d\na\nhint\nauto\n"
    )  # the wall is out of sight by then
    assert done.stdout.partition("the bot would answer: ")[2].startswith("S\n")


@pytest.mark.parametrize(
    ("game", "limit"),
    [("placement", "max_game_rounds=2"), ("heroquest", "max_game_rounds=2"), ("navigation", "max_turns=40")],
)
def test_every_game_can_be_played(tmp_path: Path, game: str, limit: str) -> None:
    done = joust("play", game, "--param", limit, folder=tmp_path, typed="?\nhint\nauto\n")
    assert done.returncode == 0, done.stderr
    assert "the bot would answer: " in done.stdout
    results = load(tmp_path / "results" / f"play-{game}-1").results
    assert set(results["termination"]) == {"completed"}
    assert results["faults"].sum() == 0
    assert joust("verify", "results", folder=tmp_path).returncode == 0


def test_the_seat_can_be_chosen(tmp_path: Path) -> None:
    done = joust(
        "play", "bomber", "--param", "max_ticks=1", "--seat", "1", "--bot", "random", folder=tmp_path, typed="d\n"
    )
    assert "You play bomber in seat 1" in done.stdout


def test_a_person_bids_against_a_bot_of_little_skill(tmp_path: Path) -> None:
    rules = ("--param", "max_rounds=1", "--param", "think_s=1.0", "--param", "sand_s=0.2")
    bot = ("--bot", "ricochet/beam", "--option", "skill=1")
    done = joust("play", "ricochet", *rules, *bot, folder=tmp_path, typed="rE\n30\np\n?\n")
    assert done.returncode == 0, done.stderr
    assert "bidding: bring" in done.stdout
    assert joust("verify", "results", folder=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["chess"], "play: expected"),
        (["bomber", "--param", "max_tiks=3"], "play: max_tiks: expected"),
        (["bomber", "--advisor", "randm"], "--advisor: expected random, got 'randm'"),
        (["bomber", "--seat", "5"], "--seat: expected 0 to 1, got 5"),
        (
            ["bomber", "--seats", "2", "--bot", "random", "--bot", "random"],
            "--bot: expected 1 bots for bomber with 2 seats, got 2",
        ),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, arguments: list[str], line: str) -> None:
    done = joust("play", *arguments, folder=tmp_path, typed="")
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
