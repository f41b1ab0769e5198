"""Lines of running matches for the live boards: sent while somebody watches, and then from the beginning."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgspec

from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.serve.play.spectators import BoardPipe, LineSender
from tests.gridjoust.serve.classroom import record_of

RECORD = record_of("ada@1", "bob@1", 1.0)
NO_GAME: Any = None
LINES = msgspec.json.Decoder(tuple[str, list[Header | TurnLine | FaultLine | EndLine]])


class Pipe:
    """A pipe that keeps what is written; `unread` is how much of it the other end has not read."""

    def __init__(self) -> None:
        self.messages: list[list[str]] = []
        self.unread = 0

    def write(self, text: bytes) -> None:
        match_id, lines = LINES.decode(text)
        assert match_id == "m1"
        self.messages.append([f"turn {one.turn}" if isinstance(one, TurnLine) else type(one).__name__ for one in lines])

    def get_write_buffer_size(self) -> int:
        return self.unread


def turn(number: int) -> TurnLine:
    return TurnLine(turn=number, stamp=0, actions={}, hash="")


def begun() -> tuple[Pipe, BoardPipe, LineSender]:
    pipe = Pipe()
    boards = BoardPipe(cast(asyncio.WriteTransport, pipe))
    sender = LineSender("m1", boards)
    sender.begin(NO_GAME, RECORD.header)
    sender.turn(None, [turn(1)])
    return pipe, boards, sender


def test_nothing_is_sent_while_nobody_watches() -> None:
    pipe, _, sender = begun()
    sender.end([RECORD.end])
    assert pipe.messages == []


def test_whoever_comes_within_a_match_gets_it_from_the_beginning_the_header_alone() -> None:
    pipe, boards, sender = begun()
    boards.is_watched = True
    sender.turn(None, [turn(2)])
    sender.turn(None, [turn(3)])
    assert pipe.messages == [["Header"], ["turn 1", "turn 2"], ["turn 3"]]


def test_the_end_of_a_match_that_was_shown_is_sent_even_if_nobody_watches_any_more() -> None:
    pipe, boards, sender = begun()
    boards.is_watched = True
    sender.turn(None, [turn(2)])
    boards.is_watched = False
    sender.turn(None, [turn(3)])
    assert len(pipe.messages) == 2
    sender.end([RECORD.end])
    assert pipe.messages[-1] == ["turn 3", "EndLine"]


def test_lines_wait_until_earlier_ones_are_read() -> None:
    pipe, boards, sender = begun()
    boards.is_watched, pipe.unread = True, 1 << 24
    sender.turn(None, [turn(2)])
    assert pipe.messages == []
    pipe.unread = 0
    sender.turn(None, [turn(3)])
    assert pipe.messages == [["Header"], ["turn 1", "turn 2", "turn 3"]]
