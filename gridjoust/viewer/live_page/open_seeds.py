"""Finds seeds of a results folder that are still to be played, because they reveal hidden parts of future matches.

A finished match on such a seed must not be shown with its seed, its dice or its hidden layers. The schedule is computed
again from the folder's files, so the answer does not depend on how it distributes seeds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import msgspec

from gridjoust.runner.config.formats import Duels
from gridjoust.runner.config.load import RESOLVED, load_whole
from gridjoust.runner.config.variants import with_variants
from gridjoust.runner.results.records.lines import Header
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.schedule import count_matches, make_schedule
from gridjoust.runner.schedule.stream import DecidedSchedule
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.wire.errors import ConfigError, JoustError
from gridjoust.viewer.table_tail import TableTail


class StillPlayedError(JoustError):
    """Raised if other matches on the seed of a match are still to be played."""


MOST_PLANNED = 20_000  # matches that are planned again one by one


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is known of the matches still to be played."""

    seeds: Counter[str] | None = None  # matches on each seed; None if results decide the schedule, or if it is too long
    are_rounds_in_order: bool = False  # True: no seed of an earlier round comes again


class OpenSeeds:
    """The seeds of a results folder that are still to be played, even if its run has stopped; thread-safe."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._lock = Lock()
        self._table = TableTail(results / RESULTS.file)
        self._finished: Counter[str] = Counter()  # matches that count, by seed
        self._round = 0  # the last one of which a match has been entered
        self._plan = _Plan()
        self._made_by: tuple[int, str] | None = None  # the tournament file and the seed that the plan is of

    def check(self, header: Header) -> None:
        """Raise StillPlayedError if a match on this seed is still to be played, ConfigError if that is unknown."""
        with self._lock:
            if self._is_open(header):
                raise StillPlayedError(
                    f"match {header.match_id}: its seed is still to be played; until then only the result is shown"
                )

    def _is_open(self, header: Header) -> bool:
        planned, secrets = read_planned(self._results), load_secrets(self._results)
        if planned is None or planned.is_over or (secrets is not None and secrets.published):
            return False
        self._update_plan("" if secrets is None else secrets.seed)
        self._look()
        if (seeds := self._plan.seeds) is not None:
            return self._finished[str(header.seed)] < seeds[str(header.seed)]
        return not (self._plan.are_rounds_in_order and header.round < self._round)

    def _update_plan(self, secret: str) -> None:
        file = self._results / RESOLVED
        made_by = (file.stat().st_mtime_ns if file.is_file() else 0, secret)
        if made_by != self._made_by:
            self._made_by, self._plan = made_by, _make_plan(self._results, secret)

    def _look(self) -> None:
        if self._table.look():
            self._finished.clear()
            self._round = 0
        for row in self._table.rows:
            self._round = max(self._round, int(row["round"]))
            if row["seat"] == "0" and row["counted"] == "1":
                self._finished[row["seed"]] += 1


def _make_plan(results: Path, secret: str) -> _Plan:
    """Plan the tournament of a folder again; an empty plan if its file is of another version."""
    try:
        config = load_whole(results)
        if config.seed == SECRET:
            config = msgspec.structs.replace(config, seed=secret)
        maps = {written: "" for entry in config.games for written in entry.maps}
        loaded = with_variants(config, source=results / RESOLVED, maps=maps)
        schedule = make_schedule(loaded, hash_program=lambda _program: "")
    except (ConfigError, ValueError):
        return _Plan()
    if isinstance(schedule, DecidedSchedule):
        return _Plan(are_rounds_in_order=isinstance(config.format, Duels))
    if count_matches(loaded) > MOST_PLANNED:
        return _Plan(are_rounds_in_order=True)
    return _Plan(Counter(str(pairing.seed) for pairing in schedule))
