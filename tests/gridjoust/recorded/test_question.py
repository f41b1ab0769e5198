"""A question is put to a bot in this process: what it is told before, what counts as its answer; questions in files."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from gridjoust import games
from gridjoust.in_process import open_in_process
from gridjoust.recorded import question as questions
from gridjoust.recorded.question import Answered, Question, judge, load_question, message_of
from gridjoust.recorded.session import ChangedAnswer, open_session
from gridjoust.recorded.source import Source, entrant_at, load_source, only_this_match
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.plan import plan_pairings
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import TurnMessage
from tests.doubles.virtual_time import in_virtual_time
from tests.runner.memory_cup import make_cup, play_cup

BOTS = """
from gridjoust.bots.api import Bot

class Walks(Bot):
    def act(self, observation):
        return "up" if observation.turn < 4 else "wait"

class Changed(Bot):
    def act(self, observation):
        return "down" if observation.turn in (2, 3) else "up"

class Crashes(Bot):
    def act(self, observation):
        return ["up", "up"][observation.turn - 1]

class BidsNine(Bot):
    plays, bid = ("ricochet",), 9
    def act(self, observation):
        return f"bid {self.bid}" if observation.view["phase"] == "bidding" else "pass"

class BidsEight(BidsNine):
    bid = 8
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


async def play(folder: Path, *, game: str = BOMBER, a: str = "path: 'bots.py:Walks'", b: str = "bot: random") -> Source:
    """A match of a against b."""
    (folder / "bots.py").write_text(BOTS)
    plan = make_cup(CUP.format(game=game, a=a, b=b), folder)
    await play_cup(plan)
    return load_source(list_records(plan.out)[0])


def seat_of(source: Source, bot: str) -> int:
    return next(seat for seat, entry in enumerate(source.record.header.seats) if entry.bot == bot)


def question_at(source: Source, *, turn: int, bot: str = "a") -> Question:
    seat = seat_of(source, bot)
    entrant = entrant_at(source, seat)
    game = game_of(source.record)
    return questions.question_of_record(
        source.record, entrant, game, run_key=source.config.run_key, turn=turn, seat=seat
    )


async def ask(source: Source, folder: Path, question: Question, *, bot: str = "a") -> Answered:
    """Put it to the bot as it is now."""
    plan = plan_pairings(only_this_match(source), folder / "asked", folder=folder)
    entrant = entrant_at(source, seat_of(source, bot))
    async with open_in_process(plan) as backend, open_session(plan, backend, entrant) as session:
        return await questions.put(question, session)


@in_virtual_time
async def test_the_recorded_answer_comes_again(tmp_path: Path) -> None:
    source = await play(tmp_path)
    question = question_at(source, turn=5)
    answered = await ask(source, tmp_path, question)
    assert [told.message.turn for told in question.earlier] == [1, 2, 3, 4]
    assert (answered.reply.text, answered.problem, answered.differences) == ("wait", "", ())
    assert question.recorded is not None
    assert question.recorded.action == "wait"


CRASH = "IndexError: list index out of range (bots.py line 14, in act)"
CHANGES: dict[str, tuple[list[tuple[int, str, str]], str]] = {
    "Changed": ([(2, "up", "down"), (3, "up", "down"), (4, "wait", "up")], ""),
    "Crashes": ([], f"the bot ended at an earlier question (turn 3, seat {{}}): crashed: {CRASH}"),
}


@pytest.mark.parametrize(("now", "different", "problem"), [(now, *row) for now, row in CHANGES.items()], ids=CHANGES)
@in_virtual_time
async def test_earlier_questions_that_are_answered_differently_are_listed_or_where_the_bot_ended(
    tmp_path: Path, now: str, different: list[tuple[int, str, str]], problem: str
) -> None:
    source = await play(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS.replace("Walks", "Old").replace(now, "Walks"))
    answered, seat = await ask(source, tmp_path, question_at(source, turn=5)), seat_of(source, "a")
    assert list(answered.differences) == [ChangedAnswer(turn, seat, old, new) for turn, old, new in different]
    assert answered.problem == problem.format(seat)


@in_virtual_time
async def test_the_question_at_which_a_bot_crashed_is_the_last_that_it_was_asked(tmp_path: Path) -> None:
    source = await play(tmp_path, a="path: 'bots.py:Crashes'")
    question = question_at(source, turn=9)
    assert question.message.turn == 3
    answered = await ask(source, tmp_path, question)
    assert answered.reply.problem == f"crashed: {CRASH}"


@in_virtual_time
async def test_in_real_time_an_answer_to_an_earlier_message_is_not_taken_for_one_to_the_last(tmp_path: Path) -> None:
    source = await play(tmp_path, game=RICOCHET, a="path: 'bots.py:BidsNine'", b="path: 'bots.py:BidsEight'")
    first = question_at(source, turn=1)
    assert isinstance(first.message, TurnMessage)
    answered = await ask(source, tmp_path, first)
    assert answered.reply.text == "bid 9"
    news = next(
        question
        for turn in range(2, source.record.end.turns + 1)
        if not isinstance((question := question_at(source, turn=turn)).message, TurnMessage)
    )
    answered = await ask(source, tmp_path, news)
    assert answered.reply.is_silent


@in_virtual_time
async def test_an_answer_is_judged_by_the_rules_in_the_situation_of_a_question_that_was_asked(tmp_path: Path) -> None:
    source = await play(tmp_path)
    question = question_at(source, turn=2)
    assert judge(question, "wait") == ""
    assert judge(question, "fly").startswith("malformed: expected one of up")
    with pytest.raises(ConfigError, match=r"--turn: seat . had no question up to turn 0"):
        question_at(source, turn=0)


BOMBER_GAME = games.make("bomber")
START = start_message(
    BOMBER_GAME, BOMBER_GAME.initial_state(1), match_id="m1", variant="bomber", seats=(1,), bot_seed=9,
    time=TimeLimits(), options={},
)  # fmt: skip
QUESTION = TurnMessage(
    match="m1", ask=0, seat=1, turn=7, view={"tick": 6}, legal=["up"], legal_complete=True, limit_ms=250
)


def test_a_question_in_a_file_is_what_was_saved_or_a_turn_message_or_an_observation_alone(tmp_path: Path) -> None:
    file = tmp_path / "q.json"
    questions.save_question(file, START, QUESTION)
    held = load_question(file)
    assert (held.start, message_of(held, match="m1", seat=1)) == (START, QUESTION)
    file.write_bytes(msgspec.json.encode(QUESTION))
    held = load_question(file)
    assert (held.start, message_of(held, match="m1", seat=1)) == (None, QUESTION)
    file.write_text('{"tick": 6, "hp": 3}')
    assert load_question(file) == questions.QuestionFile(
        view={"tick": 6, "hp": 3}, seat=None, legal=[], legal_complete=False
    )


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
    with pytest.raises(ConfigError, match=rf"^\S+q\.json: expected a question \(JSON\), got: {re.escape(part)}.*$"):
        load_question(tmp_path / "q.json")
