"""A bot's lines completed to messages of the protocol: which question is meant, who says `ready`, what is a fault."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from gridjoust.runner.stdio.translator import Translator
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.protocol import Action, BotError, Ready, decode_from_bot

MATCH = "m1"


def told(translator: Translator, *, written: int = 0, **message: Any) -> Any:
    """Put a message to the bot; what is published at once, decoded."""
    _, published = translator.on_message(json.dumps(message).encode(), written=written)
    return None if published is None else decode_from_bot(published)


def said(translator: Translator, line: str | dict[str, Any], **place: int) -> Any:
    """A line of the bot's; what is published of it, decoded as the referee does."""
    text = line if isinstance(line, str) else json.dumps(line)
    published = translator.on_line(text.encode() + b"\n", **place)
    return None if published is None else decode_from_bot(published)


def ask(translator: Translator, number: int, *, seat: int = 0, written: int = 0) -> Any:
    return told(translator, written=written, type="turn", match=MATCH, ask=number, seat=seat, legal=["up"])


def in_match(dynamics: str = "simultaneous", *, seats: Sequence[int] = (0,), **options: Any) -> Translator:
    """In a match, for which `ready` has been said."""
    translator = Translator(**options)
    told(translator, type="hello")
    translator.ready()
    told(translator, type="start", match=MATCH, dynamics=dynamics, seats=seats)
    translator.ready()
    return translator


def test_the_least_answer_becomes_an_action_to_the_question_and_a_whole_one_stays_as_it_is() -> None:
    translator = in_match(seats=[1])
    ask(translator, 7, seat=1)
    assert said(translator, {"action": "up"}) == Action(match=MATCH, ask=7, seat=1, action="up")
    ask(translator, 8, seat=1)
    whole = b'{"seq":3, "type":"action","match":"m1","ask":8,"seat":1,"action":"up" }\n'
    assert translator.on_line(whole) == whole


def test_answers_in_order_belong_to_questions_in_order_also_where_the_first_is_late() -> None:
    translator = in_match()
    for number in (5, 6):
        ask(translator, number)
    assert [said(translator, {"action": "up"}).ask for _ in range(2)] == [5, 6]
    assert said(translator, {"action": "up"}) is None  # nothing is asked


def test_an_answer_that_names_its_question_lets_older_ones_of_its_seat_go() -> None:
    translator = in_match()
    ask(translator, 5, seat=0)
    ask(translator, 6, seat=1)
    ask(translator, 7, seat=0)
    assert said(translator, {"action": "up", "ask": 7}).seat == 0
    assert said(translator, {"action": "up"}).ask == 6
    assert said(translator, {"action": "up"}) is None


def test_an_answer_that_names_its_seat_belongs_to_that_seats_question() -> None:
    translator = in_match()
    ask(translator, 5, seat=0)
    ask(translator, 6, seat=1)
    assert said(translator, {"action": "up", "seat": 1}).ask == 6
    assert said(translator, {"action": "up"}).ask == 5


def test_better_and_better_answers_are_numbered_and_the_next_question_ends_them() -> None:
    translator = in_match()
    ask(translator, 5)
    answers = [said(translator, {"action": "up", "final": False}) for _ in range(2)]
    assert [(answer.ask, answer.seq, answer.final) for answer in answers] == [(5, 0, False), (5, 1, False)]
    ask(translator, 6)
    assert said(translator, {"action": "up"}).ask == 6


def test_in_real_time_the_newest_question_is_meant_and_nobody_answers_ahead() -> None:
    translator = in_match("real_time")
    ask(translator, 5)
    ask(translator, 6, written=100)
    assert said(translator, {"action": "up"}, end=100) is None  # was on its way before
    assert said(translator, {"action": "up"}, end=118).ask == 6
    again = said(translator, {"action": "up"}, end=136)
    assert (again.ask, again.seq) == (6, 1)
    assert said(translator, {"action": "up", "ask": 6}, end=90).seq == 2  # it knew the number


