"""What workers, the process that they connect to, and the run say to each other: addresses and MessagePack bodies."""

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
SILENT_S = 20.0  # a worker that was not heard of for so long is dead
MOST_NAME, MOST_REASON = 64, 500  # letters
MOST_BODY = 128_000_000
GONE, UNKNOWN, NOTHING = 410, 404, 204  # statuses: the run is over; no such worker (any more); no batch yet

_LENGTH_BYTES = 4
READY, CLOSE = -1, -2  # numbers of answers that are none: the process listens; it is to end
S = TypeVar("S", bound=msgspec.Struct)


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What the process needs that workers connect to."""

    token: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request with the token, on its way to the run."""

    number: int
    what: str  # the last part of its address, or `job`, `files`, `workers`
    of: str  # worker or digest
    body: bytes


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What the run says to it."""

    number: int
    status: int
    content: bytes


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is asked to take part in."""

    job: Job
    self_test: tuple[Recorded, ...]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A worker that has passed its self-test."""

    name: str
    job: str  # its digest
    report: Report
    parallel: Parallel

    def __post_init__(self) -> None:
        """Make the name fit to be shown anywhere."""
        msgspec.structs.force_setattr(self, "name", plain_text(self.name, limit=MOST_NAME))


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """A worker is alive."""

    playing: int = 0  # number of the batch


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A worker cannot play a batch, or any."""

    number: int
    reason: str

    def __post_init__(self) -> None:
        """Make the reason fit to be shown anywhere."""
        msgspec.structs.force_setattr(self, "reason", plain_text(self.reason, limit=MOST_REASON))


async def write_frame(writer: asyncio.StreamWriter, message: msgspec.Struct) -> None:
    """Send one message between the two processes."""
    content = msgspec.msgpack.encode(message)
    writer.write(len(content).to_bytes(_LENGTH_BYTES, "big") + content)
    await writer.drain()


async def read_frame(reader: asyncio.StreamReader, kind: type[S]) -> S:
    """Receive one; IncompleteReadError at the end."""
    size = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
    return msgspec.msgpack.decode(await reader.readexactly(size), type=kind)
