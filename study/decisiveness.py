"""Whether the bots decide: seats, draws, contact, handicap and limit endings of every variant that ships.

`python -m study.decisiveness` plays every game without parameters and every variant of `configs` and `study/configs`:
matches of equal bots, and as many of the same bot against itself with a handicap: a random legal action in one answer
of ten.
All matches are seeded and are played on the simulated clock, in `--jobs` processes. The command prints a row for each
variant, with a verdict on each figure. With `--write` it puts each row into study/docs/decisiveness.csv as soon as the
row is done, keeps the rows of other variants, and makes the page beside the file anew. So a run of hours can be split.

With `--floors` it plays the planners of the cup against their games' floors instead: `study.floor_table`.

The bounds: with equal bots the 95 % interval of a seat's share of the points contains one half and is no wider than
5 points to either side; at most 30 % draws; at most 30 % ended by the turn limit; the side without the handicap has at
least 65 % of the points. Where sides have roles, the first has 35 to 65 %. The share of matches in which no seat
influenced another has no bound. Where no bots meet, the same seed is played with the handicap and without it.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from math import ceil
from pathlib import Path
from statistics import NormalDist, fmean
from typing import NamedTuple

from gridjoust import games
from gridjoust.runner.statistics.intervals import CONFIDENCE, Interval, wilson
from study import floor_table
from study.decisive_matches import (
    CONTENDERS,
    Ended,
    Row,
    all_rows,
    is_contest,
    play_equal,
    play_handicapped,
    strong_share,
)
from study.report import print_table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "study" / "docs" / "decisiveness.md"
FLOORS = PAGE.with_name("floors.csv")
FOLDERS = (ROOT / "configs", ROOT / "study" / "configs")  # of tournaments
MATCHES_ALONE = 100  # where no seat is compared
WIDEST = 0.05  # half of the interval of a seat's share
MOST_DRAWS = 0.3
MOST_LIMITS = 0.3
LEAST_STRONG = 0.65
ROLE_SHARES = (0.35, 0.65)
FULL_HUNDRED = 100  # matches, up to which their number is rounded
CHUNK = 4  # matches that a process takes at a time


class Verdict(Enum):
    """The verdict on a figure: is it within its bound?"""

    PASS = "pass"
    FAIL = "FAIL"
    OPEN = "open"  # too few matches to tell
    NONE = ""  # nothing to judge here


class Figure(NamedTuple):
    """A figure as shown in the table, with the verdict on whether it is within its bound."""

    text: str
    verdict: Verdict = Verdict.NONE

    def __str__(self) -> str:
        return f"{self.text} {self.verdict.value}".strip()


class Share(NamedTuple):
    """A part of the matches, or of the points."""

    value: float
    interval: Interval

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} ({100 * self.interval.low:.1f}–{100 * self.interval.high:.1f})"


def share_of(values: Iterable[float], *, confidence: float = CONFIDENCE) -> Share:
    """Return the mean of values from 0 to 1 with its interval.

    The interval is that of values 0 and 1 alone; draws would only make it narrower.
    """
    listed = list(values)
    interval = wilson(sum(listed), len(listed), confidence=confidence)
    assert interval is not None
    return Share(fmean(listed), interval)


def confidence_of(sides: int) -> float:
    """Return the confidence for each side's interval: more than two sides have more chances to be far from one half."""
    return CONFIDENCE if sides == 2 else 1 - (1 - CONFIDENCE) / sides


def fewest_matches(sides: int) -> int:
    """Return the matches, in full hundreds, after which the interval of a share of one half is narrow enough."""
    z = NormalDist().inv_cdf((1 + confidence_of(sides)) / 2)
    return FULL_HUNDRED * ceil((z / (2 * WIDEST)) ** 2 / FULL_HUNDRED)


def judge_seats(share: Share) -> Verdict:
    """Judge if equal bots have equal shares on every seat."""
    low, high = share.interval
    if not low <= 0.5 <= high:
        return Verdict.FAIL
    return Verdict.PASS if (high - low) / 2 <= WIDEST else Verdict.OPEN


