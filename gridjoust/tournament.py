"""Plays a tournament file from Python as `joust run` does, and returns its tables."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

try:
    import resource
except ImportError:  # no unix
    resource = None  # type: ignore[assignment]

from gridjoust.bots import bot_names, load_bot
from gridjoust.bots.planners.kernels import describe_kernels
from gridjoust.runner.config.check_format import check_execution
from gridjoust.runner.config.load import RESOLVED, load_tournament
from gridjoust.runner.config.values import BotInfo, Execution
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Engine
from gridjoust.runner.engines.player import WorkerRuntime
from gridjoust.runner.plan import Backend, Plan, PreparedPlan, make_plan, prepare_folder
from gridjoust.runner.play.breakdown import LOGS, check_unbroken
from gridjoust.runner.play.build import build_bots
from gridjoust.runner.remote.access import open_access
from gridjoust.runner.results.maker import empty_folder, hold_folder
from gridjoust.runner.results.records.file import RECORDS
from gridjoust.runner.results.tables.columns import RESULTS, VERDICT
from gridjoust.runner.results.tables.datapackage import add_checksums, table_rows
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.schedule.make import schedule_only
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, refuse_what_does_not_start, run_tournament
from gridjoust.runner.wire.errors import BrokerError, ConfigError, format_os_error

if TYPE_CHECKING:
    from gridjoust.leaderboard.standings import Leaderboard
    from gridjoust.runner.results.tables.frames import Tables

T = TypeVar("T")
LEAST_FILES = 24  # open files without which the event loop cannot start
STOP_PATIENCE_S = 5.0  # for cleaning up after a signal; further signals are ignored until then
# a closed terminal sends SIGHUP, which Windows does not have
STOP_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def run(
    file: Path | str,
    *,
    out: Path | str = "results",
    resume: bool = False,
    overwrite: bool = False,
    parallel: int | None = None,
    trust: bool = False,
    strict: bool = False,
    on_match: Callable[[Played], object] | None = None,
) -> Tables:
    """Play a tournament and return its tables; the results folder is `out`/NAME, as the file names it.

    It works like `joust run` and writes the standings and the report too. The call returns when the tournament is over.
    It uses its own thread and event loop, so a notebook may call it. ConfigError for a mistake in the file. BugError
    if a bug ended matches: it names the files with the tracebacks, and the tables have all other matches.

    Args:
        file: the tournament file (YAML)
        out: folder in which the results folder is made
        resume: go on with a run that was interrupted, and play only what is missing
        overwrite: delete the results of an earlier run first
        parallel: matches at the same time; None: as in the file
        trust: run the bots without a sandbox
        strict: stop if a bot cannot start; by default it forfeits its matches
        on_match: called after every match, in the order of the tables
    """
    from gridjoust.runner.results.tables.frames import load  # pandas

    settings = Settings(resume=resume, overwrite=overwrite, parallel=parallel, trust=trust, strict=strict)
    with planned(Path(file), out=Path(out), settings=settings) as plan:
        with ThreadPoolExecutor(1, thread_name_prefix="joust") as thread:
            verdict = thread.submit(run_loop, _play(plan, on_match, strict=strict)).result()
        settle(plan, verdict)
        check_unbroken(plan.out)
        return load(plan.out)


class KnownBots(Mapping[str, BotInfo]):
    """The bots that a tournament file can name: built-in, installed, and `others`; each is imported on demand."""

    def __init__(self, others: Mapping[str, BotInfo] = MappingProxyType({})) -> None:
        self._others = others
        self._names = [*bot_names(), *others]

    def __getitem__(self, name: str) -> BotInfo:
        if name in self._others:
            return self._others[name]
        if name not in self._names:
            raise KeyError(name)
        bot = load_bot(name)
        return BotInfo(plays=bot.plays, planner=bot.planner)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of `joust run`, such as the number of parallel matches."""

    resume: bool = False
    overwrite: bool = False
    parallel: int | None = None
    trust: bool = False
    strict: bool = False
    seed: int | str | None = None
    only: tuple[str, ...] = ()  # play only the matches of these bots; () = all
    listen: str | None = None  # address for workers; None: as in the file


