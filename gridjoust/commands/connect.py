"""`joust connect`: a bot on this machine plays in another machine's tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridjoust.bots import bot_names, load_bot_spec
from gridjoust.commands.shared.bot_argument import file_spec
from gridjoust.commands.shared.output import say_with_time
from gridjoust.remote.session import ClassPlayer, CommandPlayer, Player, play_remotely
from gridjoust.runner.broker.listening import parse_place
from gridjoust.runner.processes.logs import package_hint
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.token import Token, parse_token
from gridjoust.tournament import run_loop


def connect(
    token: Annotated[str, typer.Argument(help="The bot's token, as `joust tokens` prints it.")],
    bot: Annotated[
        list[str], typer.Argument(help="The bot: a name, file.py or file.py:Class; or, behind --, a program (stdio).")
    ],
    at: Annotated[
        str | None, typer.Option(help="Address of the host, host or host:port; default: as in the token.")
    ] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Wait for the next run when this one has ended.")] = False,
) -> None:
    """Play in a tournament on another machine, with a token and a bot; print what the referee reports."""
    parsed, player = parse_token(token), _parse_player(bot)
    run_loop(play_remotely(parsed, player, say=say_with_time, at=_addresses(parsed, at), stays=stay))


def _parse_player(words: list[str]) -> Player:
    """Return the Python bot that one word names, else the program with its arguments."""
    first = words[0]
    is_file = first.endswith(".py") or first.rpartition(":")[0].endswith(".py")
    if len(words) > 1 or not (is_file or first in bot_names()):
        _check_program(first)
        return CommandPlayer(tuple(words))
    try:
        return ClassPlayer(load_bot_spec(file_spec(first) if is_file else first))
    except ValueError as error:
        raise ConfigError(f"BOT: {error}{package_hint(str(error))}") from None


def _check_program(name: str) -> None:
    import shutil

    if shutil.which(name) is None and shutil.which(str(Path.cwd() / name)) is None:
        expected = "expected a bot's name, file.py, file.py:Class, or behind -- a program and its arguments"
        raise ConfigError(f"BOT: {expected}, got {name!r}")


def _addresses(token: Token, at: str | None) -> list[Address]:
    if at is None:
        return []
    host, port = parse_place(at, key="--at") if at.rpartition("]")[2].count(":") == 1 else (at.strip("[]"), token.port)
    return [Address(host, port, tls=token.tls)]
