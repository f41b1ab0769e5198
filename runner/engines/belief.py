"""Checks the records that workers send: they must be of the right match, within bounds, and true by the rules.

Header and bounds of every record are checked. The owner also applies the turns again for the first records of each
worker, and for a random sample of the others, one in `ONE_IN`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
from msgspec.structs import replace

from gridjoust.games.api import AnyGame
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.play.heading import make_header
from gridjoust.runner.results import replay
from gridjoust.runner.results.records.lines import FaultLine, Header, MatchRecord, Termination
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.wire.errors import RecordError
from gridjoust.runner.wire.protocol import PROTOCOL, Ready
from gridjoust.runner.wire.text import plain_text

FIRST = 2  # the first records of a worker, which are all applied again
ONE_IN = 16  # one of so many later records is applied again
MOST_LETTERS = 10_000  # characters of a reason or a fault
_YEARS = range(2000, 2200)


class LieError(RecordError):
    """A record that the rules contradict."""


@dataclass(slots=True)
class Belief:
    """Checks the records of one run; `rng` draws the sample."""

    loaded: LoadedTournament
    rng: random.Random = field(default_factory=random.SystemRandom)
    _games: Mapping[tuple[str, str], AnyGame] = field(init=False)
    _seen: Counter[str] = field(default_factory=Counter)  # number of records by worker

    def __post_init__(self) -> None:
        self._games = {(one.name, one.map_name): one.game for one in self.loaded.variants}

    def check(self, record: MatchRecord, pairing: Pairing, *, worker: str) -> None:
        """Check a record; RecordError for another match or bad values, LieError if the rules contradict it."""
        if _decided(record.header) != self._expected(pairing):
            raise RecordError(f"match {pairing.match_id}: expected the match of the batch, got another one")
        _check_bounds(record)
        self._seen[worker] += 1
        if self._seen[worker] <= FIRST or self.rng.randrange(ONE_IN) == 0:
            _apply_again(record)

    def _expected(self, pairing: Pairing) -> Header:
        game, ready = self._games[pairing.variant, pairing.map_name], [None] * len(pairing.entrants)
        header = make_header(pairing, game, tournament=self.loaded.config.tournament, ready=ready)
        return _decided(msgspec.json.decode(msgspec.json.encode(header), type=Header))


def _decided(header: Header) -> Header:
    """Return the header without the values that bots declare."""
    return replace(header, seats=[replace(seat, planner="", bot_version="") for seat in header.seats])


def _check_bounds(record: MatchRecord) -> None:
    where, end = f"match {record.header.match_id}", record.end
    for seat in record.header.seats:
        declared = {"type": "ready", "protocol": PROTOCOL, "planner": seat.planner, "version": seat.bot_version}
        try:
            is_plain = msgspec.convert(declared, Ready).version == seat.bot_version
        except msgspec.ValidationError as error:
            raise RecordError(f"{where}: {error}") from None
        if not is_plain:
            raise RecordError(f"{where}: expected a version as a bot may declare it, got {seat.bot_version!r:.100}")
    for text in (end.reason, *(line.detail for line in record.lines if isinstance(line, FaultLine))):
        if text != plain_text(text, limit=MOST_LETTERS):
            raise RecordError(f"{where}: expected a plain text of at most {MOST_LETTERS} letters, got {text!r:.60}")
    if end.counted and end.termination is Termination.VOID:
        raise RecordError(f"{where}: expected a void match that does not count")
    started = record.usage.started_utc
    try:
        year = datetime.fromisoformat(started).year
    except ValueError:
        year = 0
    if year not in _YEARS:
        raise RecordError(f"{where}: expected a time, got {started!r:.60}")


def _apply_again(record: MatchRecord) -> None:
    if record.end.termination is Termination.VOID:  # a bug of the rules may have ended it
        return
    try:
        divergence = replay.verify(record)
    except Exception as error:  # rules may fail on invented turns
        raise LieError(f"match {record.header.match_id}: the rules fail at its turns: {error}") from None
    if divergence is not None:
        raise LieError(f"match {record.header.match_id}: turn {divergence.turn}: {divergence.detail}")
