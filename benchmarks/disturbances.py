"""Kill and stop processes of a live tournament at random, resume it until it is complete, compare with a quiet run.

Two bots of the tournament are left alone; the third is the victim. It signals only processes that the run has
started, by their numbers.
"""

from __future__ import annotations

import contextlib
import math
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from benchmarks.figures import Figures
from benchmarks.outcomes import Outcome, compare, has_void_matches, read_outcome
from tests.e2e.joust_process import start_joust

BOT = Path(__file__).parents[1] / "bots" / "examples" / "plain.py"
VICTIM = "victim"
CUP = """
tournament: chaos
seed: 11
games: [{{game: bomber, params: {{max_ticks: 25, bomb_ticks: 5, treasure_min_ticks: 2, treasure_max_ticks: 4}}}}]
format: {{rounds: {rounds}}}
time: {{turn_ms: 400, start_ms: 15000, grace_ms: 100}}
faults: {{limit: 3}}
execution: {{parallel: {parallel}}}
broker: {{use: {broker}}}
bots:
  - {{name: left, command: [{python}, {bot}, left]}}
  - {{name: right, command: [{python}, {bot}, right]}}
  - {{name: victim, command: [{python}, {bot}, victim]}}
"""
BROKER_WORDS = ("mosquitto.conf", "gridjoust.runner.broker.embedded_server")
OUT = Path("results") / "chaos"
LIMIT_S = 150.0  # for one start of a tournament, which takes seconds
PLAYING_SHARE = 0.7  # share of the starts in which nothing is disturbed before the bots run
LEAVE_S = 5.0  # time for descendants to end after their runner


PROBLEMS = ("lost rows", "doubled rows", "differing rows", "innocent bots blamed", "orphans", "bad ends")
EVENTS = {  # (whom, what) -> weight
    ("referee", "kill"): 3,
    ("broker", "kill"): 2,
    ("victim", "kill"): 8,
    ("referee", "stop"): 4,
    ("broker", "stop"): 5,
    ("victim", "stop"): 5,
}


