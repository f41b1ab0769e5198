"""A checked tournament -> its schedule, and how long that will be. The one place that knows every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from runner.config.programs import program_hash
from runner.config.values import LoadedTournament, StopRule, Tournament
from runner.config.variants import Variant, make_variants
from runner.schedule.knockout import KnockoutRules, count_ties, knockout
from runner.schedule.ladder import ladder
from runner.schedule.meeting import Decisions, Field, Meeting
from runner.schedule.pairing import Pairing
from runner.schedule.rounds import count_groups, groups
from runner.schedule.stream import DecidedSchedule, FixedSchedule, Schedule
from runner.schedule.swiss import swiss
from runner.schedule.table import HashProgram, Table, make_tables
from runner.seeds import content_id


def make_schedule(loaded: LoadedTournament, *, hash_program: HashProgram = program_hash) -> Schedule:
    """Every match of the tournament, in order. Programs are hashed before the first pairing, once each.

    A bot with `roles` is one entrant per role that it plays. ConfigError where a program cannot be hashed.
    """
    config = loaded.config
    tables = make_tables(loaded, hash_program)
    decisions = _decisions(config, [table.variant for table in tables])
    return FixedSchedule(_in_rounds(config, tables)) if decisions is None else DecidedSchedule(decisions, tables)


def count_matches(loaded: LoadedTournament) -> int:
    """How many pairings `make_schedule` yields: exactly, or at most where `is_count_exact` says no."""
    config, variants = loaded.config, make_variants(loaded)
    form = config.format
    one_each = matches_per_meeting(config, variants)
    if config.stop is not None:
        return config.stop.max_matches // one_each * one_each
    match form.type:
        case "swiss":
            return form.rounds * form.pairs * (len(config.bots) // 2) * one_each
        case "knockout":
            return count_ties(len(config.bots), third_place=form.third_place) * (form.pairs + form.replays) * one_each
        case "ladder":
            return _ladder_meetings(config, one_each) * one_each
        case _:
            return form.rounds * sum(_count_in_round(config, len(variant.sides)) for variant in variants)


def is_count_exact(loaded: LoadedTournament) -> bool:
    """Whether the number of matches is known in advance."""
    form = loaded.config.format
    return loaded.config.stop is None and (form.type != "knockout" or form.replays == 0)


def matches_per_meeting(config: Tournament, variants: Sequence[Variant]) -> int:
    """Matches of two bots on one seed each: every variant and map, in both seatings if they are swapped."""
    return len(variants) * (2 if config.format.swap_seats else 1)


def _decisions(config: Tournament, variants: Sequence[Variant]) -> Decisions | None:
    """The format, if it decides by results."""
    form = config.format
    if config.stop is not None:
        return _until_stopped(config, config.stop, matches_per_meeting(config, variants))
    field = _field(config)
    match form.type:
        case "swiss":
            return swiss(field, rounds=form.rounds, pairs=form.pairs)
        case "knockout":
            return knockout(field, KnockoutRules(form.pairs, form.replays, form.third_place))
        case "ladder":
            meetings = _ladder_meetings(config, matches_per_meeting(config, variants))
            return ladder(field, meetings=meetings, pairs=form.pairs)
        case _:
            return None


def _until_stopped(config: Tournament, stop: StopRule, one_each: int) -> Decisions:
    from runner.schedule.stopping import Start, until_resolved, until_tested  # noqa: PLC0415 - numpy

    start = Start(
        rounds=config.format.rounds,
        groups=tuple(groups(config, 2)),
        reason=config.format.type,
        matches_per_meeting=one_each,
        matches_per_seed=2 if config.format.swap_seats else 1,
    )
    if stop.when == "sprt":
        return until_tested(_field(config), start, stop)
    return until_resolved(_field(config), start, stop, challengers=config.format.challengers)


def _field(config: Tournament) -> Field:
    names = tuple(bot.name for bot in config.bots)
    places = range(len(names))
    if config.format.seeding == "hash":
        return Field(names, tuple(sorted(places, key=lambda place: content_id([config.seed, names[place]]))))
    return Field(names, tuple(places))


def _ladder_meetings(config: Tournament, one_each: int) -> int:
    """Whole challenges: all of `rounds`, or those that fit into `max_matches`."""
    form = config.format
    if form.max_matches is None:
        return form.rounds * (len(config.bots) - 1) * form.pairs
    return form.max_matches // (one_each * form.pairs) * form.pairs


def _count_in_round(config: Tournament, sides: int) -> int:
    return count_groups(config, sides) * (sides if config.format.swap_seats else 1)


def _in_rounds(config: Tournament, tables: list[Table]) -> Iterator[Pairing]:
    numbers = count()
    for round_number in range(1, config.format.rounds + 1):
        for table in tables:
            for group in groups(config, len(table.variant.sides)):
                meeting = Meeting(group, round_number, reason=config.format.type)
                yield from (replace(pairing, index=next(numbers)) for pairing in table.matches(meeting))
