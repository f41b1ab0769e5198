"""Schedules `joust run --only BOT`: the matches of some bots, and those that were played before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from gridjoust.runner.config.formats import Duels
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.results.records.file import has_record, record_path
from gridjoust.runner.schedule.make import make_schedule
from gridjoust.runner.schedule.stream import Schedule
from gridjoust.runner.wire.errors import ConfigError


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
