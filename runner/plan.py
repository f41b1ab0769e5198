"""The plan of a tournament as values: what is to be played, and where. Makes the results folder ready."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean
from types import MappingProxyType

import msgspec

from gridjoust.runner.broker import Account, Broker, bot_account
from gridjoust.runner.config.load import resolve
from gridjoust.runner.config.values import Tournament
from gridjoust.runner.config.variants import LoadedTournament, with_variants
from gridjoust.runner.play.breakdown import LOGS, tracebacks
from gridjoust.runner.play.launch import Launcher
from gridjoust.runner.play.link import BotLink
from gridjoust.runner.play.match import MatchContext, play_on_bus
from gridjoust.runner.remote.access import RemoteAccess
from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.maker import describe_environment, mark_folder
from gridjoust.runner.results.packs.folder import PACKS
from gridjoust.runner.results.records.file import RECORDS, UNUSED, list_ids
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.plain_folder import require_plain
from gridjoust.runner.results.secrets import require_same_seed, settle_seed, without_seed
from gridjoust.runner.results.tables.columns import VERDICT
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.schedule import Pairing, Schedule, count_matches, is_count_exact
from gridjoust.runner.spectate.spectators import NO_SPECTATORS, Spectators, spectators_of
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.token import slot_of

MakeSchedule = Callable[[LoadedTournament], Schedule]
PlayMatch = Callable[[Pairing, Sequence[BotLink], MatchContext, int], Awaitable[MatchRecord]]
"""Plays a pairing between bots that are ready, once; the number counts attempts from 1."""


@dataclass(frozen=True, slots=True)
class Backend:
    """What matches are played with: bus and broker, the launcher of bots, and the function that plays one match."""

    loaded: LoadedTournament  # with all bots built, or broken
    bus: Bus
    launcher: Launcher
    lost: asyncio.Future[str]  # done, with the reason, when the run cannot go on: the connection broke, or stood still
    broker: Broker | None = None  # None: everything in this process
    play: PlayMatch = play_on_bus
    note: str = ""  # one line for the user about how bots are kept apart


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament that is ready to be played: its schedule, results folder, broker accounts and spectators."""

    loaded: LoadedTournament
    schedule: MakeSchedule
    out: Path  # the tournament's own folder
    run: str  # unique name of this run on the broker
    accounts: Mapping[str, Account]  # slot -> its credentials
    trust: bool = False  # the bots are the user's own: no sandbox unless the file says so
    owns_process: bool = False  # nothing else is in the process: it may adopt what bots leave behind
    access: RemoteAccess | None = None  # of remote bots
    spectators: Spectators = NO_SPECTATORS


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedPlan(Plan):
    """A plan whose results folder is ready: with the records that the folder has already."""

    kept: KeptRecords  # the records in that folder
    is_seed_secret: bool  # while the run lasts; `loaded` has the seed itself
    seed_revealed: str = ""  # the day on which the seed of a resumed run was published; "" if it never was secret


