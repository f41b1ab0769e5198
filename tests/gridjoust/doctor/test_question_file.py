"""Questions in files: written, read back, refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gridjoust.doctor.question import load_question, message_of, save_question
from runner.wire.errors import ConfigError
from runner.wire.protocol import Limits, Start, TurnMessage

START = Start(
    match="m1",
    game="bomber",
    game_version="1",
    variant="bomber",
    params={},
    seats=[1],
    seat_count=2,
    teams=[0, 1],
    roles=["", ""],
    dynamics="simultaneous",
    briefing={"1": {"walls": 3}},
    bot_seed=9,
    limits=Limits(turn_ms=100, bank_ms=0, increment_ms=0, start_ms=1000),
    options={},
)
QUESTION = TurnMessage(
    match="m1", ask=0, seat=1, turn=7, view={"tick": 6}, legal=["up"], legal_complete=True, limit_ms=250
)


def test_a_saved_question_is_read_back(tmp_path: Path) -> None:
    save_question(tmp_path / "q.json", START, QUESTION)
    held = load_question(tmp_path / "q.json")
    assert held.start == START
    assert message_of(held, match="m1", seat=1) == QUESTION


def test_a_turn_message_as_it_stands_on_the_wire_is_a_question(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_bytes(msgspec.json.encode(QUESTION))
    held = load_question(tmp_path / "q.json")
    assert (held.seat, held.turn, held.legal, held.start) == (1, 7, ["up"], None)


def test_an_object_without_an_observation_is_the_observation(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text('{"tick": 6, "hp": 3}')
    held = load_question(tmp_path / "q.json")
    assert held.view == {"tick": 6, "hp": 3}
    assert (held.seat, held.legal, held.legal_complete) == (None, [], False)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[1, 2]", "Expected `object`, got `array`"),
        ("{", "Input data was truncated"),
        ('{"observation": 3}', "Expected `object`, got `int` - at `$.observation`"),
    ],
)
def test_what_is_no_question_is_refused_in_one_line(tmp_path: Path, text: str, part: str) -> None:
    (tmp_path / "q.json").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_question(tmp_path / "q.json")
    assert "q.json: expected a question (JSON), got: " in str(caught.value)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
