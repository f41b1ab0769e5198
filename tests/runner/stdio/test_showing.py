"""What a bot shows in its answers is taken out of them, at the pace at which people look."""

from __future__ import annotations

import json

import pytest

from gridjoust.runner.stdio.showing import Showing
from gridjoust.runner.wire.shown import SHOWN_EVERY_S, SHOWN_LIMIT_BYTES, Pace

LAYER = {"name": "way", "kind": "path", "data": [0, 0, 1, 0]}


def answer_with(shown: object, *, seat: int = 0) -> bytes:
    return json.dumps({"type": "action", "match": "m", "seat": seat, "ask": 7, "action": "up", "shown": shown}).encode()


def test_the_answer_goes_on_without_its_layers_and_they_go_on_with_match_and_seat() -> None:
    bare, shown = Showing(lambda _: None).split(answer_with([LAYER]))
    assert json.loads(bare) == {"type": "action", "match": "m", "seat": 0, "ask": 7, "action": "up"}
    assert shown is not None
    assert json.loads(shown) == {"match": "m", "seat": 0, "shown": [LAYER]}


@pytest.mark.parametrize("text", [b'{"action":"up"}', b'{"action":"\\"shown\\""}', b'{"action":"shown","shown'])
def test_what_shows_nothing_stays_as_it_is(text: bytes) -> None:
    assert Showing(lambda _: None).split(text) == (text, None)


def test_layers_above_the_limit_are_dropped_and_the_log_says_so_once() -> None:
    marked: list[str] = []
    showing, longest = Showing(marked.append), "x" * (SHOWN_LIMIT_BYTES - 2)
    assert showing.split(answer_with(longest))[1] is not None
    for _ in range(2):
        bare, shown = showing.split(answer_with(longest + "x", seat=1))
        assert (json.loads(bare)["action"], shown) == ("up", None)
    assert marked == ["shown: expected at most 65536 bytes, got 65537: dropped, like all larger ones"]


def test_each_seat_is_shown_a_few_times_a_second_however_many_seats_a_bot_makes_up() -> None:
    now_s = 0.0
    pace = Pace(lambda: now_s)
    assert [pace.is_due(b"0"), pace.is_due(b"1"), pace.is_due(b"0")] == [True, True, False]
    now_s = SHOWN_EVERY_S
    assert pace.is_due(b"0")
    assert all(pace.is_due(b"%d" % seat) for seat in range(100, 1100))
    assert len(pace._passed_s) <= 64
