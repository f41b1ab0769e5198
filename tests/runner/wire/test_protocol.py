"""Messages from outside: decoded once into bounded values, or refused with what was wrong."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ProtocolFault

DEEP = 5000
DECODERS: dict[str, Callable[[bytes], object]] = {
    "from_bot": protocol.decode_from_bot,
    "to_bot": protocol.decode_to_bot,
    "status": protocol.decode_status,
}


def action(**fields: object) -> bytes:
    return msgspec.json.encode({"type": "action", "match": "m", "ask": 0, "seat": 0, "action": "up", **fields})


@pytest.mark.parametrize("name", DECODERS)
def test_json_nested_beyond_all_depth_is_refused_like_any_other_nonsense_and_unknown_keys_are_ignored(
    name: str,
) -> None:
    nested = b"[" * DEEP + b"]" * DEEP
    unknown_key = {"from_bot": action(), "to_bot": b'{"type":"stop"}', "status": b'{"online":true}'}[name]
    assert DECODERS[name](unknown_key)
    with pytest.raises(ProtocolFault, match=r"^expected a .*: maximum recursion depth"):
        DECODERS[name](unknown_key[:-1] + b',"more":' + nested + b"}")
    for nonsense in (nested, b"", b"{", b"\xff", b"null", b"[]", b'{"type":"fly"}'):
        with pytest.raises(ProtocolFault, match=r"^expected a "):
            DECODERS[name](nonsense)
    sane = b"[" * 100 + b"]" * 100
    assert DECODERS[name](unknown_key[:-1] + b',"more":' + sane + b"}") == DECODERS[name](unknown_key)


@pytest.mark.parametrize("field", ["expanded", "generated", "frontier", "ask", "seat", "seq"])
def test_counts_and_numbers_of_questions_seats_and_answers_stay_exact_in_every_table(field: str) -> None:
    def with_field(value: object) -> bytes:
        return action(**{field: value}) if field in ("ask", "seat", "seq") else action(stats={field: value})

    kept = protocol.decode_from_bot(with_field(2**53 - 1))
    assert isinstance(kept, protocol.Action)
    assert getattr(kept if hasattr(kept, field) else kept.stats, field) == 2**53 - 1
    for wrong in (2**53, 2**63, 10**30, -1, 1.5, "7"):
        with pytest.raises(ProtocolFault, match=rf"\.{field}`"):
            protocol.decode_from_bot(with_field(wrong))


def test_measured_numbers_are_finite_and_small_enough_to_add_up() -> None:
    kept = protocol.decode_from_bot(action(planning_ms=12.5, stats={"plan_cost": -3.5}))
    assert isinstance(kept, protocol.Action)
    assert (kept.planning_ms, kept.stats) == (12.5, protocol.Stats(plan_cost=-3.5))
    for text in (b"1e16", b"-1e300", b"1e999", b"NaN"):
        with pytest.raises(ProtocolFault):
            protocol.decode_from_bot(action(planning_ms=0.5).replace(b"0.5", text))


def test_names_that_reach_the_tables_are_short() -> None:
    ready = {"type": "ready", "protocol": 1, "version": "v" * 100, "language": "l" * 100, "plays": ["p" * 100]}
    assert isinstance(protocol.decode_from_bot(msgspec.json.encode(ready)), protocol.Ready)
    for field, wrong in (("version", "v" * 101), ("language", "l" * 101), ("plays", ["p" * 101])):
        with pytest.raises(ProtocolFault, match=field):
            protocol.decode_from_bot(msgspec.json.encode({**ready, field: wrong}))


@pytest.mark.parametrize("planner", ["astar", "mcts", "A_star2", "_", "x" * 30])
def test_a_planner_may_have_any_short_name(planner: str) -> None:
    ready = protocol.decode_from_bot(msgspec.json.encode({"type": "ready", "protocol": 1, "planner": planner}))
    assert isinstance(ready, protocol.Ready)
    assert ready.planner == planner


@pytest.mark.parametrize(
    ("wrong", "detail"),
    [
        ({"planner": "A*"}, "planner: expected 1 to 30 letters, digits or _, got 'A*'"),
        ({"planner": "x" * 31}, f"planner: expected 1 to 30 letters, digits or _, got '{'x' * 31}'"),
        ({"planner": "astar\n"}, "planner: expected 1 to 30 letters, digits or _, got 'astar\\n'"),
        ({"planner": ""}, "planner: expected 1 to 30 letters, digits or _, got ''"),
        ({"planner": None}, "planner: expected 1 to 30 letters, digits or _, got null"),
        ({"plays": "bomber"}, "plays: expected a list of names of games, got 'bomber'"),
        ({"plays": [1]}, "plays: expected a list of names of games, got [1]"),
        ({"language": ["c"]}, 'language: expected text of at most 100 characters, got ["c"]'),
        ({"version": 1.2}, "version: expected text of at most 100 characters, got 1.2"),
        ({"version": "v" * 101}, f"version: expected text of at most 100 characters, got '{'v' * 58}…"),
        ({"match": 7}, "match: expected text or null, got 7"),
        ({"protocol": "1"}, "protocol: expected a whole number, got '1'"),
        ({"protocol": True}, "protocol: expected a whole number, got true"),
    ],
)
def test_the_key_of_a_ready_that_is_wrong_is_named_with_what_it_may_be(wrong: dict[str, object], detail: str) -> None:
    with pytest.raises(ProtocolFault) as refused:
        protocol.decode_from_bot(msgspec.json.encode({"type": "ready", "protocol": 1, **wrong}))
    assert str(refused.value) == f"ready: {detail}"


def test_a_ready_without_a_protocol_says_so() -> None:
    with pytest.raises(ProtocolFault, match=r"^ready: protocol: expected a whole number, got none$"):
        protocol.decode_from_bot(b'{"type":"ready"}')


def test_an_error_is_cut_and_can_be_shown_in_a_terminal() -> None:
    shown = protocol.BotError(message="\x1b]0;title\x07boom\r\nnext " + "x" * 60_000)
    assert shown.message.startswith("?]0;title?boom  next xxx")
    assert len(shown.message) == protocol.MAX_ERROR
    received = protocol.decode_from_bot(msgspec.json.encode({"type": "error", "message": "\x1b[2J" + "y" * 60_000}))
    assert isinstance(received, protocol.BotError)
    assert received.message.startswith("?[2Jyyy")
    assert len(received.message) == protocol.MAX_ERROR
    assert protocol.BotError(message="ValueError: 3 ≠ 4").message == "ValueError: 3 ≠ 4"


def test_a_message_beyond_the_limit_is_refused_unread() -> None:
    most = protocol.ANSWER_LIMIT_BYTES - len(action(action=""))
    assert isinstance(protocol.decode_from_bot(action(action="x" * most)), protocol.Action)
    with pytest.raises(ProtocolFault, match=f"expected at most {protocol.ANSWER_LIMIT_BYTES} bytes, got"):
        protocol.decode_from_bot(action(action="x" * (most + 1)))


def test_work_is_what_was_generated_and_tactics_together_and_unknown_only_if_both_are() -> None:
    works = [protocol.work_of(*counts) for counts in ((None, None), (3, None), (None, 4), (3, 4), (0, 0))]
    assert works == [None, 3, 4, 7, 0]


def test_what_is_no_text_is_no_planners_name() -> None:
    assert [protocol.is_planner(name) for name in ("beam", "A*", 7, None)] == [True, False, False, False]


class Flat:
    """Has no dimensions, and is no number either."""

    ndim = 0


def test_a_scalar_of_numpy_is_a_number_and_an_array_is_refused() -> None:
    def sent(expanded: object) -> bytes:
        stats = protocol.Stats(expanded=expanded)  # type: ignore[arg-type]
        return protocol.encode(protocol.Action(match="m", ask=0, seat=0, action="up", stats=stats))

    assert b'"expanded":3' in sent(np.int64(3))
    for wrong in (np.array([3]), Flat()):
        with pytest.raises(TypeError, match=r"^expected numbers and text in a message, got (ndarray|Flat) "):
            sent(wrong)


@pytest.mark.parametrize(("size", "shown"), [(60, f"'{'x' * 60}':"), (61, f"'{'x' * 60}'...:")])
def test_of_a_message_that_is_none_the_beginning_is_shown(size: int, shown: str) -> None:
    with pytest.raises(ProtocolFault, match=r"^expected a status, got ") as refused:
        protocol.decode_status(b"x" * size)
    assert f"got {shown}" in str(refused.value)
