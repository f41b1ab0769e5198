"""`python -m study.eidolon_maps --maps 20000`: shares of eidolon maps that cannot be solved, per set of tiles.

The rates beside ours are of 100 000 maps each, measured elsewhere. A map with a tile out of reach would be a defect.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from time import process_time

from gridjoust import ParamValue
from gridjoust.games.eidolon import generate
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.runner.statistics.intervals import wilson
from study.report import print_table

SETS: tuple[tuple[str, Mapping[str, ParamValue], float | None], ...] = (
    ("seed28", {}, 0.0044),
    ("seed28, Vestibule rule", {"vestibule_rule": True}, 0.0013),
    ("published25", {"tile_set": "published25"}, 0.0125),
    ("published25, Vestibule rule", {"tile_set": "published25", "vestibule_rule": True}, 0.0053),
    ("seed28, one-door End", {"end_doors": 1}, 0.0134),
    ("seed28, one-door End, Vestibule rule", {"end_doors": 1, "vestibule_rule": True}, 0.0058),
    ("seed28, backtrack first", {"backtrack": "first"}, None),
    ("seed28, backtrack latest", {"backtrack": "latest"}, None),
)
HEADING = ("set", "maps", "unsolvable", "95 % interval", "measured elsewhere", "out of reach", "ms a map")


def survey(params: Mapping[str, ParamValue], count: int) -> tuple[str, ...]:
    """Return the cells of a row: share of unsolvable maps, its interval, maps with a tile out of reach, ms a map."""
    begin_s = process_time()
    maps = [generate(seed, params) for seed in range(count)]
    unsolvable = sum(not dungeon.is_solvable for dungeon in maps)
    cut_off = sum(len(dungeon.reach(ORIGIN)) < len(dungeon.placed) for dungeon in maps)
    low, high = wilson(unsolvable, count) or (0.0, 1.0)
    spent_ms = (process_time() - begin_s) * 1000 / count
    return f"{unsolvable / count:.2%}", f"{low:.2%} – {high:.2%}", str(cut_off), f"{spent_ms:.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=3000, help="how many of each set")
    count = parser.parse_args().maps
    table = []
    for name, params, rate in SETS:
        share, interval, cut_off, spent_ms = survey(params, count)
        known = "" if rate is None else f"{rate:.2%}"
        table.append((name, str(count), share, interval, known, cut_off, spent_ms))
    print_table(f"unsolvable among {count} maps of each set", HEADING, table)


if __name__ == "__main__":
    main()
