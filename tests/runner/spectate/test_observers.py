"""Whatever follows a match is told its header, every turn once and its end; and spectators get what a run allows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gridjoust.games.api import AnyGame
from gridjoust.runner.broker import allow_search, bot_account, page_account, referee_account
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.play.clock import LoopClock
from gridjoust.runner.play.match import MatchContext, MatchShell
from gridjoust.runner.referee import no_lag
from gridjoust.runner.results.records.lines import EndLine, Header
from gridjoust.runner.spectate.spectators import NO_SPECTATORS, MatchLine, MatchObserver, Message, Spectators
from gridjoust.runner.wire.bus.memory import MemoryBroker
from tests.doubles.clock import settle
from tests.runner.memory_cup import make_cup
from tests.runner.play.played_link import CUP, PlayedLink


class Diary(MatchObserver):
    """Writes down what it learns, and has something to say after every turn."""

    def __init__(self) -> None:
        self.lines: list[Header | MatchLine | EndLine] = []
        self.states: list[Any] = []

    def begin(self, game: AnyGame, header: Header) -> Sequence[Message]:
        assert game.spec.name == header.game
        self.lines.append(header)
        return ()

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> Sequence[Message]:
        self.states.append(state)
        self.lines += lines
        return [("joust/run/diary", b"turn")]

    def end(self, lines: Sequence[MatchLine | EndLine]) -> Sequence[Message]:
        self.lines += lines
        return [("joust/run/diary", b"end")]


async def test_observers_learn_every_line_once_and_their_messages_leave_after_those_to_the_bots(tmp_path: Path) -> None:
    plan, broker, diary = make_cup(CUP, tmp_path), MemoryBroker(), Diary()
    heard: list[str] = []
    async with broker.connect() as bus, broker.connect() as eye:
        await eye.subscribe("joust/run/#", lambda topic, _: heard.append(topic.split("/")[-1]))
        context = MatchContext("run", "cup", b"key", FaultPolicy(), bus, LoopClock(), no_lag)
        links = [PlayedLink("a"), PlayedLink("b")]
        record = await MatchShell(
            next(plan.schedule(plan.loaded)), links, context, observers=[diary, MatchObserver()]
        ).run()
        await settle()
    assert diary.lines == [record.header, *record.lines, record.end]
    assert len(diary.states) == 5
    assert heard == ["in", "in"] + ["in", "in", "diary"] * 5 + ["diary"]


def test_nobody_is_observed_where_nothing_is_wanted() -> None:
    assert (NO_SPECTATORS.observe("run", "m1"), NO_SPECTATORS.need_bus) == ([], False)


@pytest.mark.parametrize(
    ("spectators", "observers", "need_bus"),
    [
        (Spectators(has_views=True), ["ViewPublisher"], True),
        (Spectators(page=page_account("run")), ["LinePublisher"], True),
        (Spectators(on_lines=print), ["LineGiver"], False),
        (Spectators(on_lines=print, on_search=print, stream_search=True), ["SearchPublisher", "LineGiver"], True),
    ],
)
def test_spectators_are_served_by_one_observer_for_each_thing_they_want(
    spectators: Spectators, observers: list[str], *, need_bus: bool
) -> None:
    assert [type(one).__name__ for one in spectators.observe("run", "m1")] == observers
    assert spectators.need_bus is need_bus


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_what_bots_search_is_heard_here_only_if_the_run_streams_it(*, is_streamed: bool) -> None:
    broker = MemoryBroker()
    heard: list[tuple[str, bytes]] = []
    async with broker.connect() as bus, broker.connect() as bot:
        spectators = Spectators(stream_search=is_streamed, on_search=lambda *message: heard.append(message))
        await spectators.hear_search(bus, "run")
        await bot.publish("joust/run/bot/a.0/shown", b"way")
        await settle()
    assert heard == [("joust/run/bot/a.0/shown", b"way")] * is_streamed


def test_a_bot_shows_its_search_if_its_account_may_publish_it() -> None:
    account = bot_account("run", "a.0")
    assert [one.streams_search for one in (account, allow_search(account, "run", "a.0"))] == [False, True]
    assert [one.streams_search for one in (referee_account("run"), page_account("run", stream_search=True))] == [
        False,
        False,
    ]
