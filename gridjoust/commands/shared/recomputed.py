"""Computes the schedule of a results folder again, from the tournament's seed and the results, to compare it.

It needs no bots: the records contain their hashes and the text of the maps. The choices of a stop rule are not computed
again, as its statistics may differ between machines; each of its matches is checked on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from gridjoust.runner.config.load import RESOLVED, load_whole
from gridjoust.runner.config.programs import programs_of, resolve_program
from gridjoust.runner.config.values import RoleProgram, TimeLimits, Tournament
from gridjoust.runner.config.variants import MAP_PARAM, LoadedTournament, map_name, variant_name, with_variants
from gridjoust.runner.play.heading import make_header
from gridjoust.runner.results.records.file import read_header
from gridjoust.runner.results.records.lines import Header
from gridjoust.runner.results.secrets import FILE as SECRETS
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.results.tables.schedule_file import FILE, Decision, Planned
from gridjoust.runner.schedule import Pairing, Schedule, make_schedule, titles_of
from gridjoust.runner.schedule.make import count_matches, excluded_of, is_count_exact, schedule_of
from gridjoust.runner.schedule.pairing import Meeting
from gridjoust.runner.schedule.stream import plan_variant
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.wire.errors import ConfigError

MOST_SHOWN = 200  # characters of a value that differs
_DECLARED = {"format", "runner_version"}  # keys of a header that do not depend on the schedule
_OF_A_SEAT = ("bot", "bot_hash", "team", "role")  # keys of a seat that do


class RecomputedSchedule:
    """The schedule of a folder, computed again: `add` every match in order, then call `end`.

    Both return the first difference from the folder as a sentence, None if there is none.
    """

    def __init__(self, results: Path, planned: Planned, records: Iterable[Path]) -> None:
        """Load the tournament; ConfigError if its file cannot be read or its seed is unknown."""
        headers = [read_header(path) for path in records]
        self._planned = planned
        self._loaded = msgspec.structs.replace(_load(results, headers), seed_rule=planned.seed_rule)
        self._hashes = _recorded_hashes(self._loaded, headers)
        self._games = {(variant.name, variant.map_name): variant.game for variant in self._loaded.variants}
        self._schedule: Schedule | None = None
        if self._loaded.config.stop is None:
            self._schedule = make_schedule(self._loaded, hash_program=self._hash)
        if self._schedule is not None and planned.only is not msgspec.UNSET:
            recorded = {header.match_id for header in headers}
            self._schedule = schedule_of(planned.only, self._schedule, is_recorded=recorded.__contains__)

    @property
    def decision(self) -> Decision | None:
        """The format's decision once every match has been added."""
        found = None if self._schedule is None else self._schedule.planned
        return None if found is None else found.decision

    def add(self, header: Header, rows: Sequence[Row]) -> str | None:
        """Compare the next match of the tables with the schedule; return the first difference, None without one."""
        pairing = self._on_its_own(header) if self._schedule is None else next(self._schedule, None)
        if pairing is None:
            return f"match {header.match_id}: this tournament has no such match"
        if (difference := self._difference(pairing, header)) is None and self._schedule is not None:
            self._schedule.enter(rows)
        return difference

    def end(self) -> str | None:
        """Check that no match is missing and `schedule.json` agrees with the results; return the first difference."""
        is_over = self._planned.is_over
        if is_over and self._schedule is not None and (pairing := next(self._schedule, None)) is not None:
            seated = " against ".join(entrant.bot for entrant in pairing.entrants)
            return f"results.csv: the match of {seated} in round {pairing.round} is missing"
        expected = Planned(
            matches=count_matches(self._loaded),
            is_exact=is_count_exact(self._loaded),
            is_over=is_over,
            decision=self.decision if is_over else None,
            titles=titles_of(self._loaded.config),
            excluded=excluded_of(self._loaded.config),
            holds=self._planned.holds,  # of a stop rule, which is not computed again
            seed_rule=self._planned.seed_rule,
            only=self._planned.only,
        )
        return _first_difference(_plain(expected), _plain(self._planned), FILE, why="as the results say")

    def _hash(self, program: RoleProgram) -> str:
        return self._hashes.get(msgspec.json.encode(program), "")

    def _on_its_own(self, header: Header) -> Pairing | None:
        """Return the planned match of these bots in this round and these seats, None if there is none.

        It is found without the matches before it, as a stop rule is not computed again.
        """
        names = [bot.name for bot in self._loaded.config.bots]
        seated = [seat.bot for seat in header.seats]
        variants = [one for one in self._loaded.variants if (one.name, one.map_name) == (header.variant, header.map)]
        if not variants or not set(names).issuperset(seated):
            return None
        planned = plan_variant(self._loaded, variants[0], self._hash)
        bots = tuple(names.index(name) for name in dict.fromkeys(seated))
        matches = planned.matches(Meeting(bots, header.round, header.schedule_reason))
        return next((pairing for pairing in matches if _seated(pairing) == seated), None)

    def _difference(self, pairing: Pairing, header: Header) -> str | None:
        """Return the first difference between a record's header and the planned match, None if there is none."""
        game = self._games[pairing.variant, pairing.map_name]
        ready = [None] * len(pairing.entrants)
        expected = make_header(pairing, game, tournament=self._loaded.config.tournament, ready=ready)
        where = f"match {header.match_id}"
        return _first_difference(_decided(expected), _decided(header), where, why=f"as follows from {RESOLVED}")


