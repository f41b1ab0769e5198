"""Remote bots with tokens, from the lobby to the end: in this process, but for broker, proxy and one program."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gridjoust.bots.api import Bot, Observation
from gridjoust.bots.random_bot import RandomBot
from gridjoust.remote.session import ClassPlayer, CommandPlayer, Player, play_remotely
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.plan import make_plan, prepare_folder
from gridjoust.runner.remote.access import RemoteAccess, open_access
from gridjoust.runner.remote.lobby import LobbyNews
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.runner.wire.errors import RefusedError
from gridjoust.runner.wire.token import Token
from tests.e2e.joust_process import until
from tests.e2e.test_stdio import LEAST

pytestmark = pytest.mark.e2e

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 12}}]
format: {rounds: 2}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: process, lobby_s: 600, patience_s: 600}
bots: [{name: ada, remote: true}, {name: ben, remote: true}]
"""


def ignore(line: str) -> None:
    """Where nobody reads."""


class Host:
    """A tournament file and its runs."""

    def __init__(self, folder: Path) -> None:
        self.news: list[LobbyNews] = []
        self.played: list[Played] = []
        self._folder = folder
        file = folder / "cup.yaml"
        file.write_text(CUP)
        self._loaded = load_tournament(file)
        self.tokens = self._access().tokens

    def _access(self) -> RemoteAccess:
        access = open_access(self._loaded)
        assert access is not None
        return access

    async def run(self, *, resume: bool = False) -> None:
        """To its end."""
        plan = make_plan(self._loaded, make_schedule, self._folder / "out", access=self._access())
        prepared = prepare_folder(plan, resume=resume)
        async with open_backend(prepared) as backend:
            await run_tournament(prepared, backend, on_played=self.played.append, show_lobby=self.news.append)

    async def hears(self, line: str) -> None:
        """Until the lobby has said so."""
        await until(lambda: any(news.line == line for news in self.news))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridjoust.remote.session.RETRY_S", 0.05)


async def ended(task: asyncio.Task[None]) -> None:
    """Cancel it, once."""
    task.cancel()
    await asyncio.wait([task])


@contextlib.asynccontextmanager
async def connected(token: Token, player: Player) -> AsyncIterator[tuple[asyncio.Task[None], list[str]]]:
    """A remote bot, until it leaves or is ended; and what it says."""
    said: list[str] = []
    task = asyncio.create_task(play_remotely(token, player, say=said.append))
    try:
        yield task, said
    finally:
        await ended(task)


@pytest.mark.gate
async def test_remote_bots_are_gathered_survive_a_run_that_breaks_off_and_play_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "least.py").write_text(LEAST)
    program = CommandPlayer((sys.executable, "-S", str(tmp_path / "least.py")))
    host = Host(tmp_path)
    first = asyncio.create_task(host.run())
    async with connected(host.tokens["ada"], ClassPlayer(RandomBot)) as (ada, ada_said):
        await host.hears("ada is connected")
        with pytest.raises(RefusedError, match="another bot is already connected with this token"):
            await play_remotely(host.tokens["ada"], ClassPlayer(RandomBot), say=ignore)
        await ended(first)
        await until(lambda: any("connection lost" in line for line in ada_said))
        second = asyncio.create_task(host.run(resume=True))
        async with connected(host.tokens["ben"], program) as (ben, ben_said):
            async with asyncio.timeout(300):
                await asyncio.gather(second, ada, ben)
    for said in (ada_said, ben_said):
        assert [line for line in said if line.startswith("match ")] == [
            f"match {number} of 4: bomber with 2 seats, yours: {seat}" for number, seat in enumerate(seats_of(said), 1)
        ]
        assert len(seats_of(said)) == 4
        assert said[-1].startswith("the tournament is over: ")
    assert [played.record.end.termination.value for played in host.played] == ["completed"] * 4
    assert not any(sum(played.record.end.faults) for played in host.played)


def seats_of(said: list[str]) -> list[str]:
    return [line[-1] for line in said if line.startswith("match ")]


class Stumbling(Bot):
    """Makes a mistake, and breaks off in its second match."""

    matches = 0

    def act(self, observation: Observation) -> str:
        if observation.turn == 2:
            Stumbling.matches += 1
            if Stumbling.matches == 2:
                raise RuntimeError("out of ideas")
            return "fly"
        return observation.legal[0]


@pytest.mark.gate
async def test_a_bot_that_breaks_off_plays_its_next_match_and_its_person_reads_of_its_faults(tmp_path: Path) -> None:
    Stumbling.matches = 0
    host = Host(tmp_path)
    run = asyncio.create_task(host.run())
    async with (
        connected(host.tokens["ada"], ClassPlayer(Stumbling)) as (ada, ada_said),
        connected(host.tokens["ben"], ClassPlayer(RandomBot)) as (ben, _),
        asyncio.timeout(300),
    ):
        await asyncio.gather(run, ada, ben)
    ends = [played.record.end.termination.value for played in host.played]
    assert ends == ["completed", "crashed", "completed", "completed"]
    assert any(line.startswith("fault in turn 2: malformed: action 'fly'") for line in ada_said)
    assert "the bot stopped with an error; it is started again for the next match" in ada_said


async def test_who_has_a_token_that_was_renewed_is_told_so(tmp_path: Path) -> None:
    host = Host(tmp_path)
    renewed = open_access(load_tournament(tmp_path / "cup.yaml"), renew=["ada"])
    assert renewed is not None
    run = asyncio.create_task(host.run())
    await until(lambda: bool(host.news))
    with pytest.raises(RefusedError, match="the tournament does not know this token"):
        await play_remotely(host.tokens["ada"], ClassPlayer(RandomBot), say=ignore)
    async with connected(renewed.tokens["ada"], ClassPlayer(RandomBot)):
        await host.hears("ada is connected")
    await ended(run)
