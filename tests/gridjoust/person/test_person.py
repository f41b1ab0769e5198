"""A person's conversation with a scripted referee: what is shown, what is answered, what is taken back."""

from __future__ import annotations

import asyncio
import errno
import io
from dataclasses import dataclass, field
from typing import Any

import pytest

from gridjoust import games
from gridjoust.bots import load_bot
from gridjoust.games.api import AnyGame, Turn
from gridjoust.person.person import Lines, Person, TextFace, read_keyboard
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.wire.bus.memory import MemoryBroker
from gridjoust.runner.wire.protocol import Action, FromBot, Start, Stop, ToBot, TurnMessage, decode_from_bot, encode

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
            face=TextFace(done.shown.append),
            advisor_class=load_bot("navigation/astar"),
            answers=answers,
            undo=take_back if can_undo else None,
        )
        running = asyncio.create_task(person.run(), name="person")
        running.add_done_callback(lambda _: heard.put_nowait(None))

        async def send(message: ToBot) -> FromBot | None:
            await referee.publish("seat/in", encode(message))
            return await asyncio.wait_for(heard.get(), timeout=60)

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


def turns_shown(done: Talk) -> list[str]:
    return [shown.splitlines()[1] for shown in done.shown if shown.startswith("\nturn ")]


EEE = ["E", "E", "E"]
GREETING = "You play navigation in seat 0. ? shows the keys, quit leaves."
ALONE = "undo works only in single-player games without a clock"
Kept = tuple[str, ...] | None
TALKS: dict[str, tuple[tuple[str, ...], dict[str, Any], list[str], Kept, int | None, str]] = {
    "keys are answers until the referee says stop": (("d", "d", "d"), {}, EEE, None, 0, GREETING),
    "a person leaves by a word": (("d", "quit"), {}, ["E"], None, 1, GREETING),
    "a person leaves by closing the keyboard": (("d",), {}, ["E"], None, 1, GREETING),
    "a hint is shown and not answered": (("hint", "wait"), {}, ["wait"], None, 1, "the bot would answer: E"),
    "what remains is handed on when an answer is taken back": (("d", "wait", "undo"), {}, ["E", "wait"], ("E",), None,
        "taken back: wait"),
    "nothing is taken back before the first answer": (("undo", "d", "d", "d"), {}, EEE, None, 0,
        "there is nothing to take back"),
    "nothing is taken back against others": (("d", "undo", "d", "d"), {"can_undo": False}, EEE, None, 0, ALONE),
    "answers that remain are given": (("d",), {"answers": ("E", "E")}, EEE, None, 0, GREETING),
}  # fmt: skip


@pytest.mark.parametrize(("typed", "options", "answered", "kept", "code", "line"), TALKS.values(), ids=TALKS)
async def test_a_person_talks_with_the_referee(
    typed: tuple[str, ...], options: dict[str, Any], answered: list[str], kept: Kept, code: int | None, line: str
) -> None:
    done = await talk(*typed, **options)
    assert (done.answered, done.kept, done.code) == (answered, kept, code)
    assert line in done.shown


async def test_every_turn_is_shown_but_those_whose_answers_remain() -> None:
    assert turns_shown(await talk("d", "d", "d")) == ["turn 1", "turn 2", "turn 3"]
    assert turns_shown(await talk("d", answers=("E", "E"))) == ["turn 3"]


async def test_a_wrong_key_and_an_illegal_action_are_explained_and_answer_nothing() -> None:
    done = await talk("fly", "w", "d", "d", "d")
    assert done.answered == EEE
    assert "got 'fly'" in done.shown[2]
    assert done.shown[3].endswith("got 'w'; legal now: wait, E")


async def test_the_bot_plays_on_from_here() -> None:
    done = await talk("a", "d", "auto")
    assert done.answered[-2:] == ["E", "E"]
    assert done.shown.count("the bot answers: E") == len(done.answered) - 1
    assert done.code == 0


class ClosedTerminal(io.StringIO):
    """A keyboard that gives one line; then its terminal closes."""

    def __next__(self) -> str:  # type: ignore[override]  # typeshed declares bytes
        if line := self.readline():
            return line
        raise OSError(errno.EIO, "Input/output error")


async def test_a_terminal_that_closes_ends_what_is_typed() -> None:
    typed = Lines()
    read_keyboard(ClosedTerminal("up\n"), typed)
    while None not in typed.lines:
        typed.news.clear()
        await typed.news.wait()
    assert list(typed.lines) == ["up", None]
