"""`joust work`: a process that requests batches of matches from a run, plays them and returns the records.

It runs the programs that the tournament lists, and prints them first. If the owner (the machine that holds the run)
cannot be reached, the worker retries for a while, so that a run continued with `--resume` finds its workers again.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from gridjoust.engines import messages
from gridjoust.engines.messages import Beat, Entry, Failed, Offer
from gridjoust.engines.self_test import Report, run_self_test
from gridjoust.games.api import IllegalAction
from gridjoust.runner.config.programs import programs_of
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Batch, Finished
from gridjoust.runner.engines.job import load_job
from gridjoust.runner.engines.player import Player, WorkerRuntime, open_player
from gridjoust.runner.wire.errors import BrokerError, ConfigError
from gridjoust.runner.wire.text import plain_text

RETRY_S = 1.0
ANSWER_S = 60.0  # limit for an answer of the owner; longer than its long polls

Say = Callable[[str], None]


class RunEndedError(Exception):
    """Raised if the run has ended: complete, or stopped."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.is_complete = word == "over"


class UnknownWorkerError(Exception):
    """Raised if this worker is not registered with the owner of the run."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Sends requests to the server of the run's owner; OSError if it cannot be reached."""

    url: str
    token: str

    async def ask(self, path: str, message: object = None) -> bytes:
        """Send a GET request, or POST the message if there is one; return the answer's body."""
        return await asyncio.to_thread(self.ask_now, path, message)

    def ask_now(self, path: str, message: object = None) -> bytes:
        """Send a request as `ask` does, but block until the answer is there."""
        place = urlsplit(self.url)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        connection = kind(place.hostname or "", place.port, timeout=ANSWER_S)
        body = None if message is None else msgspec.msgpack.encode(message)
        try:
            headers = {"Authorization": f"Bearer {self.token}"}
            connection.request("GET" if body is None else "POST", place.path.rstrip("/") + path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        except http.client.HTTPException as error:
            raise ConnectionError(f"expected an answer, got {type(error).__name__}") from None
        finally:
            connection.close()
        return _checked(answer.status, content)


def _checked(status: int, content: bytes) -> bytes:
    if status in (200, messages.NOTHING):
        return content
    said = plain_text(content.decode("utf-8", "replace"), limit=300)
    if status == messages.GONE:
        raise RunEndedError(said)
    if status == messages.UNKNOWN:
        raise UnknownWorkerError(said)
    raise ConfigError(f"the owner refused: {said or status}")


@dataclass(slots=True)
class Work:
    """One worker process: it registers with a run, plays its batches and returns the records."""

    owner: Owner
    name: str
    say: Say
    runtime: WorkerRuntime
    show_program: Callable[[RoleProgram], str]
    parallel: int | None = None
    patience_s: float = 300.0
    stays: bool = False
    trust: bool = False
    in_hand: dict[int, None] = field(default_factory=dict)
    playing: int = 0
    handing: asyncio.Lock = field(default_factory=asyncio.Lock)  # parts arrive in order

    async def run(self) -> None:
        """Play until the run ends (with `stays`: also in later runs); BrokerError if no run answers for too long."""
        while True:
            try:
                await self._take_part()
            except RunEndedError as ended:
                self.say("the run is complete" if ended.is_complete else "the run was stopped")
                if ended.is_complete and not self.stays:
                    return
                await asyncio.sleep(RETRY_S)
            except UnknownWorkerError:
                self.say("the run was restarted; registering again")

    async def _take_part(self) -> None:
        offer = msgspec.msgpack.decode(await self._reach(messages.JOB), type=Offer)
        with tempfile.TemporaryDirectory(prefix="joust-work-") as folder:
            loaded = await asyncio.to_thread(self._load, offer, Path(folder))
            for line in self._listed(loaded):
                self.say(line)
            report = await _run_self_test(loaded, offer)
            opened = open_player(
                loaded,
                Path(folder),
                name=self.name,
                open_backend=self.runtime.open_backend,
                parallel=self.parallel,
                trust=self.trust,
            )
            async with opened as player:
                await self._play_on(player, report, offer.job.digest)

    def _load(self, offer: Offer, folder: Path) -> LoadedTournament:
        return load_job(
            offer.job,
            folder,
            lambda digest: self.owner.ask_now(f"{messages.FILE}/{digest}"),
            known_bots=self.runtime.known_bots,
        )

    def _listed(self, loaded: LoadedTournament) -> list[str]:
        """Return the lines that show which programs this machine will run."""
        lines = [f"tournament {loaded.config.tournament}; programs that will run here:"]
        for bot in loaded.config.bots:
            for role, program in programs_of(bot).items():
                lines.append(plain_text(f"    {bot.name}{f' as {role}' if role else ''}: {self.show_program(program)}"))
        return lines

    async def _play_on(self, player: Player, report: Report, job: str) -> None:
        """Register with the owner and play batches; register again after every loss of the connection."""
        while True:
            entry = Entry(name=self.name, job=job, report=report, parallel=player.parallel)
            worker_id = (await self._reach(messages.ENTER, entry)).decode()
            self.say(f"registered; playing {player.parallel} matches at once")
            try:
                await self._serve(player, f"{messages.ENTER}/{worker_id}")
            except OSError as error:
                self.say(f"cannot reach the owner ({error}); retrying")
            await asyncio.sleep(RETRY_S)

    async def _serve(self, player: Player, place: str) -> None:
        self.in_hand.clear()
        self.playing = 0
        player.fresh.clear()  # results of a batch that the owner has taken back
        beat = asyncio.create_task(self._beat(place, player), name="work.beat")
        coming = asyncio.create_task(self._next(place), name="work.next")
        try:
            while True:
                await asyncio.wait([coming, beat], return_when=asyncio.FIRST_COMPLETED)
                if beat.done():
                    beat.result()
                batch = coming.result()
                coming = asyncio.create_task(self._next(place), name="work.next")
                finished = await self._play_while_asked(player, batch, place, beat)
                await self._hand_in(place, finished)
                self.in_hand.pop(batch.number, None)
        except (asyncio.CancelledError, ConfigError, BrokerError):
            await self._leave(place, player)
            raise
        finally:
            for task in (beat, coming):
                task.cancel()
            await asyncio.gather(beat, coming, return_exceptions=True)

    async def _leave(self, place: str, player: Player) -> None:
        """Send the owner what has been played and sign off, so that it can hand out the rest at once."""
        with contextlib.suppress(OSError, RunEndedError, UnknownWorkerError, ConfigError):
            if self.playing and player.fresh:
                await self._hand_in(place, player.take_part(self.playing))
            await self.owner.ask(f"{place}/{messages.LEAVE}", Beat())

    async def _play_while_asked(self, player: Player, batch: Batch, place: str, beat: asyncio.Task[None]) -> Finished:
        """Play a batch and return its records; raise what the heartbeat task `beat` raises, such as the run's end."""
        play = asyncio.create_task(self._play(player, batch, place), name="work.play")
        try:
            await asyncio.wait([play, beat], return_when=asyncio.FIRST_COMPLETED)
            if beat.done():
                beat.result()
            return await play
        finally:
            play.cancel()
            await asyncio.gather(play, return_exceptions=True)

    async def _next(self, place: str) -> Batch:
        while not (content := await self.owner.ask(f"{place}/{messages.NEXT}", [*self.in_hand])):
            pass
        batch = msgspec.msgpack.decode(content, type=Batch)
        self.in_hand[batch.number] = None
        return batch

    async def _beat(self, place: str, player: Player) -> None:
        """Send heartbeats and new records; RunEndedError if the owner has been silent for `SILENT_S`."""
        failed_s: float | None = None
        while True:
            now_s = asyncio.get_running_loop().time()
            try:
                await self.owner.ask(f"{place}/{messages.BEAT}", Beat(playing=self.playing))
                if self.playing and player.fresh:
                    await self._hand_in(place, player.take_part(self.playing))
                failed_s = None
            except OSError:  # the owner may be reachable again in a moment
                failed_s = now_s if failed_s is None else failed_s
                if now_s - failed_s > messages.SILENT_S:
                    raise RunEndedError("stopped") from None
            await asyncio.sleep(messages.BEAT_S)

    async def _hand_in(self, place: str, part: Finished) -> None:
        async with self.handing:
            await self.owner.ask(f"{place}/{messages.FINISHED}", part)

    async def _play(self, player: Player, batch: Batch, place: str) -> Finished:
        began_s = time.monotonic()
        self.playing = batch.number
        try:
            finished = await player.play(batch)
        except (ConfigError, BrokerError) as error:
            await self.owner.ask(f"{place}/{messages.FAILED}", Failed(number=batch.number, reason=str(error)))
            raise
        self.playing = 0
        self.say(f"batch {batch.number}: {len(batch.items)} matches in {time.monotonic() - began_s:.1f} s")
        return finished

    async def _reach(self, path: str, message: object = None) -> bytes:
        """Repeat a request until the owner answers; BrokerError after `patience_s`."""
        end_s = asyncio.get_running_loop().time() + self.patience_s
        is_announced = False
        while True:
            try:
                return await self.owner.ask(path, message)
            except (OSError, RunEndedError) as error:
                if isinstance(error, RunEndedError) and error.is_complete and not self.stays:
                    raise
                if not self.stays and asyncio.get_running_loop().time() > end_s:
                    raise BrokerError(f"{self.owner.url}: cannot reach a run: {error}") from None
                if not is_announced:
                    self.say(f"{self.owner.url}: cannot reach the owner yet; retrying")
                is_announced = True
                await asyncio.sleep(RETRY_S)


async def _run_self_test(loaded: LoadedTournament, offer: Offer) -> Report:
    try:
        return await run_self_test(loaded, offer.self_test)
    except (ValueError, IllegalAction) as error:
        raise ConfigError(f"self-test: expected rules that allow the recorded turns, got: {error}") from None
