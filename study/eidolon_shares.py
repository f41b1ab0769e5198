"""What share of eidolon's matches is won, by team size and difficulty: the table of study/docs/eidolon.md.

`python -m study.eidolon_shares [--seeds N] [--bot NAME] [--write]` plays the same fresh seeds for every cell, all
heroes held by one bot. With `--write` the table on the page is replaced, else it is only printed.

`python -m study.eidolon_shares --relaxed` prints how many turns of heroes the same bots need to gather the
tokens, to break the seals and to win if no ritual ever comes. It shows what teams lose by walking and waiting alone.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.bots.eidolon.roads import RoadBook
from gridjoust.bots.eidolon.roles import Requirements
from gridjoust.bots.match import watch_match
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.params import TRACKS
from gridjoust.games.eidolon.state import End
from gridjoust.games.eidolon.tiles import FIRE, SEALS
from gridjoust.runner.statistics.intervals import wilson
from study.eidolon import BOTS, make_team, play

PAGE = Path(__file__).parent / "docs" / "eidolon.md"
BLOCK = re.compile(
    r"(<!-- begin shares: made by python -m study\.eidolon_shares -->\n).*?(<!-- end shares -->)", re.DOTALL
)
FIRST_SEED = 2_000_000  # far from the seeds on which bots were made
NEVER = 9999  # turns of heroes between two rituals

Cell = tuple[str, int]  # difficulty, heroes
Won = Mapping[Cell, Sequence[bool]]


def is_won(difficulty: str, heroes: int, bot: str, seed: int) -> bool:
    """Return True if one match is won; a partial victory does not count."""
    game = Eidolon({"preset": "published", "difficulty": difficulty}, seats=heroes)
    return play(game, make_team(bot, heroes), seed=seed).end is End.WON


def play_all(cells: Iterable[Cell], *, bot: str, seeds: range, processes: int) -> Won:
    """Play every cell of the table on all seeds; return by cell which matches were won."""
    with ProcessPoolExecutor(processes) as pool:
        waiting = {
            (difficulty, heroes): [pool.submit(is_won, difficulty, heroes, bot, seed) for seed in seeds]
            for difficulty, heroes in cells
        }
        return {cell: [match.result() for match in matches] for cell, matches in waiting.items()}


def share(won: Sequence[bool]) -> float:
    """Return the share of matches that were won."""
    return sum(won) / len(won)


class Relaxed(NamedTuple):
    """In which turn of a hero a match without rituals reached three points: all gathered, last seal broken, won."""

    gathered: int  # tokens for every seal that stands are in hand, all seals and the Fire have been seen
    broken: int  # the last seal
    won: int


def relaxed_turns(heroes: int, bot: str, seed: int) -> Relaxed | None:
    """Return in which turns a match without rituals reached its milestones; None if it is not won."""
    game = Eidolon({"preset": "published", "ritual_every": NEVER}, seats=heroes)
    book = RoadBook(game.rules, AStarHero().measure)
    gathered: int | None = None
    broken: int | None = None
    for state, _ in watch_match(game, make_team(bot, heroes) * heroes, seed=seed):
        needs = Requirements(game.rules, state, book)
        if gathered is None and not needs.wanted and all(tile in state.dungeon.where for tile in (*SEALS, FIRE)):
            gathered = state.hero_turns
        if broken is None and not needs.standing:
            broken = state.hero_turns
    return Relaxed(gathered, broken, state.hero_turns) if state.end is End.WON and gathered and broken else None


def relaxed_table(sizes: Iterable[int], *, bot: str, seeds: range, processes: int) -> str:
    """Return a Markdown table, a row a team size: how many matches were won, and the medians of their turns."""
    lines = [f"| heroes | won of {len(seeds)} | all in hand and seen | seals broken | home |", "|---|---|---|---|---|"]
    with ProcessPoolExecutor(processes) as pool:
        for heroes in sizes:
            played = list(pool.map(partial(relaxed_turns, heroes, bot), seeds, chunksize=4))
            won = [turns for turns in played if turns is not None]
            medians = [f"{median(turns):g}" for turns in zip(*won, strict=True)] or ["", "", ""]
            lines.append(f"| {heroes} | {len(won)} | " + " | ".join(medians) + " |")
    return "\n".join(lines) + "\n"


def table(won: Won) -> str:
    """Return a Markdown table, a row a difficulty; the one that is won most often, over all team sizes, is first."""
    sizes = sorted({heroes for _, heroes in won})
    rows = {name: [won[name, heroes] for heroes in sizes] for name in dict.fromkeys(name for name, _ in won)}
    ordered = sorted(rows, key=lambda name: -sum(map(share, rows[name])))
    lines = ["| difficulty | " + " | ".join(f"{heroes} hero{'es' if heroes > 1 else ''}" for heroes in sizes) + " |"]
    lines.append("|---|" + "---|" * len(sizes))
    lines += [f"| `{name}` | " + " | ".join(map(_cell, rows[name])) + " |" for name in ordered]
    return "\n".join(lines) + "\n"


def _cell(won: Sequence[bool]) -> str:
    low, high = wilson(sum(won), len(won)) or (0.0, 1.0)
    return f"{100 * share(won):.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def misplaced(won: Won) -> list[tuple[str, str]]:
    """Return neighbours (easier, harder) in the order of difficulty if the harder one is won more often in all."""
    totals = {name: sum(share(won[cell]) for cell in won if cell[0] == name) for name, _ in won}
    return [
        (easy, hard)
        for easy, hard in pairwise(name for name in TRACKS if name in totals)
        if totals[easy] < totals[hard]
    ]


def page_with(text: str, shown: str) -> str:
    """Return the text of the page with its table replaced by `shown`; ValueError if the page has no place for it."""
    changed, count = BLOCK.subn(lambda found: f"{found[1]}\n{shown}\n{found[2]}", text)
    if count != 1:
        raise ValueError(f"page: expected one place for the table, found {count}")
    return changed


def main() -> None:
    """Play the matches and print the table; with `--write`, put it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--bot", default="dijkstra_map", choices=list(BOTS))
    parser.add_argument("--heroes", nargs="+", type=int, default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--difficulties", nargs="+", default=list(TRACKS), choices=list(TRACKS))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--relaxed", action="store_true", help="turns needed without rituals, instead of the shares")
    parser.add_argument("--write", action="store_true", help=f"replace the table of {PAGE.name}")
    options = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    if options.relaxed:
        print(relaxed_table(options.heroes, bot=options.bot, seeds=seeds, processes=options.processes))
        return
    cells = [(difficulty, heroes) for difficulty in options.difficulties for heroes in options.heroes]
    won = play_all(cells, bot=options.bot, seeds=seeds, processes=options.processes)
    shown = f"`{options.bot}`, {options.seeds} seeds a cell, 95 % intervals:\n\n{table(won)}"
    print(shown)
    for easy, hard in misplaced(won):
        print(f"{hard} was won more often than {easy}")
    if options.write:
        PAGE.write_text(page_with(PAGE.read_text("utf-8"), shown), "utf-8")


if __name__ == "__main__":
    main()
