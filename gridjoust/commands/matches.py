"""`joust matches`: list the matches of a results folder, to pick one from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gridjoust.commands.shared.arguments import ResultsArgument, find_results
from gridjoust.commands.shared.output import say
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.wire.errors import ConfigError

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
    from gridjoust.viewer.matches import read_matches

    found = list(read_matches(folder))
    bots = {name for match in found for name, *_ in match["seats"]}
    if bot is not None and bot not in bots:
        raise ConfigError(f"--bot: expected {nearest(bot, sorted(bots))}, got {bot!r}")
    shown = [match for match in found if bot is None or _is_of(match, bot, lost=lost)]
    for match in shown:
        say(
            f"{match['id'][:SHOWN_ID]}  {match['variant']}, round {match['round']}: {_score(match)}; {match['ending']}",
            indent=" " * 10,
        )
    if shown:
        print(f"\nshow one: joust replay {folder} {shown[-1]['id'][:SHOWN_ID]}")
    else:
        print(f"{bot} has lost no match" if lost else f"no match in {folder}")


def newest(results: Path) -> str:
    """Return the id of the last match in the tables of a results folder; ConfigError if there is none."""
    from gridjoust.viewer.matches import read_matches

    last = ""
    for match in read_matches(results):
        last = match["id"]
    if not last:
        raise ConfigError(f"no match in {results}")
    return last


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
