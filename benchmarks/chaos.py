"""Kill, stop and damage at random: no result may be lost, doubled, changed or wrongly accepted.

`python -m benchmarks.chaos [--kills N] [--corruptions N] [--seed S] [--broker mosquitto] [--parallel 2] [--minutes M]`

Kills and stops hit the referee, the broker and one bot of tournaments that are resumed until they are complete; their
rows are compared with those of an undisturbed run. Damage hits records and tables of a finished tournament. The exit
code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from benchmarks import corruptions, disturbances
from benchmarks.corruptions import Corrupter
from benchmarks.disturbances import Disturber
from benchmarks.figures import Figures
from benchmarks.report import print_table

BROKERS, PARALLEL = ("mosquitto", "embedded"), (1, 2, 4)
ROUNDS = 10
SHOWN = 20  # details of problems to print


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; return 1 if anything is wrong."""
    asked = _parse(arguments)
    problems = 0
    with tempfile.TemporaryDirectory(prefix="chaos") as scratch:
        if asked.kills:
            settings = [*product(asked.broker or BROKERS, asked.parallel or PARALLEL)]
            problems += disturb(asked, settings, scratch=Path(scratch))
        if asked.corruptions:
            problems += corrupt(asked.corruptions, seed=asked.seed, scratch=Path(scratch))
    return min(problems, 1)


def disturb(asked: argparse.Namespace, settings: list[tuple[str, int]], *, scratch: Path) -> int:
    """Kill and stop processes; print the figures and return the number of problems."""
    began_s = time.monotonic()
    disturber = Disturber(rounds=asked.rounds, seed=asked.seed, scratch=scratch)
    figures = disturber.disturb(asked.kills, settings, minutes=asked.minutes)
    setting = ", ".join(f"{broker} {parallel}" for broker, parallel in settings)
    print_table(
        f"{figures.done.total()} kills and stops (broker and matches at once by turns: {setting})",
        ("", "count"),
        [
            *_rows(figures.done),
            ("tournaments", str(disturber.tournaments)),
            ("starts of them", str(disturber.starts)),
            ("rows compared", str(disturber.rows)),
            ("minutes", f"{(time.monotonic() - began_s) / 60:.1f}"),
            *_problem_rows(figures, disturbances.PROBLEMS),
        ],
    )
    return _show_details(figures)


def corrupt(count: int, *, seed: int, scratch: Path) -> int:
    """Damage files; print the figures and return the number of problems."""
    began_s = time.monotonic()
    figures = Corrupter(seed=seed, scratch=scratch).corrupt(count)
    print_table(
        f"{count} damaged files of a finished tournament",
        ("", "count"),
        [
            *_rows(figures.done),
            ("minutes", f"{(time.monotonic() - began_s) / 60:.1f}"),
            *_problem_rows(figures, corruptions.PROBLEMS),
        ],
    )
    return _show_details(figures)


def _rows(counts: Counter[str]) -> list[tuple[str, str]]:
    return [(name, str(count)) for name, count in sorted(counts.items())]


def _problem_rows(figures: Figures, kinds: Sequence[str]) -> list[tuple[str, str]]:
    return [(f"**{kind}**", str(figures.problems[kind])) for kind in kinds]


def _show_details(figures: Figures) -> int:
    for detail in figures.details[:SHOWN]:
        print(detail, file=sys.stderr)
    return figures.problems.total()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--corruptions", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=math.inf, help="start no further tournament after so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broker", action="append", choices=BROKERS, help="default: both in turn")
    parser.add_argument("--parallel", action="append", type=int, help="matches at once; default: 1, 2 and 4 in turn")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of a disturbed tournament, 6 matches each")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