def judge_roles(share: Share) -> Verdict:
    """Judge if a role has about as good a chance as the others."""
    return _judge_within(share, *ROLE_SHARES)


def judge_most(share: Share, most: float) -> Verdict:
    """Judge if a share of matches is at most `most`."""
    return _judge_within(share, 0.0, most)


def judge_least(share: Share, least: float) -> Verdict:
    """Judge if a share of matches is at least `least`."""
    return _judge_within(share, least, 1.0)


def _judge_within(share: Share, low: float, high: float) -> Verdict:
    """Judge by the share itself; the verdict is open if chance explains why it is outside."""
    if low <= share.value <= high:
        return Verdict.PASS
    return Verdict.FAIL if share.interval.low > high or share.interval.high < low else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class Tally:
    """The matches of one variant, and the figures that they give."""

    row: Row
    equal: list[Ended] = field(default_factory=list)
    handicapped: list[Ended] = field(default_factory=list)
    first: int = 0  # number of the first match

    def figures(self) -> dict[str, Figure]:
        """Return the figures of the variant's row, by column."""
        game = self.row.make(0)
        is_alone = not is_contest(game)
        return {
            "matches": Figure(f"{len(self.equal)}{f' from {self.first}' if self.first else ''}"),
            "seat": Figure("nobody is met") if is_alone else self._seats(),
            "draws": Figure("nobody is met") if is_alone else self._most(self.equal, _is_draw, MOST_DRAWS),
            "no contact": self._no_contact(),
            "handicap": self._handicap(),
            "limit": self._most(self.equal, lambda ended: ended.is_limit, MOST_LIMITS),
        }

    def _seats(self) -> Figure:
        """Return the share of points of the side furthest from one half, or of the first role, with its verdict."""
        sides = range(len(self.equal[0].points))
        confidence = confidence_of(len(sides))
        shares = [share_of((each.points[side] for each in self.equal), confidence=confidence) for side in sides]
        side = max(sides, key=lambda side: abs(shares[side].value - 0.5))
        roles = self.row.make(0).roles
        if len(set(roles)) > 1:
            return Figure(f"{roles[self.row.sides[0][0]]} {shares[0]}", judge_roles(shares[0]))
        which = 0 if len(sides) == 2 else side
        return Figure(f"seat {which}: {shares[which]}", judge_seats(shares[which]))

    @staticmethod
    def _most(matches: Sequence[Ended], is_so: Callable[[Ended], bool], most: float) -> Figure:
        share = share_of(float(is_so(each)) for each in matches)
        return Figure(f"{100 * share.value:.1f}", judge_most(share, most))

    def _no_contact(self) -> Figure:
        known = [each.is_contact for each in self.equal if each.is_contact is not None]
        return Figure(f"{100 * share_of(float(not each) for each in known).value:.1f}" if known else "alone")

    def _handicap(self) -> Figure:
        share = share_of(strong_share(each) for each in self.handicapped)
        return Figure(f"{share}", judge_least(share, LEAST_STRONG))


def _is_draw(ended: Ended) -> bool:
    return len(set(ended.returns)) == 1


def measure(row: Row, *, matches: int | None, pool: Executor, first: int = 0) -> Tally:
    """Play the matches of a variant from number `first` on: of equal bots, and as many with a handicap.

    `matches` None = as many as its figures need.
    """
    matches = matches or (fewest_matches(len(row.sides)) if is_contest(row.make(0)) else MATCHES_ALONE)
    numbers, rows = range(first, first + matches), [row] * matches
    equal = pool.map(play_equal, rows, numbers, chunksize=CHUNK)
    handicapped = pool.map(play_handicapped, rows, numbers, chunksize=CHUNK)
    return Tally(row, list(equal), list(handicapped), first)


HEADING = ("game", "variant", "matches", "seat", "draws", "no contact", "handicap", "limit")


