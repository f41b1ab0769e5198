"""Choose the citable instances anew: `python -m study.instances [--write]`. Seeds rise, the first that fit are taken.

Maps and dungeons take every seed. A position of ricochet goes to the set of its optimum; positions of the easy sets and
of the hard ones are drawn separately, on other boards, and one that A* cannot prove within its limit is left out. A
turn of placement is taken if A* finds a plan and no plan can do with fewer pieces. The command compares the result with
the manifest; `--write` overwrites it. That takes some minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

import gridjoust.instances
from gridjoust.instances import Listed
from gridjoust.instances.sets import BOARD_KINDS, SETS, Hardness, InstanceSet, Positions, Turns, digest

MANIFEST = Path(gridjoust.instances.__file__).parent / "manifest.csv"
SIZES = {"navigation": 10, "ricochet": 6, "placement": 6, "heroquest": 30, "eidolon": 60}  # instances a set, at most
SEEDS = (1000, 122, 110)  # that are looked through, by kind of board; of the first until there are enough
TRAIN_SHARE = 0.6
APART = 1000  # seeds between two sets of one game

Chosen = Iterator[tuple[int, Hardness]]  # seeds of a set, with their hardness


def choose(name: str, optima: dict[int, list[tuple[int, Hardness]]]) -> Chosen:
    """Yield the instances of one set; `optima` are the positions of ricochet by optimum."""
    chosen: InstanceSet = SETS[name]
    if isinstance(chosen, Positions):
        yield from optima.get(chosen.optimum, ())
        return
    place = [other for other in SETS if SETS[other].game == chosen.game].index(name)
    for seed in count(0 if isinstance(chosen, Turns) else place * APART):
        if not isinstance(chosen, Turns) or chosen.needs_all(seed):
            yield seed, chosen.measure(seed)


def find_optima() -> dict[int, list[tuple[int, Hardness]]]:
    """Return optimum -> (seed, hardness) of each position found, over all kinds of boards."""
    found: dict[int, list[tuple[int, Hardness]]] = {}
    wanted, easy = SIZES["ricochet"], range(BOARD_KINDS[0].least_optimum, BOARD_KINDS[1].least_optimum)
    for kind, seeds in zip(BOARD_KINDS, SEEDS, strict=True):
        for seed in range(seeds):
            hardness = Positions(kind.least_optimum).measure(seed)
            optimum = int(hardness.cost)
            if Positions(optimum).kind == kind:
                found.setdefault(optimum, []).append((seed, hardness))
            if kind == BOARD_KINDS[0] and all(len(found.get(n, ())) >= wanted for n in easy):
                break
    return found


def rows() -> Iterator[Listed]:
    """Yield the rows of the manifest."""
    optima = find_optima()
    for name, chosen in SETS.items():
        found = list(islice(choose(name, optima), SIZES[chosen.game]))
        for number, (seed, hardness) in enumerate(found):
            split = "train" if number < round(TRAIN_SHARE * len(found)) else "test"
            made = digest(chosen.make(f"{name}-{number:03}", seed))
            yield Listed(f"{name}-{number:03}", split, seed, made, *hardness)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare with the manifest, or write it; return 1 if they differ."""
    parser = argparse.ArgumentParser(prog="python -m study.instances", description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"overwrite {MANIFEST.name}")
    options = parser.parse_args(arguments)
    lines = [",".join(map(str, row)) for row in rows()]
    text = "\n".join([",".join(Listed._fields), *lines, ""])
    if options.write:
        MANIFEST.write_text(text, encoding="utf-8")
    is_same = text == MANIFEST.read_text(encoding="utf-8")
    print(f"{len(lines)} instances, {'as' if is_same else 'NOT as'} in {MANIFEST.name}")
    return int(not is_same)


if __name__ == "__main__":
    sys.exit(main())
