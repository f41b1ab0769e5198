"""`joust bots`: the bots that there are, one a line: name, planner, games."""

from __future__ import annotations

import json

from gridjoust.commands.arguments import JsonOption
from gridjoust.known_bots import known_bots


def bots(as_json: JsonOption = False) -> None:
    """List the built-in and installed bots."""
    found = known_bots()
    if as_json:
        print(json.dumps([{"bot": name, "planner": info.planner, "plays": info.plays} for name, info in found.items()]))
        return
    width = max(map(len, found), default=0)
    for name, info in found.items():
        print(f"{name:<{width}}  {info.planner:<12}  {', '.join(info.plays) or 'every game'}")