Line = dict[str, str]  # a row of the table, by column


def label_of(row: Row) -> tuple[str, str]:
    """Return the game and all names of the variant."""
    return row.game, ", ".join(row.names)


def key_of(line: Line) -> tuple[str, str]:
    """Return the label of the row from which the line comes."""
    return line["game"], line["variant"]


def line_of(tally: Tally) -> Line:
    """Return the variant's row of the table, as texts by column."""
    game, variant = label_of(tally.row)
    return {"game": game, "variant": variant, **{name: str(figure) for name, figure in tally.figures().items()}}


def format_csv(lines: Iterable[Line], heading: Sequence[str] = HEADING) -> str:
    """Return the rows as CSV text with a heading line, as in the file of the table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, heading, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def merged(kept: Iterable[Line], new: Iterable[Line], *, shipped: Sequence[Row]) -> list[Line]:
    """Return the newest row of every variant that ships, in their order, without rows of other variants."""
    found = {key_of(line): line for line in (*kept, *new)}
    return [found[label_of(row)] for row in shipped if label_of(row) in found]


def format_page(lines: Sequence[Line], *, shipped: Sequence[Row], floors: Sequence[Line] = ()) -> str:
    """Return the text of the page; `floors` are the rows of the planners against their floors."""
    played = set(map(key_of, lines))
    unplayed = Counter(row.game for row in shipped if label_of(row) not in played)
    left = [f"{count} of `{game}`" for game, count in unplayed.items()]
    failed = sum(Verdict.FAIL.value in line[name].split() for line in lines for name in HEADING)
    still_open = sum(Verdict.OPEN.value in line[name].split() for line in lines for name in HEADING)
    rows = ["| " + " | ".join(line[name] for name in HEADING) + " |" for line in lines]
    table = ["| " + " | ".join(HEADING) + " |", "| " + " | ".join("---" for _ in HEADING) + " |", *rows]
    bots = [f"| {game} | `{bot}` |" for game, bot in CONTENDERS.items()]
    return PAGE_TEXT.format(
        table="\n".join(table),
        bots="\n".join(bots),
        variants=len(lines),
        failed=failed,
        open=still_open,
        missing=f" Not played yet: {', '.join(left)}." if left else "",
        floors=floor_table.format_section(floors, shipped=shipped),
    )


PAGE_TEXT = """---
hide: [toc]
---

# Do the bots decide?

What a leaderboard says must be decided by the bots, not by the seat, the clock or an empty board. This page is written
by `python -m study.decisiveness --write`, which plays every game without parameters and every variant of the
tournaments in `configs` and `study/configs`: matches of equal bots, and as many of a bot against itself with a
handicap.

- **seat**: the share of the points that a seat has when equal bots play, with its 95 % interval. Bound: the interval
  contains one half and is no wider than 5 points to either side. Where sides have roles, the first role has 35 to 65 %.
- **draws**: among equal bots. Bound: at most 30 %.
- **no contact**: matches in which no seat influenced another. No bound.
- **handicap**: the share of the side that plays without the handicap, which is a random legal action in one answer of
  ten. Bound: at least 65 %. Of several sides the best of each kind are compared. Where a bot is alone, the same seeds
  are played with the handicap and without it.
- **limit**: matches that the turn limit ended. Bound: at most 30 %.

All figures are per cent. *open*: outside the bound, or the interval too wide, by no more than chance.

{variants} variants; {failed} figures fail and {open} are open.{missing}

{table}

The bots:

| game | bot |
| --- | --- |
{bots}

