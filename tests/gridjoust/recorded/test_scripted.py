"""Recorded bots: a match in which everyone does what the record says is the match of the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust.in_process import open_memory_bus
from gridjoust.recorded.compare import first_difference
from gridjoust.recorded.scripted import GARBAGE, Replayed, Script, ScriptedBot, scripted
from gridjoust.recorded.source import Source, entrants_of, load_source, only_this_match
from gridjoust.runner.plan import plan_pairings, prepare_folder
from gridjoust.runner.play.heading import pairing_of
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine, MatchRecord, TurnLine
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import run_tournament
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus.memory import MemoryBroker
from tests.doubles.virtual_time import in_virtual_time
from tests.runner.memory_cup import make_cup, play_cup
from tests.runner.results.records.records_builder import make_record

FAULTY = """
from gridjoust.bots.api import Bot

class Speaks(Bot):
    def act(self, observation):
        return "fly away" if observation.turn in (3, 5) else "wait"

class Crashes(Bot):
    def act(self, observation):
        return {turn: "up" for turn in range(1, 5)}[observation.turn]

class Refuses(Bot):
    def start(self, setup):
        raise ValueError("not today")
    def act(self, observation):
        return "wait"
"""
CUP = """
tournament: cup
seed: 5
games: [{game}]
format: {{swap_seats: false}}
time: {{turn_ms: 5000, grace_ms: 5000}}
execution: {{parallel: 1, isolation: none}}
bots:
  - {{name: a, {a}}}
  - {{name: b, bot: random}}
