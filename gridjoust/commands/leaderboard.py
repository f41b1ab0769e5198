"""`joust leaderboard`: what the tables of a results folder say, for people and for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer
from msgspec import to_builtins
from rich.table import Table
from rich.text import Text

from gridjoust.commands.shared.arguments import JsonOption, ResultsArgument, find_results, mistakes_of
from gridjoust.commands.shared.board import draw_board, open_console, print_board
from gridjoust.commands.shared.output import say
from gridjoust.leaderboard.board import leaderboards_by, make_leaderboard, whole_board
from gridjoust.leaderboard.frame.codes import distinct_texts, match_count
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.leaderboard.metrics import MetricTable, metric_tables
from gridjoust.leaderboard.prices import Price, prices
from gridjoust.leaderboard.standings import (
    Leaderboard,
    format_standings_csv,
    progress_of,
    shifted,
    titles_of,
    with_titles,
)
from gridjoust.leaderboard.table import optional
from gridjoust.leaderboard.wording import listed
from gridjoust.runner.results.tables.columns import METRICS, RESULTS
from gridjoust.runner.results.tables.datapackage import check_tables
from gridjoust.runner.results.tables.schedule_file import Planned, read_planned
from gridjoust.runner.results.tables.text import quoted, read_rows, reading, require_columns
from gridjoust.runner.wire.errors import ConfigError

MANY_VARIANTS = 8  # beyond these no table for each is printed
_NUMBER = re.compile(r"[+-]?\d{1,6}(\.\d+)?")


def leaderboard(
    results: ResultsArgument,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, the columns of standings.csv.")] = False,
    by: Annotated[
        str | None,
        typer.Option(
            help="One table per game, variant, map or role; or planner: one table of planners over all games; "
            "default: one table, and one per variant if a game has several."
        ),
    ] = None,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Also print each game's statistics, as means per bot.")
    ] = False,
    price: Annotated[
        bool, typer.Option("--price", help="Also print the cost per path step, among bots of equal path quality.")
    ] = False,
    anchor: Annotated[
        str | None, typer.Option(metavar="BOT=RATING", help="Shift all ratings so that this bot has this rating.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Also write the table to this SVG file.")] = None,
) -> None:
    """Compute the standings of a results folder from its tables, and print them."""
    if as_csv and (as_json or metrics or price):
        other = "--json" if as_json else "--metrics" if metrics else "--price"
        raise ConfigError(f"leaderboard: give {other} or --csv, not both")
    folder = find_results(results)
    check_tables(folder)
    seats = read_seats(folder)
    priced = _prices(folder, dict(leaderboards_by(seats, "game"))) if price else {}
    first = next(read_rows(folder / RESULTS.file), None)
    title = first["tournament"] if first else folder.name
    planned = read_planned(folder)
    progress = progress_of(planned, match_count(seats))
    shown = (
        (value, with_titles(replace(board, progress=progress), titles_of(planned)))
        for value, board in _tables(seats, by, planned)
    )
    tables = {value: board if anchor is None else anchored(board, anchor) for value, board in shown}
    if as_csv:
        print(_format_csv(tables, by), end="")
    else:
        for value, board in tables.items():
            print_board(board, title=_title(title, by, value), as_json=as_json)
        if by is None and not as_json:
            _print_variants(seats, title, planned)
    if metrics:
        _print_metrics(folder, as_json=as_json)
    for game, own in priced.items():
        _print_prices(game, own, as_json=as_json)
    if svg is not None:  # of several tables it shows that of all results
        drawn = next(iter(tables.values())) if len(tables) == 1 else make_leaderboard(seats)
        svg.write_text(draw_board(drawn, title=title), encoding="utf-8")


def _print_variants(seats: pd.DataFrame, title: str, planned: Planned | None) -> None:
    """Print a table for each variant if a game has several, as the joint table mixes them."""
    variants = distinct_texts(seats, "game", "variant") if len(seats) else ()
    if len(variants) < 2 or len(variants) == seats["game"].nunique():
        return
    if len(variants) > MANY_VARIANTS:
        say(f"- {len(variants)} variants: --by variant prints a table for each")
        return
    for value, board in leaderboards_by(seats, "variant"):
        print_board(with_titles(board, titles_of(planned)), title=_title(title, "variant", value), as_json=False)


def anchored(board: Leaderboard, anchor: str) -> Leaderboard:
    """Return the leaderboard, shifted so that `anchor` holds: `bot=1500`; ConfigError if that bot has no rating."""
    bot, _, text = anchor.rpartition("=")
    ratings = {one.bot: one.rating for one in board.standings}
    if not bot or not _NUMBER.fullmatch(text):
        raise ConfigError(
            f"--anchor: expected a bot and its rating, as {next(iter(ratings), 'bot')}=1500, got {anchor!r}"
        )
    own = ratings.get(bot)
    if own is None:
        why = "it has no rating" if bot in ratings else f"expected one of {listed(list(ratings))}"
        raise ConfigError(f"--anchor: {bot}: {why}")
    return shifted(board, float(text) - own)


def _print_metrics(results: Path, *, as_json: bool) -> None:
    path = results / METRICS.file
    if not path.is_file():
        return
    require_columns(path, METRICS.names)
    with reading(path):
        tables = list(metric_tables(read_rows(results / RESULTS.file), read_rows(path)))
    for table in tables:
        if as_json:
            means = {bot: dict(zip(table.metrics, own, strict=True)) for bot, own in table.means}
            print(json.dumps({"event": "metrics", "game": table.game, "means": means}, allow_nan=False))
        else:
            console = open_console()
            console.print(f"{table.game}: mean per seat", markup=False, highlight=False)
            console.print(metric_table(table))


def _prices(results: Path, boards: Mapping[str, Leaderboard]) -> dict[str, list[Price]]:
    path = results / METRICS.file
    with reading(path):
        found = dict(prices(boards, read_rows(results / RESULTS.file), read_rows(path)))
    if not found:
        raise ConfigError(f"--price: no path has a cost in {', '.join(boards)}; it needs a game such as navigation")
    return found


def _print_prices(game: str, own: Sequence[Price], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"event": "prices", "game": game, "prices": to_builtins(own)}, allow_nan=False))
        return
    console = open_console()
    console.print(f"{game}: cost per path step, among bots of equal path quality", markup=False, highlight=False)
    console.print(price_table(own))


def _tables(seats: pd.DataFrame, by: str | None, planned: Planned | None) -> Iterator[tuple[str, Leaderboard]]:
    if by is None:
        yield "", whole_board(seats, planned)
        return
    with mistakes_of("--by"):
        tables = list(leaderboards_by(seats, by)) or [("", make_leaderboard(seats))]
    yield from tables


def _title(tournament: str, by: str | None, value: str) -> str:
    if by is None:
        return tournament
    return f"{tournament}: by planner" if by == "planner" else f"{tournament}: {by} {value or '(none)'}"


def _format_csv(tables: Mapping[str, Leaderboard], by: str | None) -> str:
    """Return one CSV text of all tables; grouped `by` game, variant, map or role, that group is the first column."""
    if by is None or by == "planner":
        return "".join(format_standings_csv(board.standings) for board in tables.values())
    heading, lines = "", []
    for value, board in tables.items():
        heading, *own = format_standings_csv(board.standings).splitlines(keepends=True)
        lines += [f"{quoted(value)},{line}" for line in own]
    return "".join([f"{by},{heading}", *lines])


def metric_table(metrics: MetricTable) -> Table:
    """Return a rich table of a game's metrics, a row per bot; metrics that no bot has are left out."""
    table = Table()
    shown = [at for at, _ in enumerate(metrics.metrics) if any(means[at] for _, means in metrics.means)]
    table.add_column("bot", no_wrap=True)
    for at in shown:
        title = Text(metrics.metrics[at].replace("_", " "))  # so that it wraps between words
        table.add_column(title, justify="right", overflow="fold")
    for bot, means in metrics.means:
        table.add_row(Text(bot), *(optional(means[at], ".4g") for at in shown))
    return table


def price_table(prices: Sequence[Price]) -> Table:
    """Return a rich table of what a step of the path costs each bot, a row per bot."""
    table = Table()
    table.add_column("#", justify="right")
    table.add_column("bot", no_wrap=True)
    costs = ("CPU µs\nper unit", "planning\nµs per\nunit", "nodes\nper\nunit", "nodes\nper\nplan")
    for title in ("level\nwith #", "returns", *costs):
        table.add_column(title, justify="right")
    for one in prices:
        shares = (one.returns_mean, one.cpu_us, one.planning_us, one.per_unit, one.per_search)
        table.add_row(str(one.place), Text(one.bot), str(one.group), *(optional(share, ".4g") for share in shares))
    return table
