"""A question is put to a bot in this process: what it is told before, and what counts as its answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.commands.in_process import open_in_process
from gridjoust.doctor.backend import make_checkup_plan
from gridjoust.doctor.question import Answered, Inquiry, judge, put, recorded_inquiry
from gridjoust.doctor.session import open_interview
from gridjoust.doctor.source import Origin, entrant_at, load_origin, only_this_match
from runner.record.file import list_records
from runner.record.replay import game_of
from runner.wire.errors import ConfigError
from runner.wire.protocol import TurnMessage
from tests.runner.memory_cup import make_cup, play_cup

BOTS = """
from bots.api import Bot

class Walks(Bot):
    def act(self, observation):
        return "up" if observation.turn < 4 else "wait"

class Changed(Bot):
    def act(self, observation):
        return "down" if observation.turn in (2, 3) else "up"

class Crashes(Bot):
    def act(self, observation):
        return ["up", "up"][observation.turn - 1]
"""
BOMBER = "{game: bomber, params: {max_ticks: 6}}"
RICOCHET = "{game: ricochet, seats: 2, params: {max_rounds: 1, think_s: 0.4, sand_s: 0.2}}"
CUP = """
tournament: cup
games: [{game}]
format: {{swap_seats: false}}
time: {{turn_ms: 5000, grace_ms: 5000}}
execution: {{parallel: 1, isolation: none}}
bots:
  - {{name: a, {a}}}
  - {{name: b, {b}}}
"""


async def play(folder: Path, *, game: str = BOMBER, a: str = "path: 'bots.py:Walks'", b: str = "bot: random") -> Origin:
    """A match of a against b."""
    (folder / "bots.py").write_text(BOTS)
    plan = make_cup(CUP.format(game=game, a=a, b=b), folder)
    await play_cup(plan)
    return load_origin(list_records(plan.out)[0])


def seat_of(origin: Origin, bot: str) -> int:
    return next(seat for seat, entry in enumerate(origin.record.header.seats) if entry.bot == bot)


def inquiry_of(origin: Origin, *, turn: int, bot: str = "a") -> Inquiry:
    seat = seat_of(origin, bot)
    entrant = entrant_at(origin, seat)
    return recorded_inquiry(origin.record, entrant, game_of(origin.record), tournament_seed=0, turn=turn, seat=seat)


async def ask(origin: Origin, folder: Path, inquiry: Inquiry, *, bot: str = "a") -> Answered:
    """Put it to the bot as it is now."""
    plan = make_checkup_plan(only_this_match(origin), folder / "asked", folder=folder)
    entrant = entrant_at(origin, seat_of(origin, bot))
    async with open_in_process(plan) as backend, open_interview(plan, backend, entrant) as interview:
        return await put(inquiry, interview)


async def test_the_recorded_answer_comes_again(tmp_path: Path) -> None:
    origin = await play(tmp_path)
    inquiry = inquiry_of(origin, turn=5)
    answered = await ask(origin, tmp_path, inquiry)
    assert [told.message.turn for told in inquiry.earlier] == [1, 2, 3, 4]
    assert (answered.reply.text, answered.problem, answered.differences) == ("wait", "", ())
    assert inquiry.recorded is not None
    assert inquiry.recorded.action == "wait"


async def test_earlier_questions_that_are_answered_differently_are_listed(tmp_path: Path) -> None:
    origin = await play(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS.replace("Walks", "Old").replace("Changed", "Walks"))
    answered = await ask(origin, tmp_path, inquiry_of(origin, turn=5))
    assert [(one.turn, one.recorded, one.now) for one in answered.differences] == [
        (2, "up", "down"),
        (3, "up", "down"),
        (4, "wait", "up"),
    ]


async def test_a_bot_that_ends_before_the_question_says_where(tmp_path: Path) -> None:
    origin = await play(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS.replace("Walks", "Old").replace("Crashes", "Walks"))
    answered = await ask(origin, tmp_path, inquiry_of(origin, turn=5))
    seat = seat_of(origin, "a")
    expected = f"it ended at an earlier question (turn 3, seat {seat}): crashed: IndexError: list index out of range"
    assert answered.problem == expected


async def test_the_question_at_which_a_bot_crashed_is_the_last_that_it_was_asked(tmp_path: Path) -> None:
    origin = await play(tmp_path, a="path: 'bots.py:Crashes'")
    inquiry = inquiry_of(origin, turn=9)
    assert inquiry.asked.turn == 3
    answered = await ask(origin, tmp_path, inquiry)
    assert answered.reply.problem == "crashed: IndexError: list index out of range"


async def test_a_turn_before_the_first_question_is_refused(tmp_path: Path) -> None:
    origin = await play(tmp_path)
    with pytest.raises(ConfigError, match=r"--turn: expected a turn in which seat . has been asked, got 0"):
        inquiry_of(origin, turn=0)


async def test_in_real_time_an_answer_to_an_earlier_message_is_not_taken_for_one_to_the_last(tmp_path: Path) -> None:
    origin = await play(tmp_path, game=RICOCHET, a="bot: ricochet/astar", b="bot: ricochet/bfs")
    first = inquiry_of(origin, turn=1)
    assert isinstance(first.asked, TurnMessage)
    answered = await ask(origin, tmp_path, first)
    assert str(answered.reply.text).startswith("bid ")
    news = next(
        inquiry
        for turn in range(2, origin.record.end.turns + 1)
        if not isinstance((inquiry := inquiry_of(origin, turn=turn)).asked, TurnMessage)
    )
    answered = await ask(origin, tmp_path, news)
    assert answered.reply.is_silent


async def test_an_answer_is_judged_by_the_rules_in_the_situation_of_the_question(tmp_path: Path) -> None:
    inquiry = inquiry_of(await play(tmp_path), turn=2)
    assert judge(inquiry, "wait") == ""
    assert judge(inquiry, "fly").startswith("malformed: expected one of up")
