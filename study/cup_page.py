"""Make the tables and pictures of study/docs/planners-cup.md from the kept tables of `study.cup`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import ceil
from pathlib import Path

import pandas as pd

from gridjoust.runner.results.tables.columns import VERDICT
from study.decisiveness import FLOORS, read_lines
from study.floor_table import ranked_planners

PAGE = Path(__file__).parent / "docs" / "planners-cup.md"
RESULTS = "results.csv.xz"
STANDINGS = "standings.csv"
ORDER = ("work", "cpu-50ms", "cpu-10ms", "cpu-2ms")  # of the limits
SHORT = {"astar": r"A\*", "dstar_lite": r"D\* Lite", "dijkstra_map": "map"}  # bots in the order, for narrow screens
LONG = re.compile(r"\d+\.\d{3,}")  # more decimals than a point of the picture needs
BLOCK = re.compile(r"(<!-- begin (\S+): made by python -m study\.cup -->\n).*?(<!-- end \2 -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cut:
    """The tables of one game under one limit."""

    limit: str
    game: str  # the variant's name
    standings: pd.DataFrame  # one row a bot, best first
    results: pd.DataFrame
    verdict: str  # how the stop rule has ended it; "" without one

    @property
    def counted(self) -> pd.DataFrame:
        """The rows of results of matches that count."""
        return self.results[self.results["counted"] == 1]

    def matches(self) -> str:
        """Return the number of matches that count, and of how many if some do not."""
        counted, played = (rows["match_id"].nunique() for rows in (self.counted, self.results))
        return f"{counted}" if counted == played else f"{counted} of {played}"

    def forfeited(self) -> str:
        """Return the per cent of counted matches in which a bot forfeited; "" without any."""
        is_forfeited = self.counted.groupby("match_id")["forfeited"].max()
        return f"{100 * is_forfeited.mean():.0f} %" if is_forfeited.any() else ""

    def late_pct(self, bot: str) -> float:
        """Return a bot's faults in per cent of its questions in counted matches; the last one may end a match."""
        own = self.counted[self.counted["bot"] == bot]
        asked = own[["turns_acted", "faults"]].max(axis=1).sum()
        return 100 * own["faults"].sum() / asked if asked else 0.0

    def share(self, bot: str) -> str:
        """Return a bot's points in per cent if bots meet, else the per cent of bots on common seeds that it beats."""
        row = self.standings.set_index("bot").loc[bot]
        column = "score_pct" if pd.notna(row["score_pct"]) else "beaten_pct"
        return f"{row[column]:.0f}"

    def order(self, ranked: Sequence[str] | None = None) -> str:
        """Return the bots, best first, with `>` between neighbours that are separated at 95 %, else `≈`.

        If `ranked` is given, only these bots are shown. Tables of earlier versions have no column `separated`. In
        these, a new group is separated from the one before.
        """
        parts: list[str] = []
        before, is_apart = None, False
        for _, row in self.standings.iterrows():
            is_new_group = pd.notna(row["group"]) and row["group"] != before
            is_apart |= bool(row["separated"] == 1 if "separated" in row else is_new_group)
            before = row["group"]
            if ranked is None or row["bot"] in ranked:
                parts += [">" if is_apart else "≈"] if parts else []
                parts.append(SHORT.get(row["bot"], row["bot"]))
                is_apart = False
        return " ".join(parts) or "search does not matter here"

    def settled(self) -> str:
        """Return "yes" if the tournament ended because the order was known, else "no"; "–" without such a stop rule."""
        if not self.verdict:
            return "–"
        return "yes" if " resolved at " in self.verdict else "no"


def cuts(kept: Path) -> list[Cut]:
    """Return all limits of all games of a folder: games by name, limits from none to the shortest time."""
    found = []
    for folder in sorted(kept.glob("*/*/"), key=lambda folder: (folder.name, ORDER.index(folder.parent.name))):
        verdict = folder / VERDICT
        found.append(
            Cut(
                limit=folder.parent.name,
                game=folder.name,
                standings=pd.read_csv(folder / STANDINGS),
                results=pd.read_csv(folder / RESULTS, low_memory=False),
                verdict=verdict.read_text("utf-8").strip() if verdict.is_file() else "",
            )
        )
    return found


