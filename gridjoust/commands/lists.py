"""`joust games`, `joust bots` and `joust schema`: list games, bots and schemas, as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import JsonOption, mistakes_of
from gridjoust.commands.shared.output import say
from gridjoust.runner.config.mistakes import nearest
from gridjoust.runner.wire.errors import ConfigError


def games(
    game: Annotated[str | None, typer.Argument(help="A game, to list its parameters too.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games; with a name, one game and its parameters."""
    from gridjoust.games import game_names, load_game

    if game is not None and game not in game_names():
        raise ConfigError(f"games: expected {nearest(game, game_names())}, got {game!r}")
    with mistakes_of("games"):
        specs = [load_game(game).spec] if game else [load_game(name).spec for name in whole(game_names(), load_game)]
    if as_json:
        described = [
            {
                "game": spec.name,
                "version": spec.version,
                "seats": [spec.min_seats, spec.max_seats],
                "dynamics": spec.dynamics.value,
                "params": {name: {"default": param.default, "help": param.help} for name, param in spec.params.items()},
            }
            for spec in specs
        ]
        print(json.dumps(described))
        return
    for spec in specs:
        say(f"{spec.name} (rules {spec.version}), {spec.seats_text} seats, {spec.dynamics.value}: {spec.summary}")
        for name, param in spec.params.items() if game else ():
            say(f"    {name} = {json.dumps(param.default)}  {param.help}", indent=" " * 8)
    if game is None:
        print("parameters of a game: joust games NAME")


def whole(names: Iterable[str], load: Callable[[str], object]) -> Iterator[str]:
    """Yield the names that can be loaded; say on standard error what is wrong with each other one."""
    for name in names:
        try:
            load(name)
        except ValueError as error:
            say(f"left out {error}", to_errors=True)
        else:
            yield name


def bots(as_json: JsonOption = False) -> None:
    """List the built-in and installed bots."""
    from gridjoust.tournament import KnownBots

    known = KnownBots()
    found = {name: known[name] for name in whole(known, known.__getitem__)}
    if as_json:
        print(json.dumps([{"bot": name, "planner": info.planner, "plays": info.plays} for name, info in found.items()]))
        return
    width = max(map(len, found), default=0)
    planners = max((len(info.planner) for info in found.values()), default=0)
    for name, info in found.items():
        print(f"{name:<{width}}  {info.planner:<{planners}}  {', '.join(info.plays) or 'every game'}")


def schema(what: Annotated[str, typer.Argument(help="protocol, asyncapi or config.")] = "protocol") -> None:
    """Print the wire protocol (JSON Schema or AsyncAPI) or the JSON Schema of the tournament file."""
    match what:
        case "protocol":
            from gridjoust.runner.wire.protocol import json_schema as make
        case "asyncapi":
            from gridjoust.runner.wire.asyncapi import asyncapi_document as make
        case "config":
            from gridjoust.runner.config.load import config_schema as make
        case _:
            raise ConfigError(f"schema: expected protocol, asyncapi or config, got {what!r}")
    print(json.dumps(make(), indent=2))