@contextmanager
def planned(file: Path, *, out: Path, settings: Settings) -> Iterator[PreparedPlan]:
    """Check the file, prepare its results folder, lock it against other runs, and yield the plan."""
    if settings.resume and settings.overwrite:
        raise ConfigError("give --resume or --overwrite, not both: one keeps the results, the other deletes them")
    loaded = load_tournament(
        file, known_bots=KnownBots(), strict=settings.strict, resumed_in=out if settings.resume else None
    )
    loaded = _changed(loaded, settings)
    _require_parquet(loaded)
    folder = out / loaded.config.tournament
    schedule = schedule_only(settings.only, loaded, folder) if settings.only else make_schedule
    plan = make_plan(loaded, schedule, folder, trust=settings.trust, access=open_access(loaded))
    (plan.out / RECORDS).mkdir(parents=True, exist_ok=True)
    with hold_folder(plan.out):
        try:
            if settings.overwrite and (plan.out / RESOLVED).is_file():
                empty_folder(plan.out)
            yield prepare_folder(plan, resume=settings.resume, facts={"planners": describe_kernels()})
        except OSError as error:  # a full disk, no more open files
            what = format_os_error(error, plan.out)
            raise BrokerError(f"{what}; finished matches are saved: continue with --resume") from error


def _changed(loaded: LoadedTournament, settings: Settings) -> LoadedTournament:
    """Return the tournament as the settings change it; ConfigError if `listen` does not fit."""
    replace, config = msgspec.structs.replace, loaded.config
    if settings.parallel is not None:
        config = replace(config, execution=replace(config.execution, parallel=settings.parallel))
    if settings.listen is not None:
        config = replace(config, execution=_listening(config.execution, settings.listen))
        if mistake := next(check_execution(config), None):
            raise ConfigError(f"--listen: {mistake.sentence}")
    if settings.seed is not None:
        config = replace(config, seed=settings.seed)
    return replace(loaded, config=config)


def _listening(execution: Execution, place: str) -> Execution:
    return msgspec.structs.replace(execution, where="workers", listen=place, address=None, workers=None)


def open_for(plan: Plan) -> AbstractAsyncContextManager[Backend]:
    """Open the backend of a plan: in this process, or with a broker and processes."""
    if plan.loaded.config.execution.isolation == "none":
        from gridjoust.in_process import open_in_process

        return open_in_process(plan)
    return open_backend(plan)


def settle(plan: Plan, verdict: str, show: Callable[[Leaderboard], None] = lambda _: None) -> tuple[Leaderboard, Path]:
    """Write standings, pairings, verdict and report; return the leaderboard and the report's path.

    `verdict`: what the schedule decided, as a sentence; `show` gets the leaderboard before the report is written.
    """
    from gridjoust.leaderboard.pairings import with_pairings
    from gridjoust.leaderboard.report.source import load_source
    from gridjoust.leaderboard.standings import write_tables
    from gridjoust.runner.results.tables.frames import strings_for

    rows = table_rows(plan.out)
    _make_parts(plan, rows)
    if verdict:
        (plan.out / VERDICT).write_text(f"{verdict}\n", encoding="utf-8")
    with strings_for(rows[RESULTS.file]):
        source = load_source(plan.out)  # ratings are computed once for standings, terminal and page
        board = with_pairings(source.seats, source.board)
        add_checksums(plan.out, write_tables(plan.out, board))
        show(board)
        from gridjoust.leaderboard.report.page import write_report

        return board, write_report(source)


def _make_parts(plan: Plan, rows: Mapping[str, int]) -> None:
    """Write Parquet files if the tournament asks for them, or if the tables are large and pyarrow is installed.

    Call this before the tables are read. `rows`: number of rows of each table.
    """
    from gridjoust.runner.results.tables.frames import make_parts
    from gridjoust.runner.results.tables.parquet import MANY_ROWS, has_parquet

    is_large = max(rows.values(), default=0) >= MANY_ROWS
    if plan.loaded.config.tables == "parquet" or (is_large and has_parquet()):
        make_parts(plan.out)


def _require_parquet(loaded: LoadedTournament) -> None:
    if loaded.config.tables == "parquet" and find_spec("pyarrow") is None:
        raise ConfigError(f"{loaded.source}: tables: parquet needs pyarrow: pip install 'gridjoust[parquet]'")


async def _play(plan: PreparedPlan, on_match: Callable[[Played], object] | None, *, strict: bool) -> str:
    def hear(played: Played) -> None:
        if on_match is not None:
            on_match(played)

    if plan.loaded.config.execution.where != "local":
        from gridjoust.runner.engines.owner import run_on_engine

        async with open_elsewhere(plan, strict=strict, say=_warn) as (plan, engine):
            return await run_on_engine(plan, engine, on_played=hear)
    async with open_for(plan) as backend:
        if strict:
            await refuse_what_does_not_start(plan, backend)
        return await run_tournament(plan, backend, on_played=hear)


