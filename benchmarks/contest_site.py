"""A contest that the benchmarks hold: its file, its bots, and `joust serve` as a user starts it."""

from __future__ import annotations

import http.client
import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil

from gridjoust.serve.store import FILE

JOUST = (sys.executable, "-P", "-c", "from gridjoust.commands import main; main()")
CODE = "benchmark-code"
LOOK_S = 0.2
FILE_TEXT = """
tournament: class
games: [{{game: bomber, params: {{max_ticks: {ticks}}}}}]
time: {{turn_ms: 1000}}
{execution}
bots: [{{name: weak, bot: random}}, {{name: medium, bot: bomber/wanderer}}]
contest:
  code: benchmark-code
  grades: {{pairs: 1}}
  quotas: {{uploads_per_hour: 100000, versions_per_day: 100000}}
"""
BOT = """
import gridjoust as joust


class Mine(joust.Bot):
    plays = ("bomber",)

    def act(self, observation: joust.Observation) -> str:
        return observation.legal[{number} % len(observation.legal)]
"""
IN_PROCESS = "execution: {isolation: none, parallel: 1}"  # for kills: nothing but the contest's own processes


class Site:
    """A contest that runs as a user starts it; `stop` ends it by Ctrl-C, `kill` by SIGKILL."""

    def __init__(self, folder: Path, *, trust: bool) -> None:
        self.folder, self.trust = folder, trust
        self.began_s = time.monotonic()
        words = (*JOUST, "serve", "class.yaml", "--port", "0", *(["--trust"] if trust else []))
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.startswith("contest: "):
            raise SystemExit("the contest did not start")
        self.port = int(line.split("/")[2].rpartition(":")[2])

    def ask(self, method: str, path: str, body: bytes | None = None, *, key: str = "") -> Any:
        """Return the JSON of an answer; OSError or HTTPException if the contest is gone, ValueError if it refuses."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"X-Joust": "1", **({"Authorization": f"Bearer {key}"} if key else {})}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise ValueError(content.decode())
        return json.loads(content)

    def join(self, name: str) -> str:
        """Join as a new entrant; return the key."""
        told = self.ask("POST", "/join", json.dumps({"code": CODE, "name": name}).encode())
        return str(told["key"])

    def hand_in(self, key: str, content: bytes, *, name: str = "bot.py") -> str:
        """Hand in a version; return its label."""
        return str(self.ask("PUT", f"/hand-in/{name}", content, key=key)["version"]["label"])

    def stop(self) -> None:
        """End it by Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)

    def player(self) -> psutil.Process:
        """Return the process that plays the matches."""
        [player] = psutil.Process(self.process.pid).children()
        return player

    def kill(self, *, player: bool = True, server: bool = True) -> None:
        """Kill the process of the pages, that of the matches, or both."""
        try:
            children = psutil.Process(self.process.pid).children() if player else []
        except psutil.NoSuchProcess:
            children = []
        if server:
            self.process.kill()
            self.process.wait()
        for child in children:
            child.kill()


@contextmanager
def class_folder(execution: str = "", *, ticks: int = 80) -> Iterator[Path]:
    """Yield a new folder with the file of a contest; `execution` and `ticks` are settings in it."""
    with tempfile.TemporaryDirectory(prefix="joust-contest-") as name:
        (folder := Path(name)).chmod(0o755)
        (folder / "class.yaml").write_text(FILE_TEXT.format(execution=execution, ticks=ticks))
        yield folder


def contest_folder(folder: Path) -> Path:
    """Return the results folder of the benchmark's contest, which is called `class`."""
    return folder / "results" / "class"


def wait_for(holds: Callable[[], bool], *, within_s: float) -> float | None:
    """Return after how many seconds something holds; None if it does not in time."""
    began_s = time.monotonic()
    while not holds():
        if time.monotonic() - began_s > within_s:
            return None
        time.sleep(LOOK_S)
    return time.monotonic() - began_s


def played(folder: Path) -> int:
    """Return how many matches of the benchmark's contest are played."""
    try:
        with closing(sqlite3.connect(contest_folder(folder) / FILE, timeout=10)) as connection:
            [count] = connection.execute("SELECT COUNT(*) FROM matches WHERE state = 'played'").fetchone()
    except sqlite3.OperationalError:  # the contest has not been opened yet
        return 0
    return int(count)
