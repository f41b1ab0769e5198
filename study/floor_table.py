"""Does search matter? Each planner of the cup against its game's floor, which plays without a search.

`python -m study.decisiveness --floors` plays this and puts it on its page. A planner is in the ranking of a variant if
the 95 % interval of its score against the floor lies above 55 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor

import numpy as np

from gridjoust.bots import BOTS
from gridjoust.leaderboard.strengths.paired import mean_of_shares
from study.decisive_matches import Row, floor_of, play_floor_pair

PLANNERS = {"astar": r"A\*", "dstar_lite": r"D\* Lite", "dijkstra_map": "map", "beam": "beam"}
HEADING = ("game", "variant", "pairs", *PLANNERS, "in the ranking")
LEAST_SCORE = 0.55  # against the floor: the whole interval lies above it
PAIRS = 100  # seeds, each played from both sides
NOBODY = "nobody: search does not matter here"
CUP = "planners-cup"  # the tournament whose variants have a ranking of planners


def floor_rows(shipped: Iterable[Row]) -> list[Row]:
    """Return those of the shipped variants that belong to the planners' cup."""
    return [row for row in shipped if any(name.startswith(CUP) for name in row.names)]


def has_floor(row: Row) -> bool:
    """Return True if the variant's game has a floor among the built-in bots."""
    return floor_of(row.game) in BOTS


def measure_floor(row: Row, *, pairs: int | None, pool: Executor, first: int = 0) -> dict[str, str]:
    """Play every planner against the floor, from the seed `first` on; return the row of the table."""
    pairs = pairs or PAIRS
    numbers, line, ranked = range(first, first + pairs), {}, []
    for planner, short in PLANNERS.items():
        shares = [*pool.map(play_floor_pair, [row] * pairs, [planner] * pairs, numbers, chunksize=4)]
        line[planner], is_above = figure_of(shares)
        ranked += [short] * is_above
    is_all = len(ranked) == len(PLANNERS)
    return {
        "game": row.game,
        "variant": ", ".join(row.names),
        "pairs": f"{pairs}{f' from {first}' if first else ''}",
        **line,
        "in the ranking": "all" if is_all else ", ".join(ranked) or NOBODY,
    }


def ranked_planners(lines: Iterable[dict[str, str]]) -> dict[str, list[str]]:
    """Return, for each variant of the cup that was played, the planners that are in its ranking."""
    found: dict[str, list[str]] = {}
    for line in lines:
        ranked = line["in the ranking"]
        shorts = ranked.split(", ")
        planners = [planner for planner, short in PLANNERS.items() if ranked == "all" or short in shorts]
        found |= {name.removeprefix(f"{CUP}: "): planners for name in line["variant"].split(", ") if CUP in name}
    return found


def figure_of(shares: Sequence[float]) -> tuple[str, bool]:
    """Return (score in per cent with its interval, True if the interval lies above the bound).

    `shares`: points on each seed, from 0 to 1. There is no interval if there are too few or all are equal.
    """
    score = mean_of_shares(np.array(shares))
    if score.interval is None:
        return f"{100 * score.value:.1f}", False
    low, high = score.interval
    return f"{100 * score.value:.1f} ({100 * low:.1f}–{100 * high:.1f})", low > LEAST_SCORE


def format_section(lines: Sequence[dict[str, str]], *, shipped: Iterable[Row]) -> str:
    """Return the section of the page: what was played, the table, and what is missing."""
    if not lines:
        return ""
    played = {(line["game"], line["variant"]) for line in lines}
    missing = [row for row in floor_rows(shipped) if (row.game, ", ".join(row.names)) not in played]
    names = dict.fromkeys(f"`{row.game}`" for row in missing)
    heading = [PLANNERS.get(name, name) for name in HEADING]
    table = [heading, ["---"] * len(HEADING), *([line[name] for name in HEADING] for line in lines)]
    return SECTION.format(
        table="\n".join("| " + " | ".join(cells) + " |" for cells in table),
        missing=f"\nNot played yet: {', '.join(names)}.\n" if names else "",
    )


SECTION = """
## Does search matter?

`python -m study.decisiveness --floors --write` plays the planners of every variant of the planners' cup against its
game's *floor*, a bot that uses the same tactics or rules of thumb without a search: `<game>/floor`. Both play each seed
from both sides, without a limit of work or time; where a bot is alone, the better result on a seed has the point. The
table has a planner's share of the points in per cent with its 95 % interval over the seeds. A planner is *in the
ranking* if the whole interval lies above 55 %. A planner below that is no better than its floor in this variant as far
as these matches tell, and where no planner is above it, search does not matter.

{table}
{missing}"""
