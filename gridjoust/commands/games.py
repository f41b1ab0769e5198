"""`joust games`: the games that there are, with their parameters and defaults."""

from __future__ import annotations

import json

from games import game_names, load_game
from gridjoust.commands.arguments import JsonOption


def games(as_json: JsonOption = False) -> None:
    """List the games with their parameters."""
    specs = [load_game(name).spec for name in game_names()]
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
        seats = f"{spec.min_seats}" if spec.min_seats == spec.max_seats else f"{spec.min_seats} to {spec.max_seats}"
        print(f"{spec.name} (rules {spec.version}), {seats} seats, {spec.dynamics.value}: {spec.summary}")
        for name, param in spec.params.items():
            print(f"    {name} = {json.dumps(param.default)}  {param.help}")
