"""A whole bot in plain Python. It needs no package: it reads lines of JSON from standard input and prints answers.

Change `Match`. Print everything else to `sys.stderr`: it is kept in the bot's log.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

Message = dict[str, Any]


class Match:
    """One match, from its start to its end. The bot may hold several seats: every question names one."""

    def __init__(self, start: Message) -> None:
        """Read `start["briefing"]` and prepare: this time does not count for the turn."""
        self.is_looked_at: bool = start.get("lens", False)  # spectators watch: answers may carry layers
        self.chance = random.Random(start["bot_seed"])  # draw from this only: a rerun then plays the same match

    def answer(self, turn: Message) -> str:
        """Return a legal action; `turn["observation"]` has all that this seat may know."""
        action: str = self.chance.choice(turn["legal"])
        return action


def say(message: Message) -> None:
    """Print one line at once, without buffering."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Play until standard input ends."""
    match: Match | None = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            match = Match(message)
        if message["type"] in ("hello", "start"):
            say({"type": "ready", "version": "1", "language": "python"})
        elif message["type"] == "turn" and match is not None:
            action = match.answer(message)
            # kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
            shown = [{"name": "choice", "kind": "text", "data": action}]
            say({"action": action, "shown": shown} if match.is_looked_at else {"action": action})


if __name__ == "__main__":
    main()
