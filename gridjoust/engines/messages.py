"""Messages between workers, the HTTP process that they connect to, and the run: paths and MessagePack bodies."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec

from gridjoust.engines.self_test import Recorded, Report
from gridjoust.runner.engines.batch import Parallel
from gridjoust.runner.engines.job import Job
from gridjoust.runner.wire.text import plain_text

JOB, FILE, ENTER = "/job", "/files", "/workers"
NEXT, BEAT, FINISHED, FAILED, LEAVE = "next", "beat", "finished", "failed", "leave"  # below /workers/ID/
POLL_S = 10.0  # the longest wait for a batch
BEAT_S = 3.0
SILENT_S = 20.0  # without a heartbeat for so long, a worker counts as dead
MOST_NAME, MOST_REASON = 64, 500  # letters
MOST_BODY = 128_000_000
GONE, UNKNOWN, NOTHING = 410, 404, 204  # HTTP statuses: the run has ended; worker not registered; no batch yet

_LENGTH_BYTES = 4
READY, CLOSE = -1, -2  # special numbers of `Answered`: the HTTP process listens; it must end
S = TypeVar("S", bound=msgspec.Struct)


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """The first message to the HTTP process: the token that requests must carry."""

    token: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's request with a valid token, forwarded to the run."""

    number: int
    what: str  # the last part of its path, or `job`, `files`, `workers`
    of: str  # id of a worker, or digest of a file
    body: bytes


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """The run's answer to a request; `status` is an HTTP status."""

    number: int
    status: int
    content: bytes


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The job that a worker is offered, with its self-test."""

    job: Job
    self_test: tuple[Recorded, ...]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's registration after it has passed its self-test."""

    name: str
    job: str  # digest of the job
    report: Report
    parallel: Parallel

    def __post_init__(self) -> None:
        """Shorten the name and remove control characters, so that it can be shown anywhere."""
        msgspec.structs.force_setattr(self, "name", plain_text(self.name, limit=MOST_NAME))


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's heartbeat, with the number of the batch that it is playing."""

    playing: int = 0  # number of the batch


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's report that it cannot play a batch."""

    number: int
    reason: str

    def __post_init__(self) -> None:
        """Shorten the reason and remove control characters, so that it can be shown anywhere."""
        msgspec.structs.force_setattr(self, "reason", plain_text(self.reason, limit=MOST_REASON))


async def write_frame(writer: asyncio.StreamWriter, message: msgspec.Struct) -> None:
    """Send one message between the two processes."""
    content = msgspec.msgpack.encode(message)
    writer.write(len(content).to_bytes(_LENGTH_BYTES, "big") + content)
    await writer.drain()


async def read_frame(reader: asyncio.StreamReader, kind: type[S]) -> S:
    """Receive one message; IncompleteReadError at the end of the stream."""
    size = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
    return msgspec.msgpack.decode(await reader.readexactly(size), type=kind)
