"""The planners' study: A*, D* Lite, Dijkstra maps and beams in every game of the planners' cup, under four limits.

`python -m study.cup` plays each game of `study/configs/planners-cup.yaml` as a tournament of its own, once for every
limit: at equal work, and at three limits of CPU time. Where bots meet, it chooses pairings adaptively until the order
of the four is resolved at 95 % or `--matches` are played; where each plays alone or in a team of its own kind, all play
as many matches, on the same seeds. `study/data/cup` has a folder for every limit and game with its reduced tables. A
folder that is there is left as it is: delete it to play it again. Then `study.cup_page` makes the tables and the
picture of the page from them; `--page` does that alone.

`--again FOLDER` plays tournaments again and leaves all that they make in FOLDER: records, turns, metrics and reports.
It changes neither the kept tables nor the page, and says how many of the seats in the kept matches acted as they did
then and got the same returns. At equal work all must, except in `bidding`; if one did not, the exit code is 1.
Under a limit of CPU time the results also depend on the machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

import gridjoust
from gridjoust import ConfigError, JoustError
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.results.tables.columns import VERDICT
from gridjoust.tournament import KnownBots
from study.cup_page import RESULTS, STANDINGS, write_page

ROOT = Path(__file__).parent.parent
CUP = ROOT / "study" / "configs" / "planners-cup.yaml"
KEPT = ROOT / "study" / "data" / "cup"
KEPT_FILES = ("environment.json", VERDICT)
KEPT_COLUMNS = (  # of results.csv: who met whom, how it ended, what it cost
    *("match_id", "round", "seed", "seat", "role", "bot", "opponents", "returns", "rank", "points", "termination"),
    *("faults", "forfeited", "counted", "turns", "turns_acted", "cpu_ms", "nodes_expanded", "actions_id"),
)
TIMED = ("bidding",)  # a sand glass runs at every limit
MATCHES = 240  # of two bots; where nobody is met, half as many seeds for each bot as there are meetings
CONFIDENCE = 0.95


def _of_cpu_time(turn_ms: int) -> dict[str, Any]:
    """Return the settings for a limit of CPU time; only a referee that is a second late makes a match void."""
    return {"time": {"clock": "cpu", "turn_ms": turn_ms, "grace_ms": 1000}, "execution": {"isolation": "process"}}


WORK = {"navigation": 7_500, "placement": 100_000}  # by game: about what 1,000 expansions took with their tactics
USUAL_WORK = 20_000  # of all other games

LIMITS: Mapping[str, Mapping[str, Any]] = {
    "work": {"time": {"clock": "work", "turn_ms": 2000}, "execution": {"isolation": "none"}},
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
    """Yield every game of a cup under every limit; ConfigError if `file` has mistakes."""
    cup = yaml.safe_load(file.read_text("utf-8"))
    variants = load_tournament(file, known_bots=KnownBots()).variants
    for limit, settings in LIMITS.items():
        for entry, variant in zip(cup["games"], variants, strict=True):
            form = _contest(matches) if len(variant.sides) == 2 else _alone(matches, bots=len(cup["bots"]))
            common = {key: cup[key] for key in ("seed", "bots")}
            file_of_it = {"tournament": variant.name, "games": [entry], **common, **form, **settings}
            if limit == "work":
                work = WORK.get(variant.game.spec.name, USUAL_WORK)
                file_of_it["time"] = {**settings["time"], "turn_work": work}
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
    """Play one tournament and keep its tables in `kept`, unless they are there; return True if it was played."""
    folder = kept / wanted.limit / wanted.game
    if folder.is_dir():
        return False
    with tempfile.TemporaryDirectory() as scratch:
        keep_tables(play_whole(wanted, Path(scratch)), folder)
    return True


def play_whole(wanted: Wanted, out: Path) -> Path:
    """Play one tournament and return its results folder; a run that was stopped there goes on."""
    out = out / wanted.limit
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{wanted.game}.yaml"
    file.write_text(yaml.safe_dump(wanted.tournament, sort_keys=False, allow_unicode=True), "utf-8")
    gridjoust.run(file, out=out, resume=True, trust=True)
    return out / wanted.game


def keep_tables(played: Path, folder: Path) -> None:
    """Write the reduced tables of a results folder into a new folder; the same tables give the same bytes."""
    folder.mkdir(parents=True)
    for name in KEPT_FILES:
        if (played / name).is_file():
            shutil.copyfile(played / name, folder / name)
    standings = pd.read_csv(played / STANDINGS)
    standings.to_csv(folder / STANDINGS, index=False, lineterminator="\n", float_format="%.6g")
    results = pd.read_csv(played / "results.csv", dtype=str, keep_default_na=False)
    packed = {"method": "xz", "preset": 9}
    results.to_csv(folder / RESULTS, columns=list(KEPT_COLUMNS), index=False, lineterminator="\n", compression=packed)


class Agreement(NamedTuple):
    """The number of seats that acted and scored as in the kept tables (`same`), of all that are in both (`total`)."""

    same: int  # with the same actions and returns
    total: int  # in matches of both

    def __str__(self) -> str:
        """Return both numbers in words."""
        return f"{self.same} of {self.total} kept seats acted and scored the same" if self.total else "nothing kept"


def compare(played: Path, kept: Path) -> Agreement:
    """Compare the seats in the matches of a results folder with those in a folder of reduced tables, if it is there."""
    if not (kept / RESULTS).is_file():
        return Agreement(0, 0)
    key, told = ["match_id", "seat"], ["bot", "returns", "actions_id"]
    now, then = (
        pd.read_csv(file, dtype=str, keep_default_na=False, usecols=[*key, *told]).set_index(key)
        for file in (played / "results.csv", kept / RESULTS)
    )
    then = then.loc[then.index.isin(now.index)]
    return Agreement(int((now.loc[then.index] == then).all(axis=1).sum()), len(then))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing, then write the page; return 1 if a tournament fails, or differs when it is played again."""
    parser = argparse.ArgumentParser(
        prog="python -m study.cup", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=MATCHES, help="at most, for each game under each limit")
    parser.add_argument("--limits", nargs="+", default=list(LIMITS), choices=list(LIMITS), metavar="LIMIT")
    parser.add_argument("--games", nargs="+", metavar="NAME", help="only these variants of the cup")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tournaments at once; default: one a core")
    parser.add_argument("--kept", type=Path, default=KEPT, help="the folder of the tables")
    whole = parser.add_mutually_exclusive_group()
    whole.add_argument("--again", type=Path, metavar="FOLDER", help="play into this folder and leave everything there")
    whole.add_argument("--page", action="store_true", help="play nothing, make the page from the tables")
    options = parser.parse_args(arguments)
    try:
        does_agree = options.page or play_chosen(options)
        if options.again is None:
            write_page(options.kept)
    except JoustError as error:
        print(f"study.cup: {error}", file=sys.stderr)
        return 1
    return 0 if does_agree else 1