In heroquest the quests `crypt`, `vault` and `watch_house` are races: their files name the rounds that the heroes have
(`rounds`), and matches that end so are counted under **limit** like those of any other round limit. The printed quest,
The Trial, has no deadline of its own; its variants were played by three heroes within 25 rounds (see
[games](../../docs/explanation/games.md#heroquest)). The rows of heroquest were measured by rules version 5, in which a
quest was one dungeon for every seed; they hold for `fixed_deal: true`. Tournaments now draw a dungeon for each seed,
and `heroquest-trial` gives 30 rounds. The rounds were chosen by matches of low numbers. Rows *from* a
high number (`--first`) are of seeds by which nothing was chosen.

Half the width of a beam is no handicap to count on: in placement's default variant `placement/beam` of width 8 had
50.2 % (45.4 to 55.1) against itself of width 16 in 400 matches.
{floors}"""


def read_lines(table: Path) -> list[Line]:
    """Return the rows of a table; none if it is not there."""
    return list(csv.DictReader(table.read_text("utf-8").splitlines())) if table.is_file() else []


def write_page(new: Sequence[Line], *, page: Path, shipped: Sequence[Row], is_floors: bool = False) -> None:
    """Write the page and the rows beside it, and keep rows of other variants that were there.

    `is_floors`: the new rows belong to the table of the floors.
    """
    own, floors = page.with_suffix(".csv"), page.with_name(FLOORS.name)
    table, heading = (floors, floor_table.HEADING) if is_floors else (own, HEADING)
    table.write_text(format_csv(merged(read_lines(table), new, shipped=shipped), heading), "utf-8")
    page.write_text(format_page(read_lines(own), shipped=shipped, floors=read_lines(floors)), "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the chosen variants, print their rows and, with `--write`, put them into the documentation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, help="of each kind, per variant; with --floors seeds")
    parser.add_argument("--first", type=int, default=0, help="number of the first match; each has its own seed")
    parser.add_argument("--games", nargs="+", default=list(games.GAMES), choices=list(games.GAMES), metavar="GAME")
    parser.add_argument("--variants", nargs="+", metavar="NAME", help="only these, such as default or knockout")
    parser.add_argument("--jobs", type=int, default=None, help="processes; default: one a core")
    parser.add_argument("--floors", action="store_true", help="play the planners against the floors of their games")
    parser.add_argument("--write", action="store_true", help="put each row into the documentation once it is there")
    options = parser.parse_args(arguments)
    if options.matches is not None and options.matches < 1:
        parser.error(f"--matches: expected at least 1, got {options.matches}")
    if options.first < 0:
        parser.error(f"--first: expected at least 0, got {options.first}")
    shipped = all_rows(*FOLDERS)
    try:
        rows = chosen_rows(shipped, options)
    except ValueError as error:
        parser.error(str(error))
    title, heading = (
        ("Does search matter?", floor_table.HEADING) if options.floors else ("Do the bots decide?", HEADING)
    )
    lines = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in rows:
            lines.append(play_row(row, options, pool))
            print(" | ".join(lines[-1].values()), flush=True)
            if options.write:
                write_page(lines[-1:], page=PAGE, shipped=shipped, is_floors=options.floors)
    print_table(title, heading, [list(line.values()) for line in lines])


def chosen_rows(shipped: Sequence[Row], options: argparse.Namespace) -> list[Row]:
    """Return the variants that the options name; ValueError if one of the names does not ship."""
    rows = [row for row in shipped if row.game in options.games]
    if options.floors:
        rows = [row for row in floor_table.floor_rows(rows) if floor_table.has_floor(row)]
    if not options.variants:
        return rows
    known = [name for row in rows for name in row.names]
    if unknown := sorted(set(options.variants).difference(known)):
        raise ValueError(f"--variants: expected some of {', '.join(known)}, got {', '.join(unknown)}")
    return [row for row in rows if not set(row.names).isdisjoint(options.variants)]


def play_row(row: Row, options: argparse.Namespace, pool: Executor) -> Line:
    """Play one variant and return its row of the table."""
    if options.floors:
        return floor_table.measure_floor(row, pairs=options.matches, first=options.first, pool=pool)
    return line_of(measure(row, matches=options.matches, first=options.first, pool=pool))


if __name__ == "__main__":
    main()
