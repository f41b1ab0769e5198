"""Replay: a record is applied by the rules again, and whoever changed it is found, also if he renewed every hash."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import gridjoust
from gridjoust.runner.results.records.chain import open_chain, seal_end
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, Termination, TurnLine
from gridjoust.runner.results.replay import Divergence, game_of, replay, verify
from gridjoust.runner.wire.errors import RecordError

LATE = FaultLine(turn=2, seat=1, fault=Fault.LATE, detail="no answer")


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A match of 60 turns between two bots."""
    return gridjoust.play("bomber", ["bomber/gambit", "bomber/wanderer"], seed=11, params={"max_ticks": 60}).record


def renewed(record: MatchRecord, *, lines: list[TurnLine | FaultLine] | None = None, **end: Any) -> MatchRecord:
    """The record with other lines or another end, and every hash made anew: what a forger would hand in."""
    game = game_of(record)
    state = game.initial_state(record.header.seed)
    chain = open_chain(game, seed=record.header.seed, initial_state=state)
    moments = iter(replay(replace(record, lines=record.lines if lines is None else lines)))
    next(moments)  # the deal
    sealed: list[TurnLine | FaultLine] = []
    for line in record.lines if lines is None else lines:
        if isinstance(line, FaultLine):
            chain.fault(line.turn, line.seat, line.fault.value, line.detail)
            sealed.append(line)
        else:
            link = chain.turn(line.turn, line.stamp, line.actions, game.encode(next(moments).state))
            sealed.append(replace(line, hash=link))
    return replace(record, lines=sealed, end=seal_end(chain, replace(record.end, **end)))


def test_a_true_record_holds_and_so_does_its_renewal(record: MatchRecord) -> None:
    assert verify(record) is None
    assert renewed(record) == record
    assert verify(renewed(record, lines=[LATE, *record.lines], faults=[0, 1])) is None


def test_every_state_is_seen_from_the_deal_to_the_end(record: MatchRecord) -> None:
    seen = list(replay(record))
    assert [moment.turn for moment in seen] == list(range(61))
    assert seen[0].line is None
    assert seen[0].state == game_of(record).initial_state(record.header.seed)
    assert [moment.line for moment in seen[1:]] == record.lines
    assert [game_of(record).is_terminal(moment.state) for moment in seen[-2:]] == [False, True]


@pytest.mark.parametrize(("turn", "first", "last"), [(1, 1, 16), (30, 17, 32), (32, 17, 32), (60, 49, 60)])
@pytest.mark.parametrize("change", [{"stamp": 99}, {"actions": {"0": "wait", "1": "wait"}}])
def test_a_changed_turn_is_found_at_the_next_hash_or_at_the_end(
    record: MatchRecord, turn: int, first: int, last: int, change: dict[str, Any]
) -> None:
    lines = list(record.lines)
    lines[turn - 1] = replace(lines[turn - 1], **change)
    found = verify(replace(record, lines=lines))
    assert found is not None
    if found.detail.startswith((f"turn {turn} cannot be applied", "end: expected metrics")):  # it shows at once
        assert found.turn == turn
    else:
        assert (found.turn, found.last) == (first, last)
        assert "expected hash " in found.detail or found.detail.startswith("end: expected ")


def test_hashes_stand_on_each_sixteenth_turn_and_nowhere_else(record: MatchRecord) -> None:
    kept = {line.turn: line.hash for line in record.lines if isinstance(line, TurnLine) and line.hash}
    assert list(kept) == [16, 32, 48]
    for turn, claimed, said in (
        (16, "", "got none"),
        (16, "0" * 32, f"got {'0' * 32}"),
        (17, kept[16], "no hash, got"),
    ):
        lines = list(record.lines)
        lines[turn - 1] = replace(lines[turn - 1], hash=claimed)
        found = verify(replace(record, lines=lines))
        assert found is not None
        assert said in found.detail
        assert found.turn <= turn == (found.last or turn)


def test_a_missing_turn_and_one_that_the_rules_refuse_are_named(record: MatchRecord) -> None:
    assert verify(replace(record, lines=record.lines[1:])) == Divergence(1, "expected turn 1, got turn 2")
    for actions in ({"0": "fly", "1": "up"}, {"7": "up"}):
        lines = [replace(record.lines[0], actions=actions), *record.lines[1:]]
        found = verify(replace(record, lines=lines))
        assert found is not None
        assert (found.turn, found.detail[:24]) == (1, "turn 1 cannot be applied")
        with pytest.raises(RecordError, match="turn 1 cannot be applied"):
            list(replay(replace(record, lines=lines)))


