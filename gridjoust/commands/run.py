"""`joust run`: play the tournament of a file and print its leaderboard."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from contextlib import AsyncExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import JsonOption, TrustOption, find_tournament, parse_seed
from gridjoust.commands.shared.connected import enter_begins, format_time, lobby_line, page_line
from gridjoust.commands.shared.forfeits import Failure
from gridjoust.commands.shared.output import say
from gridjoust.commands.shared.progress import Reporter, make_reporter
from gridjoust.commands.shared.watching import PageListener, Watcher, let_in, open_page_listener, watched
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.config.load import read_queries
from gridjoust.runner.config.programs import programs_of
from gridjoust.runner.config.variants import RANDOM_MAP
from gridjoust.runner.engines.batch import Engine
from gridjoust.runner.plan import Backend, PreparedPlan, remaining
from gridjoust.runner.play.breakdown import check_unbroken
from gridjoust.runner.remote.access import remote_bots
from gridjoust.runner.remote.lobby import LobbyNews, ShowLobby
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.schedule import count_matches, is_count_exact, titles_of
from gridjoust.runner.tournament import refuse_what_does_not_start, run_tournament
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.tournament import Settings, open_elsewhere, open_for, planned, run_loop, settle

WATCH_S = 1.0  # between two updates about the workers
PUBLIC_SEED = "anyone who knows the seed can compute hidden information; use `seed: secret` when the bots are not yours"

REVEALED_SEED = (
    "the seed was revealed on {}, when the run ended, so bots may know the boards; "
    "--overwrite --seed secret plays on new ones"
)


def run(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="The tournament file (YAML), or quickstart: an example that comes with Joust.")
    ],
    out: Annotated[Path, typer.Option(help="Folder in which the results folder <tournament>/ is made.")] = Path(
        "results"
    ),
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep earlier results and play only the missing matches.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Delete earlier results of this tournament.")] = False,
    parallel: Annotated[int | None, typer.Option(min=1, help="Matches at once; default: as in the file.")] = None,
    trust: TrustOption = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop if a bot cannot start; default: it forfeits its matches.")
    ] = False,
    seed: Annotated[str | None, typer.Option(help="Random seed: a number, or secret; default: as in the file.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Play only this bot's matches, and keep earlier ones; may be repeated."),
    ] = None,
    watch: Annotated[
        str | None,
        typer.Option(metavar="[HOST:PORT]", help="Serve a live page of the run; default: for this machine only."),
    ] = None,
    lens: Annotated[
        bool, typer.Option("--lens", help="With --watch: show the bots' debug layers; that costs the bots time.")
    ] = False,
    listen: Annotated[
        str | None, typer.Option(help="HOST:PORT: let `joust work` processes that connect there play the matches.")
    ] = None,
    fail_on: Annotated[
        list[Failure] | None,
        typer.Option(
            help="Exit with code 1 if a match had a forfeit, any fault, or is void and does not count; may be repeated."
        ),
    ] = None,
    summary: Annotated[
        Path | None, typer.Option(help="Also write standings, verdict and failures to this file, in Markdown.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Play a tournament to its leaderboard."""
    settings = Settings(
        resume=resume,
        overwrite=overwrite,
        parallel=parallel,
        trust=trust,
        strict=strict,
        seed=None if seed is None else parse_seed(seed),
        only=tuple(only or ()),
        listen=listen,
    )
    if lens and watch is None:
        raise ConfigError("--lens works only with --watch: the live page shows the layers")
    if summary is not None and not summary.parent.is_dir():
        raise ConfigError(f"--summary: folder not found: {summary.parent}")
    listener = None if watch is None else open_page_listener(watch)
    with planned(find_tournament(file), out=out, settings=settings) as prepared:
        plan = replace(prepared, owns_process=True)
        if listener is not None and (lens or plan.loaded.config.execution.where == "local"):
            plan = let_in(plan, stream_search=lens)
        reporter = make_reporter(plan.out, as_json=as_json, files=_files(plan))
        reporter.titles = titles_of(plan.loaded.config)
        try:
            verdict = run_loop(_play(plan, reporter, settings, listener))
        except KeyboardInterrupt:
            stopped = (
                f"\nstopped; {plural(len(list_records(plan.out)), 'match')} recorded. "
                f"Continue with: {_resuming(context)}"
            )
            say("\n".join([*reporter.not_started, stopped]), to_errors=True)
            return 130
        from gridjoust.commands.shared.board import print_board, write_summary

        show = partial(print_board, title=plan.loaded.config.tournament, as_json=as_json)
        board, page = settle(plan, verdict, show)
    for note in plan.kept.take_notes():
        say(note, to_errors=True)
    if not as_json:
        for line in filter(None, [*reporter.not_started, verdict]):
            say(line)
        print(f"results: {plan.out}", f"report: {page}", sep="\n")
    failures = reporter.failures.lines(fail_on or ())
    if summary is not None:
        lines = [*filter(None, [verdict]), *reporter.summary(), *reporter.not_started, *failures]
        write_summary(summary, board, title=plan.loaded.config.tournament, lines=lines)
    check_unbroken(plan.out)
    return _exit_code(plan, failures)


