"""`joust rerun`: one match of a results folder again, on its seed, in its seats; does it come out the same?"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, cast, get_args

import msgspec
import typer

from games.api import Dynamics
from gridjoust.commands.arguments import JsonOption, ResultsArgument, free_folder
from gridjoust.commands.bot_argument import ask_command
from gridjoust.commands.loop import run_loop
from gridjoust.doctor.backend import plan_pairings
from gridjoust.doctor.compare import Difference, first_difference
from gridjoust.doctor.scripted import Script, ScriptedBot
from gridjoust.doctor.source import Source, entrants_of, find_record, load_source, only_this_match, pairing_of
from gridjoust.task_bot import TaskBot
from runner.broker import Account, credentials
from runner.config.values import ResourceLimits, RoleProgram
from runner.processes.launch import Launcher, Running
from runner.record.file import record_path
from runner.record.lines import MatchRecord
from runner.record.replay import game_of
from runner.schedule import Entrant
from runner.tournament import Backend, Plan, Played, open_backend, prepare_folder, run_tournament
from runner.wire.bus import MqttBus, Will
from runner.wire.errors import ConfigError
from runner.wire.protocol import Planner, Status, bot_prefix, encode

RERUNS = "reruns"  # folder within the results folder
RECORDED = "recorded"  # the bot name that stands for a script


@dataclass(frozen=True, slots=True)
class Rerun:
    """One match twice. `changed`: bots whose program is no longer what it was; `misfits`: see `ScriptedBot`."""

    source: Source
    record: MatchRecord
    path: Path
    acting: frozenset[str]  # bots whose recorded actions were played
    changed: tuple[str, ...]
    misfits: int
    difference: Difference | None


def rerun(
    results: ResultsArgument,
    match: Annotated[str, typer.Argument(help="The match's id, or its beginning.")],
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Only this bot plays; the others' recorded actions are played. May be repeated."),
    ] = None,
    recorded: Annotated[
        list[str] | None, typer.Option(help="This bot's recorded actions are played. May be repeated.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Play one match again, on its seed and in its seats, and compare it with its record."""
    return rerun_match(results, match, keep=keep or [], recorded=recorded or [], as_json=as_json)


def rerun_match(folder: Path, match: str, *, keep: Sequence[str], recorded: Sequence[str], as_json: bool) -> int:
    """Play the match again; 0 if it came out the same, else 1.

    `keep`: only these bots play, everyone else's recorded actions are played; `recorded`: the other way round.
    """
    source = load_source(find_record(folder, match))
    acting = _acting(source, keep=keep, recorded=recorded)
    entrants = tuple(
        _seated(number, entrant, acting) for number, entrant in enumerate(entrants_of(source, unread=acting))
    )
    out = free_folder(folder / RERUNS, source.record.header.match_id)
    pairing = pairing_of(source, entrants)
    plan = plan_pairings(only_this_match(source), out, folder=folder, pairings=[pairing])
    prepare_folder(plan, resume=False)
    stage = _Stage(source.record, entrants)
    run_loop(_play(plan, stage))
    record = stage.played[0].record
    done = Rerun(
        source=source,
        record=record,
        path=record_path(out, pairing.match_id),
        acting=acting,
        changed=_changed(source.record, entrants),
        misfits=sum(bot.misfits for bot in stage.bots),
        difference=first_difference(source.record, record, with_stamps=not _is_real_time(source)),
    )
    (_print_json if as_json else _print)(done)
    return 0 if done.difference is None else 1


# ---- who plays ------------------------------------------------------------------------------------------------------


def _acting(source: Source, *, keep: Sequence[str], recorded: Sequence[str]) -> frozenset[str]:
    """The bots that only do what the record says."""
    names = [seat.bot for seat in source.record.header.seats]
    for option, given in (("--keep", keep), ("--recorded", recorded)):
        for bot in given:
            if bot not in names:
                raise ConfigError(f"{option}: expected one of {', '.join(dict.fromkeys(names))}, got {bot!r}")
    if keep and recorded:
        raise ConfigError("--keep: expected --keep or --recorded, got both")
    return frozenset(names) - frozenset(keep) if keep else frozenset(recorded)


def _seated(number: int, entrant: Entrant, acting: frozenset[str]) -> Entrant:
    if entrant.bot in acting:
        return replace(entrant, program=RoleProgram(bot=RECORDED, options={"entrant": number}))
    if entrant.program.remote:
        raise ConfigError(f"{entrant.bot}: expected a bot that can be started here, got a remote one: --recorded")
    return entrant


def _is_real_time(source: Source) -> bool:
    return game_of(source.record).spec.dynamics is Dynamics.REAL_TIME


