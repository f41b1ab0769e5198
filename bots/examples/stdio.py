"""A whole bot in plain Python. Needs no package: lines of JSON come on standard input, answers go to standard output.

Change `Match`. Print what is no answer to `sys.stderr`: it is kept in the bot's log.
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
        """Read `start["briefing"]` and prepare: this time is not the turn's."""
        self.is_looked_at: bool = start.get("lens", False)  # by somebody: answers may carry layers over the board
        self.chance = random.Random(start["bot_seed"])  # the only chance you should use: a rerun then repeats

    def answer(self, turn: Message) -> str:
        """One of the legal actions; `turn["observation"]` has all that this seat may know."""
        action: str = self.chance.choice(turn["legal"])
        return action


def say(message: Message) -> None:
    """One line, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Play until told to leave."""
    match: Match | None = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            match = Match(message)
        if message["type"] in ("hello", "start"):
            say({"type": "ready", "version": "1", "language": "python"})
        elif message["type"] == "turn" and match is not None:
            action = match.answer(message)
            # kinds: heat, path, nodes, frontier, arrows, all with a list of numbers as data, and text
            shown = [{"name": "choice", "kind": "text", "data": action}]
            say({"action": action, "shown": shown} if match.is_looked_at else {"action": action})


if __name__ == "__main__":
    main()
