"""Kills a contest at random moments, then compares its tables with its records and with what it has acknowledged.

`Kills` starts and kills `joust serve` itself. `ForkedKills` does so hundreds of times in a minute: a process is forked
that has all modules loaded, works for a moment, and is ended by the kernel like by `kill -9`.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from benchmarks.contest_site import BOT, CODE, Site, contest_folder, played, wait_for
from benchmarks.figures import Figures
from gridjoust.runner.results.records.file import read_record, record_path
from gridjoust.runner.results.records.lines import Termination
from gridjoust.serve.config import Folders, record_name
from gridjoust.serve.contest import Contest
from gridjoust.serve.play import admission, playing
from gridjoust.serve.play.child import Start
from gridjoust.serve.play.unpacking import unpack
from gridjoust.serve.store import Store
from gridjoust.tournament import run_loop

NAMES = ("ada", "bob", "cid", "dan")
PAGES_CPU_S, MATCHES_CPU_S = 0.6, 0.7  # that the forked processes may use
MOST_S = 20.0  # that they may take
TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF, 0.0), (signal.ITIMER_REAL, signal.SIGALRM, MOST_S))


@dataclass(slots=True)
class Kills:
    """A contest that is killed again and again while versions are handed in."""

    folder: Path
    chance: random.Random
    figures: Figures = field(default_factory=Figures)
    acknowledged: dict[str, str] = field(default_factory=dict)  # label -> hash of its content
    again_s: list[float] = field(default_factory=list)  # from a start to the next match

    def run(self, times: int) -> None:
        """Kill it `times` times, then compare its tables with its records."""
        keys: dict[str, str] = {}
        for number in range(times):
            site = Site(self.folder, trust=True)
            if not keys:
                keys |= {name: site.join(name) for name in NAMES}
            stopping = threading.Event()
            handing = threading.Thread(target=self._hand_in, args=(site, keys, number, stopping))
            handing.start()
            before = played(self.folder)
            if number > 2:  # before, no version plays yet
                after_s = wait_for(lambda before=before: played(self.folder) > before, within_s=60)  # type: ignore[misc]
                if after_s is None:
                    self.figures.fail("plays again", f"no match within 60 s of start {number}")
                else:
                    self.again_s.append(time.monotonic() - site.began_s)
            time.sleep(self.chance.uniform(0.0, 2.0) + (6.0 if number <= 2 else 0.0))
            kind = self.chance.choice(("both", "server", "player"))
            site.kill(player=kind != "server", server=kind != "player")
            if kind == "player":
                time.sleep(self.chance.uniform(0.0, 0.5))
                site.kill()
            stopping.set()
            handing.join()
            self.figures.done[kind] += 1
        check(self.folder, self.acknowledged, self.figures)

    def _hand_in(self, site: Site, keys: dict[str, str], number: int, stopping: threading.Event) -> None:
        count = 0
        while not stopping.is_set() and count < 6:
            name = self.chance.choice([*keys])
            content = (BOT.format(number=count) + f"# {number} {count} {self.chance.random()}\n").encode()
            try:
                label = site.hand_in(keys[name], content)
            except (OSError, http.client.HTTPException, ValueError):
                return
            self.acknowledged[label] = hashlib.sha256(content).hexdigest()
            count += 1
            stopping.wait(self.chance.uniform(0.0, 0.4))


@dataclass(slots=True)
class ForkedKills:
    """A contest whose two processes are forked and killed again and again; bots play in the process of the matches.

    The process of the pages receives versions; that of the matches admits and plays them. Admissions leave out the
    doctor, which writes nothing into the contest, and unpack uploads without a further process.
    """

    folder: Path
    chance: random.Random
    figures: Figures = field(default_factory=Figures)
    acknowledged: dict[str, str] = field(default_factory=dict)  # label -> hash of its content

    def run(self, times: int) -> None:
        """Start and kill both processes `times` times, then compare tables and records."""
        with self._open() as contest:
            for name in NAMES:
                contest.join(CODE, name)
        players = [self._try_once() for _ in range(times)]
        for player in players:
            self._reap(player, "matches")
        check(self.folder, self.acknowledged, self.figures)

    def _open(self) -> Contest:
        return Contest.open(self.folder / "class.yaml", out=self.folder / "results", trust=True)

    def _try_once(self) -> int:
        """Start both processes, and wait for the end of that of the pages; return the id of the other process."""
        input_end, task = os.pipe()
        answers, answer_end = os.pipe()
        chance = random.Random(self.chance.random())
        cpu_s = [self.chance.uniform(0.0, most_s) for most_s in (PAGES_CPU_S, MATCHES_CPU_S)]
        player = _fork(lambda: self._play(input_end), cpu_s[1], (task, answers, answer_end))
        server = _fork(lambda: self._receive(chance, task, answer_end), cpu_s[0], (input_end, answers))
        for descriptor in (input_end, task, answer_end):  # so that the end of the pages is the end of the input
            os.close(descriptor)
        with os.fdopen(answers, "rb") as told:
            for line in told.read().decode().splitlines():
                label, digest = line.split()
                self.acknowledged[label] = digest
        self._reap(server, "pages")
        return player

    def _reap(self, process: int, name: str) -> None:
        _, status = os.waitpid(process, 0)
        is_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
        self.figures.done["killed" if is_killed else "ended"] += 1
        if not is_killed and (name == "pages" or status != 0):
            self.figures.fail("process", f"that of the {name} ended with status {status}")

    def _receive(self, chance: random.Random, task: int, answers: int) -> None:
        """Receive versions, and note each one that is acknowledged; read pages meanwhile."""
        with self._open() as contest:
            start = Start(str(self.folder / "class.yaml"), str(contest.folder), trust=True)
            os.write(task, msgspec.json.encode(start) + b"\n")
            for count in range(1_000):
                content = (BOT.format(number=count) + f"# {chance.random()}\n").encode()
                upload = contest.uploads / f"{count}.part"
                upload.write_bytes(content)
                version = contest.receive(contest.person(chance.choice(NAMES)), upload, filename="bot.py")
                os.write(answers, f"{version.label} {hashlib.sha256(content).hexdigest()}\n".encode())
                for read in (contest.ladder, contest.grades, contest.waiting) * chance.randrange(100):
                    read()

    def _play(self, task: int) -> None:
        """Admit and play as the contest's own process does."""
        os.dup2(task, 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdin = os.fdopen(0)
        admission.Admission._doctor = _pass  # type: ignore[assignment, method-assign]
        admission._unpacked = _unpacked
        run_loop(playing.main())


async def _pass(_: admission.Admission) -> str:
    return "passed"


async def _unpacked(task: admission.Task, out: Path) -> str:
    unpack(task.upload, out, filename=task.filename)
    return "unpacked"


def _fork(work: Callable[[], None], seconds: float, others: tuple[int, ...]) -> int:
    """Fork a process that works until the kernel ends it, after `seconds` s of CPU time; return its number.

    `others`: descriptors that it does not need.
    """
    if pid := os.fork():
        return pid
    status = 1
    try:
        for timer, number, limit_s in TIMERS:
            signal.signal(number, signal.SIG_DFL)
            signal.setitimer(timer, limit_s or max(seconds, 1e-3))
        for descriptor in others:
            os.close(descriptor)
        work()
        status = 0
    finally:
        os._exit(status)


def check(folder: Path, acknowledged: dict[str, str], figures: Figures) -> None:
    """Compare: acknowledged uploads are there, admitted versions are whole, tables are those of the records."""
    root = contest_folder(folder)
    folders, store = Folders(root), Store(root)
    for label, digest in acknowledged.items():
        upload = folders.upload(label)
        is_known = store.one("SELECT 1 FROM versions WHERE label = ?", (label,)) is not None
        if not is_known or not upload.is_file() or hashlib.sha256(upload.read_bytes()).hexdigest() != digest:
            figures.fail("upload lost", label)
    for row in store.read("SELECT label, program FROM versions WHERE state = 'admitted'"):
        if not row["program"] or not (folders.home(row["label"]) / "bot.py").is_file():
            figures.fail("half admitted", row["label"])
    for difference in differences(root, store):
        figures.fail("tables differ", difference)
    store.close()


def differences(root: Path, store: Store) -> list[str]:
    """Return how the sums of a contest differ from those of its records."""
    games: Counter[str] = Counter()
    scores: dict[tuple[str, str, str], list[float]] = {}
    found: list[str] = []
    for row in store.read("SELECT * FROM matches WHERE state = 'played' AND kind != 'on demand'"):
        record = read_record(record_path(Folders(root).results, row["match_id"]))
        if record.end.termination is Termination.VOID:
            found.append(f"{row['match_id']} is void")
        first, second = row["first"], row["second"]
        seat = [entry.bot for entry in record.header.seats].index(record_name(first))
        points = record.end.points[seat] or 0.0
        games.update((first, second))
        one, other, own = (first, second, points) if first < second else (second, first, 1 - points)
        scores.setdefault((row["kind"], one, other), []).append(own)
    sums = {key: (len(points), sum(points)) for key, points in scores.items()}
    kept = {
        (row["kind"], row["one"], row["other"]): (row["games"], row["points"])
        for row in store.read("SELECT * FROM scores")
    }
    if sums != kept:
        found.append(f"scores: {len(sums)} sums of records, {len(kept)} kept")
    for row in store.read("SELECT label, games FROM versions"):
        if row["games"] != games[row["label"]]:
            found.append(f"{row['label']}: {row['games']} games, {games[row['label']]} records")
    return found
