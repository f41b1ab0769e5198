"""Makes the schedule of a checked tournament, or a part of it, and counts its matches; knows every format."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.runner.config.formats import (
    DoubleElimination,
    Duels,
    Format,
    Groups,
    Knockout,
    Ladder,
    Solo,
    Stages,
    Swiss,
)
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.config.programs import program_hash
from gridjoust.runner.config.values import Tournament
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.results.records.file import has_record, record_path
from gridjoust.runner.results.tables.schedule_file import Planned
from gridjoust.runner.schedule.combinations import groups
from gridjoust.runner.schedule.double_elimination import double_elimination
from gridjoust.runner.schedule.duels import knockout, ladder, swiss
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Meeting, Pairing
from gridjoust.runner.schedule.stages import stages
from gridjoust.runner.schedule.stream import DecidedSchedule, HashProgram, PlannedVariant, Schedule, plan_variant
from gridjoust.runner.seeds import keyed_id
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

DECIDED: dict[type[Format], Callable[[Lineup, Any], Decisions]] = {
    Swiss: swiss,
    Knockout: knockout,
    DoubleElimination: double_elimination,
    Stages: stages,
    Ladder: ladder,
}
"""Formats that depend on results: each has a generator of its pairings, made of the bots and the format's own keys."""


def make_schedule(loaded: LoadedTournament, *, hash_program: HashProgram = program_hash) -> Schedule:
    """Return every match of the tournament, in order; each program is hashed once, before the first pairing.

    A bot with `roles` is one entrant per role that it plays. ConfigError if a program cannot be hashed.
    """
    schedule = _schedule(loaded, hash_program)
    schedule.planned = Planned(
        matches=count_matches(loaded),
        is_exact=is_count_exact(loaded),
        titles=titles_of(loaded.config),
        excluded=excluded_of(loaded.config),
        seed_rule=loaded.seed_rule,
    )
    return schedule


def titles_of(config: Tournament) -> dict[str, str]:
    """Return the titles of the bots that have one, by bot name, without control characters."""
    return {bot.name: plain_text(bot.title) for bot in config.bots if bot.title is not None}


def excluded_of(config: Tournament) -> dict[str, str] | msgspec.UnsetType:
    """Return the reasons why bots do not play, by bot, without control characters; unset if all bots play."""
    return {name: plain_text(reason) for name, reason in config.exclude.items()} or msgspec.UNSET


def _schedule(loaded: LoadedTournament, hash_program: HashProgram) -> Schedule:
    form, stop = loaded.config.format, loaded.config.stop
    planned = plan_variants(loaded, hash_program=hash_program)
    if isinstance(form, Duels):
        return DecidedSchedule(DECIDED[type(form)](_lineup(loaded, form.seeding), form), planned)
    if stop is None or isinstance(form, Solo):
        return Schedule(_in_rounds(loaded.config, form, planned))
    from gridjoust.runner.schedule.stopping import until_stopped  # noqa: PLC0415 - numpy

    return DecidedSchedule(until_stopped(_lineup(loaded), form, stop), planned)


def plan_variants(loaded: LoadedTournament, *, hash_program: HashProgram = program_hash) -> list[PlannedVariant]:
    """Prepare the variants for the schedule, each with its bots; ConfigError if a program cannot be hashed."""
    return [plan_variant(loaded, variant, hash_program) for variant in loaded.variants]


def count_matches(loaded: LoadedTournament) -> int:
    """Count the pairings of `make_schedule`; an upper bound unless `is_count_exact`."""
    form, stop, bots = loaded.config.format, loaded.config.stop, len(loaded.config.bots)
    if isinstance(form, Duels):
        return form.most_matches(bots, matches_each(loaded))
    if stop is not None:
        return stop.max_matches // matches_each(loaded) * matches_each(loaded)
    sides = [len(variant.sides) for variant in loaded.variants]
    return form.rounds * sum(form.count_groups(bots, each) * (each if form.swap_seats else 1) for each in sides)


def is_count_exact(loaded: LoadedTournament) -> bool:
    """Return True if the number of matches is known in advance."""
    form = loaded.config.format
    return form.is_length_known if isinstance(form, Duels) else loaded.config.stop is None


def matches_each(loaded: LoadedTournament) -> int:
    """Count the matches of two bots on one seed: one per variant and map, or two if seats are swapped."""
    return len(loaded.variants) * (2 if loaded.config.format.swap_seats else 1)


def _lineup(loaded: LoadedTournament, seeding: str = "file") -> Lineup:
    names = tuple(bot.name for bot in loaded.config.bots)
    order = list(range(len(names)))
    if seeding == "hash":
        order = sorted(order, key=lambda place: keyed_id(loaded.config.run_key, ["seeding", names[place]]))
    return Lineup(names, tuple(order), matches_each(loaded))


def _in_rounds(config: Tournament, form: Groups, planned: Sequence[PlannedVariant]) -> Iterator[Pairing]:
    numbers = count()
    names = [bot.name for bot in config.bots]
    for round_number in range(1, form.rounds + 1):
        for one in planned:
            for group in groups(form, names, len(one.variant.sides)):
                meeting = Meeting(group, round_number, reason=form.type)
                yield from one.matches(meeting, numbers)


def schedule_only(
    bots: Sequence[str], loaded: LoadedTournament, results: Path
) -> Callable[[LoadedTournament], Schedule]:
    """Return a function that schedules the matches of these bots.

    Matches of other bots that were played before stay in the tables. The tournament ends once all its matches are
    there. ConfigError for unknown bots, and for formats whose pairings depend on results.
    """
    names, form = [bot.name for bot in loaded.config.bots], loaded.config.format
    for bot in bots:
        if bot not in names:
            raise ConfigError(f"--only: expected {nearest(bot, names)}, got {bot!r}")
    if isinstance(form, Duels) or loaded.config.stop is not None:
        got = form.type if isinstance(form, Duels) else "a stop rule"
        raise ConfigError(f"--only: expected round_robin, gauntlet or solo without a stop rule, got {got}")

    def make(tournament: LoadedTournament) -> Schedule:
        whole = make_schedule(tournament)
        return schedule_of(bots, whole, is_recorded=lambda match_id: has_record(record_path(results, match_id)))

    return make


def schedule_of(bots: Collection[str], whole: Schedule, *, is_recorded: Callable[[str], bool]) -> Schedule:
    """Return the schedule reduced to matches of these bots and recorded ones (by match id), numbered from 0."""
    wanted = (
        pairing
        for pairing in whole
        if any(entrant.bot in bots for entrant in pairing.entrants) or is_recorded(pairing.match_id)
    )
    schedule = Schedule(replace(pairing, index=index) for index, pairing in enumerate(wanted))
    if whole.planned is not None:
        schedule.planned = msgspec.structs.replace(whole.planned, only=tuple(bots))
    return schedule
