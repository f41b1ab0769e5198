"""`joust replay`: show a recorded match turn by turn."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.matches import newest
from gridjoust.commands.shared.arguments import find_results
from gridjoust.commands.shared.film import FPS, SECONDS, FilmOption, SecondsOption, check_film, make_film
from gridjoust.commands.shared.output import say
from gridjoust.games.api import AnyGame
from gridjoust.person.screen import DrawTurn, turn_drawer
from gridjoust.recorded.source import find_record, resolve_record
from gridjoust.runner.results.records.file import read_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.other_rules import as_installed
from gridjoust.runner.results.records.reasons import ending_of
from gridjoust.runner.results.replay import Moment, game_of
from gridjoust.runner.results.replay import replay as replay_states
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text


def replay(
    record: Annotated[
        Path,
        typer.Argument(
            help="A match record, RESULTS/ID, a match id or its first characters, or a folder: its newest match."
        ),
    ],
    match_id: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="With a results folder: the match's id, or its first characters."),
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(min=0.1, help="Play at once with this many turns per second; default: step with keys."),
    ] = None,
    turn: Annotated[int | None, typer.Option(min=0, help="Show only this turn.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a page for the browser instead: one file that works offline.")
    ] = None,
    film: FilmOption = None,
    seconds: SecondsOption = SECONDS,
    seat: Annotated[
        int | None, typer.Option(min=0, help="On a terminal or with --film: show only what this seat knew.")
    ] = None,
    omniscient: Annotated[
        bool, typer.Option("--omniscient", help="Show everything, also what no seat could see.")
    ] = False,
) -> None:
    """Show a recorded match: in a terminal with keys to step, play, go back and jump; otherwise as text."""
    if match_id is None and record.is_dir():
        folder = find_results(record)
        match_id = newest(folder)
        say(f"the newest match, {match_id}; to pick another: joust matches {folder}", to_errors=True)
        record = folder
    record = resolve_record(record) if match_id is None else find_record(record, match_id)
    match = read_record(record)
    if html is not None:
        _write_page(record, match, html)
        return
    match = as_installed(match)
    game = game_of(match)
    header = match.header
    if seat is not None and seat >= game.seats:
        raise ConfigError(f"--seat: expected 0 to {game.seats - 1}, got {seat}")
    if film is not None:
        check_film(film)
        from gridjoust.viewer.film import Cut

        make_film(film, match, Cut(fps=speed or FPS, seconds=seconds, seat=seat))
        return
    seats = ", ".join(f"seat {number} {entry.bot}" for number, entry in enumerate(header.seats))
    heading = plain_text(f"{header.variant}, round {header.round}, seed {header.seed}: {seats}")
    if turn is None and sys.stdin.isatty() and sys.stdout.isatty() and _watch(match, heading, speed, omniscient, seat):
        return
    say(heading)
    draw_turn = None if omniscient else turn_drawer(header.game)
    shown = _draw(match, game, speed=speed, only_turn=turn, draw_turn=draw_turn)
    if turn is None:
        say(f"\n{plain_text(ending_of(match.header, match.end))}")
    elif not shown:
        raise ConfigError(f"--turn: expected 0 to {match.end.turns}, got {turn}")


def _write_page(path: Path, match: MatchRecord, out: Path) -> None:
    from gridjoust.viewer.files import match_view_of
    from gridjoust.viewer.page import match_page

    if out.is_dir():
        raise ConfigError(f"--html: expected a file to write, got the folder {out}")
    out.write_text(match_page(match_view_of(path, match)), encoding="utf-8")
    print(f"page: {out}")


def _watch(match: MatchRecord, heading: str, speed: float | None, omniscient: bool, seat: int | None) -> bool:
    """Show the match with keys; return False if this system's terminals cannot read single keys."""
    from gridjoust.person.playback import Playback
    from gridjoust.person.viewer import Cursor, keys_of_terminal, watch

    cursor = Cursor(Playback(match), speed=speed or 4.0, is_playing=speed is not None)
    try:
        with keys_of_terminal() as read_key:
            watch(cursor, heading=heading, omniscient=omniscient, seat=seat, read_key=read_key)
    except ImportError:
        return False
    return True


def _draw(
    record: MatchRecord, game: AnyGame, *, speed: float | None, only_turn: int | None, draw_turn: DrawTurn | None
) -> int:
    """Print every turn, or one, as text; return how many were printed.

    `draw_turn` draws a turn step by step; None: the state after the turn is drawn.
    """
    shown, before = 0, None
    for moment in replay_states(record):
        view = game.public_view(moment.state)
        if only_turn is None or moment.turn == only_turn:
            shown += 1
            print(f"\n{plain_text(_caption(moment))}")
            steps: list[str] = []
            if draw_turn is not None and before is not None:
                steps = draw_turn(before, view, game.briefing(moment.state, 0))
            print("\n".join(steps or [game.render(moment.state)]), flush=True)
            if only_turn is None and speed is not None and moment.turn < record.end.turns:
                time.sleep(1 / speed)
        before = view
    return shown


def _caption(moment: Moment) -> str:
    if moment.line is None:
        return "turn 0: start position"
    actions = ", ".join(f"seat {seat} {action}" for seat, action in moment.line.actions.items())
    return f"turn {moment.turn}: {actions or 'the clock'}"
