"""`joust tokens`: list or renew the tokens with which remote bots connect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import JsonOption
from gridjoust.commands.shared.output import say
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.remote.access import RemoteAccess, open_access, remote_bots
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import PROTOCOL
from gridjoust.runner.wire.token import Token, format_token


def tokens(
    file: Annotated[Path, typer.Argument(help="The tournament file (YAML).")],
    bots: Annotated[
        list[str] | None, typer.Argument(help="Remote bots to list; default: all.", show_default="all")
    ] = None,
    renew: Annotated[
        bool, typer.Option("--renew", help="Issue new tokens; old ones stop working from the next run.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the tokens of a file's remote bots, or renew them; each connects one bot: `joust connect TOKEN bot.py`."""
    loaded = load_tournament(file, strict=False, may_lack_files=True)
    remote = remote_bots(loaded.config)
    if not remote:
        raise ConfigError(f"{file} has no bot with `remote: true`")
    for bot in bots or ():
        if bot not in remote:
            raise ConfigError(f"BOTS: expected {nearest(bot, remote)}, got {bot!r}")
    shown = bots or remote
    access = open_access(loaded, renew=shown if renew else ())
    assert access is not None
    if as_json:
        print(json.dumps([_as_json(access, access.tokens[bot]) for bot in shown]))
        return
    for bot in shown:
        print(f"{bot}:\n  joust connect {format_token(access.tokens[bot])} BOT\n")
    hosts = ", ".join(access.tokens[shown[0]].hosts)
    say(f"BOT is a bot's file or name, or `-- COMMAND` for a program. The bots look for this host at {hosts}.")
    if loaded.config.broker.listen is None and loaded.config.broker.use != "external":
        say('Only bots on this machine can connect; to allow others set `broker: {listen: "0.0.0.0:8883"}`.')


def _as_json(access: RemoteAccess, token: Token) -> dict[str, object]:
    """Return a bot's access as JSON data, with the environment variables of a bot that speaks MQTT itself."""
    environment = {
        "JOUST_URL": token.addresses[0].url,
        "JOUST_USER": token.user,
        "JOUST_PASSWORD": token.password,
        "JOUST_TOPIC": token.prefix,
        "JOUST_PROTOCOL": str(PROTOCOL),
    }
    return {
        "bot": token.bot,
        "token": format_token(token),
        "hosts": token.hosts,
        "certificate": access.certificate or None,
        "environment": {name: value for name, value in environment.items() if value is not None},
    }
