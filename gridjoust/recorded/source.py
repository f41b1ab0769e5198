"""Finds records, and rebuilds the entrants of a match from its record and the `tournament.yaml` of its folder.

Seed, parameters, limits and seats come from the record; programs, their options and the tournament's seed come from the
tournament file. The programs are not started, and may no longer exist.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.config.load import RESOLVED, load_played
from gridjoust.runner.config.programs import program_hash, programs_of, resolve_program
from gridjoust.runner.config.values import BotEntry, GameEntry, TimeLimits, Tournament
from gridjoust.runner.results.records.file import RECORDS, list_records, read_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.plain_folder import require_plain
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire.errors import ConfigError

RESULTS = Path("results")  # searched for a match id without a folder
SHORTEST_ID = 3  # characters of an abbreviated match id


@dataclass(frozen=True, slots=True)
class Source:
    """A match record, its file, and the tournament that it is from."""

    path: Path
    record: MatchRecord
    config: Tournament


def load_source(path: Path) -> Source:
    """Load a record with its tournament; ConfigError if the results folder has no `tournament.yaml`.

    RecordError if its game, with its parameters and seats, cannot be played here.
    """
    record = read_record(path)
    game_of(record)
    results = path.absolute().parent.parent
    if not (results / RESOLVED).is_file():
        raise ConfigError(f"{path}: its results folder has no {RESOLVED}")
    return Source(path, record, load_played(results))


def find_record(results: Path, match: str) -> Path:
    """Return the record of the match whose id begins with `match`; ConfigError unless there is exactly one."""
    if not (results / RECORDS).is_dir():
        raise ConfigError(f"{results} is not a results folder: it has no {RECORDS}")
    require_plain(results)
    found = [path for path in list_records(results) if path.stem.startswith(match)]
    exact = [path for path in found if path.stem == match]
    if exact or (len(found) == 1 and len(match) >= SHORTEST_ID):
        return (exact or found)[0]
    if not found:
        raise ConfigError(f"{results} has no match whose id begins with {match!r}")
    if len(found) == 1:
        raise ConfigError(f"{match!r}: expected at least {SHORTEST_ID} characters of a match id, got {len(match)}")
    shown = ", ".join(path.stem for path in found[:4]) + (", ..." if len(found) > 4 else "")
    raise ConfigError(f"{match!r}: expected one match, got {len(found)}: {shown}")


def resolve_record(named: Path) -> Path:
    """Return the file of a record, given the file, `RESULTS/ID`, or a match id in a folder of `results/`.

    Ids may be shortened. ConfigError unless there is exactly one such record.
    """
    if named.is_file():
        return named
    if named.is_dir():
        hint = next(
            (f", such as {named / path.stem}; joust matches {named} lists them" for path in list_records(named)), ""
        )
        raise ConfigError(f"{named} is a folder: name a match in it{hint}")
    if len(named.parts) > 1:
        results = named.parent.parent if named.parent.name == RECORDS else named.parent
        if not (results / RECORDS).is_dir():
            raise ConfigError(f"{named}: no such match record or results folder")
        return find_record(results, named.stem)
    folders = sorted(path.parent for path in RESULTS.glob(f"*/{RECORDS}"))
    found = [folder for folder in folders if any(path.stem.startswith(named.name) for path in list_records(folder))]
    if len(found) == 1:
        return find_record(found[0], named.name)
    if found:
        raise ConfigError(f"{named}: several folders have such a match: {', '.join(map(str, found))}")
    raise ConfigError(f"{named}: no such match record, and no match in {RESULTS} has this id")


def entrants_of(source: Source, *, unread: Collection[str] = ()) -> tuple[Entrant, ...]:
    """Return the entrants of a match in seat order: one per bot, or per role if the bot has a program for each.

    `unread`: bots whose files may be missing; they keep the hashes of the record.
    """
    seats: dict[tuple[str, str], list[Seat]] = {}
    for seat, entry in enumerate(source.record.header.seats):
        role = entry.role if _bot_entry(source, entry.bot).roles else ""
        seats.setdefault((entry.bot, role), []).append(seat)
    return tuple(
        _entrant(source, bot, role, tuple(own), is_read=bot not in unread) for (bot, role), own in seats.items()
    )


def entrant_at(source: Source, seat: Seat) -> Entrant:
    """Return the entrant of a seat; ConfigError if the match has no such seat."""
    count = len(source.record.header.seats)
    if not 0 <= seat < count:
        raise ConfigError(f"--seat: expected 0 to {count - 1}, got {seat}")
    names = [entry.bot for entry in source.record.header.seats]
    return next(entrant for entrant in entrants_of(source, unread=names) if seat in entrant.seats)


def only_this_match(source: Source) -> Tournament:
    """Return the tournament reduced to this match: its game as the only variant, with the map's text, and its bots.

    Other games stay in the list by name only, because the bots' seeds depend on the list of games.
    """
    header, replace = source.record.header, msgspec.structs.replace
    bots = {seat.bot for seat in header.seats}
    others = dict.fromkeys(entry.game for entry in source.config.games if entry.game != header.game)
    return Tournament(
        tournament=source.config.tournament,
        games=(
            GameEntry(game=header.game, name=header.variant, params=header.params, seats=len(header.seats)),
            *(GameEntry(game=game) for game in others),
        ),
        bots=tuple(bot for bot in source.config.bots if bot.name in bots),
        seed=source.config.seed,
        time=source.config.time,
        faults=source.config.faults,
        execution=replace(source.config.execution, parallel=1, views=False),
    )


def _bot_entry(source: Source, name: str) -> BotEntry:
    for bot in source.config.bots:
        if bot.name == name:
            return bot
    raise ConfigError(f"{source.path}: seats: expected a bot of the tournament, got {name!r}")


def _time_of(source: Source, seat: Seat) -> TimeLimits:
    try:
        return msgspec.convert(source.record.header.time.get(str(seat)), TimeLimits)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{source.path}: time of seat {seat}: expected limits, got: {error}") from None


def _entrant(source: Source, bot: str, role: str, seats: tuple[Seat, ...], *, is_read: bool) -> Entrant:
    header, entry = source.record.header, _bot_entry(source, bot)
    if (given := programs_of(entry).get(role)) is None:
        raise ConfigError(f"{source.path}: {entry.name}: no program for role {role!r}")
    program = resolve_program(given, game=header.game, folder=Path.cwd())
    return Entrant(
        bot=bot,
        program=program,
        program_hash=program_hash(program) if is_read else header.seats[seats[0]].bot_hash,
        seats=seats,
        time=_time_of(source, seats[0]),
        limits=entry.limits,
    )
