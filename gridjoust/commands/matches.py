"""`joust matches`: list the matches of a results folder, to pick one from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gridjoust.commands.shared.arguments import JsonOption, ResultsArgument, find_results
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
    as_json: JsonOption = False,
) -> None:
    """List the matches of a results folder: id, bots with their points, and how each ended."""
    if lost and bot is None:
        raise ConfigError("--lost works only with --bot NAME")
    folder = find_results(results)
    from gridjoust.viewer.matches import read_matches, result_text

    found = list(read_matches(folder))
    bots = {name for match in found for name, *_ in match["seats"]}
    if bot is not None and bot not in bots:
        raise ConfigError(f"--bot: expected {nearest(bot, sorted(bots))}, got {bot!r}")
    shown = [match for match in found if bot is None or _is_of(match, bot, lost=lost)]
    if as_json:
        print(json.dumps([_as_json(match) for match in shown], allow_nan=False))
        return
    for match in shown:
        where, id_ = f"{match['variant']}, round {match['round']}", match["id"][:SHOWN_ID]
        say(f"{id_}  {where}: {result_text(match)}; {match['ending']}", indent=" " * 10)
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


def _as_json(match: Mapping[str, Any]) -> dict[str, Any]:
    from gridjoust.viewer.matches import SEAT, result_text

    seats = [dict(zip(SEAT, seat, strict=True)) for seat in match["seats"]]
    return {**match, "result": result_text(match), "seats": seats}
