"""Many simulated matches of the same bots, in several processes; each is the match that `play` plays."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection, wait
from operator import index
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any

from gridjoust.bots.answers import failure_text
from gridjoust.bots.api import Bot
from gridjoust.games.api import AnyGame, ParamValue
from gridjoust.runner.results.records.file import RECORDS
from gridjoust.runner.results.tables.columns import METRICS, PAIRINGS, RESULTS, STANDINGS, TURNS
from gridjoust.runner.results.tables.text import format_columns, format_header, format_rows
from gridjoust.runner.results.tables.writer import metric_rows, result_rows, turn_columns
from gridjoust.runner.wire.errors import BugError
from gridjoust.simulation import THINK_MS, BotSpec, Simulation, prepare

if TYPE_CHECKING:
    from gridjoust.runner.results.tables.frames import Tables

SHOWN_EVERY_S = 0.2

Rows = tuple[str, str, str]
"""The rows of one match as lines of `results.csv`, `metrics.csv` and `turns.csv`."""


def play_many(
    game: str | type[AnyGame] | AnyGame,
    bots: Sequence[BotSpec],
    *,
    seeds: Iterable[int],
    workers: int | None = None,
    params: Mapping[str, ParamValue] | None = None,
    seats: int | None = None,
    time: Mapping[str, int | None] | None = None,
    faults: Mapping[str, Any] | None = None,
    think_ms: float | None = THINK_MS,
    out: Path | str | None = None,
) -> Tables:
    """Play a match for every seed, several at a time, and return the tables of all matches in the order of the seeds.

    Every match is the one that `play` plays with this seed, whatever the number of workers. A terminal and a notebook
    show the progress. Ctrl-C ends the processes. ValueError for arguments that do not fit; BugError if a bot or a game
    ends its process.

    >>> import gridjoust as joust
    >>> tables = joust.play_many("bomber", ["bomber/astar", "random"], seeds=range(3), workers=1)
    >>> len(tables.results), list(tables.standings["bot"])
    (6, ['bomber/astar', 'random'])

    Args:
        game: as in `play`
        bots: as in `play`, but no instances: each match needs new bots
        seeds: the seed of each match, without repetition
        workers: number of processes; 1: play in this process; None: one for each core
        params: as in `play`
        seats: as in `play`
        time: as in `play`
        faults: as in `play`
        think_ms: as in `play`
        out: folder for the records, which go to `records/ID.jsonl` in it; None: no records are kept
    """
    own = [index(seed) for seed in seeds]
    if not own or len(set(own)) < len(own):
        raise ValueError(f"seeds: expected at least one, and each once, got {own!r:.80}")
    if workers is not None and workers < 1:
        raise ValueError(f"workers: expected at least 1, got {workers}")
    for number, bot in enumerate(bots):
        if isinstance(bot, Bot):
            raise ValueError(f"bots[{number}]: expected a class or a function that makes a bot, got an instance")
    make = partial(prepare, game, bots, params=params, seats=seats, time=time, faults=faults, think_ms=think_ms)
    simulation, folder = make(), None if out is None else Path(out)
    if folder is not None:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    count = min(len(own), _cores() if workers is None else workers)
    rows = (_play(simulation, seed, folder) for seed in own) if count <= 1 else _in_processes(make, own, folder, count)
    return _tables(_shown(rows, len(own)))


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _play(simulation: Simulation, seed: int, folder: Path | None) -> Rows:
    """Play one match, write its record if there is a folder, and return its rows."""
    played = simulation.play(seed, is_hashed=folder is not None)
    record = played.record
    if folder is not None:
        played.save(folder / RECORDS)
    turns = format_columns(TURNS, turn_columns(record))
    return format_rows(RESULTS, result_rows(record)), format_rows(METRICS, metric_rows(record)), turns


def _in_processes(
    make: Callable[[], Simulation], seeds: Sequence[int], folder: Path | None, count: int
) -> Iterator[Rows]:
    """Yield the rows of every match in the order of the seeds, played by `count` processes."""
    # only a fork takes along classes of a notebook or a script, and few systems can fork safely
    start = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    receivers: list[Connection] = []
    processes = []
    try:
        with _uninterrupted():
            for number in range(count):
                receiver, sender = start.Pipe(duplex=False)
                receivers.append(receiver)
                arguments = (make, seeds[number::count], folder, sender, [*receivers])
                processes.append(start.Process(target=_work, args=arguments, name=f"play_many[{number}]", daemon=True))
                processes[-1].start()
                sender.close()
        yield from _received(receivers, seeds)
    finally:
        for process in processes:
            process.kill()
            process.join()
        for receiver in receivers:
            receiver.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, because it would be lost in the middle of a fork.

    A signal handler does this, because a blocked signal would reach another thread of the process.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield  # Ctrl-C does not interrupt this thread
        return
    pressed: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _number, frame: pressed.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if pressed:
        usual(signal.SIGINT, pressed[0])


def _received(receivers: Sequence[Connection], seeds: Sequence[int]) -> Iterator[Rows]:
    """Yield what the processes send, in the order of `seeds`; with k processes, number n plays seeds n, n + k, ..."""
    count = len(receivers)
    came: list[deque[Rows]] = [deque() for _ in receivers]
    missing = [len(seeds[number::count]) for number in range(count)]
    for place in range(len(seeds)):
        while not came[place % count]:
            ready = wait([receiver for receiver, left in zip(receivers, missing, strict=True) if left])
            for number, receiver in enumerate(receivers):
                if receiver not in ready:
                    continue
                try:
                    rows = receiver.recv()
                except EOFError:
                    at = seeds[number::count][-missing[number]]
                    raise BugError(f"seed {at}: a bot or the game has ended the process of its match") from None
                if isinstance(rows, BugError):
                    raise rows
                came[number].append(rows)
                missing[number] -= 1
        yield came[place % count].popleft()


def _work(
    make: Callable[[], Simulation],
    seeds: Sequence[int],
    folder: Path | None,
    sender: Connection,
    inherited: Sequence[Connection],
) -> None:
    """Play matches in a process of its own and send their rows, or the exception that ended one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller ends this process
    for connection in inherited:
        connection.close()  # else a process would not notice that the caller is gone
    simulation = make()
    for seed in seeds:
        try:
            rows: Rows | BugError = _play(simulation, seed, folder)
        except Exception as error:  # a bug of the game, or a full disk
            traceback.print_exception(error)
            rows = BugError(f"seed {seed}: {failure_text(error)}")
        try:
            sender.send(rows)
        except BrokenPipeError:  # the caller is gone
            return