@asynccontextmanager
async def open_elsewhere(
    plan: PreparedPlan, *, strict: bool, say: Callable[[str], None]
) -> AsyncIterator[tuple[PreparedPlan, Engine]]:
    """Build the bots of a plan for other machines, and open the engine that plays it there.

    A bot whose build fails here counts as broken there. `say` gets notes for the user. `strict`: first check here that
    all bots start.
    """
    plan = replace(plan, loaded=await build_bots(plan.loaded, plan.out / LOGS, trust=plan.trust))
    if strict:
        async with open_for(plan) as backend:
            await refuse_what_does_not_start(plan, backend)
    async with open_engine(plan, RUNTIME, say=say) as engine:
        yield plan, engine


@asynccontextmanager
async def open_engine(plan: Plan, runtime: WorkerRuntime, *, say: Callable[[str], None]) -> AsyncIterator[Engine]:
    """Open the engine that plays a plan on other machines; `say` gets a line for people now and then."""
    if plan.loaded.config.execution.where != "dask":
        from gridjoust.engines.server import open_server

        async with open_server(plan, say=say) as server:
            yield server
        return
    if find_spec("distributed") is None:
        raise ConfigError("execution.where: dask: distributed is not installed: pip install 'gridjoust[dask]'")
    from gridjoust.engines.dask_cluster import open_cluster  # an extra

    async with open_cluster(plan.loaded, runtime, trust=plan.trust) as engine:
        yield engine


def _warn(line: str) -> None:
    """Log a note, such as the command with which workers connect."""
    logging.getLogger("gridjoust").warning(line)


def run_loop(main: Coroutine[None, None, T]) -> T:
    """Run a coroutine as asyncio.run does; of an exception group, raise the first error alone.

    A signal that stops the process cancels it; KeyboardInterrupt is raised once it has cleaned up.
    """
    if resource is not None and (files := resource.getrlimit(resource.RLIMIT_NOFILE)[0]) < LEAST_FILES:
        main.close()
        raise ConfigError(f"ulimit -n: expected at least {LEAST_FILES} open files, got {files}")
    runner = asyncio.Runner()
    task = runner.get_loop().create_task(main)
    try:
        with stopped_by_signals(task) as stopping, runner:  # also while the runner closes
            result = runner.get_loop().run_until_complete(task)
    except BaseExceptionGroup as group:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise first from None
    except asyncio.CancelledError:
        if not stopping.is_asked:
            raise
    if stopping.is_asked:
        raise KeyboardInterrupt
    return result


class Stopping:
    """Cancels a task at the first stop signal (Ctrl-C, SIGTERM) and lets the task clean up."""

    def __init__(self, task: asyncio.Task[Any], *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._task = task
        self._now_s = now_s
        self._asked_s: float | None = None

    @property
    def is_asked(self) -> bool:
        """True once a signal has asked the process to stop."""
        return self._asked_s is not None

    def on_signal(self, _number: int, _frame: object) -> None:
        """Cancel the task; ignore further signals, but after `STOP_PATIENCE_S` raise KeyboardInterrupt."""
        now_s = self._now_s()
        if self._asked_s is None:
            self._asked_s = now_s
            if self._task.cancel():
                self._task.get_loop().call_soon_threadsafe(lambda: None)  # wakes it up
        elif now_s - self._asked_s > STOP_PATIENCE_S:
            self._asked_s = now_s
            raise KeyboardInterrupt


@contextmanager
def stopped_by_signals(task: asyncio.Task[Any]) -> Iterator[Stopping]:
    """Stop the task at SIGINT, SIGTERM or SIGHUP, unless that signal is ignored, as SIGHUP is with nohup.

    Only the main thread gets signals. After a signal the process ignores further ones, also after the context: it is
    about to end, and its exit code must say why.
    """
    stopping = Stopping(task)
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS}
        handlers = {n: own for n, own in handlers.items() if own in (signal.SIG_DFL, signal.default_int_handler)}
    for number in handlers:
        signal.signal(number, stopping.on_signal)
    try:
        yield stopping
    finally:
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_IGN if stopping.is_asked else handler)


RUNTIME = WorkerRuntime(known_bots=KnownBots(), open_backend=open_for, run_loop=run_loop)
