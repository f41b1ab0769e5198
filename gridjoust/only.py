"""`joust run --only BOT`: of a schedule known in advance the matches of some bots, and what was played before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner.config.formats import Duels
from runner.config.mistakes import nearest
from runner.config.variants import LoadedTournament
from runner.plan import MakeSchedule
from runner.record.file import record_path
from runner.schedule import Schedule, make_schedule
from runner.tables.schedule_file import FILE
from runner.wire.errors import ConfigError


def schedule_only(bots: Sequence[str], loaded: LoadedTournament, results: Path) -> MakeSchedule:
    """How to schedule the matches of these bots; ConfigError for unknown ones and where results decide who meets whom.

    Matches of others that were played before stay in the tables. The plan of the whole tournament is not written.
    """
    names, form = [bot.name for bot in loaded.config.bots], loaded.config.format
    for bot in bots:
        if bot not in names:
            raise ConfigError(f"--only: expected {nearest(bot, names)}, got {bot!r}")
    if isinstance(form, Duels) or loaded.config.stop is not None:
        got = form.type if isinstance(form, Duels) else "a stop rule"
        raise ConfigError(f"--only: expected round_robin, gauntlet or solo without a stop rule, got {got}")

    def make(given: LoadedTournament) -> Schedule:
        (results / FILE).unlink(missing_ok=True)
        wanted = (
            pairing
            for pairing in make_schedule(given)
            if any(entrant.bot in bots for entrant in pairing.entrants)
            or record_path(results, pairing.match_id).is_file()
        )
        return Schedule(replace(pairing, index=index) for index, pairing in enumerate(wanted))

    return make