def _exit_code(plan: PreparedPlan, failures: Sequence[str]) -> int:
    """Print the failures; return exit code 1 if there are any or a test of the stop rule did not succeed, else 0."""
    for line in failures:
        say(f"joust: {line}", to_errors=True)
    schedule = read_planned(plan.out)
    return 1 if failures or (schedule is not None and schedule.holds is False) else 0


def _resuming(context: typer.Context) -> str:
    """Return the command line as the user typed it, with `--resume` added."""
    words = context.command_path.split()
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name in ("overwrite", "resume") or source is None or source.name != "COMMANDLINE":
            continue
        option = parameter.opts[-1:] if parameter.param_type_name == "option" else []
        value = context.params[name]
        values = value if isinstance(value, list | tuple) else [value]
        words += option if value is True else [word for one in values for word in (*option, str(one))]
    return shlex.join([*words, "--resume"])


async def _play(plan: PreparedPlan, reporter: Reporter, settings: Settings, listener: PageListener | None) -> str:
    """Play the plan on this machine; return what the schedule has decided, "" if nothing."""
    if plan.loaded.config.execution.where != "local":
        return await _play_elsewhere(plan, reporter, settings, listener)
    async with open_for(plan) as backend, AsyncExitStack() as stack:
        watcher = None if listener is None else await stack.enter_async_context(watched(plan, backend, listener))
        plan = replace(plan, loaded=backend.loaded, spectators=watcher.spectators if watcher else plan.spectators)
        verdict = ""
        if settings.strict:
            await refuse_what_does_not_start(plan, backend)
        _begin(plan, reporter, settings, [*_notes(plan, backend), *_live_notes(listener)])
        try:
            with enter_begins() if remote_bots(plan.loaded.config) else nullcontext() as begin:
                verdict = await run_tournament(
                    plan,
                    backend,
                    on_played=lambda played: reporter.played(played.outline, played.rows, is_new=played.is_new),
                    show_lobby=_lobby_of(reporter, watcher),
                    begin=begin,
                )
        finally:
            reporter.end(verdict)
        return verdict


def _lobby_of(reporter: Reporter, watcher: Watcher | None) -> ShowLobby:
    """Return the function that shows changes of the connected remote bots, in the terminal and on the live page."""
    if watcher is None:
        return reporter.lobby

    def show(news: LobbyNews) -> None:
        reporter.lobby(news)
        watcher.tell(lobby_line(news) if news.is_open or news.missing else "")

    return show


def _live_notes(listener: PageListener | None) -> list[str]:
    return [] if listener is None else [f"live: {listener.address}"]


