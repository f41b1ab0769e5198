"""A running match as events: what is drawn is what everyone may see, and nothing is told twice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gridjoust import games
from gridjoust.drawing.find import draw_state
from gridjoust.games.drawing import PUBLIC
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord
from gridjoust.runner.results.replay import replay
from gridjoust.runner.wire.errors import RecordError
from gridjoust.simulation import play
from gridjoust.viewer.frames import Shapes, Track
from gridjoust.viewer.live_page.match import RunningMatch


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return play("bomber", ["bomber/wanderer", "random"], seed=3, params={"max_ticks": 40}).record


def shown(events: list[dict[str, Any]]) -> list[list[Any]]:
    """The shapes of each layer after all events, as a page puts them together."""
    shapes: list[Any] = []
    layers: list[list[int]] = []
    for event in events:
        shapes += event["shapes"]
        layers += [[] for _ in event.get("layers", layers)[len(layers) :]]
        for at, gone, put in event["frame"]:
            kept = [one for one in layers[at] if one not in gone]
            for place, number in zip(put[::2], put[1::2], strict=True):
                kept.insert(place, number)
            layers[at] = kept
    return [[shapes[number] for number in layer] for layer in layers]


def test_events_add_up_to_what_everyone_may_see_however_many_turns_go_into_one(record: MatchRecord) -> None:
    match, moments = RunningMatch(record.header), list(replay(record))
    game = games.make("bomber", record.header.params, seats=2)
    events = [match.draw()]
    for first, last in ((0, 1), (1, 9), (9, 10), (10, 40)):
        match.hear(record.lines[first:last])
        events.append(match.draw())
        states = [moment.state for moment in moments]
        public = draw_state(game, states[last], past=states[:last], seat=PUBLIC)
        shapes = Shapes()
        track = Track(shapes)
        track.add(public)
        expected = [[shapes.listed[number] for number in put[1::2]] for _, _, put in track.as_json()["frames"][0]]
        assert [layer for layer in shown(events) if layer] == expected
    assert [event["turn"] for event in events] == [0, 1, 9, 10, 40]


def test_what_has_not_changed_is_not_told_again_and_the_end_is(record: MatchRecord) -> None:
    match = RunningMatch(record.header)
    first, second = match.draw(), match.draw()
    assert {"width", "height", "layers", "panel", "legend"} <= first.keys()
    assert second.keys() == {"match", "turn", "stamp", "shapes", "frame"}
    assert (second["shapes"], second["frame"]) == ([], [])
    match.hear([*record.lines, record.end])
    assert match.draw()["end"]["ranks"] == record.end.ranks


def scores_in(event: dict[str, Any]) -> list[str]:
    return [standing[3] for standing in event["panel"]]


def test_scores_that_the_rules_hide_are_told_after_the_end_and_not_before(record: MatchRecord) -> None:
    match = RunningMatch(record.header)
    match.hear(record.lines)
    assert match.begin()["begin"]["hides_scores"]
    assert scores_in(match.draw()) == ["", ""]
    match.hear([record.end])
    assert scores_in(match.draw()) == [f"{seat['score']:.0f} points" for seat in record.end.metrics]


def test_scores_that_everyone_may_see_are_told_all_the_time() -> None:
    record = play("bomber", ["random", "random"], seed=3, params={"max_ticks": 4, "hidden": False}).record
    match = RunningMatch(record.header)
    assert not match.begin()["begin"]["hides_scores"]
    assert scores_in(match.draw()) == ["0 points", "0 points"]


def test_a_match_with_a_lost_turn_tells_no_scores_after_its_end(record: MatchRecord) -> None:
    match = RunningMatch(record.header)
    match.hear([*record.lines[:3], *record.lines[4:], record.end])
    assert scores_in(match.draw()) == ["", ""]


def test_after_a_turn_that_was_lost_the_board_stands_still_and_says_so(record: MatchRecord) -> None:
    match = RunningMatch(record.header)
    match.hear([*record.lines[:3], *record.lines[4:]])
    told = match.draw()
    assert (told["turn"], told["is_broken"]) == (3, True)


def test_faults_go_without_their_details(record: MatchRecord) -> None:
    lines = [{"type": "fault", "turn": 1, "seat": 1, "fault": "illegal", "detail": "my secret"}]
    match = RunningMatch(record.header)
    match.hear(msgspec.convert(lines, list[FaultLine]))
    told = match.draw()
    assert told["faults"] == [0, 1]
    assert "secret" not in str(told)


def test_rules_that_are_not_installed_are_refused(record: MatchRecord) -> None:
    with pytest.raises(RecordError, match="expected rules of bomber 0"):
        RunningMatch(msgspec.structs.replace(record.header, game_version="0"))