def _shown(rows: Iterable[Rows], total: int) -> Iterator[Rows]:
    """Pass rows on and show in a terminal or a notebook how many matches have been played."""
    is_seen = sys.stderr.isatty() or "ipykernel" in sys.modules
    shown_s = monotonic()
    for done, one in enumerate(rows, 1):
        yield one
        if is_seen and (done == total or monotonic() - shown_s > SHOWN_EVERY_S):
            shown_s = monotonic()
            sys.stderr.write(f"\r{done:,} of {total:,} matches" + "\n" * (done == total))
            sys.stderr.flush()


def _tables(rows: Iterable[Rows]) -> Tables:
    """Return the tables with these rows, and the standings that follow from them."""
    from gridjoust.leaderboard.board import whole_board
    from gridjoust.leaderboard.frame.gathering import seats_of
    from gridjoust.leaderboard.standings import format_pairings_csv, format_standings_csv
    from gridjoust.runner.results.tables.frames import Tables, parse_table

    kinds = (RESULTS, METRICS, TURNS)
    texts = (format_header(table) + "".join(lines) for table, lines in zip(kinds, zip(*rows, strict=True), strict=True))
    results, metrics, turns = map(parse_table, texts, kinds)
    board = whole_board(seats_of(results, metrics), None)
    standings = parse_table(format_standings_csv(board.standings), STANDINGS)
    pairings = parse_table(format_pairings_csv(board.pairings), PAIRINGS)
    return Tables(results=results, metrics=metrics, turns=turns, standings=standings, pairings=pairings)