class Disturber:
    """Plays tournaments and disturbs them, with processes that it kills or stops."""

    def __init__(self, *, rounds: int, seed: int, scratch: Path) -> None:
        self.figures = Figures()
        self.starts = self.tournaments = self.rows = 0
        self._rng = random.Random(seed)
        self._rounds = rounds
        self._scratch = scratch
        self._pids: dict[int, float] = {}  # every process of the run that was seen, and its start time
        self._quiet = self._play_quietly()

    def disturb(self, kills: int, settings: list[tuple[str, int]], *, minutes: float = math.inf) -> Figures:
        """Disturb tournaments, each by the next of `settings` (broker, matches at once); start none after `minutes`."""
        end_s = time.monotonic() + minutes * 60
        while (done := self.figures.done.total()) < kills and time.monotonic() < end_s:
            broker, parallel = settings[self.tournaments % len(settings)]
            folder = self._write_cup(broker, parallel)
            if self._is_played_to_the_end(folder, kills - done):
                outcome = read_outcome(folder / OUT)
                compare(self._quiet, outcome, self.figures, victim=VICTIM)
                self.rows += len(outcome.rows)
            self.tournaments += 1
            print(f"{self.figures.done.total()} of {kills}", end="\r", file=sys.stderr, flush=True)
            shutil.rmtree(folder)
        return self.figures

    def _write_cup(self, broker: str, parallel: int) -> Path:
        folder = self._scratch / f"cup{self.tournaments}"
        folder.mkdir()
        words = {"broker": broker, "parallel": parallel, "rounds": self._rounds}
        (folder / "chaos.yaml").write_text(CUP.format(python=sys.executable, bot=BOT, **words))
        return folder

    def _play_quietly(self) -> Outcome:
        folder = self._write_cup("auto", 2)
        with self._started(folder) as run:
            shown = "".join(run.communicate(timeout=LIMIT_S))
        if run.returncode != 0:
            raise RuntimeError(f"the quiet run: expected exit code 0, got {run.returncode}: {shown}")
        outcome = read_outcome(folder / OUT)
        shutil.rmtree(folder)
        return outcome

    def _is_played_to_the_end(self, folder: Path, most: int) -> bool:
        """Start, disturb and resume until a run ends well and no match is void; return False if one ends badly."""
        left = most
        while True:
            before = self.figures.done.copy()
            code, shown = self._run_once(folder, left)
            done = self.figures.done - before
            left -= done.total()
            allowed = {0, *([3] if done["broker kill"] else []), *([-signal.SIGKILL] if done["referee kill"] else [])}
            if code not in allowed or "Traceback" in shown:
                self.figures.fail("bad ends", f"{code} after {dict(done)}: {shown}")
                return False
            if code == 0 and not has_void_matches(folder / OUT):
                return True

    def _run_once(self, folder: Path, most: int) -> tuple[int, str]:
        self.starts += 1
        with self._started(folder) as run:
            if self._rng.random() < PLAYING_SHARE:  # otherwise perhaps before the broker runs
                while run.poll() is None and self._choose(run, VICTIM) is None:
                    time.sleep(0.02)
            for _ in range(most):
                if not self._disturb_once(run):
                    break
            try:
                stdout, stderr = run.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                self.figures.fail("bad ends", f"still running after {LIMIT_S:.0f} s")
                return 0, ""
        return run.returncode, stdout + stderr

    @contextlib.contextmanager
    def _started(self, folder: Path) -> Iterator[subprocess.Popen[str]]:
        """Run the tournament; afterwards all its descendants must have ended."""
        resume = ["--resume"] if (folder / OUT / "records").is_dir() else []
        run = start_joust("run", "chaos.yaml", *resume, folder=folder)
        self._pids.clear()
        try:
            yield run
        finally:
            if run.poll() is None:
                run.kill()
                run.communicate()
            self._check_orphans(folder)

    def _disturb_once(self, run: subprocess.Popen[str]) -> bool:
        """Wait a little, then kill or stop one process; return False if the run is over or ends by that."""
        time.sleep(self._rng.choice((self._rng.uniform(0, 0.1), self._rng.uniform(0.1, 0.7))))
        [(whom, what)] = self._rng.choices([*EVENTS], weights=[*EVENTS.values()])
        length_s = self._rng.choice((0.2, 0.3, 0.4, 0.6, 0.9, 1.4, 3.5)) * self._rng.uniform(0.8, 1.2)
        if run.poll() is not None:
            return False
        chosen = self._choose(run, whom)
        if chosen is None:
            return True
        try:
            if what == "kill":
                chosen.kill()
            else:
                chosen.suspend()
        except psutil.NoSuchProcess:
            return True
        self.figures.done[f"{whom} {what}"] += 1
        if what == "stop":
            time.sleep(length_s)
            with contextlib.suppress(psutil.NoSuchProcess):
                chosen.resume()
        return what == "stop" or whom == "victim"

    def _choose(self, run: subprocess.Popen[str], whom: str) -> psutil.Process | None:
        """Choose a process of the run, or None if there is none of that kind now."""
        try:
            referee = psutil.Process(run.pid)
            children = referee.children(recursive=True)
        except psutil.NoSuchProcess:
            return None
        self._pids |= {child.pid: child.create_time() for child in children if child.is_running()}
        if whom == "referee":
            return referee
        found = []
        for child in children:
            with contextlib.suppress(psutil.Error):
                words = child.cmdline()
                is_wanted = words[-1:] == [VICTIM] if whom == "victim" else words and words[-1].endswith(BROKER_WORDS)
                found += [child] if is_wanted else []
        return self._rng.choice(found) if found else None

    def _check_orphans(self, folder: Path) -> None:
        """Count processes of the run, or in its folder, that are still alive after a while, and kill them."""
        end_s = time.monotonic() + LEAVE_S
        while (left := [*self._alive(folder)]) and time.monotonic() < end_s:
            time.sleep(0.02)
        for process in left:
            with contextlib.suppress(psutil.Error):
                self.figures.fail("orphans", " ".join(process.cmdline()))
                process.kill()

    def _alive(self, folder: Path) -> Iterator[psutil.Process]:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                is_seen = self._pids.get(process.pid) == process.create_time()
                if (is_seen or Path(process.cwd()).is_relative_to(folder)) and process.status() != "zombie":
                    yield process