def _load(results: Path, headers: Sequence[Header]) -> LoadedTournament:
    """Load the tournament of a results folder, with a secret seed too, and with the maps as they were played."""
    config = load_whole(results)
    if config.seed == SECRET:
        secrets = load_secrets(results)
        if secrets is None or not secrets.seed:
            raise ConfigError(f"{results / RESOLVED}: the seed is secret, and {SECRETS} does not contain it")
        config = msgspec.structs.replace(config, seed=secrets.seed)
    return with_variants(config, source=results / RESOLVED, maps=_recorded_maps(config, headers))


def _recorded_maps(config: Tournament, headers: Sequence[Header]) -> dict[str, str]:
    """Return the text of every map by its name in the file; "" for a map without matches."""
    texts = {(header.variant, header.map): str(header.params.get(MAP_PARAM, "")) for header in headers}
    return {
        written: texts.get((variant_name(entry), map_name(written)), "")
        for entry in config.games
        for written in entry.maps
    }


def _recorded_hashes(loaded: LoadedTournament, headers: Sequence[Header]) -> dict[bytes, str]:
    """Return the hash of every program that has played; the key is the program as JSON text."""
    programs = {bot.name: programs_of(bot) for bot in loaded.config.bots}
    hashes: dict[bytes, str] = {}
    known = set()
    for header in headers:
        for seat in header.seats:
            own = programs.get(seat.bot, {})
            program = own.get(seat.role, own.get(""))
            if program is not None and (key := (header.game, seat.bot, seat.role)) not in known:
                known.add(key)
                resolved = resolve_program(program, game=header.game, folder=loaded.folder)
                hashes.setdefault(msgspec.json.encode(resolved), seat.bot_hash)
    return hashes


def _seated(pairing: Pairing) -> list[str]:
    names = {seat: entrant.bot for entrant in pairing.entrants for seat in entrant.seats}
    return [names[seat] for seat in range(pairing.seats)]


def _decided(header: Header) -> dict[str, object]:
    """Return the parts of a header that the schedule decides: bots and seeds first, ids that depend on them last."""
    plain = {key: value for key, value in _plain(header).items() if key not in _DECLARED}
    seats = {key: [getattr(seat, key) for seat in header.seats] for key in _OF_A_SEAT}
    last = {key: plain.pop(key) for key in ("schedule_reason", "pair_id", "match_id")}
    limits = _plain(TimeLimits())  # defaults for limits that older records lack
    time = {seat: limits | given if isinstance(given, dict) else given for seat, given in header.time.items()}
    return {"round": plain.pop("round"), **seats, **plain | {"seats": len(header.seats), "time": time}, **last}


def _plain(value: msgspec.Struct) -> dict[str, object]:
    """Return a value as plain JSON data, so that read and computed values compare equal."""
    plain: dict[str, object] = msgspec.json.decode(msgspec.json.encode(value))
    return plain


def _first_difference(expected: object, got: object, where: str, *, why: str) -> str | None:
    """Return the first value that differs, as `WHERE: KEY: expected ..., WHY, got ...`; None if all are equal."""
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        pairs = ((f"{where}: {key}", want, got[key]) for key, want in expected.items())
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = ((f"{where}[{at}]", *both) for at, both in enumerate(zip(expected, got, strict=True)))
    else:
        return None if expected == got else f"{where}: expected {_shown(expected)}, {why}, got {_shown(got)}"
    return next((found for one, want, have in pairs if (found := _first_difference(want, have, one, why=why))), None)


def _shown(value: object) -> str:
    """Return a value as JSON, shortened to one line."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