DEBUG_OUTPUT = [
    "thinking ...", "up", '"up"', '"upward"', "[1]", "nul\x00l", "[INFO] {}", "[" * 5000, "{}", "{'x': 1}",
    '{"move": "up"}', "sending {'action': 'up'}", "{'last_action': 'up'}", "{\n  'x': 1,\n}",
]  # fmt: skip


@pytest.mark.parametrize("text", DEBUG_OUTPUT)
def test_a_line_without_an_answer_is_skipped_and_costs_nothing(text: str) -> None:
    skipped: list[str] = []
    translator = in_match(on_printed=skipped.append)
    for number in (5, 6):
        ask(translator, number)
        assert [said(translator, line) for line in text.split("\n")] == [None] * len(text.split("\n"))
        assert said(translator, {"action": "up"}).ask == number
    assert skipped == 2 * text.split("\n")


def test_a_bot_that_does_not_answer_is_told_the_first_line_that_came_since_it_was_asked() -> None:
    translator = in_match()
    assert said(translator, "I am a bot") is None
    ask(translator, 5)
    assert translator.silence() == ""
    assert [said(translator, line) for line in ("going up", "going down")] == [None, None]
    expected = 'standard output: expected a line such as {"action": "..."}, got '
    assert translator.silence() == f"{expected}'going up': print what is no answer to standard error"
    ask(translator, 6)
    assert translator.silence() == ""


def test_a_broken_answer_between_questions_is_a_fault_of_the_next_one_so_that_no_race_decides() -> None:
    translator = in_match()
    assert said(translator, "{'action': 'up'}") is None
    assert said(translator, "{'action': 'down'}") is None
    fault = ask(translator, 5)
    assert fault.ask == 5
    assert repr("{'action': 'up'}") in fault.message
    assert said(translator, {"action": "up"}) is None  # the question is closed
    assert ask(translator, 6) is None
    assert said(translator, {"action": "up"}).ask == 6


ANSWERS_GONE_WRONG = {
    "of another type": '{"type": "move", "action": "up"}',
    "of a type that is no text": '{"type": 7, "action": "up"}',
    "Infinity": '{"action": "up", "stats": {"plan_cost": Infinity}}',
    "NaN": '{"action": "up", "planning_ms": NaN}',
    "trailing comma": '{"action": "up",}',
    "single quotes": "{'action': 'up'}",
    "comment": '{"action": "up"} // comment',
    "two objects": '{"action": "up"}{"action": "up"}',
    "byte order mark": '\ufeff{"action": "up"}',
    "NUL before": '\0{"action": "up"}',
    "NUL after": '{"action": "up"}\0',
    "UTF-16": "\0".join('{"action": "up"}\0'),
    "in a list": '[{"action": "up"}]',
    "encoded twice": '"{\\"action\\": \\"up\\"}"',
    "incomplete": '{"action": "up"',
    "over several lines": '{\n  "action": "up",\n  "stats": {\n    "expanded": 3\n  }\n}',
    "over several lines of tabs": '{\n\t"action": "up"\n}\n',
    "as JavaScript prints it": "{\n  action: 'up',\n  stats: { expanded: 3 }\n}",
    "seat as text": '{"action": "up", "seat": "0"}',
    "seat of another bot": '{"action": "up", "seat": 1}',
    "unknown question": '{"action": "up", "ask": 4}',
    "question as text": '{"action": "up", "ask": "5"}',
    "match of its own": '{"action": "up", "match": "mine"}',
    "no match": '{"action": "up", "match": null}',
}


@pytest.mark.parametrize("text", ANSWERS_GONE_WRONG.values(), ids=ANSWERS_GONE_WRONG)
def test_what_was_meant_as_an_answer_is_one_fault_and_closes_its_question(text: str) -> None:
    translator = in_match()
    ask(translator, 5)
    faults = [fault for line in text.splitlines() if (fault := said(translator, line)) is not None]
    assert [(type(fault), fault.ask) for fault in faults] == [(BotError, 5)]
    assert ask(translator, 6) is None
    assert said(translator, {"action": "up"}).ask == 6


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ({"action": "up", "seat": "0"}, "seat: expected a number in [0], got '\"0\"'"),
        ({"action": "up", "seat": 1}, "seat: expected a number in [0], got '1'"),
        ({"action": "up", "ask": 4}, "ask: expected the number of a question, got '4'"),
        ({"action": "up", "match": "mine"}, 'match: expected "m1", got \'"mine"\''),
    ],
)
def test_a_seat_a_question_or_a_match_that_is_none_is_named(line: dict[str, Any], detail: str) -> None:
    translator = in_match()
    ask(translator, 5)
    assert said(translator, line).message == f"standard output: {detail}"


