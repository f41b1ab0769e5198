"""Measure time and size of report pages: `python -m benchmarks.report_page`.

Every page is made in its own process. Goal: at most 1 MB for 30 bots in 6 games.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.report import print_table
from tests.leaderboard.report.made_results import MadeGame, make_bots, make_results

REPEATS = 3
GAMES = (
    MadeGame("bomber"),
    MadeGame("heroquest"),
    MadeGame("ricochet", "table", ("a", "b")),
    MadeGame("eidolon", "team"),
    MadeGame("placement", "solo"),
    MadeGame("navigation", "solo", ("maze", "rooms", "open")),
)
_MAKE = """
import json, resource, sys, time
from pathlib import Path
started = time.perf_counter()
from gridjoust.leaderboard.report.page import write_report
from gridjoust.leaderboard.report.source import load_source
imported = time.perf_counter()
page = write_report(load_source(Path(sys.argv[1])))
peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([imported - started, time.perf_counter() - imported, page.stat().st_size / 1000, peak_mb]))
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A tournament for which a page is made."""

    name: str
    bots: int
    games: tuple[MadeGame, ...]
    rounds: int


CASES = (
    Case("3 bots, 1 game", 3, GAMES[:1], 5),
    Case("8 bots, 1 game", 8, GAMES[:1], 20),
    Case("30 bots, 1 game", 30, GAMES[:1], 10),
    Case("30 bots, 6 games", 30, GAMES, 2),
    Case("30 bots, 6 games, long", 30, GAMES, 20),
)


def measure(case: Case, folder: Path) -> tuple[int, list[float]]:
    """Return matches, and medians of seconds to import, seconds to make, size in kB, peak in MB."""
    make_results(folder, bots=make_bots(case.bots), games=case.games, rounds=case.rounds)
    with (folder / "results.csv").open() as lines:
        matches = len({line.partition(",")[0] for line in lines}) - 1
    found = []
    for _ in range(REPEATS):
        done = subprocess.run([sys.executable, "-c", _MAKE, str(folder)], capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout))
    return matches, [median(own) for own in zip(*found, strict=True)]


def main() -> None:
    """Print the table of times and sizes."""
    argparse.ArgumentParser(prog="python -m benchmarks.report_page", description=__doc__).parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, case in enumerate(CASES):
            matches, (import_s, make_s, size_kb, peak_mb) = measure(case, Path(scratch) / str(number))
            shown = (f"{matches:,}", f"{import_s:.2f}", f"{make_s:.2f}", f"{size_kb:,.0f}", f"{peak_mb:.0f}")
            rows.append([case.name, *shown])
    heading = ["tournament", "matches", "import s", "make s", "page kB", "peak MB"]
    print_table("Report page", heading, rows)


if __name__ == "__main__":
    main()
