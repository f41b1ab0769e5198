"""What there is: games, bots, schemas."""

from __future__ import annotations

import json
from typing import Any

import games
from bots import bot_names, load_bot
from runner.config.values import BotInfo
from runner.wire import protocol
from runner.wire.errors import ConfigError


def known_bots() -> dict[str, BotInfo]:
    """Every bot that can be named in a tournament file."""
    return {name: BotInfo(plays=(bot := load_bot(name)).plays, planner=bot.planner) for name in bot_names()}


def print_bots(*, as_json: bool) -> int:
    """One bot a line: name, planner, games."""
    found = known_bots()
    if as_json:
        print(json.dumps([{"bot": name, "planner": info.planner, "plays": info.plays} for name, info in found.items()]))
        return 0
    width = max(map(len, found), default=0)
    for name, info in found.items():
        print(f"{name:<{width}}  {info.planner:<12}  {', '.join(info.plays) or 'every game'}")
    return 0


def print_games(*, as_json: bool) -> int:
    """Every game with its parameters and their defaults."""
    specs = [games.load_game(name).spec for name in games.game_names()]
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
        return 0
    for spec in specs:
        seats = f"{spec.min_seats}" if spec.min_seats == spec.max_seats else f"{spec.min_seats} to {spec.max_seats}"
        print(f"{spec.name} (rules {spec.version}), {seats} seats, {spec.dynamics.value}: {spec.summary}")
        for name, param in spec.params.items():
            print(f"    {name} = {json.dumps(param.default)}  {param.help}")
    return 0


def print_schema(what: str) -> int:
    """The protocol as JSON Schema or as AsyncAPI document, or JSON Schema of the tournament file."""
    print(json.dumps(_schema(what), indent=2))
    return 0


def _schema(what: str) -> dict[str, Any]:
    if what == "protocol":
        return protocol.json_schema()
    if what == "asyncapi":
        from runner.wire.asyncapi import asyncapi_document

        return asyncapi_document()
    if what == "config":
        from runner.config.load import config_schema

        return config_schema()
    raise ConfigError(f"schema: expected protocol, asyncapi or config, got {what!r}")