async def _play_elsewhere(
    plan: PreparedPlan, reporter: Reporter, settings: Settings, listener: PageListener | None
) -> str:
    """Play the plan on other machines; return what the schedule has decided, "" if nothing."""
    from gridjoust.runner.engines.owner import run_on_engine

    notes: list[str] = []
    verdict = ""
    opened = open_elsewhere(plan, strict=settings.strict, say=notes.append)
    async with opened as (plan, engine), AsyncExitStack() as stack:
        watcher = None if listener is None else await stack.enter_async_context(watched(plan, None, listener))
        _begin(plan, reporter, settings, [*_general_notes(plan), *notes, *_live_notes(listener)])
        watch = asyncio.create_task(_watch(engine, reporter, watcher), name="run.workers")
        try:
            verdict = await run_on_engine(
                plan,
                engine,
                on_played=lambda played: reporter.played(played.record, played.rows, is_new=played.is_new),
            )
        finally:
            watch.cancel()
            reporter.end(verdict)
    return verdict


async def _watch(engine: Engine, reporter: Reporter, watcher: Watcher | None) -> None:
    while True:
        for note in engine.take_notes():
            reporter.tell(note)
        reporter.workers(engine.workers())
        if watcher is not None:
            watcher.tell(page_line(engine.workers()))
        await asyncio.sleep(WATCH_S)


def _begin(plan: PreparedPlan, reporter: Reporter, settings: Settings, notes: list[str]) -> None:
    loaded = plan.loaded
    total = sum(1 for _ in plan.schedule(loaded)) if settings.only else count_matches(loaded)
    resuming = [resume_line(plan)] if plan.kept.ids else []
    notes = [*plan.kept.take_notes(), *resuming, *notes]
    for bot, reason in loaded.broken.items():
        reporter.note_broken(bot, reason)
    reporter.begin(loaded.config.tournament, total, notes, is_exact=is_count_exact(loaded))


def resume_line(plan: PreparedPlan) -> str:
    """Say how many matches a resumed run keeps and plays, and about how long that takes on this machine."""
    left = remaining(plan)
    text = f"resuming {plan.out}: {left.kept} matches kept, {'' if left.is_exact else 'at most '}{left.missing} to play"
    if left.missing and left.seconds is not None and plan.loaded.config.execution.where == "local":
        text += f", about {format_time(max(1.0, left.seconds))}"
    if left.unused:
        text += f"; {left.unused} recorded matches are not in this tournament any more"
    return text


def _files(plan: PreparedPlan) -> dict[str, str]:
    """Return, by bot name, the `path` of each bot that has one program file for all roles."""
    return {bot.name: bot.path for bot in plan.loaded.config.bots if bot.path is not None}


def _notes(plan: PreparedPlan, backend: Backend) -> list[str]:
    """Return notes for the user before the first match: about seed, broker and remote bots."""
    config, notes = plan.loaded.config, _general_notes(plan)
    if backend.broker is None:
        return [*notes, "bots run in this process, without a broker"]
    notes += [note for note in (backend.broker.note, backend.note) if note]
    if remote := remote_bots(config):
        notes.append(
            f"remote: {', '.join(remote)}; `joust tokens {plan.loaded.source}` prints the commands to connect them"
        )
    return notes


def _general_notes(plan: PreparedPlan) -> list[str]:
    """Return the notes that hold on every machine, such as one about the seed."""
    config, notes = plan.loaded.config, [*plan.loaded.notes]
    maps = dict.fromkeys(written for entry in config.games for written in entry.maps if written != RANDOM_MAP)
    for file in (plan.loaded.folder / written for written in maps):
        if (queries := read_queries(file)) is not None and queries[1]:
            from gridjoust.games.navigation.movingai import left_out

            notes.append(left_out(Path(f"{file.name}.scen"), queries[1]))
    if not plan.is_seed_secret and not all(program.bot for bot in config.bots for program in programs_of(bot).values()):
        notes.append(REVEALED_SEED.format(plan.seed_revealed) if plan.seed_revealed else PUBLIC_SEED)
    return notes
