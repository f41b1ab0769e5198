"""`joust rerun`: play one match of a results folder again with the same seed and seats, and compare the records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gridjoust.commands.shared.arguments import JsonOption, ResultsArgument, TrustOption, free_folder
from gridjoust.commands.shared.consent import YesOption, require_consent
from gridjoust.commands.shared.forfeits import ask_command
from gridjoust.commands.shared.output import say
from gridjoust.games.api import Dynamics
from gridjoust.in_process import connector
from gridjoust.leaderboard.wording import plural
from gridjoust.recorded.compare import Difference, Longer, first_difference
from gridjoust.recorded.scripted import RECORDED, Replayed, scripted
from gridjoust.recorded.source import Source, entrants_of, find_record, load_source, only_this_match, resolve_record
from gridjoust.runner.plan import PreparedPlan, plan_pairings, prepare_folder
from gridjoust.runner.play.breakdown import check_unbroken
from gridjoust.runner.play.heading import pairing_of
from gridjoust.runner.results.records.file import record_path
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.reasons import reason_of
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.tournament import run_loop

RERUNS = "reruns"  # folder within the results folder


@dataclass(frozen=True, slots=True)
class Rerun:
    """A match and its repetition. `changed`: bots with a changed program; `misfits`: recorded answers not legal now."""

    source: Source
    record: MatchRecord
    path: Path
    acting: frozenset[str]  # bots whose recorded actions were played
    changed: tuple[str, ...]
    misfits: int
    is_real_time: bool
    difference: Difference | None


def rerun(
    results: ResultsArgument,
    match: Annotated[
        str | None, typer.Argument(help="The match's id, or its first characters; or give RESULTS/ID or ID alone.")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Run only this bot; replay the recorded actions of the others. May be repeated."),
    ] = None,
    recorded: Annotated[
        list[str] | None, typer.Option(help="Replay this bot's recorded actions. May be repeated.")
    ] = None,
    yes: YesOption = False,
    trust: TrustOption = False,
    as_json: JsonOption = False,
) -> int:
    """Play one match again with the same seed and seats, and compare it with its record."""
    source = load_source(resolve_record(results) if match is None else find_record(results, match))
    results = source.path.parent.parent
    acting = _acting(source, keep=keep or [], recorded=recorded or [])
    played = entrants_of(source, unread=acting)
    entrants = tuple(_seated(number, entrant, acting) for number, entrant in enumerate(played))
    require_consent(results, [entrant.program for entrant in entrants], is_given=yes)
    out = free_folder(results / RERUNS, source.record.header.match_id)
    pairing = pairing_of(source.record.header, entrants)
    planned = plan_pairings(only_this_match(source), out, folder=results, pairings=[pairing], trust=trust)
    plan = prepare_folder(planned, resume=False)
    script = Replayed(source.record, entrants)
    record = run_loop(_play(plan, script))
    is_real_time = game_of(source.record).spec.dynamics is Dynamics.REAL_TIME
    done = Rerun(
        source=source,
        record=record,
        path=record_path(out, pairing.match_id),
        acting=acting,
        changed=_changed(source.record, entrants),
        misfits=sum(bot.misfits for bot in script.bots),
        is_real_time=is_real_time,
        difference=first_difference(source.record, record, with_stamps=not is_real_time),
    )
    (_print_json if as_json else _print)(done)
    return 0 if done.difference is None else 1


def _acting(source: Source, *, keep: Sequence[str], recorded: Sequence[str]) -> frozenset[str]:
    """Return the bots that do not play themselves: their recorded actions are replayed."""
    names = [seat.bot for seat in source.record.header.seats]
    for option, given in (("--keep", keep), ("--recorded", recorded)):
        for bot in given:
            if bot not in names:
                raise ConfigError(f"{option}: expected one of {', '.join(dict.fromkeys(names))}, got {bot!r}")
    if keep and recorded:
        raise ConfigError("give --keep or --recorded, not both")
    return frozenset(names) - frozenset(keep) if keep else frozenset(recorded)


def _seated(number: int, entrant: Entrant, acting: frozenset[str]) -> Entrant:
    if entrant.bot in acting:
        return scripted(number, entrant)
    if entrant.program.remote:
        raise ConfigError(f"{entrant.bot} is a remote bot, which cannot be started here; replay it with --recorded")
    return entrant


def _changed(record: MatchRecord, entrants: Sequence[Entrant]) -> tuple[str, ...]:
    seats = record.header.seats
    changed = (entrant.bot for entrant in entrants if entrant.program_hash != seats[entrant.seats[0]].bot_hash)
    return tuple(dict.fromkeys(changed))


async def _play(plan: PreparedPlan, script: Replayed) -> MatchRecord:
    played: list[Played] = []
    async with open_backend(plan) as backend:
        launcher = script.launcher(plan.run, connector(plan, backend), inner=backend.launcher)
        await run_tournament(plan, replace(backend, launcher=launcher), on_played=played.append)
    check_unbroken(plan.out)
    return played[0].record


def _print(done: Rerun) -> None:
    header, old, new = done.source.record.header, done.source.record.end, done.record.end
    seats = ", ".join(
        f"seat {number} {seat.bot} ({RECORDED if seat.bot in done.acting else 'fresh'})"
        for number, seat in enumerate(header.seats)
    )
    say(plain_text(f"match {header.match_id}: {header.variant}, seed {header.seed}: {seats}"))
    if done.changed:
        say(f"changed since the match: the program of {', '.join(done.changed)}")
    say(_comparison(done))
    if done.difference is not None and done.is_real_time:
        say("    (in a real-time game the moment of each answer matters: two matches are never exactly alike)")
    for when, end in (("before", old), ("now", new)):
        reason = plain_text(reason_of(header, end))
        say(f"{when + ':':<8} {end.termination.value}, {plural(end.turns, 'turn')}, ranks {end.ranks}: {reason}")
    if done.misfits:
        say(f"{done.misfits} recorded actions were no longer legal and were replaced")
    print(f"record:  {done.path}")


def _comparison(done: Rerun) -> str:
    difference = done.difference
    if difference is None:
        return f"identical: {plural(done.record.end.turns, 'turn')} and the end"
    where = "the end" if difference.turn is None else f"turn {difference.turn}"
    text = f"first difference: {where}: {plain_text(_told(difference))}"
    seats = difference.seats if difference.turn else ()
    asks = (ask_command(done.source.path, turn=difference.turn or 0, seat=seat) for seat in seats)
    return "\n".join([text, *(f"    {command}" for command in asks)])


def _told(difference: Difference) -> str:
    if isinstance(difference.found, Longer):
        which = "recorded" if difference.found is Longer.OLD else "new"
        return f"the {which} match goes on, the other one has ended"
    return "; ".join(f"{change.old}, now {change.new}" for change in difference.found)


def _plain(difference: Difference) -> dict[str, object]:
    return {"turn": difference.turn, "seats": difference.seats, "detail": _told(difference)}


def _print_json(done: Rerun) -> None:
    shown = {
        "match_id": done.record.header.match_id,
        "record": str(done.path),
        "recorded": sorted(done.acting),
        "changed": list(done.changed),
        "misfits": done.misfits,
        "is_identical": done.difference is None,
        "first_difference": None if done.difference is None else _plain(done.difference),
        "before": msgspec.to_builtins(done.source.record.end),
        "now": msgspec.to_builtins(done.record.end),
    }
    print(json.dumps(shown))