def planners(found: Sequence[Cut]) -> list[str]:
    """Return the names of all bots, sorted."""
    return sorted({bot for each in found for bot in each.standings["bot"]})


def table(heading: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def orders(found: Sequence[Cut]) -> str:
    """Return a table with a row for each game and limit: the order of the bots, and those not better than the floor."""
    heading = ("game", "limit", "order", "no better than the floor", "settled", "matches", "forfeited")
    ranked = ranked_planners(read_lines(FLOORS))

    def left_out(each: Cut) -> str:
        above = ranked.get(each.game)
        if above is None:
            return "–"
        return ", ".join(SHORT.get(bot, bot) for bot in planners([each]) if bot not in above)

    return table(
        heading,
        (
            (
                each.game,
                each.limit,
                each.order(ranked.get(each.game)),
                left_out(each),
                each.settled(),
                each.matches(),
                each.forfeited(),
            )
            for each in found
        ),
    )


def shares(found: Sequence[Cut]) -> str:
    """Return a table of shares in per cent: a row for each game and limit, a column for each planner."""
    bots = planners(found)
    rows = ((each.game, each.limit, *(each.share(bot) for bot in bots)) for each in found)
    return table(("game", "limit", *bots), rows)


def costs(found: Sequence[Cut]) -> str:
    """Return a table of ms a turn (CPU if measured), expansions and late answers: a column for each planner."""
    bots = planners(found)

    def cell(each: Cut, bot: str) -> str:
        row = each.standings.set_index("bot").loc[bot]
        column = "cpu_ms_per_turn" if pd.notna(row["cpu_ms_per_turn"]) else "planning_ms_per_turn"
        expanded = f"{row['nodes_per_turn']:.0f}"
        nodes = f", {expanded} node{'s' * (expanded != '1')}" if pd.notna(row["nodes_per_turn"]) else ""
        late_pct = each.late_pct(bot)
        late = f", {'<1' if late_pct < 1 else f'{late_pct:.0f}'} % late" if late_pct else ""
        return f"{row[column]:.2f} ms{nodes}{late}"

    return table(
        ("game", "limit", *bots), ((each.game, each.limit, *(cell(each, bot) for bot in bots)) for each in found)
    )


def picture(found: Sequence[Cut]) -> str:
    """Return the shares as SVG: a panel for each game, a group of bars for each limit, a bar for each planner."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    bots, panels = planners(found), {each.game: [other for other in found if other.game == each.game] for each in found}
    rows, width = ceil(len(panels) / 3), 0.8 / len(bots)
    with rc_context(
        {"svg.hashsalt": "study", "svg.fonttype": "none", "font.size": 9, "font.sans-serif": ["DejaVu Sans"]}
    ):
        figure = Figure(figsize=(11, 2.2 * rows), layout="constrained")
        places = [*figure.subplots(rows, 3, squeeze=False).flat]
        for axes, (game, own) in zip(places, panels.items(), strict=False):
            for number, bot in enumerate(bots):
                left = [at + (number - (len(bots) - 1) / 2) * width for at in range(len(own))]
                axes.bar(left, [float(each.share(bot)) for each in own], width, label=bot)
            axes.set(title=game, ylim=(0, 100))
            axes.set_xticks(range(len(own)), [each.limit for each in own])
        for axes in places[len(panels) :]:
            axes.set_visible(False)
        figure.legend(*places[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(bots))
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    short = LONG.sub(lambda number: f"{float(number[0]):.2f}", text.getvalue())
    return "\n".join(line.strip() for line in short.splitlines()) + "\n"


MAKERS = {"orders": orders, "shares": shares, "costs": costs}


def page_with_tables(page: str, found: Sequence[Cut]) -> str:
    """Return the page with every block between its marks made again; other words stay."""
    return BLOCK.sub(lambda block: f"{block[1]}\n{MAKERS[block[2]](found)}\n{block[3]}", page)


def write_page(kept: Path) -> None:
    """Make the tables and the picture of the documentation from a folder of tables."""
    found = cuts(kept)
    PAGE.write_text(page_with_tables(PAGE.read_text("utf-8"), found), "utf-8")
    PAGE.with_suffix(".svg").write_text(picture(found), "utf-8")