"""
BOMBER = "{game: bomber, params: {max_ticks: 12}}"
TICKED = "{game: bomber, params: {max_ticks: 4, pace: realtime, tick_ms: 200}}"
ROLES = "{game: heroquest, params: {max_game_rounds: 2}}"
ALONE = """
tournament: alone
games: [{game: ricochet, seats: 1, params: {max_rounds: 2, think_s: 1.0, sand_s: 0.1}}]
format: {type: solo}
execution: {parallel: 1, isolation: none}
bots: [{name: a, bot: ricochet/astar}]
"""
CASES = {
    "all is well": (BOMBER, "bot: random"),
    "roles": (ROLES, "roles: {heroes: {bot: random}, zargon: {bot: heroquest/zargon_random}}"),
    "a tick": (TICKED, "bot: random"),
    "malformed": (BOMBER, "path: 'faulty.py:Speaks'"),
    "a crash": (BOMBER, "path: 'faulty.py:Crashes'"),
    "no start": (BOMBER, "path: 'faulty.py:Refuses'"),
}


async def play(folder: Path, case: str) -> Source:
    """One match of real bots."""
    game, a = CASES[case]
    (folder / "faulty.py").write_text(FAULTY)
    plan = make_cup(CUP.format(game=game, a=a), folder)
    await play_cup(plan)
    return load_source(list_records(plan.out)[0])


async def play_again(source: Source, folder: Path, record: MatchRecord | None = None) -> tuple[MatchRecord, int]:
    """The match by scripts (of another record, if one is given), and how many answers did not fit."""
    entrants = tuple(scripted(number, entrant) for number, entrant in enumerate(entrants_of(source)))
    pairings = [pairing_of(source.record.header, entrants)]
    planned = plan_pairings(only_this_match(source), folder / "again", folder=folder, pairings=pairings)
    plan = prepare_folder(planned, resume=False)
    played: list[Played] = []
    replayed = Replayed(record or source.record, entrants)
    broker = MemoryBroker()
    async with open_memory_bus(plan) as usual, broker.connect() as bus:
        launcher = replayed.launcher(
            plan.run,
            lambda account, will: broker.connect(read=account.read, write=account.write, will=will),
            inner=usual.launcher,
        )
        await run_tournament(plan, replace(usual, bus=bus, launcher=launcher), on_played=played.append)
    return played[0].record, sum(bot.misfits for bot in replayed.bots)


@pytest.mark.default("no start", "a crash", "malformed", "all is well", "a tick")
@pytest.mark.parametrize("case", CASES)
@in_virtual_time
async def test_scripts_play_the_match_of_the_record(case: str, tmp_path: Path) -> None:
    source = await play(tmp_path, case)
    record, misfits = await play_again(source, tmp_path)
    assert first_difference(source.record, record) is None
    assert (record.end.reason, record.end.hash) == (source.record.end.reason, source.record.end.hash)
    assert misfits == 0


@in_virtual_time
async def test_in_real_time_a_script_answers_every_question_as_long_after_it_as_recorded(tmp_path: Path) -> None:
    plan = make_cup(ALONE, tmp_path)
    await play_cup(plan)
    source = load_source(list_records(plan.out)[0])
    record, _ = await play_again(source, tmp_path)
    assert sum(isinstance(line, TurnLine) and bool(line.actions) for line in source.record.lines) >= 4
    assert first_difference(source.record, record, with_stamps=False) is None


@in_virtual_time
async def test_a_script_that_is_too_short_goes_on_with_legal_actions(tmp_path: Path) -> None:
    source = await play(tmp_path, "all is well")
    short = msgspec.structs.replace(source.record, lines=source.record.lines[:7], answers=[])
    record, misfits = await play_again(source, tmp_path, short)
    assert record.end.faults == [0, 0]
    assert misfits == 2 * (12 - 7)


class Heard:
    """A bus on which one bot is alone with its test."""

    def __init__(self) -> None:
        self.payloads: list[bytes] = []

    async def publish(self, topic: str, payload: bytes) -> None:
        self.payloads.append(payload)

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        self.payloads += [payload for _, payload in messages]

    async def subscribe(self, topic_filter: str, handler: object) -> None:
        """Nobody else is here."""


def with_fault(fault: Fault, text: str = "") -> MatchRecord:
    """Seat 0 is at fault in turn 2."""
    record = make_record(turns=[{0: "up", 1: "wait"}, {0: "wait", 1: "wait"}])
    line = FaultLine(turn=2, seat=0, fault=fault, detail="detail")
    answer = AnswerLine(turn=2, seat=0, action=text, fault=fault.value)
    return msgspec.structs.replace(record, lines=[*record.lines, line], answers=[answer])


def acts(text: str) -> bytes:
    return protocol.encode(protocol.Action(match="m1", ask=8, seat=0, action=text))


CRASH = protocol.encode(protocol.BotError(match="m1", message="detail"))
LATE = with_fault(Fault.LATE)
QUESTIONS: dict[str, tuple[MatchRecord, int, list[str], list[bytes]]] = {
    "an action is repeated": (LATE, 1, ["wait", "up"], [acts("up")]),
    "silence is repeated": (LATE, 2, ["wait"], []),
    "a refused text is repeated": (with_fault(Fault.ILLEGAL, "bomb"), 2, ["wait"], [acts("bomb")]),
    "what was no message is none again": (with_fault(Fault.MALFORMED), 2, ["wait"], [GARBAGE]),
    "a crash is repeated with its words": (with_fault(Fault.CRASHED), 2, ["wait"], [CRASH]),
    "an action that is not legal any more is replaced": (LATE, 1, ["down", "wait"], [acts("down")]),
    "an action may be legal though a sample does not list it": (LATE, 1, ["down", "..."], [acts("up")]),
}


@pytest.mark.parametrize(("record", "turn", "legal", "sent"), QUESTIONS.values(), ids=QUESTIONS)
@in_virtual_time
async def test_a_script_answers(record: MatchRecord, turn: int, legal: list[str], sent: list[bytes]) -> None:
    bus = Heard()
    bot = ScriptedBot(Script(record, (0,)), planner="other", version="1", bus=bus, prefix="joust/r/bot/a.0")
    question: dict[str, Any] = {"match": "m1", "ask": 8, "seat": 0, "view": {}, "limit_ms": 1}
    await bot.answer(protocol.TurnMessage(turn=turn, legal=legal, legal_complete="..." not in legal, **question))
    assert bus.payloads == sent