def test_a_hash_that_is_missing_speaks_for_its_own_turn_alone_and_so_does_one_too_many(record: MatchRecord) -> None:
    for place, kept, said in (
        (15, "", "expected hash {} by the rules, got none"),
        (2, "ab", "expected no hash, got ab"),
    ):
        line = record.lines[place]
        assert isinstance(line, TurnLine)
        lines = [*record.lines[:place], replace(line, hash=kept), *record.lines[place + 1 :]]
        assert verify(replace(record, lines=lines)) == Divergence(place + 1, said.format(line.hash))


@pytest.mark.parametrize("change", [{"seat": 0}, {"turn": 3}, {"detail": "?"}, {"fault": Fault.ILLEGAL}])
def test_a_changed_fault_is_found(record: MatchRecord, change: dict[str, Any]) -> None:
    true = renewed(record, lines=[LATE, *record.lines], faults=[0, 1])
    found = verify(replace(true, lines=[replace(true.lines[0], **change), *true.lines[1:]]))
    assert found is not None
    assert found.detail.startswith("expected hash ")


@pytest.mark.parametrize(
    ("name", "claimed"),
    [("turns", 59), ("returns", [0.25, 0.75]), ("metrics", [{}, {}]), ("faults", [1, 0]), ("points", [1.0, 0.5])],
)
def test_a_false_end_is_found_also_with_renewed_hashes(record: MatchRecord, name: str, claimed: Any) -> None:
    plain = verify(replace(record, end=replace(record.end, **{name: claimed})))
    forged = verify(renewed(record, **{name: claimed}))
    assert plain == forged is not None
    assert forged.turn == 60
    assert forged.detail.startswith(f"end: expected {name} ")
    assert forged.detail.endswith(f"by the rules, got {claimed}")


def test_what_the_rules_do_not_decide_of_an_end_is_in_its_hash(record: MatchRecord) -> None:
    found = verify(replace(record, end=replace(record.end, reason="won")))
    assert found is not None
    assert (found.turn, found.last, found.detail[:18]) == (49, 60, "end: expected hash")
    assert verify(renewed(record, reason="won")) is None


def test_a_void_match_claims_no_points(record: MatchRecord) -> None:
    void = renewed(record, counted=False, points=[None, None], termination=Termination.VOID)
    assert verify(void) is None
    assert verify(renewed(record, points=[None, None])) is not None


def test_a_match_that_stops_before_its_end_was_not_completed(record: MatchRecord) -> None:
    lines = record.lines[:-1]
    found = verify(renewed(record, lines=lines, turns=59))
    assert found == Divergence(59, "end: expected a finished match, got one that goes on by the rules")
    *_, last = replay(replace(record, lines=lines))
    game = game_of(record)
    returns, metrics = [float(value) for value in game.returns(last.state)], [dict(m) for m in game.metrics(last.state)]
    forfeit = {"turns": 59, "returns": returns, "metrics": metrics, "termination": Termination("crashed")}
    assert verify(renewed(record, lines=lines, **forfeit)) is None


def test_rules_that_are_not_here_are_named(record: MatchRecord) -> None:
    header = record.header
    with pytest.raises(RecordError, match=rf"{header.match_id}: expected rules of bomber 0, got \d+ installed"):
        game_of(replace(record, header=replace(header, game_version="0")))
    with pytest.raises(RecordError, match=f"{header.match_id}: game: expected .*, got 'chess'"):
        game_of(replace(record, header=replace(header, game="chess")))


def test_returns_after_a_forfeit_follow_from_the_rule_of_the_records_format() -> None:
    class Crasher(gridjoust.Bot):
        def act(self, seen: gridjoust.Observation) -> str:
            raise IndexError("my list was too short")

    settled = gridjoust.play("bomber", [Crasher, "random"], seed=11).record
    assert settled.end.returns == [-1, 1]
    unsettled = renewed(settled, returns=[0.0, 0.0])
    former = replace(unsettled, header=replace(settled.header, format=2))

    assert verify(former) is None
    found = verify(unsettled)
    assert found is not None
    assert found.detail == "end: expected returns [-1.0, 1.0] by the rules, got [0.0, 0.0]"
