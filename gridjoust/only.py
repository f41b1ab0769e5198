"""`joust run --only BOT`: of a schedule known in advance the matches of some bots, and what was played before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridjoust.runner.config.formats import Duels
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.plan import MakeSchedule
from gridjoust.runner.record.file import has_record, record_path
from gridjoust.runner.schedule import Schedule, make_schedule
from gridjoust.runner.schedule.only import schedule_of
from gridjoust.runner.wire.errors import ConfigError


def schedule_only(bots: Sequence[str], loaded: LoadedTournament, results: Path) -> MakeSchedule:
    """How to schedule the matches of these bots; ConfigError for unknown ones and where results decide who meets whom.

    Matches of others that were played before stay in the tables. The tournament is over once all its matches are there.
    """
    names, form = [bot.name for bot in loaded.config.bots], loaded.config.format
    for bot in bots:
        if bot not in names:
            raise ConfigError(f"--only: expected {nearest(bot, names)}, got {bot!r}")
    if isinstance(form, Duels) or loaded.config.stop is not None:
        got = form.type if isinstance(form, Duels) else "a stop rule"
        raise ConfigError(f"--only: expected round_robin, gauntlet or solo without a stop rule, got {got}")

    def make(given: LoadedTournament) -> Schedule:
        whole = make_schedule(given)
        return schedule_of(bots, whole, is_recorded=lambda match_id: has_record(record_path(results, match_id)))

    return make
