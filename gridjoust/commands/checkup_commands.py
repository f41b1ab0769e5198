"""The commands that look at one bot closely: `doctor`, `ask`, `rerun`. Heavy imports happen inside, as in `app`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.arguments import JsonOption, ResultsArgument

Command = Annotated[str | None, typer.Option(help="The bot as a command line: 'node bot.mjs'.")]
Options = Annotated[list[str] | None, typer.Option(help="An option of the bot, name=value; may be repeated.")]


def doctor(
    game: Annotated[str, typer.Option(help="The game; `joust games` lists them.")],
    bot: Annotated[str | None, typer.Argument(help="A name, or file.py:Class; or see --command.")] = None,
    command: Command = None,
    option: Options = None,
    param: Annotated[list[str] | None, typer.Option(help="A parameter of the game, name=value.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many seats; default: the game's fewest.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="Only this role is the bot's; may be repeated.")] = None,
    against: Annotated[str, typer.Option(help="Who plays in the other seats.")] = "random",
    matches: Annotated[int, typer.Option(min=1, help="How many matches, each place at the table in turn.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Other matches.")] = 1,
    turn_ms: Annotated[int, typer.Option(min=1, help="Time for an answer.")] = 100,
    start_ms: Annotated[int, typer.Option(min=1, help="Time to start, and to get ready for a match.")] = 10_000,
    out: Annotated[Path, typer.Option(help="Records and logs go to doctor-<bot>/ in it.")] = Path("results"),
    json: JsonOption = False,
) -> None:
    """Examine a bot: protocol, legality, time, determinism, memory, manners; what goes wrong is shown where it does."""
    from gridjoust.commands.doctor import DoctorOptions, examine_bot

    options = DoctorOptions(
        bot=bot,
        command=command,
        options=option or [],
        game=game,
        params=param or [],
        seats=seats,
        roles=role or [],
        against=against,
        matches=matches,
        seed=seed,
        turn_ms=turn_ms,
        start_ms=start_ms,
        out=out,
    )
    raise typer.Exit(examine_bot(options, as_json=json))


def ask(
    bot: Annotated[
        str | None, typer.Argument(help="A name, or file.py:Class; without it, with --record, the bot that played.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game; a record and a file with a start know it.")] = None,
    record: Annotated[Path | None, typer.Option(help="The question: of this match record ...")] = None,
    turn: Annotated[int | None, typer.Option(min=1, help="... the last one up to this turn ...")] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="... to this seat, after all that it was told before.")
    ] = None,
    observation: Annotated[
        Path | None,
        typer.Option(
            help="The question: a turn message as JSON (observation, seat, turn, legal, limit_ms; and start, for what a"
            " bot learns before the first turn), or an observation alone. --save writes one."
        ),
    ] = None,
    command: Command = None,
    option: Options = None,
    param: Annotated[
        list[str] | None, typer.Option(help="With --observation: a parameter of the game; may be repeated.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="With --observation: how many seats the game has.")] = None,
    save: Annotated[Path | None, typer.Option(help="With --record: write the question into this file.")] = None,
    debugger: Annotated[
        bool, typer.Option("--debugger", help="No limits; a Python bot runs on this terminal: breakpoint() works.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Put one recorded question to one bot: its answer, what it cost, what the bot wrote."""
    from gridjoust.commands.ask import AskOptions, ask_bot

    options = AskOptions(
        bot, command, option or [], game, param or [], seats, record, turn, seat, observation, save, debugger
    )
    raise typer.Exit(ask_bot(options, as_json=json))


def rerun(
    results: ResultsArgument,
    match: Annotated[str, typer.Argument(help="The match's id, or its beginning.")],
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Only this bot plays; the others' recorded actions are played. May be repeated."),
    ] = None,
    recorded: Annotated[
        list[str] | None, typer.Option(help="This bot's recorded actions are played. May be repeated.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play one match again, on its seed and in its seats, and compare it with its record."""
    from gridjoust.commands.rerun import rerun_match

    raise typer.Exit(rerun_match(results, match, keep=keep or [], recorded=recorded or [], as_json=json))
