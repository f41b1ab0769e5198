"""Compare a tournament on a quiet machine and beside busy processes, by each clock: late answers, changed results.

`python -m benchmarks.clocks [wall] [cpu] [work] [--burners N]`

Every answer takes a fixed amount of CPU time, far below or above the limit, and declares one successor a millisecond:
so the late answers are known in advance. A run takes half a minute per clock. Results by wall and CPU time mean
something only if nothing else runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from benchmarks.report import print_table
from gridjoust.runner.results.tables.frames import load
from tests.e2e.joust_process import start_joust

LIMIT_MS = 40
CLOCKS = ("wall", "cpu", "work")
BACKSTOP_MS = 5000  # used with the limit of the same size on work
BURNERS = 6
SHOWN = 5  # answers late in one run only, to print
ANSWER = ["match_id", "turn", "seat"]
HEADING = (
    *("clock", "answers", "late, quiet", "late, busy", "late in one alone", "seats with another result"),
    *("void, quiet", "void, busy", "wall, busy/quiet", "CPU, busy/quiet", "CPU differs, 95 %"),
)
CUP = """
tournament: clocks
seed: 5
games: [{{game: bomber, params: {{max_ticks: 30, bomb_ticks: 5}}}}]
format: {{rounds: 2}}
time: {{turn_ms: {turn_ms}, turn_work: {limit}, clock: {clock}, wall_factor: 10}}
faults: {{limit: 1000}}
execution: {{isolation: process, parallel: 1}}
bots:
  - {{name: left, path: "{here}:Worker"}}
  - {{name: right, path: "{here}:Worker"}}
"""


@dataclass(frozen=True, slots=True)
class Played:
    """One run: the answers by match, turn and seat, and the result of every seat."""

    answers: pd.DataFrame
    results: pd.DataFrame

    @property
    def late(self) -> set[tuple[object, ...]]:
        """The late answers as (match, turn, seat)."""
        rows = self.answers[self.answers["fault"] == "late"]
        return set(rows[ANSWER].itertuples(index=False, name=None))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of all clocks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clocks", nargs="*", help=f"which of {', '.join(CLOCKS)}; default: all")
    parser.add_argument("--burners", type=int, default=BURNERS)
    given = parser.parse_args(arguments)
    if unknown := [clock for clock in given.clocks if clock not in CLOCKS]:
        parser.error(f"clocks: expected some of {', '.join(CLOCKS)}, got {unknown[0]}")
    burners = given.burners
    rows: list[Sequence[str]] = []
    for clock in given.clocks or CLOCKS:
        quiet = _play(clock)
        with _burning(burners):
            busy = _play(clock)
        rows.append((clock, *_compare(quiet, busy)))
    print_table(f"A limit of {LIMIT_MS} ms or nodes, quiet and beside {burners} burners", HEADING, rows)
    return 0


def _compare(quiet: Played, busy: Played) -> tuple[str, ...]:
    both = quiet.answers.merge(busy.answers, on=ANSWER, suffixes=("", "_busy"))
    both = both[both["fault"].isna() & both["fault_busy"].isna()]
    wall = (both["latency_ms_busy"] / both["latency_ms"]).median()
    for answer in sorted(quiet.late ^ busy.late, key=str)[:SHOWN]:
        print(answer, "late", "quiet" if answer in quiet.late else "busy", file=sys.stderr)
    cpu = (both["cpu_ms_busy"] / both["cpu_ms"]).median()
    differs_ms = (both["cpu_ms_busy"] - both["cpu_ms"]).abs().quantile(0.95)
    outcome = ["match_id", "seat", "returns", "rank"]
    same = quiet.results[outcome].merge(busy.results[outcome], on=outcome)
    return (
        str(len(quiet.answers)),
        str(len(quiet.late)),
        str(len(busy.late)),
        str(len(quiet.late ^ busy.late)),
        f"{len(quiet.results) - len(same)} of {len(quiet.results)}",
        *(str(int((played.results["termination"] == "void").sum() // 2)) for played in (quiet, busy)),
        f"{wall:.2f}",
        f"{cpu:.2f}",
        f"{differs_ms:.2f} ms",
    )


def _play(clock: str) -> Played:
    with tempfile.TemporaryDirectory(prefix="clocks") as name:
        folder = Path(name)
        turn_ms = BACKSTOP_MS // 10 if clock == "work" else LIMIT_MS
        text = CUP.format(turn_ms=turn_ms, limit=LIMIT_MS, clock=clock, here=Path(__file__).with_name("clocks_bot.py"))
        (folder / "clocks.yaml").write_text(text)
        with start_joust("run", "clocks.yaml", "--trust", folder=folder) as run:
            shown, _ = run.communicate()
        if run.returncode:
            raise RuntimeError(f"expected exit code 0, got {run.returncode}: {shown}")
        tables = load(folder / "results" / "clocks")
        return Played(tables.turns, tables.results)


@contextmanager
def _burning(burners: int) -> Iterator[None]:
    """Run `burners` processes that only burn CPU time, until the context is left."""
    started = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(burners)]
    try:
        yield
    finally:
        for burner in started:
            burner.kill()
            burner.wait()


if __name__ == "__main__":
    sys.exit(main())
