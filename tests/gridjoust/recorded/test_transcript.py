"""What a record says a bot was told is what it was told: compared with the messages of the match itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gridjoust.in_process import open_memory_bus
from gridjoust.recorded.session import ChangedAnswer, changed_answer
from gridjoust.recorded.source import entrants_of, load_source
from gridjoust.recorded.transcript import exchanges_until, exchanges_with, start_of
from gridjoust.runner.plan import Plan, prepare_folder
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.tournament import run_tournament
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Bus, Handler
from gridjoust.simulation import play as simulate
from tests.doubles.virtual_time import in_virtual_time
from tests.runner.memory_cup import Open, make_cup
from tests.runner.rogue_cup import open_with_rogue

Asked = protocol.TurnMessage | protocol.Event


class Tap:
    """A bus that keeps what is published to bots."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.sent: dict[str, list[protocol.ToBot]] = {}

    async def publish(self, topic: str, payload: bytes) -> None:
        self.post([(topic, payload)])

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        for topic, payload in messages:
            if topic.endswith("/in"):
                slot = topic.split("/")[3]
                self.sent.setdefault(slot.rpartition(".")[0], []).append(protocol.decode_to_bot(payload))
        self._bus.post(messages)

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        await self._bus.subscribe(topic_filter, handler)


CUP = """
tournament: cup
seed: 5
games: [{game}]
format: {{swap_seats: false{form}}}
time: {{turn_ms: 5000, bank_ms: 700, increment_ms: 30, grace_ms: 5000}}
execution: {{parallel: 1, isolation: none}}
bots:
{bots}
"""
A, B = "  - {name: a, bot: %s, options: {}}\n", "  - {name: b, bot: random}\n"
CASES = {
    "simultaneous": ("{game: bomber, params: {max_ticks: 12}}", A % "bomber/beam" + B, ""),
    "ticked": ("{game: bomber, params: {max_ticks: 8, pace: realtime, tick_ms: 30}}", A % "random" + B, ""),
    "real time": ("{game: ricochet, seats: 2, params: {max_rounds: 2, think_s: 0.4, sand_s: 0.2}}",
        A % "ricochet/astar" + "  - {name: b, bot: ricochet/bfs}\n", ""),
    "roles": ("{game: heroquest, params: {max_game_rounds: 3}}", A % "random" + B, ""),
    "several seats": ("{game: eidolon, seats: 3, params: {max_game_rounds: 4}}", A % "random", ", type: solo"),
    "sequential": ("{game: placement, params: {max_game_rounds: 3}}", A % "random" + B, ""),
    "hidden": ("{game: navigation, seats: 2, params: {max_turns: 15}}", A % "random" + B, ""),
}  # fmt: skip


async def play(plan: Plan, *, open_it: Open = open_memory_bus) -> tuple[Tap, MatchRecord]:
    """One match in this process; what bots were sent, and the record."""
    prepared = prepare_folder(plan, resume=False)
    async with open_it(prepared) as backend:
        tap = Tap(backend.bus)
        await run_tournament(prepared, replace(backend, bus=tap), on_played=lambda _: None)
    check(tap, list_records(plan.out)[0])
    return tap, read_record(list_records(plan.out)[0])


def cup(case: str, folder: Path) -> Plan:
    game, bots, form = CASES[case]
    return make_cup(CUP.format(game=game, bots=bots, form=form), folder)


def check(tap: Tap, path: Path) -> None:
    """Every bot was sent what the record says; of a limit only whole milliseconds are sent, so it may be one off."""
    source = load_source(path)
    for entrant in entrants_of(source):
        sent = [message for message in tap.sent.get(entrant.bot, []) if isinstance(message, protocol.Start | Asked)]
        told = [exchange.message for exchange in exchanges_with(source.record, entrant.seats)]
        started = (
            [start_of(source.record, entrant, run_key=source.config.run_key)] if sent else []
        )  # not who was never there
        expected = [*started, *told]
        assert [limit_of(message) for message in sent] == pytest.approx([limit_of(one) for one in expected], abs=1)
        assert [without_drawn(message) for message in sent] == [without_drawn(message) for message in expected]


def limit_of(message: protocol.ToBot) -> float:
    return -9 if not isinstance(message, protocol.TurnMessage) or message.limit_ms is None else message.limit_ms


def without_drawn(message: protocol.ToBot) -> protocol.ToBot:
    """The message but for its limit and the number of the question, which is drawn anew."""
    changes: dict[str, int | None] = {"ask": 0} if isinstance(message, Asked) else {}
    changes |= {"limit_ms": None} if isinstance(message, protocol.TurnMessage) else {}
    return msgspec.structs.replace(message, **changes)


@pytest.mark.default("ticked", "roles", "simultaneous")
@pytest.mark.parametrize("case", CASES)
@in_virtual_time
async def test_every_message_of_a_match_can_be_told_from_its_record(case: str, tmp_path: Path) -> None:
    tap, _ = await play(cup(case, tmp_path))
    assert sum(map(len, tap.sent.values())) > 8