def test_an_incomplete_object_does_not_swallow_the_next_one() -> None:
    translator = in_match()
    for number in (5, 6, 7):
        ask(translator, number)
        assert said(translator, '{"action": "up"').ask == number
    ask(translator, 8)
    assert said(translator, {"action": "up"}).ask == 8


def test_answers_of_an_earlier_match_are_dropped_and_open_questions_stay() -> None:
    translator = in_match()
    ask(translator, 5)
    told(translator, type="end", match=MATCH)
    assert said(translator, {"action": "up"}) is None
    told(translator, type="start", match="m2", dynamics="simultaneous", seats=[0])
    assert said(translator, {"action": "up", "seat": 3}) is None
    assert told(translator, type="turn", match="m2", ask=6, seat=0, legal=["up"]) is None
    assert said(translator, {"action": "up", "match": MATCH}) is None
    assert said(translator, {"action": "up", "ask": 5}).match == MATCH  # which the referee drops
    assert said(translator, {"action": "up"}).ask == 6


def test_an_answer_that_was_written_before_the_question_answers_none() -> None:
    translator = in_match()
    ask(translator, 5)
    assert said(translator, "{'action': 'up'}", end=20).ask == 5
    ask(translator, 6, written=40)
    assert said(translator, {"action": "up"}, end=40) is None
    assert said(translator, {"action": "up"}, end=60).ask == 6


def test_a_bad_answer_of_one_seat_leaves_the_question_of_another_open() -> None:
    translator = in_match(seats=[0, 1])
    ask(translator, 5, seat=0)
    ask(translator, 6, seat=1)
    assert said(translator, {"action": "up", "seat": 1, "ask": 9}).ask == 6
    assert said(translator, {"action": "up"}).ask == 5


def test_a_line_above_the_limit_is_a_fault_and_an_empty_one_is_nothing() -> None:
    translator = in_match()
    ask(translator, 5)
    assert said(translator, "  ") is None
    published = translator.on_long_line()
    assert published is not None
    assert "expected a line of at most 65536 bytes" in json.loads(published)["message"]
    ask(translator, 6)
    assert said(translator, {"action": "up"}).ask == 6


def test_a_bot_that_never_says_ready_is_ready_when_it_has_read_the_line() -> None:
    translator = Translator()
    told(translator, type="hello")
    assert translator.is_silent
    assert decode_from_bot(translator.ready() or b"") == Ready(protocol=1)
    assert translator.ready() is None
    told(translator, type="start", match=MATCH, dynamics="sequential")
    assert decode_from_bot(translator.ready() or b"") == Ready(protocol=1, match=MATCH)
    assert said(translator, {"type": "ready"}) is None  # too late: it has been said


def test_a_bot_that_says_ready_says_it_for_every_match() -> None:
    translator = Translator()
    told(translator, type="hello")
    ready = said(translator, {"type": "ready", "planner": "astar", "version": "2"})
    assert (ready.protocol, ready.match, ready.planner, ready.version) == (1, None, "astar", "2")
    told(translator, type="start", match=MATCH, dynamics="sequential")
    assert not translator.is_silent
    assert translator.ready() is None
    assert said(translator, {"type": "ready"}).match == MATCH


def test_an_error_names_the_match_and_a_message_that_is_none_is_refused() -> None:
    translator = in_match()
    assert said(translator, {"type": "error", "message": "lost"}) == BotError(message="lost", match=MATCH)
    with pytest.raises(ProtocolFault):
        translator.on_message(b"\x00")