def parallel_matches(loaded: LoadedTournament) -> int:
    """Return how many matches run at once; `auto` leaves the cores to the bots: one match for every two cores."""
    chosen = loaded.config.execution.parallel
    return chosen if isinstance(chosen, int) else max(1, (os.cpu_count() or 1) // 2)


def make_plan(
    loaded: LoadedTournament,
    schedule: MakeSchedule,
    out: Path,
    *,
    trust: bool = False,
    access: RemoteAccess | None = None,
) -> Plan:
    """Make a plan with an account for every process that may be needed: one per concurrent match and role of a bot.

    A remote bot is one process, whose account has the password of its token in `access`. `trust`: the bots are the
    user's own.
    """
    run = f"{loaded.config.tournament}-{os.urandom(3).hex()}" if access is None else access.run
    secrets = {} if access is None else {slot_of(bot): token.password for bot, token in access.tokens.items()}
    parallel = parallel_matches(loaded)
    slots = [
        f"{bot.name}.{number}"
        for bot in loaded.config.bots
        for number in range(1 if bot.remote else parallel * max(1, len(bot.roles)))
    ]
    accounts = {slot: bot_account(run, slot, secret=secrets.get(slot) or "") for slot in slots}
    spectators = spectators_of(loaded.config.execution)
    return Plan(loaded, schedule, out, run, accounts, trust=trust, access=access, spectators=spectators)


def plan_pairings(
    config: Tournament, out: Path, *, folder: Path, pairings: Sequence[Pairing] = (), trust: bool = True
) -> Plan:
    """Make a plan for these pairings alone, without a file; bots start in `folder`, results and logs go below `out`."""
    loaded = with_variants(config, source=folder / "tournament.yaml", maps={})
    return make_plan(loaded, lambda _: Schedule(iter(pairings)), out, trust=trust)


def prepare_folder(plan: Plan, *, resume: bool, facts: Mapping[str, object] = MappingProxyType({})) -> PreparedPlan:
    """Make the results folder ready; ConfigError if it has records, or with `resume` those of another tournament.

    The plan that is returned has its seed: a secret one is drawn, or read from the folder. A resumed run keeps the rule
    for seeds with which it began. `facts` are written to `environment.json` beside the versions.
    """
    out = plan.out
    if (out / RECORDS).is_dir() and any((out / RECORDS).iterdir()) and not resume:
        raise ConfigError(f"{out} has results: --resume plays what is missing or changed, --overwrite starts anew")
    if out.is_dir():
        require_plain(out)
    (out / RECORDS).mkdir(parents=True, exist_ok=True)
    (out / LOGS).mkdir(exist_ok=True)
    if resume and list_ids(out):
        require_same_seed(plan.loaded.config.seed, out)
    loaded, secrets, is_seed_secret = settle_seed(plan.loaded, out, resume=resume)
    if resume and (begun := read_planned(out)) is not None:
        loaded = msgspec.structs.replace(loaded, seed_rule=begun.seed_rule)
    kept = KeptRecords(out, secrets)
    kept.take_stock(loaded.config.tournament)
    parts = (*(out / RECORDS).glob("*.part"), *(out / RECORDS / PACKS).glob("*part"))
    for leftover in (*parts, *tracebacks(out), out / VERDICT, out / UNUSED):
        leftover.unlink(missing_ok=True)  # of what is played again, or goes on
    public = without_seed(loaded) if is_seed_secret else loaded
    mark_folder(out, resolve(public), describe_environment() | dict(facts))
    values = {field.name: getattr(plan, field.name) for field in fields(Plan)} | {"loaded": loaded}
    revealed = "" if is_seed_secret else secrets.revealed
    return PreparedPlan(**values, kept=kept, is_seed_secret=is_seed_secret, seed_revealed=revealed)


@dataclass(frozen=True, slots=True)
class Remaining:
    """What a resumed run finds in its folder, and what it has to play."""

    kept: int  # matches with a record that counts
    missing: int  # matches to play; an upper bound unless `is_exact`
    is_exact: bool
    unused: int  # records of matches that the schedule does not have
    seconds: float | None  # estimate of the time for the missing ones; None if no earlier match tells it


def remaining(plan: PreparedPlan) -> Remaining:
    """Compare the schedule with the records of the folder; call it before the first match.

    A format that depends on results has no schedule yet. For it all records count as kept.
    """
    spent: dict[str, list[float]] = {}  # by variant
    void: set[str] = set()
    tables = plan.kept.tables()
    for match_id, rows in () if tables is None else tables.matches():
        spent.setdefault(str(rows[0]["variant"]), []).append(float(rows[0]["duration_ms"] or 0) / 1000)
        if not rows[0]["counted"]:
            void.add(match_id)
    ids, parallel = plan.kept.ids - void, parallel_matches(plan.loaded)
    every = [seconds for own in spent.values() for seconds in own]
    mean_s, mean_of = fmean(every) if every else 0.0, {variant: fmean(own) for variant, own in spent.items()}
    if not is_count_exact(plan.loaded):
        left = max(0, count_matches(plan.loaded) - len(ids))
        seconds = left * mean_s / parallel if every else None
        return Remaining(len(ids), left, is_exact=False, unused=0, seconds=seconds)
    scheduled, needed_s, missing = set(), 0.0, 0
    for pairing in plan.schedule(plan.loaded):
        scheduled.add(pairing.match_id)
        if pairing.match_id not in ids:
            missing += 1
            needed_s += mean_of.get(pairing.variant, mean_s)
    unused = len(plan.kept.ids - scheduled)
    return Remaining(
        kept=len(ids & scheduled),
        missing=missing,
        is_exact=True,
        unused=unused,
        seconds=needed_s / parallel if every else None,
    )
