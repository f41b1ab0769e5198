"""`joust analyse`: where a recorded match was decided, a line of win shares in the terminal and beside the record."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from gridjoust.recorded.source import find_record, resolve_record
from gridjoust.runner.results.records.file import read_record
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

if TYPE_CHECKING:
    from gridjoust.recorded.analysis import Analysis
    from gridjoust.recorded.win_line import Told

_BAR = 30  # letters for a whole
_NAME = 24


def analyse(
    record: Annotated[
        Path, typer.Argument(help="A match record, RESULTS/ID, a match id or its beginning, or a results folder.")
    ],
    match_id: Annotated[
        str | None, typer.Argument(metavar="[MATCH]", help="In a results folder: the match's id, or its beginning.")
    ] = None,
    turns: Annotated[int, typer.Option(min=2, max=2000, help="From how many turns it is played on.")] = 12,
    playouts: Annotated[int, typer.Option(min=5, max=10_000, help="How often from each of them.")] = 20,
    bot: Annotated[
        list[str] | None, typer.Option(help="Who plays on: a bot, or role=bot; default: a quick one of the game.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Begin no further turn after this time; fewer turns are done then.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of all chance: the same seed gives the same line.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The side file; default: where the viewer looks for it.")] = None,
) -> None:
    """Find where a match was decided: it is played on from many of its turns, and shares of wins make a line."""
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
    print("\n".join(lines_of(found, playouts=playouts)))
    print(f"analysis: {target}")


def _teller(seconds: float | None) -> Told:
    began_s, is_seen = monotonic(), sys.stderr.isatty()

    def told(done: int, of: int) -> bool:
        if is_seen:
            print(f"\rturn {done + 1} of {of}", end="" if done + 1 < of else "\n", file=sys.stderr, flush=True)
        return seconds is None or monotonic() - began_s < seconds

    return told


def lines_of(found: Analysis, *, playouts: int) -> list[str]:
    """For a terminal of 80 columns."""
    who = ", ".join(dict.fromkeys(found.bots))
    kind = f"reached their goal ({found.goal})" if found.goal else "won"
    head = f"how often they {kind} when {who} played on, {playouts} times a turn"
    drops = [_drop_line(found, number) for number in range(len(found.drops))]
    return [
        plain_text(head),
        "",
        *_table(found),
        "",
        *(["decisive moments", *drops] if drops else ["no moment that chance does not explain as well"]),
    ]


def _table(found: Analysis) -> list[str]:
    """One side with a bar, its interval in it, where the other side has the rest; else a column for each."""
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
