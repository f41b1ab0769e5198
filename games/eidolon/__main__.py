"""`python -m games.eidolon --survey 20000`: shares of unsolvable maps; `--map SEED`: one map, drawn."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time

from games.eidolon import Eidolon
from games.eidolon.survey import SETS, Share, survey

HEADING = ("set", "maps", "unsolvable", "95 % interval  ", "measured elsewhere", "out of reach", "ms a map")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for; exit code 2 for wrong arguments."""
    parser = argparse.ArgumentParser(prog="python -m games.eidolon", description=__doc__)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--survey", type=_positive, metavar="MAPS", help="how many maps of each set")
    asked.add_argument("--map", type=int, metavar="SEED", help="draw the map of a match of preset sim1")
    chosen = parser.parse_args(arguments)
    if chosen.map is not None:
        game = Eidolon()
        print(game.render(game.initial_state(chosen.map)))
        return 0
    print_survey(chosen.survey)
    return 0


def print_survey(maps: int) -> None:
    """A Markdown table, a line a set."""
    widths = [max(len(HEADING[0]), *(len(map_set.name) for map_set in SETS)), *map(len, HEADING[1:])]
    _print_row(HEADING, widths)
    _print_row(["-" * width for width in widths], widths)
    begin_s = process_time()
    for map_set, unsolvable, unreachable in survey(range(maps)):
        now_s = process_time()
        known = "" if map_set.published is None else f"{map_set.published:.2%}"
        interval = "{:.2%} – {:.2%}".format(*unsolvable.interval())
        spent_ms = (now_s - begin_s) * 1000 / maps
        row = [
            map_set.name,
            str(maps),
            _percent(unsolvable),
            interval,
            known,
            str(unreachable.count),
            f"{spent_ms:.2f}",
        ]
        _print_row(row, widths)
        begin_s = now_s


def _percent(share: Share) -> str:
    return f"{share.value:.2%}"


def _print_row(row: Sequence[str], widths: Sequence[int]) -> None:
    print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |", flush=True)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return number


if __name__ == "__main__":
    raise SystemExit(main())
