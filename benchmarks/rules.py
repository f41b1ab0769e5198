"""Measure what a turn of each game's rules costs, in µs: `apply`, `legal_actions`, `observation`, `encode`, their sum.

`python -m benchmarks.rules [GAME ...] [--against CHECKOUT]` plays random matches from seeds by the games' defaults. In
each turn every seat to act is asked: its observation and legal actions are made. Then the turn is applied, and the
state encoded for the hash. Each match counts with its least CPU time of all runs; each run is a process of its own.

With `--against`, the same matches are played by the rules of another checkout too, in turns with this one's.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any

from benchmarks.report import print_table
from gridjoust import games
from gridjoust.games.api import AnyGame
from gridjoust.games.play import random_turn

HERE = Path(__file__).parents[1]
PARTS = ("apply", "legal_actions", "observation", "encode")
MATCHES, MOST_TURNS, REPEATS = 10, 300, 5
CLOCK_READS = 200  # before each match, to know what reading the clock costs; that is taken off

Costs = list[dict[str, Any]]  # of each match: ns of each part, number of turns, hash of all states


def costs(name: str) -> Costs:
    """Play the matches of one game and return what they cost."""
    return [_cost(games.make(name), seed) for seed in range(MATCHES)]


def _cost(game: AnyGame, seed: int) -> dict[str, Any]:
    spent, digest, rng = Counter(turns=0), hashlib.sha256(), random.Random(seed)
    state, stamp = game.initial_state(seed), 0
    clock_ns = int(median(-process_time_ns() + process_time_ns() for _ in range(CLOCK_READS)))

    def timed(part: str, *arguments: object) -> Any:
        began_ns = process_time_ns()
        result = getattr(game, part)(*arguments)
        spent[part] += process_time_ns() - began_ns - clock_ns
        return result

    while not game.is_terminal(state) and spent["turns"] < MOST_TURNS:
        for seat in game.seats_to_act(state):
            timed("observation", state, seat)
            timed("legal_actions", state, seat)
        turn = random_turn(game, state, stamp, rng=rng)
        state, stamp = timed("apply", state, turn), turn.stamp
        digest.update(timed("encode", state))
        spent["turns"] += 1
    return {**spent, "states": digest.hexdigest()}


def run_in(checkout: Path, name: str) -> Costs:
    """Return what one game's matches cost by the rules of a checkout, in a fresh process."""
    command = [sys.executable, "-P", __file__, "--once", name]
    path = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"}
    return json.loads(subprocess.run(command, env=path, stdout=subprocess.PIPE, check=True).stdout)  # type: ignore[no-any-return]


def per_turn(runs: Sequence[Costs]) -> list[float]:
    """Return the µs a turn of each part, then of all together; each match counts with its fastest run."""
    best = [min(match, key=lambda run: sum(run[part] for part in PARTS)) for match in zip(*runs, strict=True)]
    each = [sum(match[part] for match in best) / sum(match["turns"] for match in best) / 1000 for part in PARTS]
    return [*each, sum(each)]


def main() -> None:
    """Print a line per game, and with `--against` one of the other checkout and their ratio below it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: every built-in game")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout of Joust")
    parser.add_argument("--once", metavar="GAME", help="one run of one game, as JSON")
    given = parser.parse_args()
    if given.once:
        print(json.dumps(costs(given.once)))
        return
    sides = {"": HERE} if given.against is None else {"": HERE, ", other": given.against.resolve()}
    rows: list[list[str]] = []
    for name in given.games or games.GAMES:
        runs: dict[str, list[Costs]] = {side: [] for side in sides}
        for _ in range(REPEATS):
            for side, checkout in sides.items():
                runs[side].append(run_in(checkout, name))
        figures = {side: per_turn(own) for side, own in runs.items()}
        rows += [[name + side, *(f"{figure:.1f}" for figure in own)] for side, own in figures.items()]
        if given.against is not None:
            states = {match["states"] for own in runs.values() for run in own for match in run}
            same = "" if len(states) == MATCHES else " (other states)"
            rows.append(
                [f"{name}, ratio{same}", *(f"{own / other:.2f}" for own, other in zip(*figures.values(), strict=True))]
            )
    print_table("The rules: µs a turn", ["game", *PARTS, "sum"], rows)


if __name__ == "__main__":
    main()
