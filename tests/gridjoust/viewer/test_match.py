"""A record as the viewer gets it: seats and their secrets, answers and their costs, events."""

from __future__ import annotations

import gzip
import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust import games
from gridjoust.bots.api import Bot, Observation
from gridjoust.drawing.find import ROOM
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame
from gridjoust.runner.results.records.file import write_record
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, TurnLine
from gridjoust.runner.results.records.reasons import reason_of
from gridjoust.runner.results.replay import replay
from gridjoust.runner.wire.errors import OtherVersionError
from gridjoust.simulation import play
from gridjoust.viewer.files import match_view_of
from gridjoust.viewer.match import match_view, plain_drawing
from gridjoust.viewer.page import MODULES, match_page, script, static
from tests.doubles.games.reference import Pile
from tests.joust_here import joust


@pytest.fixture(scope="module")
def bomber() -> MatchRecord:
    params = {"max_ticks": 400, "hidden": True}
    return play("bomber", ["random", "bomber/dijkstra_map"], seed=7, params=params).record


@pytest.fixture(scope="module")
def shown(bomber: MatchRecord) -> dict[str, Any]:
    return match_view(bomber, named="cup/ab", logs={0: "ouch", 1: ""})


def test_every_turn_has_a_frame_for_those_who_see_everything_and_for_each_seat(
    bomber: MatchRecord, shown: dict[str, Any]
) -> None:
    assert shown["turns"] == bomber.end.turns
    assert [len(track["frames"]) for track in shown["tracks"]] == [bomber.end.turns + 1] * 3
    assert (shown["named"], shown["logs"]) == ("cup/ab", {"0": "ouch"})


def test_what_was_played_and_what_it_cost_is_what_the_record_says(bomber: MatchRecord, shown: dict[str, Any]) -> None:
    lines = [line for line in bomber.lines if isinstance(line, TurnLine)]
    told = [{seat: shown["texts"][text] for seat, text in turn.items()} for turn in shown["played"]]
    assert told == [{}, *(line.actions for line in lines)]
    answers = [answer for answer in bomber.answers if answer.seat == 1]
    columns = shown["answers"]["1"]
    assert columns["turn"] == [answer.turn for answer in answers]
    assert columns["expanded"] == [answer.expanded for answer in answers]
    assert "expanded" not in shown["answers"]["0"]


def test_a_seat_has_one_colour_on_the_board_and_in_its_lines() -> None:
    record = play("heroquest", ["random"] * 3, seed=1, params={"max_game_rounds": 1}).record
    assert [seat["ink"] for seat in match_view(record)["seats"]] == ["seat-0", "seat-1", "violet"]
    chips = play("ricochet", ["random"], seed=1, params={"mode": "solve", "positions": 1}).record
    assert [seat["ink"] for seat in match_view(chips)["seats"]] == ["seat-0"]


def test_scores_faults_and_the_end_are_events_in_order(bomber: MatchRecord) -> None:
    fault = msgspec.convert({"turn": 3, "seat": 1, "fault": "late", "detail": "\x1b[31mno"}, FaultLine)
    faulty = msgspec.structs.replace(bomber, lines=[fault, *bomber.lines])
    events = match_view(faulty)["events"]
    assert [3, "late", 1, "?[31mno"] in events
    assert {"score", "end"} <= {kind for _, kind, _, _ in events}
    assert events[-1] == [bomber.end.turns, "end", None, reason_of(bomber.header, bomber.end)]
    assert [turn for turn, *_ in events] == sorted(turn for turn, *_ in events)


class Careless(Bot):
    """Lays bombs and stays where they are."""

    def act(self, observation: Observation) -> str:
        return "bomb" if "bomb" in observation.legal else "wait"


def test_a_seat_that_is_hit_and_dies_is_an_event_each_time() -> None:
    params: dict[str, Any] = {"map": "0..\n.#.\n..1", "bomb_ticks": 3, "player_hp": 2, "max_ticks": 200}
    events = match_view(play("bomber", [Careless, "random"], seed=1, params=params).record)["events"]
    own = [(kind, text) for _, kind, seat, text in events if seat == 0 and kind in ("hit", "death")]
    assert own[0] == ("hit", "2 HP to 1 HP")
    assert own[-1][0] == "death"
    assert own[-1][1].startswith("died in tick")


