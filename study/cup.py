"""The planners' study: A*, D* Lite, Dijkstra maps and beams in every game of the planners' cup, under four limits.

`python -m study.cup` plays each game of `study/configs/planners-cup.yaml` as a tournament of its own, once for every
limit: at equal work, and at three limits of CPU time. Where two bots meet, it goes on until the order of the four is
resolved at 95 % or `--matches` are spent, adaptively; where each plays alone or in a team of its own kind, all play as
many matches, on the same seeds. The tables are kept in `results/samples/planners-cup`, a folder for every limit and
game, with its report, without records, turns and logs. What is there already is left as it is: delete a folder to play
it again. Then `study.cup_page` makes the tables and the picture of the documentation from them; `--page` does
that alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import gridjoust
from gridjoust.leaderboard.report.page import REPORT, write_report
from gridjoust.leaderboard.report.source import load_source
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.results.tables.columns import VERDICT
from gridjoust.tournament import KnownBots
from study.cup_page import write_page

ROOT = Path(__file__).parent.parent
CUP = ROOT / "study" / "configs" / "planners-cup.yaml"
KEPT = ROOT / "results" / "samples" / "planners-cup"
KEPT_FILES = ("results.csv", "metrics.csv", "standings.csv", "tournament.yaml", "environment.json", VERDICT)
MATCHES = 240  # of two bots; where nobody is met, half as many seeds for each bot as there are meetings
CONFIDENCE = 0.95


def _of_cpu_time(turn_ms: int) -> dict[str, Any]:
    """CPU time is counted however late a busy machine's referee is: only a delay of a second makes a match void."""
    return {"time": {"clock": "cpu", "turn_ms": turn_ms, "grace_ms": 1000}, "execution": {"isolation": "process"}}


LIMITS: Mapping[str, Mapping[str, Any]] = {
    "work": {"time": {"clock": "work", "turn_work": 1000, "turn_ms": 2000}, "execution": {"isolation": "none"}},
    "cpu-50ms": _of_cpu_time(50),
    "cpu-10ms": _of_cpu_time(10),
    "cpu-2ms": _of_cpu_time(2),
}
"""The name of a limit, also that of its folder -> what its tournaments say of time and of processes."""


class Wanted(NamedTuple):
    """One game of the cup under one limit."""

    limit: str
    game: str  # the variant's name
    tournament: dict[str, Any]  # what its file says


def tournaments(file: Path, *, matches: int) -> Iterator[Wanted]:
    """Every game of a cup under every limit. ConfigError if `file` has mistakes."""
    cup = yaml.safe_load(file.read_text("utf-8"))
    variants = load_tournament(file, known_bots=KnownBots()).variants
    for limit, settings in LIMITS.items():
        for entry, variant in zip(cup["games"], variants, strict=True):
            form = _contest(matches) if len(variant.sides) == 2 else _alone(matches, bots=len(cup["bots"]))
            common = {key: cup[key] for key in ("seed", "bots")}
            file_of_it = {"tournament": variant.name, "games": [entry], **common, **form, **settings}
            yield Wanted(limit, variant.name, file_of_it)


def _contest(matches: int) -> dict[str, Any]:
    stop = {"when": "resolved", "goal": "order", "confidence": CONFIDENCE, "indifference": 0.02}
    return {
        "format": {"type": "round_robin", "rounds": 1, "swap_seats": True},
        "stop": stop | {"max_matches": matches, "adaptive": "safe"},
    }


def _alone(matches: int, *, bots: int) -> dict[str, Any]:
    return {"format": {"type": "solo", "rounds": max(1, matches // (2 * bots))}}


def play(wanted: Wanted, kept: Path) -> bool:
    """Play one tournament and keep its tables, unless they are there; whether it was played."""
    folder = kept / wanted.limit / wanted.game
    if folder.is_dir():
        return False
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "cup.yaml"
        file.write_text(yaml.safe_dump(wanted.tournament, sort_keys=False, allow_unicode=True), "utf-8")
        gridjoust.run(file, out=scratch, trust=True)
        folder.mkdir(parents=True)
        for table in KEPT_FILES:
            if (played := Path(scratch) / wanted.game / table).is_file():
                shutil.copy2(played, folder / table)
    return True


def write_reports(kept: Path) -> None:
    """The report of every tournament that has none; it names the folder as seen from here."""
    for folder in sorted(kept.glob("*/*/")):
        if not (folder / REPORT).is_file():
            write_report(load_source(Path(os.path.relpath(folder))))


def main() -> None:
    """Play what is not there yet, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=MATCHES, help="at most, for each game under each limit")
    parser.add_argument("--limits", nargs="+", default=list(LIMITS), choices=list(LIMITS), metavar="LIMIT")
    parser.add_argument("--games", nargs="+", metavar="NAME", help="only these variants of the cup")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tournaments at once; default: one a core")
    parser.add_argument("--kept", type=Path, default=KEPT, help="the folder of the tables")
    parser.add_argument("--page", action="store_true", help="play nothing, make the page from the tables")
    options = parser.parse_args()
    wanted = [] if options.page else [*tournaments(CUP, matches=options.matches)]
    chosen = [one for one in wanted if one.limit in options.limits and (not options.games or one.game in options.games)]
    with ProcessPoolExecutor(options.jobs) as pool:
        for one, is_new in zip(chosen, pool.map(play, chosen, repeat(options.kept)), strict=True):
            print(f"{one.limit:<9} {one.game:<18} {'played' if is_new else 'was there'}", flush=True)
    write_reports(options.kept)
    write_page(options.kept)


if __name__ == "__main__":
    main()