@in_virtual_time
async def test_where_cpu_time_is_the_limit_the_record_tells_the_same_by_cpu_time(tmp_path: Path) -> None:
    _, record = await play(cup("simultaneous", tmp_path))
    seats = range(len(record.header.seats))
    by_cpu = replace_header_time(record, clock="cpu")
    for answer in by_cpu.answers:
        assert answer.latency_ms is not None
    slow = [
        msgspec.structs.replace(answer, cpu_ms=answer.latency_ms, latency_ms=9000.0)  # beyond turn and bank
        for answer in by_cpu.answers
    ]
    told = exchanges_with(msgspec.structs.replace(by_cpu, answers=slow), seats)
    assert [limit_of(one.message) for one in told] == [limit_of(one.message) for one in exchanges_with(record, seats)]


def replace_header_time(record: MatchRecord, **changes: str) -> MatchRecord:
    times = {seat: {**time, **changes} for seat, time in record.header.time.items()}
    return msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, time=times))


ROGUE_CUP = """
tournament: cup
seed: 5
games: [{{game: bomber, seats: 3, params: {{max_ticks: 6}}}}]
format: {{swap_seats: false}}
time: {{turn_ms: 100, bank_ms: 500, increment_ms: 7, grace_ms: 5000, start_ms: 2000}}
faults: {{limit: 2}}
execution: {{parallel: 1}}
bots:
  - {{name: rogue, command: [{python}, rogue.py, {behaviour}]}}
  - {{name: honest, bot: random}}
  - {{name: third, bot: random}}
"""


async def play_rogue(folder: Path, behaviour: str) -> tuple[Tap, MatchRecord]:
    """One match of three in which a bot misbehaves from turn 3 on; the others play on without it."""
    return await play(
        make_cup(ROGUE_CUP.format(python=sys.executable, behaviour=behaviour), folder), open_it=open_with_rogue
    )


ROGUES = [
    *("never_final", "crash_at_start", "crash_mid_match", "confess", "late", "flood"),
    *("garbage", "slow_garbage", "nonsense", "impersonate", "stale"),
]


@pytest.mark.parametrize("behaviour", ROGUES)
@in_virtual_time
async def test_every_message_of_a_match_with_a_rogue_can_be_told_from_its_record(
    behaviour: str, tmp_path: Path
) -> None:
    tap, _ = await play_rogue(tmp_path, behaviour)
    assert len(tap.sent["honest"]) == 10  # hello, start, six questions, end, stop


@in_virtual_time
async def test_a_seat_that_has_forfeited_is_asked_no_more_and_the_others_are(tmp_path: Path) -> None:
    _, record = await play_rogue(tmp_path, "crash_mid_match")
    turns = {seat: [exchange.message.turn for exchange in exchanges_with(record, (seat,))] for seat in range(3)}
    (gone,) = record.end.forfeited
    assert turns.pop(gone) == [1, 2, 3]
    assert list(turns.values()) == [[1, 2, 3, 4, 5, 6]] * 2


@in_virtual_time
async def test_a_question_that_no_final_answer_closes_costs_nothing_of_the_bank(tmp_path: Path) -> None:
    _, record = await play_rogue(tmp_path, "never_final")
    rogue = [entry.bot for entry in record.header.seats].index("rogue")
    limits = [limit_of(exchange.message) for exchange in exchanges_with(record, (rogue,))]
    assert limits == [600, 607, 614, 621, 628, 635]


@in_virtual_time
async def test_what_came_back_stands_beside_the_question(tmp_path: Path) -> None:
    _, record = await play(cup("simultaneous", tmp_path))
    line = next(line for line in record.lines if isinstance(line, TurnLine) and line.turn == 4)
    [*_, told] = exchanges_until(record, 1, turn=4)
    assert told.recorded is not None
    assert told.recorded.action == line.actions["1"]


@in_virtual_time
async def test_the_bank_grows_with_every_answer_and_a_pause_leads_back_to_the_last_question(tmp_path: Path) -> None:
    _, record = await play(cup("sequential", tmp_path))
    told = [exchange.message for exchange in exchanges_with(record, (0,))]
    assert [limit_of(message) for message in told[:3]] == [5700, 5730, 5760]
    asked = [message.turn for message in told]
    pause = next(turn for turn in range(1, max(asked)) if turn not in asked and turn - 1 in asked)
    [*_, last] = exchanges_until(record, 0, turn=pause)
    assert last.message.turn == pause - 1


def test_a_question_without_a_recorded_answer_and_without_one_now_is_no_difference() -> None:
    record = simulate("bomber", ["random", "random"], seed=1, params={"max_ticks": 3}).record
    game = game_of(record)
    told = next(one for one in exchanges_with(record, [0]) if one.recorded is not None)
    assert told.recorded is not None
    silent = replace(told, recorded=msgspec.structs.replace(told.recorded, action=""))
    assert changed_answer(game, silent, []) is None
    assert changed_answer(game, silent, ["wait"]) == ChangedAnswer(told.message.turn, 0, "no action", "wait")
    assert changed_answer(game, told, []) is not None