def test_where_nothing_is_hidden_seats_share_one_track() -> None:
    record = play("ricochet", ["random", "random"], seed=1, params={"mode": "solve", "positions": 2}).record
    everything, *seats = match_view(record)["tracks"]
    assert seats == [0, 0]
    assert everything["layers"][0] == "ground"


def test_a_page_may_do_without_what_each_seat_could_see(bomber: MatchRecord, shown: dict[str, Any]) -> None:
    [track] = match_view(bomber, has_seats=False)["tracks"]
    assert len(track["frames"]) == len(shown["tracks"][0]["frames"])


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("bomber", {"max_ticks": 12, "hidden": False}),
        ("placement", {}),
        ("ricochet", {"mode": "solve", "positions": 1}),
    ],
)
def test_drawings_that_are_made_once_for_all_seats_are_those_of_each_seat(name: str, params: dict[str, Any]) -> None:
    game, room = games.make(name, params, seats=2), find_room(name, ROOM)
    assert game.spec.perfect_information
    assert room.SEATS_SEE_ALIKE
    record = play(name, ["random", "random"], seed=1, params=params).record
    states = [moment.state for moment in islice(replay(record), 12)]
    for at, state in enumerate(states):
        everything = room.draw(game, state, states[:at])
        assert all(room.draw(game, state, states[:at], seat=seat) == everything for seat in range(game.seats))


def test_a_game_without_drawings_is_shown_as_its_text() -> None:
    pile: AnyGame = Pile()
    drawing = plain_drawing(pile, pile.initial_state(1))
    text = pile.render(pile.initial_state(1))
    assert len(drawing.layers[0].shapes) == len("".join(text.split()))
    assert drawing.height == len(text.splitlines())


def test_other_rules_than_those_installed_are_named(bomber: MatchRecord) -> None:
    other = msgspec.structs.replace(bomber, header=msgspec.structs.replace(bomber.header, game_version="0"))
    with pytest.raises(OtherVersionError, match="expected rules of bomber 0, got"):
        match_view(other)


def test_a_long_match_is_small(shown: dict[str, Any]) -> None:
    assert len(gzip.compress(match_page(shown).encode())) < 100_000  # of 400,000 for 1,800 ticks


def test_a_record_of_a_results_folder_can_be_asked_about_and_one_alone_cannot(
    bomber: MatchRecord, tmp_path: Path
) -> None:
    path = tmp_path / "my cup" / "records" / f"{bomber.header.match_id}.jsonl"
    path.parent.mkdir(parents=True)
    write_record(path, bomber)
    assert match_view_of(path, bomber)["named"] == ""
    (path.parent.parent / "tournament.yaml").touch()
    assert match_view_of(path, bomber)["named"] == f"'{path.as_posix()}'"


def test_replay_writes_one_page_that_holds_the_match_and_fetches_nothing(bomber: MatchRecord, tmp_path: Path) -> None:
    write_record(tmp_path / "match.jsonl", bomber)
    done = joust("replay", "match.jsonl", "--html", "out.html", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "page: out.html\n")
    page = (tmp_path / "out.html").read_text()
    data = page.split('id="match-data">')[1].split("</script>")[0]
    assert json.loads(data)["match"] == bomber.header.match_id
    assert "default-src 'none'" in page
    assert not any(word in page.replace("http://www.w3.org/2000/svg", "") for word in ("http:", "https:", "import "))
    refused = joust("replay", "match.jsonl", "--html", ".", folder=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_the_modules_of_the_page_fit_into_one_file() -> None:
    """Each comes after what it imports, every import is one of them, and no two of them define the same name."""
    names: list[str] = []
    for at, module in enumerate(MODULES):
        text = static(f"{module}.js")
        imported = re.findall(r'^import \{[^}]*\} from "\./([a-z]+)\.js";$', text, re.MULTILINE)
        assert len(imported) == text.count("\nimport ")
        assert set(imported) <= set(MODULES[:at])
        names += re.findall(r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names)) > 30
    assert "import {" not in script()
    assert "export " not in script()