def play_chosen(options: argparse.Namespace) -> bool:
    """Play the tournaments that the options name, and print a line for each.

    With `--again`, return False if matches of a limit of work differ from those in the kept tables, except in games
    that depend on time. ConfigError if there is no such game.
    """
    wanted = [*tournaments(CUP, matches=options.matches)]
    names = list(dict.fromkeys(one.game for one in wanted))
    if unknown := sorted(set(options.games or ()).difference(names)):
        raise ConfigError(f"--games: expected some of {', '.join(names)}, got {', '.join(unknown)}")
    chosen = [one for one in wanted if one.limit in options.limits and one.game in (options.games or names)]
    do = partial(play, kept=options.kept) if options.again is None else partial(play_whole, out=options.again)
    does_agree = True
    with ProcessPoolExecutor(options.jobs) as pool:
        for one, done in zip(chosen, pool.map(do, chosen), strict=True):
            said = "played" if done else "was there"
            if isinstance(done, Path):
                found = compare(done, options.kept / one.limit / one.game)
                said = f"{done}: {found}"
                does_agree &= one.limit != "work" or one.game in TIMED or found.same == found.total
            print(f"{one.limit:<9} {one.game:<18} {said}", flush=True)
    return does_agree


if __name__ == "__main__":
    sys.exit(main())