def _changed(record: MatchRecord, entrants: Sequence[Entrant]) -> tuple[str, ...]:
    seats = record.header.seats
    changed = (entrant.bot for entrant in entrants if entrant.program_hash != seats[entrant.seats[0]].bot_hash)
    return tuple(dict.fromkeys(changed))


# ---- playing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Stage:
    """The record that is played again; what came of it is collected here."""

    record: MatchRecord
    entrants: tuple[Entrant, ...]
    played: list[Played] = field(default_factory=list)
    bots: list[ScriptedBot] = field(default_factory=list)


async def _play(plan: Plan, stage: _Stage) -> None:
    async with _open(plan, stage) as backend:
        await run_tournament(plan, backend, on_played=stage.played.append)


@contextlib.asynccontextmanager
async def _open(plan: Plan, stage: _Stage) -> AsyncIterator[Backend]:
    async with open_backend(plan) as backend:
        broker = backend.broker
        assert broker is not None

        def connect(account: Account, will: Will) -> MqttBus:
            user, password = credentials(plan.loaded.config.broker, account)
            return MqttBus(broker.address, user=user, password=password, client_id=account.user, will=will)

        yield replace(backend, launcher=ScriptLauncher(backend.launcher, plan.run, stage, connect))


@dataclass(frozen=True, slots=True)
class ScriptLauncher:
    """Seats a script where the program says so; every other bot is started as usual."""

    inner: Launcher
    run: str
    stage: _Stage
    connect: Callable[[Account, Will], MqttBus]

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start a bot, or a script in its place."""
        if program.bot != RECORDED:
            return await self.inner.start(program, slot=slot, account=account, limits=limits)
        entrant = self.stage.entrants[int(program.options["entrant"])]
        return TaskBot(asyncio.create_task(self._act(entrant, slot, account), name=f"recorded[{slot}]"))

    def log_tail(self, slot: str) -> str:
        """The last line of a bot's log."""
        return self.inner.log_tail(slot)

    async def _act(self, entrant: Entrant, slot: str, account: Account) -> int:
        prefix = bot_prefix(self.run, slot)
        entry = self.stage.record.header.seats[entrant.seats[0]]
        planner = entry.planner if entry.planner in get_args(Planner) else "other"
        async with self.connect(account, Will(f"{prefix}/status", encode(Status(online=False)))) as bus:
            script = Script(self.stage.record, entrant.seats)
            bot = ScriptedBot(script, planner=cast(Planner, planner), version=entry.bot_version, bus=bus, prefix=prefix)
            self.stage.bots.append(bot)
            return await bot.run()


# ---- what is shown --------------------------------------------------------------------------------------------------


def _print(done: Rerun) -> None:
    header, old, new = done.source.record.header, done.source.record.end, done.record.end
    seats = ", ".join(
        f"seat {number} {seat.bot} ({RECORDED if seat.bot in done.acting else 'fresh'})"
        for number, seat in enumerate(header.seats)
    )
    print(f"match {header.match_id}: {header.variant}, seed {header.seed}: {seats}")
    if done.changed:
        print(f"changed since: the program of {', '.join(done.changed)}")
    print(_comparison(done))
    if done.difference is not None and _is_real_time(done.source):
        print("    (in real time the moment of an answer decides: no two matches are quite alike)")
    print(f"before:  {old.termination.value}, {old.turns} turns, ranks {old.ranks}: {old.reason}")
    print(f"now:     {new.termination.value}, {new.turns} turns, ranks {new.ranks}: {new.reason}")
    if done.misfits:
        print(f"{done.misfits} recorded actions did not fit any more and were replaced")
    print(f"record:  {done.path}")


def _comparison(done: Rerun) -> str:
    difference = done.difference
    if difference is None:
        return f"identical: {done.record.end.turns} turns and the end"
    where = "the end" if difference.turn is None else f"turn {difference.turn}"
    text = f"first difference: {where}: {difference.detail}"
    asks = [
        ask_command(done.source.path, turn=difference.turn, seat=seat) for seat in difference.seats if difference.turn
    ]
    return "\n".join([text, *(f"    {command}" for command in asks)])


def _print_json(done: Rerun) -> None:
    shown = {
        "match_id": done.record.header.match_id,
        "record": str(done.path),
        "recorded": sorted(done.acting),
        "changed": list(done.changed),
        "misfits": done.misfits,
        "is_identical": done.difference is None,
        "first_difference": None if done.difference is None else asdict(done.difference),
        "before": msgspec.to_builtins(done.source.record.end),
        "now": msgspec.to_builtins(done.record.end),
    }
    print(json.dumps(shown))
