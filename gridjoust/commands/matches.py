"""`joust matches`: list the matches of a results folder, to pick one from."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gridjoust.commands.shared.arguments import ResultsArgument, find_results
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.wire.errors import ConfigError, naming

SHOWN_ID = 8  # characters: enough to tell a million matches apart, mostly


def matches(
    results: ResultsArgument,
    bot: Annotated[str | None, typer.Option(help="Only the matches of this bot.")] = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="With --bot: only those in which another bot ranked higher.")
    ] = False,
) -> None:
    """List the matches of a results folder: id, bots with their points, and how each ended."""
    if lost and bot is None:
        raise ConfigError("--lost works only with --bot NAME")
    folder = find_results(results)
    found = list(_read(folder / RESULTS.file))
    bots = {name for match in found for name, *_ in match["seats"]}
    if bot is not None and bot not in bots:
        raise ConfigError(f"--bot: expected {nearest(bot, sorted(bots))}, got {bot!r}")
    shown = [match for match in found if bot is None or _is_of(match, bot, lost=lost)]
    for match in shown:
        print(
            f"{match['id'][:SHOWN_ID]}  {match['variant']}, round {match['round']}: {_score(match)}; {match['ending']}"
        )
    if shown:
        print(f"\nshow one: joust replay {folder} {shown[-1]['id'][:SHOWN_ID]}")
    else:
        print(f"{bot} has lost no match" if lost else f"no match in {folder}")


def newest(results: Path) -> str:
    """Return the id of the last match in the tables of a results folder; ConfigError if there is none."""
    last = ""
    for match in _read(results / RESULTS.file):
        last = match["id"]
    if not last:
        raise ConfigError(f"no match in {results}")
    return last


def _read(path: Path) -> Iterator[Mapping[str, Any]]:
    from gridjoust.viewer.matches import matches_of

    with naming(path), path.open(encoding="utf-8", newline="") as file:
        try:
            yield from matches_of(csv.DictReader(file))
        except (KeyError, ValueError, csv.Error) as error:
            raise ConfigError(f"{path}: expected the rows of a run, got: {error}") from None


def _is_of(match: Mapping[str, Any], bot: str, *, lost: bool) -> bool:
    ranks = [rank for name, _, _, _, rank, _, _ in match["seats"] if name == bot]
    return bool(ranks) and (not lost or min(ranks) > 1)


def _score(match: Mapping[str, Any]) -> str:
    """Return the bots with their points: `a 1 : 0 b` for two, else in the order of their ranks."""
    seats: Sequence[Sequence[Any]] = match["seats"]
    names = [seat[0] for seat in seats]
    points = [seat[5] for seat in seats]
    if len(seats) == 2 and None not in points:
        return f"{names[0]} {points[0]:g} : {points[1]:g} {names[1]}"
    ranked = sorted(seats, key=lambda seat: seat[4])
    return ", ".join(f"{rank}. {name}" for name, _, _, _, rank, _, _ in ranked)
