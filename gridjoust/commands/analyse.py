"""`joust analyse`: find where a recorded match was decided; print a line of win chances and save it with the record."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gridjoust.commands.shared.arguments import JsonOption
from gridjoust.commands.shared.output import say
from gridjoust.recorded.source import find_record, resolve_record
from gridjoust.runner.results.records.file import read_record
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

if TYPE_CHECKING:
    from gridjoust.recorded.analysis import Analysis
    from gridjoust.recorded.win_line import Told

_BAR = 30  # characters of a bar for 100 %
_NAME = 24


def analyse(
    record: Annotated[
        Path,
        typer.Argument(help="A match record, RESULTS/ID, a match id or its first characters, or a results folder."),
    ],
    match_id: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="With a results folder: the match's id, or its first characters."),
    ] = None,
    turns: Annotated[int, typer.Option(min=2, max=2000, help="Number of turns from which playouts start.")] = 12,
    playouts: Annotated[int, typer.Option(min=5, max=10_000, help="Playouts from each of these turns.")] = 20,
    bot: Annotated[
        list[str] | None,
        typer.Option(help="The bot that plays the playouts, or role=bot; default: a quick bot of the game."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Time limit; after it no further turn is started.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the playouts.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The output file; default: beside the record, where the viewer finds it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find where a match was decided: estimate each side's chance to win through the match by playouts."""
    from gridjoust.recorded.analysis import analysis_path, save_analysis
    from gridjoust.recorded.playouts import choose_bots
    from gridjoust.recorded.win_line import analyse as analyse_record

    path = resolve_record(record) if match_id is None else find_record(record, match_id)
    match = read_record(path)
    bots = choose_bots(game_of(match), bot or [])
    told = _teller(seconds)
    found = analyse_record(match, bots, playouts=playouts, turns=turns, seed=seed, told=told)
    target = out or analysis_path(path)
    if target.is_dir():
        raise ConfigError(f"--out: expected a file to write, got the folder {target}")
    save_analysis(target, found)
    if as_json:
        print(msgspec.json.encode(found).decode())
        return
    say("\n".join(lines_of(found, playouts=playouts)))
    print(f"analysis: {target}")


def _teller(seconds: float | None) -> Told:
    began_s, is_seen = monotonic(), sys.stderr.isatty()

    def told(done: int, of: int) -> bool:
        if is_seen:
            print(f"\rturn {done + 1} of {of}", end="" if done + 1 < of else "\n", file=sys.stderr, flush=True)
        return seconds is None or monotonic() - began_s < seconds

    return told


def lines_of(found: Analysis, *, playouts: int) -> list[str]:
    """Return the analysis as lines for a terminal of 80 columns."""
    who = ", ".join(dict.fromkeys(found.bots))
    what = f"share of seats that reach the goal ({found.goal})" if found.goal else "share of wins"
    head = f"{what} in {playouts} playouts per turn by {who}"
    drops = [_drop_line(found, number) for number in range(len(found.drops))]
    return [
        plain_text(head),
        "",
        *_table(found),
        "",
        *(["decisive moments", *drops] if drops else ["no decisive moment: chance explains all changes"]),
    ]


def _table(found: Analysis) -> list[str]:
    """Return a line per turn: with two teams, the first one's win share as a bar with its interval; else all shares."""
    names = [_short(side.name, _NAME if len(found.sides) <= 2 else 12) for side in found.sides]
    if len(found.sides) <= 2:
        rows = [
            f"{point.turn:>5}  {_percent(point.shares[0])} ± {_half(point.highs[0] - point.lows[0])}  "
            f"{_bar(point.lows[0], point.shares[0], point.highs[0])}"
            for point in found.points
        ]
        return [f" turn  {names[0]}", *rows]
    return [
        " turn  " + "  ".join(f"{name:>12}" for name in names),
        *(
            f"{point.turn:>5}  "
            + "  ".join(
                f"{_percent(share) + ' ± ' + _half(high - low):>12}"
                for share, low, high in zip(point.shares, point.lows, point.highs, strict=True)
            )
            for point in found.points
        ),
    ]


def _drop_line(found: Analysis, number: int) -> str:
    drop = found.drops[number]
    turns = f"turn {drop.last}" if drop.last == drop.first + 1 else f"turns {drop.first + 1} to {drop.last}"
    side = found.sides[drop.side]
    seats = ", ".join(map(str, side.seats))
    change = f"{drop.before:.0%} to {drop.after:.0%} (± {drop.error:.0%})"
    return f"  {turns}: {_short(side.name, _NAME)} (seat {seats}) {change}"


def _bar(low: float, share: float, high: float) -> str:
    first, middle, last = (round(at * (_BAR - 1)) for at in (low, share, high))
    return "".join("█" if at == middle else "░" if first <= at <= last else "·" for at in range(_BAR))


def _percent(share: float) -> str:
    return f"{share:4.0%}"


def _half(width: float) -> str:
    return f"{width / 2:3.0%}"


def _short(name: str, limit: int) -> str:
    return name if len(name) <= limit else f"{name[: limit - 1]}…"
