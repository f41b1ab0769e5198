"""`joust look`: recorded questions to a bot again, for what it shows; the record stays as it is."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust.recorded.search_trace import entrants_named, trace_searches
from gridjoust.recorded.source import load_source
from gridjoust.runner.results.records.file import list_records, read_record, write_record
from gridjoust.runner.wire.errors import ConfigError
from tests.joust_here import joust

CUP = """
tournament: cup
games: [{game: bomber, params: {preset: coderone, max_ticks: 40}}]
format: {type: round_robin, rounds: 1, swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
bots:
  - {name: gambit, bot: bomber/gambit}
  - {name: any, bot: random}
execution: {isolation: none, parallel: 1}
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a match of Gambit against a random bot, in its results folder."""
    folder = tmp_path_factory.mktemp("look")
    (folder / "cup.yaml").write_text(CUP)
    assert joust("run", "cup.yaml", folder=folder).returncode == 0
    [path] = list_records(folder / "results" / "cup")
    return path


@pytest.mark.gate
def test_gambit_shows_its_maps_and_their_sum_for_every_question_and_answers_as_it_did(record: Path) -> None:
    before = record.read_bytes()
    source = load_source(record)
    trace = trace_searches(source, entrants_named(source, "gambit"), first=1, last=99)
    [(seat, turns)] = trace.layers.items()
    assert source.record.header.seats[seat].bot == "gambit"
    assert list(turns) == [*range(1, 41)]
    names = {layer["name"] for layers in turns.values() for layer in layers}
    assert {"sum", "reward", "ammo", "safe"} <= names
    assert (trace.answered, trace.differences, trace.left_out) == (40, [], 0)
    assert record.read_bytes() == before


def test_only_the_turns_wanted_are_kept_and_a_changed_answer_is_told(record: Path, tmp_path: Path) -> None:
    played = read_record(record)
    seat = next(seat for seat, entry in enumerate(played.header.seats) if entry.bot == "gambit")
    answers = [
        msgspec.structs.replace(answer, action="other") if (answer.turn, answer.seat) == (3, seat) else answer
        for answer in played.answers
    ]
    path = tmp_path / "cup" / "records" / record.name
    path.parent.mkdir(parents=True)
    write_record(path, msgspec.structs.replace(played, answers=answers))
    (tmp_path / "cup" / "tournament.yaml").write_text((record.parent.parent / "tournament.yaml").read_text())
    source = load_source(path)
    trace = trace_searches(source, entrants_named(source, "gambit"), first=5, last=7)
    assert list(trace.layers[seat]) == [5, 6, 7]
    assert [(one.turn, one.recorded) for one in trace.differences] == [(3, "other")]


CHATTER = """
import sys
import gridjoust

class Chatter(gridjoust.Bot):
    def act(self, observation):
        print(f"turn {observation.turn}", "\\x1b[31m", file=sys.stderr)
        return observation.legal[0]
"""


@pytest.mark.gate
def test_what_a_bot_prints_stands_beside_the_turn(tmp_path: Path) -> None:
    (tmp_path / "chatter.py").write_text(CHATTER)
    (tmp_path / "cup.yaml").write_text(
        CUP.replace("bot: random", "path: chatter.py:Chatter").replace("max_ticks: 40", "max_ticks: 3")
    )
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    source = load_source(list_records(tmp_path / "results" / "cup")[0])
    with contextlib.chdir(tmp_path):
        trace = trace_searches(source, entrants_named(source, "any"), first=1, last=9)
    [turns] = trace.layers.values()
    told = {turn: [(layer["name"], layer["data"]) for layer in shown] for turn, shown in turns.items()}
    assert told == {turn: [("what it wrote", f"turn {turn} ?[31m")] for turn in (1, 2, 3)}


CRASHER = """
import sys
import gridjoust

class Crasher(gridjoust.Bot):
    def act(self, observation):
        if observation.turn == 2:
            raise KeyError("ammo")
        return observation.legal[0]
"""


@pytest.mark.gate
def test_a_bot_that_crashes_is_shown_up_to_its_crash_and_one_whose_file_is_gone_is_not_needed(tmp_path: Path) -> None:
    (tmp_path / "crasher.py").write_text(CRASHER)
    (tmp_path / "cup.yaml").write_text(
        CUP.replace("bot: random", "path: crasher.py:Crasher").replace("max_ticks: 40", "max_ticks: 3")
    )
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    [path] = list_records(tmp_path / "results" / "cup")
    with contextlib.chdir(tmp_path):
        source = load_source(path)
        trace = trace_searches(source, entrants_named(source, "any"), first=1, last=9)
    assert trace.crash == "turn 2: KeyError: 'ammo' (crasher.py line 8, in act)"
    [turns] = trace.layers.values()
    assert {turn: [layer["data"] for layer in shown] for turn, shown in turns.items()} == {
        1: [],
        2: ["KeyError: 'ammo' (crasher.py line 8, in act)"],
    }
    done = joust("look", str(path), "--bot", "any", "--yes", folder=tmp_path)
    assert done.stdout.splitlines() == [
        "any: 2 questions asked, 1 turn with debug layers",
        f"any crashed in {trace.crash}",
        "page: look.html",
    ]
    (tmp_path / "crasher.py").unlink()
    others = joust("look", str(path), "--bot", "gambit", "--yes", folder=tmp_path)
    assert (others.returncode, others.stdout.splitlines()[-1]) == (0, "page: look.html")


def test_a_bot_that_did_not_play_is_answered_with_those_that_did(record: Path) -> None:
    with pytest.raises(ConfigError, match=r"--bot: expected one of (gambit, any|any, gambit), got 'me'"):
        entrants_named(load_source(record), "me")


def test_the_page_has_the_layers_beside_the_match(record: Path, tmp_path: Path) -> None:
    done = joust("look", str(record), "--bot", "gambit", "--last", "4", folder=tmp_path)
    assert done.stdout.splitlines() == ["gambit: 4 questions asked, 4 turns with debug layers", "page: look.html"]
    page = (tmp_path / "look.html").read_text()
    shown: dict[str, Any] = json.loads(page.split('id="match-data">')[1].split("</script>")[0])
    assert shown["turns"] == 40
    [turns] = shown["search"]["layers"].values()
    assert [*turns] == ["1", "2", "3", "4"]
    film = ("look", str(record), "--bot", "gambit", "--last", "4", "--film", "thought.webp", "--layer")
    assert joust(*film, "sum", folder=tmp_path).stdout.splitlines()[1].startswith("film: thought.webp (4 frames, ")
    other = joust(*film, "mood", folder=tmp_path)
    assert other.stderr.startswith("joust: --layer: expected one of sum, reward, ")
    refused = joust("look", str(record), "--bot", "gambit", "--first", "99", folder=tmp_path)
    assert (refused.returncode, refused.stderr) == (2, "joust: --first: expected 1 to 41, got 99\n")
