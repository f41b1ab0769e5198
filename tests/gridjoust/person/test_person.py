"""A person's conversation with a scripted referee: what is shown, what is answered, what is taken back."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

import games
from bots import load_bot
from games.api import AnyGame, Turn
from gridjoust.person.person import Lines, Person
from runner.config.values import TimeLimits
from runner.referee.wording import start_message
from runner.wire.bus import MemoryBroker
from runner.wire.protocol import Action, FromBot, Start, Stop, ToBot, TurnMessage, decode_from_bot, encode

CORRIDOR = {"map": ".....", "start": "0,0", "goal": "3,0", "connectivity": "4"}


@dataclass
class Talk:
    """How it went."""

    shown: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    kept: tuple[str, ...] | None = None  # of the answers, once one was taken back
    code: int | None = None  # None = the person still sat there


async def talk(*typed: str, answers: tuple[str, ...] = (), can_undo: bool = True) -> Talk:
    """A walk through the corridor by typed lines; the keyboard is closed after them."""
    game, done, heard = games.make("navigation", CORRIDOR), Talk(), asyncio.Queue[FromBot | None]()
    broker, lines, born = MemoryBroker(), Lines(), asyncio.Event()
    for line in (*typed, None):
        lines.add(line)

    def take_back(kept: tuple[str, ...]) -> None:
        done.kept = kept
        heard.put_nowait(None)

    async with broker.connect() as referee, broker.connect() as bus:
        await referee.subscribe("seat/out", lambda _, payload: heard.put_nowait(decode_from_bot(payload)))
        await referee.subscribe("seat/status", lambda *_: born.set())
        person = Person(
            bus=bus,
            prefix="seat",
            typed=lines,
            show=done.shown.append,
            advisor_class=load_bot("navigation/astar"),
            answers=answers,
            undo=take_back if can_undo else None,
        )
        running = asyncio.create_task(person.run(), name="person")
        running.add_done_callback(lambda _: heard.put_nowait(None))

        async def send(message: ToBot) -> FromBot | None:
            await referee.publish("seat/in", encode(message))
            return await asyncio.wait_for(heard.get(), timeout=20)

        await born.wait()
        await send(_start(game))
        state = game.initial_state(0)
        while not game.is_terminal(state):
            match await send(_question(game, state, number=len(done.answered) + 1)):
                case Action(action=text, ask=number):
                    done.answered.append(text)
                    state = game.apply(state, Turn({0: game.parse_action(text)}, number))
                case _:
                    break
        else:
            await send(Stop())
        if running.done():
            done.code = running.result()
        running.cancel()
    return done


def _start(game: AnyGame) -> Start:
    given: dict[str, Any] = {"match_id": "m", "variant": "corridor", "seats": (0,), "bot_seed": 1, "options": {}}
    return start_message(game, game.initial_state(0), time=TimeLimits(), **given)


def _question(game: AnyGame, state: Any, *, number: int) -> TurnMessage:
    return TurnMessage(
        match="m",
        ask=number,
        seat=0,
        turn=number,
        view=dict(game.observation(state, 0)),
        legal=[str(action) for action in game.legal_actions(state, 0)],
        legal_complete=True,
        limit_ms=None,
    )


async def test_keys_are_answers_until_the_referee_says_stop() -> None:
    done = await talk("d", "d", "d")
    assert (done.answered, done.code) == (["E", "E", "E"], 0)
    assert done.shown[0] == "You play navigation in seat 0. ? shows the keys, quit leaves."
    assert [shown.splitlines()[1] for shown in done.shown[1:]] == ["turn 1", "turn 2", "turn 3"]


async def test_a_wrong_key_and_an_illegal_action_are_explained_and_answer_nothing() -> None:
    done = await talk("fly", "w", "d", "d", "d")
    assert done.answered == ["E", "E", "E"]
    assert "got 'fly'" in done.shown[2]
    assert done.shown[3].endswith("got 'w'; legal now: wait, E")


@pytest.mark.parametrize("last", ["quit", None])
async def test_a_person_leaves_by_word_or_by_closing_the_keyboard(last: str | None) -> None:
    done = await talk("d", *([last] if last else []))
    assert (done.answered, done.code) == (["E"], 1)


async def test_a_hint_is_shown_and_not_answered() -> None:
    done = await talk("hint", "wait")
    assert "the bot would answer: E" in done.shown
    assert done.answered == ["wait"]


async def test_the_bot_plays_on_from_here() -> None:
    done = await talk("a", "d", "auto")
    assert done.answered[-2:] == ["E", "E"]
    assert done.shown.count("the bot answers: E") == len(done.answered) - 1
    assert done.code == 0


async def test_what_remains_is_handed_on_when_an_answer_is_taken_back() -> None:
    done = await talk("d", "wait", "undo")
    assert (done.kept, done.code) == (("E",), None)
    assert done.shown[-1] == "taken back: wait"


async def test_answers_that_remain_are_given_without_a_word() -> None:
    done = await talk("d", answers=("E", "E"))
    assert done.answered == ["E", "E", "E"]
    assert [shown.splitlines()[1] for shown in done.shown[1:]] == ["turn 3"]


async def test_nothing_is_taken_back_before_the_first_answer() -> None:
    done = await talk("undo", "d", "d", "d")
    assert done.shown[2] == "there is nothing to take back"
    assert (done.kept, len(done.answered)) == (None, 3)


async def test_nothing_is_taken_back_against_others() -> None:
    done = await talk("d", "undo", "d", "d", can_undo=False)
    assert "expected a game that you play alone and without a clock, got 'undo'" in done.shown
    assert (done.kept, len(done.answered)) == (None, 3)
